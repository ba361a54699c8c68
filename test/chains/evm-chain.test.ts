/** The EVM family on real nodes, with the sandbox's service and contracts. */
import {expect} from '@open-wc/testing';
import {Interface, id} from 'ethers';
import {createSwapApi, type SwapApi} from '../../src/api/client.js';
import type {Account} from '../../src/chains/adapter.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {PATIENCE} from '../../src/chains/common.js';
import {createCatalogue, type Catalogue} from '../../src/domain/asset.js';
import type {CheckName, Deal, FundWay} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {connectLedger} from '../support/evm-account.js';
import {KeyWallet} from '../support/evm-key-wallet.js';
import {sandbox, startSandbox, type SandboxInfo, type TestSandbox} from '../support/sandbox.js';

const adapter = createEvmAdapter({...PATIENCE, poll: 20});
const token = new Interface([
  'function approve(address spender, uint256 amount)',
  'function allowance(address owner, address spender)',
]);
const TO = 'ethereum_sepolia:wbtc';

/** The sandbox's assets. Nodes are read through the wallet unless `rpc` is wanted. */
function catalogueOf(info: SandboxInfo, {rpc}: {rpc: boolean}): Catalogue {
  const chains = Object.entries(info.chains).filter(([, {family}]) => family === 'evm');
  return createCatalogue({
    assets: chains.flatMap(([, {assets}]) =>
      Object.entries(assets).map(([name, {token: address, ...asset}]) => ({
        id: name as `${string}:${string}`,
        ...asset,
        ...(address === undefined ? {} : {token: address}),
      })),
    ),
    chains: rpc ? Object.fromEntries(chains.map(([name, chain]) => [name, {rpc: chain.rpc}])) : {},
    families: ['evm'],
  });
}

interface Buyer {
  readonly wallet: KeyWallet;
  readonly account: Account;
  readonly api: SwapApi;
  readonly told: string[];
  readonly plans: string[][];
  order(asset: string): Promise<Deal>;
  fund(deal: Deal, way: FundWay): ReturnType<typeof adapter.fund>;
  balance(asset: string): Promise<bigint | undefined>;
}

