/** The development wallets through their families' standards, with real keys on the sandbox's chains. */
import {getBase58Encoder, type Address} from '@solana/kit';
import {getWallets} from '@wallet-standard/app';
import {Interface, id} from 'ethers';
import {CallData, hash} from 'starknet';
import {transactionOf, transferInstruction} from '../../demo/sandbox/chains/solana/htlc.js';
import {createEvmWallet, type EvmWallet} from '../../demo/wallets/evm.js';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import {
  createDevelopmentWallets,
  createWallet,
  giveCoins,
  readBalances,
  walletsOf,
  type FamilyWallets,
} from '../../demo/wallets/index.js';
import type {Approver} from '../../demo/wallets/prompt.js';
import {createSandbox, type SandboxState} from '../../demo/wallets/sandbox.js';
import {assertLoopback} from '../../demo/wallets/wallet-core.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {expect} from '../support/expect.js';
import {until} from '../support/funding.js';
import {samples} from '../support/samples.js';
import {sandbox} from '../support/sandbox.js';
import {TestStorage} from '../support/session.js';
import '../support/window.js';

const BASE = '0x14a34';
const SEPOLIA = '0xaa36a7';
const NOBODY = '0x00000000000000000000000000000000000000AA';

const yes: Approver = () => Promise.resolve(true);
const no: Approver = () => Promise.resolve(false);
const never: Approver = () => new Promise(() => undefined);

/** How a page uses the wallets of a family. */
interface Speech<F extends ChainFamily> {
  readonly asset: string;
  /** The asset paid in these tests, and the wallet's name for it. */
  readonly amount: bigint;
  readonly title: string;
  /** The codes for a rejection, and for a page without permission; `undefined` if the wallet connects first. */
  readonly rejected: number;
  readonly denied: number | undefined;
  /** The code for an insufficient balance; `undefined` if the wallet does not check. */
  readonly tooMuch: number | undefined;
  isFound(wallet: FamilyWallets[F]): boolean;
  /** The accounts that the page sees. */
  connect(wallet: FamilyWallets[F], how?: 'silent'): Promise<readonly string[]>;
  /** Calls back with the account after each change. */
  hear(wallet: FamilyWallets[F], heard: (account: string | undefined) => void): void;
  pay(wallet: FamilyWallets[F], to: string, amount: bigint): Promise<unknown>;
}

let state: SandboxState;
const chainOf = (asset: string) => state.chains[asset.slice(0, asset.indexOf(':'))]!;
const tokenOf = (asset: string) => chainOf(asset).assets[asset]!.token!;

const ofBitcoin = async (wallet: FamilyWallets['bitcoin'], method: string, params?: unknown) => {
  const answer = await wallet.provider.request(method, params);
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), {code: answer.error.code});
  return answer.result;
};
const transferOf = (address: string, amount: unknown) => ({recipients: [{address, amount}]});
const ofEvm = (wallet: FamilyWallets['evm'], method: string, params: unknown[] = []) =>
  wallet.provider.request({method, params});
const erc20 = new Interface([
  'function transfer(address, uint256)',
  'function approve(address, uint256)',
  'function initiate(address, uint256, uint256, bytes32)',
]);
const sendEvm = (wallet: FamilyWallets['evm'], to: string, call: string, ...values: unknown[]) =>
  ofEvm(wallet, 'eth_sendTransaction', [{from: wallet.account, to, data: erc20.encodeFunctionData(call, values)}]);
const ofStarknet = (wallet: FamilyWallets['starknet'], type: string, params?: unknown) =>
  wallet.object.request({type, ...(params === undefined ? {} : {params})});
const transferCall = (to: string, amount: bigint, entry_point = 'transfer') => ({
  calls: [
    {contract_address: tokenOf('starknet_sepolia:wbtc'), entry_point, calldata: CallData.toHex([to, amount, 0n])},
  ],
});
/** An unsigned transfer. */
async function solanaTransfer(from: string, to: string, amount: bigint): Promise<Uint8Array> {
  const latest = await callRpc(chainOf('solana_testnet:sol').rpc, 'getLatestBlockhash', []);
  const {blockhash} = (latest as {value: {blockhash: string}}).value;
  return transactionOf(from as Address, [transferInstruction(from as Address, to as Address, amount)], blockhash);
}

