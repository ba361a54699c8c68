/** Swaps from and to Starknet: wallets and hostile services. */
import {expect} from '@open-wc/testing';
import {hash, RpcProvider, typedData as snip12, uint256, type TypedData} from 'starknet';
import {createStarknetWallet, type StarknetWallet} from '../../demo/wallets/starknet.js';
import type {WalletSettings} from '../../demo/wallets/index.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';

const WBTC = 'starknet_sepolia:wbtc';
const BASE_WBTC = 'base_sepolia:wbtc';
const NOT_SIGNED = {noTypedData: true};

const begin = (settings: Partial<CrossingSettings> = {}) =>
  beginCrossing({from: WBTC, to: BASE_WBTC, amount: '0.01', ...settings});

const walletOf = ({payer}: Crossing) => payer as StarknetWallet;
const homeOf = (crossing: Crossing) => crossing.chain(WBTC).assets[WBTC] as {token: string; contracts: string[]};
const nodeOf = (crossing: Crossing) =>
  new RpcProvider({nodeUrl: crossing.chain(WBTC).rpc, blockIdentifier: 'pre_confirmed'});

/** A development wallet with changed settings. */
const wallet =
  (change: Partial<Parameters<typeof createStarknetWallet>[0]>, gate?: WalletSettings['approver']) =>
  ({name, id, seedPhrase, state, approver: usual}: WalletSettings): StarknetWallet => {
    const home = state.chains['starknet_sepolia']!;
    if (home.family !== 'starknet') throw new Error('The sandbox has no Starknet.');
    const {chainId, rpc, accountClass, guardedAccountClass} = home;
    const sepolia = {chainId, rpc, name: 'Starknet Sepolia', accountClass, guardedAccountClass};
    const answers: WalletSettings['approver'] = gate
      ? async question => (await gate(question)) && (await usual!(question))
      : usual;
    return createStarknetWallet({name, id, seedPhrase, chains: [sepolia], approver: answers!, ...change});
  };

const guarded = wallet({guarded: true});
/** The swap contract's allowance of the payer's token. */
async function allowance(crossing: Crossing): Promise<bigint> {
  const {token, contracts} = homeOf(crossing);
  const [low = '0', high = '0'] = await nodeOf(crossing).callContract({
    contractAddress: token,
    entrypoint: 'allowance',
    calldata: [crossing.payer.account, contracts[0]!],
  });
  return uint256.uint256ToBN({low, high});
}

/** Intercepts the page's wallet requests; `change` gets each one with the wallet's own handler. */
function interceptRequests(
  crossing: Crossing,
  change: (type: string, answer: () => Promise<unknown>, params: unknown) => Promise<unknown>,
): void {
  const {object, id} = walletOf(crossing);
  const intercepted: StarknetWallet['object'] = {
    ...object,
    request: call => change(call.type, () => object.request(call), call.params),
  };
  Object.assign(globalThis, {[`starknet_${id}`]: intercepted});
}

/** The signatures that pages sent to the service. */
const handed: unknown[] = [];
const {fetch: usualFetch} = globalThis;
before(() => {
  globalThis.fetch = (input, init) => {
    if (init?.method === 'PATCH') handed.push((JSON.parse(String(init.body)) as {signature: unknown}).signature);
    return usualFetch(input, init);
  };
});
after(() => {
  globalThis.fetch = usualFetch;
});
afterEach(() => {
  handed.length = 0;
  endCrossings();
});

