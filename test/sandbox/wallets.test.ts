/** The development wallets through their families' standards, with keys for the sandbox's chains: what they refuse. */
import {getBase58Encoder, type Address} from '@solana/kit';
import {transactionOf, transferInstruction} from '../../demo/sandbox/chains/solana/htlc.js';
import {type EvmWallet} from '../../demo/wallets/evm.js';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import {createWallet, type FamilyWallets} from '../../demo/wallets/index.js';
import type {Approver} from '../../demo/wallets/prompt.js';
import {createSandbox, type SandboxState} from '../../demo/wallets/sandbox.js';
import {assertLoopback} from '../../demo/wallets/wallet-core.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {expect} from '../support/expect.js';
import {samples} from '../support/samples.js';
import {sandbox} from '../support/sandbox.js';
import {TestStorage} from '../support/session.js';
import '../support/window.js';

const BASE = '0x14a34';
const SEPOLIA = '0xaa36a7';

const yes: Approver = () => Promise.resolve(true);
const never: Approver = () => new Promise(() => undefined);

let state: SandboxState;
const chainOf = (asset: string) => state.chains[asset.slice(0, asset.indexOf(':'))]!;

const ofBitcoin = async (wallet: FamilyWallets['bitcoin'], method: string, params?: unknown) => {
  const answer = await wallet.provider.request(method, params);
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), {code: answer.error.code});
  return answer.result;
};
const transferOf = (address: string, amount: unknown) => ({recipients: [{address, amount}]});
const ofEvm = (wallet: FamilyWallets['evm'], method: string, params: unknown[] = []) =>
  wallet.provider.request({method, params});
const ofStarknet = (wallet: FamilyWallets['starknet'], type: string, params?: unknown) =>
  wallet.object.request({type, ...(params === undefined ? {} : {params})});
/** An unsigned transfer. */
async function solanaTransfer(from: string, to: string, amount: bigint): Promise<Uint8Array> {
  const latest = await callRpc(chainOf('solana_testnet:sol').rpc, 'getLatestBlockhash', []);
  const {blockhash} = (latest as {value: {blockhash: string}}).value;
  return transactionOf(from as Address, [transferInstruction(from as Address, to as Address, amount)], blockhash);
}

/** An account as a page gets it from the wallet; only its address matters. */
const solanaAccount = (address: string) => ({
  address,
  publicKey: getBase58Encoder().encode(address),
  chains: [],
  features: [],
});

let opened: {withdraw(): void}[] = [];

/** A wallet for the sandbox's chains, with new keys, which prompts for nothing after the page is connected. */
async function open<F extends ChainFamily>(family: F, connect: (wallet: FamilyWallets[F]) => Promise<unknown>) {
  const id = crypto.randomUUID().slice(0, 8);
  const settings = {name: `Test ${id}`, id, seedPhrase: `a wallet of these tests: ${id}`, state, approver: yes};
  const wallet = createWallet(family, settings);
  opened.push(wallet);
  await connect(wallet);
  return wallet;
}

before(async () => {
  Object.assign(globalThis, {localStorage: new TestStorage()});
  state = await createSandbox(sandbox.url).read();
});
afterEach(() => {
  for (const wallet of opened) wallet.withdraw();
  opened = [];
});

it('A development wallet only runs on loopback addresses', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'shop.localhost']) assertLoopback(host);
  for (const host of ['shop.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.example', '']) {
    expect(() => assertLoopback(host)).to.throw('only run on loopback addresses');
  }
});

describe('an EVM development wallet', () => {
  const coded = (wallet: EvmWallet, method: string, ...params: unknown[]) => codeOf(ofEvm(wallet, method, params));
  it('rejects typed data for another network, or whose types do not match its values', async () => {
    const wallet = await open('evm', wallet => ofEvm(wallet, 'eth_requestAccounts'));
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
    const wallet = await open('starknet', wallet => ofStarknet(wallet, 'wallet_requestAccounts', {}));
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
    const wallet = await open('solana', ({standard}) => standard.features['standard:connect'].connect());
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
    const wallet = await open('bitcoin', wallet => ofBitcoin(wallet, 'wallet_connect'));
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