const SPEECHES: {readonly [F in ChainFamily]: Speech<F>} = {
  bitcoin: {
    asset: 'bitcoin_testnet:btc',
    amount: 50_000n,
    title: 'Send 0.0005 BTC',
    rejected: -32000,
    denied: -32002,
    tooMuch: -32603,
    isFound: ({name}) =>
      ((globalThis as {btc_providers?: {name: string}[]}).btc_providers ?? []).some(one => one.name === name),
    async connect(wallet, how) {
      if (how === 'silent' && (await codeOf(ofBitcoin(wallet, 'wallet_getAccount'))) === -32002) return [];
      const {addresses} = (await ofBitcoin(wallet, how === 'silent' ? 'wallet_getAccount' : 'wallet_connect')) as {
        addresses: {address: string; purpose: string}[];
      };
      return addresses.filter(({purpose}) => purpose === 'payment').map(({address}) => address);
    },
    hear(wallet, heard) {
      wallet.provider.addListener({eventName: 'accountChange', cb: () => heard(wallet.account)});
      wallet.provider.addListener({eventName: 'disconnect', cb: () => heard(undefined)});
    },
    pay: (wallet, to, amount) => ofBitcoin(wallet, 'sendTransfer', transferOf(to, Number(amount))),
  },
  evm: {
    asset: 'base_sepolia:wbtc',
    amount: 10_000_000n,
    title: 'Send 0.1 WBTC',
    rejected: 4001,
    denied: 4100,
    tooMuch: 3,
    isFound({name}) {
      const found: string[] = [];
      const hear = (event: Event) => found.push((event as CustomEvent<{info: {name: string}}>).detail.info.name);
      addEventListener('eip6963:announceProvider', hear);
      dispatchEvent(new Event('eip6963:requestProvider'));
      removeEventListener('eip6963:announceProvider', hear);
      return found.includes(name);
    },
    connect: (wallet, how) =>
      ofEvm(wallet, how === 'silent' ? 'eth_accounts' : 'eth_requestAccounts') as Promise<string[]>,
    hear: (wallet, heard) => wallet.provider.on('accountsChanged', ([account]: string[]) => heard(account)),
    pay: (wallet, to, amount) => sendEvm(wallet, tokenOf('base_sepolia:wbtc'), 'transfer', to, amount),
  },
  solana: {
    asset: 'solana_testnet:sol',
    amount: 2_000_000n,
    title: 'Send 0.002 SOL',
    rejected: 4001,
    denied: 4100,
    tooMuch: undefined,
    isFound: ({standard}) => getWallets().get().includes(standard),
    async connect({standard}, how) {
      const {accounts} = await standard.features['standard:connect'].connect({silent: how === 'silent'});
      return accounts.map(({address}) => address);
    },
    hear: ({standard}, heard) =>
      standard.features['standard:events'].on('change', ({accounts}) => heard(accounts?.[0]?.address)),
    async pay({standard, account}, to, amount) {
      const transaction = await solanaTransfer(account, to, amount);
      return standard.features['solana:signAndSendTransaction'].signAndSendTransaction({
        account: solanaAccount(account),
        transaction,
        chain: 'solana:devnet',
      });
    },
  },
  starknet: {
    asset: 'starknet_sepolia:wbtc',
    amount: 10_000_000n,
    title: 'Send 0.1 WBTC',
    rejected: 113,
    denied: undefined,
    tooMuch: 163,
    isFound: ({id, object}) => Reflect.get(globalThis, `starknet_${id}`) === object,
    connect: (wallet, how) =>
      ofStarknet(wallet, 'wallet_requestAccounts', {silent_mode: how === 'silent'}) as Promise<string[]>,
    hear: (wallet, heard) => wallet.object.on('accountsChanged', ([account]: string[]) => heard(account)),
    pay: (wallet, to, amount) => ofStarknet(wallet, 'wallet_addInvokeTransaction', transferCall(to, amount)),
  },
};
/** An account as a page gets it from the wallet; only its address matters. */
const solanaAccount = (address: string) => ({
  address,
  publicKey: getBase58Encoder().encode(address),
  chains: [],
  features: [],
});

let opened: {withdraw(): void}[] = [];

/** A wallet for the sandbox's chains, with new keys. */
function open<F extends ChainFamily>(family: F, approver: Approver = yes, id_ = crypto.randomUUID().slice(0, 8)) {
  const settings = {name: `Test ${id_}`, id: id_, seedPhrase: `a wallet of these tests: ${id_}`, state, approver};
  const wallet = createWallet(family, settings);
  opened.push(wallet);
  return wallet;
}