/** Somebody with coins and a wallet, and the wallet on the wrong chain. */
async function openBuyer(place: TestSandbox, {rpc = true, appId = place.newAppId()} = {}): Promise<Buyer> {
  const info = await place.info();
  const catalogue = catalogueOf(info, {rpc});
  const nodes = new Map(Object.values(info.chains).map(({chainId, rpc: url}) => [chainId, url]));
  const wallet = new KeyWallet(id(`buyer ${appId}`), nodes, 11155111);
  const account = await connectLedger(adapter, wallet);
  const api = createSwapApi({baseUrl: place.url, appId});
  await place.faucet('base_sepolia:eth', account.address, 10n ** 18n);
  const told: string[] = [];
  const plans: string[][] = [];
  const find = (name: string) => {
    const asset = catalogue.find(name);
    if (!asset) throw new Error(`no ${name}`);
    return asset;
  };

  return {
    wallet,
    account,
    api,
    told,
    plans,
    balance: async name => adapter.balance?.(find(name), account),
    async order(name) {
      const [from, to] = [find(name), find(TO)];
      const amount = name.endsWith('usdt') ? 50_000_000n : 100_000n;
      await place.faucet(name, account.address, amount);
      const [quote] = await api.quote({from, to, amount, affiliateBps: 0});
      if (!quote) throw new Error('no quote');
      const agreed = {
        from,
        to,
        amount,
        receive: quote.destination.amount,
        atLeast: quote.destination.amount,
        owner: account.address,
        recipient: account.address,
        affiliateFees: [],
        solverId: quote.solverId,
      };
      const {orderId, deposit} = await api.createOrder(agreed);
      return {orderId, agreed, deposit, order: await api.readOrder(orderId), policy: {requirePins: true}};
    },
    fund: (deal, way) =>
      adapter.fund(deal, account, {
        way,
        account,
        onPlan: plan => plans.push([...plan]),
        onAsk: ({kind, state}) => {
          told.push(`${kind} ${state}`);
          return Promise.resolve();
        },
      }),
  };
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

const completed = (buyer: Buyer, {orderId}: Deal) =>
  until(
    () => buyer.api.readOrder(orderId),
    ({destination}) => destination.redeemed !== undefined,
  );

describe('an EVM deposit on a real chain', function () {
  this.timeout(60_000);

  for (const way of ['transaction', 'signature'] as const) {
    it(`by ${way}: passes all checks, is approved once, paid, seen, and brings the recipient exactly what was agreed`, async () => {
      const buyer = await openBuyer(sandbox);
      const deal = await buyer.order('base_sepolia:wbtc');
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.filter(({outcome}) => outcome !== 'passed')).to.deep.equal([]);
      expect(await adapter.findDeposit(deal, {account: buyer.account})).to.equal('none');

      const funding = await buyer.fund(deal, way);
      const last = way === 'signature' ? 'sign' : 'send';
      expect(buyer.plans).to.deep.equal([['approve', last]]);
      expect(buyer.wallet.windows[0]).to.equal('wallet_switchEthereumChain');
      if (funding.how === 'signature') {
        expect(await buyer.api.initiate(deal.orderId, funding.signature)).to.deep.equal({accepted: true});
      }
      const order = await completed(buyer, deal);
      expect(order.source.initiated).to.not.be.undefined;
      expect(await adapter.findDeposit(deal, {account: buyer.account})).to.equal('seen');
      expect(await buyer.balance('base_sepolia:wbtc')).to.equal(0n);
      expect(await buyer.balance(TO)).to.equal(deal.agreed.receive);
    });

    it(`by ${way}: asks for no approval where there is one already`, async () => {
      const buyer = await openBuyer(sandbox, {rpc: false});
      const deal = await buyer.order('base_sepolia:wbtc');
      buyer.wallet.chainId = 84532;
      const {from} = deal.agreed;
      await allow(buyer.wallet, from.token ?? '', from.contracts[0] ?? '', deal.agreed.amount);
      buyer.wallet.windows.length = 0;

      const funding = await buyer.fund(deal, way);
      const method = way === 'signature' ? 'eth_signTypedData_v4' : 'eth_sendTransaction';
      expect(buyer.wallet.windows).to.deep.equal([method]);
      if (funding.how === 'signature') await buyer.api.initiate(deal.orderId, funding.signature);
      await completed(buyer, deal);
    });
  }

  it('of a token like Tether takes an older, smaller allowance back first', async () => {
    const buyer = await openBuyer(sandbox);
    const deal = await buyer.order('base_sepolia:usdt');
    buyer.wallet.chainId = 84532;
    const {from} = deal.agreed;
    await allow(buyer.wallet, from.token ?? '', from.contracts[0] ?? '', 1n);

    await buyer.fund(deal, 'transaction');
    expect(buyer.plans).to.deep.equal([['revoke', 'approve', 'send']]);
    expect(buyer.told).to.deep.equal([
      'revoke asking',
      'revoke sent',
      'approve asking',
      'approve sent',
      'send asking',
      'send sent',
    ]);
    await completed(buyer, deal);
  });

  it('is made from the later form of the answer too, with an approval of exactly the amount', async () => {
    const appId = sandbox.newAppId();
    await sandbox.faults(appId, {laterAnswer: true, noTypedData: true});
    const buyer = await openBuyer(sandbox, {appId});
    const deal = await buyer.order('base_sepolia:wbtc');
    expect(deal.deposit).to.deep.include({ways: ['transaction']});
    await buyer.fund(deal, 'transaction');
    expect(buyer.plans).to.deep.equal([['approve', 'send']]);
    await completed(buyer, deal);
    const {from, owner} = deal.agreed;
    const data = token.encodeFunctionData('allowance', [owner, from.contracts[0]]);
    expect(BigInt(String(await buyer.wallet.node('eth_call', {to: from.token, data}, 'latest')))).to.equal(0n);
  });

  it('is not asked for a second time', async () => {
    const buyer = await openBuyer(sandbox);
    const deal = await buyer.order('base_sepolia:wbtc');
    await buyer.fund(deal, 'transaction');
    await completed(buyer, deal);
    buyer.told.length = 0;
    expect(await codeOf(buyer.fund(deal, 'signature'))).to.equal('wallet-unclear');
    expect(buyer.told).to.deep.equal([]);
  });

  it('comes back by the contract’s own refund once the timelock is over, and not before', async () => {
    const place = await startSandbox();
    try {
      const appId = place.newAppId();
      await place.faults(appId, {solverGone: true});
      const buyer = await openBuyer(place, {appId});
      const deal = await buyer.order('base_sepolia:wbtc');

      await buyer.fund(deal, 'transaction');
      await until(
        () => buyer.api.readOrder(deal.orderId),
        ({source}) => source.initiated?.block !== undefined,
      );
      expect(await buyer.balance('base_sepolia:wbtc')).to.equal(0n);
      const refund = () =>
        adapter.refund?.(deal, buyer.account, {onAsk: () => Promise.resolve()}) ?? Promise.reject(new Error());
      expect(await codeOf(refund())).to.equal('funding-reverted');

      await place.expire(deal.orderId);
      expect(await refund()).to.match(/^0x[0-9a-f]{64}$/);
      expect(
        await until(
          () => buyer.balance('base_sepolia:wbtc'),
          balance => balance !== 0n,
        ),
      ).to.equal(deal.agreed.amount);
    } finally {
      await place.close();
    }
  });
});

/** What the sandbox's hostile service can say, and the checks that see it. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  'amount-in-call': ['amount', 'same'],
  'amount-in-typed-data': ['amount', 'same'],
  amount: ['amount'],
  'redeemer-in-call': ['same', 'order'],
  'redeemer-in-typed-data': ['same'],
  redeemer: ['order'],
  'secret-hash-in-typed-data': ['same'],
  timelock: ['call', 'order'],
  'chain-id': ['chain'],
  contract: ['contract', 'code', 'token'],
  value: ['value'],
  'domain-name': ['typed-data'],
  'domain-version': ['typed-data'],
  'extra-types': ['typed-data'],
  'primary-type': ['typed-data'],
  approve: ['amount', 'call', 'same', 'order', 'secret'],
  transfer: ['amount', 'call', 'same', 'order', 'secret'],
  'trailing-bytes': ['amount', 'call', 'same', 'order', 'secret'],
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['secret'],
};

describe('a hostile service', function () {
  this.timeout(60_000);

  for (const [kind, seen] of Object.entries(LIES)) {
    it(`is found out: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(sandbox, {appId});
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order('base_sepolia:wbtc');
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.filter(({outcome}) => outcome === 'failed').map(({name}) => name)).to.deep.equal(seen);
      expect(await codeOf(buyer.fund(deal, 'transaction'))).to.equal('deposit-mismatch');
      expect(buyer.told).to.deep.equal([]);
    });
  }
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SwapError) return error.code;
    throw error;
  }
  throw new Error('nothing went wrong');
}

/** Sets an allowance as its owner might have done before. */
async function allow(wallet: KeyWallet, address: string, spender: string, amount: bigint): Promise<void> {
  const hash = await wallet.request({
    method: 'eth_sendTransaction',
    params: [{to: address, data: token.encodeFunctionData('approve', [spender, amount]), value: '0x0'}],
  });
  await until(() => wallet.node('eth_getTransactionReceipt', hash), Boolean);
}
