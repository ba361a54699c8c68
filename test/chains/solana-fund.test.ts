import {expect} from '../support/expect.js';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type AccountMeta,
  type TransactionInstruction,
} from '@solana/web3.js';
import type {Account, FundOptions} from '../../src/chains/adapter.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {walletFrom} from '../../src/chains/solana/wallets.js';
import {errorOf, listen, depositState, isRefundOpen} from '../support/funding.js';
import {KeyAdapter, SelfSigningAdapter} from '../support/solana-adapter.js';
import {BLOCKHASH, ofEach, ownDeal, reprepare} from '../support/solana-deal.js';
import {
  base58,
  bytesIn,
  KEY,
  LedgerWallet,
  lighthouse,
  metaOf,
  MINT,
  NodeFault,
  OTHER_KEY,
  OWNER,
  prepare,
  PROGRAM,
  recompiled,
  SolanaLedger,
  SPL_ACCOUNTS,
  STRANGER,
  tokenAccountOf,
  withInstruction,
  type Prepared,
} from '../support/solana-ledger.js';

const adapter = createSolanaAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100, poll: 2});
const AMOUNT = 354_608_265n;

let ledger: SolanaLedger;
let stop: () => void;

beforeEach(() => {
  ledger = new SolanaLedger();
  stop = ledger.serve();
});
afterEach(() => stop());

interface Settings {
  readonly node?: boolean;
  readonly wallet?: ConstructorParameters<typeof LedgerWallet>[1];
  readonly terms?: Partial<Prepared>;
}

async function open({node = true, wallet: settings = {}, terms = {}}: Settings = {}) {
  const wallet = new LedgerWallet(ledger, settings);
  const account = await walletFrom(wallet.standard).connect();
  wallet.asked.length = 0;
  const deal = ownDeal(ledger, terms);
  if (!node) delete (deal.agreed.from.chain as {rpc?: string}).rpc;
  const {updates, plans, walletRequests, onPlan, onWalletRequest} = listen();
  const fund = (more: Partial<FundOptions> = {}, payer: Account = account) =>
    adapter.fund(deal, payer, {way: 'transaction', onPlan, onWalletRequest, ...more});
  const refund = (payer: Account = account) => adapter.back.refund!(deal, payer, {onWalletRequest});
  return {wallet, account, deal, updates, plans, walletRequests, fund, refund};
}

const hashOf = (wallet: LedgerWallet, bytes: Uint8Array) => base58(wallet.sign(bytes).slice(1, 65));

const price = (microLamports: number | bigint) => ComputeBudgetProgram.setComputeUnitPrice({microLamports});

