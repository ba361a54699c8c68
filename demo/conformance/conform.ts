/** Tests a service from outside: requests quotes, places orders that nobody pays, and compares every response. */
import {numberOf} from './deposits.js';
import {createFindings, type CheckResult} from './findings.js';
import {bodyOf, lookAtOrder} from './orders.js';
import {followOrder} from './read.js';
import {
  addressOn,
  chainOf,
  differs,
  noteUnknown,
  quotePath,
  type ConformOptions,
  type Offer,
  type Pair,
  type Run,
} from './run.js';
import {createService} from './service.js';
import {compare, dig, textAt} from './shapes.js';
import {isTestChain, QUOTES} from './specification.js';

export interface Report {
  readonly service: string;
  readonly date: string;
  readonly requests: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly notes: readonly string[];
}

/** The published test assets, so that each family is a source and a destination. */
export const PAIRS: readonly Pair[] = [
  {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc', amount: '100000'},
  {from: 'ethereum_sepolia:wbtc', to: 'bitcoin_testnet:btc', amount: '100000'},
  {from: 'solana_testnet:sol', to: 'starknet_sepolia:wbtc', amount: '500000000'},
  {from: 'starknet_sepolia:wbtc', to: 'solana_testnet:sol', amount: '100000'},
];

export async function conform(options: ConformOptions): Promise<Report> {
  const findings = createFindings();
  const requests: string[] = [];
  const inner = createService(options, {
    ...findings,
    add(id, request, differences) {
      if (id === 'reach.answers' || id === 'cors.preflight') requests.push(request);
      findings.add(id, request, differences);
    },
  });
  const run: Run = {options, service: inner, findings};

  await lookAtPreflights(run);
  for (const pair of options.pairs) {
    const offer = await lookAtQuotes(run, pair);
    if (options.readOnly || !offer) continue;
    if (![pair.from, pair.to].map(chainOf).every(isTestChain)) {
      findings.note(`${pair.from} to ${pair.to}: no order is placed on a mainnet.`);
      continue;
    }
    await lookAtOrder(run, offer);
  }
  const [first] = options.pairs;
  if (first) {
    await lookAtFees(run, first);
    await lookAtErrors(run, first);
    await lookAtOpenQuestions(run, first);
  }
  for (const id of options.orders) await followOrder(run, id);

  return {
    service: options.baseUrl,
    date: new Date().toISOString(),
    requests,
    checks: findings.results(),
    notes: findings.notes(),
  };
}

/* -- before anything else ------------------------------------------------------------------------------------------- */

async function lookAtPreflights({service}: Run) {
  const order = `/v2/orders/${'0'.repeat(64)}`;
  await service.preflight('GET', '/v2/quote');
  await service.preflight('POST', '/v2/orders');
  await service.preflight('PATCH', `${order}?action=initiate`);
  await service.preflight('GET', order);
}

/* -- quotes --------------------------------------------------------------------------------------------------------- */

async function lookAtQuotes(run: Run, pair: Pair): Promise<Offer | undefined> {
  const {service, findings} = run;
  const path = quotePath(pair);
  const result = await service.result(path);
  if (result === undefined) return undefined;
  const request = `GET ${path}`;
  findings.add('quote.fields', request, compare(QUOTES, result, 'result'));
  noteUnknown(run, QUOTES, result, 'a quote');
  const quotes = (Array.isArray(result) ? result : [result]) as unknown[];
  for (const [place, quote] of quotes.entries()) {
    const at = (path: string) => `result[${String(place)}].${path}`;
    const [source, destination] = [dig(quote, 'source'), dig(quote, 'destination')];
    findings.add('quote.asked', request, [
      ...differs(textAt(source, 'asset') !== pair.from, at('source.asset'), pair.from, textAt(source, 'asset')),
      ...differs(textAt(source, 'amount') !== pair.amount, at('source.amount'), pair.amount, textAt(source, 'amount')),
      ...differs(
        textAt(destination, 'asset') !== pair.to,
        at('destination.asset'),
        pair.to,
        textAt(destination, 'asset'),
      ),
    ]);
    for (const side of ['source', 'destination']) {
      const [amount, display] = [textAt(quote, side, 'amount'), textAt(quote, side, 'display')];
      findings.add(
        'quote.display',
        request,
        differs(!isSameNumber(amount, display), at(`${side}.display`), `${amount} in whole units`, display),
      );
    }
    const [paid, received] = [Number(textAt(source, 'value')), Number(textAt(destination, 'value'))];
    findings.add(
      'quote.cost',
      request,
      differs(!(received <= paid), at('destination.value'), `at most ${String(paid)}`, String(received)),
    );
    if (received < paid * 0.98) {
      findings.note(
        `${pair.from} to ${pair.to}: a quote costs ${((1 - received / paid) * 100).toFixed(1)} % of its value.`,
      );
    }
  }
  const offered = quotes
    .map(quote => textAt(quote, 'destination', 'amount'))
    .filter(amount => /^[1-9]\d*$/.test(amount));
  findings.add('quote.offers', request, differs(!offered.length, 'result', 'a quote of more than 0', 'none'));
  const best = offered.sort((one, other) => (BigInt(other) > BigInt(one) ? 1 : -1))[0];
  return best === undefined ? undefined : {...pair, receive: best};
}

/** Whether a decimal text has the digits of an amount, with another decimal point. */
function isSameNumber(amount: string, display: string): boolean {
  const bare = (digits: string) => digits.replace(/^0+/, '').replace(/0+$/, '');
  if (!/^\d+$/.test(amount) || !/^\d+(?:\.\d+)?$/.test(display)) return false;
  return bare(display.replace('.', '')) === bare(amount) && Number(display) <= Number(amount);
}

/* -- fees ----------------------------------------------------------------------------------------------------------- */

const BPS = 100;

async function lookAtFees(run: Run, pair: Pair) {
  const {service, findings, options} = run;
  const [without, withFee] = [
    await service.result(quotePath(pair)),
    await service.result(quotePath(pair, {affiliate_fee: String(BPS)})),
  ];
  const best = (quotes: unknown) =>
    (Array.isArray(quotes) ? (quotes as unknown[]) : []).reduce<bigint>((most, quote) => {
      const amount = numberOf(dig(quote, 'destination', 'amount')) ?? 0n;
      return amount > most ? amount : most;
    }, 0n);
  const [all, less] = [best(without), best(withFee)];
  if (!all || !less) return;
  // Prices move between the two.
  const most = (all * BigInt(10_000 - BPS / 2)) / 10_000n;
  const request = `GET ${quotePath(pair, {affiliate_fee: String(BPS)})}`;
  findings.add(
    'fees.quote',
    request,
    differs(less > most, 'result[].destination.amount', `at most ${String(most)}`, String(less)),
  );

  if (options.readOnly || ![pair.from, pair.to].map(chainOf).every(isTestChain)) return;
  const fees = [10, BPS - 10].map(fee => ({asset: options.feeAsset, address: addressOn(run, options.feeAsset), fee}));
  const offer = {...pair, receive: String(less)};
  const answer = await service.ask('/v2/orders', {
    method: 'POST',
    body: {...bodyOf(offer, addressOn(run, pair.from), addressOn(run, pair.to)), affiliate_fees: fees},
  });
  if (!answer) return;
  const id = textAt(answer.body, 'result', 'order_id');
  findings.add(
    'fees.order',
    'POST /v2/orders with affiliate_fees',
    differs(!id, 'result.order_id', 'an order', `${String(answer.status)}, ${answer.text.slice(0, 120)}`),
  );
  if (!id) return;
  const path = `/v2/orders/${encodeURIComponent(id)}`;
  const listed = dig(await service.result(path), 'affiliate_fees');
  const count = Array.isArray(listed) ? listed.length : 0;
  findings.add(
    'fees.read',
    `GET ${path}`,
    differs(count !== fees.length, 'result.affiliate_fees', `${String(fees.length)} entries`, String(count)),
  );
}

/* -- errors --------------------------------------------------------------------------------------------------------- */

async function lookAtErrors(run: Run, pair: Pair) {
  const {service, options} = run;
  const nowhere = `${chainOf(pair.to)}:no_such_asset`;
  await service.refused('errors.asset', 'an unknown asset', quotePath({...pair, to: nowhere}));
  for (const amount of ['', '0.5', '-5']) {
    await service.refused('errors.amount', `an amount of “${amount}”`, quotePath({...pair, amount}));
  }
  await service.refused('errors.unknown', 'an unknown order', `/v2/orders/${'0'.repeat(64)}`);
  if (options.readOnly) return;
  const source = {asset: pair.from, owner: addressOn(run, pair.from), amount: pair.amount};
  const post = (body: unknown) => ({method: 'POST', body}) as const;
  await service.refused('errors.order', 'no destination', '/v2/orders', post({source}));
  const stranger = {...bodyOf({...pair, receive: '1'}, 'nobody', addressOn(run, pair.to))};
  await service.refused('errors.owner', 'an owner who is no address', '/v2/orders', post(stranger));
}

/** What this service has in addition to the specification. */
async function lookAtOpenQuestions({service, findings, options}: Run, pair: Pair) {
  const path = quotePath(pair);
  const header = options.appIdHeader;
  const stranger = await service.ask(path, {headers: {[header]: 'not an app id'}});
  if (stranger) findings.note(`A quote for something that is no app id: ${String(stranger.status)}.`);
  const assets = await service.ask('/v2/assets');
  if (assets?.ok && Array.isArray(dig(assets.body, 'result'))) {
    findings.note('GET /v2/assets is served, which is not in the specification: the widget shows its limits.');
  }
}
