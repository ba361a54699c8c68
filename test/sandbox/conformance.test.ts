import {conform, PAIRS, type Report} from '../../demo/conformance/conform.js';
import {CHECKS, type CheckId} from '../../demo/conformance/findings.js';
import type {ConformOptions} from '../../demo/conformance/run.js';
import {compare, dig, object, textAt} from '../../demo/conformance/shapes.js';
import {ORDER, PLACED, QUOTES, familyOf, legOf} from '../../demo/conformance/specification.js';
import {DIFFERENCES, PREFLIGHTS} from '../../demo/sandbox/differences.js';
import {createSandbox} from '../../demo/wallets/sandbox.js';
import words from '../../src/locales/en.json';
import {expect} from '../support/expect.js';
import {minimalService, startSandbox, type OwnSandbox} from '../support/sandbox.js';
import {samples} from '../support/samples.js';
import {newAppId, Person, SandboxClient, WBTC, placeOrder} from './client.js';

/** Each kind of difference, and the check that has to report it, with its field or header. */
const NAMED: Readonly<Record<string, readonly [check: CheckId, at: string]>> = {
  'no-status': ['envelope.status', 'status'],
  'status-lowercase': ['envelope.status', 'status'],
  'status-boolean': ['envelope.status', 'status'],
  'result-as-data': ['envelope.result', 'result'],
  'result-as-text': ['quote.fields', 'result'],
  'no-envelope': ['envelope.json', 'body'],
  'type-html': ['envelope.type', 'Content-Type'],
  'no-cors': ['cors.answers', 'Access-Control-Allow-Origin'],
  'no-cors-on-errors': ['cors.errors', 'Access-Control-Allow-Origin'],
  'cors-for-another': ['cors.answers', 'Access-Control-Allow-Origin'],
  'cached-orders': ['cache.read', 'Cache-Control'],
  'errors-as-text': ['errors.json', 'an unknown asset'],
  'errors-500': ['errors.status', 'an unknown asset'],
  'errors-accepted': ['errors.asset', 'an unknown asset'],
  'quote-alone': ['quote.fields', 'result'],
  'quote-amount-number': ['quote.fields', 'result[0].destination.amount'],
  'quote-amount-whole-units': ['quote.fields', 'result[0].destination.amount'],
  'quote-display-missing': ['quote.fields', 'result[0].source.display'],
  'quote-display-wrong': ['quote.display', 'result[0].destination.display'],
  'quote-value-number': ['quote.fields', 'result[0].source.value'],
  'quote-solver-missing': ['quote.fields', 'result[0].solver_id'],
  'quote-side-renamed': ['quote.fields', 'result[0].destination'],
  'quote-other-asset': ['quote.asked', 'result[0].destination.asset'],
  'quote-asset-upper-case': ['quote.fields', 'result[0].source.asset'],
  'quote-other-amount': ['quote.asked', 'result[0].source.amount'],
  'quote-too-good': ['quote.cost', 'result[0].destination.value'],
  'order-id-number': ['order.bitcoin', 'result.order_id'],
  'order-id-renamed': ['order.evm', 'result.order_id'],
  'bitcoin-amount-number': ['order.bitcoin', 'result.amount'],
  'bitcoin-to-renamed': ['order.bitcoin', 'result.to'],
  'evm-transaction-missing': ['order.evm', 'result.transaction.data'],
  'evm-value-decimal': ['order.evm', 'result.transaction.value'],
  'evm-gas-limit-number': ['order.evm', 'result.transaction.gas_limit'],
  'evm-chain-id-hex': ['order.evm', 'result.transaction.chain_id'],
  'typed-data-text': ['order.starknet', 'result.typed_data'],
  'typed-data-other-type': ['order.evm', 'result.typed_data.primaryType'],
  'typed-data-no-domain-type': ['order.evm', 'result.typed_data.types.EIP712Domain'],
  'evm-domain-chain-id-number': ['order.evm', 'result.typed_data.domain.chainId'],
  'evm-message-decimal': ['order.evm', 'result.typed_data.message.amount'],
  'evm-hash-without-prefix': ['order.evm', 'result.typed_data.message.secretHash'],
  'solana-base64': ['order.solana', 'result.versioned_tx'],
  'starknet-selector-name': ['order.starknet', 'result.transaction.selector'],
  'starknet-calldata-decimal': ['order.starknet', 'result.transaction.calldata[0]'],
  'starknet-amount-whole': ['order.starknet', 'result.typed_data.message.amount'],
  'order-time-number': ['read.order', 'result.created_at'],
  'order-nonce-number': ['read.order', 'result.nonce'],
  'order-version-number': ['read.order', 'result.version'],
  'order-fees-null': ['read.order', 'result.affiliate_fees'],
  'order-of-another': ['read.id', 'result.order_id'],
  'order-flat': ['read.order', 'result.source_swap'],
  'leg-camel-case': ['read.source', 'result.source_swap.filled_amount'],
  'leg-timelock-text': ['read.destination', 'result.destination_swap.timelock'],
  'leg-price-text': ['read.source', 'result.source_swap.asset_price'],
  'leg-hash-prefixed': ['read.source', 'result.source_swap.secret_hash'],
  'leg-hash-of-another': ['read.hash', 'result.destination_swap.secret_hash'],
  'leg-block-number': ['read.source', 'result.source_swap.initiate_block_number'],
  'leg-hash-null': ['read.source', 'result.source_swap.redeem_tx_hash'],
  'leg-time-empty': ['read.source', 'result.source_swap.initiate_timestamp'],
  'leg-confirmations-text': ['read.source', 'result.source_swap.current_confirmations'],
  'leg-no-delegate': ['read.bitcoin', 'result.source_swap.delegate'],
  'leg-delegate-everywhere': ['read.bitcoin', 'result.destination_swap.delegate'],
  'leg-other-chain': ['read.agreed', 'result.source_swap.chain'],
  'leg-swap-id-of-another': ['deposit.script', 'result.source_swap.swap_id'],
  'leg-secret-early': ['states.secret', 'result.source_swap.secret'],
  'leg-paid-early': ['states.order', 'result.source_swap.initiate_tx_hash'],
  'leg-lock-too-long': ['deposit.timelock', 'result.destination_swap.timelock'],
  'initiate-accepts-all': ['initiate.refuses', 'a signature by nobody'],
  'initiate-not-there': ['initiate.served', 'answer'],
  'preflight-404': ['cors.preflight', 'HTTP status'],
  'preflight-redirect': ['cors.preflight', 'HTTP status'],
  'preflight-no-origin': ['cors.origin', 'Access-Control-Allow-Origin'],
  'preflight-no-headers': ['cors.headers', 'Access-Control-Allow-Headers'],
  'preflight-no-patch': ['cors.methods', 'Access-Control-Allow-Methods'],
};

