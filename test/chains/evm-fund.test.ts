import {expect} from '../support/expect.js';
import {recoverAddress, toBeHex, TypedDataEncoder} from 'ethers';
import type {Account, FundOptions} from '../../src/chains/adapter.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckReport} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {connectLedger} from '../support/evm-account.js';
import {CONTRACT, ownDeal, STRANGER, TOKEN, type OpenDeal} from '../support/evm-deal.js';
import {initiated, LedgerWallet, OWNER, WalletError, type LedgerOptions} from '../support/evm-ledger.js';
import {errorOf, listen, depositState, isRefundOpen} from '../support/funding.js';

const adapter = createEvmAdapter({
  ...TIMEOUTS,
  read: 100,
  connect: 100,
  request: 100,
  receipt: 100,
  lag: 100,
  poll: 2,
});
const CHAIN = 11155111;
const AMOUNT = 50_000n;

/** A wallet, a deal, and what was reported on the way. */
async function open(options: Partial<LedgerOptions> = {}) {
  const wallet = new LedgerWallet({chainId: CHAIN, token: TOKEN, contract: CONTRACT, balance: 10n ** 8n, ...options});
  const account = await connectLedger(adapter, wallet);
  wallet.requests.length = 0;
  const deal = ownDeal();
  const {updates, plans, fallbacks, moves, onPlan, onFallback, onMove, onWalletRequest} = listen();
  const fund = (way: FundOptions['way'], more: Partial<FundOptions> = {}, payer: Account = account) =>
    adapter.fund(deal, payer, {way, onPlan, onFallback, onMove, onWalletRequest, ...more});
  const refund = (paid: OpenDeal = deal) => adapter.back.refund!(paid, account, {onWalletRequest});
  return {wallet, account, deal, updates, plans, fallbacks, moves, fund, refund};
}

const sent = (wallet: LedgerWallet) =>
  wallet.requests.filter(({method}) => method === 'eth_sendTransaction').map(({params}) => params[0]);

describe('funding on an EVM chain', () => {
  it('by transaction: sends the very call that was checked, from the owner, and answers its hash', async () => {
    const {wallet, deal, updates, plans, fund} = await open();
    wallet.allowance = AMOUNT;
    const funding = await fund('transaction');
    expect(funding).to.deep.equal({how: 'transaction', hash: [...wallet.receipts.keys()].at(-1)});
    expect(plans).to.deep.equal([['send']]);
    expect(updates).to.deep.equal(['send asking', 'send sent #']);
    expect(sent(wallet)).to.deep.equal([
      {
        from: OWNER,
        to: deal.deposit.payload.transaction.to,
        data: deal.deposit.payload.transaction.data,
        value: '0x0',
        chainId: '0xaa36a7',
      },
    ]);
    expect(wallet.balances.get(OWNER)).to.equal(10n ** 8n - AMOUNT);
  });

  it('by signature: signs the very typed data that was checked, and answers the signature', async () => {
    const {wallet, deal, updates, plans, fund} = await open();
    wallet.allowance = AMOUNT;
    const funding = await fund('signature');
    expect(plans).to.deep.equal([['sign']]);
    expect(updates).to.deep.equal(['sign asking', 'sign signed']);
    const {typedData} = deal.deposit.payload;
    const asked = wallet.requests.find(({method}) => method === 'eth_signTypedData_v4');
    expect(asked?.params).to.deep.equal([OWNER, JSON.stringify(typedData)]);
    if (funding.how !== 'signature') throw new Error('a signature was wanted');
    const {Initiate = []} = typedData.types;
    const digest = TypedDataEncoder.hash(typedData.domain, {Initiate}, typedData.message);
    expect(recoverAddress(digest, String(funding.signature))).to.equal(OWNER);
    expect(wallet.windows).to.deep.equal(['eth_signTypedData_v4']);
  });

  it('sends a coin with the call, and needs no approval', async () => {
    const {wallet, deal, plans, fund} = await open();
    wallet.namedToken = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
    Reflect.deleteProperty(deal.agreed.from, 'token');
    Reflect.deleteProperty(deal.deposit.payload, 'typedData');
    deal.deposit.payload.transaction.value = AMOUNT;
    await fund('transaction');
    expect(plans).to.deep.equal([['send']]);
    expect(sent(wallet)).to.have.length(1);
    expect(sent(wallet)[0]).to.include({value: '0xc350'});
  });

  it('approves exactly the amount first, and says so before it asks', async () => {
    const {wallet, updates, plans, fund} = await open();
    await fund('signature', {
      onPlan: plan => {
        expect(wallet.windows).to.deep.equal([]);
        plans.push([...plan]);
      },
    });
    expect(plans).to.deep.equal([['approve', 'sign']]);
    expect(updates).to.deep.equal(['approve asking', 'approve sent #', 'sign asking', 'sign signed']);
    expect(wallet.allowance).to.equal(AMOUNT);
    expect(sent(wallet)[0]).to.include({from: OWNER, to: TOKEN, value: '0x0'});
  });

  it('raises an allowance that is too small in one step, where the token lets it', async () => {
    const {wallet, plans, fund} = await open();
    wallet.allowance = 1n;
    await fund('transaction');
    expect(plans).to.deep.equal([['approve', 'send']]);
  });

  it('takes an earlier allowance back first, where the token wants that', async () => {
    const {wallet, updates, plans, fund} = await open({approvesFromZeroOnly: true});
    wallet.allowance = 1n;
    await fund('transaction');
    expect(plans).to.deep.equal([['revoke', 'approve', 'send']]);
    expect(updates).to.deep.equal([
      'revoke asking',
      'revoke sent #',
      'approve asking',
      'approve sent #',
      'send asking',
      'send sent #',
    ]);
  });

  it('asks for one approval of such a token where nothing has to be taken back', async () => {
    const {plans, fund} = await open({approvesFromZeroOnly: true});
    await fund('transaction');
    expect(plans).to.deep.equal([['approve', 'send']]);
  });

  it('waits until the chain shows the approval, and asks nothing before', async () => {
    const {wallet, updates, fund} = await open();
    const asked: unknown[] = [];
    wallet.instead.set('eth_getTransactionReceipt', params => {
      asked.push([...updates]);
      if (asked.length < 3) return null;
      wallet.allowance = AMOUNT;
      return wallet.answer('eth_getTransactionReceipt', params);
    });
    wallet.instead.set('eth_sendTransaction', ([transaction]) => {
      const hash = wallet.answer('eth_sendTransaction', [transaction]);
      if (wallet.windows.length === 1) wallet.allowance = 0n;
      return hash;
    });
    await fund('transaction');
    const approved = ['approve asking', 'approve sent #'];
    expect(asked.slice(0, 3)).to.deep.equal([approved, approved, approved]);
  });

  for (const [what, spoil] of [
    [
      'its transaction fails',
      (wallet: LedgerWallet) => {
        wallet.instead.set('eth_getTransactionReceipt', () => ({status: '0x0'}));
        wallet.instead.set('eth_sendTransaction', () => `0x${'1'.repeat(64)}`);
      },
    ],
    [
      'it gets into no block',
      (wallet: LedgerWallet) => wallet.instead.set('eth_sendTransaction', () => `0x${'1'.repeat(64)}`),
    ],
    [
      'the person lowers it in the wallet',
      (wallet: LedgerWallet) =>
        wallet.instead.set('eth_sendTransaction', params => {
          const hash = wallet.answer('eth_sendTransaction', params);
          wallet.allowance = AMOUNT - 1n;
          return hash;
        }),
    ],
  ] as const) {
    it(`goes no further than the approval where ${what}`, async () => {
      const {wallet, updates, fund} = await open();
      spoil(wallet);
      expect((await errorOf(fund('signature'))).code).to.equal('approval-failed');
      expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
    });
  }

  it('asks for nothing while the token refuses any approval', async () => {
    const {wallet, updates, fund} = await open();
    wallet.allowance = 1n;
    const approve = '0x095ea7b3';
    wallet.instead.set('eth_call', ([transaction, ...rest]) => {
      if ((transaction as {data: string}).data.startsWith(approve)) throw new WalletError(3, 'execution reverted');
      return wallet.answer('eth_call', [transaction, ...rest]);
    });
    expect((await errorOf(fund('transaction'))).code).to.equal('approval-failed');
    expect(updates).to.deep.equal([]);
  });

  it('stops between two wallet requests once the signal aborts, and not within one', async () => {
    const looking = new AbortController();
    const {updates, wallet, fund} = await open();
    wallet.instead.set('eth_sendTransaction', params => {
      looking.abort();
      return wallet.answer('eth_sendTransaction', params);
    });
    let reason: unknown;
    await fund('signature', {signal: looking.signal}).catch((error: unknown) => (reason = error));
    expect(reason).to.equal(looking.signal.reason);
    expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
  });
});

