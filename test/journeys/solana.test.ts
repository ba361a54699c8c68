/** Swaps from and to Solana: wallets, the chain, and hostile services. */
import {expect} from '@open-wc/testing';
import {Connection, PublicKey, SystemProgram, Transaction, VersionedTransaction} from '@solana/web3.js';
import type {SolanaWallet} from '../../demo/wallets/solana.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';

const SOL = 'solana_testnet:sol';
const BASE_WBTC = 'base_sepolia:wbtc';
const QUESTION = 'Did you confirm the payment in your wallet?';
const PAY = /^Pay with /;
/** The fee for one signature. */
const FEE = 5_000n;
/** More slots than the lifetime of a blockhash. */
const OLD = 160;

const begin = (settings: Partial<CrossingSettings> = {}) =>
  beginCrossing({from: SOL, to: BASE_WBTC, amount: '5', ...settings});

const walletOf = ({payer}: Crossing) => payer as SolanaWallet;
const nodeOf = (crossing: Crossing) => new Connection(crossing.chain(SOL).rpc, 'confirmed');

/** The transaction that the service prepared for an order, from the browser's storage. */
function preparedOf(crossing: Crossing, orderId = crossing.orderId): Uint8Array {
  const text = String(crossing.remembered(orderId).deposit.payload['transaction']);
  return Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));
}

/** The payer has spent this amount, once the solver has redeemed the deposit and returned the account's rent. */
async function expectPaid(crossing: Crossing, amount: bigint): Promise<void> {
  const paid = async () => (await crossing.moved()).paid;
  await crossing.until(async () => (await paid()) <= amount, 'the deposit’s account was never closed');
  expect(await paid()).to.equal(amount);
}

describe('A swap from Solana', function () {
  this.timeout(60_000);
  afterEach(endCrossings);

  for (const [how, settings] of [
    ['is signed by the wallet and sent by the page, where it knows a node', {}],
    ['is signed and sent by the wallet, where it does not', {withoutRpc: true}],
  ] as const) {
    it(how, async () => {
      const crossing = await begin(settings);
      await crossing.place();
      await crossing.expectSwapped();
      // The swap account is closed and its rent returned: the payer has spent the amount and one fee.
      await expectPaid(crossing, crossing.amount + FEE);
      expect(crossing.asked).to.deep.equal(['connect', 'send']);
      expect(crossing.walletRequests()).to.deep.equal(['send sent']);
      await crossing.expectAccessible();
    });
  }

  it('is one deposit of the full amount, signed by the payer, as decoded by web3.js', async () => {
    const crossing = await begin();
    await crossing.place();
    await crossing.expectSwapped();
    const {source_swap: source} = await crossing.read();
    const node = nodeOf(crossing);
    const landed = await node.getTransaction(source.initiate_tx_hash, {maxSupportedTransactionVersion: 0});
    expect(landed?.meta?.err).to.equal(null);

    const prepared = preparedOf(crossing);
    const {message} = VersionedTransaction.deserialize(prepared);
    expect(landed?.transaction.message.serialize()).to.deep.equal(message.serialize());
    expect(landed?.transaction.signatures).to.deep.equal([source.initiate_tx_hash]);

    const transaction = Transaction.populate(
      landed!.transaction.message as Parameters<typeof Transaction.populate>[0],
      landed!.transaction.signatures,
    );
    expect(transaction.verifySignatures()).to.equal(true);
    expect(transaction.feePayer?.toBase58()).to.equal(crossing.payer.account);
    expect(transaction.instructions).to.have.length(1);
    const [{programId, keys, data}] = transaction.instructions as [Transaction['instructions'][number]];
    expect(programId.toBase58()).to.equal(crossing.chain(SOL).assets[SOL]!.contracts[0]);
    const hash = Uint8Array.from(String(source['secret_hash']).match(/../g)!, pair => parseInt(pair, 16));
    const payer = new PublicKey(crossing.payer.account);
    const [kept] = PublicKey.findProgramAddressSync(
      [new TextEncoder().encode('swap_account'), payer.toBytes(), hash],
      programId,
    );
    expect(keys.map(({pubkey, isSigner, isWritable}) => [pubkey.toBase58(), isSigner, isWritable])).to.deep.equal([
      [kept.toBase58(), false, true],
      [payer.toBase58(), true, true],
      [SystemProgram.programId.toBase58(), false, false],
    ]);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    expect(data).to.have.length(88);
    expect(view.getBigUint64(8, true)).to.equal(crossing.amount);
    expect(view.getBigUint64(16, true)).to.equal(BigInt(Number(source['timelock'])));
    expect(new PublicKey(data.subarray(24, 56)).toBase58()).to.equal(source['redeemer']);
    expect([...data.subarray(56)]).to.deep.equal([...hash]);
  });
});

