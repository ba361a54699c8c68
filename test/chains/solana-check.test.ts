import {expect} from '../support/expect.js';
import {ComputeBudgetProgram, PublicKey, SystemProgram, TransactionInstruction} from '@solana/web3.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import type {CheckName} from '../../src/domain/deposit.js';
import {failed, unverified} from '../support/reports.js';
import {ofEach, ownDeal, reprepare, type OpenDeal} from '../support/solana-deal.js';
import {
  bytesIn,
  metaOf,
  MINT,
  OWNER,
  PROGRAM,
  SolanaLedger,
  STRANGER,
  swapAccountOf,
  tokenAccountOf,
  type Prepared,
} from '../support/solana-ledger.js';

const adapter = createSolanaAdapter({...TIMEOUTS, read: 100, poll: 2});
const FOREIGN_PROGRAM = 'SwapRsyqb7nHXp4g3r5v2ZbTpzqEcmYyo8pKJ1cVtiX';
const HASH = '5a'.repeat(32);

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const SYSTEM = '1'.repeat(32);

const key = (address: string) => new PublicKey(address);
const transfer = (lamports: number | bigint, to = STRANGER) =>
  SystemProgram.transfer({fromPubkey: key(OWNER), toPubkey: key(to), lamports});
const nonceAdvance = () => SystemProgram.nonceAdvance({noncePubkey: key(STRANGER), authorizedPubkey: key(OWNER)});
const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({units});
const price = (microLamports: number | bigint) => ComputeBudgetProgram.setComputeUnitPrice({microLamports});

/** A transaction of version 0, which ends with its tables: with one, where there was none. */
const withTable = (hex: string) => hex.replace(/00$/, `01${'09'.repeat(32)}010000`);

type Lie = readonly [lie: string, seen: readonly CheckName[], tell: (deal: OpenDeal) => void];
const altered = (change: NonNullable<Prepared['change']>) => (deal: OpenDeal) => reprepare(deal, {change});
const withAccount = (place: number, address: string) => altered(({keys}) => (keys.at(place)!.pubkey = key(address)));
const withData = (make: (data: Buffer) => Uint8Array) => altered(one => (one.data = Buffer.from(make(one.data))));
const withOption = (...option: readonly number[]) => withData(data => Buffer.of(...data.subarray(0, 88), ...option));
const before =
  (...instructions: readonly TransactionInstruction[]) =>
  (deal: OpenDeal) =>
    reprepare(deal, {before: instructions});

/** What is not seen of a payment whose call cannot be read, and of a transaction of several calls. */
const CALL: readonly CheckName[] = ['amount', 'call', 'order', 'secret'];
const SEVERAL: readonly CheckName[] = ['contract', ...CALL];

