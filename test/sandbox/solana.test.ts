import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '../support/expect.js';
import {
  AccountRole,
  address as toAddress,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPair,
  getAddressDecoder,
  getAddressEncoder,
  getAddressFromPublicKey,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  type Address,
  type Blockhash,
  type Instruction,
} from '@solana/kit';
import {newAddress} from '../support/evm-key.js';
import {sandbox, startSandbox, type TestSandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, balanceOf, rpc, type OrderRead} from './client.js';

const CHAIN = 'solana_testnet';
const SOL = `${CHAIN}:sol`;
const ONE = 1_000_000_000n;
const PROGRAM = toAddress('2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF');
const FEE = 5_000n;
/** The discriminators of the program's instructions (Anchor). */
const REFUND = [0x02, 0x60, 0xb7, 0xfb, 0x3f, 0xd0, 0x2e, 0x2e];

const isFunded = ({source_swap}: OrderRead) => source_swap.initiate_tx_hash !== '';
const isSettled = ({source_swap, destination_swap}: OrderRead) =>
  destination_swap.redeem_tx_hash !== '' && source_swap.redeem_tx_hash !== '';

const bytesOfHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], byte => parseInt(byte, 16));
const bytesOfBase64 = (text: string) => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** A person with a key on the Solana chain. */
class SolanaPerson {
  private constructor(
    readonly url: string,
    readonly address: Address,
    readonly key: CryptoKeyPair,
  ) {}

  static async with(client: SandboxClient, lamports: bigint): Promise<SolanaPerson> {
    const key = await generateKeyPair();
    const url = (await client.info()).chains[CHAIN]?.rpc;
    if (!url) throw new Error('there is no Solana chain');
    const person = new SolanaPerson(url, await getAddressFromPublicKey(key.publicKey), key);
    if (lamports > 0n) await client.control('faucet', {asset: SOL, address: person.address, amount: String(lamports)});
    return person;
  }

  rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    return rpc<T>(this.url, method, ...params);
  }

  async balance(address: string = this.address): Promise<bigint> {
    return BigInt((await this.rpc<{value: number}>('getBalance', address)).value);
  }

  /** Signs a transaction as it is. */
  async sign(wire: Uint8Array): Promise<Uint8Array> {
    const signed = Uint8Array.from(wire);
    signed.set(await signBytes(this.key.privateKey, wire.subarray(65)), 1);
    return signed;
  }

  async send(wire: Uint8Array): Promise<string> {
    return this.submit(await this.sign(wire));
  }

  submit(signed: Uint8Array): Promise<string> {
    return this.rpc<string>('sendTransaction', base64Of(signed), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
  }

  /** A transaction with one instruction. */
  async make(instruction: Instruction): Promise<Uint8Array> {
    const {value} = await this.rpc<{value: {blockhash: string}}>('getLatestBlockhash');
    const message = pipe(
      createTransactionMessage({version: 'legacy'}),
      empty => setTransactionMessageFeePayer(this.address, empty),
      paid =>
        setTransactionMessageLifetimeUsingBlockhash(
          {blockhash: value.blockhash as Blockhash, lastValidBlockHeight: 0n},
          paid,
        ),
      timed => appendTransactionMessageInstructions([instruction], timed),
    );
    return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)));
  }

  refund(swapAccount: Address): Promise<string> {
    const accounts = [swapAccount, this.address].map(address => ({address, role: AccountRole.WRITABLE}));
    return this.make({programAddress: PROGRAM, accounts, data: Uint8Array.from(REFUND)}).then(wire => this.send(wire));
  }

  pay(to: Address, lamports: bigint): Promise<string> {
    const data = new Uint8Array(12);
    new DataView(data.buffer).setUint32(0, 2, true);
    new DataView(data.buffer).setBigUint64(4, lamports, true);
    const accounts = [
      {address: this.address, role: AccountRole.WRITABLE_SIGNER},
      {address: to, role: AccountRole.WRITABLE},
    ];
    const programAddress = toAddress('11111111111111111111111111111111');
    return this.make({programAddress, accounts, data}).then(wire => this.send(wire));
  }
}

/** The account that holds an order's deposit: the leg's id is its address. */
const swapAccountOf = ({source_swap}: OrderRead) =>
  getAddressDecoder().decode(bytesOfHex(String(source_swap['swap_id'])));

interface Placed {
  readonly order_id: string;
  readonly versioned_tx: string;
  readonly versioned_tx_gasless?: unknown;
}

