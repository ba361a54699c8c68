/** The development wallets through their families' standards, with real keys on the sandbox's chains. */
import {getBase58Encoder, type Address} from '@solana/kit';
import {getWallets} from '@wallet-standard/app';
import {Interface} from 'ethers';
import {CallData} from 'starknet';
import {transactionOf, transferInstruction} from '../../demo/sandbox/chains/solana/htlc.js';
import {type EvmWallet} from '../../demo/wallets/evm.js';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import {createWallet, readBalances, type FamilyWallets} from '../../demo/wallets/index.js';
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
});

describe('an EVM development wallet', () => {
  const coded = (wallet: EvmWallet, method: string, ...params: unknown[]) => codeOf(ofEvm(wallet, method, params));
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
});

describe('a Starknet development wallet', () => {
  it('rejects typed data for another chain, and anything that is not typed data', async () => {
    const wallet = await openRich('starknet');
    wallet.approver = never;
    const {typed_data: data} = samples.starknet.order.result as {typed_data: {domain: object}};
    const elsewhere = {...data, domain: {...data.domain, chainId: 'SN_MAIN'}};
    for (const wrong of [elsewhere, {...data, message: {}}, {}]) {
      expect(await codeOf(ofStarknet(wallet, 'wallet_signTypedData', wrong))).to.equal(114);
    }
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
});

/** The error code of a request; `undefined` if it succeeds. */
function codeOf(answer: Promise<unknown>): Promise<number | undefined> {
  return answer.then(
    () => undefined,
    (error: unknown) => (error as {code: number}).code,
  );
}