ofEach('funding on Solana', () => {
  for (const version of ['legacy', 0] as const) {
    it(`version ${version}, with an RPC: the wallet signs exactly the checked bytes, and the widget sends them`, async () => {
      const {wallet, deal, updates, plans, fund} = await open({terms: {version}});
      const funding = await fund();
      const [hash] = [...ledger.landed.keys()];
      expect(funding).to.deep.equal({how: 'transaction', hash});
      expect(plans).to.deep.equal([['send']]);
      expect(updates).to.deep.equal(['send asking', 'send sent #']);
      expect(wallet.kinds).to.deep.equal(['sign']);
      const {request} = wallet.asked[0]!;
      expect([...request!.transaction]).to.deep.equal([...bytesIn(deal.deposit.payload.transaction)]);
      expect(request!.account.address).to.equal(OWNER);
      expect(request!.chain).to.equal('solana:devnet');
      expect([...ledger.deposits.values()].map(({amount, owner}) => [amount, owner])).to.deep.equal([[AMOUNT, OWNER]]);
    });
  }

  it('without an RPC: the wallet signs and sends, on the chain in the request', async () => {
    const {wallet, updates, fund} = await open({node: false});
    const funding = await fund();
    expect(funding).to.deep.equal({how: 'transaction', hash: [...ledger.landed.keys()][0]});
    expect(updates).to.deep.equal(['send asking', 'send sent #']);
    expect(wallet.kinds).to.deep.equal(['send']);
    expect(wallet.asked[0]!.request!.chain).to.equal('solana:devnet');
    expect(ledger.requests).to.deep.equal([]);
  });

  it('with a wallet that only sends: it sends, after a simulation by the node', async () => {
    const {wallet, fund} = await open({wallet: {can: ['send']}});
    await fund();
    expect(wallet.kinds).to.deep.equal(['send']);
    expect(ledger.asked('sendTransaction')).to.deep.equal([]);
    expect(ledger.asked('simulateTransaction')).to.have.length(1);
  });

  it('from an adapter that adds its signature to the given object, as those for hardware do', async () => {
    const key = new KeyAdapter();
    key.signTransaction = <T>(given: T) => {
      const transaction = given as unknown as VersionedTransaction;
      const signed = VersionedTransaction.deserialize(new LedgerWallet(ledger).sign(transaction.serialize(), KEY));
      expect([...transaction.message.serialize()]).to.deep.equal([...signed.message.serialize()]);
      transaction.addSignature(key.publicKey!, signed.signatures[0]!);
      return Promise.resolve(given);
    };
    const {fund} = await open();
    await fund({}, await walletFrom(key).connect());
    expect(ledger.deposits.size).to.equal(1);
  });

  for (const version of ['legacy', 0] as const) {
    it(`from an adapter that lets the transaction sign itself, of version ${version}`, async () => {
      const {updates, fund} = await open({terms: {version}});
      await fund({}, await walletFrom(new SelfSigningAdapter()).connect());
      expect(ledger.deposits.size).to.equal(1);
      expect(updates).to.deep.equal(['send asking', 'send sent #']);
    });

    it(`from an adapter that decodes the transaction with web3.js and encodes it again, of version ${version}`, async () => {
      const {deal, fund} = await open({terms: {version}});
      const key = new KeyAdapter();
      key.signTransaction = <T>(given: T) => {
        const {message} = given as unknown as VersionedTransaction;
        const real = VersionedTransaction.deserialize(bytesIn(deal.deposit.payload.transaction)).message;
        expect(message.header).to.deep.equal(real.header);
        expect(message.compiledInstructions.map(({data, ...use}) => [use, [...data]])).to.deep.equal(
          real.compiledInstructions.map(({data, ...use}) => [use, [...data]]),
        );
        for (const [index, account] of message.staticAccountKeys.entries()) {
          expect(account.equals(real.staticAccountKeys[index]!)).to.be.true;
          expect(message.isAccountSigner(index)).to.equal(real.isAccountSigner(index));
          expect(message.isAccountWritable(index)).to.equal(real.isAccountWritable(index));
        }
        const plain = TransactionMessage.decompile(message);
        plain.instructions.unshift(price(20_000));
        const made = new VersionedTransaction(
          version === 0 ? plain.compileToV0Message() : plain.compileToLegacyMessage(),
        );
        made.sign([Keypair.fromSeed(KEY)]);
        return Promise.resolve(made as T);
      };
      await fund({}, await walletFrom(key).connect());
      expect(ledger.deposits.size).to.equal(1);
    });
  }

  it('not from an adapter that signs with another key, which is reported as such', async () => {
    const key = new SelfSigningAdapter();
    key.keypair = Keypair.fromSeed(OTHER_KEY);
    const {updates, fund} = await open();
    const error = await errorOf(fund({}, await walletFrom(key).connect()));
    expect(error.code).to.equal('wallet-failed');
    expect(error.detail).to.equal(`${STRANGER} is not wanted to sign this transaction.`);
    expect(updates).to.deep.equal(['send asking', 'send refused']);
  });

  it('shows the page the report and what the wallet gets, and waits for it', async () => {
    const {wallet, deal, fund} = await open();
    const shown: unknown[] = [];
    await fund({
      beforeSign: async (report, payload) => {
        await Promise.resolve();
        shown.push(report.outcome, payload);
        expect(wallet.kinds).to.deep.equal([]);
      },
    });
    expect(shown).to.deep.equal([
      'passed',
      {
        address: OWNER,
        chain: 'solana:devnet',
        transaction: btoa(String.fromCharCode(...bytesIn(deal.deposit.payload.transaction))),
      },
    ]);
  });

  it('follows a sent transaction by its hash if the node’s response is lost', async () => {
    const {updates, fund, deal} = await open();
    ledger.instead.set('sendTransaction', params => {
      ledger.answer('sendTransaction', params);
      throw new TypeError('Failed to fetch');
    });
    const {hash} = (await fund()) as {hash: string};
    expect(updates).to.deep.equal(['send asking', 'send sent #']);
    expect(await depositState(adapter, deal, {hash})).to.equal('seen');
  });
});