/** The same for other faults of the sandbox that are visible from outside. */
const OTHERS: readonly (readonly [faults: Record<string, unknown>, check: CheckId, at: string])[] = [
  [{dropped: true}, 'reach.answers', 'answer'],
  [{rateLimited: true}, 'envelope.http', 'HTTP status'],
  [{serverError: true}, 'envelope.http', 'HTTP status'],
  [{unauthorized: true}, 'envelope.http', 'HTTP status'],
  [{refused: true}, 'envelope.http', 'HTTP status'],
  [{errorWithOk: true}, 'envelope.status', 'status'],
  [{malformed: true}, 'envelope.json', 'body'],
  [{cut: true}, 'envelope.json', 'body'],
  [{missingFields: true}, 'quote.fields', 'result[0].source.amount'],
  [{emptyQuotes: true}, 'quote.offers', 'result'],
  [{zeroQuotes: true}, 'quote.offers', 'result'],
  [{amountOutOfRange: true}, 'envelope.http', 'HTTP status'],
  [{noTypedData: true}, 'order.evm', 'result.typed_data'],
  [{laterAnswer: true}, 'order.evm', 'result.transaction'],
  [{gaslessRefused: true}, 'initiate.served', 'answer'],
  [{hostile: {kind: 'recipient'}}, 'read.agreed', 'result.destination_swap.redeemer'],
  [{hostile: {kind: 'destination-amount'}}, 'read.agreed', 'result.destination_swap.amount'],
  [{hostile: {kind: 'secret-hash'}}, 'deposit.order', 'result.source_swap.secret_hash'],
  [{hostile: {kind: 'address', times: 9}}, 'deposit.order', 'result.source_swap.swap_id'],
  [{hostile: {kind: 'network', times: 9}}, 'deposit.chain', 'result.to'],
  [{hostile: {kind: 'redeemer-in-typed-data', times: 9}}, 'deposit.same', 'result.typed_data.message.redeemer'],
  [{hostile: {kind: 'chain-id', times: 9}}, 'deposit.chain', 'result.transaction.chain_id'],
  [{hostile: {kind: 'domain-version', times: 9}}, 'deposit.typed-data', 'result.typed_data.domain.version'],
  [{hostile: {kind: 'transfer', times: 9}}, 'deposit.call', 'result.transaction'],
  [{hostile: {kind: 'fee-payer', times: 9}}, 'deposit.chain', 'result.versioned_tx, fee payer'],
];