/** One lie each, and exactly the checks that must detect it. */
const LIES: readonly Lie[] = [
  ['more', ['amount'], deal => reprepare(deal, {amount: deal.agreed.amount + 1n})],
  ['less', ['amount'], deal => reprepare(deal, {amount: deal.agreed.amount - 1n})],
  ['another program', ['contract'], deal => reprepare(deal, {program: FOREIGN_PROGRAM})],
  ['another redeemer', ['order'], deal => reprepare(deal, {redeemer: STRANGER})],
  ['the payer as the redeemer', ['call', 'order'], deal => reprepare(deal, {redeemer: OWNER})],
  ['no redeemer', ['call', 'order'], deal => reprepare(deal, {redeemer: SYSTEM})],
  ['another secret', ['secret'], deal => reprepare(deal, {secretHash: HASH})],
  ['no timelock', ['call', 'order'], deal => reprepare(deal, {slots: 0n})],
  ['a timelock of years', ['call', 'order'], deal => reprepare(deal, {slots: 10n ** 9n})],
  ['an endless timelock', ['call', 'order'], deal => reprepare(deal, {slots: 2n ** 64n - 1n})],
  ['another timelock than the order', ['order'], deal => reprepare(deal, {slots: 215_999n})],
  [
    'the account of another swap',
    ['call'],
    deal => reprepare(deal, {account: swapAccountOf(PROGRAM, STRANGER, deal.order.source.secretHash)}),
  ],
  ['a stranger’s account for the swap', ['call'], deal => reprepare(deal, {account: STRANGER})],
  ['another fee payer', ['call'], deal => reprepare(deal, {payer: STRANGER})],
  ['another payer', ['call'], withAccount(1, STRANGER)],
  ['a payment after it', SEVERAL, deal => reprepare(deal, {after: [transfer(1)]})],
  ['a payment before it', SEVERAL, before(transfer(1))],
  ['a nonce that keeps it valid forever', SEVERAL, before(nonceAdvance())],
  [
    'the same payment twice',
    SEVERAL,
    deal => {
      const again: TransactionInstruction[] = [];
      reprepare(deal, {change: instruction => again.push(instruction)});
      reprepare(deal, {after: again});
    },
  ],
  ['more accounts than are needed', ['call'], altered(({keys}) => keys.push(metaOf(STRANGER, {writable: true})))],
  ['one account too few', ['call'], altered(({keys}) => keys.pop())],
  ['another program in place of the system program', ['call'], withAccount(-1, FOREIGN_PROGRAM)],
  ['a swap account that is not writable', ['call'], altered(({keys}) => (keys[0]!.isWritable = false))],
  ['a writable system program', ['call'], altered(({keys}) => (keys.at(-1)!.isWritable = true))],
  ['another call of the program', CALL, withData(() => bytesIn('0260b7fb3fd02e2e'))],
  ['a byte after the call', CALL, withData(data => Uint8Array.of(...data, 0))],
  ['an excessive priority fee', ['value'], before(price(10n ** 12n))],
  ['an excessive priority fee, in small units', ['value'], before(limit(200_000), price(50_000_001n * 1_000n))],
  [
    'a compute budget instruction with an account in it',
    SEVERAL,
    before(Object.assign(limit(200_000), {keys: [metaOf(STRANGER, {writable: true})]})),
  ],
  ['another order', ['order'], ({order}) => (order.id = '0'.repeat(64))],
  ['another source asset in the order', ['order'], ({order}) => (order.source.asset = 'solana_testnet:cbbtc')],
  ['another amount in the order', ['order'], ({order}) => (order.source.amount += 1n)],
  ['another destination asset', ['order'], ({order}) => (order.destination.asset = 'starknet_sepolia:wbtc')],
  ['less to receive', ['order'], ({order}) => (order.destination.amount -= 1n)],
  ['another recipient', ['order'], ({order}) => (order.destination.redeemer = 'tb1q000000')],
  ['a secret with another hash', ['secret'], ({order}) => (order.source.secret = HASH)],
  ['a destination that is locked longer', ['timelock'], ({order}) => (order.destination.timelock = 145)],
  ['another secret for the destination', ['secret'], ({order}) => (order.destination.secretHash = HASH)],
  ['a refund to another person', ['refund'], ({order}) => (order.source.initiator = STRANGER)],
  ['another asset than the agreed one', ['token'], ({agreed}) => (agreed.from.token = FOREIGN_PROGRAM)],
];

