import {newAddress} from '../support/evm-key.js';
import {depositState, isRefundOpen} from '../support/funding.js';
import {expect} from '@open-wc/testing';
import {ed25519} from '@noble/curves/ed25519.js';
import {getBase58Encoder} from '@solana/kit';
import {PublicKey, SystemProgram, TransactionMessage, VersionedTransaction} from '@solana/web3.js';
import {getWallets} from '@wallet-standard/app';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {createSandbox, type SandboxState} from '../../demo/wallets/sandbox.js';
import {createSolanaWallet, type SolanaWallet, type SolanaWalletSettings} from '../../demo/wallets/solana.js';
import {readOrder, readPlaced} from '../../src/api/schema.js';
import type {Account} from '../../src/chains/adapter.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {walletFrom} from '../../src/chains/solana/wallets.js';
import type {Asset, AssetId, Chain} from '../../src/domain/asset.js';
import type {Deal} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {SandboxClient} from '../sandbox/client.js';
import {sandbox as shared, startSandbox, type TestSandbox} from '../support/sandbox.js';
import {TestStorage} from '../support/session.js';

const SOL = 'solana_testnet:sol';
const WBTC = 'base_sepolia:wbtc';
const AMOUNT = 1_000_000_000n;

const yes: Approver = () => Promise.resolve(true);
const no: Approver = () => Promise.resolve(false);
const never: Approver = () => new Promise(() => undefined);

let opened: SolanaWallet[] = [];
let wallets = 0;

afterEach(() => {
  for (const wallet of opened) wallet.withdraw();
  opened = [];
});

/** A new wallet for one chain, with empty storage. */
function open(rpc: string, settings: Partial<SolanaWalletSettings> = {}): SolanaWallet {
  const wallet = createSolanaWallet({
    name: `Test ${String(++wallets)}`,
    seedPhrase: `a key of these tests: ${crypto.randomUUID()}`,
    chains: [{chain: 'solana:devnet', rpc, name: 'Solana Testnet'}],
    approver: yes,
    storage: new TestStorage(),
    ...settings,
  });
  opened.push(wallet);
  return wallet;
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return (error as {code?: unknown}).code ?? (error as Error).message;
  }
  throw new Error('The request succeeded.');
}

/** An unsigned transfer of a little SOL. */
function transfer(from: string, blockhash: string): Uint8Array {
  const payer = new PublicKey(from);
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [SystemProgram.transfer({fromPubkey: payer, toPubkey: PublicKey.unique(), lamports: 2_000_000})],
  });
  return new VersionedTransaction(message.compileToV0Message()).serialize();
}