async function place(client: SandboxClient, owner: string, amount = ONE) {
  const recipient = newAddress();
  const quote = await client.bestQuote(SOL, TO_WBTC, amount);
  const answer = await client.result<Placed & Record<string, never>>('/v2/orders', {
    method: 'POST',
    body: {
      source: {asset: SOL, owner, amount: quote.source.amount},
      destination: {asset: TO_WBTC, owner: recipient, amount: quote.destination.amount},
    },
  });
  return {...answer, recipient, quote, wire: bytesOfHex(answer.versioned_tx)};
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'it was taken',
    (error: unknown) => (error as Error).message,
  );

describe('a swap of SOL in the sandbox', function () {
  this.timeout(30_000);
  const client = new SandboxClient(sandbox.url, sandbox.appId);
  const balanceOfWbtc = async (address: string) => {
    const chain = (await client.info()).chains['ethereum_sepolia'];
    if (!chain) throw new Error('no such chain');
    return balanceOf(chain, TO_WBTC, address);
  };

  it('has the settings in `GET /sandbox` that wallets and pages need', async () => {
    const chain = (await client.info()).chains[CHAIN];
    expect(chain).to.include({family: 'solana', walletChain: 'solana:devnet', blockSeconds: null, program: PROGRAM});
    expect(chain?.assets[SOL]).to.deep.equal({symbol: 'SOL', decimals: 9, contracts: [PROGRAM]});
  });

  it('returns only the deposit: an unsigned legacy transaction in hex, with its owner as fee payer and signer', async () => {
    const owner = await SolanaPerson.with(client, 0n);
    const {versioned_tx, order_id, wire, quote, ...others} = await place(client, owner.address);
    expect(others).to.have.all.keys('recipient');
    expect(versioned_tx).to.match(/^([0-9a-f]{2}){324}$/);
    const {signatures, messageBytes} = getTransactionDecoder().decode(wire);
    expect(signatures).to.deep.equal({[owner.address]: null});
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    if (message.version !== 'legacy') throw new Error('not a legacy message');
    expect(message.header).to.deep.equal({
      numSignerAccounts: 1,
      numReadonlySignerAccounts: 0,
      numReadonlyNonSignerAccounts: 2,
    });

    const {source_swap} = await client.read(order_id);
    const seeds = [
      'swap_account',
      getAddressEncoder().encode(owner.address),
      bytesOfHex(String(source_swap['secret_hash'])),
    ];
    const [swapAccount] = await getProgramDerivedAddress({programAddress: PROGRAM, seeds});
    expect(message.staticAccounts).to.deep.equal([
      owner.address,
      swapAccount,
      toAddress('11111111111111111111111111111111'),
      PROGRAM,
    ]);
    expect(message.instructions.length).to.equal(1);
    const [{accountIndices, programAddressIndex, data = new Uint8Array()} = {}] = message.instructions;
    expect(accountIndices).to.deep.equal([1, 0, 2]);
    expect(programAddressIndex).to.equal(3);
    const view = new DataView(Uint8Array.from(data).buffer);
    expect(view.getBigUint64(8, true)).to.equal(BigInt(quote.source.amount));
    expect(view.getBigUint64(16, true)).to.equal(9_000n);
    expect(getAddressDecoder().decode(data.slice(24, 56))).to.equal(source_swap['redeemer']);
    expect(source_swap).to.include({initiator: owner.address, timelock: 9_000, required_confirmations: 1});
    const valid = await owner.rpc<{value: boolean}>('isBlockhashValid', message.lifetimeToken, {
      commitment: 'finalized',
    });
    expect(valid.value).to.equal(true);
  });

  it('settles from SOL: the recipient gets exactly the agreed amount, and the owner the rent', async () => {
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire, recipient, quote} = await place(client, owner.address);
    const hash = await owner.send(wire);
    const {source_swap: source, destination_swap: destination} = await client.until(order_id, isSettled);
    expect(await balanceOfWbtc(recipient)).to.equal(BigInt(quote.destination.amount));
    expect(destination.amount).to.equal(quote.destination.amount);
    expect(await owner.balance()).to.equal(ONE - FEE);
    expect(source.initiate_tx_hash).to.equal(hash);
    expect(source['filled_amount']).to.equal(source.amount);
    expect(source['secret']).to.equal(destination['secret']);
    expect(Number(source['redeem_block_number'])).to.be.greaterThan(Number(source.initiate_block_number));
    expect(source.redeem_tx_hash).to.match(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    // Anyone can read the secret on the chain.
    const redeem = await owner.rpc<{meta: {err: unknown}}>('getTransaction', source.redeem_tx_hash, {
      commitment: 'confirmed',
    });
    expect(redeem.meta.err).to.equal(null);
  });

  it('settles to SOL: an unused address gets exactly the agreed amount', async () => {
    const amount = 10_000_000n;
    const owner = await Person.with(client, WBTC, amount);
    const recipient = await SolanaPerson.with(client, 0n);
    const quote = await client.bestQuote(WBTC, SOL, amount);
    const {order_id, transaction} = await client.order({
      source: {asset: WBTC, owner: owner.address, amount: quote.source.amount},
      destination: {asset: SOL, owner: recipient.address, amount: quote.destination.amount},
    });
    await owner.approve(WBTC, amount);
    await owner.send(transaction.to, transaction.data);
    const {destination_swap} = await client.until(order_id, isSettled);
    expect(destination_swap).to.include({timelock: 4_500, chain: CHAIN, redeemer: recipient.address});
    expect(await recipient.balance()).to.equal(BigInt(quote.destination.amount));
    expect(await owner.balance(WBTC)).to.equal(0n);
  });

  it('settles in the later format: base64', async () => {
    const own = SandboxClient.forAppOfItsOwn(sandbox);
    await own.faults({laterAnswer: {times: 1}});
    const owner = await SolanaPerson.with(own, 2n * ONE);
    const {order_id, versioned_tx, versioned_tx_gasless, recipient, quote} = await place(own, owner.address);
    expect(versioned_tx_gasless).to.equal(null);
    await owner.send(bytesOfBase64(versioned_tx));
    await own.until(order_id, isSettled);
    expect(await balanceOfWbtc(recipient)).to.equal(BigInt(quote.destination.amount));
  });

  it('settles if the swap account had a balance before, which the owner gets', async () => {
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const meddler = await SolanaPerson.with(client, ONE);
    const {order_id, wire} = await place(client, owner.address);
    await meddler.pay(swapAccountOf(await client.read(order_id)), ONE / 2n);
    await owner.send(wire);
    await client.until(order_id, isSettled);
    expect(await owner.balance()).to.equal(ONE + ONE / 2n - FEE);
  });

  it('accepts a deposit once', async () => {
    const owner = await SolanaPerson.with(client, 4n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    const signed = await owner.sign(wire);
    await owner.submit(signed);
    expect(await refusalOf(owner.submit(signed))).to.match(/already been processed/);
    await client.until(order_id, isSettled);
    expect(await refusalOf(owner.submit(signed))).to.match(/already been processed/);
    expect(await owner.balance()).to.equal(3n * ONE - FEE);
  });

  it('cannot be initiated by signature', async () => {
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    const {status, body} = await client.initiate(order_id, base64Of(await owner.sign(wire)));
    expect(status).to.equal(400);
    expect(body['error']).to.equal(`${CHAIN} is not supported for initiations`);
  });

  it('ignores a deposit of another amount', async () => {
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    const less = Uint8Array.from(wire);
    const at = wire.length - 80;
    new DataView(less.buffer).setBigUint64(at, ONE - 1n, true);
    await owner.send(less);
    const {source_swap} = await client.until(order_id, isFunded);
    expect(source_swap['filled_amount']).to.equal(String(ONE - 1n));
    await pause(300);
    expect((await client.read(order_id)).destination_swap.initiate_tx_hash).to.equal('');
  });

  it('validates addresses', async () => {
    const owner = await SolanaPerson.with(client, 0n);
    const spoilt = getBase58Decoder().decode(new Uint8Array(31).fill(7));
    for (const bad of [newAddress(), spoilt, `${owner.address}1`, '11111111111111111111111111111111']) {
      expect(await refusalOf(place(client, bad)), bad).to.match(/source\.owner: Invalid address format/);
    }
  });
});

describe('a Solana chain whose clock is moved', function () {
  this.timeout(30_000);
  let own: TestSandbox & {close(): Promise<void>};
  let client: SandboxClient;
  before(async () => {
    own = await startSandbox();
    client = SandboxClient.forAppOfItsOwn(own);
  });
  after(() => own.close());
  afterEach(() => own.clearFaults(client.appId));

  it('rejects a deposit with an expired blockhash, but not that of a new order', async () => {
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    await own.mine(CHAIN, 150);
    expect(await refusalOf(owner.send(wire))).to.match(/Blockhash not found/);
    const fresh = await place(client, owner.address);
    await owner.send(fresh.wire);
    await client.until(fresh.order_id, isSettled);
    expect(isFunded(await client.read(order_id))).to.equal(false);
  });

  it('refunds a deposit to its owner after the timelock, and not a slot earlier', async () => {
    await client.faults({solverGone: true});
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    await owner.send(wire);
    const order = await client.until(order_id, isFunded);
    const account = swapAccountOf(order);
    const begun = Number(order.source_swap.initiate_block_number);
    const slot = () => owner.rpc<number>('getSlot', {commitment: 'processed'});
    for (let left; (left = begun + 9_000 - (await slot())) > 0;) await own.mine(CHAIN, Math.min(left, 1_000));
    expect(await refusalOf(owner.refund(account))).to.match(/custom program error: 0x1773/);
    await own.expire(order_id);
    const hash = await owner.refund(account);
    const {source_swap, destination_swap} = await client.until(
      order_id,
      read => read.source_swap.refund_tx_hash !== '',
    );
    expect(source_swap.refund_tx_hash).to.equal(hash);
    expect(Number(source_swap['refund_block_number'])).to.equal(begun + 9_001);
    expect(destination_swap.initiate_tx_hash).to.equal('');
    expect(await owner.balance()).to.equal(2n * ONE - 2n * FEE);
  });

  it('refunds both legs if the destination is not redeemed', async () => {
    await client.faults({serviceGone: true});
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    await owner.send(wire);
    await client.until(order_id, order => order.destination_swap.initiate_tx_hash !== '');
    await own.mine('ethereum_sepolia', 151);
    await client.until(order_id, order => order.destination_swap.refund_tx_hash !== '');
    await own.expire(order_id);
    // Only the owner can refund at first; then the service does.
    await own.mine(CHAIN, 1_000);
    const {source_swap} = await client.until(order_id, order => order.source_swap.refund_tx_hash !== '');
    expect(source_swap['secret']).to.equal('');
    expect(await owner.balance()).to.equal(2n * ONE - FEE);
  });

  it('loses a deposit in a reorganisation, keeps other transactions, and accepts the same transaction again', async () => {
    await client.faults({solverGone: true});
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire, recipient} = await place(client, owner.address);
    const signed = await owner.sign(wire);
    const hash = await owner.submit(signed);
    const other = await SolanaPerson.with(client, 777_777_777n);
    await client.until(order_id, isFunded);

    await own.reorg(order_id);
    const {source_swap: lost} = await client.read(order_id);
    expect(lost).to.include({initiate_tx_hash: '', initiate_block_number: '0', filled_amount: '0'});
    expect(lost['initiate_timestamp']).to.equal(null);
    expect(await owner.balance()).to.equal(2n * ONE);
    expect(await other.balance()).to.equal(777_777_777n);
    const {value} = await owner.rpc<{value: unknown[]}>('getSignatureStatuses', [hash], {
      searchTransactionHistory: true,
    });
    expect(value).to.deep.equal([null]);

    // Its blockhash is still valid.
    expect(await owner.submit(signed)).to.equal(hash);
    await client.faults({solverGone: false});
    const {destination_swap} = await client.until(order_id, isSettled);
    const chain = (await client.info()).chains['ethereum_sepolia'];
    if (!chain) throw new Error('no such chain');
    expect(await balanceOf(chain, TO_WBTC, recipient)).to.equal(BigInt(destination_swap.amount));
  });

  it('counts the required confirmations', async () => {
    await client.faults({confirmations: {required: 3}});
    const owner = await SolanaPerson.with(client, 2n * ONE);
    const {order_id, wire} = await place(client, owner.address);
    await owner.send(wire);
    const one = await client.until(order_id, isFunded);
    expect(one.source_swap).to.include({current_confirmations: 1, required_confirmations: 3});
    await own.mine(CHAIN, 1);
    expect((await client.read(order_id)).source_swap.current_confirmations).to.equal(2);
    expect((await client.read(order_id)).destination_swap.initiate_tx_hash).to.equal('');
    await own.mine(CHAIN, 1);
    await client.until(order_id, isSettled);
  });

  it('gets a falsified answer on request', async () => {
    const owner = await SolanaPerson.with(client, 0n);
    await client.faults({hostile: {kind: 'amount'}});
    const lied = await place(client, owner.address);
    const amountIn = (wire: Uint8Array) => new DataView(wire.buffer).getBigUint64(wire.length - 80, true);
    expect(amountIn(lied.wire)).to.equal(2n * ONE);
    expect((await client.read(lied.order_id)).source_swap.amount).to.equal(String(ONE));
    await own.clearFaults(client.appId);
    expect(amountIn((await place(client, owner.address)).wire)).to.equal(ONE);
  });
});