/** One that is connected to the page, with three coins for ten payments each. */
async function openRich<F extends ChainFamily>(family: F) {
  const wallet = open(family);
  const {asset, amount, connect}: Speech<F> = SPEECHES[family];
  await connect(wallet);
  if (family === 'evm') await sandbox.faucet('base_sepolia:eth', wallet.account, 10n ** 18n);
  for (let coin = 0; coin < 3; coin++) await sandbox.faucet(asset, wallet.account, 10n * amount);
  return wallet;
}

/** Approves everything from now on, and records the prompts' titles, or their kinds. */
function record(wallet: {approver: Approver}, of: 'title' | 'kind' = 'title'): string[] {
  const prompts: string[] = [];
  wallet.approver = prompt => Promise.resolve(prompts.push(prompt[of]) > 0);
  return prompts;
}

before(async function () {
  this.timeout(60_000);
  Object.assign(globalThis, {localStorage: new TestStorage()});
  state = await createSandbox(sandbox.url).read();
});
afterEach(() => {
  for (const wallet of opened) wallet.withdraw();
  opened = [];
});

function behavesLikeAWallet<F extends ChainFamily>(family: F) {
  const {asset, amount, title, rejected, denied, tooMuch, ...page}: Speech<F> = SPEECHES[family];
  const balanceOf = async (address: string) =>
    (await readBalances(chainOf(asset), address)).find(one => one.asset === asset)!.amount;
  const paid = (address: string, sum: bigint) =>
    until(
      () => balanceOf(address),
      balance => balance === sum,
    );

  it('is found by its family’s standard until it is withdrawn', () => {
    const wallet = open(family);
    expect(page.isFound(wallet)).to.equal(true);
    wallet.withdraw();
    expect(page.isFound(wallet)).to.equal(false);
  });

  it('hides its account until the person approves, and remembers that until it forgets the page', async () => {
    const wallet = open(family, no, `keeps${family}`);
    const refusal = await page.connect(wallet).catch((error: {code: number}) => error.code);
    // On Starknet a rejection is an empty list.
    expect(refusal).to.deep.equal(family === 'starknet' ? [] : rejected);
    expect(await page.connect(wallet, 'silent')).to.deep.equal([]);
    const kinds = record(wallet, 'kind');
    expect(await page.connect(wallet)).to.deep.equal([wallet.account]);
    expect(kinds).to.deep.equal(['connect']);
    wallet.useAccount(wallet.accounts[1]!);
    const again = open(family, never, `keeps${family}`);
    expect(await page.connect(again)).to.deep.equal([wallet.accounts[1]]);
    again.forget();
    expect(await page.connect(again, 'silent')).to.deep.equal([]);
  });

  it('reports another account, and none while it is locked, until a request unlocks it', async () => {
    const wallet = open(family);
    await page.connect(wallet);
    const heard: (string | undefined)[] = [];
    page.hear(wallet, account => heard.push(account));
    const [first, second] = wallet.accounts;
    expect(first).not.to.equal(second);
    wallet.useAccount(second!);
    wallet.lock();
    expect(await page.connect(wallet, 'silent')).to.deep.equal([]);
    const kinds = record(wallet, 'kind');
    expect(await page.connect(wallet)).to.deep.equal([second]);
    expect(kinds).to.deep.equal(['unlock']);
    expect(heard).to.deep.equal([second, undefined, second]);
  });

  it('prompts with the payment, and pays exactly that', async () => {
    const wallet = await openRich(family);
    const titles = record(wallet);
    await page.pay(wallet, wallet.accounts[1]!, amount);
    expect(titles).to.deep.equal([title]);
    await paid(wallet.accounts[1]!, amount);
  });

  it('does not pay if the prompt is rejected, the amount is too high, or the page has no permission', async () => {
    const wallet = await openRich(family);
    const [, to = ''] = wallet.accounts;
    wallet.approver = no;
    expect(await codeOf(page.pay(wallet, to, amount))).to.equal(rejected);
    wallet.approver = never;
    if (tooMuch !== undefined) expect(await codeOf(page.pay(wallet, to, 1_000n * amount))).to.equal(tooMuch);
    wallet.forget();
    const kinds = record(wallet, 'kind');
    expect(await codeOf(page.pay(wallet, to, amount))).to.equal(denied);
    expect(kinds).to.deep.equal(denied === undefined ? ['connect', 'send'] : []);
    await paid(to, denied === undefined ? amount : 0n);
  });

  it('makes several payments at once without conflicts', async () => {
    const wallet = await openRich(family);
    const [, to = ''] = wallet.accounts;
    await Promise.all([0n, 1n, 2n].map(more => page.pay(wallet, to, amount + more)));
    await paid(to, 3n * amount + 3n);
  });
}

