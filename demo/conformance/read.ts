/** Orders as they are read: their fields, the relations of their legs, and their states. */
import {setTimeout as pause} from 'node:timers/promises';
import {bitcoinAddress, hashOf} from './deposits.js';
import {differs, type Run} from './run.js';
import {compare, dig, isFields, object, textAt, unknownFields, type Difference} from './shapes.js';
import {familyOf, knownChain, legOf, ORDER, UNTOUCHED} from './specification.js';

export function lookAtRead(run: Run, id: string, order: unknown, request: string) {
  const {findings} = run;
  findings.add('read.order', request, compare(object(ORDER), order, 'result'));
  findings.add(
    'read.id',
    request,
    differs(textAt(order, 'order_id') !== id, 'result.order_id', id, textAt(order, 'order_id')),
  );
  for (const side of ['source', 'destination'] as const) {
    const leg = dig(order, `${side}_swap`);
    const at = `result.${side}_swap`;
    if (!isFields(leg)) continue;
    const family = familyOf(textAt(leg, 'chain'));
    const shape = legOf(family, side === 'source');
    const isOfBitcoin = ({at}: Difference) => /\.(?:delegate|instant_refund_tx)$/.test(at);
    const all = compare(shape, leg, at);
    findings.add(
      `read.${side}`,
      request,
      all.filter(one => !isOfBitcoin(one)),
    );
    const strange = [
      ...(family === 'bitcoin' ? [] : ['delegate']),
      ...(family === 'bitcoin' && side === 'source' ? [] : ['instant_refund_tx']),
    ].filter(name => Object.hasOwn(leg, name));
    findings.add('read.bitcoin', request, [
      ...all.filter(isOfBitcoin),
      ...strange.flatMap(name => differs(true, `${at}.${name}`, 'no such field', 'one')),
    ]);
    for (const path of unknownFields(shape, leg, '').filter(path => !strange.includes(path.slice(1)))) {
      findings.note(`a leg has ${path.slice(1)}, which is not in the specification.`);
    }
  }
  for (const path of unknownFields(object(ORDER), order, '')) {
    findings.note(`an order has ${path.slice(1)}, which is not in the specification.`);
  }
  const [one, other] = [textAt(order, 'source_swap', 'secret_hash'), textAt(order, 'destination_swap', 'secret_hash')];
  findings.add('read.hash', request, differs(one !== other, 'result.destination_swap.secret_hash', one, other));
  lookAtLocks(run, order, request);
  lookAtAddress(run, order, request);
  lookAtSteps(run, order, request);
}

/** The payer is locked for longer than the counterparty, or nobody could serve the order. */
function lookAtLocks({options, findings}: Run, order: unknown, request: string) {
  const seconds = (side: string) => {
    const timelock = dig(order, `${side}_swap`, 'timelock');
    const chain = textAt(order, `${side}_swap`, 'chain');
    const each = options.blockSeconds[chain] ?? knownChain(chain)?.blockSeconds;
    return typeof timelock === 'number' && each !== undefined ? timelock * each : undefined;
  };
  const [source, destination] = [seconds('source'), seconds('destination')];
  if (source === undefined || destination === undefined) return;
  const hours = (time: number) => `${(time / 3600).toFixed(2)} h`;
  findings.add(
    'deposit.timelock',
    request,
    differs(
      destination >= source,
      'result.destination_swap.timelock',
      `less than ${hours(source)}`,
      hours(destination),
    ),
  );
}

/** A Bitcoin leg's address is derived only from the order's terms. */
function lookAtAddress({findings}: Run, order: unknown, request: string) {
  for (const side of ['source', 'destination']) {
    const leg = dig(order, `${side}_swap`);
    if (familyOf(textAt(leg, 'chain')) !== 'bitcoin' || !isFields(leg)) continue;
    const delegate = textAt(leg, 'delegate');
    const made = bitcoinAddress(textAt(leg, 'chain'), {
      secretHash: textAt(leg, 'secret_hash'),
      redeemer: side === 'source' ? textAt(leg, 'redeemer') : delegate,
      initiator: side === 'source' ? delegate : textAt(leg, 'initiator'),
      timelock: Number(leg['timelock']),
    });
    findings.add(
      'deposit.script',
      request,
      differs(
        made !== textAt(leg, 'swap_id'),
        `result.${side}_swap.swap_id`,
        made ?? 'keys, hash and timelock of a contract',
        textAt(leg, 'swap_id'),
      ),
    );
  }
}

