/** What a chain shows of a swap, whatever its service reports, in every dialect of the contract family. */
import {expect} from '../support/expect.js';
import {sha256} from 'ethers';
import fc from 'fast-check';
import type {ReadPayoutOptions} from '../../src/chains/adapter.js';
import type {Said} from '../../src/chains/token-htlc/dialect.js';
import type {Asset} from '../../src/domain/asset.js';
import {closeLast, openAt, PLACES} from '../support/dialects.js';
import {errorOf, faultOf} from '../support/funding.js';

const AMOUNT = 50_000n;
const [HASH, SECOND] = ['1', '2'].map(digit => `0x0${digit.repeat(63)}`) as [string, string];
const THIRD = `0x00${'ab'.repeat(31)}`;
const [SECRET, OTHER] = ['5e', '5f'].map(byte => byte.repeat(32)) as [string, string];
const SEED = 20_261_128;
const hashOf = (secret: string) => sha256(`0x${secret}`).slice(2);
/** The same number in another notation. */
const upper = (text: string) => text.toUpperCase().replace('X', 'x');

/** What ties a payout to an order, in a test's words. */
interface Ties {
  readonly recipient?: string;
  readonly secretHash?: string;
  readonly after?: bigint;
  readonly since?: number;
  readonly leg?: object | undefined;
}

type Saying = readonly [by: string, said: Said];

afterEach(closeLast);

