/**
 * What a page sets for a service, found by asking it. Of what the service says, nothing is printed but the ids of known
 * assets, and names and addresses in their one form.
 */
import {furtherFields, writeSignature, type ServiceDialect} from '../../src/api/dialect.js';
import {presentContractsOf} from '../../src/domain/asset.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {numberOf, readSolanaTransaction} from './deposits.js';
import {createFindings} from './findings.js';
import {bodyOf, NOBODYS} from './orders.js';
import {addressOn, chainOf, quotePath, type ConformOptions, type Offer, type Pair} from './run.js';
import {createService, type Answer, type Asked} from './service.js';
import {dig, textAt} from './shapes.js';
import {familyOf, isTestChain} from './specification.js';

type Fields = NonNullable<ServiceDialect['fields']>;

const FIELDS: Fields = ['solver_id', 'nonce', 'slippage'];
/** The addresses of contracts and programs. */
const ADDRESS = /^(?:0x[\da-f]{1,64}|[1-9A-HJ-NP-Za-km-z]{32,44})$/i;

export async function suggest(options: ConformOptions): Promise<string> {
  const {appId, pairs, readOnly} = options;
  const findings = createFindings();
  const run = {options, findings, service: createService(options, findings)};
  const dialect: {-readonly [Name in keyof ServiceDialect]: ServiceDialect[Name]} =
    options.appIdHeader === 'service-app-id' ? {} : {header: options.appIdHeader};
  const notes = new Set<string>();
  const isTest = isTestChain(chainOf(pairs[0]?.from ?? ''));
  const known = ALL_KNOWN.assets.filter(({id, isGone}) => !isGone && isTestChain(chainOf(id)) === isTest);

  const send = (path: string, asked: Asked = {}, header = dialect.header) =>
    run.service.ask(path, {...asked, headers: appId !== undefined && header !== undefined ? {[header]: appId} : {}});

  /** Sends a request; where the app id is missed, again under the names that the answer or the preflight has. */
  const ask = async (path: string, asked: Asked = {}): Promise<Answer | undefined> => {
    const answer = await send(path, asked);
    if (!answer || isDone(answer) || !isOfAppId(answer)) return answer;
    if (appId === undefined) notes.add('The service wants an app id: name yours with --app-id.');
    else {
      const headers = {'access-control-request-method': asked.method ?? 'GET'};
      const allowed = (await run.service.ask(path, {method: 'OPTIONS', headers}))?.headers;
      const texts = [answer.text, allowed?.get('access-control-allow-headers')].join(' ');
      const named = texts.match(/\b[a-z][a-z\d-]{0,40}-(?:id|key)\b/gi) ?? [];
      for (const header of new Set(named.map(name => name.toLowerCase()))) {
        const other = await send(path, asked, header);
        if (!other || (!isDone(other) && isOfAppId(other))) continue;
        dialect.header = header;
        return other;
      }
      notes.add('The service refuses the app id, and names no other header for it: ask its operator.');
    }
    return answer;
  };

  const quote = async (pair: Pair, more?: Readonly<Record<string, string>>) => {
    const quotes = dig((await ask(quotePath(pair, more)))?.body, 'result');
    const offers = (Array.isArray(quotes) ? quotes : []).map((one: unknown) => ({
      ...pair,
      receive: textAt(one, 'destination', 'amount'),
      solverId: textAt(one, 'solver_id'),
    }));
    return offers.find(({receive}) => /^[1-9]\d*$/.test(receive));
  };
  type Offered = Offer & {readonly solverId: string};
  /** The result of a new order, which nobody pays. */
  const place = async (offer: Offered, fields: Fields, fees: readonly unknown[] = []): Promise<unknown> => {
    const terms = bodyOf(offer, addressOn(run, offer.from), addressOn(run, offer.to));
    const body = {...terms, ...(fees.length && {affiliate_fees: fees}), ...furtherFields({fields}, offer.solverId)};
    const result = dig((await ask('/v2/orders', {method: 'POST', body}))?.body, 'result');
    return textAt(result, 'order_id') ? result : undefined;
  };

  /** The contracts that the service names, by asset. */
  const named = new Map<string, string>();
  const listed = dig((await ask('/v2/assets'))?.body, 'result');
  const ids = new Set<string>();
  for (const entry of Array.isArray(listed) ? (listed as unknown[]) : []) {
    ids.add(textAt(entry, 'id').toLowerCase());
    named.set(textAt(entry, 'id').toLowerCase(), textAt(entry, 'htlc', 'address'));
  }
  for (const {id} of ids.size ? [] : known) {
    const [{from, to, amount} = {from: '', to: '', amount: ''}] = pairs;
    const answer = await ask(quotePath({from: id, to: id === from ? to : from, amount}));
    if (answer && !(/asset .*not found/i.test(answer.text) && answer.text.includes(id))) ids.add(id);
  }
  const live = known.filter(({id}) => ids.has(id));

  const offers: Offered[] = [];
  for (const pair of pairs) {
    const offer = await quote(pair);
    if (offer) offers.push(offer);
  }
  if (!offers.length) notes.add('There was no quote: name pairs that can be swapped with --pair.');
  if (readOnly || !isTest) notes.add('No order was placed, so fields, signatures and payout assets were not tried.');
  else if (offers[0]) await tryOrders(offers[0]);

  async function tryOrders(offer: Offered) {
    let fields: Fields = [];
    if (!(await place(offer, fields))) {
      fields = FIELDS;
      if (!(await place(offer, fields))) {
        notes.add('Orders are refused, also with each further field: ask the operator why.');
        return;
      }
      for (const one of FIELDS) {
        const fewer = fields.filter(field => field !== one);
        if (await place(offer, fewer)) fields = fewer;
      }
      dialect.fields = fields;
    }
    for (const one of offers) {
      const result = await place(one, fields);
      const [family, id] = [familyOf(chainOf(one.from)), textAt(result, 'order_id')];
      const program = readSolanaTransaction(textAt(result, 'versioned_tx'))?.program;
      named.set(one.from, program ?? textAt(result, 'transaction', 'to'));
      if (family === 'starknet' && id) await trySignatures(`/v2/orders/${encodeURIComponent(id)}?action=initiate`);
    }
    await tryPayouts(offer, fields);
  }

  async function trySignatures(path: string) {
    for (const signature of ['array', 'comma', 'comma-hex'] as const) {
      const answer = await ask(path, {
        method: 'PATCH',
        body: {signature: writeSignature(NOBODYS.starknet, {signature})},
      });
      // Nobody's signature is refused in any form; this one for what it is, no longer for how it is written.
      if (!answer || OF_FORM.test(answer.text)) continue;
      if (signature !== 'array') dialect.signature = signature;
      return;
    }
    notes.add('Signatures are refused in each form, for their form: ask the operator which one is taken.');
  }

  async function tryPayouts(pair: Pair, fields: Fields) {
    const payable = known.filter(({id}) => /:(?:usdc|cbbtc)$/.test(id)).map(({id}) => id);
    const payout: string[] = [];
    for (const asset of payable) {
      const offer = await quote(pair, {affiliate_fee: '10'});
      const fees = [{asset, address: addressOn(run, asset), fee: 10}];
      if (offer && (await place(offer, fields, fees))) payout.push(asset);
    }
    if (!payout.length) notes.add('No asset was taken for affiliate fees.');
    else if (payout.length < payable.length) dialect.payout = payout;
  }

  const pins = known.flatMap(asset => {
    const [family, found = ''] = [familyOf(chainOf(asset.id)), named.get(asset.id)];
    const form = (address: string) => (family === 'solana' ? address : String(numberOf(address)));
    const pinned = presentContractsOf(asset);
    if (!ADDRESS.test(found) || pinned.some(one => form(one) === form(found))) return [];
    return [{id: asset.id, found, pinned: pinned.join(', ') || 'none'}];
  });
  const attributes = {
    'base-url': options.baseUrl,
    'app-id': appId,
    service: Object.keys(dialect).length ? JSON.stringify(dialect) : undefined,
    assets: live.length > 1 && live.length < known.length ? live.map(({id}) => id).join(' ') : undefined,
  };
  return [
    '<swap-widget',
    ...Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name}='${value.replace(/[&'<]/g, sign => `&#${String(sign.charCodeAt(0))};`)}'`],
    ),
    '></swap-widget>',
    ...(pins.length
      ? [CONFIRM, ...pins.map(pin => `  ${pin.id}: the widget knows ${pin.pinned}, the service has ${pin.found}`)]
      : []),
    ...(pins.length ? [`  contracts='${pins.map(({id, found}) => `${id} ${found}`).join(', ')}'`] : []),
    ...[...notes].map(note => `- ${note}`),
  ].join('\n');
}

const CONFIRM =
  'Contracts that the widget does not know. A person must confirm each address with the operator, by another way than this service, before the page vouches for it: whoever took the service over would name a contract of their own.';

/** A refusal for how a signature is written. */
const OF_FORM =
  /expected|invalid type|must be|sequence|\barray\b|\bstring\b|format|pars|deseriali|decod|malformed|\bhex|decimal/i;

function isDone({ok, body}: Answer): boolean {
  return ok && dig(body, 'status') !== 'Error';
}

function isOfAppId({status, text}: Answer): boolean {
  return status === 401 || /\b(?:app|api)[-_ ]?(?:id|key)\b|unauthori[sz]ed/i.test(text);
}
