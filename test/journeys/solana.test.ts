/** Swaps from and to Solana: wallets, the chain, and hostile services. */
import {expect} from '@open-wc/testing';
import {Connection, PublicKey, SystemProgram, Transaction, VersionedTransaction} from '@solana/web3.js';
import type {SolanaSignAndSendTransactionInput} from '@solana/wallet-standard-features';
import {createSolanaWallet, type SolanaWallet} from '../../demo/wallets/solana.js';
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

/** Overrides how the wallet handles a request; `change` gets the original functions. */
function overrideRequest(
  crossing: Crossing,
  change: (send: SendFeature['signAndSendTransaction'], sign: SignFeature['signTransaction']) => unknown,
): void {
  const {features} = walletOf(crossing).standard;
  const sending = features['solana:signAndSendTransaction'];
  const {signAndSendTransaction} = sending;
  const {signTransaction} = features['solana:signTransaction'];
  Object.assign(sending, {signAndSendTransaction: change(signAndSendTransaction, signTransaction)});
}

/** A prompt that stays open until it is answered. */
class HeldPrompt {
  give: (answer: boolean) => void = () => undefined;
  readonly answer = new Promise<boolean>(resolve => (this.give = resolve));
}

type Features = SolanaWallet['standard']['features'];
type Inputs = readonly SolanaSignAndSendTransactionInput[];
type SendFeature = Features['solana:signAndSendTransaction'];
type SignFeature = Features['solana:signTransaction'];