describe('an EVM signature that is not possible', () => {
  it('of an unknown form: is not asked for, the transaction is, and the page sees that', async () => {
    const {wallet, deal, updates, plans, fallbacks, fund} = await open();
    deal.deposit.payload.typedData.domain['version'] = '9';
    const shown: unknown[] = [];
    const funding = await fund('signature', {
      onFallback: reason => {
        fallbacks.push(reason);
        expect(wallet.windows).to.deep.equal([]);
      },
      beforeSign: (report, payload) => {
        expect(report.results.find(({name}) => name === 'typed-data')).to.include({
          outcome: 'unchecked',
          found: 'version 9',
        });
        shown.push(payload);
        return Promise.resolve();
      },
    });
    expect(funding).to.deep.equal({how: 'transaction', hash: [...wallet.receipts.keys()].at(-1)});
    expect(fallbacks).to.deep.equal(['version 9']);
    expect(plans).to.deep.equal([['approve', 'send']]);
    expect(updates).to.deep.equal(['approve asking', 'approve sent #', 'send asking', 'send sent #']);
    expect(shown).to.deep.equal([sent(wallet).at(-1)]);
    expect(wallet.windows).not.to.include('eth_signTypedData_v4');
  });

  it('of an unknown form: stops the order where the transaction lies', async () => {
    const {wallet, deal, updates, fallbacks, fund} = await open();
    deal.deposit.payload.typedData.domain['version'] = '9';
    deal.agreed.amount -= 1n;
    expect((await errorOf(fund('signature'))).code).to.equal('deposit-mismatch');
    expect([updates, fallbacks, wallet.windows]).to.deep.equal([[], [], []]);
  });

  it('from an account that gives none: goes by transaction after all, checked and shown again', async () => {
    const {wallet, deal, updates, plans, fallbacks, fund} = await open();
    wallet.instead.set('eth_signTypedData_v4', () => '0x');
    const shown: unknown[] = [];
    const funding = await fund('signature', {
      beforeSign: ({outcome}, payload) => {
        shown.push(outcome, payload);
        return Promise.resolve();
      },
    });
    expect(funding).to.deep.equal({how: 'transaction', hash: [...wallet.receipts.keys()].at(-1)});
    expect(fallbacks).to.deep.equal(['0x']);
    expect(plans).to.deep.equal([
      ['approve', 'sign'],
      ['approve', 'send'],
    ]);
    expect(updates).to.deep.equal([
      'approve asking',
      'approve sent #',
      'sign asking',
      'sign refused',
      'send asking',
      'send sent #',
    ]);
    expect(shown).to.deep.equal(['passed', deal.deposit.payload.typedData, 'passed', sent(wallet).at(-1)]);
    expect(wallet.balances.get(OWNER)).to.equal(10n ** 8n - AMOUNT);
  });

  it('from an account that gives none: is not paid for where the page holds it, or it was paid meanwhile', async () => {
    const {wallet, deal, updates, fund} = await open();
    wallet.allowance = AMOUNT;
    wallet.instead.set('eth_signTypedData_v4', () => '0x');
    const held = new SwapError('held');
    let shown = 0;
    expect(
      await errorOf(fund('signature', {beforeSign: () => (shown++ ? Promise.reject(held) : Promise.resolve())})),
    ).to.equal(held);
    wallet.instead.set('eth_signTypedData_v4', () => {
      const id = wallet.orderId(`0x${deal.order.source.secretHash}`);
      wallet.orders.set(id, {amount: AMOUNT, owner: OWNER, refunded: false});
      return '0x';
    });
    expect((await errorOf(fund('signature'))).code).to.equal('wallet-unclear');
    expect(updates).to.deep.equal(['sign asking', 'sign refused', 'sign asking', 'sign refused']);
  });

  it('is still followed by the order’s own name, and its money comes back by it', async () => {
    const {wallet, account, deal, updates, fund, refund} = await open();
    wallet.allowance = AMOUNT;
    deal.deposit.payload.typedData.domain['version'] = '9';
    const find = (paid: OpenDeal) => depositState(adapter, paid, {account});
    expect(await find(deal)).to.equal('unknown');
    await fund('signature');
    const [[id, kept] = []] = wallet.orders;
    wallet.orders.clear();
    // A generation of contracts that derives its names in a way of its own.
    const named = structuredClone(deal);
    named.order.source.swapId = 'ab'.repeat(32);
    wallet.orders.set(`0x${'ab'.repeat(32)}`, kept!);
    const {secretHash} = deal.order.source;
    const logs = [initiated(CONTRACT, `0x${'ab'.repeat(32)}`, `0x${secretHash}`, AMOUNT)];
    wallet.receipts.set(`0x${'1'.repeat(64)}`, {status: '0x1', blockNumber: toBeHex(kept!.block!), logs});
    expect(id).not.to.equal(`0x${'ab'.repeat(32)}`);
    expect(await find(named)).to.equal('seen');
    // Without the order its id is not known.
    Reflect.deleteProperty(named, 'order');
    expect(await find(named)).to.equal('unknown');
    named.order = {...deal.order, source: {...deal.order.source, swapId: `0x${'AB'.repeat(32)}`}};
    wallet.isLate = true;
    updates.length = 0;
    await refund(named);
    expect(updates).to.deep.equal(['refund asking', 'refund sent #']);
  });
});