describe('a plain transfer on Solana', () => {
  it('is asked for once, if nothing on the chain shows what became of a payment in its form', async () => {
    const {wallet, deal, fund} = await open();
    deal.order.source.swapId = STRANGER;
    const [from, to] = [OWNER, STRANGER].map(text => new PublicKey(text)) as [PublicKey, PublicKey];
    const transfer = SystemProgram.transfer({fromPubkey: from, toPubkey: to, lamports: AMOUNT});
    reprepare(deal, {change: instruction => Object.assign(instruction, transfer)});
    // Enough without a deposit for an account of its own.
    ledger.coins.set(OWNER, AMOUNT + 100_000n);
    const confirm = () => Promise.resolve();
    const error = await errorOf(fund({confirm, approved: {hashes: []}}));
    expect([error.code, error.field, wallet.kinds]).to.deep.equal(['approval-failed', 'taken', []]);
    await fund({confirm});
    expect(wallet.kinds).to.deep.equal(['sign']);
  });
});

ofEach('the wallet is not prompted for a payment on Solana', () => {
  type Scene = Awaited<ReturnType<typeof open>>;
  const scenes: readonly (readonly [
    what: string,
    code: string,
    change: (scene: Scene) => void,
    settings?: Settings,
  ])[] = [
    ['that is not the agreed one', 'deposit-mismatch', ({deal}) => reprepare(deal, {amount: 1n})],
    ['from another account', 'wrong-account', ({wallet}) => wallet.use(OTHER_KEY)],
    ['from a locked wallet', 'wallet-locked', ({wallet}) => wallet.use()],
    [
      'from a wallet that does not support the chain',
      'wrong-network',
      ({wallet}) => (wallet.chains = ['solana:mainnet']),
    ],
    ['that has expired', 'expired', () => ledger.outdate()],
    [
      'that the account cannot cover',
      'insufficient-funds',
      ({deal}) =>
        deal.agreed.from.token === undefined
          ? ledger.coins.set(OWNER, AMOUNT + 1_000_000n)
          : ledger.tokens.set(tokenAccountOf(OWNER), AMOUNT - 1n),
    ],
    ['whose fee and deposit it cannot cover', 'insufficient-funds', () => ledger.coins.set(OWNER, 1_731_079n)],
    [
      'that the chain would reject',
      'funding-reverted',
      () =>
        ledger.instead.set('simulateTransaction', () => ({
          value: {err: {InstructionError: [0, {Custom: 6000}]}, logs: ['no']},
        })),
    ],
    [
      'while the node does not respond',
      'timeout',
      () => ledger.instead.set('isBlockhashValid', () => new Promise(() => {})),
    ],
    ['with a wallet that only signs, without an RPC', 'config', () => {}, {node: false, wallet: {can: ['sign']}}],
  ];
  for (const [what, code, change, settings] of scenes) {
    it(`${what}: ${code}`, async () => {
      const scene = await open(settings);
      change(scene);
      expect((await errorOf(scene.fund())).code).to.equal(code);
      expect(scene.wallet.kinds).to.deep.equal([]);
      expect(scene.updates).to.deep.equal([]);
    });
  }

  it('that was already made: wallet-unclear', async () => {
    const {wallet, fund} = await open();
    await fund();
    wallet.asked.length = 0;
    expect((await errorOf(fund())).code).to.equal('wallet-unclear');
    expect(wallet.kinds).to.deep.equal([]);
  });

  it('of a version that the wallet does not sign: wallet-missing', async () => {
    const {wallet, fund} = await open({terms: {version: 0}});
    const feature = wallet.standard.features['solana:signTransaction'] as {supportedTransactionVersions: unknown};
    feature.supportedTransactionVersions = ['legacy'];
    expect((await errorOf(fund())).code).to.equal('wallet-missing');
  });
});