describe('a development wallet', function () {
  this.timeout(20_000);

  for (const family of Object.keys(SPEECHES) as ChainFamily[]) {
    describe(`of the family ${family}`, () => behavesLikeAWallet(family));
  }

  it('only runs on loopback addresses', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'shop.localhost']) assertLoopback(host);
    for (const host of ['shop.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.example', '']) {
      expect(() => assertLoopback(host)).to.throw('only run on loopback addresses');
    }
  });

  it('exists for two people, with coins of every asset for the one who pays', async () => {
    const {harbor, field} = createDevelopmentWallets(state, {approver: yes});
    opened.push(...[harbor, field].flatMap(walletsOf).map(([, wallet]) => wallet));
    for (const [family, {account}] of walletsOf(harbor)) {
      expect(account).not.to.equal(field.wallets[family].account);
      await giveCoins(createSandbox(sandbox.url), state, family, account);
      for (const chain of Object.values(state.chains).filter(each => each.family === family)) {
        for (const {asset, amount} of await readBalances(chain, account)) expect(amount > 0n, asset).to.equal(true);
      }
    }
  });
});

describe('a balance on an EVM chain', () => {
  const NOT_YET = {code: -32602, message: 'BlockOutOfRangeError: block height is 41 but requested was 42'};
  /** The result of reading a node with these responses, one after the other, and how many it returned. */
  async function readFrom(...answers: readonly object[]) {
    const {fetch} = globalThis;
    let asked = 0;
    globalThis.fetch = () => Promise.resolve(Response.json(answers[Math.min(asked++, answers.length - 1)]));
    try {
      const chain = {...chainOf('base_sepolia:wbtc'), assets: {'base_sepolia:eth': {symbol: 'ETH', decimals: 18}}};
      const read = readBalances(chain as never, NOBODY);
      return {read: await read.then(([balance]) => balance?.amount, String), asked};
    } finally {
      globalThis.fetch = fetch;
    }
  }

  it('is read again while the node reorganizes its chain and lacks the newest block', async () => {
    expect(await readFrom({error: NOT_YET}, {error: NOT_YET}, {result: '0x2a'})).to.deep.equal({read: 42n, asked: 3});
  });

  it('fails if the block never arrives, or at once if the node fails in another way', async () => {
    expect((await readFrom({error: NOT_YET})).read).to.contain(NOT_YET.message);
    const error = {code: -32603, message: 'out of gas'};
    expect(await readFrom({error})).to.deep.equal({read: 'ProviderRpcError: out of gas', asked: 1});
  });
});