describe('funding on an EVM chain asks nothing', () => {
  const refusals: readonly (readonly [
    what: string,
    code: string,
    spoil: (parts: {wallet: LedgerWallet; deal: OpenDeal}) => unknown,
  ])[] = [
    ['from another account', 'wrong-account', ({wallet}) => (wallet.accounts = [STRANGER, OWNER])],
    ['of a locked wallet', 'wallet-locked', ({wallet}) => (wallet.accounts = [])],
    ['that the account cannot pay', 'insufficient-funds', ({wallet}) => wallet.balances.set(OWNER, AMOUNT - 1n)],
    [
      'that the chain would refuse',
      'funding-reverted',
      ({wallet}) => {
        wallet.instead.set('eth_call', ([transaction, ...rest]) => {
          if ((transaction as {data: string}).data.startsWith('0x97ffc7ae')) {
            throw new WalletError(-32603, 'Internal JSON-RPC error.', {code: 3, message: 'execution reverted: paused'});
          }
          return wallet.answer('eth_call', [transaction, ...rest]);
        });
      },
    ],
    [
      'about an order that is paid already',
      'wallet-unclear',
      ({wallet, deal}) =>
        wallet.orders.set(wallet.orderId(`0x${deal.order.source.secretHash}`), {
          amount: AMOUNT,
          owner: OWNER,
          refunded: false,
        }),
    ],
    ['that is not as agreed', 'deposit-mismatch', ({deal}) => (deal.agreed.amount = AMOUNT - 1n)],
    ['where there is no code', 'deposit-mismatch', ({wallet}) => (wallet.hasCode = false)],
    ['of a contract for another token', 'deposit-mismatch', ({wallet}) => (wallet.namedToken = STRANGER)],
    ['that is no payment', 'deposit-mismatch', ({deal}) => (deal.deposit.payload.transaction.data = '0x')],
    [
      'while the chain gives no answer',
      'timeout',
      ({wallet}) => wallet.instead.set('eth_call', () => new Promise(() => {})),
    ],
  ];

  for (const [what, code, spoil] of refusals) {
    for (const way of ['transaction', 'signature'] as const) {
      it(`${what} (${way})`, async () => {
        const {wallet, deal, updates, fund} = await open();
        wallet.allowance = AMOUNT;
        spoil({wallet, deal});
        expect((await errorOf(fund(way))).code).to.equal(code);
        expect(updates).to.deep.equal([]);
        expect(wallet.windows).to.deep.equal([]);
      });
    }
  }

  it('of a wallet that never announced itself', async () => {
    const {account, fund, updates} = await open();
    const stranger = {...account, wallet: {...account.wallet}};
    expect((await errorOf(fund('transaction', {}, stranger))).code).to.equal('wallet-missing');
    expect(updates).to.deep.equal([]);
  });

  it('that could not be written down', async () => {
    const {wallet, fund} = await open();
    const full = new SwapError('storage');
    expect(await errorOf(fund('transaction', {onWalletRequest: () => Promise.reject(full)}))).to.equal(full);
    expect(wallet.windows).to.deep.equal([]);
  });

  it('that the page holds, which sees the report and the very object', async () => {
    const {wallet, updates, fund} = await open();
    wallet.allowance = AMOUNT;
    const seen: [CheckReport, unknown][] = [];
    const held = new SwapError('held');
    for (const way of ['transaction', 'signature'] as const) {
      const beforeSign = (report: CheckReport, payload: unknown) => {
        seen.push([report, payload]);
        return Promise.reject(held);
      };
      expect(await errorOf(fund(way, {beforeSign}))).to.equal(held);
    }
    expect(updates).to.deep.equal([]);
    expect(seen.map(([{outcome}]) => outcome)).to.deep.equal(['passed', 'passed']);
    expect(seen[0]?.[1]).to.be.frozen;
    expect(seen[1]?.[1]).to.be.frozen;
    expect((seen[1]?.[1] as {message: unknown}).message).to.be.frozen;
  });

  it('names the checks that failed, and hands the report on', async () => {
    const {deal, fund} = await open();
    deal.order.destination.amount -= 1n;
    const error = await errorOf(fund('transaction'));
    expect(error.field).to.equal('order');
    expect((error.cause as CheckReport).outcome).to.equal('failed');
  });

  it('when account or chain change while the page makes up its mind', async () => {
    const {wallet, updates, fund} = await open();
    wallet.allowance = AMOUNT;
    const beforeSign = () => {
      wallet.accounts = [STRANGER];
      return Promise.resolve();
    };
    expect((await errorOf(fund('signature', {beforeSign}))).code).to.equal('wrong-account');
    expect(updates).to.deep.equal([]);
  });

  it('when a check fails once the token is approved', async () => {
    const {wallet, updates, fund} = await open();
    const onWalletRequest: FundOptions['onWalletRequest'] = ({kind, state}) => {
      updates.push(`${kind} ${state}`);
      if (state === 'sent') wallet.namedToken = STRANGER;
      return Promise.resolve();
    };
    expect((await errorOf(fund('transaction', {onWalletRequest}))).code).to.equal('deposit-mismatch');
    expect(updates).to.deep.equal(['approve asking', 'approve sent']);
  });
});