describe('a Solana development wallet', () => {
  let state: SandboxState;
  let rpc: string;

  before(async function () {
    this.timeout(60_000);
    state = await createSandbox(shared.url).read();
    rpc = state.chains['solana_testnet']!.rpc;
  });

  const connect = (wallet: SolanaWallet, silent = false) =>
    wallet.standard.features['standard:connect'].connect(silent ? {silent} : {});
  const blockhash = async () =>
    ((await callRpc(rpc, 'getLatestBlockhash', [])) as {value: {blockhash: string}}).value.blockhash;

  it('registers and unregisters itself', () => {
    const names = () =>
      getWallets()
        .get()
        .map(({name}) => name);
    const wallet = open(rpc);
    expect(names()).to.include(wallet.name);
    wallet.withdraw();
    expect(names()).not.to.include(wallet.name);
    expect(wallet.standard.icon).to.match(/^data:image\/svg\+xml;base64,[\w+/=]+$/);
  });

  it('hides its account until the person approves, and remembers the approval', async () => {
    const storage = new TestStorage();
    const settings = {storage, name: 'Remembers', seedPhrase: 'the same words'};
    const wallet = open(rpc, {...settings, approver: no});
    expect(wallet.standard.accounts).to.deep.equal([]);
    expect(await refusal(connect(wallet))).to.equal(4001);
    expect((await connect(wallet, true)).accounts).to.deep.equal([]);
    const heard: number[] = [];
    wallet.standard.features['standard:events'].on('change', ({accounts}) => heard.push(accounts?.length ?? -1));
    wallet.approver = yes;
    const [account] = (await connect(wallet)).accounts;
    expect(account).to.include({address: wallet.account});
    expect(heard).to.deep.equal([1]);
    wallet.withdraw();
    const again = open(rpc, {...settings, approver: never});
    expect((await connect(again)).accounts[0]?.address).to.equal(wallet.account);
    await again.standard.features['standard:disconnect'].disconnect();
    expect(again.standard.accounts).to.deep.equal([]);
  });

  it('emits a change of account, and shows none while it is locked', async () => {
    const wallet = open(rpc);
    await connect(wallet);
    const heard: (string | undefined)[] = [];
    wallet.standard.features['standard:events'].on('change', ({accounts}) => heard.push(accounts?.[0]?.address));
    const [first, second] = wallet.accounts as [string, string];
    expect(first).not.to.equal(second);
    wallet.useAccount(second);
    wallet.lock();
    expect((await connect(wallet, true)).accounts).to.deep.equal([]);
    const asked: string[] = [];
    wallet.approver = ({kind}) => Promise.resolve(asked.push(kind) > 0);
    await connect(wallet);
    expect(asked).to.deep.equal(['unlock']);
    expect(heard).to.deep.equal([second, undefined, second]);
  });

  it('signs a transaction that web3.js and the chain accept', async () => {
    const wallet = open(rpc);
    const [account] = (await connect(wallet)).accounts;
    await shared.faucet(SOL, wallet.account, AMOUNT);
    const transaction = transfer(wallet.account, await blockhash());
    const [output] = await wallet.standard.features['solana:signTransaction'].signTransaction({
      account: account!,
      transaction,
      chain: 'solana:devnet',
    });
    const signed = VersionedTransaction.deserialize(Uint8Array.from(output!.signedTransaction));
    const key = new PublicKey(wallet.account).toBytes();
    expect(ed25519.verify(signed.signatures[0]!, signed.message.serialize(), key)).to.be.true;
    const wire = btoa(String.fromCharCode(...output!.signedTransaction));
    await callRpc(rpc, 'sendTransaction', [wire, {encoding: 'base64'}]);
  });

  it('describes what it signs, and does nothing after a rejection: 4001', async () => {
    const wallet = open(rpc);
    const [account] = (await connect(wallet)).accounts;
    const asked: Prompt[] = [];
    wallet.approver = question => Promise.resolve(asked.push(question) < 0);
    const request = {
      account: account!,
      chain: 'solana:devnet',
      transaction: transfer(wallet.account, await blockhash()),
    };
    const {features} = wallet.standard;
    expect(
      await refusal(features['solana:signTransaction'].signTransaction({...request, chain: 'solana:devnet'})),
    ).to.equal(4001);
    expect(
      await refusal(
        features['solana:signAndSendTransaction'].signAndSendTransaction({...request, chain: 'solana:devnet'}),
      ),
    ).to.equal(4001);
    expect(asked.map(({title}) => title)).to.deep.equal(['Send 0.002 SOL', 'Send 0.002 SOL']);
    expect(asked[0]!.facts.map(({label}) => label)).to.deep.equal(['Recipient', 'From', 'Network', 'Network fee']);
    expect(asked[0]!.facts.at(-1)!.value).to.equal('at most 0.000005 SOL');
  });

  it('rejects another chain, an account that is not shown, and a transaction that needs no signature of it', async () => {
    const wallet = open(rpc);
    const [account] = (await connect(wallet)).accounts;
    const transaction = transfer(wallet.account, await blockhash());
    const {signTransaction} = wallet.standard.features['solana:signTransaction'];
    expect(await refusal(signTransaction({account: account!, transaction, chain: 'solana:mainnet'}))).to.equal(-32602);
    const foreign = transfer(wallet.accounts[1]!, await blockhash());
    expect(await refusal(signTransaction({account: account!, transaction: foreign}))).to.equal(-32602);
    wallet.lock();
    expect(await refusal(signTransaction({account: account!, transaction}))).to.equal(4100);
  });

  it('signs messages, but no transaction as a message', async () => {
    const wallet = open(rpc);
    const [account] = (await connect(wallet)).accounts;
    const {signMessage} = wallet.standard.features['solana:signMessage'];
    const message = new TextEncoder().encode('Good morning');
    const [output] = await signMessage({account: account!, message});
    const key = new PublicKey(wallet.account).toBytes();
    expect(ed25519.verify(Uint8Array.from(output!.signature), message, key)).to.be.true;
    const hidden = transfer(wallet.account, await blockhash()).slice(65);
    expect(await refusal(signMessage({account: account!, message: hidden}))).to.equal(-32602);
  });
});