describe('a prompted Solana wallet', () => {
  for (const [what, answer] of [
    ['an unclear error', () => Promise.reject(new Error('Something went wrong.'))],
    ['nothing, ever', () => new Promise(() => {})],
    ['no bytes', () => undefined],
  ] as const) {
    it(`to sign that returns ${what}: nothing can have been sent, so it may be prompted again`, async () => {
      const {wallet, updates, fund} = await open();
      wallet.instead.set('sign', answer);
      expect((await errorOf(fund())).code).to.equal('wallet-failed');
      expect(updates).to.deep.equal(['send asking', 'send refused']);
      wallet.instead.clear();
      await fund();
      expect(ledger.deposits.size).to.equal(1);
    });

    it(`to send that returns ${what}: it may have been sent`, async () => {
      const {wallet, updates, fund} = await open({node: false});
      wallet.instead.set('send', answer);
      expect((await errorOf(fund())).code).to.equal('wallet-unclear');
      expect(updates).to.deep.equal(['send asking']);
    });
  }

  it('to send that returns half a signature: it may have been sent', async () => {
    const {wallet, updates, fund} = await open({node: false});
    wallet.instead.set('send', () => new Uint8Array(32));
    expect((await errorOf(fund())).code).to.equal('wallet-unclear');
    expect(updates).to.deep.equal(['send asking']);
  });

  it('to sign that responds after the timeout pays nothing', async () => {
    const {wallet, updates, fund} = await open();
    let sign = () => {};
    wallet.instead.set(
      'sign',
      request => new Promise(resolve => (sign = () => resolve(wallet.sign(request!.transaction)))),
    );
    await errorOf(fund());
    sign();
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(ledger.asked('sendTransaction')).to.deep.equal([]);
    expect(updates).to.deep.equal(['send asking', 'send refused']);
  });

  const changes: readonly (readonly [
    what: string,
    code: string,
    sign: (wallet: LedgerWallet, bytes: Uint8Array) => Uint8Array,
  ])[] = [
    [
      'another blockhash',
      'deposit-mismatch',
      (wallet, bytes) => {
        const transaction = VersionedTransaction.deserialize(bytes);
        transaction.message.recentBlockhash = STRANGER;
        return wallet.sign(transaction.serialize());
      },
    ],
    ['another transaction', 'deposit-mismatch', wallet => wallet.sign(bytesIn(ANOTHER))],
    ['something else', 'deposit-mismatch', () => new Uint8Array(200)],
    ['no signature', 'wrong-account', (_, bytes) => bytes],
    ['another account’s signature', 'wrong-account', (wallet, bytes) => wallet.sign(bytes, OTHER_KEY)],
  ];
  const ANOTHER = prepare({
    owner: OWNER,
    program: STRANGER,
    amount: 1n,
    slots: 1n,
    redeemer: STRANGER,
    secretHash: '00'.repeat(32),
    blockhash: STRANGER,
    version: 'legacy',
  });
  for (const [what, code, sign] of changes) {
    it(`to sign that returns ${what}: ${code}, and nothing is sent`, async () => {
      const {wallet, updates, fund} = await open();
      wallet.instead.set('sign', request => sign(wallet, request!.transaction));
      const error = await errorOf(fund());
      expect([error.code, error.field]).to.deep.equal([code, code === 'deposit-mismatch' ? 'same' : undefined]);
      expect(updates).to.deep.equal(['send asking', 'send refused']);
      expect(ledger.asked('sendTransaction')).to.deep.equal([]);
    });
  }

  for (const [what, err, code] of [
    ['expired by now', 'BlockhashNotFound', 'expired'],
    ['not covered by now', {InstructionError: [0, {Custom: 1}]}, 'insufficient-funds'],
    ['rejected by the program', {InstructionError: [0, {Custom: 6000}]}, 'funding-reverted'],
  ] as const) {
    it(`whose payment is ${what}: ${code}, and nothing was sent`, async () => {
      const {updates, fund} = await open();
      ledger.instead.set('sendTransaction', () => {
        throw new NodeFault(-32002, 'Transaction simulation failed', {err, logs: []});
      });
      expect((await errorOf(fund())).code).to.equal(code);
      expect(updates).to.deep.equal(['send asking', 'send refused']);
    });
  }

  it('whose payment a busy node rejects: it is followed, since another node may have accepted it', async () => {
    const {updates, fund} = await open();
    ledger.instead.set('sendTransaction', () => {
      throw new NodeFault(-32005, 'Node is behind by 42 slots');
    });
    await fund();
    expect(updates).to.deep.equal(['send asking', 'send sent #']);
  });
});

