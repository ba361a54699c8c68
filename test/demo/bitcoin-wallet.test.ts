import {expect} from '@open-wc/testing';
import {base64, hex} from '@scure/base';
import {TEST_NETWORK, Transaction, p2tr, p2wpkh} from '@scure/btc-signer';
import {createBitcoinWallet, type Answer, type BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import type {BitcoinWalletSettings} from '../../demo/wallets/bitcoin.js';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import type {Wallet} from '../../src/chains/adapter.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';
import {TestStorage} from '../support/session.js';

const ASSET = 'bitcoin_testnet:btc';
const ELSEWHERE = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';
const ID = 'TestBitcoinProvider';

const yes: Approver = () => Promise.resolve(true);
const no: Approver = () => Promise.resolve(false);

interface WireTransaction {
  readonly fee: number;
  readonly weight: number;
  readonly vin: readonly {readonly txid: string; readonly vout: number; readonly sequence: number}[];
  readonly vout: readonly {readonly scriptpubkey_address: string; readonly value: number}[];
}

describe('a Bitcoin development wallet', () => {
  /** A separate sandbox, in which no other test mines. */
  let sandbox: TestSandbox & {close(): Promise<void>};
  let rpc: string;
  let opened: BitcoinWallet[] = [];
  let serial = 0;

  before(async function () {
    this.timeout(60_000);
    sandbox = await startSandbox();
    rpc = (await sandbox.info()).chains['bitcoin_testnet']?.rpc ?? '';
  });

  after(() => sandbox.close());

  afterEach(() => {
    for (const wallet of opened) wallet.withdraw();
    opened = [];
  });

  /** A new wallet with empty storage. */
  function open(settings: Partial<BitcoinWalletSettings> = {}): BitcoinWallet {
    const wallet = createBitcoinWallet({
      name: 'Test (development)',
      id: ID,
      seedPhrase: `a wallet of this test: ${String(serial++)} ${String(Math.random())}`,
      rpc,
      approver: yes,
      storage: new TestStorage(),
      ...settings,
    });
    opened.push(wallet);
    return wallet;
  }

  /** A connected wallet with two coins of a tenth each. */
  async function openRich(settings: Partial<BitcoinWalletSettings> = {}): Promise<BitcoinWallet> {
    const wallet = open(settings);
    await resultOf(wallet, 'wallet_connect');
    for (let coin = 0; coin < 2; coin++) await sandbox.faucet(ASSET, wallet.account, 10_000_000n);
    await sandbox.mine('bitcoin_testnet', 1);
    return wallet;
  }

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`${rpc}${path}`);
    if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
    return (await response.json()) as T;
  }

  const transactionOf = (txid: string) => get<WireTransaction>(`/tx/${txid}`);
  const rateOf = ({fee, weight}: WireTransaction) => (fee * 4) / weight;

  it('registers and unregisters itself', () => {
    const wallet = open();
    const page = window as unknown as {btc_providers: {id: string; name: string; icon: string; methods: string[]}[]};
    const entry = page.btc_providers.find(({id}) => id === ID);
    expect(entry?.name).to.equal('Test (development)');
    expect(entry?.icon).to.match(/^data:image\/svg\+xml,/);
    expect(entry?.methods).to.include.members(['sendTransfer', 'signPsbt', 'getBalance', 'wallet_connect']);
    expect(Reflect.get(window, ID)).to.equal(wallet.provider);
    wallet.withdraw();
    expect(page.btc_providers.filter(({id}) => id === ID)).to.deep.equal([]);
    expect(ID in window).to.be.false;
  });

  it('is found and connected by the widget', async () => {
    const wallet = open();
    const search = new AbortController();
    const found = await new Promise<Wallet>(resolve => {
      createBitcoinAdapter().discover(one => one.id === ID && resolve(one), {signal: search.signal});
    });
    search.abort();
    const account = await found.connect();
    expect(account.address).to.equal(wallet.account);
    expect(createBitcoinAdapter().isAddress({...CHAIN, test: true}, account.address)).to.be.true;
  });

  it('shows its addresses only after an approval, and remembers it', async () => {
    const storage = new TestStorage();
    const wallet = open({approver: no, storage});
    expect(await codeOf(wallet, 'wallet_getAccount')).to.equal(-32002);
    expect(await codeOf(wallet, 'wallet_connect')).to.equal(-32000);
    const questions: Prompt[] = [];
    wallet.approver = question => {
      questions.push(question);
      return Promise.resolve(true);
    };
    const {addresses} = (await resultOf(wallet, 'wallet_connect', {addresses: ['payment'], message: 'Hello'})) as {
      addresses: {address: string; purpose: string; addressType: string; publicKey: string}[];
    };
    expect(addresses.map(({address, purpose, addressType}) => ({address, purpose, addressType}))).to.deep.equal([
      {address: wallet.account, purpose: 'payment', addressType: 'p2wpkh'},
    ]);
    expect(p2wpkh(hex.decode(addresses[0]?.publicKey ?? ''), TEST_NETWORK).address).to.equal(wallet.account);
    expect(questions.map(({kind}) => kind)).to.deep.equal(['connect']);
    expect(questions[0]?.facts.map(({value}) => value)).to.deep.equal(['Hello', wallet.account, wallet.ordinals]);

    await resultOf(wallet, 'getAccounts', {purposes: ['ordinals']});
    expect(questions).to.have.length(1);
    const words = 'the same words';
    const [first, again] = [open({seedPhrase: words, storage}), open({seedPhrase: words, storage, approver: no})];
    expect(again.account).to.equal(first.account);
    expect(await codeOf(again, 'wallet_getAccount')).to.equal(undefined);
    again.forget();
    expect(await codeOf(again, 'wallet_getAccount')).to.equal(-32002);
  });

  it('shows nothing while it is locked, and prompts to unlock', async () => {
    const wallet = await openRich();
    wallet.lock();
    expect(await codeOf(wallet, 'sendTransfer', payment(ELSEWHERE, 1_000))).to.equal(-32002);
    const kinds: string[] = [];
    wallet.approver = ({kind}) => {
      kinds.push(kind);
      return Promise.resolve(true);
    };
    await resultOf(wallet, 'getAddresses', {purposes: ['payment']});
    expect(kinds).to.deep.equal(['unlock']);
  });

  it('emits changes of account and network, and the disconnect', async () => {
    const wallet = open();
    await resultOf(wallet, 'wallet_connect');
    const heard: string[] = [];
    const stops = (['accountChange', 'networkChange', 'disconnect'] as const).map(eventName =>
      wallet.provider.addListener({eventName, cb: event => heard.push((event as {type: string}).type)}),
    );
    const [, second = ''] = wallet.accounts;
    wallet.useAccount(second);
    wallet.useNetwork('Mainnet');
    expect(wallet.account).to.match(/^bc1q/);
    wallet.lock();
    wallet.unlock();
    wallet.forget();
    expect(heard).to.deep.equal(['accountChange', 'networkChange', 'disconnect', 'accountChange', 'disconnect']);
    for (const stop of stops) stop();
    wallet.useNetwork('Testnet4');
    expect(heard).to.have.length(5);
  });

  it('describes a payment, then sends exactly that', async () => {
    const wallet = await openRich();
    const questions: Prompt[] = [];
    wallet.approver = question => {
      questions.push(question);
      return Promise.resolve(true);
    };
    const {txid} = (await resultOf(wallet, 'sendTransfer', payment(ELSEWHERE, 50_000))) as {txid: string};
    const sent = await transactionOf(txid);
    expect(sent.vout.filter(({scriptpubkey_address}) => scriptpubkey_address === ELSEWHERE)).to.have.length(1);
    expect(sent.vout.find(({scriptpubkey_address}) => scriptpubkey_address === ELSEWHERE)?.value).to.equal(50_000);
    expect(sent.vin.map(({sequence}) => sequence)).to.deep.equal(sent.vin.map(() => 0xfffffffd));
    const {confirmed, unconfirmed} = await wallet.balance();
    expect(confirmed + unconfirmed).to.equal(20_000_000n - 50_000n - BigInt(sent.fee));

    const [question] = questions;
    expect(question?.title).to.equal('Send 0.0005 BTC');
    expect(question?.facts.map(({label, value}) => `${label} ${value}`)).to.deep.equal([
      `To ${ELSEWHERE}`,
      `Fee ${(sent.fee / 1e8).toFixed(8)} BTC, 2 sat/vB`,
      `From ${wallet.account}`,
    ]);
    expect(await resultOf(wallet, 'getBalance')).to.deep.equal({
      confirmed: String(confirmed),
      unconfirmed: String(unconfirmed),
      total: String(confirmed + unconfirmed),
    });
  });

  it('sends nothing after a rejection, without coins, to another network, or for an invalid amount', async () => {
    const wallet = await openRich({approver: yes});
    wallet.approver = no;
    const code = (amount: unknown, address = ELSEWHERE) => codeOf(wallet, 'sendTransfer', payment(address, amount));
    expect(await code(50_000)).to.equal(-32000);
    expect(await code(50_000_000)).to.equal(-32603);
    expect(await code('50000')).to.equal(-32602);
    expect(await code(0)).to.equal(-32602);
    expect(await code(0.5)).to.equal(-32602);
    expect(await code(50_000, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).to.equal(-32602);
    expect(await code(50_000, 'nowhere')).to.equal(-32602);
    expect(await codeOf(wallet, 'sendTransfer', {recipients: []})).to.equal(-32602);
    expect(await codeOf(wallet, 'stx_transferStx')).to.equal(-32601);
    wallet.useNetwork('Mainnet');
    expect(await code(50_000)).to.equal(-32603);
    wallet.useNetwork('Testnet4');
    expect((await wallet.balance()).unconfirmed).to.equal(0n);
  });

  it('pays the fee rate that its owner chose, and can raise it later', async () => {
    const wallet = await openRich();
    wallet.feeRate = 1n;
    const first = await wallet.send(ELSEWHERE, 50_000n);
    expect(rateOf(await transactionOf(first))).to.be.closeTo(1, 0.02);

    const second = await wallet.bumpFee(first);
    expect(second).not.to.equal(first);
    const replaced = await transactionOf(second);
    expect(rateOf(replaced)).to.be.at.least(2);
    expect(replaced.vout.find(({scriptpubkey_address}) => scriptpubkey_address === ELSEWHERE)?.value).to.equal(50_000);
    expect((await fetch(`${rpc}/tx/${first}`)).status).to.equal(404);

    const third = await wallet.bumpFee(second, 9n);
    expect(rateOf(await transactionOf(third))).to.be.closeTo(9, 0.1);
    await sandbox.mine('bitcoin_testnet', 1);
    const late = await wallet.bumpFee(third).catch((error: unknown) => error);
    expect(late).to.be.instanceOf(Error);
  });

  it('spends no coin twice in two concurrent payments', async () => {
    const wallet = await openRich();
    const answers = await Promise.all(
      [1, 2].map(() => resultOf(wallet, 'sendTransfer', payment(ELSEWHERE, 9_000_000))),
    );
    const [one, other] = await Promise.all(answers.map(answer => transactionOf((answer as {txid: string}).txid)));
    const coins = [one, other].flatMap(sent => sent?.vin.map(({txid, vout}) => `${txid}:${String(vout)}`) ?? []);
    expect(new Set(coins).size).to.equal(coins.length);
  });

  it('signs a PSBT with both of its keys, and broadcasts it on request', async () => {
    const wallet = await openRich();
    await sandbox.faucet(ASSET, wallet.ordinals, 1_000_000n);
    await sandbox.mine('bitcoin_testnet', 1);
    const {addresses} = (await resultOf(wallet, 'getAddresses', {purposes: ['payment', 'ordinals']})) as {
      addresses: {publicKey: string; address: string}[];
    };
    const [full, xOnly] = addresses.map(({publicKey}) => hex.decode(publicKey));
    const scripts = [p2wpkh(full as Uint8Array, TEST_NETWORK), p2tr(xOnly as Uint8Array, undefined, TEST_NETWORK)];
    const transaction = new Transaction();
    for (const [place, {address}] of addresses.entries()) {
      const [coin] = await get<{txid: string; vout: number; value: number}[]>(`/address/${address}/utxo`);
      if (!coin) throw new Error(`no coin of ${address}`);
      transaction.addInput({
        txid: coin.txid,
        index: coin.vout,
        witnessUtxo: {script: scripts[place]?.script as Uint8Array, amount: BigInt(coin.value)},
      });
    }
    transaction.addOutputAddress(ELSEWHERE, 10_999_000n, TEST_NETWORK);
    const psbt = base64.encode(transaction.toPSBT());

    const half = (await resultOf(wallet, 'signPsbt', {psbt, signInputs: {[wallet.account]: [0]}})) as {psbt: string};
    const read = Transaction.fromPSBT(base64.decode(half.psbt));
    expect(read.getInput(0).partialSig).to.have.length(1);
    expect(read.getInput(1).tapKeySig).to.equal(undefined);

    const whole = (await resultOf(wallet, 'signPsbt', {psbt, broadcast: true})) as {txid: string};
    expect((await transactionOf(whole.txid)).vout[0]?.value).to.equal(10_999_000);

    expect(await codeOf(wallet, 'signPsbt', {psbt, signInputs: {[wallet.ordinals]: [0]}})).to.equal(-32603);
    expect(await codeOf(wallet, 'signPsbt', {psbt: 'none'})).to.equal(-32603);
    wallet.approver = no;
    expect(await codeOf(wallet, 'signPsbt', {psbt})).to.equal(-32000);
  });
});

const CHAIN = {name: 'bitcoin_testnet', family: 'bitcoin', title: 'Bitcoin Testnet', blockSeconds: 600} as const;

const payment = (address: string, amount: unknown) => ({recipients: [{address, amount}]});

async function resultOf(wallet: BitcoinWallet, method: string, params?: unknown): Promise<unknown> {
  const answer = await wallet.provider.request(method, params);
  if ('error' in answer) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** The error code of a request; `undefined` if it succeeds. */
async function codeOf(wallet: BitcoinWallet, method: string, params?: unknown): Promise<number | undefined> {
  const answer: Answer = await wallet.provider.request(method, params);
  return 'error' in answer ? answer.error.code : undefined;
}