describe('an EVM development wallet', () => {
  const coded = (wallet: EvmWallet, method: string, ...params: unknown[]) => codeOf(ofEvm(wallet, method, params));
  const hear = (wallet: EvmWallet, event: string) => {
    const heard: unknown[] = [];
    wallet.provider.on(event, payload => heard.push(payload));
    return heard;
  };
  /** A wallet that knows these chains. */
  function openOn(...chains: {chainId: number; rpc: string}[]) {
    const wallet = createEvmWallet({
      name: 'Test',
      rdns: `test.swap-widget.${crypto.randomUUID()}`,
      privateKey: id('a key of these tests'),
      chains: chains.map(chain => ({...chain, name: String(chain.chainId)})),
      approver: yes,
    });
    opened.push(wallet);
    return wallet;
  }

  it('switches its network when the person approves, and emits the change', async () => {
    const wallet = open('evm', no);
    const heard = hear(wallet, 'chainChanged');
    expect(await coded(wallet, 'wallet_switchEthereumChain', {chainId: SEPOLIA})).to.equal(4001);
    expect(await coded(wallet, 'wallet_switchEthereumChain', {chainId: '0x1'}), 'not known').to.equal(4902);
    wallet.approver = never;
    expect(await coded(wallet, 'wallet_switchEthereumChain', {chainId: BASE}), 'where it is').to.equal(undefined);
    wallet.approver = yes;
    expect(await ofEvm(wallet, 'wallet_switchEthereumChain', [{chainId: SEPOLIA}])).to.equal(null);
    expect(heard).to.deep.equal([SEPOLIA]);
    expect(await ofEvm(wallet, 'eth_chainId')).to.equal(SEPOLIA);
  });

  it('adds a network that the page names, if its node has the same chain id', async () => {
    const wallet = openOn({chainId: 84532, rpc: chainOf('base_sepolia:').rpc});
    const added = {chainId: SEPOLIA, chainName: 'Sepolia', rpcUrls: [chainOf('ethereum_sepolia:').rpc]};
    expect(await coded(wallet, 'wallet_addEthereumChain', {...added, chainId: '0x5'})).to.equal(-32602);
    expect(await coded(wallet, 'wallet_addEthereumChain', added)).to.equal(undefined);
    expect(wallet.chainId).to.equal(11155111);
  });

  it('reports when its node is unreachable, and when it is back', async () => {
    const wallet = openOn({chainId: 84532, rpc: chainOf('base_sepolia:').rpc}, {chainId: 5, rpc: 'http://127.0.0.1:1'});
    const [connected, disconnected] = [hear(wallet, 'connect'), hear(wallet, 'disconnect')];
    await ofEvm(wallet, 'eth_blockNumber');
    wallet.useChain(5);
    expect(await coded(wallet, 'eth_blockNumber')).to.equal(4901);
    wallet.useChain(84532);
    await ofEvm(wallet, 'eth_blockNumber');
    expect([connected.length, disconnected.length]).to.deep.equal([2, 1]);
  });

  it('rejects typed data for another network, or whose types do not match its values', async () => {
    const wallet = await openRich('evm');
    wallet.approver = never;
    const {typed_data: data} = samples.evm.order.result as {typed_data: {domain: object; types: object}};
    const here = {...data, domain: {...data.domain, chainId: BASE}};
    const signing = (given: unknown) => coded(wallet, 'eth_signTypedData_v4', wallet.account, given);
    expect(await signing({...here, domain: {...data.domain, chainId: SEPOLIA}})).to.equal(-32603);
    for (const wrong of [{...here, primaryType: 'Permit'}, {...here, message: undefined}, 'no JSON']) {
      expect(await signing(wrong)).to.equal(-32602);
    }
  });

  it('describes what each call does', async () => {
    const wallet = await openRich('evm');
    const {token = '', contracts} = chainOf('base_sepolia:').assets['base_sepolia:wbtc']!;
    const [contract = ''] = contracts;
    const titles = record(wallet);
    await sendEvm(wallet, token, 'approve', contract, 10_000_000n);
    await sendEvm(wallet, contract, 'initiate', NOBODY, 300n, 10_000_000n, id(wallet.account));
    await sendEvm(wallet, token, 'approve', contract, 2n ** 256n - 1n);
    await sendEvm(wallet, token, 'approve', contract, 0n);
    await ofEvm(wallet, 'eth_sendTransaction', [{from: wallet.account, to: NOBODY, value: '0x16345785d8a0000'}]);
    expect(titles).to.deep.equal([
      'Allow 0.1 WBTC',
      'Pay 0.1 WBTC into a swap',
      'Allow any amount of WBTC',
      'Revoke the allowance of WBTC',
      'Send 0.1 ETH',
    ]);
  });

  it('supports only the methods it lists, for the network it is on', async () => {
    const wallet = await openRich('evm');
    for (const method of ['eth_sign', 'eth_signTransaction', 'anvil_setBalance', 'evm_mine']) {
      expect(await coded(wallet, method)).to.equal(4200);
    }
    const elsewhere = {from: wallet.account, to: NOBODY, value: '0x1', chainId: SEPOLIA};
    for (const params of [[], [{from: wallet.account, value: 1}], [elsewhere]]) {
      expect(await coded(wallet, 'eth_sendTransaction', ...params)).to.equal(-32602);
    }
  });
});