/** As written by Phantom on mainnet, and by lighthouse-sdk 2.1.0: kind, log level, and what is compared with what. */
const GUARDS = {
  ofWallet: lighthouse('060401030000'),
  ofCoins: lighthouse('0500000000000000000004'),
  ofSeveral: lighthouse('060002000060343c020000000401000000000000000000', [metaOf(STRANGER)]),
  ofData: lighthouse('02000007010000000000000000', [metaOf(PROGRAM)]),
  ofTwo: lighthouse('04000000000000000000000000000000000000000000', [metaOf(OWNER), metaOf(STRANGER)]),
  ofTime: lighthouse('0f000080397a120000000005', []),
};

describe('a Solana wallet that adds guards to what it signs', () => {
  type Change = Parameters<typeof recompiled>[1];
  const adding =
    (...instructions: readonly TransactionInstruction[]): Change =>
    plain =>
      plain.instructions.push(...instructions);
  const guarded = (...keys: readonly AccountMeta[]) => lighthouse('060401030000', keys);

  const allowed: readonly (readonly [what: string, change: Change])[] = [
    ['an assertion after the payment', adding(GUARDS.ofWallet)],
    [
      'assertions before and after the payment, and a priority fee',
      plain =>
        plain.instructions.splice(
          0,
          plain.instructions.length,
          ComputeBudgetProgram.setComputeUnitLimit({units: 120_000}),
          price(100_000),
          GUARDS.ofWallet,
          GUARDS.ofCoins,
          GUARDS.ofSeveral,
          ...plain.instructions,
          GUARDS.ofData,
          GUARDS.ofTwo,
          GUARDS.ofTime,
        ),
    ],
    [
      // What web3.js 1.63 makes of it, with which Backpack 0.10.30 sets the compute units.
      'the System program marked as writable',
      plain => {
        for (const key of plain.instructions.flatMap(({keys}) => keys)) {
          key.isWritable ||= key.pubkey.equals(SystemProgram.programId);
        }
      },
    ],
    [
      'a fresh blockhash',
      plain => {
        plain.recentBlockhash = STRANGER;
        ledger.know(STRANGER);
      },
    ],
  ];
  for (const [what, change] of allowed) {
    for (const versions of [
      ['legacy', 'legacy'],
      [0, 0],
      ['legacy', 0],
    ] as const) {
      it(`pays with ${what}, from ${versions.join(' to ')}`, async () => {
        const {wallet, updates, fund} = await open({terms: {version: versions[0]}});
        wallet.instead.set('sign', request => wallet.sign(recompiled(request!.transaction, change, versions[1])));
        const funding = await fund();
        expect(funding).to.deep.equal({how: 'transaction', hash: [...ledger.landed.keys()][0]});
        expect(updates).to.deep.equal(['send asking', 'send sent #']);
        expect(ledger.deposits.size).to.equal(1);
      });
    }

    it(`refunds with ${what}`, async () => {
      const {wallet, fund, refund} = await open();
      await fund();
      ledger.slot += 300_000n;
      wallet.instead.set('sign', request => wallet.sign(recompiled(request!.transaction, change)));
      await refund();
      expect(ledger.deposits.size).to.equal(0);
    });
  }

  const MEMORY = '3n7DPXbVk5ULvYqsxwrH4gfK4rtFZNvqP5cQSbJFsHUC';
  const [payer, stranger] = [OWNER, STRANGER].map(address => new PublicKey(address)) as [PublicKey, PublicKey];
  const transfer = SystemProgram.transfer({fromPubkey: payer, toPubkey: stranger, lamports: 1});
  const refused: readonly (readonly [what: string, change: Change])[] = [
    ['another payment after it', adding(transfer)],
    ['another payment after a guard', adding(GUARDS.ofWallet, transfer)],
    [
      'a write to Lighthouse’s memory',
      adding(
        lighthouse('0000ff000101', [
          metaOf(GUARDS.ofWallet.programId.toBase58()),
          metaOf(SystemProgram.programId.toBase58()),
          metaOf(OWNER, {signer: true, writable: true}),
          metaOf(MEMORY, {writable: true}),
          metaOf(OWNER),
        ]),
      ),
    ],
    ['a closed memory account of Lighthouse’s', adding(lighthouse('0100ff', [metaOf(OWNER), metaOf(MEMORY)]))],
    ['an assertion about a tree, by another program', adding(lighthouse('1000'))],
    ['an instruction of an unknown kind', adding(lighthouse('1200'))],
    ['an instruction without a kind', adding(lighthouse(''))],
    ['an assertion by another program', adding(Object.assign(guarded(metaOf(OWNER)), {programId: stranger}))],
    ['an assertion that could write to another account', adding(guarded(metaOf(STRANGER, {writable: true})))],
    ['an assertion that could write to the program', adding(guarded(metaOf(PROGRAM, {writable: true})))],
    ['another signer', adding(guarded(metaOf(STRANGER, {signer: true})))],
    ['another fee payer', plain => (plain.payerKey = stranger)],
    ['no payment', plain => (plain.instructions = [GUARDS.ofWallet])],
    ['the payment twice', plain => plain.instructions.push(plain.instructions[0]!)],
    [
      'another amount',
      plain => {
        const data = Uint8Array.from(plain.instructions[0]!.data);
        data[8]! ^= 1;
        plain.instructions[0]!.data = data as Buffer;
      },
    ],
    ['another account', plain => (plain.instructions[0]!.keys[0]!.pubkey = stranger)],
    ['the accounts in another order', plain => plain.instructions[0]!.keys.reverse()],
    [
      'a nonce instead of a blockhash',
      plain => plain.instructions.unshift(SystemProgram.nonceAdvance({noncePubkey: stranger, authorizedPubkey: payer})),
    ],
    ['an excessive priority fee', plain => plain.instructions.unshift(price(10n ** 11n))],
    ['a blockhash unknown to this chain', plain => (plain.recentBlockhash = STRANGER)],
  ];
  for (const [what, change] of refused) {
    it(`and returns ${what}: nothing is sent`, async () => {
      const {wallet, updates, fund} = await open();
      wallet.instead.set('sign', request => {
        const bytes = recompiled(request!.transaction, change);
        const {message, signatures} = VersionedTransaction.deserialize(bytes);
        return signatures.length > 1 || message.staticAccountKeys[0]!.toBase58() !== OWNER ? bytes : wallet.sign(bytes);
      });
      const error = await errorOf(fund());
      expect([error.code, error.field]).to.deep.equal(['deposit-mismatch', 'same']);
      expect(updates).to.deep.equal(['send asking', 'send refused']);
      expect(ledger.asked('sendTransaction')).to.deep.equal([]);
    });
  }

  it('and returns address tables: nothing is sent', async () => {
    const {wallet, fund} = await open({terms: {version: 0}});
    wallet.instead.set('sign', request => {
      const {message} = VersionedTransaction.deserialize(request!.transaction);
      message.addressTableLookups.push({
        accountKey: new PublicKey(STRANGER),
        writableIndexes: [1],
        readonlyIndexes: [],
      });
      return wallet.sign(new VersionedTransaction(message).serialize());
    });
    expect((await errorOf(fund())).field).to.equal('same');
    expect(ledger.asked('sendTransaction')).to.deep.equal([]);
  });

  it('does not make assertions of the service acceptable', async () => {
    const {wallet, deal, fund} = await open();
    reprepare(deal, {after: [GUARDS.ofWallet]});
    expect((await errorOf(fund())).code).to.equal('deposit-mismatch');
    expect(wallet.kinds).to.deep.equal([]);
  });

  it('may use a blockhash that the node knows only a moment later', async () => {
    const {wallet, fund} = await open();
    wallet.instead.set('sign', request =>
      wallet.sign(recompiled(request!.transaction, plain => (plain.recentBlockhash = STRANGER))),
    );
    let looks = 0;
    ledger.instead.set('isBlockhashValid', params => {
      if (params[0] === STRANGER && ++looks === 2) ledger.know(STRANGER);
      return ledger.answer('isBlockhashValid', params);
    });
    await fund();
    expect(ledger.deposits.size).to.equal(1);
  });
});

