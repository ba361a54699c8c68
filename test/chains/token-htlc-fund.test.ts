/**
 * Payments, refunds and wallet requests, in every dialect of the contract family. Exact bytes, kinds of accounts and
 * the errors of one family's wallets are in its own file.
 */
import {expect} from '../support/expect.js';
import type {FundOptions} from '../../src/chains/adapter.js';
import {foreseeToken} from '../../src/chains/funding.js';
import type {CheckReport} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {BALANCE, closeLast, openAt, PLACES, type Opened} from '../support/dialects.js';
import {errorOf, hasSettledAt, isRefundOpen} from '../support/funding.js';
import {Fault, type HtlcLedger} from '../support/htlc-ledger.js';

const AMOUNT = 50_000n;
const HASH = `0x0${'1'.repeat(63)}`;
const WAYS = ['transaction', 'signature'] as const;

afterEach(closeLast);

describe('the requests that a payment of a token needs', () => {
  const plan = (allowed: Readonly<Record<string, bigint>> | undefined) =>
    foreseeToken(
      ['first', 'second'],
      AMOUNT,
      allowed && (contract => Promise.resolve(allowed[contract] ?? Promise.reject(new Fault('busy')))),
    );

  it('have no approval if one of its contracts is known to be allowed the amount', async () => {
    expect(await plan({first: 0n, second: AMOUNT})).to.deep.equal(['sign']);
    expect(await plan({second: AMOUNT + 1n})).to.deep.equal(['sign']);
    expect(await plan({first: AMOUNT - 1n, second: 0n})).to.deep.equal(['approve', 'sign']);
    for (const unknown of [{}, undefined]) expect(await plan(unknown)).to.deep.equal(['approve', 'sign']);
  });
});