describe('an EVM development wallet that accepts several calls in one request', () => {
  const coded = (wallet: EvmWallet, method: string, ...params: unknown[]) => codeOf(ofEvm(wallet, method, params));
  const TOKENS = new Interface([
    'function approve(address, uint256)',
    'function initiate(address, uint256, uint256, bytes32)',
  ]);

  /** Approval and payment into a swap of a tenth of the coins. */
  function bundleOf(wallet: EvmWallet, amount = 10_000_000n) {
    const {token, contracts} = chainOf('base_sepolia:').assets['base_sepolia:wbtc']!;
    const [contract = ''] = contracts;
    const pay = TOKENS.encodeFunctionData('initiate', [NOBODY, 300n, amount, id(crypto.randomUUID())]);
    return {
      ...{version: '2.0.0', id: id(crypto.randomUUID()), from: wallet.account, chainId: BASE, atomicRequired: true},
      calls: [
        {to: token, data: TOKENS.encodeFunctionData('approve', [contract, amount]), value: '0x0'},
        {to: contract, data: pay, value: '0x0'},
      ],
    };
  }
  async function openBatching() {
    const wallet = await openRich('evm');
    wallet.batches = true;
    return wallet;
  }
  const capable = (wallet: EvmWallet) => ofEvm(wallet, 'wallet_getCapabilities', [wallet.account, [BASE]]);
  const ended = (wallet: EvmWallet, bundle: string) =>
    until(
      () => ofEvm(wallet, 'wallet_getCallsStatus', [bundle]) as Promise<{status: number}>,
      ({status}) => status !== 100,
    );

  it('reports the capability only if its owner enabled it', async () => {
    const wallet = await openRich('evm');
    for (const method of ['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus']) {
      expect(await coded(wallet, method, wallet.account)).to.equal(4200);
    }
    wallet.batches = true;
    expect(await capable(wallet)).to.deep.equal({[BASE]: {atomic: {status: 'ready'}}});
    expect(await coded(wallet, 'wallet_getCapabilities', NOBODY)).to.equal(4100);
  });

  it('sends them as one transaction with one prompt that shows everything, and upgrades the account with the first', async () => {
    const wallet = await openBatching();
    const titles = record(wallet);
    const bundle = bundleOf(wallet);
    expect(await ofEvm(wallet, 'wallet_sendCalls', [bundle])).to.deep.equal({id: bundle.id});
    expect(await ended(wallet, bundle.id)).to.deep.include({
      version: '2.0.0',
      id: bundle.id,
      status: 200,
      atomic: true,
    });
    expect(await capable(wallet)).to.deep.equal({[BASE]: {atomic: {status: 'supported'}}});
    const again = bundleOf(wallet);
    await ofEvm(wallet, 'wallet_sendCalls', [again]);
    expect((await ended(wallet, again.id)).status).to.equal(200);
    const title = 'Allow 0.1 WBTC, then Pay 0.1 WBTC into a swap';
    expect(titles).to.deep.equal([title, title]);
  });

  it('rejects what it cannot do before prompting, with the standard’s codes', async () => {
    const wallet = await openBatching();
    const bundle = bundleOf(wallet);
    wallet.approver = no;
    expect(await coded(wallet, 'wallet_sendCalls', bundle), 'a no').to.equal(4001);
    wallet.approver = never;
    const wants = (change: object) => coded(wallet, 'wallet_sendCalls', {...bundle, ...change});
    expect(await wants({version: '1.0'})).to.equal(-32602);
    expect(await wants({chainId: '0x1'})).to.equal(5710);
    expect(await wants({capabilities: {paymasterService: {}}})).to.equal(5700);
    expect(await wants({from: NOBODY})).to.equal(4100);
    expect(await wants({calls: bundle.calls.toReversed()}), 'it would revert').to.equal(3);
    expect(await coded(wallet, 'wallet_getCallsStatus', bundle.id)).to.equal(5730);
    wallet.approver = yes;
    await ofEvm(wallet, 'wallet_sendCalls', [bundle]);
    wallet.approver = never;
    expect(await wants({})).to.equal(5720);
  });
});