describe('a deposit on Solana', () => {
  it('is seen once it exists, with or without its hash', async () => {
    const {deal, fund} = await open();
    expect(await depositState(adapter, deal, {})).to.equal('none');
    const {hash} = (await fund()) as {hash: string};
    expect(await depositState(adapter, deal, {})).to.equal('seen');
    ledger.deposits.clear();
    expect(await depositState(adapter, deal, {hash})).to.equal('seen');
  });

  it('differs from coins that were merely sent to its address', async () => {
    const {deal} = await open();
    ledger.instead.set('getAccountInfo', () => ({
      value: {owner: '1'.repeat(32), executable: false, data: ['', 'base64']},
    }));
    expect(await depositState(adapter, deal, {})).to.equal('none');
  });

  it('can no longer arrive once its blockhash has expired', async () => {
    const {deal, wallet} = await open();
    const hash = hashOf(wallet, bytesIn(deal.deposit.payload.transaction));
    expect(await depositState(adapter, deal, {hash})).to.equal('none');
    ledger.outdate();
    expect(await depositState(adapter, deal, {hash})).to.equal('expired');
    expect(await depositState(adapter, deal, {})).to.equal('expired');
  });

  it('can arrive while its blockhash is valid in the newest or the finalized blocks', async () => {
    const {deal} = await open();
    const {processed, finalized} = ledger.blockhashes;
    const [blockhash] = processed;
    finalized.clear();
    expect(await depositState(adapter, deal, {})).to.equal('none');
    finalized.add(blockhash!);
    processed.clear();
    expect(await depositState(adapter, deal, {})).to.equal('none');
  });

  it('may still arrive if the wallet sent another message, whose blockhash is unknown here', async () => {
    const {deal, wallet} = await open();
    const other = withInstruction(bytesIn(deal.deposit.payload.transaction), price(1));
    const hash = hashOf(wallet, other);
    ledger.outdate();
    expect(await depositState(adapter, deal, {hash})).to.equal('none');
  });

  for (const [what, settings] of [
    ['signed', {}],
    ['sent', {wallet: {can: ['send']}}],
  ] as const) {
    it(`can arrive while the blockhash that the wallet ${what} with is valid, and no longer`, async () => {
      const {deal, wallet, walletRequests, fund} = await open(settings);
      wallet.instead.set(what === 'sent' ? 'send' : 'sign', request => {
        ledger.know(STRANGER);
        const signed = wallet.sign(
          recompiled(request!.transaction, plain => {
            plain.instructions.push(GUARDS.ofWallet);
            plain.recentBlockhash = STRANGER;
          }),
        );
        return what === 'sent' ? signed.slice(1, 65) : signed;
      });
      // It is accepted, but gets into no block.
      ledger.instead.set('sendTransaction', () => 'taken');
      await fund();
      const {hash, lifetime} = walletRequests.at(-1)!;
      const {processed, finalized} = ledger.blockhashes;
      processed.delete(BLOCKHASH);
      finalized.delete(BLOCKHASH);
      expect(await depositState(adapter, deal, {hash, lifetime})).to.equal('none');
      expect(await depositState(adapter, deal, {hash}), 'its blockhash is not known').to.equal('none');
      ledger.outdate();
      expect(await depositState(adapter, deal, {hash, lifetime})).to.equal('expired');
    });
  }

  it('is compared with the balance', async () => {
    const {deal, account} = await open();
    const {from} = deal.agreed;
    expect(await adapter.means.balance(from, account)).to.equal(10n ** 10n);
    expect(await adapter.means.balance({...from, token: MINT}, account)).to.equal(10n ** 10n);
    expect(await adapter.means.balance({...from, token: STRANGER}, account), 'without an account for it').to.equal(0n);
    expect(await adapter.means.reserve!(from, account)).to.equal(10n ** 7n);
    expect(await adapter.means.reserve!({...from, token: STRANGER}, account)).to.equal(0n);
    const {rpc: _, ...chain} = from.chain as {rpc?: string} & typeof from.chain;
    expect(await adapter.means.balance({...from, chain}, account)).to.be.undefined;
    ledger.instead.set('getBalance', () => new Promise(() => {}));
    expect(await adapter.means.balance(from, account)).to.be.undefined;
  });
});

