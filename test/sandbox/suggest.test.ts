/** What the conformance program suggests for the sandbox, and for services with a dialect, which refuse more than that. */
import {PAIRS} from '../../demo/conformance/conform.js';
import {suggest} from '../../demo/conformance/suggest.js';
import {expect} from '../support/expect.js';
import {minimalService, startSandbox} from '../support/sandbox.js';

interface Request {
  readonly method: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly url: string;
}
/** A service's own answer to a request; it is the honest one's unless there is one. */
type Answers = (request: Request) => Response | string | false | undefined;

const APP = {appId: 'ab'.repeat(32), appIdHeader: 'service-app-id', pairs: PAIRS, readOnly: false, feeAsset: ''};
const NONE = {orders: [], follow: 0, owners: {}, blockSeconds: {}, patience: {read: 10, write: 45}, pause: 0};
const CONFIRM = 'A person must confirm each address with the operator';

async function suggested(baseUrl: string, answers: Answers = () => false, more: object = {}): Promise<string> {
  const {fetch} = globalThis;
  globalThis.fetch = async (input, init = {}) => {
    const {method = 'GET', body, headers} = init;
    const given = (body ? JSON.parse(String(body)) : {}) as Record<string, unknown>;
    const url = String(input);
    const own = url.startsWith(baseUrl) && answers({method, body: given, headers: new Headers(headers), url});
    if (typeof own === 'string') return Response.json({status: 'Error', error: own}, {status: 400});
    return own || fetch(input, init);
  };
  return suggest({...APP, ...NONE, baseUrl, ...more}).finally(() => (globalThis.fetch = fetch));
}

/** A refusal of whoever does not send this header. */
const wants = (header: string, error: string) => (request: Request) => !request.headers.has(header) && error;
const signs = (request: Request) => request.body['signature'];
const isPlaced = ({method}: Request) => method === 'POST';
const paysIn = ({body}: Request, asset: string) => JSON.stringify(body['affiliate_fees'] ?? '').includes(asset);
const listsOne = (id: unknown, address: unknown) => (request: Request) =>
  request.url.endsWith('/v2/assets') && Response.json({status: 'Ok', result: [{id, htlc: {address}}]});

describe('what the conformance program suggests', () => {
  let own: Awaited<ReturnType<typeof startSandbox>>;
  before(async () => {
    own = await startSandbox();
  });
  after(() => own.close());

  it('names contracts that differ, with both addresses and who confirms them', async () => {
    const text = await suggested((await minimalService('plain')).url);
    expect(text).to.contain(CONFIRM);
    expect(text).to.match(/ethereum_sepolia:wbtc: the widget knows 0x[\da-f]{40}.*, the service has 0x[\da-f]{40}\n/i);
    expect(text).to.match(/contracts='.*ethereum_sepolia:wbtc 0x[\da-f]{40}/i);
  });

  for (const [expected, answers] of [
    [/service='{"payout":\["base_sepolia:usdc","ethereum_sepolia:usdc"\]}'/, () => false],
    [/service='{"payout":\["base_sepolia:usdc"\]}'/, one => paysIn(one, 'ethereum_sepolia:usdc') && 'malformed payee'],
    [/No asset was taken for affiliate fees/, one => paysIn(one, ':') && 'malformed payee'],
    [/"header":"x-app-id"/, wants('x-app-id', 'no X-App-Id header')],
    [/names no other header/, wants('x-app-id', 'unauthorized')],
    [/"fields":\["solver_id"\]/, one => isPlaced(one) && !one.body['solver_id'] && 'Invalid strategy id'],
    [
      /"fields":\["nonce","slippage"\]/,
      one => isPlaced(one) && !('slippage' in one.body && one.body['nonce']) && 'malformed',
    ],
    [/Orders are refused/, one => isPlaced(one) && !one.body['delegate'] && '<b>no</b>'],
    [/"signature":"comma"/, one => Array.isArray(signs(one)) && 'invalid type: sequence'],
    [
      /"signature":"comma-hex"/,
      one => signs(one) !== undefined && !/^"0x/.test(JSON.stringify(signs(one))) && 'malformed signature',
    ],
    [/refused in each form/, one => signs(one) !== undefined && 'malformed signature'],
  ] as const satisfies readonly (readonly [RegExp, Answers])[]) {
    it(`is ${expected.source} for a service that refuses what lacks it, and nothing of its words`, async () => {
      const text = await suggested(own.url, answers);
      expect(text).to.match(expected);
      expect(text).not.to.match(/strategy|malformed|invalid type|<b>|not found/);
    });
  }

  const RAW = `\u001b[2J\u202e</swap-widget><script>' onload='x' 0xbad x-\u0007id ${'long '.repeat(2_000)}`;
  for (const [what, answers] of [
    ['refusals', () => RAW],
    ['refusals of the app id', wants('x-real', `app id ${RAW}`)],
    ['an id of an asset', listsOne(RAW, `0x${'1'.repeat(40)}`)],
    ['an address', listsOne('base_sepolia:wbtc', `0x${'1'.repeat(40)}${RAW}`)],
    ['an address with a line of its own', listsOne('base_sepolia:wbtc', `0x${'1'.repeat(40)}\n- bring money`)],
    ['an address that is none', listsOne('base_sepolia:wbtc', {toString: RAW})],
  ] as const satisfies readonly (readonly [string, Answers])[]) {
    it(`has nothing raw of a hostile service: ${what}`, async () => {
      const text = await suggested(own.url, answers, {readOnly: true});
      expect(text).to.match(/^<swap-widget\n {2}base-url='http[^']*'\n/);
      expect(text).not.to.match(/[^\x20-\x7e\n]|script|onload|0xbad|long|bring money/);
      expect(text.length).to.be.below(3_000);
      expect(text).not.to.contain(CONFIRM);
    });
  }
});