describe('a Starknet development wallet', () => {
  const MAIN = '0x534e5f4d41494e';

  it('does not switch to an unknown network, nor silently for a page without permission', async () => {
    const wallet = open('starknet');
    const coded = (params: object) => codeOf(ofStarknet(wallet, 'wallet_switchStarknetChain', params));
    expect(await coded({chainId: MAIN})).to.equal(112);
    expect(await coded({chainId: 5})).to.equal(114);
    expect(await coded({chainId: await ofStarknet(wallet, 'wallet_requestChainId')})).to.equal(undefined);
  });

  it('rejects typed data for another chain, and anything that is not typed data', async () => {
    const wallet = await openRich('starknet');
    wallet.approver = never;
    const {typed_data: data} = samples.starknet.order.result as {typed_data: {domain: object}};
    const elsewhere = {...data, domain: {...data.domain, chainId: 'SN_MAIN'}};
    for (const wrong of [elsewhere, {...data, message: {}}, {}]) {
      expect(await codeOf(ofStarknet(wallet, 'wallet_signTypedData', wrong))).to.equal(114);
    }
  });

  it('accepts entry points by name, hashes each once, and supports only the requests it lists', async () => {
    const wallet = await openRich('starknet');
    const hashed = transferCall(wallet.accounts[1]!, 1n, hash.getSelectorFromName('transfer'));
    expect(await codeOf(ofStarknet(wallet, 'wallet_addInvokeTransaction', hashed))).to.equal(163);
    expect(await codeOf(ofStarknet(wallet, 'wallet_addInvokeTransaction', {calls: []}))).to.equal(114);
    expect(await codeOf(ofStarknet(wallet, 'wallet_addDeclareTransaction'))).to.equal(163);
  });
});

describe('a Solana development wallet', () => {
  it('does not sign for another chain or account, nor a transaction as a message', async () => {
    const wallet = await openRich('solana');
    const [own = '', other = ''] = wallet.accounts;
    const account = solanaAccount(own);
    const {features} = wallet.standard;
    const {signTransaction} = features['solana:signTransaction'];
    const [transaction, foreign] = [await solanaTransfer(own, other, 1n), await solanaTransfer(other, own, 1n)];
    expect(await codeOf(signTransaction({account, transaction, chain: 'solana:mainnet'}))).to.equal(-32602);
    expect(await codeOf(signTransaction({account, transaction: foreign}))).to.equal(-32602);
    const {signMessage} = features['solana:signMessage'];
    expect(await codeOf(signMessage({account, message: transaction.slice(65)}))).to.equal(-32602);
    expect(await codeOf(signMessage({account, message: new TextEncoder().encode('Good morning')}))).to.equal(undefined);
  });
});

describe('a Bitcoin development wallet', () => {
  it('sends nothing to another network, and no invalid amount', async () => {
    const wallet = await openRich('bitcoin');
    const [, to = ''] = wallet.accounts;
    for (const [address, amount] of [
      ...['50000', 0, 0.5].map(amount => [to, amount] as const),
      ...['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'nowhere'].map(address => [address, 50_000] as const),
    ]) {
      expect(await codeOf(ofBitcoin(wallet, 'sendTransfer', transferOf(address, amount)))).to.equal(-32602);
    }
    expect(await codeOf(ofBitcoin(wallet, 'stx_transferStx'))).to.equal(-32601);
    wallet.useNetwork('Mainnet');
    expect(wallet.account).to.match(/^bc1q/);
    expect(await codeOf(ofBitcoin(wallet, 'sendTransfer', transferOf(to, 50_000)))).to.equal(-32603);
  });

  it('pays the fee rate that its owner chose, and can raise it until it is confirmed', async () => {
    const wallet = await openRich('bitcoin');
    const [, to = ''] = wallet.accounts;
    const {rpc} = chainOf('bitcoin_testnet:btc');
    const rateOf = async (txid: string) => {
      const sent = (await (await fetch(`${rpc}/tx/${txid}`)).json()) as {fee: number; weight: number};
      return (sent.fee * 4) / sent.weight;
    };
    wallet.feeRate = 1n;
    const first = await wallet.send(to, 50_000n);
    expect(await rateOf(first)).to.be.closeTo(1, 0.02);
    const second = await wallet.bumpFee(first, 9n);
    expect(await rateOf(second)).to.be.closeTo(9, 0.1);
    expect((await fetch(`${rpc}/tx/${first}`)).status).to.equal(404);
    await sandbox.mine('bitcoin_testnet', 1);
    expect(await wallet.bumpFee(second).catch((error: unknown) => error)).to.be.instanceOf(Error);
  });
});

/** The error code of a request; `undefined` if it succeeds. */
function codeOf(answer: Promise<unknown>): Promise<number | undefined> {
  return answer.then(
    () => undefined,
    (error: unknown) => (error as {code: number}).code,
  );
}