describe('the wallet’s answer to a payment', () => {
  const nested = (code: number, message: string) =>
    new WalletError(-32603, 'Internal JSON-RPC error.', {originalError: {code, message}});
  const zoo: readonly (readonly [what: string, code: string, isNo: boolean, fault: unknown])[] = [
    ['a no', 'rejected', true, new WalletError(4001, 'User rejected the request.')],
    [
      'a no in another error',
      'rejected',
      true,
      nested(4001, 'MetaMask Tx Signature: User denied transaction signature.'),
    ],
    ['a no as the cause', 'rejected', true, new Error('could not sign', {cause: new WalletError(4001, 'no')})],
    ['a no in words alone', 'rejected', true, new Error('User rejected the transaction')],
    ['a no in words, in a vague error', 'rejected', true, new WalletError(-32603, 'Request denied by user')],
    ['a no by WalletConnect', 'rejected', true, new WalletError(5000, 'User rejected methods.')],
    ['a method it does not know', 'wallet-failed', true, new WalletError(4200, 'Unsupported method')],
    ['an unknown method', 'wallet-failed', true, new WalletError(-32601, 'The method does not exist')],
    ['an account that is not open', 'wallet-locked', true, new WalletError(4100, 'Not authorized')],
    [
      'coins that do not cover the fee',
      'insufficient-funds',
      true,
      new WalletError(-32000, 'insufficient funds for gas * price + value'),
    ],
    ['an error inside it', 'wallet-unclear', false, new WalletError(-32603, 'Internal JSON-RPC error.')],
    ['a port that closed', 'wallet-unclear', false, new Error('Attempting to use a disconnected port object')],
    ['a request still open', 'wallet-unclear', false, new WalletError(-32002, 'Request already pending')],
    ['a chain that is gone', 'wallet-unclear', false, new WalletError(4901, 'Chain disconnected')],
    ['words about rejection by a node', 'wallet-unclear', false, new WalletError(-32003, 'Transaction rejected')],
    ['a revert', 'wallet-unclear', false, new WalletError(3, 'execution reverted')],
    ['nothing at all', 'wallet-unclear', false, undefined],
  ];

  for (const way of ['transaction', 'signature'] as const) {
    const [kind, method] =
      way === 'transaction' ? (['send', 'eth_sendTransaction'] as const) : (['sign', 'eth_signTypedData_v4'] as const);

    for (const [what, code, isNo, fault] of zoo) {
      it(`${what}: ${code} (${way})`, async () => {
        const {wallet, updates, fund} = await open();
        wallet.allowance = AMOUNT;
        wallet.instead.set(method, () => {
          throw fault as Error;
        });
        expect((await errorOf(fund(way))).code).to.equal(code);
        expect(updates).to.deep.equal(isNo ? [`${kind} asking`, `${kind} refused`] : [`${kind} asking`]);
      });
    }

    it(`no answer: wallet-unclear (${way})`, async () => {
      const {wallet, updates, fund} = await open();
      wallet.allowance = AMOUNT;
      wallet.instead.set(method, () => new Promise(() => {}));
      expect((await errorOf(fund(way))).code).to.equal('wallet-unclear');
      expect(updates).to.deep.equal([`${kind} asking`]);
    });

    it(`an answer that is none: wallet-unclear (${way})`, async () => {
      for (const answer of [null, undefined, '', '0x12', {}, true, ...(way === 'transaction' ? ['0x'] : [])]) {
        const {wallet, updates, fund} = await open();
        wallet.allowance = AMOUNT;
        wallet.instead.set(method, () => answer);
        expect((await errorOf(fund(way))).code).to.equal('wallet-unclear');
        expect(updates).to.deep.equal([`${kind} asking`]);
      }
    });
  }

  for (const [kind, way] of [
    ['approve', 'transaction'],
    ['send', 'transaction'],
    ['sign', 'signature'],
    ['refund', undefined],
  ] as const) {
    const method = kind === 'sign' ? 'eth_signTypedData_v4' : 'eth_sendTransaction';
    for (const [what, later, end] of [
      ['yes', undefined, kind === 'sign' ? 'signed' : 'sent #'],
      ['a no', new WalletError(4001, 'User rejected the request.'), 'refused'],
      ['nothing clear', new WalletError(-32603, 'Internal error'), undefined],
    ] as const) {
      it(`${what} to the ${kind} after the time-out is written down, and nothing else is asked`, async () => {
        const {wallet, updates, fund, refund} = await open();
        wallet.allowance = kind === 'approve' ? 0n : AMOUNT;
        if (kind === 'refund') {
          await fund('transaction');
          updates.length = 0;
          wallet.isLate = true;
        }
        let answer = () => {};
        wallet.instead.set(method, params => {
          wallet.instead.clear();
          return new Promise((resolve, reject) => {
            answer = () => (later ? reject(later) : resolve(wallet.answer(method, params)));
          });
        });
        expect((await errorOf(way ? fund(way) : refund())).code).to.equal('wallet-unclear');
        expect(updates).to.deep.equal([`${kind} asking`]);
        const {windows} = wallet;
        answer();
        await new Promise(resolve => setTimeout(resolve, 20));
        expect(updates).to.deep.equal([`${kind} asking`, ...(end ? [`${kind} ${end}`] : [])]);
        expect(wallet.windows).to.deep.equal(windows);
      });
    }
  }

  it('a no to the approval is a no', async () => {
    const {wallet, updates, fund} = await open();
    wallet.instead.set('eth_sendTransaction', () => {
      throw new WalletError(4001, 'User rejected the request.');
    });
    expect((await errorOf(fund('signature'))).code).to.equal('rejected');
    expect(updates).to.deep.equal(['approve asking', 'approve refused']);
  });

  it('a signature by another account goes nowhere', async () => {
    const {wallet, updates, fund} = await open();
    wallet.allowance = AMOUNT;
    wallet.instead.set('eth_signTypedData_v4', ([from, text]) =>
      wallet.answer('eth_signTypedData_v4', [from, String(text).replace('0xc350', '0xc351')]),
    );
    expect((await errorOf(fund('signature'))).code).to.equal('wrong-account');
    expect(updates).to.deep.equal(['sign asking', 'sign refused']);
  });

  it('a signature by a contract’s account passes as it is', async () => {
    const {wallet, fund} = await open();
    wallet.allowance = AMOUNT;
    const long = `0x${'ab'.repeat(200)}`;
    wallet.instead.set('eth_signTypedData_v4', () => long);
    expect(await fund('signature')).to.deep.equal({how: 'signature', signature: long});
    const odd = `0x${'ab'.repeat(64)}1b`;
    wallet.instead.set('eth_signTypedData_v4', () => odd);
    wallet.instead.set('eth_getCode', () => '0x6001');
    expect(await fund('signature')).to.deep.equal({how: 'signature', signature: odd});
    // By the key of another, as far as the chain can tell.
    wallet.instead.set('eth_signTypedData_v4', ([from, text]) =>
      wallet.answer('eth_signTypedData_v4', [from, String(text).replace('0xc350', '0xc351')]),
    );
    expect(await fund('signature')).to.include({how: 'signature'});
  });

  it('a signature that ends in 0 or 1 is given the ending that contracts want', async () => {
    const {wallet, fund} = await open();
    wallet.allowance = AMOUNT;
    const proper = await fund('signature');
    wallet.instead.set('eth_signTypedData_v4', params =>
      String(wallet.answer('eth_signTypedData_v4', params)).replace(/1b$/, '00').replace(/1c$/, '01'),
    );
    expect(await fund('signature')).to.deep.equal(proper);
    wallet.instead.set('eth_getCode', () => '0x6001');
    for (const [ending, wanted] of [
      ['00', '1b'],
      ['01', '1c'],
      ['1b', '1b'],
    ] as const) {
      wallet.instead.set('eth_signTypedData_v4', () => `0x${'ab'.repeat(64)}${ending}`);
      expect(await fund('signature')).to.deep.equal({how: 'signature', signature: `0x${'ab'.repeat(64)}${wanted}`});
    }
  });
});