export function lookUntouched({findings}: Run, order: unknown, request: string) {
  for (const side of ['source', 'destination']) {
    const leg = dig(order, `${side}_swap`);
    if (!isFields(leg)) continue;
    const there = Object.fromEntries(Object.entries(UNTOUCHED).filter(([name]) => Object.hasOwn(leg, name)));
    findings.add('states.fresh', request, compare(object(there), leg, `result.${side}_swap`));
  }
}

/** States and transitions, as far as one read of an order shows them. */
function lookAtSteps({findings}: Run, order: unknown, request: string) {
  const has = (side: string, step: string) => textAt(order, `${side}_swap`, `${step}_tx_hash`) !== '';
  const wrong = (isWrong: boolean, at: string, expected: string, found: string) =>
    differs(isWrong, `result.${at}`, expected, found);
  const paid = has('source', 'initiate');
  findings.add('states.order', request, [
    ...wrong(
      has('destination', 'initiate') && !paid,
      'source_swap.initiate_tx_hash',
      'a payment before the destination’s',
      'none',
    ),
    ...['source', 'destination'].flatMap(side => [
      ...['redeem', 'refund'].flatMap(step =>
        wrong(
          has(side, step) && !has(side, 'initiate'),
          `${side}_swap.initiate_tx_hash`,
          `a payment before its ${step}`,
          'none',
        ),
      ),
      ...wrong(
        has(side, 'redeem') && has(side, 'refund'),
        `${side}_swap.refund_tx_hash`,
        'none beside a redeem',
        'one',
      ),
      ...['initiate', 'redeem', 'refund'].flatMap(step => {
        const [block, at] = [
          dig(order, `${side}_swap`, `${step}_block_number`),
          dig(order, `${side}_swap`, `${step}_timestamp`),
        ];
        const isEarly = !has(side, step) && ((typeof block === 'string' && block !== '0') || typeof at === 'string');
        return wrong(
          isEarly,
          `${side}_swap.${step}_block_number`,
          '0, and no time, without a transaction',
          `${String(block)}, ${String(at)}`,
        );
      }),
    ]),
  ]);
  const secrets = ['source', 'destination'].map(side => textAt(order, `${side}_swap`, 'secret'));
  const redeemed = ['source', 'destination'].some(side => has(side, 'redeem'));
  const [secret = '', other = ''] = secrets;
  const hash = textAt(order, 'source_swap', 'secret_hash').toLowerCase();
  findings.add('states.secret', request, [
    ...wrong(redeemed && !secret, 'source_swap.secret', 'the secret, once a leg is redeemed', 'nothing'),
    ...wrong(secret !== other, 'destination_swap.secret', `the source’s (${secret || 'empty'})`, other),
    ...wrong(secret !== '' && hashOf(secret) !== hash, 'source_swap.secret', `a secret with the hash ${hash}`, secret),
    ...wrong(secret !== '' && !redeemed, 'source_swap.secret', 'nothing before a leg is redeemed', secret),
  ]);
}

const isOver = (order: unknown) =>
  textAt(order, 'destination_swap', 'redeem_tx_hash') !== '' || textAt(order, 'source_swap', 'refund_tx_hash') !== '';

/** Reads an existing order until it has ended, or for long enough. */
export async function followOrder(run: Run, id: string) {
  const {service, findings, options} = run;
  const path = `/v2/orders/${encodeURIComponent(id)}`;
  const until = Date.now() + options.follow * 1_000;
  for (;;) {
    const order = await service.result(path);
    if (order === undefined) return;
    lookAtRead(run, id, order, `GET ${path}`);
    const isPaid = textAt(order, 'source_swap', 'initiate_tx_hash') !== '';
    const isLate = Date.now() >= until;
    if (isOver(order) || (isLate && options.follow > 0 && isPaid)) {
      findings.add(
        'states.served',
        `GET ${path}`,
        differs(!isOver(order), 'result', `complete or refunded within ${String(options.follow)} s`, 'neither'),
      );
    }
    if (isOver(order) || isLate) return;
    await pause(Math.min(2_000, Math.max(50, until - Date.now())));
  }
}