for (const place of PLACES) {
  const {adapter, dialect, contract, token, owner, stranger} = place;
  /** An id that a service may report. */
  const named = dialect.id(`00${'ab'.repeat(31)}`)!;
  const another = dialect.id(`00${'cd'.repeat(31)}`)!;
  const paid = (id: string, secretHash: string, by = contract): Saying => [by, {what: 'paid', id, secretHash}];
  const refunded = (id: string, by = contract): Saying => [by, {what: 'refunded', id}];
  const redeemed = (id: string, secret = SECRET, by = contract, secretHash = hashOf(secret)): Saying => [
    by,
    {what: 'redeemed', id, secretHash, secret},
  ];
  const open = async () => {
    const parts = await openAt(place);
    parts.ledger.allowance = AMOUNT;
    return {...parts, pay: () => parts.fund('transaction')};
  };

  describe(`a deposit on ${place.name}`, () => {
    it('is shown with its amount, block and transaction, from its payment to its refund', async () => {
      const {ledger, pay, read, refund} = await open();
      expect(await read()).to.deep.equal({state: 'none'});
      await pay();
      const shown = {state: 'seen', amount: AMOUNT, block: 111n, hashes: [ledger.newest]};
      expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: false});
      ledger.isLate = true;
      expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: true});
      await refund();
      const end = {how: 'refunded', amount: AMOUNT, hashes: [ledger.newest], block: 112n};
      ledger.block = 200n;
      expect(await read()).to.deep.equal({...shown, isHeld: false, isRefundOpen: false, end});
    });

    for (const generation of [1, 2] as const) {
      it(`is found in a contract of generation ${String(generation)}, whatever the form of typed data, and without the service`, async () => {
        for (const tell of ['known', 'unknown', 'none'] as const) {
          const {ledger, deal, pay, read} = await open();
          ledger.generation = generation;
          if (tell === 'unknown') deal.deposit.payload.typedData.domain['version'] = '9';
          if (tell === 'none') Reflect.deleteProperty(deal.deposit.payload, 'typedData');
          await pay();
          const {order: _, ...bare} = deal;
          expect(await read(undefined, {of: bare as typeof deal}), tell).to.include({state: 'seen', isHeld: true});
        }
      });
    }

    it('at a contract that the site vouches for is not known to be absent where its call cannot be read', async () => {
      const {ledger, deal, read} = await open();
      Object.assign(deal.agreed.from, {contracts: [], vouched: [{address: contract}]});
      expect(await read()).to.deep.equal({state: 'none'});
      place.others['nothing']!(deal);
      ledger.mine(HASH);
      for (const hash of [undefined, HASH]) expect(await read(hash)).to.deep.equal({state: 'unknown'});
      deal.agreed.from.contracts = [contract];
      expect(await read(), 'its form is known, and what is signed').to.deep.equal({state: 'none'});
    });

    for (const [what, other] of [
      ['another payer', {initiator: stranger}],
      ['another redeemer', {redeemer: stranger}],
      ['another amount', {amount: AMOUNT + 1n}],
      ['another timelock', {timelock: 2_881n}],
    ] as const) {
      it(`is not taken from another order whose id the service names: ${what}`, async () => {
        const {ledger, deal, terms, updates, read, refund, keep} = await open();
        deal.order.source.swapId = named.slice(2);
        keep(named, other);
        ledger.mine(HASH, {said: [paid(named, terms.secretHash)]});
        ledger.isLate = true;
        expect(await read()).to.deep.equal({state: 'none'});
        expect((await errorOf(refund())).code).to.equal('funding-reverted');
        expect([updates, ledger.opened]).to.deep.equal([[], []]);
      });
    }

    it('under an id that only the service names needs the secret hash in the contract’s own event to count', async () => {
      const {ledger, deal, terms, read, keep} = await open();
      deal.order.source.swapId = named.slice(2);
      keep(named);
      const say = (...said: Saying[]) => ledger.mine(HASH, {said});
      expect(await read(), 'no event').to.deep.equal({state: 'none'});
      say(paid(named, hashOf('00')));
      expect(await read(), 'an earlier order of the payer’s own').to.deep.equal({state: 'none'});
      say(paid(named, terms.secretHash, stranger), paid(another, terms.secretHash));
      expect(await read(), 'of another contract, of another order').to.deep.equal({state: 'none'});
      say(paid(named, terms.secretHash));
      expect(await read()).to.deep.include({state: 'seen', amount: AMOUNT, hashes: [HASH], isHeld: true});
      ledger.fail('busy', 'events');
      await faultOf(read());
    });

    it('under a derived id needs no event, and is shown as far as the chain can be read', async () => {
      const {ledger, pay, read} = await open();
      await pay();
      ledger.fail('busy', 'events');
      const shown = {state: 'seen', amount: AMOUNT, block: 111n, isHeld: true};
      expect(await read()).to.deep.equal({...shown, isRefundOpen: false});
      ledger.fail('busy', 'try');
      expect(await read()).to.deep.equal(shown);
    });

    it('is found by its own transaction, whichever id the contract gave it', async () => {
      const {ledger, terms, read, keep} = await open();
      ledger.mine(HASH, {said: [paid(named, terms.secretHash)]});
      keep(named);
      expect(await read(HASH)).to.deep.include({state: 'seen', amount: AMOUNT, hashes: [HASH]});
      keep(named, {timelock: 1n});
      expect(await read(HASH), 'another payer’s').to.deep.equal({state: 'empty'});
      keep(named);
      ledger.mine(HASH, {said: [paid(named, terms.secretHash, stranger)]});
      expect(await read(HASH), 'an earlier order of the payer’s own, named by another').to.deep.equal({state: 'empty'});
    });

    it('is found by its order’s terms, in the contracts known for its asset', async () => {
      const {account, deal, pay, read} = await open();
      await pay();
      const [other, known] = adapter.depositsOf(deal.order, {...deal.agreed.from, contracts: [stranger, contract]});
      expect(await adapter.readDeposit({...deal, deposit: known!}, {account})).to.deep.equal(await read());
      expect(await adapter.readDeposit({...deal, deposit: other!}, {account})).not.to.include({state: 'seen'});
    });

    it('is not looked up under terms that no contract can hold', async () => {
      const {deal} = await open();
      const {source} = deal.order;
      for (const change of [
        {redeemer: 'nobody'},
        {redeemer: ''},
        {amount: -1n},
        {amount: 2n ** 256n},
        {timelock: -1},
        {timelock: 0.5},
        {secretHash: ''},
        {secretHash: source.secretHash.slice(2)},
        {secretHash: `${source.secretHash}00`},
        {secretHash: `${source.secretHash.slice(1)}g`},
      ]) {
        const order = {...deal.order, source: {...source, ...change}};
        expect(
          adapter.depositsOf(order, {...deal.agreed.from, contracts: [contract]}),
          Object.values(change).join(),
        ).to.deep.equal([]);
      }
    });

    it('is seen while its transaction is pending, and paid nothing if it reverted', async () => {
      const {ledger, read} = await open();
      for (const hash of [HASH, 'not a hash']) expect(await read(hash)).to.deep.equal({state: 'none'});
      ledger.mine(HASH, {block: undefined});
      expect(await read(HASH)).to.deep.equal({state: 'seen'});
      ledger.mine(HASH, {isReverted: true});
      expect(await read(HASH)).to.deep.equal({state: 'reverted'});
    });

    describe('that was unverified', () => {
      const GIVEN = {after: 100n, hashes: [HASH], others: 0n};
      const NONE_SENT = {...GIVEN, hashes: []};
      const UNKNOWN = {state: 'unknown'};
      const GONE = {state: 'unknown', isTaken: true};
      const shows = place.reads ? {state: 'none', isTaken: false} : UNKNOWN;
      const notYet = place.reads ? {...UNKNOWN, isTaken: false} : UNKNOWN;
      const openUnverified = async () => {
        const parts = await open();
        const {ledger, deal, read} = parts;
        const of = {...deal, unverified: true} as const;
        ledger.allowance = 0n;
        ledger.mine(HASH, {block: 101n});
        return {
          ...parts,
          readAll: () => read(undefined, {of, given: GIVEN}),
          readWith: async (given: typeof GIVEN | undefined, hash?: string) => {
            const {spent: _, isAllowed: __, ...answer} = await read(hash, {of, given});
            return answer;
          },
          move: (value: bigint, {from = owner, by = token, block = 102n} = {}) => {
            ledger.mine(SECOND, {block, said: [[by, {what: 'moved', from, to: stranger, value}]]});
          },
        };
      };

      it('is known to be absent once all that was sent is in a block, nothing is allowed, and nothing has left', async () => {
        const {ledger, readWith} = await openUnverified();
        expect(await readWith(GIVEN)).to.deep.equal(shows);
        expect(await readWith(undefined, HASH)).to.deep.equal(UNKNOWN);
        ledger.mine(HASH, {isReverted: true});
        expect(await readWith(GIVEN)).to.deep.equal(shows);
        ledger.mine(HASH, {block: undefined});
        expect(await readWith(GIVEN)).to.deep.equal(notYet);
        expect(await readWith(NONE_SENT), 'another is on its way').to.deep.equal(notYet);
        ledger.transactions.length = 0;
        expect(await readWith(GIVEN), 'unknown to the chain').to.deep.equal(notYet);
        expect(await readWith(NONE_SENT), 'no other').to.deep.equal(shows);
      });

      it('may take what it is allowed now, whoever asked for that', async () => {
        const {ledger, read, deal} = await openUnverified();
        const of = {...deal, unverified: true} as const;
        const isAllowed = async (given?: typeof GIVEN) => (await read(undefined, {of, given})).isAllowed;
        for (const given of [undefined, NONE_SENT]) {
          ledger.allowance = 1n;
          expect(await isAllowed(given)).to.equal(true);
          ledger.allowance = 0n;
          expect(await isAllowed(given)).to.equal(false);
        }
      });

      if (place.reads)
        it('is read on a chain with few blocks, and without what other orders moved', async () => {
          const {ledger, readWith, move} = await openUnverified();
          ledger.block = 2n;
          expect(await readWith({...NONE_SENT, after: 1n})).to.deep.equal(shows);
          ledger.block = 110n;
          move(AMOUNT);
          expect(await readWith({...NONE_SENT, others: AMOUNT})).to.deep.equal(shows);
          move(AMOUNT + 1n);
          expect(await readWith({...NONE_SENT, others: AMOUNT})).to.deep.equal(GONE);
        });

      if (place.reads)
        it('has spent its allowance once nothing is left of it, whatever else is on its way or has left', async () => {
          const {ledger, readAll, move} = await openUnverified();
          const spent = async () => (await readAll()).spent;
          expect(await spent()).to.deep.equal([HASH]);
          ledger.mine(SECOND, {block: undefined});
          expect(await spent(), 'another').to.deep.equal([HASH]);
          move(AMOUNT);
          expect(await spent(), 'taken').to.deep.equal([HASH]);
          ledger.allowance = 1n;
          expect(await spent()).to.equal(undefined);
          ledger.allowance = 0n;
          ledger.mine(HASH, {block: undefined});
          expect(await spent(), 'in no block').to.equal(undefined);
        });

      if (place.reads)
        it('may still be made where it was allowed since the block that all nodes have', async () => {
          const {ledger, readWith} = await openUnverified();
          ledger.when('allowance', async truth => {
            const before = await truth();
            ledger.allowance = 1n;
            return before;
          });
          expect(await readWith(GIVEN)).to.deep.equal(notYet);
        });

      it('is told by a block that all nodes have, with all that was sent in it or before it', async () => {
        const {ledger, deal, readWith} = await openUnverified();
        const lag = BigInt(Math.ceil(60 / deal.agreed.from.chain.blockSeconds));
        ledger.mine(HASH, {block: ledger.block - lag});
        expect(await readWith(GIVEN)).to.deep.equal(shows);
        ledger.mine(HASH, {block: ledger.block - lag, isReverted: true});
        expect(await readWith(GIVEN, HASH)).to.deep.equal({state: 'reverted'});
        if (place.reads) {
          await readWith(GIVEN);
          const asked = ledger.reads.findLast(({question, at}) => question === 'allowance' && at !== undefined);
          expect(asked?.at).to.equal(ledger.block - lag);
        }
        for (const isReverted of [true, false]) {
          ledger.mine(HASH, {block: ledger.block - lag + 1n, isReverted});
          const shown = isReverted ? UNKNOWN : notYet;
          expect(await readWith(GIVEN, HASH), 'another node may not have it').to.deep.equal(shown);
        }
      });

      it('may still be made where anything is allowed, or anything has left the payer since', async () => {
        const {ledger, readWith, move} = await openUnverified();
        ledger.allowance = 1n;
        expect(await readWith(GIVEN)).to.deep.equal(notYet);
        move(AMOUNT);
        const gone = place.reads ? GONE : UNKNOWN;
        expect(await readWith(GIVEN), 'it is still allowed').to.deep.equal(gone);
        ledger.allowance = 0n;
        expect(await readWith(GIVEN)).to.deep.equal(gone);
        expect(await readWith(NONE_SENT), 'the wallet said no each time').to.deep.equal(gone);
        move(1n);
        expect(await readWith(GIVEN), 'a part').to.deep.equal(gone);
        move(1n, {block: 100n});
        expect(await readWith(GIVEN), 'in the block of the height').to.deep.equal(gone);
        for (const other of [{from: stranger}, {by: contract}, {block: 99n}] as const) {
          move(AMOUNT, other);
          expect(await readWith(GIVEN), Object.keys(other)[0]).to.deep.equal(shows);
        }
      });

      it('was made if its own transaction took the amount, by the token’s own event', async () => {
        const {ledger, readWith} = await openUnverified();
        const mine = (said: readonly Saying[]) => ledger.mine(SECOND, {block: 101n, said});
        const moved = (value: bigint, from = owner, by = token): Saying => [
          by,
          {what: 'moved', from, to: stranger, value},
        ];
        ledger.allowance = 1n;
        mine([moved(AMOUNT - 1n), moved(1n)]);
        expect(await readWith(undefined, SECOND)).to.deep.equal(GONE);
        for (const said of [[moved(AMOUNT - 1n)], [moved(AMOUNT, stranger)], [moved(AMOUNT, owner, contract)], []]) {
          mine(said);
          expect(await readWith(undefined, SECOND)).to.deep.equal(UNKNOWN);
        }
      });

      if (place.reads)
        it('is read in an order in which nothing can come between: what was sent, what is on its way, the allowance, what left', async () => {
          const {ledger, readWith} = await openUnverified();
          ledger.reads.length = 0;
          await readWith(GIVEN);
          const asked = ledger.reads.map(({question}) => question);
          expect(asked.filter(one => ['status', 'receipt', 'nonce', 'allowance', 'moves'].includes(one))).to.deep.equal(
            ['receipt', 'nonce', 'nonce', 'allowance', 'allowance', 'moves'],
          );
          for (const question of ['receipt', 'nonce', 'allowance', 'moves'] as const) {
            ledger.fail('busy', question);
            await faultOf(readWith(GIVEN));
            ledger.heal();
          }
        });
    });

    it('is empty if its transaction succeeded in a block and the contract has no order', async () => {
      const {ledger, deal, read} = await open();
      ledger.mine(HASH);
      expect(await read(HASH)).to.deep.equal({state: 'empty'});
      deal.deposit.payload.typedData.domain['version'] = '9';
      const state = dialect.hasOtherIds ? 'unknown' : 'empty';
      expect(await read(HASH), 'a contract that may have ids of its own').to.deep.equal({state});
      expect(await read()).to.deep.equal({state: dialect.hasOtherIds ? 'unknown' : 'none'});
    });

    it('is not found empty from a state before its transaction', async () => {
      const {ledger, pay, read} = await open();
      await pay();
      const hash = ledger.newest;
      const orders = new Map(ledger.orders);
      const asked = () => ledger.reads.filter(({question}) => question === 'order').at(-1)?.at;
      // The node that returns the newest state lags behind.
      ledger.when('order', (truth, at) => (at === undefined ? undefined : truth()));
      ledger.when('head', () => 110n);
      expect(await read(hash)).to.deep.include({state: 'seen', amount: AMOUNT, block: 111n, isHeld: true});
      expect(asked()).to.equal(111n);
      // A node with a newer state may no longer have that of the block.
      ledger.heal();
      ledger.orders.clear();
      ledger.block = 5_000n;
      expect(await read(hash)).to.deep.equal({state: 'empty'});
      expect(asked()).to.equal(5_000n);
      // A node that does not have it yet has shown nothing.
      ledger.block = 100n;
      for (const [id, order] of orders) ledger.orders.set(id, order);
      await faultOf(read(hash));
    });

    it('is unknown if the contract’s response is unknown, except for what its transaction shows', async () => {
      for (const failure of ['strange', 'reverts', ...(dialect.isMute ? (['mute'] as const) : [])] as const) {
        const {ledger, read} = await open();
        ledger.fail(failure, 'order');
        expect(await read()).to.deep.equal({state: 'unknown'});
        expect(await read(HASH)).to.deep.equal({state: 'unknown'});
        ledger.mine(HASH, {block: undefined});
        expect(await read(HASH)).to.deep.equal({state: 'seen'});
        ledger.mine(HASH, {isReverted: true});
        expect(await read(HASH)).to.deep.equal({state: 'reverted'});
        ledger.mine(HASH);
        expect(await read(HASH)).to.deep.equal({state: 'unknown'});
      }
    });

    describe('that ended', () => {
      const openEnded = async () => {
        const parts = await open();
        const {ledger, pay, read} = parts;
        await pay();
        const [[id = '', kept] = []] = ledger.orders;
        Object.assign(kept!, {isHeld: false, endedIn: 150n});
        ledger.block = 200n;
        const say = (...said: Saying[]) => ledger.mine(HASH, {block: 150n, said});
        return {
          ...parts,
          id,
          kept: kept!,
          say,
          endOf: async (...ends: string[]) => (await read(undefined, {ends})).end,
        };
      };
      const REFUNDED = {how: 'refunded', amount: AMOUNT, hashes: [HASH], block: 150n};

      for (const endedIn of [150n, undefined]) {
        it(`shows how by the contract’s own event for its id${endedIn ? '' : ', without its block'}`, async () => {
          const {ledger, kept, id, say, endOf} = await openEnded();
          Object.assign(kept, {endedIn});
          expect(await endOf()).to.equal(undefined);
          say(refunded(id));
          expect(await endOf()).to.deep.equal(REFUNDED);
          say(redeemed(id));
          const redeem = {...REFUNDED, how: 'redeemed', amount: 0n};
          expect(await endOf()).to.deep.equal(redeem);
          ledger.when('events', (truth, at) => (at === undefined ? Promise.reject(new Error('too many')) : truth()));
          expect(await endOf(), 'from a node that reads few blocks').to.deep.equal(endedIn && redeem);
          ledger.heal();
          say(refunded(id, stranger), refunded(another));
          expect(await endOf()).to.equal(undefined);
        });
      }

      it('shows how by the transactions that may have ended it, if the node returns no events', async () => {
        const {ledger, id, say, endOf} = await openEnded();
        say(refunded(id));
        ledger.mine(SECOND, {block: 151n, said: [refunded(id, stranger), refunded(another)]});
        ledger.fail('busy', 'events');
        ledger.reads.length = 0;
        expect(await endOf('nothing')).to.equal(undefined);
        expect(ledger.reads.map(({question}) => question)).not.to.include('receipt');
        expect(await endOf(SECOND)).to.equal(undefined);
        expect(await endOf('nothing', SECOND, HASH)).to.deep.equal(REFUNDED);
        ledger.mine(HASH, {block: 150n, isReverted: true, said: [refunded(id)]});
        expect(await endOf(HASH), 'refused by the chain').to.equal(undefined);
        if (!place.foretells) return;
        ledger.mine(HASH, {block: undefined, said: [refunded(id)]});
        const {block: _, ...inNoBlock} = REFUNDED;
        expect(await endOf(HASH)).to.deep.equal(inNoBlock);
      });
    });

    for (const question of ['chain', 'order', 'status'] as const) {
      it(`proves nothing if a read failed: ${question}`, async () => {
        for (const failure of ['busy', undefined] as const) {
          const {ledger, read} = await open();
          ledger.fail(failure, question);
          await faultOf(read(HASH));
        }
      });
    }

    it('is unknown if it cannot be read from here', async () => {
      const {ledger, deal, read, blind} = await open();
      const unknown = {state: 'unknown'};
      const other = structuredClone(deal);
      place.others['nothing']!(other);
      for (const part of [other, other.deposit.payload]) {
        for (const name of ['order', 'typedData']) Reflect.deleteProperty(part, name);
      }
      expect(await read(undefined, {of: other}), 'no swap').to.deep.equal(unknown);
      const nobody = {...deal, agreed: {...deal.agreed, owner: 'nobody'}};
      expect(await read(undefined, {of: nobody}), 'no payer').to.deep.equal(unknown);
      ledger.isOther();
      expect(await read(), 'another chain answers').to.deep.equal(unknown);
      ledger.when('chain', () => null);
      await faultOf(read());
      blind();
      expect(await adapter.readDeposit(deal, {}), 'nothing to ask').to.deep.equal(unknown);
    });
  });

  describe(`a payout on ${place.name}`, () => {
    const moved = (from: string, to: string, value: bigint, by = token): Saying => [
      by,
      {what: 'moved', from, to, value},
    ];
    const NOTHING = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
    const LOOSE = {...NOTHING, loose: AMOUNT};
    const shown = (amount: bigint) => ({...NOTHING, amount, hashes: [HASH], block: 112n, secret: SECRET});
    const all = moved(contract, owner, AMOUNT);

    const openPaid = async (...said: Saying[]) => {
      const parts = await open();
      const {ledger, deal, account, keep} = parts;
      ledger.block = 113n;
      const say = (...more: Saying[]) => ledger.mine(HASH, {block: 112n, said: more});
      say(...said);
      keep(named, {initiator: stranger, redeemer: owner, isHeld: false});
      const {from} = deal.agreed;
      const {token: _, ...coin} = from;
      const read = (
        asset: Asset = from,
        hashes: readonly string[] = [HASH],
        {recipient = upper(owner), secretHash = hashOf(SECRET), after, since = 0, leg}: Ties = {},
      ) =>
        adapter.readPayout(asset, recipient, hashes, {
          account,
          secretHash,
          after,
          since,
          leg: leg as ReadPayoutOptions['leg'],
        });
      return {...parts, from, coin, say, read};
    };

    it('is what the token’s events show as moved to the recipient, in a transaction that reveals the secret', async () => {
      const {read} = await openPaid(
        redeemed(named),
        moved(contract, owner, 40_000n),
        moved(contract, stranger, 7_000n),
        moved(contract, owner, 9_000n, stranger),
        moved(owner, stranger, 1_000n),
      );
      expect(await read()).to.deep.equal(shown(39_000n));
    });

    it('is unrelated money if the transaction reveals no secret of a swap that pays this recipient', async () => {
      const {ledger, say, read, keep} = await openPaid(all);
      expect(await read()).to.deep.equal(LOOSE);
      for (const [what, saying] of [
        ['a secret that does not match', redeemed(named, SECRET, contract, hashOf('00'))],
        ['no such order', redeemed(another)],
        ['a refund', refunded(named)],
        ['no secret', [contract, {what: 'redeemed', id: named, secretHash: hashOf(SECRET), secret: undefined}]],
      ] as readonly [string, Saying][]) {
        say(saying, all);
        expect(await read(), what).to.deep.equal(LOOSE);
      }
      say(redeemed(named), all);
      expect(await read()).to.deep.equal(shown(AMOUNT));
      keep(named, {initiator: owner, redeemer: stranger, isHeld: false});
      expect(await read(), 'a swap that pays another').to.deep.equal(LOOSE);
      for (const failure of ['strange', 'reverts', ...(dialect.isMute ? (['mute'] as const) : [])] as const) {
        ledger.fail(failure, 'order');
        expect(await read(), 'a contract that cannot say whom').to.deep.equal(LOOSE);
      }
    });

    it('belongs to another order if it reveals another secret, and finds this one among several', async () => {
      const {say, read, from, keep} = await openPaid(redeemed(named), all);
      expect(await read(from, [HASH], {secretHash: upper(hashOf(SECRET))})).to.deep.equal(shown(AMOUNT));
      const earlier = {...NOTHING, earlier: AMOUNT};
      expect(await read(from, [HASH], {secretHash: hashOf(OTHER)})).to.deep.equal(earlier);
      say(redeemed(named), all, moved(stranger, owner, 3n));
      const withMore = await read(from, [HASH], {secretHash: hashOf(OTHER)});
      expect(withMore, 'with all that came beside it').to.deep.equal({...NOTHING, earlier: AMOUNT + 3n});
      keep(another, {initiator: stranger, redeemer: owner, isHeld: false});
      say(all, redeemed(named), redeemed(another, OTHER), all);
      expect((await read(from, [HASH], {secretHash: hashOf(OTHER)}))?.secret).to.equal(OTHER);
    });

    it('is unrelated money if only an unknown contract reveals the secret, whose record its owner writes', async () => {
      const {read, from} = await openPaid(redeemed(named), all);
      expect(await read({...from, contracts: [stranger]})).to.deep.equal(LOOSE);
      expect(await read({...from, contracts: []}), 'where none is known').to.deep.equal(LOOSE);
    });

    describe('in a transaction that redeems several swaps', () => {
      const openSeveral = async (...more: Saying[]) => {
        const parts = await openPaid();
        const {say, read, from, keep, ledger} = parts;
        keep(named, {initiator: contract, redeemer: owner, isHeld: false});
        keep(another, {initiator: contract, redeemer: owner, isHeld: false, amount: 7n});
        const both = [redeemed(named), redeemed(another, OTHER), all, moved(contract, owner, 7n)];
        say(...both, ...more);
        const of = async (secret: string, leg?: object, hashes = [HASH]) => {
          const {amount, loose, earlier} = (await read(from, hashes, {secretHash: hashOf(secret), leg}))!;
          return [amount, loose, earlier];
        };
        return {...parts, both, ledger, of};
      };

      it('is the amount of this order’s swap alone, by the contract’s own record', async () => {
        const {of, say, both, read} = await openSeveral();
        expect(await of(SECRET)).to.deep.equal([AMOUNT, 0n, 7n]);
        expect(await of(OTHER)).to.deep.equal([7n, 0n, AMOUNT]);
        expect(await of('00'.repeat(32)), 'neither').to.deep.equal([0n, 0n, AMOUNT + 7n]);
        say(...both, moved(stranger, owner, 3n));
        expect(await of(OTHER), 'and was sent more').to.deep.equal([7n, 3n, AMOUNT]);
        say(redeemed(named), redeemed(named), ...both);
        expect(await of(SECRET), 'a record counts once').to.deep.equal([AMOUNT, 0n, 7n]);
        expect(await read()).to.deep.equal({...shown(AMOUNT), earlier: 7n});
      });

      it('is less than agreed where its swap held less, however much came with others', async () => {
        const {of, keep} = await openSeveral();
        keep(named, {initiator: stranger, redeemer: owner, isHeld: false, amount: AMOUNT - 1n});
        expect(await of(SECRET)).to.deep.equal([AMOUNT - 1n, 1n, 7n]);
      });

      it('with one secret is the one with the id in the order, or with its terms, and unrelated money otherwise', async () => {
        const {of, say, ledger, terms} = await openSeveral();
        const {timelock} = terms;
        const leg = (swapId: string, amount = 0n) => ({swapId, initiator: upper(contract), timelock, amount});
        say(redeemed(named), redeemed(another), all, moved(contract, owner, 7n));
        const [first, second, neither] = [
          [AMOUNT, 7n, 0n],
          [7n, AMOUNT, 0n],
          [0n, AMOUNT + 7n, 0n],
        ];
        expect(await of(SECRET, leg(named.slice(2)))).to.deep.equal(first);
        expect(await of(SECRET, leg(another.slice(2), AMOUNT)), 'the id decides').to.deep.equal(second);
        expect(await of(SECRET, leg('', AMOUNT))).to.deep.equal(first);
        expect(await of(SECRET, leg('', 7n))).to.deep.equal(second);
        for (const [what, other] of [
          ['another id', leg(`00${'ef'.repeat(31)}`, AMOUNT)],
          ['another amount', leg('', 8n)],
          ['another timelock', {...leg('', AMOUNT), timelock: Number(timelock) + 1}],
          ['another payer', {...leg('', AMOUNT), initiator: owner}],
          ['no order', undefined],
        ] as const) {
          expect(await of(SECRET, other), what).to.deep.equal(neither);
        }
        say(redeemed(named), all);
        ledger.mine(THIRD, {block: 112n, said: [redeemed(another), moved(contract, owner, 7n)]});
        expect(await of(SECRET, leg(another.slice(2)), [HASH, THIRD]), 'in two transactions').to.deep.equal(second);
        expect(await of(SECRET, leg('nothing', 8n)), 'the only one').to.deep.equal([AMOUNT, 0n, 0n]);
        const other = `00${'ef'.repeat(31)}`;
        expect(await of(SECRET, leg(other, AMOUNT)), 'by its terms').to.deep.equal([AMOUNT, 0n, 0n]);
        expect(await of(SECRET, leg(other, 8n)), 'another order’s with the same secret').to.deep.equal([
          0n,
          AMOUNT,
          0n,
        ]);
      });

      it('is credited to no two orders, and an ordinary one whole', async () => {
        const {ledger, keep, read, from, coin} = await openPaid();
        const amount = fc.bigInt({min: 1n, max: 1_000n});
        const swap = fc.record({amount, secret: fc.nat({max: 3}), isOurs: fc.boolean(), isKnown: fc.boolean()});
        const assets: readonly Asset[] = dialect.coin ? [from, coin] : [from];
        await fc.assert(
          fc.asyncProperty(
            fc.array(swap, {minLength: 1, maxLength: 5}),
            fc.array(fc.bigInt({min: -1_500n, max: 1_500n}), {maxLength: 2}),
            fc.constantFrom(...assets),
            async (swaps, others, asset) => {
              ledger.orders.clear();
              const made = swaps.map(({secret, isOurs, isKnown, ...one}, at) => {
                const id = dialect.id(`00${'ab'.repeat(30)}0${String(at + 1)}`)!;
                const digits = `5${String(secret)}`.repeat(32);
                keep(id, {initiator: stranger, redeemer: isOurs ? owner : stranger, isHeld: false, ...one});
                const said = redeemed(id, digits, isKnown ? contract : stranger);
                return {id, digits, isPaid: isOurs && isKnown, said, ...one, to: isOurs ? owner : stranger};
              });
              const moves = [
                ...made.map(({to, amount: paid}) => moved(contract, to, paid)),
                ...others.map(more => (more < 0n ? moved(owner, stranger, -more) : moved(stranger, owner, more))),
              ];
              const isCoin = asset.token === undefined;
              const sent = isCoin ? others.reduce((sum, more) => sum + more, 0n) : 0n;
              ledger.mine(HASH, {
                block: 112n,
                said: [...made.map(({said}) => said), ...(isCoin ? [] : moves)],
                ...(sent !== 0n && {
                  coins:
                    sent < 0n ? {from: owner, to: stranger, value: -sent} : {from: stranger, to: owner, value: sent},
                }),
              });
              const came = made
                .filter(({to, isPaid}) => (isCoin ? isPaid : to === owner))
                .reduce((sum, {amount: paid}) => sum + paid, 0n);
              const net = others.reduce((sum, more) => sum + more, came);
              const credits = await Promise.all(
                made.map(async ({id, digits}) => {
                  const leg = {swapId: id.slice(2), initiator: stranger, timelock: 1, amount: 0n};
                  const payout = (await read(asset, [HASH], {secretHash: hashOf(digits), leg}))!;
                  expect(payout.amount + payout.loose + payout.earlier).to.equal(net > 0n ? net : 0n);
                  return payout.amount;
                }),
              );
              // Two that are not the recipient's, or of an unknown contract, with the secret of a third are its order.
              const orders = credits.filter((_, at) => {
                const {digits, isPaid} = made[at]!;
                const same = made.filter(one => one.digits === digits);
                return isPaid || !same.some(one => one.isPaid);
              });
              const sum = orders.reduce((all, credit) => all + credit, 0n);
              expect(sum <= (net > 0n ? net : 0n), `${String(sum)} of ${String(net)}`).to.equal(true);
              if (others.some(more => more < 0n)) return;
              for (const [at, {isPaid, amount: paid}] of made.entries()) if (isPaid) expect(credits[at]).to.equal(paid);
            },
          ),
          {seed: SEED, numRuns: 100},
        );
      });
    });

    it('is earlier money if the block is older than the order', async () => {
      const {ledger, read, from} = await openPaid(redeemed(named), moved(contract, owner, 1n));
      const at = ledger.timeOf(112n);
      expect(await read(from, [HASH], {since: at})).to.deep.equal(shown(1n));
      expect(await read(from, [HASH], {since: at + 1})).to.deep.equal({...NOTHING, earlier: 1n});
      ledger.fail('strange', 'time');
      await faultOf(read(from, [HASH], {since: 1}));
    });

    it('is earlier money up to the height at which the order was placed, whatever any clock says', async () => {
      const {ledger, read, from} = await openPaid(redeemed(named), all);
      ledger.fail('strange', 'time');
      for (const since of [0, ledger.timeOf(112n) + 1]) {
        expect(await read(from, [HASH], {after: 111n, since})).to.deep.equal(shown(AMOUNT));
        expect(await read(from, [HASH], {after: 112n, since})).to.deep.equal({...NOTHING, earlier: AMOUNT});
      }
    });

    it('sums several transactions, each once, and has a block once they all have', async () => {
      const {ledger, read, from} = await openPaid(redeemed(named), moved(contract, owner, 40_000n));
      expect(await read(from, [HASH, THIRD, HASH])).to.deep.equal(shown(40_000n));
      ledger.mine(THIRD, {block: 113n, said: [redeemed(named), moved(contract, owner, 5n)]});
      ledger.mine(SECOND, {block: 111n});
      ledger.reads.length = 0;
      const both = {...shown(40_005n), hashes: [HASH, THIRD], block: 113n};
      expect(await read(from, [HASH, THIRD, SECOND, upper(THIRD)])).to.deep.equal(both);
      // Once for each block with a payout.
      const asked = () => ledger.reads.filter(({question}) => question === 'time').map(({at}) => at);
      expect(new Set(asked())).to.deep.equal(new Set([112n, 113n]));
      expect(asked()).to.have.length(2);
      ledger.mine(THIRD, {block: 112n, said: [redeemed(named), moved(contract, owner, 5n)]});
      ledger.reads.length = 0;
      await read(from, [HASH, THIRD]);
      expect(asked()).to.deep.equal([112n]);
    });

    if (place.foretells) {
      it('has no block while its transaction is in none', async () => {
        const {ledger, read, from} = await openPaid();
        ledger.mine(HASH, {block: undefined, said: [redeemed(named), all]});
        const {block: _, ...inNoBlock} = shown(AMOUNT);
        expect(await read(from, [HASH], {since: Date.now()}), 'in the next one').to.deep.equal(inNoBlock);
      });
    }

    it('is zero if the transaction is unknown, reverted, or moved nothing', async () => {
      const {ledger, read, from} = await openPaid();
      expect(await read()).to.deep.equal(NOTHING);
      expect(await read(from, [THIRD])).to.deep.equal(NOTHING);
      ledger.mine(HASH, {block: 112n, isReverted: true, said: [redeemed(named), all]});
      expect(await read()).to.deep.equal(NOTHING);
      ledger.reads.length = 0;
      expect(await read(from, ['../admin', 'a'.repeat(64)])).to.deep.equal(NOTHING);
      expect(ledger.reads.map(({question}) => question)).not.to.include('receipt');
    });

    if (dialect.coin) {
      it('of the native coin is what a known contract held for the recipient and paid out', async () => {
        const {ledger, say, read, coin} = await openPaid(redeemed(named));
        expect(await read(coin)).to.deep.equal(shown(AMOUNT));
        expect(await read(coin, [HASH], {recipient: stranger})).to.deep.equal(NOTHING);
        ledger.when('balance', (_, at) => (at === 112n ? AMOUNT : 0n));
        expect(await read({...coin, contracts: [stranger]}), 'by no known one').to.deep.equal(NOTHING);
        ledger.heal();
        say(refunded(named));
        expect(await read(coin, [HASH], {recipient: stranger}), 'a refund').to.deep.equal(LOOSE);
        say(paid(named, hashOf(SECRET)));
        expect(await read(coin, [HASH], {recipient: stranger}), 'a payment').to.deep.equal(NOTHING);
      });

      it('of the native coin from an unknown contract is unrelated money, as far as the coins arrived', async () => {
        const {ledger, read, coin} = await openPaid(redeemed(named));
        for (const came of [AMOUNT, 10n]) {
          ledger.when('balance', (_, at = 0n) => 10n ** 6n + (at - 111n) * came);
          expect(await read({...coin, contracts: []})).to.deep.equal({...NOTHING, loose: came});
        }
        ledger.fail('busy', 'balance');
        await faultOf(read({...coin, contracts: []}));
      });

      it('of the native coin is unrelated money if it was merely sent', async () => {
        const {ledger, read, coin, from} = await openPaid();
        const send = (sender: string, to: string | null) =>
          ledger.mine(HASH, {block: 112n, coins: {from: sender, to, value: AMOUNT}});
        send(stranger, owner);
        expect(await read(coin)).to.deep.equal(LOOSE);
        expect(await read({...coin, contracts: []})).to.deep.equal(LOOSE);
        expect(await read(from), 'of a token it is none').to.deep.equal(NOTHING);
        expect(await read(coin, [HASH], {recipient: stranger}), 'who sent it').to.deep.equal(NOTHING);
        send(owner, owner);
        expect(await read(coin)).to.deep.equal(NOTHING);
        send(stranger, null);
        expect(await read(coin)).to.deep.equal(NOTHING);
        ledger.fail('strange', 'sent');
        await faultOf(read(coin));
      });
    } else {
      it('of an address that is not a token is unknown', async () => {
        const {read, coin} = await openPaid(redeemed(named), all);
        expect(await read(coin)).to.equal(undefined);
      });
    }

    for (const question of ['chain', 'receipt', 'order', 'time'] as const) {
      it(`is unknown if a read failed: ${question}`, async () => {
        for (const failure of ['busy', undefined] as const) {
          const {ledger, read} = await openPaid(redeemed(named), all);
          ledger.fail(failure, question);
          await faultOf(read());
        }
      });
    }

    it('is undefined if it cannot be read from here', async () => {
      const {ledger, from, read, blind} = await openPaid(redeemed(named), all);
      expect(await read(from, [HASH], {recipient: 'nobody'})).to.equal(undefined);
      ledger.isOther();
      expect(await read()).to.equal(undefined);
      blind();
      expect(await adapter.readPayout(from, owner, [HASH], {})).to.equal(undefined);
    });
  });
}