describe('the chain of an EVM wallet', () => {
  const openElsewhere = async () => {
    const parts = await open();
    parts.wallet.chainId = 1;
    parts.wallet.allowance = AMOUNT;
    return parts;
  };

  it('is changed where it knows the one that is meant', async () => {
    const {wallet, fund} = await openElsewhere();
    await fund('transaction');
    expect(wallet.windows).to.deep.equal(['wallet_switchEthereumChain', 'eth_sendTransaction']);
  });

  for (const [what, fault] of [
    ['4902', new WalletError(4902, 'Unrecognized chain ID.')],
    ['4901, as Taho', new WalletError(4901, 'The Provider is not connected to the requested chain.')],
    ['8546, as Enkrypt', new WalletError(8546, 'wallet_switchEthereumChain: provided network 0xaa36a7 not supported')],
    ['no method for it', new WalletError(4200, 'Unsupported method')],
    ['nothing certain', new WalletError(-32603, 'Internal error')],
    ['4902 in another error', new WalletError(-32603, 'Internal JSON-RPC error.', {originalError: {code: 4902}})],
    ['words alone', new WalletError(-32603, 'Unrecognized chain ID "0xaa36a7". Try adding the chain first.')],
  ] as const) {
    it(`is added where it fails without a no (${what})`, async () => {
      const {wallet, deal, fund} = await openElsewhere();
      (deal.agreed.from.chain as {rpc?: string}).rpc = 'https://rpc.example';
      wallet.chains.clear();
      wallet.instead.set('wallet_switchEthereumChain', params => {
        if (!wallet.chains.has(CHAIN)) throw fault;
        return wallet.answer('wallet_switchEthereumChain', params);
      });
      await fund('transaction');
      const added = wallet.requests.find(({method}) => method === 'wallet_addEthereumChain');
      expect(added?.params).to.deep.equal([
        {
          chainId: '0xaa36a7',
          chainName: 'Ethereum Sepolia',
          nativeCurrency: {name: 'Sepolia Ether', symbol: 'ETH', decimals: 18},
          rpcUrls: ['https://rpc.example'],
          blockExplorerUrls: ['https://sepolia.etherscan.io'],
        },
      ]);
    });
  }

  it('is seen to change even if the wallet never answers', async () => {
    const {wallet, updates, fund} = await openElsewhere();
    wallet.instead.set('wallet_switchEthereumChain', () => {
      setTimeout(() => (wallet.chainId = CHAIN), 15);
      return new Promise(() => {});
    });
    await fund('transaction');
    expect(updates).to.deep.equal(['send asking', 'send sent #']);
  });

  for (const [what, answer] of [
    ['that it does not add', () => Promise.reject(new WalletError(-32603, 'Internal error'))],
    ['that it adds and does not go to', () => null],
  ] as const) {
    it(`${what} is wrong-network, and nothing is asked`, async () => {
      const {wallet, updates, fund} = await openElsewhere();
      wallet.instead.set('wallet_switchEthereumChain', () => Promise.reject(new WalletError(4901, 'Disconnected')));
      wallet.instead.set('wallet_addEthereumChain', answer);
      expect(await errorOf(fund('transaction'))).to.include({code: 'wrong-network', field: 'chain'});
      expect(updates).to.deep.equal([]);
      expect(wallet.windows).to.include('wallet_addEthereumChain');
    });
  }

  it('that the person does not want added is rejected', async () => {
    const {wallet, fund} = await openElsewhere();
    wallet.instead.set('wallet_switchEthereumChain', () => Promise.reject(new WalletError(4901, 'Disconnected')));
    wallet.instead.set('wallet_addEthereumChain', () => Promise.reject(new WalletError(4001, 'User rejected')));
    expect(await errorOf(fund('transaction'))).to.include({code: 'rejected', field: 'chain'});
  });

  for (const [what, code, answer] of [
    ['a no', 'rejected', () => Promise.reject(new WalletError(4001, 'User rejected the request.'))],
    ['a request still open', 'wallet-locked', () => Promise.reject(new WalletError(-32002, 'Already pending'))],
    ['a yes without a change', 'wrong-network', () => null],
    ['no answer', 'wrong-network', () => new Promise(() => {})],
  ] as const) {
    it(`after ${what} is ${code}, and nothing is asked`, async () => {
      const {wallet, updates, moves, fund} = await openElsewhere();
      wallet.instead.set('wallet_switchEthereumChain', answer);
      expect(await errorOf(fund('transaction'))).to.include({code, field: 'chain'});
      expect(moves).to.deep.equal(['asking']);
      expect(updates).to.deep.equal([]);
      expect(wallet.windows).to.deep.equal(['wallet_switchEthereumChain']);
    });
  }

  it('is said to change before it is asked, and once it is there', async () => {
    const {wallet, moves, plans, fund} = await openElsewhere();
    wallet.instead.set('wallet_switchEthereumChain', params => {
      expect(moves).to.deep.equal(['asking']);
      expect(plans).to.deep.equal([]);
      return wallet.answer('wallet_switchEthereumChain', params);
    });
    await fund('transaction');
    expect(moves).to.deep.equal(['asking', 'moved']);
  });

  it('brings its account along: another one there is not paid from', async () => {
    const {wallet, updates, fund} = await openElsewhere();
    wallet.instead.set('wallet_switchEthereumChain', params => {
      wallet.accounts = [STRANGER];
      return wallet.answer('wallet_switchEthereumChain', params);
    });
    expect((await errorOf(fund('transaction'))).code).to.equal('wrong-account');
    expect(updates).to.deep.equal([]);
  });
});