describe('A swap from Starknet', function () {
  this.timeout(60_000);

  async function swap(settings: Partial<CrossingSettings> = {}) {
    const crossing = await begin(settings);
    await crossing.place();
    await crossing.expectSwapped();
    await crossing.expectAccessible();
    return crossing;
  }

  it('goes by signature, after an approval of exactly the amount', async () => {
    const crossing = await swap();
    expect(crossing.walletRequests()).to.deep.equal(['approve sent', 'sign signed', 'initiate sent']);
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign']);
    expect(await allowance(crossing)).to.equal(0n);
  });

  it('goes by transaction, the token released in the same transaction', async () => {
    const crossing = await swap({faults: NOT_SIGNED});
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
    expect(await allowance(crossing)).to.equal(0n);

    // As the library decodes it: the number of calls, then address, selector, length and data of each.
    const {source_swap: source} = await crossing.read();
    const sent = await nodeOf(crossing).getTransaction(source.initiate_tx_hash);
    const [count, ...felts] = (sent as unknown as {calldata: string[]}).calldata.map(BigInt);
    const found: {to: bigint | undefined; selector: bigint | undefined; calldata: bigint[]}[] = [];
    for (let call = 0n; call < count!; call++) {
      const [to, selector, length] = felts.splice(0, 3);
      found.push({to, selector, calldata: felts.splice(0, Number(length))});
    }
    expect(found.map(({selector}) => selector)).to.deep.equal(
      ['approve', 'initiate'].map(name => BigInt(hash.getSelectorFromName(name))),
    );
    const {token, contracts} = homeOf(crossing);
    const initiation = found.at(-1)!;
    expect(initiation.to).to.equal(BigInt(contracts[0]!));
    expect(initiation.calldata.slice(0, 4)).to.deep.equal([
      BigInt(String(source['redeemer'])),
      BigInt(Number(source['timelock'])),
      crossing.amount,
      0n,
    ]);
    const words = initiation.calldata.slice(4).map(word => word.toString(16).padStart(8, '0'));
    expect(words.join('')).to.equal(source['secret_hash']);
    expect(found[0]).to.deep.include({to: BigInt(token), calldata: [BigInt(contracts[0]!), crossing.amount, 0n]});
  });

  it('is signed by an account with a guardian, verified by library and chain: nine felts, sent unchanged', async () => {
    const crossing = await begin({payer: guarded});
    const signed: {data: TypedData; signature: string[]}[] = [];
    interceptRequests(crossing, async (type, answer, params) => {
      const answered = await answer();
      if (type === 'wallet_signTypedData') signed.push({data: params as TypedData, signature: answered as string[]});
      return answered;
    });
    await crossing.place();
    await crossing.expectSwapped();

    expect(signed).to.have.length(1);
    const {data, signature} = signed[0]!;
    expect(signature).to.have.length(9);
    expect(handed).to.deep.equal([signature]);
    const {account} = crossing.payer;
    const node = nodeOf(crossing);
    expect(await node.verifyMessageInStarknet(data, signature, account)).to.equal(true);
    const other = {...data, message: {...data.message, amount: {low: '0x1', high: '0x0'}}};
    expect(await node.verifyMessageInStarknet(other, signature, account)).to.equal(false);
    expect(snip12.validateTypedData(data)).to.equal(true);
    const {source_swap: source} = await crossing.read();
    const {redeemer, amount, timelock, secretHash} = data.message as Record<string, never>;
    expect(BigInt(redeemer!)).to.equal(BigInt(String(source['redeemer'])));
    expect(uint256.uint256ToBN(amount!)).to.equal(crossing.amount);
    expect(Number(timelock)).to.equal(source['timelock']);
    expect(
      (secretHash as unknown as (string | number)[]).map(word => BigInt(word).toString(16).padStart(8, '0')).join(''),
    ).to.equal(source['secret_hash']);
  });

  for (const [format, payer, is] of [
    ['comma', guarded, /^\d+(?:,\d+){8}$/],
    ['rs', wallet({}), /^\{"r":"\d+","s":"\d+"\}$/],
  ] as const) {
    it(`sends the signature as “${format}” if the page sets it, and the service accepts it: ${String(is)}`, async () => {
      const crossing = await begin({payer});
      crossing.page.widget.signatureFormat = format;
      await crossing.place();
      await crossing.expectSwapped();
      expect(handed).to.have.length(1);
      const [given] = handed;
      expect(typeof given === 'string' ? given : JSON.stringify(given)).to.match(is);
    });
  }

  it('says that nine felts do not fit “rs”, sends no signature, and can be paid by transaction', async () => {
    const crossing = await begin({payer: guarded});
    crossing.page.widget.signatureFormat = 'rs';
    await crossing.place();
    await crossing.untilSays('This site’s swap isn’t set up correctly.');
    await crossing.until(() => crossing.page.canGoOn, 'it stays busy');
    expect(handed).to.deep.equal([]);
    expect(crossing.page.text).to.include('No money was sent');
    expect(crossing.page.primary).to.equal('Try again');
    expect(crossing.errors.map(({code}) => code)).to.deep.equal(['config']);
    await crossing.expectUntouched();
    await crossing.expectAccessible();
    await crossing.reload();
    await crossing.press(/^Send the payment myself$/);
    await crossing.expectSwapped();
    expect(handed).to.deep.equal([]);
    expect(crossing.orderIds).to.have.length(1);
  });
});

describe('A refund on Starknet', function () {
  this.timeout(60_000);
  let sandbox: TestSandbox & {close(): Promise<void>};
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());

  for (const [way, faults, payer] of [
    ['signature of an account with a guardian', {}, guarded],
    ['transaction', NOT_SIGNED, wallet({})],
  ] as const) {
    it(`is possible after the timelock and not before, for the full amount: paid by ${way}`, async () => {
      let asked = 0;
      const crossing = await begin({
        on: sandbox,
        payer,
        faults: {solverGone: true, ...faults},
        // The first refund is rejected.
        answer: ({title}) => !title.startsWith('Refund') || asked++ > 0,
      });
      await crossing.place();
      await crossing.untilStage('settling');
      expect(await crossing.moved()).to.deep.equal({paid: crossing.amount, received: 0n});
      expect(crossing.page.button(/^Take your money back$/)).to.equal(undefined);
      await sandbox.expire(crossing.orderId);
      await crossing.untilStage('refunding');
      await crossing.next(/^Take your money back$/);
      await crossing.untilSays('You declined in your wallet.');
      await crossing.reload();
      await crossing.next(/^Take your money back$/);
      await crossing.untilStage('refunded');
      await crossing.untilSays('You got back');
      await crossing.expectAccessible();
      await crossing.expectUntouched();
      expect(crossing.walletRequests().slice(-2)).to.deep.equal(['refund refused', 'refund sent']);
    });
  }
});

describe('A hostile service on Starknet', function () {
  this.timeout(60_000);

  it('gets no signature where only the typed data is wrong, but the correct transaction', async () => {
    const crossing = await begin({faults: {hostile: {kind: 'domain-name'}}});
    await crossing.place();
    await crossing.expectSwapped();
    expect(crossing.walletRequests()).to.deep.equal(['send sent']);
    expect(handed).to.deep.equal([]);
  });

  it('is stopped before any wallet request', async () => {
    const crossing = await begin({faults: {hostile: {kind: 'redeemer-in-call'}}});
    await crossing.place();
    await crossing.expectStopped('The signature and the payment don’t match');
  });
});

describe('A swap to Starknet', function () {
  this.timeout(60_000);

  it('pays an account that is not deployed, its address typed without leading zeros, in upper case, with surrounding spaces', async () => {
    const crossing = await beginCrossing({
      from: BASE_WBTC,
      to: WBTC,
      amount: '0.01',
      typed: address => ` 0x${BigInt(address).toString(16).toUpperCase()} `,
    });
    await crossing.place();
    await crossing.expectSwapped();
    expect(BigInt(String((await crossing.read()).destination_swap['redeemer']))).to.equal(
      BigInt(crossing.receiver.account),
    );
  });
});