describe('paying from Solana in the sandbox', () => {
  const adapter = createSolanaAdapter({...TIMEOUTS, poll: 20});

  /** A person with coins, a connected wallet and an order. */
  async function place({on = shared, node = true, hostile}: {on?: TestSandbox; node?: boolean; hostile?: string} = {}) {
    const client = SandboxClient.forAppOfItsOwn(on);
    const {chains} = await createSandbox(on.url).read();
    const {rpc, assets} = chains['solana_testnet']!;
    const wallet = open(rpc);
    const account = await walletFrom(wallet.standard).connect();
    await on.faucet(SOL, wallet.account, 3n * AMOUNT);
    if (hostile !== undefined) await client.faults({hostile: {kind: hostile}});
    const quote = await client.bestQuote(SOL, WBTC, AMOUNT);
    const recipient = newAddress();
    const receive = quote.destination.amount;
    const answer = await client.order({
      source: {asset: SOL, owner: wallet.account, amount: String(AMOUNT)},
      destination: {asset: WBTC, owner: recipient, amount: receive},
    });
    const {orderId, deposit} = readPlaced(answer, 'solana');
    const chain = (name: string, family: Chain['family'], blockSeconds: number): Chain => ({
      name,
      family,
      title: name,
      test: true,
      blockSeconds,
      ...(family === 'solana' && node ? {rpc} : {}),
    });
    const asset = (id: AssetId, of: Chain, decimals: number, contracts: readonly string[] = []): Asset => ({
      id,
      chain: of,
      symbol: id,
      title: id,
      decimals,
      contracts,
    });
    const deal: Deal = {
      orderId,
      agreed: {
        from: asset(SOL, chain('solana_testnet', 'solana', 0.4), 9, assets[SOL]!.contracts),
        to: asset(WBTC, chain('base_sepolia', 'evm', 12), 8),
        amount: AMOUNT,
        receive: BigInt(receive),
        atLeast: BigInt(receive),
        owner: wallet.account,
        recipient,
        affiliateFees: [],
        solverId: quote.solver_id,
      },
      deposit,
      order: readOrder(await client.read(orderId)),
      policy: {requirePins: true},
    };
    const told: string[] = [];
    const options = {
      onWalletRequest: ({kind, state}: {kind: string; state: string}) => {
        told.push(`${kind} ${state}`);
        return Promise.resolve();
      },
    };
    const fund = (payer: Account = account) => adapter.fund(deal, payer, {way: 'transaction', ...options});
    const refund = () => adapter.refund!(deal, account, options);
    const balance = () => adapter.balance!({...deal.agreed.from, chain: chain0(rpc)}, account);
    return {client, wallet, account, deal, told, fund, refund, balance};
  }

  const chain0 = (rpc: string): Chain => ({
    name: 'solana_testnet',
    family: 'solana',
    title: 'Solana',
    test: true,
    blockSeconds: 0.4,
    rpc,
  });

  const questionsOf = (wallet: SolanaWallet) => {
    const asked: string[] = [];
    wallet.approver = ({title}) => Promise.resolve(asked.push(title) > 0);
    return asked;
  };

  for (const node of [true, false]) {
    it(`completes where ${node ? 'the widget sends what the wallet signed' : 'the wallet sends by itself'}`, async () => {
      const {client, wallet, deal, told, fund} = await place({node});
      const asked = questionsOf(wallet);
      expect((await adapter.check(deal, {})).outcome).to.equal('passed');
      const funding = await fund();
      expect(asked).to.deep.equal(['Pay 1 SOL into a swap']);
      expect(told).to.deep.equal(['send asking', 'send sent']);
      const order = await client.until(deal.orderId, ({destination_swap: {redeem_tx_hash}}) => redeem_tx_hash !== '');
      expect(order.source_swap.initiate_tx_hash.split(':')[0]).to.equal((funding as {hash: string}).hash);
      expect(getBase58Encoder().encode((funding as {hash: string}).hash)).to.have.length(64);
    });
  }

  it('is shown by the chain itself, into the swap and out of it', async () => {
    const {client, deal, fund} = await place();
    const {hash} = (await fund()) as {hash: string};
    await client.until(deal.orderId, ({source_swap: {redeem_tx_hash}}) => redeem_tx_hash !== '');
    const {source} = readOrder(await client.read(deal.orderId));
    const shown = {state: 'seen', hashes: [hash], isHeld: false, isRefundOpen: false};
    expect(await adapter.readDeposit(deal, {hash})).to.deep.equal(shown);
    const read = (recipient: string) =>
      adapter.readPayout(deal.agreed.from, recipient, source.redeemed?.hashes ?? [], {});
    // The payer gets the deposit for the swap's own account back.
    const payout = await read(deal.agreed.owner);
    expect(payout).to.include({amount: 1_726_080n, secret: source.secret});
    expect(payout?.block).to.be.a('bigint');
    expect(await read(new PublicKey(1).toBase58())).to.deep.equal({amount: 0n, block: payout?.block});
    expect(await read(source.redeemer), 'the solver has more than a node can write exactly').to.be.undefined;
  });

  it('passes every check that uses a node', async () => {
    const {deal} = await place();
    const {results} = await adapter.check(deal, {});
    expect(results.filter(({outcome}) => outcome !== 'passed')).to.deep.equal([]);
  });

  it('pays nothing after a rejection, and can still pay afterwards', async () => {
    const {wallet, told, deal, fund} = await place();
    wallet.approver = no;
    expect(await refusal(fund())).to.equal('rejected');
    expect(await depositState(adapter, deal, {})).to.equal('none');
    wallet.approver = yes;
    const {hash} = (await fund()) as {hash: string};
    expect(told).to.deep.equal(['send asking', 'send refused', 'send asking', 'send sent']);
    expect(await depositState(adapter, deal, {hash})).to.equal('seen');
  });

  for (const kind of [
    'amount',
    'redeemer',
    'secret-hash-in-call',
    'timelock',
    'initiator',
    'fee-payer',
    'contract',
    'swap-account',
    'system-program',
    'extra-transfer',
    'extra-deposit',
    'transfer',
    'priority-fee',
    'durable-nonce',
    'lookup-table',
    'trailing-bytes',
  ]) {
    it(`stops a hostile service: ${kind}`, async () => {
      const {wallet, told, fund} = await place({hostile: kind});
      wallet.approver = never;
      const error = await fund().catch((cause: unknown) => cause);
      expect(error).to.be.instanceOf(SwapError);
      expect((error as SwapError).code).to.equal('deposit-mismatch');
      expect(told).to.deep.equal([]);
    });
  }

  describe('on a chain whose clock is moved', () => {
    let own: Awaited<ReturnType<typeof startSandbox>>;

    before(async function () {
      this.timeout(60_000);
      own = await startSandbox();
    });
    after(() => own.close());

    it('does not prompt for an expired transaction, and says that it cannot land', async () => {
      const {wallet, deal, told, fund} = await place({on: own});
      wallet.approver = never;
      expect(await depositState(adapter, deal, {})).to.equal('none');
      await own.mine('solana_testnet', 400);
      expect(await refusal(fund())).to.equal('expired');
      expect(told).to.deep.equal([]);
      expect(await depositState(adapter, deal, {})).to.equal('expired');
    });

    it('does not send a transaction that expired during the prompt', async () => {
      const {wallet, deal, told, fund} = await place({on: own});
      wallet.approver = async () => {
        await own.mine('solana_testnet', 400);
        return true;
      };
      expect(await refusal(fund())).to.equal('expired');
      expect(told).to.deep.equal(['send asking', 'send refused']);
      expect(await depositState(adapter, deal, {})).to.equal('expired');
    });

    it('refunds once the timelock is over', async () => {
      const {client, wallet, deal, told, fund, refund, balance} = await place({on: own});
      await client.faults({solverGone: true});
      const before = await balance();
      await fund();
      expect(await isRefundOpen(adapter, deal, {})).to.be.false;
      expect(await refusal(refund())).to.equal('funding-reverted');
      await own.expire(deal.orderId);
      expect(await isRefundOpen(adapter, deal, {})).to.be.true;
      const {order: _, ...journaled} = deal;
      const {source} = readOrder(await client.read(deal.orderId));
      const shown = {state: 'seen', amount: AMOUNT, block: source.initiated?.block, isHeld: true, isRefundOpen: true};
      expect(await adapter.readDeposit(journaled, {})).to.deep.equal(shown);
      const asked = questionsOf(wallet);
      await refund();
      expect(asked).to.deep.equal(['Refund a swap']);
      expect(told).to.deep.equal(['send asking', 'send sent', 'refund asking', 'refund sent']);
      // All but two fees.
      expect(before! - (await balance())!).to.equal(10_000n);
      await client.until(deal.orderId, ({source_swap: {refund_tx_hash}}) => refund_tx_hash !== '');
    });
  });
});