describe('An expired Solana transaction', function () {
  this.timeout(60_000);
  let sandbox: TestSandbox & {close(): Promise<void>};
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  const now = Date.now;
  afterEach(() => {
    Date.now = now;
    endCrossings();
  });

  /** Moves the page's clock forward. */
  const pass = (minutes: number) => (Date.now = () => now() + minutes * 60_000);

  /** No money was sent; a new order is paid, and the old transaction cannot land any more. */
  async function startAgain(crossing: Crossing) {
    const {page} = crossing;
    const old = crossing.orderId;
    await crossing.expectUntouched();
    await crossing.expectAccessible();
    expect(page.button(PAY), 'offered to pay with an expired transaction').to.equal(undefined);
    await crossing.next(/^Start again$/);
    expect(page.amount).to.equal('5');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.until(() => crossing.orderIds.length === 2, 'no new order was placed');
    await crossing.expectSwapped();
    await expectPaid(crossing, crossing.amount + FEE);
    return old;
  }

  /** The chain rejects the transaction, correctly signed; without a preflight it has no effect. */
  async function expectDead(crossing: Crossing, orderId: string) {
    const {standard} = walletOf(crossing);
    const [account] = standard.accounts;
    const [signed] = await standard.features['solana:signTransaction'].signTransaction({
      account: account!,
      chain: 'solana:devnet',
      transaction: preparedOf(crossing, orderId),
    });
    const wire = signed!.signedTransaction;
    const node = nodeOf(crossing);
    const refusal = await node.sendRawTransaction(wire).then(String, String);
    expect(refusal).to.include('Blockhash not found');
    const hash = await node.sendRawTransaction(wire, {skipPreflight: true});
    await crossing.mine(1);
    expect((await node.getSignatureStatus(hash, {searchTransactionHistory: true})).value).to.equal(null);
    expect((await crossing.client.read(orderId)).source_swap['initiate_tx_hash']).to.equal('');
    await expectPaid(crossing, crossing.amount + FEE);
  }

  /** Waits until the page has asked the chain once: a later answer, at a later time, may end the question by itself. */
  const untilLooked = (crossing: Crossing) =>
    crossing.until(() => !crossing.page.text.includes('Looking on Solana'), 'the chain was never asked');

  it('during the prompt is rejected by the chain and leads to a new order', async () => {
    const crossing: Crossing = await begin({
      on: sandbox,
      answer: async (_, turn) => {
        if (turn === 0) await crossing.mine(OLD);
        return true;
      },
    });
    await crossing.place();
    await crossing.untilSays('Start again with a new price.');
    expect(crossing.walletRequests()).to.deep.equal(['send refused']);
    await expectDead(crossing, await startAgain(crossing));
  });

  it('after an unclear answer of the wallet is given up once the chain confirms it', async () => {
    const crossing: Crossing = await begin({
      on: sandbox,
      answer: async (_, turn) => {
        if (turn > 0) return true;
        await crossing.mine(OLD);
        throw new Error('Something went wrong in the wallet.');
      },
    });
    const {features} = walletOf(crossing).standard;
    const {'solana:signTransaction': signing} = features;
    Reflect.deleteProperty(features, 'solana:signTransaction');
    await crossing.place();
    await crossing.untilSays(QUESTION);
    await untilLooked(crossing);
    // It is not given up at once, since a node may lag behind.
    pass(2);
    await crossing.press(/^No, I didn’t$/);
    await crossing.until(() => /^Start again$/.test(crossing.page.primary), 'no new order was offered');
    Object.assign(features, {'solana:signTransaction': signing});
    await expectDead(crossing, await startAgain(crossing));
  });

  it('that a wallet sent too late leads to a question, and is given up after five minutes', async () => {
    const crossing: Crossing = await begin({
      on: sandbox,
      withoutRpc: true,
      answer: async (_, turn) => {
        if (turn === 0) await crossing.mine(OLD);
        return true;
      },
    });
    await crossing.place();
    await crossing.untilSays(QUESTION);
    await crossing.expectUntouched();
    await untilLooked(crossing);
    pass(6);
    await crossing.press(/^No, I didn’t$/);
    await crossing.until(() => /^Start again$/.test(crossing.page.primary), 'no new order was offered');
    await expectDead(crossing, await startAgain(crossing));
  });
});

describe('A refund on Solana', function () {
  this.timeout(60_000);
  let sandbox: TestSandbox & {close(): Promise<void>};
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(endCrossings);

  it('is possible after the timelock and not before, for the full amount less fees', async () => {
    const crossing = await begin({on: sandbox, faults: {solverGone: true}});
    await crossing.place();
    await crossing.untilStage('settling');
    expect(crossing.page.button(/^Take your money back$/)).to.equal(undefined);
    // The amount, the fee, and the rent of the swap account.
    const rent = BigInt(await nodeOf(crossing).getMinimumBalanceForRentExemption(120));
    expect((await crossing.moved()).paid).to.equal(crossing.amount + FEE + rent);
    await sandbox.expire(crossing.orderId);
    await crossing.untilStage('refunding');
    await crossing.expectAccessible();
    await crossing.next(/^Take your money back$/);
    await crossing.untilStage('refunded');
    await crossing.untilSays('You got back');
    await crossing.expectAccessible();
    expect(await crossing.moved()).to.deep.equal({paid: 2n * FEE, received: 0n});
    expect(crossing.walletRequests()).to.deep.equal(['send sent', 'refund sent']);
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
  });
});

describe('A hostile service on Solana', function () {
  this.timeout(60_000);
  afterEach(endCrossings);

  it('is stopped before any wallet request, also after a reload, which says why', async () => {
    const crossing = await begin({faults: {hostile: {kind: 'redeemer'}}});
    await crossing.place();
    await crossing.expectStopped('This isn’t the swap you agreed to');
    await crossing.reload();
    await crossing.untilStage('stopped');
    await crossing.untilSays('This isn’t the swap you agreed to');
    expect(crossing.asked).to.deep.equal(['connect']);
  });
});

describe('A swap to Solana', function () {
  this.timeout(60_000);
  afterEach(endCrossings);

  it('pays the exact amount to an unused address, typed with surrounding spaces', async () => {
    const crossing = await begin({from: BASE_WBTC, to: SOL, amount: '0.01', typed: address => ` ${address}\n`});
    await crossing.place();
    await crossing.expectSwapped();
    expect((await crossing.read()).destination_swap['redeemer']).to.equal(crossing.receiver.account);
  });
});