for (const place of PLACES) {
  const {adapter, dialect, contract, token, owner, stranger, reads, batches} = place;
  const open = () => openAt(place);
  const openAllowed = async () => {
    const parts = await open();
    parts.ledger.allowance = AMOUNT;
    return parts;
  };

  const sent = (ledger: HtlcLedger) =>
    ledger.sent.map(({from, calls}) => [
      dialect.address(from),
      ...calls.map(call => {
        const to = {[contract]: 'contract', [token]: 'token'}[dialect.address(call.to)] ?? call.to;
        return `${call.what} ${to}${call.what === 'approve' ? ` ${String(call.amount)}` : ''}`;
      }),
    ]);
  const approve = `approve token ${String(AMOUNT)}`;
  const pay = 'initiate contract';
  /** A payment of a token without an allowance: in one transaction, or in two. */
  const unallowed = {
    sent: batches
      ? [[owner, approve, pay]]
      : [
          [owner, approve],
          [owner, pay],
        ],
    plan: batches ? ['send'] : ['approve', 'send'],
    updates: [...(batches ? [] : ['approve asking', 'approve sent #']), 'send asking', 'send sent #'],
  };

  describe(`paying on ${place.name}`, () => {
    it('by transaction: sends the call that was checked, from the owner, and returns its hash', async () => {
      const {ledger, terms, updates, plans, fund} = await openAllowed();
      expect(await fund('transaction')).to.deep.equal({how: 'transaction', hash: ledger.newest});
      expect(plans).to.deep.equal([['send']]);
      expect(updates).to.deep.equal(['send asking', 'send sent #']);
      expect(sent(ledger)).to.deep.equal([[owner, pay]]);
      const [{amount, timelock, block, isHeld} = {}] = ledger.orders.values();
      expect({amount, timelock, block, isHeld}).to.deep.equal({
        amount: AMOUNT,
        timelock: terms.timelock,
        block: 111n,
        isHeld: true,
      });
      expect([ledger.balance, ledger.allowance]).to.deep.equal([BALANCE - AMOUNT, 0n]);
    });

    it('by transaction: approves exactly the amount if nothing is allowed, and says so before the prompt', async () => {
      const {ledger, updates, plans, fund} = await open();
      const onPlan: FundOptions['onPlan'] = plan => {
        expect(ledger.opened).to.deep.equal([]);
        plans.push([...plan]);
      };
      await fund('transaction', {onPlan});
      expect(plans).to.deep.equal([unallowed.plan]);
      expect(updates).to.deep.equal(unallowed.updates);
      expect(sent(ledger)).to.deep.equal(unallowed.sent);
      expect([ledger.balance, ledger.allowance]).to.deep.equal([BALANCE - AMOUNT, 0n]);
    });

    for (const allowed of [0n, AMOUNT - 1n]) {
      it(`by signature: approves exactly the amount first if ${String(allowed)} is allowed`, async () => {
        const {ledger, updates, plans, fund} = await open();
        ledger.allowance = allowed;
        await fund('signature');
        expect(plans).to.deep.equal([['approve', 'sign']]);
        expect(updates).to.deep.equal(['approve asking', 'approve sent #', 'sign asking', 'sign signed']);
        expect(sent(ledger)).to.deep.equal([[owner, approve]]);
        expect(ledger.allowance).to.equal(AMOUNT);
      });
    }

    describe('does not give a signature away', () => {
      /** Another swap from the same account uses the allowance while the wallet is asked. */
      const useUp = ({ledger}: Opened, more: () => void = () => undefined) => {
        ledger.when('sign', truth => {
          ledger.allowance = 1n;
          more();
          return truth();
        });
      };

      it('if another swap has used the allowance since', async () => {
        const parts = await openAllowed();
        useUp(parts);
        expect(await errorOf(parts.fund('signature'))).to.include({code: 'approval-failed', field: 'used'});
        expect(parts.updates).to.deep.equal(['sign asking', 'sign signed']);
        parts.ledger.heal();
        await parts.fund('signature');
        expect(parts.plans).to.deep.equal([['sign'], ['approve', 'sign']]);
      });

      it('if it was this very order that used it', async () => {
        const parts = await openAllowed();
        useUp(parts, () => parts.keep(parts.ledger.idsOf(parts.terms, owner)[0]));
        expect(await errorOf(parts.fund('signature'))).to.include({code: 'wallet-unclear', field: 'paid'});
      });

      it('but does if the chain cannot be read for that, or one of its nodes only lags', async () => {
        for (const question of ['allowance', 'order'] as const) {
          const parts = await openAllowed();
          useUp(parts, () => {
            parts.ledger.fail('busy', question);
          });
          expect((await parts.fund('signature')).how, question).to.equal('signature');
          closeLast();
        }
        const parts = await openAllowed();
        let [looks, allowed] = [0, 0n];
        useUp(parts, () => {
          parts.ledger.when('allowance', () => {
            looks += 1;
            setTimeout(() => (allowed = AMOUNT));
            return allowed;
          });
        });
        expect((await parts.fund('signature')).how).to.equal('signature');
        expect(looks).to.equal(2);
      });
    });

    it('waits until the chain shows the approval, without prompting before', async () => {
      const {ledger, updates, fund} = await open();
      let looks = 0;
      ledger.when('allowance', () => {
        looks++;
        if (looks > 1) expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
        return looks < 4 ? 0n : AMOUNT;
      });
      let before = 0;
      ledger.when('sign', truth => {
        before = looks;
        ledger.when('allowance', () => AMOUNT);
        return truth();
      });
      await fund('signature');
      expect([before, looks]).to.deep.equal([4, 4]);
    });

    for (const [what, send, field] of [
      [
        'its transaction fails',
        ledger => {
          ledger.mine(HASH, {isReverted: true});
          return HASH;
        },
      ],
      ['nobody knows it', () => HASH],
      [
        'it gets into no block',
        ledger => {
          ledger.mine(HASH, {block: undefined});
          return HASH;
        },
        'pending',
      ],
      [
        'the person lowers it in the wallet',
        async (ledger, truth) => {
          const hash = await truth();
          ledger.allowance = AMOUNT - 1n;
          return hash;
        },
      ],
    ] as readonly [string, (ledger: HtlcLedger, truth: () => unknown) => unknown, string?][]) {
      it(`stops after the approval if ${what}`, async () => {
        const {ledger, updates, fund} = await open();
        ledger.when('send', truth => send(ledger, truth));
        expect(await errorOf(fund('signature'))).to.include({code: 'approval-failed', field});
        expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
      });
    }

    if (dialect.coin) {
      it('sends a coin with the call, and needs no approval', async () => {
        const {ledger, deal, plans, fund} = await open();
        ledger.namedToken = dialect.coin!.address;
        Reflect.deleteProperty(deal.agreed.from, 'token');
        deal.deposit.payload.transaction.value = AMOUNT;
        await fund('transaction');
        expect(plans).to.deep.equal([['send']]);
        expect(ledger.sent.map(({calls}) => calls.map(call => call.what === 'initiate' && call.coins))).to.deep.equal([
          [AMOUNT],
        ]);
        expect(ledger.orders.size).to.equal(1);
      });
    }

    it('uses the transaction if the typed data’s form is unknown, and the page is told', async () => {
      const {ledger, deal, updates, plans, fallbacks, fund} = await open();
      deal.deposit.payload.typedData.domain['version'] = '9';
      const shown: unknown[] = [];
      const funding = await fund('signature', {
        onFallback(reason) {
          fallbacks.push(reason);
          expect(ledger.opened).to.deep.equal([]);
        },
        beforeSign({results}, payload) {
          expect(results.find(({name}) => name === 'typed-data')).to.include({
            outcome: 'unchecked',
            found: 'version 9',
          });
          shown.push(payload);
          return Promise.resolve();
        },
      });
      expect(funding).to.deep.equal({how: 'transaction', hash: ledger.newest});
      expect(fallbacks).to.deep.equal(['version 9']);
      expect(plans).to.deep.equal([unallowed.plan]);
      expect(updates).to.deep.equal(unallowed.updates);
      expect(sent(ledger)).to.deep.equal(unallowed.sent);
      expect(shown).to.have.length(1);
      expect(shown[0]).to.be.frozen;
      expect(ledger.opened).not.to.include('sign');
    });

    // Typed data that names no contract could be used with any that has an allowance.
    if (!dialect.signedContract) {
      for (const [what, answer, reasons] of [
        ['another known contract has none', () => Promise.resolve(0n), []],
        ['another known contract has one', () => Promise.resolve(1n), ['an allowance of another contract']],
        ['nobody can tell', () => Promise.reject(new Fault('busy')), ['an allowance of another contract']],
        ['the other token is not on this chain', () => Promise.reject(new Fault('absent')), []],
      ] as readonly [string, () => Promise<bigint>, readonly string[]][]) {
        it(`signs typed data without a contract only if no other one has an allowance: ${what}`, async () => {
          const {ledger, deal, fallbacks, fund} = await openAllowed();
          deal.agreed.from.contracts = [contract, stranger];
          let asked = 0;
          // The first question is about the other contract.
          ledger.when('allowance', truth => (asked++ ? truth() : answer()));
          await fund('signature');
          expect(fallbacks).to.deep.equal(reasons);
          expect(ledger.typed.length).to.equal(reasons.length ? 0 : 1);
        });
      }
    }

    if (reads) {
      it('uses the transaction after all, checked and shown again, if the account cannot sign', async () => {
        const {ledger, deal, updates, plans, fallbacks, fund} = await open();
        ledger.when('sign', () => '0x');
        const shown: unknown[] = [];
        const funding = await fund('signature', {
          beforeSign({outcome}, payload) {
            shown.push(outcome, payload);
            return Promise.resolve();
          },
        });
        expect(funding).to.deep.equal({how: 'transaction', hash: ledger.newest});
        expect(fallbacks).to.deep.equal(['0x']);
        expect(plans).to.deep.equal([
          ['approve', 'sign'],
          ['approve', 'send'],
        ]);
        const before = ['approve asking', 'approve sent #', 'sign asking', 'sign refused'];
        expect(updates).to.deep.equal([...before, 'send asking', 'send sent #']);
        expect(shown.slice(0, 3)).to.deep.equal(['passed', deal.deposit.payload.typedData, 'passed']);
        expect(shown).to.have.length(4);
        expect(ledger.balance).to.equal(BALANCE - AMOUNT);
      });

      it('does not pay after all if the page blocks it, or it was paid meanwhile', async () => {
        const {ledger, terms, updates, fund, keep} = await openAllowed();
        ledger.when('sign', () => '0x');
        const held = new SwapError('held');
        let shown = 0;
        const beforeSign = () => (shown++ ? Promise.reject(held) : Promise.resolve());
        expect(await errorOf(fund('signature', {beforeSign}))).to.equal(held);
        ledger.when('sign', () => {
          keep(ledger.idsOf(terms, owner)[0]);
          return '0x';
        });
        expect((await errorOf(fund('signature'))).code).to.equal('wallet-unclear');
        expect(updates).to.deep.equal(['sign asking', 'sign refused', 'sign asking', 'sign refused']);
      });
    }
  });

  describe(`paying on ${place.name} does not prompt`, () => {
    const refusals: readonly (readonly [what: string, code: string, spoil: (parts: Opened) => unknown])[] = [
      ['from another account', 'wrong-account', ({ledger}) => (ledger.accounts = [stranger, owner])],
      ['from a locked wallet', 'wallet-locked', ({ledger}) => (ledger.accounts = [])],
      ['that the account cannot pay', 'insufficient-funds', ({ledger}) => (ledger.balance = AMOUNT - 1n)],
      [
        'for an order that is already paid',
        'wallet-unclear',
        ({ledger, terms, keep}) => keep(ledger.idsOf(terms, owner)[1]),
      ],
      ['that differs from the agreement', 'deposit-mismatch', ({deal}) => (deal.agreed.amount = AMOUNT - 1n)],
      ['where there is no code', 'deposit-mismatch', ({ledger}) => (ledger.hasCode = false)],
      ['of a contract for another token', 'deposit-mismatch', ({ledger}) => (ledger.namedToken = stranger)],
      [
        'for an asset without a token',
        'deposit-mismatch',
        ({deal}) => Reflect.deleteProperty(deal.agreed.from, 'token'),
      ],
      ['that is not a payment', 'deposit-mismatch', ({deal}) => place.others['nothing']!(deal)],
      ['while the wallet returns no account', 'timeout', ({ledger}) => ledger.fail(undefined, 'accounts')],
      ['while the wallet returns no chain', 'timeout', ({ledger}) => ledger.fail('busy', 'wallet chain')],
      ...(reads
        ? [
            [
              'while the chain gives no answer',
              'timeout',
              ({ledger}: Opened) => ledger.fail(undefined, 'balance'),
            ] as const,
          ]
        : []),
    ];

    for (const [what, code, spoil] of refusals) {
      for (const way of WAYS) {
        it(`${what} (${way})`, async () => {
          const parts = await openAllowed();
          spoil(parts);
          expect((await errorOf(parts.fund(way))).code).to.equal(code);
          expect([parts.updates, parts.ledger.opened]).to.deep.equal([[], []]);
        });
      }
    }

    it('for a signature if there is nothing to sign', async () => {
      const {deal, updates, fund} = await open();
      Reflect.deleteProperty(deal.deposit.payload, 'typedData');
      expect(await errorOf(fund('signature'))).to.include({code: 'deposit-mismatch', field: 'typed-data'});
      expect(updates).to.deep.equal([]);
    });

    it('from a wallet that never announced itself', async () => {
      const {account, fund, updates} = await open();
      const unknown = {...account, wallet: {...account.wallet}};
      expect((await errorOf(fund('transaction', {}, unknown))).code).to.equal('wallet-missing');
      expect(updates).to.deep.equal([]);
    });

    it('if it could not be stored', async () => {
      const {ledger, fund} = await open();
      const full = new SwapError('storage');
      expect(await errorOf(fund('transaction', {onWalletRequest: () => Promise.reject(full)}))).to.equal(full);
      expect(ledger.opened).to.deep.equal([]);
    });

    it('if the page decides about approvals, too, and blocks one, or the account changes meanwhile', async () => {
      const {ledger, updates, fund} = await open();
      const held = new SwapError('held');
      expect(await errorOf(fund('signature', {beforeApprove: () => Promise.reject(held)}))).to.equal(held);
      const leave = () => Promise.resolve(void (ledger.accounts = [stranger]));
      expect((await errorOf(fund('signature', {beforeApprove: leave}))).code).to.equal('wrong-account');
      expect([updates, ledger.opened]).to.deep.equal([[], []]);
      ledger.accounts = [owner];
      const beforeApprove = ({outcome}: CheckReport, payload: unknown) => {
        expect(payload).to.be.frozen;
        return Promise.resolve(void updates.push(outcome));
      };
      await fund('transaction', {beforeApprove});
      // Where approval and payment are one request, it is the payment.
      expect(updates.splice(0)).to.deep.equal([...(batches ? [] : ['passed']), ...unallowed.updates]);
      ledger.orders.clear();
      await fund('signature', {beforeApprove});
      expect(updates.slice(0, 2)).to.deep.equal(['passed', 'approve asking']);
    });

    it('if the page blocks it, which gets the report and the exact object', async () => {
      const {deal, updates, fund} = await openAllowed();
      const seen: [CheckReport, unknown][] = [];
      const held = new SwapError('held');
      for (const way of WAYS) {
        const beforeSign = (report: CheckReport, payload: unknown) => {
          seen.push([report, payload]);
          return Promise.reject(held);
        };
        expect(await errorOf(fund(way, {beforeSign}))).to.equal(held);
      }
      expect(updates).to.deep.equal([]);
      expect(seen.map(([{outcome}]) => outcome)).to.deep.equal(['passed', 'passed']);
      const {typedData} = deal.deposit.payload;
      expect(seen[0]?.[1]).to.be.frozen;
      expect(seen[1]?.[1]).to.equal(typedData);
      for (const part of [typedData, typedData.message, typedData.domain]) expect(part).to.be.frozen;
    });

    it('and gives the checks’ reason before any other, unless the widget is gone', async () => {
      const looking = new AbortController();
      const {ledger, fund} = await openAllowed();
      ledger.balance = 0n;
      ledger.when('token', () => new Promise(resolve => setTimeout(resolve, 20, stranger)));
      expect((await errorOf(fund('transaction'))).code).to.equal('deposit-mismatch');
      ledger.when('token', () => [looking.abort(), stranger][1]);
      const reason: unknown = await fund('transaction', {signal: looking.signal}).catch((error: unknown) => error);
      expect(reason).to.equal(looking.signal.reason);
    });

    it('if the widget is removed while the page is deciding', async () => {
      const looking = new AbortController();
      const {ledger, updates, fund} = await openAllowed();
      const beforeSign = () => Promise.resolve(looking.abort());
      const asking = fund('signature', {signal: looking.signal, beforeSign});
      expect(await asking.catch((error: unknown) => error)).to.equal(looking.signal.reason);
      expect([updates, ledger.opened]).to.deep.equal([[], []]);
    });

    it('if the account changes while the page is deciding', async () => {
      const {ledger, updates, fund} = await openAllowed();
      const beforeSign = () => Promise.resolve(void (ledger.accounts = [stranger]));
      for (const way of WAYS) {
        expect((await errorOf(fund(way, {beforeSign}))).code).to.equal('wrong-account');
        ledger.accounts = [owner];
      }
      expect(updates).to.deep.equal([]);
    });

    it('if a check of a contract that is not known fails after the token was approved', async () => {
      const {ledger, deal, updates, fund} = await open();
      Object.assign(deal.agreed.from, {contracts: [], vouched: [{address: place.contract}]});
      const onWalletRequest: FundOptions['onWalletRequest'] = ({kind, state}) => {
        updates.push(`${kind} ${state}`);
        if (state === 'sent') ledger.namedToken = stranger;
        return Promise.resolve();
      };
      expect((await errorOf(fund('signature', {onWalletRequest}))).code).to.equal('deposit-mismatch');
      expect(updates).to.deep.equal(['approve asking', 'approve sent']);
    });
  });

  describe(`the wallet’s response on ${place.name}`, () => {
    for (const way of WAYS) {
      const kind = way === 'transaction' ? 'send' : 'sign';

      it(`that is invalid: wallet-unclear (${way})`, async () => {
        for (const answer of [null, undefined, '', '0x', '0xzz', {}, [], 5, true, ...(kind === 'send' ? ['0x'] : [])]) {
          if (kind === 'sign' && reads && answer === '0x') continue;
          const {ledger, updates, fund} = await openAllowed();
          ledger.when(kind, () => answer);
          expect((await errorOf(fund(way))).code, String(answer)).to.equal('wallet-unclear');
          expect(updates).to.deep.equal([`${kind} asking`]);
        }
      });
    }

    it('without a hash does not stop an approval that the chain shows', async () => {
      const {ledger, updates, fund} = await open();
      ledger.when('send', async truth => [await truth(), null][1]);
      await fund('signature');
      expect(updates).to.deep.equal(['approve asking', 'approve asking', 'sign asking', 'sign signed']);
    });

    for (const kind of ['approve', 'send', 'sign', 'refund'] as const) {
      const question = kind === 'sign' ? 'sign' : 'send';
      const openFor = async () => {
        const parts = await open();
        const {ledger, updates, fund, refund} = parts;
        if (kind !== 'approve') ledger.allowance = AMOUNT;
        if (kind === 'refund') {
          await fund('transaction');
          updates.length = 0;
          ledger.isLate = true;
        }
        const ask = () => (kind === 'refund' ? refund() : fund(kind === 'send' ? 'transaction' : 'signature'));
        return {...parts, ask};
      };

      for (const [failure, code] of [
        ['no', 'rejected'],
        ['unclear', 'wallet-unclear'],
        [undefined, 'wallet-unclear'],
      ] as const) {
        it(`${failure ?? 'none'} to the ${kind} is ${code}`, async () => {
          const {ledger, updates, ask} = await openFor();
          ledger.fail(failure, question);
          expect((await errorOf(ask())).code).to.equal(code);
          expect(updates).to.deep.equal([`${kind} asking`, ...(failure === 'no' ? [`${kind} refused`] : [])]);
        });
      }

      for (const [what, failure, end] of [
        ['yes', undefined, kind === 'sign' ? 'signed' : 'sent #'],
        ['a rejection', 'no', 'refused'],
        ['an unclear response', 'unclear', undefined],
      ] as const) {
        it(`${what} to the ${kind} after the timeout is stored, and nothing else is requested`, async () => {
          const {ledger, updates, ask} = await openFor();
          let answer = () => {};
          ledger.when(question, truth => {
            ledger.heal();
            return new Promise((resolve, reject) => {
              answer = () => (failure ? reject(new Fault(failure)) : resolve(truth()));
            });
          });
          expect((await errorOf(ask())).code).to.equal('wallet-unclear');
          expect(updates).to.deep.equal([`${kind} asking`]);
          const {opened} = ledger;
          answer();
          await hasSettledAt(end ? 2 : 1, updates);
          expect(updates).to.deep.equal([`${kind} asking`, ...(end ? [`${kind} ${end}`] : [])]);
          expect(ledger.opened).to.deep.equal(opened);
        });
      }
    }
  });

  describe(`a wallet that is not on ${place.name}`, () => {
    const openElsewhere = async () => {
      const parts = await openAllowed();
      parts.ledger.leave();
      return parts;
    };

    it('is switched, which is reported before the prompt and after the switch', async () => {
      const {ledger, moves, plans, fund} = await openElsewhere();
      ledger.when('move', truth => {
        expect([moves, plans]).to.deep.equal([['asking'], []]);
        return truth();
      });
      await fund('transaction');
      expect(moves).to.deep.equal(['asking', 'moved']);
      expect(ledger.opened).to.deep.equal(['switch', 'send']);
    });

    it('is seen to switch even if it never responds', async () => {
      const {ledger, updates, fund} = await openElsewhere();
      ledger.when('move', () => {
        let looks = 0;
        ledger.when('wallet chain', truth => {
          looks += 1;
          if (looks === 2) ledger.arrive();
          return truth();
        });
        return new Promise(() => undefined);
      });
      await fund('transaction');
      expect(updates).to.deep.equal(['send asking', 'send sent #']);
    });

    for (const [what, code, answer] of [
      ['a rejection', 'rejected', () => Promise.reject(new Fault('no'))],
      ['success without a switch', 'wrong-network', () => null],
      ['no response', 'wrong-network', () => new Promise(() => undefined)],
    ] as const) {
      it(`and responds with ${what} is ${code}, and is not prompted`, async () => {
        const {ledger, updates, moves, fund} = await openElsewhere();
        ledger.when('move', answer);
        expect(await errorOf(fund('transaction'))).to.include({code, field: 'chain'});
        expect(moves).to.deep.equal(['asking']);
        expect(updates).to.deep.equal([]);
        // A wallet that only answers may not know the chain, which an EVM wallet can be told.
        const isTold = reads && what === 'success without a switch';
        const added = isTold ? ['wallet_addEthereumChain', 'switch'] : [];
        expect(ledger.opened).to.deep.equal(['switch', ...added]);
      });
    }

    it('switches with its account: another account there does not pay', async () => {
      const {ledger, updates, fund} = await openElsewhere();
      ledger.when('move', truth => {
        ledger.accounts = [stranger];
        return truth();
      });
      expect((await errorOf(fund('transaction'))).code).to.equal('wrong-account');
      expect(updates).to.deep.equal([]);
    });
  });

  describe(`before a payment on ${place.name}`, () => {
    it('the account’s balance is reported, if it can be read', async () => {
      const {ledger, account, deal, blind} = await open();
      const {from} = deal.agreed;
      const {token: _, ...coin} = from;
      const balance = (of: typeof from = from, who: typeof account | undefined = account) =>
        adapter.means.balance(of, who);
      expect(await balance()).to.equal(BALANCE);
      expect(await balance(coin)).to.equal(dialect.coin ? ledger.coins : undefined);
      for (const failure of ['busy', 'strange', undefined] as const) {
        ledger.fail(failure, 'balance');
        expect(await balance()).to.equal(undefined);
      }
      ledger.heal();
      ledger.reads.length = 0;
      ledger.isOther();
      expect(await balance()).to.equal(undefined);
      expect(ledger.reads.map(({question}) => question)).not.to.include('balance');
      blind();
      expect(await adapter.means.balance(from, {...account, wallet: {...account.wallet}})).to.equal(undefined);
    });
  });

  describe(`a refund on ${place.name}`, () => {
    const openPaid = async () => {
      const parts = await openAllowed();
      const {ledger, updates, fund} = parts;
      await fund('transaction');
      updates.length = 0;
      ledger.sent.length = 0;
      ledger.forget();
      return parts;
    };

    it('returns the money to the payer after the timelock', async () => {
      const {ledger, account, deal, updates, refund} = await openPaid();
      const isOpen = () => isRefundOpen(adapter, deal, {account});
      expect(await isOpen()).to.equal(false);
      ledger.isLate = true;
      expect(await isOpen()).to.equal(true);
      expect(await refund()).to.equal(ledger.newest);
      expect(updates).to.deep.equal(['refund asking', 'refund sent #']);
      expect(sent(ledger)).to.deep.equal([[owner, 'refund contract']]);
      expect(ledger.balance).to.equal(BALANCE);
    });

    it('is not requested before that', async () => {
      const {ledger, updates, refund} = await openPaid();
      expect((await errorOf(refund())).code).to.equal('funding-reverted');
      expect([updates, ledger.opened]).to.deep.equal([[], []]);
    });

    it('can be requested from another account, and from another chain at first', async () => {
      const {ledger, refund} = await openPaid();
      ledger.isLate = true;
      ledger.accounts = [stranger];
      ledger.leave();
      await refund();
      expect(ledger.opened).to.deep.equal(['switch', 'send']);
      expect(sent(ledger)).to.deep.equal([[stranger, 'refund contract']]);
      expect(ledger.balance).to.equal(BALANCE);
    });

    it('calls the contract that took the money, whichever contracts are known or required today', async () => {
      for (const contracts of [[stranger], []]) {
        const {ledger, account, deal, refund} = await openPaid();
        ledger.isLate = true;
        const today = structuredClone(deal);
        today.agreed.from.contracts = contracts;
        today.policy.unverified = 'stop';
        expect(await isRefundOpen(adapter, today, {account})).to.equal(true);
        await refund(today);
        expect(sent(ledger)).to.deep.equal([[owner, 'refund contract']]);
        expect(ledger.balance).to.equal(BALANCE);
      }
    });

    it('uses the order’s own id if the contract assigns its own ids', async () => {
      const {ledger, deal, fund, refund, read} = await openAllowed();
      const named = dialect.id(`00${'ab'.repeat(31)}`)!;
      ledger.generation = named;
      await fund('transaction');
      const paid = structuredClone(deal);
      for (const swapId of [named, named.toUpperCase().replace('X', 'x'), named.slice(2)]) {
        paid.order.source.swapId = swapId;
        expect(await read(undefined, {of: paid})).to.include({state: 'seen'});
      }
      ledger.isLate = true;
      expect((await errorOf(refund())).code, 'its id is not known').to.equal('funding-reverted');
      await refund(paid);
      expect(ledger.balance).to.equal(BALANCE);
    });

    if (dialect.isMute) {
      it('uses the derived id if the contract cannot report what it holds', async () => {
        for (const generation of [1, 2] as const) {
          const {ledger, deal, terms, fund, refund} = await openAllowed();
          ledger.generation = generation;
          const ids = ledger.idsOf(terms, owner);
          // The service's id only chooses among the derived ones, and adds none.
          deal.order.source.swapId = generation === 1 ? 'ab'.repeat(31) : ids[1];
          await fund('transaction');
          ledger.isLate = true;
          ledger.fail('mute', 'order');
          await refund();
          expect(ledger.balance).to.equal(BALANCE);
        }
      });
    }

    it('is requested if it cannot be simulated', async () => {
      const {ledger, refund} = await openPaid();
      ledger.isLate = true;
      ledger.fail('busy', 'try');
      await refund();
      expect(ledger.balance).to.equal(BALANCE);
    });
  });

  describe(`paying a contract that nobody knows on ${place.name}`, () => {
    const openUnknown = async () => {
      const parts = await open();
      parts.deal.agreed.from.contracts = [];
      parts.deal.policy.unverified = 'ask';
      return {...parts, ask: () => parts.fund('transaction', {confirm: () => Promise.resolve(), isChosen: true})};
    };

    it('allows it exactly the amount, although more was allowed', async () => {
      const {ledger, ask} = await openUnknown();
      ledger.allowance = AMOUNT + 5n;
      await ask();
      expect(sent(ledger)).to.deep.equal(unallowed.sent);
    });

    it('believes nothing that it says of the order, and asks nobody else to pay its gas', async () => {
      const {ledger, terms, keep, ask} = await openUnknown();
      keep(ledger.idsOf(terms, owner)[0]);
      const code = await ask().catch((error: unknown) => (error as SwapError).code);
      expect(code).not.to.equal('wallet-unclear');
      if (!dialect.signedContract) return;
      const other = await openUnknown();
      other.ledger.dear = contract;
      other.ledger.allowance = AMOUNT;
      const signing = await other.fund('signature', {confirm: () => Promise.resolve(), isChosen: true});
      expect(signing.how).to.equal('signature');
    });

    it('is approved once: what it was allowed before, and is gone, may have been taken', async () => {
      const again = {confirm: () => Promise.resolve(), isChosen: true, approved: {hashes: [HASH]}};
      const {ledger, fund, ask} = await openUnknown();
      await ask();
      ledger.orders.clear();
      // What is still on its way was not taken, nor what comes into its block between two questions.
      ledger.mine(HASH, {block: undefined});
      ledger.when('allowance', truth => {
        ledger.mine(HASH);
        return truth();
      });
      expect(await errorOf(fund('transaction', {...again, approved: {hashes: ['0x0', HASH]}}))).to.include({
        field: 'pending',
      });
      ledger.mine(HASH);
      expect(await errorOf(fund('transaction', again))).to.include({code: 'approval-failed', field: 'taken'});
      for (const [approved, field] of [
        [{hashes: [HASH], isTaken: false}, 'pending'],
        [{hashes: []}, 'pending'],
        [{hashes: [], isTaken: true}, 'taken'],
      ] as const)
        expect(await errorOf(fund('transaction', {...again, approved})), JSON.stringify(approved)).to.include({field});
      expect(ledger.balance).to.equal(BALANCE - AMOUNT);
      // A permission that is more than was agreed to is no reason to send anything either.
      ledger.allowance = AMOUNT + 1n;
      const field = batches ? 'taken' : 'used';
      expect(await errorOf(fund('transaction', again))).to.include({code: 'approval-failed', field});
      expect(sent(ledger)).to.deep.equal(unallowed.sent);
      if (dialect.coin) {
        // No permission shows what became of a coin.
        const coin = await openUnknown();
        coin.ledger.mine(HASH);
        Reflect.deleteProperty(coin.deal.agreed.from, 'token');
        coin.deal.deposit.payload.transaction.value = AMOUNT;
        coin.ledger.namedToken = dialect.coin.address;
        const error = await errorOf(coin.fund('transaction', again));
        expect(error).to.include({code: 'approval-failed', field: 'taken'});
      }
      // A known contract takes nothing by itself.
      expect((await (await open()).fund('transaction', again)).how).to.equal('transaction');
    });

    it('gets nothing more either by a call that cannot be read, though the site vouches for it', async () => {
      const {ledger, deal, fund} = await openUnknown();
      Object.assign(deal.agreed.from, {vouched: [{address: contract}]});
      place.others['nothing']!(deal);
      Reflect.deleteProperty(deal.deposit.payload, 'typedData');
      const error = await errorOf(fund('transaction', {isChosen: true, approved: {hashes: [], isTaken: true}}));
      expect([error.code, error.field, sent(ledger)]).to.deep.equal(['approval-failed', 'taken', []]);
    });

    if (!batches) {
      it('gets no payment or signature for what goes meanwhile, and is not accused before that is known', async () => {
        for (const [way, when] of [
          ['transaction', 'try'],
          ['signature', 'sign'],
        ] as const) {
          const {ledger, fund} = await openUnknown();
          ledger.allowance = AMOUNT;
          ledger.when(when, truth => {
            ledger.allowance = 0n;
            return truth();
          });
          const asking = fund(way, {confirm: () => Promise.resolve(), isChosen: true});
          expect(await errorOf(asking), way).to.include({code: 'approval-failed', field: 'pending'});
        }
      });

      it('gets nothing more once its permission was raised in the wallet', async () => {
        const {ledger, ask} = await openUnknown();
        ledger.when('send', async truth => {
          const hash = await truth();
          ledger.allowance = 10n ** 30n;
          return hash;
        });
        expect(await errorOf(ask())).to.include({code: 'approval-failed', field: 'used'});
        expect(sent(ledger)).to.deep.equal([[owner, approve]]);
      });

      it('has taken what is not there once its approval is in a block', async () => {
        for (const [contracts, field] of [
          [[], 'taken'],
          [[contract], undefined],
        ] as const) {
          const {ledger, deal, fund} = await openUnknown();
          deal.agreed.from.contracts = [...contracts];
          ledger.when('send', async truth => {
            const hash = await truth();
            ledger.allowance = 0n;
            return hash;
          });
          const asking = fund('transaction', {confirm: () => Promise.resolve(), isChosen: true});
          const error = await errorOf(asking);
          expect([error.code, error.field]).to.deep.equal(['approval-failed', field]);
          closeLast();
        }
      });
    } else if (!dialect.signedContract && !reads) {
      it('is allowed exactly the amount with a call that cannot be read, once the site vouches for it', async () => {
        for (const [allowed, calls] of [
          [AMOUNT + 1n, ['approve', 'initiate']],
          [AMOUNT, ['initiate']],
        ] as const) {
          const {ledger, deal, fund} = await openUnknown();
          Object.assign(deal.agreed.from, {vouched: [{address: contract}]});
          place.others['nothing']!(deal);
          Reflect.deleteProperty(deal.deposit.payload, 'typedData');
          ledger.allowance = allowed;
          await fund('transaction', {isChosen: true});
          expect(ledger.sent.flatMap(one => one.calls.map(({what}) => what))).to.deep.equal(calls);
          closeLast();
        }
      });
    }

    it('has only the signature asked for where its call cannot be read, and says so', async () => {
      const how: unknown[] = [];
      const options: Partial<FundOptions> = {
        confirm: () => Promise.resolve(),
        isChosen: true,
        onPlan: (_, by) => how.push(by),
      };
      await (await openUnknown()).fund('transaction', options);
      expect(how).to.deep.equal([{by: 'transaction', isBundle: false, isOnly: false}]);
      const {deal, ledger, fund} = await openUnknown();
      place.others['an approval']!(deal);
      ledger.allowance = AMOUNT;
      if (!dialect.signedContract) {
        expect((await errorOf(fund('transaction', options))).code).to.equal('deposit-mismatch');
        return;
      }
      expect((await fund('transaction', options)).how).to.equal('signature');
      expect(how.slice(1)).to.deep.equal([{by: 'signature', isBundle: false, isOnly: true}]);
      // An account that cannot sign pays nothing.
      ledger.when('sign', () => '0x');
      expect((await errorOf(fund('transaction', options))).code).to.equal('wallet-failed');
      expect(sent(ledger)).to.deep.equal([]);
    });

    if (reads && dialect.signedContract) {
      it('is shown to the page again if the account cannot sign, and another payment is made', async () => {
        const {ledger, deal, fund} = await openUnknown();
        const {typedData} = deal.deposit.payload;
        ledger.when('sign', () => '0x');
        const shown: unknown[] = [];
        const beforeSign: FundOptions['beforeSign'] = (_, payload) =>
          Promise.resolve(void shown.push((payload as {payment: unknown}).payment === typedData));
        const beforeApprove = () => Promise.reject(new SwapError('held'));
        await fund('signature', {confirm: () => Promise.resolve(), isChosen: true, beforeSign, beforeApprove});
        expect(shown).to.deep.equal([true, false]);
        expect(sent(ledger)).to.deep.equal(unallowed.sent);
      });
    }

    it('is asked for nothing unless that was confirmed, and by a widget that is still there', async () => {
      const looking = new AbortController();
      const stop = () => Promise.resolve(looking.abort());
      const gone = await openUnknown();
      const asking = gone.fund('transaction', {confirm: stop, signal: looking.signal});
      expect(await asking.catch((error: unknown) => error)).to.equal(looking.signal.reason);
      expect([gone.plans, gone.ledger.opened]).to.deep.equal([[], []]);
      const {deal, ledger, fund} = await openUnknown();
      deal.policy.unverified = 'stop';
      expect((await errorOf(fund('transaction', {confirm: () => Promise.resolve()}))).code).to.equal(
        'deposit-mismatch',
      );
      expect(ledger.opened).to.deep.equal([]);
    });

    it('is asked for nothing by who cannot ask, or after a no', async () => {
      const {ledger, fund} = await openUnknown();
      expect((await errorOf(fund('transaction'))).code).to.equal('deposit-mismatch');
      const confirm = () => Promise.reject(new SwapError('rejected'));
      expect((await errorOf(fund('transaction', {confirm}))).code).to.equal('rejected');
      expect(ledger.opened).to.deep.equal([]);
    });

    for (const [what, spoil] of [
      ['costs more than any swap', ({ledger}) => (ledger.dear = contract)],
      ['cannot be asked for its costs', ({ledger}) => ledger.fail('busy', 'isCheap')],
    ] as readonly [string, (parts: Opened) => unknown][]) {
      it(`never sends it a payment if it ${what}`, async () => {
        const parts = await openUnknown();
        spoil(parts);
        const {code, field} = await errorOf(parts.ask());
        expect([code, field]).to.deep.equal(['deposit-mismatch', 'value']);
        expect(sent(parts.ledger)).to.deep.equal(batches ? [] : [[owner, approve]]);
        expect(parts.ledger.orders.size).to.equal(0);
      });
    }
  });

  describe(`revoking an allowance on ${place.name}`, () => {
    it('sets it to zero, from the owner on the right chain, and waits until the chain shows it', async () => {
      const {ledger, updates, revoke} = await openAllowed();
      ledger.leave();
      expect(await revoke()).to.equal(ledger.newest);
      expect(ledger.opened).to.deep.equal(['switch', 'send']);
      expect(sent(ledger)).to.deep.equal([[owner, 'approve token 0']]);
      expect(ledger.allowance).to.equal(0n);
      expect(updates).to.deep.equal(['revoke asking', 'revoke sent #']);
    });

    it('takes back what it was allowed of another token', async () => {
      const {ledger, account, deal} = await openAllowed();
      ledger.other = stranger;
      ledger.when('send', () => {
        ledger.allowance = 0n;
        ledger.mine(HASH);
        return HASH;
      });
      const options = {onWalletRequest: () => Promise.resolve(), token: stranger};
      expect(await adapter.back.revoke!(deal, account, options)).to.equal(HASH);
      const [taken, ...others] = ledger.sent.at(-1)!.calls;
      if (taken?.what !== 'approve' || others.length) throw new Error('It is another transaction.');
      expect([taken.to, taken.spender, taken.amount].map(BigInt)).to.deep.equal([stranger, contract, 0].map(BigInt));
    });

    it('does not prompt if nothing is allowed', async () => {
      const {ledger, updates, revoke} = await open();
      expect(await revoke()).to.equal('');
      expect([updates, ledger.opened]).to.deep.equal([[], []]);
    });

    it('prompts all the same for what an unverified contract may still be given, and waits for its block', async () => {
      const {ledger, deal, revoke} = await open();
      Object.assign(deal, {unverified: true});
      ledger.when('send', async truth => {
        const hash = (await truth()) as string;
        let asked = 0;
        ledger.mine(hash, {block: undefined});
        ledger.when('allowance', known => {
          if (++asked === 3) ledger.mine(hash, {block: ledger.block});
          return known();
        });
        return hash;
      });
      expect(await revoke()).to.equal(ledger.newest);
      expect(ledger.transactions.at(-1)?.block).to.equal(ledger.block);
    });

    for (const [what, code, spoil] of [
      ['from another account', 'wrong-account', ({ledger}) => (ledger.accounts = [stranger])],
      ['while the chain does not respond', 'timeout', ({ledger}) => ledger.fail(undefined, 'allowance')],
      ['while the chain fails', 'timeout', ({ledger}) => ledger.fail('busy', 'allowance')],
      [
        'of a native coin',
        'deposit-mismatch',
        ({deal, ledger}) => {
          ledger.leave();
          Reflect.deleteProperty(deal.agreed.from, 'token');
        },
      ],
      ['of an address that is not a contract', 'deposit-mismatch', ({deal}) => place.move(deal, '0x0')],
    ] as readonly [string, string, (parts: Opened) => unknown][]) {
      it(`does not prompt ${what}: ${code}`, async () => {
        const parts = await openAllowed();
        spoil(parts);
        expect((await errorOf(parts.revoke())).code).to.equal(code);
        expect([parts.updates, parts.ledger.opened]).to.deep.equal([[], []]);
      });
    }
  });
}