describe('what an EVM wallet will be asked for', () => {
  const foresee = async ({account, deal}: Pick<Awaited<ReturnType<typeof open>>, 'account' | 'deal'>) =>
    adapter.means.foresee?.(deal.agreed.from, deal.agreed.amount, account);

  it('is to allow and to sign, or to sign alone where enough is allowed, and no window opens', async () => {
    const parts = await open();
    expect(await foresee(parts)).to.deep.equal({moves: false, plan: ['approve', 'sign']});
    parts.wallet.allowance = AMOUNT;
    expect(await foresee(parts)).to.deep.equal({moves: false, plan: ['sign']});
    expect(parts.wallet.windows).to.deep.equal([]);
  });

  it('is to change its chain first where it is on another', async () => {
    const parts = await open();
    parts.wallet.chainId = 1;
    expect(await foresee(parts)).to.deep.equal({moves: true, plan: ['approve', 'sign']});
    expect(parts.wallet.windows).to.deep.equal([]);
  });

  it('is one payment for the chain’s own coin', async () => {
    const {account, deal} = await open();
    const {token: _, ...coin} = deal.agreed.from;
    expect(await adapter.means.foresee?.(coin, 1n, account)).to.deep.equal({moves: false, plan: ['send']});
  });

  it('is not known where the wallet says nothing', async () => {
    const parts = await open();
    parts.wallet.instead.set('eth_chainId', () => new Promise(() => {}));
    expect(await foresee(parts)).to.equal(undefined);
  });
});