describe('conformance', () => {
  // Preflights have no app id, so their faults affect everybody.
  let own: OwnSandbox;
  before(async () => {
    own = await startSandbox();
  });
  after(() => own.close());

  const test = (appId = newAppId(), more: Partial<ConformOptions> = {}): Promise<Report> =>
    conform({
      baseUrl: own.url,
      appId,
      appIdHeader: 'service-app-id',
      pairs: PAIRS,
      readOnly: false,
      orders: [],
      follow: 0,
      feeAsset: 'base_sepolia:usdc',
      owners: {},
      blockSeconds: {},
      patience: {read: 10, write: 45},
      pause: 0,
      ...more,
    });
  const differing = ({checks}: Report) =>
    checks.filter(({outcome}) => outcome === 'differs' || outcome === 'unverified');
  const untested = ({checks}: Report) => checks.filter(({outcome}) => outcome === 'untested').map(({id}) => id);

  async function expectNamed(faults: Record<string, unknown>, check: CheckId, at: string) {
    const appId = newAppId();
    const {setFaults} = createSandbox(own.url);
    await setFaults(appId, faults);
    const report = await test(appId);
    await setFaults(appId, {});
    const {found = []} = report.checks.find(({id}) => id === check) ?? {};
    expect(
      found.map(one => one.at),
      JSON.stringify(differing(report)),
    ).to.include(at);
  }

  it('finds no differences in the sandbox, and leaves only unpaid orders untested', async () => {
    const report = await test();
    expect(differing(report)).to.deep.equal([]);
    expect(untested(report)).to.deep.equal(['states.served']);
    // It has no field that is not in the specification.
    expect(report.notes.filter(note => !/^(?:Deposits of|A quote for something)/.test(note))).to.deep.equal([]);
  });

  it('calls a service of the specification alone conforming, and names what the widget does not know', async () => {
    const {url} = await minimalService('plain');
    const report = await test(newAppId(), {baseUrl: url});
    expect(report.checks.filter(({outcome}) => outcome === 'differs')).to.deep.equal([]);
    expect(differing(report).map(({id}) => id)).to.deep.equal(['deposit.call', 'deposit.script']);
    expect(untested(report)).to.deep.equal(['states.served']);
  });

  it('knows every way in which the sandbox can differ', () => {
    expect(Object.keys(NAMED).sort()).to.deep.equal([...Object.keys(DIFFERENCES), ...Object.keys(PREFLIGHTS)].sort());
  });

  for (const [kind, [check, at]] of Object.entries(NAMED)) {
    it(`reports ${at} in ${check} if responses differ by ${kind}`, () => expectNamed({differs: {kind}}, check, at));
  }

  for (const [faults, check, at] of OTHERS) {
    it(`reports ${at} in ${check} with the fault ${JSON.stringify(faults)}`, () => expectNamed(faults, check, at));
  }

  it('reports a response that takes too long', async () => {
    const client = SandboxClient.forAppOfItsOwn(own);
    await client.faults({slow: {ms: 300, on: 'quote'}});
    const report = await test(client.appId, {patience: {read: 0.1, write: 5}});
    expect(differing(report).map(({id}) => id)).to.deep.equal(['reach.time']);
  });

  it('notes additions to the specification without counting them as differences', async () => {
    const client = SandboxClient.forAppOfItsOwn(own);
    await client.faults({estimatedTime: true, assetList: true, worsePrice: {bps: 1_000}});
    const report = await test(client.appId);
    expect(differing(report)).to.deep.equal([]);
    for (const note of [/estimated_time/, /\/v2\/assets is served/, /costs 10\.\d %/])
      expect(report.notes.join('\n')).to.match(note);
  });

  it('places no order in read-only mode', async () => {
    const report = await test(undefined, {readOnly: true});
    expect(differing(report)).to.deep.equal([]);
    expect(report.requests.filter(request => /^(?:POST|PATCH)/.test(request))).to.deep.equal([]);
    expect(untested(report)).to.include.members(['order.evm', 'read.order', 'initiate.refuses', 'errors.order']);
  });

  it('places no order on mainnet', async () => {
    const pairs = [{from: 'bitcoin:btc', to: 'base:wbtc', amount: '100000'}];
    const report = await test(undefined, {pairs});
    expect(report.requests.filter(request => request.startsWith('PATCH'))).to.deep.equal([]);
    expect(untested(report)).to.include('order.bitcoin');
  });

  describe('of an order that is paid', () => {
    const pay = async (faults: Record<string, unknown> = {}) => {
      const client = SandboxClient.forAppOfItsOwn(own);
      await client.faults(faults);
      const owner = await Person.with(client, WBTC, 10_000_000n);
      const order = await placeOrder(client, owner);
      await owner.approve(WBTC, 10_000_000n);
      await owner.send(order.transaction.to, order.transaction.data);
      return {client, id: order.order_id};
    };
    const follow = (orders: string[], more: Partial<ConformOptions> = {}) =>
      // Blocks on Base are as slow here as on Ethereum.
      test(undefined, {pairs: [], readOnly: true, orders, blockSeconds: {base_sepolia: 12}, ...more});

    it('tracks it until it is complete', async () => {
      const {id} = await pay();
      const report = await follow([id], {follow: 10});
      expect(differing(report)).to.deep.equal([]);
      expect(untested(report)).not.to.include.members(['states.served', 'states.secret']);
    });

    it('reports one that nobody fulfills', async () => {
      const {client, id} = await pay({solverGone: true});
      await client.until(id, ({source_swap}) => source_swap.initiate_tx_hash !== '');
      const report = await follow([id], {follow: 0.2});
      expect(differing(report).map(({id}) => id)).to.deep.equal(['states.served']);
    });

    it('reports a destination timelock that does not expire before the source’s', async () => {
      const client = SandboxClient.forAppOfItsOwn(own);
      const owner = await Person.with(client, WBTC, 10_000_000n);
      const {order_id} = await placeOrder(client, owner);
      const report = await follow([order_id], {blockSeconds: {base_sepolia: 2}});
      expect(differing(report).map(({id}) => id)).to.deep.equal(['deposit.timelock']);
    });
  });
});

describe('the checks of a deposit', () => {
  it('have the names that the widget’s own have', () => {
    const ofDeposit = Object.keys(CHECKS).flatMap(id => /^deposit\.(.*)/.exec(id)?.[1] ?? []);
    expect(Object.keys(words.order.checks)).to.include.members(ofDeposit);
  });
});

describe('the specification as tables', () => {
  const families = ['bitcoin', 'evm', 'solana', 'starknet'] as const;
  const result = (family: (typeof families)[number], name: 'quote' | 'order' | 'status') =>
    samples[family][name].result;

  for (const family of families) {
    it(`matches the published samples from ${family}`, () => {
      expect(compare(QUOTES, result(family, 'quote'), 'result')).to.deep.equal([]);
      expect(compare(PLACED[family], result(family, 'order'), 'result')).to.deep.equal([]);
      const order = result(family, 'status');
      expect(compare(object(ORDER), order, 'result')).to.deep.equal([]);
      for (const side of ['source', 'destination']) {
        const leg = dig(order, `${side}_swap`);
        const shape = legOf(familyOf(textAt(leg, 'chain')), side === 'source');
        expect(compare(shape, leg, side)).to.deep.equal([]);
      }
    });
  }
});