describe('A swap from Solana', function () {
  this.timeout(60_000);
  afterEach(endCrossings);

  for (const [how, settings] of [
    ['is signed by the wallet and sent by the page, where it knows a node', {}],
    ['is signed and sent by the wallet, where it does not', {withoutRpc: true}],
    ['is read in base64, as a later generation of the service writes it', {faults: {laterAnswer: true}}],
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

  it('resumes after a reload at every step', async () => {
    const crossing = await begin({rejections: 1, faults: {solverGone: true}});
    await crossing.review();
    await crossing.reload();
    expect(crossing.page.amount).to.equal('5');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilSays('You declined in your wallet.');
    await crossing.reload();
    await crossing.expectUntouched();
    await crossing.next(PAY);
    await crossing.untilStage('settling');
    await crossing.reload();
    await crossing.untilStage('settling');
    expect(crossing.page.button(PAY), 'offered to pay again').to.equal(undefined);
    await crossing.mend();
    await crossing.expectSwapped();
    await crossing.reload();
    await crossing.untilStage('complete');
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
    expect(crossing.orderIds).to.have.length(1);
  });

  for (const yes of [true, false]) {
    it(`sends no second wallet request while a prompt is open, and continues with its ${yes ? 'yes' : 'no'}`, async () => {
      const held = new HeldPrompt();
      const crossing = await begin({answer: (_, turn) => (turn === 0 ? held.answer : true)});
      await crossing.place();
      await crossing.until(() => crossing.asked.at(-1) === 'send', 'the wallet never prompted');
      expect(crossing.walletRequests()).to.deep.equal(['send asking']);
      // A reloaded page, while the first one waits for an answer.
      await crossing.reload();
      await crossing.untilStage('funding');
      await crossing.until(() => crossing.page.find('[part="primary"]'), 'the deposit was never shown');
      expect(crossing.page.canGoOn, 'offered to pay again').to.equal(false);
      held.give(yes);
      if (!yes) await crossing.next(PAY);
      await crossing.expectSwapped();
      await expectPaid(crossing, crossing.amount + FEE);
      expect(crossing.asked).to.deep.equal(yes ? ['connect', 'send'] : ['connect', 'send', 'send']);
    });
  }
});

describe('A Solana wallet', function () {
  this.timeout(60_000);
  afterEach(endCrossings);

  for (const [where, withoutRpc] of [
    ['signs', false],
    ['sends', true],
  ] as const) {
    it(`that ${where} and rejects loses nothing, and is prompted again at a press`, async () => {
      const crossing = await begin({rejections: 1, withoutRpc});
      await crossing.place();
      await crossing.untilSays('You declined in your wallet.');
      expect(crossing.walletRequests()).to.deep.equal(['send refused']);
      await crossing.expectUntouched();
      await crossing.expectAccessible();
      await crossing.next(PAY);
      await crossing.expectSwapped();
      expect(crossing.orderIds).to.have.length(1);
      expect(crossing.errors.map(({code}) => code)).to.deep.equal(['rejected']);
    });
  }

  it('that only signs and gives no clear answer cannot have paid, and is prompted again at a press', async () => {
    const crossing = await begin({
      answer: (_, turn) => {
        if (turn === 0) throw new Error('Something went wrong in the wallet.');
        return true;
      },
    });
    await crossing.place();
    await crossing.until(() => crossing.errors.at(-1)?.code === 'wallet-failed', 'nothing was wrong');
    expect(crossing.page.text).not.to.include(QUESTION);
    await crossing.next(PAY);
    await crossing.expectSwapped();
    await expectPaid(crossing, crossing.amount + FEE);
  });

  it('that sends and gives no clear answer leads to a question, and can pay if nothing was sent', async () => {
    const crossing = await begin({
      withoutRpc: true,
      answer: (_, turn) => {
        if (turn === 0) throw new Error('Something went wrong in the wallet.');
        return true;
      },
    });
    await crossing.place();
    await crossing.untilSays(QUESTION);
    expect(crossing.walletRequests()).to.deep.equal(['send asking']);
    await crossing.reload();
    await crossing.untilSays(QUESTION);
    await crossing.press(/^No, I didn’t$/);
    await crossing.next(PAY);
    await crossing.expectSwapped();
    await expectPaid(crossing, crossing.amount + FEE);
    expect(crossing.orderIds).to.have.length(1);
  });

  it('that sends and never answers has paid, no matter what the person says', async () => {
    const crossing = await begin({withoutRpc: true});
    overrideRequest(crossing, send => async (...inputs: Inputs) => {
      await send(...inputs);
      throw new Error('The wallet’s window was closed.');
    });
    await crossing.place();
    await crossing.expectSwapped();
    await expectPaid(crossing, crossing.amount + FEE);
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
  });

  it('that was locked meanwhile is unlocked at a press, then prompted', async () => {
    const crossing = await begin({rejections: 1});
    await crossing.place();
    await crossing.untilSays('You declined in your wallet.');
    walletOf(crossing).lock();
    await crossing.next(/^Connect a wallet$/);
    await crossing.chooseWallet();
    await crossing.next(PAY);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'unlock', 'send']);
  });

  it('with another account than the order’s is not prompted until it has switched back', async () => {
    const crossing = await begin({rejections: 1});
    const wallet = walletOf(crossing);
    const [first, second] = wallet.accounts as [string, string];
    await crossing.place();
    await crossing.untilSays('You declined in your wallet.');
    wallet.useAccount(second);
    await crossing.next(PAY);
    await crossing.untilSays('Your wallet is using another account.');
    await crossing.until(() => crossing.page.canGoOn, 'it stays busy');
    wallet.useAccount(first);
    await crossing.expectUntouched();
    await crossing.next(PAY);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
  });

  it('on another cluster is never prompted', async () => {
    const crossing = await begin({
      payer: ({name, seedPhrase, state, approver}) =>
        createSolanaWallet({
          name,
          seedPhrase,
          chains: [{chain: 'solana:mainnet', rpc: state.chains['solana_testnet']!.rpc, name: 'Solana'}],
          approver: approver!,
        }),
    });
    await crossing.place();
    await crossing.untilSays('Your wallet is on another network.');
    await crossing.expectUntouched();
    await crossing.expectAccessible();
    expect(crossing.asked).to.deep.equal(['connect']);
  });

  it('without the balance for amount and fee leads to an error before any wallet request', async () => {
    const crossing = await begin();
    await crossing.review();
    await crossing.page.press('Back');
    // The balance is exactly three times the amount.
    await crossing.page.typeAmount('15');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilSays('There isn’t enough in your wallet.');
    await crossing.expectUntouched();
    expect(crossing.asked).to.deep.equal(['connect']);
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

  it('before the wallet request leads to a new order', async () => {
    const crossing = await begin({on: sandbox, rejections: 1});
    await crossing.place();
    await crossing.untilSays('You declined in your wallet.');
    await crossing.mine(OLD);
    await crossing.next(PAY);
    await crossing.untilSays('Start again with a new price.');
    expect(crossing.asked, 'prompted for an expired transaction').to.deep.equal(['connect', 'send']);
    await expectDead(crossing, await startAgain(crossing));
  });

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

  it('is given up after five minutes without a node', async () => {
    const crossing = await begin({on: sandbox, withoutRpc: true, rejections: 1});
    await crossing.place();
    await crossing.untilSays('You declined in your wallet.');
    await crossing.mine(OLD);
    const {page} = crossing;
    await crossing.until(() => PAY.test(page.primary) && page.canGoOn, 'it could not be paid once more');
    // Pressed before the widget notices by itself how late it is: the button would be another one then.
    pass(6);
    page.primaryButton?.click();
    await crossing.untilSays('Start again with a new price.');
    expect(crossing.asked, 'prompted for an expired transaction').to.deep.equal(['connect', 'send']);
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

  it('that a wallet only claims to have sent is followed for five minutes, then given up', async () => {
    const crossing = await begin({on: sandbox, withoutRpc: true});
    let claims = 0;
    overrideRequest(crossing, (send, sign) => async (...inputs: Inputs) => {
      if (claims++) return send(...inputs);
      const [output] = await sign(...inputs);
      return [{signature: output!.signedTransaction.slice(1, 65)}];
    });
    await crossing.place();
    await crossing.untilSays('Payment sent');
    expect(crossing.page.button(PAY), 'offered to pay again').to.equal(undefined);
    await crossing.mine(OLD);
    pass(6);
    await crossing.until(() => /^Start again$/.test(crossing.page.primary), 'it was never given up');
    expect(crossing.walletRequests()).to.deep.equal(['send refused']);
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

  it('works after a rejection and a reload', async () => {
    const crossing = await begin({on: sandbox, faults: {solverGone: true}, answer: (_, turn) => turn !== 1});
    await crossing.place();
    await crossing.untilStage('settling');
    await sandbox.expire(crossing.orderId);
    await crossing.next(/^Take your money back$/);
    await crossing.untilSays('You declined in your wallet.');
    await crossing.reload();
    await crossing.next(/^Take your money back$/);
    await crossing.untilStage('refunded');
    expect(await crossing.moved()).to.deep.equal({paid: 2n * FEE, received: 0n});
    expect(crossing.walletRequests()).to.deep.equal(['send sent', 'refund refused', 'refund sent']);
  });
});

describe('A hostile service on Solana', function () {
  this.timeout(60_000);
  afterEach(endCrossings);

  const AMOUNT = 'The amount isn’t the one you agreed to';
  const CALL = 'The payment would do more than pay for this swap';
  const CONTRACT = 'The contract isn’t the known one';
  const ORDER = 'This isn’t the swap you agreed to';
  const SECRET = 'The secret of the swap is wrong or already known';
  const lies = {
    amount: AMOUNT,
    redeemer: ORDER,
    'secret-hash-in-call': SECRET,
    timelock: CALL,
    initiator: CALL,
    'fee-payer': CALL,
    contract: CONTRACT,
    'swap-account': CALL,
    'system-program': CALL,
    'extra-transfer': AMOUNT,
    'extra-deposit': AMOUNT,
    transfer: AMOUNT,
    'priority-fee': 'The payment would take other coins too',
    'durable-nonce': AMOUNT,
    'lookup-table': CALL,
    'trailing-bytes': AMOUNT,
    recipient: ORDER,
    'destination-amount': ORDER,
    'secret-hash': SECRET,
  };
  for (const [kind, says] of Object.entries(lies)) {
    it(`is stopped before any wallet request: ${kind}`, async () => {
      const crossing = await begin({faults: {hostile: {kind}}});
      await crossing.place();
      await crossing.expectStopped(says);
    });
  }

  it('stays stopped after a reload, which says why', async () => {
    const crossing = await begin({faults: {hostile: {kind: 'redeemer'}}});
    await crossing.place();
    await crossing.untilStage('stopped');
    await crossing.reload();
    await crossing.untilStage('stopped');
    await crossing.untilSays(ORDER);
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

  for (const [what, typed] of [
    ['with a letter that there is none of', (address: string) => `${address.slice(0, -1)}0`],
    ['of another chain', () => '0x004Cc75ACF4132Fc08cB6a252E767804F303F729'],
    ['that is too short', (address: string) => address.slice(12)],
  ] as const) {
    it(`is not possible with an address ${what}`, async () => {
      const crossing = await begin({from: BASE_WBTC, to: SOL, amount: '0.01'});
      await crossing.page.typeAmount('0.01');
      await crossing.page.typeRecipient(typed(crossing.receiver.account));
      await crossing.until(() => crossing.page.notes.length > 0, 'the address was not rejected');
      expect(crossing.page.primary).not.to.equal('Review swap');
    });
  }
});