describe('what is on an EVM chain', () => {
  it('shows a balance of the token, and of the coin', async () => {
    const {wallet, account, deal} = await open();
    const {from} = deal.agreed;
    expect(await adapter.means.balance(from, account)).to.equal(10n ** 8n);
    const {token: _, ...coin} = from;
    expect(await adapter.means.balance(coin, account)).to.equal(wallet.coins);
  });

  it('keeps back of the coin what a payment costs at twice its price, and nothing of a token', async () => {
    const {wallet, account, deal} = await open();
    const {token: _, ...coin} = deal.agreed.from;
    wallet.instead.set('eth_gasPrice', () => '0x3b9aca00');
    expect(await adapter.means.reserve?.(coin, account)).to.equal(300_000n * 2_000_000_000n);
    expect(await adapter.means.reserve?.(deal.agreed.from, account)).to.equal(0n);
    wallet.chainId = 1;
    expect(await adapter.means.reserve?.(coin, account)).to.equal(0n);
  });

  it('is a contract where there is code, but that of an account which hands its calls on', async () => {
    const {wallet, account, deal} = await open();
    const {chain} = deal.agreed.from;
    const isContract = (code: unknown) => {
      wallet.instead.set('eth_getCode', () => code);
      return adapter.addresses.isContract?.(chain, account.address, {account});
    };
    expect(await isContract('0x608060405234801561001057600080fd5b50')).to.equal(true);
    expect(await isContract('0x')).to.equal(false);
    expect(await isContract(`0xef0100${'ab'.repeat(20)}`)).to.equal(false);
    expect(await isContract(`0xEF0100${'ab'.repeat(21)}`)).to.equal(true);
    expect(await isContract(null)).to.equal(undefined);
    expect(await isContract({})).to.equal(undefined);
    wallet.chainId = 1;
    expect(await isContract('0x60')).to.equal(undefined);
  });

  it('shows no balance where the chain cannot be read', async () => {
    const {wallet, account, deal} = await open();
    const {from} = deal.agreed;
    wallet.instead.set('eth_call', () => '0x');
    expect(await adapter.means.balance(from, account)).to.be.undefined;
    wallet.chainId = 1;
    wallet.requests.length = 0;
    expect(await adapter.means.balance(from, account)).to.be.undefined;
    expect(wallet.requests.map(({method}) => method)).to.deep.equal(['eth_chainId']);
  });

  it('is read from the address that the partner named, before any wallet', async () => {
    const {account, wallet, deal} = await open();
    const asked: string[] = [];
    const {fetch} = globalThis;
    globalThis.fetch = async (input, init) => {
      const {method, params} = JSON.parse(String(init?.body)) as {method: string; params: unknown[]};
      asked.push(`${String(input)} ${method}`);
      return Promise.resolve(
        Response.json({jsonrpc: '2.0', id: 1, error: null, result: wallet.answer(method, params)}),
      );
    };
    try {
      const asset = {...deal.agreed.from};
      wallet.requests.length = 0;
      const rpc = 'https://rpc.example/';
      expect(await adapter.means.balance({...asset, chain: {...asset.chain, rpc}}, account)).to.equal(10n ** 8n);
      expect(asked).to.deep.equal([`${rpc} eth_chainId`, `${rpc} eth_call`]);
      expect(wallet.requests).to.deep.equal([]);
      // One that is another chain is not believed.
      const chain = {...asset.chain, rpc, chainId: 5};
      expect(await adapter.means.balance({...asset, chain}, account)).to.be.undefined;
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('recognizes a deposit by the order id of the published sample', async () => {
    const {wallet, account, deal} = await open();
    const owner = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';
    deal.agreed.owner = owner;
    const find = () => depositState(adapter, deal, {account});
    expect(await find()).to.equal('none');
    wallet.orders.set(`0x${deal.order.source.swapId}`, {amount: AMOUNT, owner, refunded: false});
    expect(await find()).to.equal('seen');
  });

  it('looks for the ids of both generations and for the order’s own, whatever version typed data names', async () => {
    const {wallet, account, deal} = await open();
    const asked = () => {
      const calls = wallet.requests.filter(({method}) => method === 'eth_call');
      wallet.requests.length = 0;
      return calls.map(({params}) => (params[0] as {data: string}).data).filter(data => data.startsWith('0x9c3f1e90'));
    };
    const found = async () => {
      await depositState(adapter, deal, {account});
      return asked();
    };
    const both = await found();
    deal.deposit.payload.typedData.domain['version'] = '3';
    const named = await found();
    expect(named).to.deep.equal(both);
    expect(new Set(named).size).to.equal(3);
    Reflect.deleteProperty(deal.deposit.payload, 'typedData');
    expect(await found()).to.deep.equal(both);
    Reflect.deleteProperty(deal, 'order');
    expect(await found()).to.deep.equal(both.slice(0, 2));
  });

  it('recognizes a deposit by its transaction: on its way, in a block, refused, or unknown to the chain', async () => {
    const {wallet, account, deal} = await open();
    const hash = `0x${'1'.repeat(64)}`;
    const find = () => depositState(adapter, deal, {account, hash});
    expect(await find()).to.equal('none');
    wallet.instead.set('eth_getTransactionByHash', () => ({hash}));
    expect(await find()).to.equal('seen');
    wallet.receipts.set(hash, {status: '0x1'});
    expect(await find()).to.equal('empty');
    wallet.receipts.set(hash, {status: '0x0'});
    expect(await find()).to.equal('reverted');
  });

  it('is unknown where it cannot be read, or is no swap', async () => {
    const {wallet, account, deal} = await open();
    expect(await depositState(adapter, deal, {})).to.equal('unknown');
    wallet.instead.set('eth_call', () => '0x');
    expect(await depositState(adapter, deal, {account})).to.equal('unknown');
    wallet.instead.clear();
    wallet.chainId = 1;
    expect(await depositState(adapter, deal, {account})).to.equal('unknown');
    wallet.chainId = CHAIN;
    deal.deposit.payload.transaction.data = '0x';
    expect(await depositState(adapter, deal, {account})).to.equal('unknown');
  });
});

describe('a refund on an EVM chain', () => {
  const openPaid = async () => {
    const parts = await open();
    const {wallet, updates, fund} = parts;
    wallet.allowance = AMOUNT;
    await fund('transaction');
    updates.length = 0;
    wallet.requests.length = 0;
    return parts;
  };

  it('gives the money back to the payer once the timelock is over', async () => {
    const {wallet, updates, refund} = await openPaid();
    wallet.isLate = true;
    expect(await refund()).to.equal([...wallet.receipts.keys()].at(-1));
    expect(updates).to.deep.equal(['refund asking', 'refund sent #']);
    expect(wallet.balances.get(OWNER)).to.equal(10n ** 8n);
  });

  it('asks nothing before that', async () => {
    const {wallet, updates, refund} = await openPaid();
    expect((await errorOf(refund())).code).to.equal('funding-reverted');
    expect(updates).to.deep.equal([]);
    expect(wallet.windows).to.deep.equal([]);
  });

  it('can be asked for by another account, and on another chain first', async () => {
    const {wallet, refund} = await openPaid();
    wallet.isLate = true;
    wallet.accounts = [STRANGER];
    wallet.chainId = 1;
    await refund();
    expect(wallet.windows).to.deep.equal(['wallet_switchEthereumChain', 'eth_sendTransaction']);
    expect(sent(wallet)[0]).to.include({from: STRANGER, value: '0x0'});
    expect(wallet.balances.get(OWNER)).to.equal(10n ** 8n);
  });

  it('may be refused by the person', async () => {
    const {wallet, updates, refund} = await openPaid();
    wallet.isLate = true;
    wallet.instead.set('eth_sendTransaction', () => {
      throw new WalletError(4001, 'User rejected the request.');
    });
    expect((await errorOf(refund())).code).to.equal('rejected');
    expect(updates).to.deep.equal(['refund asking', 'refund refused']);
  });

  it('goes to the contract that took the money, whichever contracts are known or required today', async () => {
    for (const contracts of [[STRANGER], []]) {
      const {wallet, account, deal, refund} = await openPaid();
      wallet.isLate = true;
      const later = structuredClone(deal);
      later.agreed.from.contracts = contracts;
      later.policy.requirePins = true;
      expect(await isRefundOpen(adapter, later, {account})).to.be.true;
      await refund(later);
      expect(sent(wallet).at(-1)).to.include({to: deal.deposit.payload.transaction.to, value: '0x0'});
      expect(wallet.balances.get(OWNER)).to.equal(10n ** 8n);
    }
  });

  it('is asked of nothing that is no contract', async () => {
    const {wallet, updates, refund} = await openPaid();
    wallet.isLate = true;
    wallet.hasCode = false;
    expect((await errorOf(refund())).field).to.equal('code');
    expect(updates).to.deep.equal([]);
  });
});

describe('taking back an allowance on an EVM chain', () => {
  const openAllowed = async () => {
    const parts = await open();
    const {account, deal, wallet} = parts;
    wallet.allowance = AMOUNT;
    const {updates, onWalletRequest} = listen();
    return {...parts, updates, revoke: () => adapter.back.revoke!(deal, account, {onWalletRequest})};
  };

  it('sets it to nothing, by the owner on the right chain, and waits until the chain shows it', async () => {
    const {wallet, updates, revoke} = await openAllowed();
    wallet.chainId = 1;
    const hash = await revoke();
    expect(hash).to.equal([...wallet.receipts.keys()].at(-1));
    expect(wallet.windows).to.deep.equal(['wallet_switchEthereumChain', 'eth_sendTransaction']);
    expect(sent(wallet)[0]).to.include({from: OWNER, to: TOKEN, value: '0x0'});
    expect(wallet.allowance).to.equal(0n);
    expect(updates).to.deep.equal(['revoke asking', 'revoke sent #']);
  });

  it('makes a signature worthless', async () => {
    const {wallet, deal, account, revoke} = await openAllowed();
    const {onWalletRequest} = listen();
    await adapter.fund(deal, account, {way: 'signature', onWalletRequest});
    await revoke();
    const {to, data} = deal.deposit.payload.transaction;
    const take = () => wallet.answer('eth_call', [{from: OWNER, to, data, value: '0x0'}]);
    expect(take).to.throw('the money is not there');
  });

  it('asks nothing where nothing is allowed', async () => {
    const {wallet, updates, revoke} = await openAllowed();
    wallet.allowance = 0n;
    expect(await revoke()).to.equal('');
    expect(updates).to.deep.equal([]);
    expect(wallet.windows).to.deep.equal([]);
  });

  for (const [what, code, spoil] of [
    ['of another account', 'wrong-account', ({wallet}) => (wallet.accounts = [STRANGER])],
    [
      'while the chain gives no answer',
      'timeout',
      ({wallet}) => wallet.instead.set('eth_call', () => new Promise(() => {})),
    ],
    ['of a coin', 'deposit-mismatch', ({deal}) => Reflect.deleteProperty(deal.agreed.from, 'token')],
    [
      'of a call that pays into no swap',
      'deposit-mismatch',
      ({deal}) => (deal.deposit.payload.transaction.data = '0x'),
    ],
  ] as readonly [string, string, (parts: {wallet: LedgerWallet; deal: OpenDeal}) => unknown][]) {
    it(`asks nothing ${what}: ${code}`, async () => {
      const parts = await openAllowed();
      spoil(parts);
      expect((await errorOf(parts.revoke())).code).to.equal(code);
      expect(parts.updates).to.deep.equal([]);
      expect(parts.wallet.windows).to.deep.equal([]);
    });
  }

  it('that the person does not want is refused, and one that the chain refuses is no success', async () => {
    const {wallet, updates, revoke} = await openAllowed();
    wallet.instead.set('eth_sendTransaction', () => {
      throw new WalletError(4001, 'User rejected the request.');
    });
    expect((await errorOf(revoke())).code).to.equal('rejected');
    expect(updates).to.deep.equal(['revoke asking', 'revoke refused']);
    wallet.instead.set('eth_sendTransaction', () => {
      wallet.receipts.set(`0x${'7'.repeat(64)}`, {status: '0x0'});
      return `0x${'7'.repeat(64)}`;
    });
    expect((await errorOf(revoke())).code).to.equal('approval-failed');
  });
});