ofEach('a refund on Solana', () => {
  const wealth = () => ledger.coins.get(OWNER)! + ledger.tokens.get(tokenAccountOf(OWNER))!;
  const late = async (settings?: Settings) => {
    const scene = await open(settings);
    await scene.fund();
    scene.updates.length = 0;
    scene.wallet.asked.length = 0;
    return scene;
  };

  it('returns the money to the payer, whose wallet signs it', async () => {
    const {wallet, updates, refund} = await late();
    ledger.slot += 300_000n;
    const before = wealth();
    const hash = await refund();
    expect(ledger.landed.get(hash)).to.deep.equal({err: null});
    expect(updates).to.deep.equal(['refund asking', 'refund sent #']);
    expect(wallet.kinds).to.deep.equal(['sign']);
    expect(wealth() - before).to.equal(AMOUNT + 1_726_080n - 5_000n);
  });

  it('makes the payer’s account for a token again, if that was closed', async () => {
    const {deal, refund} = await late();
    const {token, contracts} = deal.agreed.from;
    ledger.slot += 300_000n;
    ledger.tokens.clear();
    const hash = await refund();
    const {instructions, accountKeys} = ledger.transactions.get(hash)!.transaction.message;
    const called = instructions.map(({programIdIndex}) => accountKeys[programIdIndex]);
    expect(called).to.deep.equal([...(token === undefined ? [] : [SPL_ACCOUNTS]), ...contracts]);
    if (token === undefined) return;
    expect(instructions[0]!.data, '`CreateIdempotent`').to.equal(base58(Uint8Array.of(1)));
    expect(ledger.tokens.get(tokenAccountOf(OWNER))).to.equal(AMOUNT);
  });

  it('goes to the payer even if another account requests it and pays the fee', async () => {
    const {wallet, refund} = await late();
    ledger.slot += 300_000n;
    ledger.coins.set(STRANGER, 10n ** 9n);
    wallet.use(OTHER_KEY);
    const before = wealth();
    await refund();
    expect(wealth() - before).to.equal(AMOUNT + 1_726_080n);
    expect(ledger.coins.get(STRANGER)).to.equal(10n ** 9n - 5_000n);
  });

  for (const [what, contracts] of [
    ['is not the known one anymore', [STRANGER]],
    ['is not on the list anymore', []],
  ] as const) {
    it(`comes from the program that took the money, which ${what}`, async () => {
      const {account, deal} = await late();
      ledger.slot += 300_000n;
      const changed = structuredClone(deal);
      changed.agreed.from.contracts = [...contracts];
      changed.policy.unverified = 'stop';
      expect(await isRefundOpen(adapter, changed, {})).to.be.true;
      await adapter.back.refund!(changed, account, {onWalletRequest: () => Promise.resolve()});
      expect(ledger.deposits.size).to.equal(0);
    });
  }

  for (const [what, code, change] of [
    ['before the timelock is over', 'funding-reverted', () => {}],
    ['if nothing was paid', 'funding-reverted', () => ledger.deposits.clear()],
    ['while the wallet is locked', 'wallet-locked', ({wallet}: {wallet: LedgerWallet}) => wallet.use()],
  ] as const) {
    it(`is not requested ${what}: ${code}`, async () => {
      const scene = await late();
      change(scene);
      expect((await errorOf(scene.refund())).code).to.equal(code);
      expect(scene.wallet.kinds).to.deep.equal([]);
      expect(scene.updates).to.deep.equal([]);
    });
  }

  it('is not requested without a node: config', async () => {
    const {refund} = await open({node: false});
    expect((await errorOf(refund())).code).to.equal('config');
  });
});