/** The same for what only the program for tokens has. */
const TOKEN_LIES: readonly Lie[] = [
  ['another token', ['token'], deal => reprepare(deal, {token: STRANGER})],
  ['another token for the same vault', ['token', 'call'], withAccount(5, STRANGER)],
  ['another authority', ['call'], withAccount(0, STRANGER)],
  ['another vault', ['call'], withAccount(2, tokenAccountOf(STRANGER))],
  ['somebody else’s tokens', ['call'], withAccount(4, tokenAccountOf(STRANGER))],
  ['another sponsor', ['call'], withAccount(6, STRANGER)],
  ['another token program', ['call'], withAccount(7, 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')],
  [
    'a sponsor that signs',
    ['call'],
    deal => reprepare(deal, {payer: STRANGER, change: ({keys}) => (keys[6]!.pubkey = key(STRANGER))}),
  ],
  ['the vault as the redeemer', ['call', 'order'], deal => reprepare(deal, {redeemer: MINT})],
  ...[[2], [0, 0], [1, 1, 0, 0], [1, 2, 0, 0, 0, 7], [1, 1, 0, 0, 0, 7, 7]].map(
    option => [`data ${option.join()}`, CALL, withOption(...option)] as const,
  ),
];

describe('the check of a Solana transaction', () => {
  let ledger: SolanaLedger;
  let stop: () => void;

  beforeEach(() => {
    ledger = new SolanaLedger();
    stop = ledger.serve();
  });
  afterEach(() => stop());

  it('passes completely if the node can be read', async () => {
    const report = await adapter.check(ownDeal(ledger), {});
    expect(report.results.map(({name, outcome}) => `${name} ${outcome}`)).to.deep.equal([
      'amount passed',
      'chain passed',
      'contract passed',
      'code passed',
      'call passed',
      'value passed',
      'order passed',
      'secret passed',
      'timelock passed',
      'refund passed',
    ]);
  });

  for (const version of ['legacy', 0] as const) {
    for (const form of ['hex', 'upper-case hex', 'base64'] as const) {
      it(`passes version ${version} as ${form}`, async () => {
        const deal = ownDeal(undefined, {version, before: [limit(200_000), price(1_000)]});
        const hex = deal.deposit.payload.transaction;
        deal.deposit.payload.transaction = {
          hex,
          'upper-case hex': hex.toUpperCase(),
          base64: btoa(String.fromCharCode(...bytesIn(hex))),
        }[form];
        expect(failed(await adapter.check(deal, {}))).to.deep.equal([]);
      });
    }
  }

  it('passes a priority fee of up to a hundredth of a SOL', async () => {
    const paying = (microLamports: bigint) => ownDeal(undefined, {before: [limit(200_000), price(microLamports)]});
    expect(failed(await adapter.check(paying(50_000_000n), {}))).to.deep.equal([]);
    expect(failed(await adapter.check(paying(50_000_001n), {}))).to.deep.equal(['value']);
    const valueOf = async (deal: OpenDeal) =>
      (await adapter.check(deal, {})).results.find(({name}) => name === 'value') ?? {};
    const [most, found] = ['priority fee up to 0.01 SOL', 'priority fee up to 0.010000001 SOL'];
    expect(await valueOf(ownDeal())).to.deep.equal({name: 'value', outcome: 'passed'});
    expect(await valueOf(paying(5n))).to.include({found: 'priority fee up to 0.000000001 SOL'});
    expect(await valueOf(paying(50_000_001n))).to.include({expected: most, found});
  });

  ofEach('fails', paying => {
    for (const [lie, seen, tell] of paying === 'sol' ? LIES : [...LIES, ...TOKEN_LIES]) {
      it(`with ${lie}: ${seen.join(', ')}`, async () => {
        const deal = ownDeal();
        tell(deal);
        const report = await adapter.check(deal, {});
        expect(report.outcome).to.equal('failed');
        expect(failed(report)).to.have.members(seen);
      });
    }
  });

  const ofTokens = () => {
    it('passes with what the program logs for the other chain', async () => {
      for (const option of [[0], [1, 0, 0, 0, 0], [1, 2, 0, 0, 0, 7, 7]]) {
        const deal = ownDeal(ledger);
        withOption(...option)(deal);
        expect((await adapter.check(deal, {})).outcome, option.join()).to.equal('passed');
      }
      const {results} = await adapter.check(ownDeal(ledger), {});
      expect(results.find(({name}) => name === 'token')).to.deep.equal({
        ...{name: 'token', outcome: 'passed', expected: MINT, found: MINT},
      });
    });
  };
  ofEach('of a token', ofTokens, ['usdc']);

  it('fails if accounts are looked up in a table', async () => {
    const deal = ownDeal(undefined, {version: 0});
    deal.deposit.payload.transaction = withTable(deal.deposit.payload.transaction);
    expect(failed(await adapter.check(deal, {}))).to.deep.equal(['call']);
  });

  for (const [what, change] of [
    ['truncated', (text: string) => text.slice(0, -2)],
    ['with trailing data', (text: string) => `${text}00`],
    ['of a later version', (text: string) => `${text.slice(0, 130)}81${text.slice(130)}`],
    ['not encoded bytes', () => 'Please sign this.'],
    ['nothing', () => ''],
  ] as const) {
    it(`fails if it is ${what}`, async () => {
      const deal = ownDeal();
      deal.deposit.payload.transaction = change(deal.deposit.payload.transaction);
      const report = await adapter.check(deal, {});
      expect(failed(report)).to.deep.equal(['call']);
      expect(report.results).to.have.length(1);
    });
  }

  it('fails if the journal has something else in its place', async () => {
    for (const transaction of [undefined, 5, {}, null]) {
      const deal = ownDeal();
      deal.deposit.payload.transaction = transaction as string;
      expect((await adapter.check(deal, {})).outcome).to.equal('failed');
    }
    const {deposit, ...rest} = ownDeal();
    for (const other of [
      {how: 'transfer', address: STRANGER, amount: 1n},
      {...deposit, payload: {...deposit.payload, family: 'evm'}},
    ] as const)
      expect(failed(await adapter.check({...rest, deposit: other as never}, {}))).to.deep.equal(['call']);
  });

  ofEach('of a program that is neither known nor vouched for', () => {
    it('never hands it the payer’s signature', async () => {
      const deal = ownDeal(ledger);
      const [address = ''] = deal.agreed.from.contracts;
      deal.agreed.from.contracts = [];
      expect(failed(await adapter.check(deal, {}))).to.deep.equal(['contract']);
      Object.assign(deal.agreed.from, {vouched: [{address}]});
      expect((await adapter.check(deal, {})).outcome).to.equal('passed');
      const other = {id: 'solana_testnet:other', symbol: 'OTHER', contracts: [address]} as const;
      expect(failed(await adapter.check(deal, {others: [other]}))).to.deep.equal(['contract']);
    });
  });

  describe('of a plain transfer', () => {
    const memo = (keys: TransactionInstruction['keys'] = [], program = MEMO) =>
      new TransactionInstruction({programId: key(program), keys, data: Buffer.from('hello')});
    const account = (address: string, signer = false) => metaOf(address, {signer, writable: true});
    /** The payment with a byte after it. */
    const longer = (one: TransactionInstruction) => Object.assign(one, {data: Buffer.from([...one.data, 0])});
    const PLAIN: readonly CheckName[] = ['amount', 'contract', 'call'];

    const deal = (make: (paid: TransactionInstruction, deal: OpenDeal) => readonly TransactionInstruction[]) => {
      const made = ownDeal(ledger);
      made.order.source.swapId = STRANGER;
      const [first, ...after] = make(transfer(made.agreed.amount), made);
      reprepare(made, {change: instruction => Object.assign(instruction, first), after});
      return made;
    };

    it('asks, if it is exactly the amount, to an address that the order names', async () => {
      for (const name of ['swapId', 'redeemer'] as const) {
        const made = deal(paid => [paid]);
        Object.assign(made.order.source, {swapId: 'an id', redeemer: 'somebody', [name]: STRANGER});
        const report = await adapter.check(made, {});
        expect(failed(report)).to.deep.equal([]);
        expect(unverified(report)).to.deep.equal(['contract', 'call', 'secret']);
        expect(report.outcome).to.equal('unverified');
        made.policy.unverified = 'stop';
        expect((await adapter.check(made, {})).outcome).to.equal('failed');
        // No hash is in the payment: the order is at odds with itself.
        made.order.destination.secretHash = HASH;
        const {results} = await adapter.check(made, {});
        const {outcome, sides} = results.find(result => result.name === 'secret') ?? {};
        expect([outcome, sides]).to.deep.equal(['failed', ['order', 'order']]);
      }
    });

    it('never asks about a transfer to a program or a token of this chain', async () => {
      const other = {id: 'solana_testnet:other', symbol: 'OTHER'} as const;
      for (const role of [{contracts: [STRANGER]}, {vouched: [{address: STRANGER}]}, {token: STRANGER}]) {
        const made = deal(paid => [paid]);
        expect(failed(await adapter.check(made, {others: [{...other, ...role}]}))).to.deep.equal(['contract']);
        Object.assign(made.agreed.from, role);
        expect(failed(await adapter.check(made, {}))).to.include('contract');
      }
    });

    it('asks, if beside it nothing can use the payer’s signature', async () => {
      for (const more of [
        limit(200_000),
        memo(),
        memo([account(OWNER, true)]),
        memo([account(STRANGER)], FOREIGN_PROGRAM),
      ]) {
        const report = await adapter.check(
          deal(paid => [paid, more]),
          {},
        );
        expect(failed(report), more.programId.toBase58()).to.deep.equal([]);
      }
    });

    for (const [what, seen, make] of [
      ['more', ['amount'], (_, {agreed}) => [transfer(agreed.amount + 1n)]],
      ['less', ['amount'], (_, {agreed}) => [transfer(agreed.amount - 1n)]],
      ['another address', ['call'], (_, {agreed}) => [transfer(agreed.amount, FOREIGN_PROGRAM)]],
      ['a second transfer', PLAIN, paid => [paid, transfer(1)]],
      ['a nonce', PLAIN, paid => [nonceAdvance(), paid]],
      [
        'another owner of the account',
        PLAIN,
        paid => [paid, SystemProgram.assign({accountPubkey: key(OWNER), programId: key(FOREIGN_PROGRAM)})],
      ],
      ['a program that gets the payer', PLAIN, paid => [paid, memo([account(OWNER)], FOREIGN_PROGRAM)]],
      ['bytes after it', PLAIN, paid => [longer(paid)]],
      ['an account more', PLAIN, paid => [Object.assign(paid, {keys: [...paid.keys, account(FOREIGN_PROGRAM)]})]],
      ['another signer', ['call'], paid => [paid, memo([account(STRANGER, true)])]],
      ['an excessive priority fee', ['value'], paid => [paid, price(10n ** 12n)]],
      // The runtime charges for it all the same.
      ['a priority fee with a byte after it', PLAIN, paid => [paid, longer(price(1n))]],
      ['a priority fee with an account', PLAIN, paid => [paid, Object.assign(price(1n), {keys: [account(STRANGER)]})]],
      ...[
        'Ed25519SigVerify111111111111111111111111111',
        'KeccakSecp256k11111111111111111111111111111',
        'Secp256r1SigVerify1111111111111111111111111',
      ].map(program => [
        `signatures that ${program} charges for`,
        PLAIN,
        (paid: TransactionInstruction) => [paid, Object.assign(memo([], program), {data: Buffer.of(255, 0)})],
      ]),
    ] as readonly (readonly [string, readonly CheckName[], Parameters<typeof deal>[0]])[]) {
      it(`stops at ${what}`, async () => {
        const report = await adapter.check(deal(make), {});
        expect(failed(report)).to.include.members([...seen]);
        expect(report.outcome).to.equal('failed');
      });
    }

    it('stops where the order names the payer, or no node of the chain knows the blockhash', async () => {
      const own = deal((_, made) => [transfer(made.agreed.amount, OWNER)]);
      own.order.source.swapId = OWNER;
      expect(failed(await adapter.check(own, {}))).to.include('call');
      const made = deal(paid => [paid]);
      ledger.outdate();
      expect(failed(await adapter.check(made, {}))).to.deep.equal(['chain']);
      Reflect.deleteProperty(made.agreed.from.chain, 'rpc');
      expect(failed(await adapter.check(made, {}))).to.deep.equal(['chain']);
      Reflect.deleteProperty(made, 'order');
      expect(failed(await adapter.check(made, {}))).to.include('call');
    });

    it('waits a moment for a node that does not know the newest block yet', async () => {
      const made = deal(paid => [paid]);
      ledger.outdate();
      let asked = 0;
      ledger.instead.set('isBlockhashValid', () => ({value: ++asked === 3}));
      expect(failed(await adapter.check(made, {}))).to.deep.equal([]);
      expect(asked).to.equal(3);
      const left = new AbortController();
      ledger.instead.set('isBlockhashValid', () => {
        left.abort();
        return {value: ++asked > 4};
      });
      const check = adapter.check(made, {signal: left.signal});
      expect(await check.catch((error: unknown) => (error as Error).name)).to.equal('AbortError');
      expect(asked).to.equal(4);
    });

    it('stops if accounts are looked up in a table', async () => {
      const made = deal(paid => [paid]);
      reprepare(made, {
        version: 0,
        change: instruction => Object.assign(instruction, transfer(made.agreed.amount)),
      });
      expect(failed(await adapter.check(made, {}))).to.deep.equal([]);
      made.deposit.payload.transaction = withTable(made.deposit.payload.transaction);
      expect(failed(await adapter.check(made, {}))).to.deep.equal(['call']);
    });

    it('stops where a token is to be paid, and where the partner names other redeemers', async () => {
      const token = deal(paid => [paid]);
      token.agreed.from.token = FOREIGN_PROGRAM;
      expect((await adapter.check(token, {})).outcome).to.equal('failed');
      const other = deal(paid => [paid]);
      Object.assign(other.policy, {redeemers: {[other.agreed.from.id]: [FOREIGN_PROGRAM]}});
      expect(failed(await adapter.check(other, {}))).to.include('redeemer');
    });
  });

  describe('of another call of a program that is vouched for', () => {
    /** A payment whose simulation leaves the payer with this much less, and with these other changes. */
    const simulated = (
      loss: bigint,
      other: {payer?: object; token?: [bigint, bigint, string?]; before?: readonly TransactionInstruction[]} = {},
    ) => {
      const deal = ownDeal(ledger);
      Object.assign(deal.agreed.from, {contracts: [], vouched: [{address: PROGRAM}]});
      const {before: first = []} = other;
      reprepare(deal, {before: first, change: instruction => (instruction.data = Buffer.from('deposit'))});
      const purse = (lamports: bigint, more: object = {}) => ({
        lamports: Number(lamports),
        owner: SYSTEM,
        data: ['', 'base64'],
        ...more,
      });
      const holding = (amount: bigint, delegate = '00') => ({
        lamports: 1,
        owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        data: [
          btoa(
            String.fromCharCode(
              ...new Uint8Array(32),
              ...key(OWNER).toBytes(),
              ...new Uint8Array(new BigUint64Array([amount]).buffer),
              ...bytesIn(delegate.repeat(93)),
            ),
          ),
          'base64',
        ],
      });
      const [before, after, delegate] = other.token ?? [];
      ledger.instead.set('getMultipleAccounts', () => ({
        value: [purse(10n ** 10n), before === undefined ? null : holding(before)],
      }));
      ledger.instead.set('simulateTransaction', () => ({
        value: {
          err: null,
          accounts: [
            purse(10n ** 10n - loss, other.payer),
            after === undefined
              ? {lamports: 1, owner: PROGRAM, data: [btoa('x'.repeat(120)), 'base64']}
              : holding(after, delegate),
          ],
        },
      }));
      ledger.instead.set('getMinimumBalanceForRentExemption', () => 1_000);
      return deal;
    };
    const amount = 354_608_265n;

    it('is paid if the payer loses the amount, rent and fees, and nothing else', async () => {
      for (const loss of [amount, amount + 6_000n, 0n]) {
        expect(failed(await adapter.check(simulated(loss), {})), String(loss)).to.deep.equal([]);
      }
      expect(failed(await adapter.check(simulated(amount, {token: [5n, 6n]}), {}))).to.deep.equal([]);
      // The fee of its priority is another 200,000.
      const urgent = {before: [limit(200_000), price(1_000_000)]};
      const {results} = await adapter.check(simulated(amount + 206_000n, urgent), {});
      const text = '0.354608265 SOL';
      expect(results[0]).to.deep.equal({name: 'amount', outcome: 'passed', expected: text, found: text});
    });

    it('waits a moment for a node that does not know the newest block yet', async () => {
      const deal = simulated(amount);
      const simulate = ledger.instead.get('simulateTransaction')!;
      let asked = 0;
      ledger.instead.set('isBlockhashValid', () => ({value: ++asked >= 3}));
      ledger.instead.set('simulateTransaction', params =>
        asked >= 3 ? simulate(params) : {value: {err: 'BlockhashNotFound', accounts: null}},
      );
      expect(failed(await adapter.check(deal, {}))).to.deep.equal([]);
    });

    it('is held to its terms where it says them, whatever its simulation shows', async () => {
      const more = metaOf(STRANGER);
      const inKnownForm = (change: Parameters<typeof reprepare>[1], isForeign: boolean) => {
        const deal = simulated(amount);
        reprepare(deal, {...change, change: ({keys}) => isForeign && keys.push(more)});
        return deal;
      };
      for (const isForeign of [false, true]) {
        expect(failed(await adapter.check(inKnownForm({}, isForeign), {}))).to.deep.equal([]);
        for (const [check, change] of [
          ['call', {slots: 2n ** 63n}],
          ['call', {slots: 0n}],
          ['call', {redeemer: OWNER}],
          ['order', {redeemer: STRANGER}],
          ['order', {slots: 215_999n}],
          ['secret', {secretHash: HASH}],
          ['amount', {amount: amount + 1n}],
        ] as const) {
          expect(failed(await adapter.check(inKnownForm(change, isForeign), {})), check).to.include(check);
        }
      }
    });

    it('is stopped if the payer loses anything more, and where nobody can simulate it', async () => {
      for (const deal of [
        simulated(amount + 6_001n),
        simulated(amount, {payer: {owner: PROGRAM}}),
        simulated(amount, {payer: {data: ['AA==', 'base64']}}),
        simulated(amount, {token: [5n, 4n]}),
        // Somebody else may move the tokens.
        simulated(amount, {token: [5n, 5n, '01']}),
      ]) {
        expect(failed(await adapter.check(deal, {}))).to.include.members(['amount', 'call']);
      }
      // What keeps something else of the payer's, a stake, say, is not touched.
      const staked = simulated(amount, {token: [5n, 5n]});
      const stakeOf = (account: string) => ({
        lamports: 5,
        owner: 'Stake11111111111111111111111111111111111111',
        data: [btoa(String.fromCharCode(...new Uint8Array(44), ...key(account).toBytes())), 'base64'],
      });
      const purse = {lamports: 10, owner: SYSTEM, data: ['', 'base64']};
      ledger.instead.set('getMultipleAccounts', () => ({value: [purse, stakeOf(OWNER)]}));
      ledger.instead.set('simulateTransaction', () => ({value: {err: null, accounts: [purse, stakeOf(STRANGER)]}}));
      expect(failed(await adapter.check(staked, {}))).to.include.members(['amount', 'call']);
      // No swap needs so large an account.
      const large = simulated(amount + 20_000_000n);
      ledger.instead.set('getMinimumBalanceForRentExemption', () => 71_000_000_000);
      expect(failed(await adapter.check(large, {}))).to.include.members(['amount', 'call']);
      const blind = simulated(amount);
      Reflect.deleteProperty(blind.agreed.from.chain, 'rpc');
      expect(failed(await adapter.check(blind, {}))).to.include.members(['amount', 'call']);
      const token = simulated(amount);
      token.agreed.from.token = FOREIGN_PROGRAM;
      expect(failed(await adapter.check(token, {}))).to.include.members(['amount', 'call']);
      const unknown = simulated(amount);
      Object.assign(unknown.agreed.from, {vouched: []});
      expect(failed(await adapter.check(unknown, {}))).to.include.members(['amount', 'contract', 'call']);
      const failing = simulated(amount);
      ledger.instead.set('simulateTransaction', () => ({value: {err: 'no', accounts: null}}));
      expect(failed(await adapter.check(failing, {}))).to.include.members(['amount', 'call']);
    });
  });

  it('fails if there is no program at that address, or not one', async () => {
    const several = ownDeal(ledger, {after: [transfer(1)]});
    expect(failed(await adapter.check(several, {}))).to.include.members(['contract', 'code']);
    ledger.programs.clear();
    expect(failed(await adapter.check(ownDeal(ledger), {}))).to.deep.equal(['code']);
  });

  it('takes the payer’s key in hex for their address, and refunds nobody else', async () => {
    const hex = (address: string) => Buffer.from(new PublicKey(address).toBytes()).toString('hex');
    const deal = ownDeal();
    deal.order.source.initiator = hex(OWNER);
    expect(failed(await adapter.check(deal, {}))).to.deep.equal([]);
    deal.order.source.initiator = hex(STRANGER);
    expect(failed(await adapter.check(deal, {}))).to.deep.equal(['refund']);
    deal.agreed.owner = deal.order.source.initiator = 'nobody';
    expect(failed(await adapter.check(deal, {}))).to.include('refund');
  });

  it('says what it found in place of the call', async () => {
    const foundIn = async (change: Parameters<typeof ownDeal>[1]) =>
      (await adapter.check(ownDeal(undefined, change), {})).results.find(({name}) => name === 'call')?.found;
    const again: TransactionInstruction[] = [];
    ownDeal(undefined, {change: instruction => again.push(instruction)});
    const account = swapAccountOf(PROGRAM, OWNER, ownDeal().order.source.secretHash);
    for (const [change, found] of [
      [{before: [limit(200_000)], after: [transfer(1)]}, SYSTEM],
      [{before: [limit(200_000)], after: again}, '3 instructions'],
      [{change: (one: TransactionInstruction) => (one.data = Buffer.from('deposit'))}, PROGRAM],
      [{change: ({keys}: TransactionInstruction) => (keys[0]!.isWritable = false)}, `rights of ${account}`],
      [{change: ({keys}: TransactionInstruction) => keys.push(metaOf(STRANGER, {writable: true}))}, STRANGER],
    ] as const)
      expect(await foundIn(change)).to.equal(found);
  });
});
