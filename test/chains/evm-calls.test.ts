/** Approval and payment as one wallet request (EIP-5792): its contents, responses, and what the chain shows. */
import {Interface} from 'ethers';
import {expect} from '../support/expect.js';
import type {FundOptions} from '../../src/chains/adapter.js';
import {evmDialect} from '../../src/chains/evm/dialect.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {FundWay} from '../../src/domain/deposit.js';
import {connectLedger} from '../support/evm-account.js';
import {CONTRACT, ownDeal, STRANGER, TOKEN} from '../support/evm-deal.js';
import {LedgerWallet, OWNER, WalletError, type Bundle} from '../support/evm-ledger.js';
import {errorOf, listen} from '../support/funding.js';

const adapter = createEvmAdapter({
  ...TIMEOUTS,
  read: 50,
  connect: 100,
  request: 50,
  receipt: 100,
  lag: 100,
  poll: 2,
});
const CHAIN = 11155111;
const AMOUNT = 50_000n;
const approval = new Interface(['function approve(address spender, uint256 amount)']);

async function open() {
  const wallet = new LedgerWallet({chainId: CHAIN, token: TOKEN, contract: CONTRACT, balance: 10n ** 8n});
  wallet.atomic = 'supported';
  const account = await connectLedger(adapter, wallet);
  wallet.requests.length = 0;
  const deal = ownDeal();
  const terms = evmDialect.terms(deal.deposit.payload)!;
  const {updates, walletRequests, fallbacks, onFallback, onWalletRequest} = listen();
  const plans: string[] = [];
  const onPlan: NonNullable<FundOptions['onPlan']> = (plan, {by, isBundle}) =>
    plans.push(`${plan.join(' ')} by ${by}${isBundle ? ', at once' : ''}`);
  const fund = (way: FundOptions['way'] = 'transaction', more: Partial<FundOptions> = {}) =>
    adapter.fund(deal, account, {way, onPlan, onFallback, onWalletRequest, ...more});
  const foresee = (way?: FundWay) => adapter.means.foresee!(deal.agreed.from, deal.agreed.amount, account, {way});
  const look = (calls: string | undefined = walletRequests.at(-1)?.calls) =>
    adapter.readDeposit(deal, {account, calls});
  return {wallet, account, deal, terms, updates, walletRequests, plans, fallbacks, fund, foresee, look};
}

const bundlesOf = (wallet: LedgerWallet) =>
  wallet.requests.filter(({method}) => method === 'wallet_sendCalls').map(({params}) => params[0] as Bundle);
const approved = ({data}: Bundle['calls'][number]) => [...approval.decodeFunctionData('approve', data)] as unknown[];
const refuse =
  (code: number, message = 'no', data?: unknown) =>
  () => {
    throw new WalletError(code, message, data);
  };

describe('approval and payment at once on an EVM chain', () => {
  for (const status of ['supported', 'ready'] as const) {
    it(`are one request if the wallet reports ${status}: exactly what was checked, all or nothing`, async () => {
      const {wallet, deal, updates, walletRequests, plans, fund, look} = await open();
      wallet.atomic = status;
      const shown: unknown[] = [];
      const funding = await fund('transaction', {
        isChosen: true,
        beforeSign: (report, payload) => {
          expect(report.outcome).to.equal('passed');
          shown.push(payload);
          return Promise.resolve();
        },
      });
      expect(plans).to.deep.equal(['send by transaction, at once']);
      expect(wallet.windows).to.deep.equal(['wallet_sendCalls']);
      const [bundle] = bundlesOf(wallet);
      const {to, data} = deal.deposit.payload.transaction;
      expect(bundle).to.deep.include({version: '2.0.0', from: OWNER, chainId: '0xaa36a7', atomicRequired: true});
      expect(bundle?.calls.map(call => [call.to, call.value])).to.deep.equal([
        [TOKEN, '0x0'],
        [to, '0x0'],
      ]);
      expect(approved(bundle!.calls[0]!)).to.deep.equal([CONTRACT, AMOUNT]);
      expect(bundle?.calls[1]?.data).to.equal(data);
      // The exact object, which is frozen.
      expect(shown[0]).to.equal(bundle);
      expect([bundle, bundle?.calls, ...bundle!.calls].every(Object.isFrozen)).to.equal(true);
      expect(bundle?.id).to.match(/^0x[0-9a-f]{64}$/);
      expect(funding).to.deep.equal({how: 'calls', id: bundle?.id});
      expect(updates).to.deep.equal(['send asking', 'send sent']);
      expect(walletRequests.map(({calls}) => calls)).to.deep.equal([bundle?.id, bundle?.id]);
      expect(await look()).to.include({state: 'seen', amount: AMOUNT, isHeld: true});
      expect(wallet.allowance).to.equal(0n);
    });
  }

  it('are one request to an unknown contract, too, unless a node finds them too dear', async () => {
    const confirm = () => Promise.resolve();
    for (const [windows, code, spoil] of [
      [['wallet_sendCalls'], undefined, () => undefined],
      [[], 'deposit-mismatch', wallet => (wallet.dear = CONTRACT)],
      // What both cost together cannot be read, and what the payment costs only once it is approved.
      [
        ['eth_sendTransaction', 'eth_sendTransaction'],
        undefined,
        wallet => wallet.instead.set('eth_simulateV1', refuse(-32601)),
      ],
      [
        ['eth_sendTransaction', 'eth_sendTransaction'],
        undefined,
        wallet => wallet.instead.set('eth_simulateV1', () => [{calls: [{status: '0x1', gasUsed: '0x1'}]}]),
      ],
    ] as readonly [string[], string | undefined, (wallet: LedgerWallet) => unknown][]) {
      const {wallet, deal, fund} = await open();
      deal.agreed.from.contracts = [];
      deal.policy.unverified = 'ask';
      spoil(wallet);
      const refusal = await fund('transaction', {confirm}).then(
        () => undefined,
        (error: {code?: string}) => error.code,
      );
      expect([wallet.windows, refusal]).to.deep.equal([windows, code]);
    }
  });

  it('to an unverified contract are never told to have failed: the approval alone may have been carried out', async () => {
    const [approval, payment] = ['1', '2'].map(digit => `0x0${digit.repeat(63)}`) as [string, string];
    for (const status of [600, 500, 200]) {
      const {wallet, account, deal} = await open();
      wallet.mine(approval, {block: 101n});
      wallet.mine(payment, {block: 102n, isReverted: true});
      const receipts = [approval, payment].map(transactionHash => ({transactionHash, status: '0x1'}));
      wallet.instead.set('wallet_getCallsStatus', () => ({status, atomic: false, receipts}));
      const read = (unverified?: true) =>
        adapter.readDeposit({...deal, ...(unverified && {unverified})}, {account, calls: 'abc', mustShow: true});
      expect((await read()).state, String(status)).to.equal('reverted');
      expect((await read(true)).state, String(status)).to.equal('unknown');
    }
  });

  it('have an id of their own with each try', async () => {
    const {wallet, fund} = await open();
    wallet.instead.set('wallet_sendCalls', refuse(4001));
    await errorOf(fund());
    await errorOf(fund());
    const [one, other] = bundlesOf(wallet);
    expect(one?.id).not.to.equal(other?.id);
  });

  it('revoke an earlier allowance first if the token requires it, in the same request', async () => {
    const {wallet, fund, look} = await open();
    wallet.approvesFromZeroOnly = true;
    wallet.allowance = 1n;
    await fund();
    const [bundle] = bundlesOf(wallet);
    expect(bundle?.calls.slice(0, 2).map(approved)).to.deep.equal([
      [CONTRACT, 0n],
      [CONTRACT, AMOUNT],
    ]);
    expect(bundle?.calls).to.have.length(3);
    expect((await look()).state).to.equal('seen');
  });
});

describe('the payment method with a wallet that can do both at once', () => {
  it('is one request if the person chose nothing and a token needs approval', async () => {
    const {wallet, plans, fund, foresee} = await open();
    expect(await foresee()).to.deep.equal({moves: false, plan: ['send'], isBundle: true});
    await fund('signature');
    expect(plans).to.deep.equal(['send by transaction, at once']);
    expect(wallet.windows).to.deep.equal(['wallet_sendCalls']);
  });

  it('is a signature, which is free, if the allowance already suffices', async () => {
    const {wallet, plans, fund, foresee} = await open();
    wallet.allowance = AMOUNT;
    expect(await foresee()).to.deep.equal({moves: false, plan: ['sign']});
    await fund('signature');
    expect(plans).to.deep.equal(['sign by signature']);
    expect(wallet.windows).to.deep.equal(['eth_signTypedData_v4']);
  });

  it('is what the person chose: a signature after an approval', async () => {
    const {wallet, plans, fund, foresee} = await open();
    expect(await foresee('signature')).to.deep.equal({moves: false, plan: ['approve', 'sign']});
    await fund('signature', {isChosen: true});
    expect(plans).to.deep.equal(['approve sign by signature']);
    expect(wallet.windows).to.deep.equal(['eth_sendTransaction', 'eth_signTypedData_v4']);
  });

  it('is one by one if the wallet reports no support, or nothing readable, and no window opens to find out', async () => {
    const errors = [-32601, 4100, 4200, -32603].map(code => refuse(code));
    for (const answer of [() => undefined, () => ({'0xaa36a7': null}), ...errors]) {
      const {wallet, plans, fund, foresee} = await open();
      wallet.instead.set('wallet_getCapabilities', answer);
      expect(await foresee()).to.deep.equal({moves: false, plan: ['approve', 'sign']});
      expect(wallet.windows).to.deep.equal([]);
      await fund();
      expect(plans).to.deep.equal(['approve send by transaction']);
    }
  });

  it('is not queried again from a wallet that did not respond', async () => {
    const {wallet, foresee, fund, plans} = await open();
    wallet.instead.set('wallet_getCapabilities', () => new Promise(() => {}));
    expect(await foresee()).to.deep.equal({moves: false, plan: ['approve', 'sign']});
    await fund();
    expect(plans).to.deep.equal(['approve send by transaction']);
    expect(wallet.requests.filter(({method}) => method === 'wallet_getCapabilities')).to.have.length(1);
  });
});

describe('a wallet that claims to do both at once, and cannot', () => {
  for (const [what, error] of [
    ['does not support the method', refuse(-32601)],
    ['does not support it', refuse(4200)],
    ['says so within a general error', refuse(-32603, 'Internal JSON-RPC error.', {code: 4200, message: 'no'})],
    ['has an earlier version of the standard', refuse(-32602, 'Invalid params: version')],
    ['accepts no capability', refuse(5700)],
    ['does not support it on this chain', refuse(5710)],
    ['reports too many calls', refuse(5740)],
    ['may not upgrade the account for it', refuse(5750, 'User rejected the upgrade.')],
    ['cannot do all or nothing', refuse(5760)],
  ] as const) {
    it(`is prompted one by one if it ${what}: nothing was sent, and both at once is not tried again`, async () => {
      const {wallet, updates, plans, fund, foresee} = await open();
      wallet.instead.set('wallet_sendCalls', error);
      let shown = 0;
      const beforeSign = () => Promise.resolve(void shown++);
      const funding = await fund('transaction', {beforeSign});
      expect(funding.how).to.equal('transaction');
      expect(plans).to.deep.equal(['send by transaction, at once', 'approve send by transaction']);
      expect(updates).to.deep.equal([
        'send asking',
        'send refused',
        'approve asking',
        'approve sent #',
        'send asking',
        'send sent #',
      ]);
      expect(shown, 'how often the page was shown what the wallet gets').to.equal(2);
      expect(wallet.balance).to.equal(10n ** 8n - AMOUNT);
      expect(await foresee()).to.deep.equal({moves: false, plan: ['approve', 'sign']});
    });
  }

  it('is prompted for the signature after all if the person chose nothing', async () => {
    const {wallet, plans, fund} = await open();
    wallet.instead.set('wallet_sendCalls', refuse(5760));
    const funding = await fund('signature');
    expect(funding.how).to.equal('signature');
    expect(plans).to.deep.equal(['send by transaction, at once', 'approve sign by signature']);
  });

  it('is checked again before that: what changed meanwhile stops it', async () => {
    const {wallet, updates, fund} = await open();
    wallet.instead.set('wallet_sendCalls', () => {
      wallet.accounts = [STRANGER];
      return refuse(5760)();
    });
    expect((await errorOf(fund())).code).to.equal('wrong-account');
    expect(updates).to.deep.equal(['send asking', 'send refused']);
  });
});

describe('a wallet’s response to approval and payment at once', () => {
  it('may be a rejection: nothing was sent or is requested; a click prompts again', async () => {
    const {wallet, updates, plans, fund} = await open();
    wallet.instead.set('wallet_sendCalls', refuse(4001, 'User rejected the request.'));
    expect((await errorOf(fund())).code).to.equal('rejected');
    expect(updates).to.deep.equal(['send asking', 'send refused']);
    wallet.instead.clear();
    await fund();
    expect(plans).to.deep.equal(['send by transaction, at once', 'send by transaction, at once']);
    expect(wallet.windows).to.deep.equal(['wallet_sendCalls', 'wallet_sendCalls']);
  });

  for (const [what, answer] of [
    ['an id that it already has', refuse(5720)],
    ['an unknown error', refuse(-32000, 'something')],
    ['an error without a code', () => Promise.reject(new Error('Disconnected from MetaMask background.'))],
    ['no id', () => ({})],
    ['silence', () => new Promise(() => {})],
  ] as const) {
    it(`may be ${what}: that leads to a question, and nothing else is requested`, async () => {
      const {wallet, updates, walletRequests, fund} = await open();
      wallet.instead.set('wallet_sendCalls', answer);
      expect((await errorOf(fund())).code).to.equal('wallet-unclear');
      expect(updates).to.deep.equal(['send asking']);
      expect(walletRequests[0]?.calls).to.equal(bundlesOf(wallet)[0]?.id);
      expect(wallet.windows).to.deep.equal(['wallet_sendCalls']);
    });
  }
});

describe('the result of approval and payment at once', () => {
  /** A wallet that accepted them, and the chain before it shows any of them. */
  async function taken(change: (deal: ReturnType<typeof ownDeal>) => void = () => undefined) {
    const parts = await open();
    change(parts.deal);
    const {wallet} = parts;
    wallet.instead.set('wallet_sendCalls', ([bundle]) => ({id: (bundle as Bundle).id}));
    await parts.fund();
    return parts;
  }
  const HASH = `0x${'7'.repeat(64)}`;

  it('comes from the wallet until the chain shows something: accepted, which is not a payment', async () => {
    const {wallet, look} = await taken();
    wallet.instead.set('wallet_getCallsStatus', () => ({status: 100}));
    expect(await look()).to.deep.equal({state: 'none', isTaken: true});
  });

  it('comes from the wallet for a call that cannot be read, too; not that nothing was paid', async () => {
    const {wallet, look} = await taken(({agreed, deposit}) => {
      Object.assign(agreed.from, {contracts: [], vouched: [{address: CONTRACT}]});
      deposit.payload.transaction.data = '0x';
    });
    for (const [status, more] of [[200, {isTaken: true}] as const, [500, {}] as const]) {
      wallet.instead.set('wallet_getCallsStatus', () => ({status}));
      expect(await look()).to.deep.equal({state: 'unknown', ...more});
    }
  });

  it('is a failure if the wallet reports that it will not send them, and the chain shows none', async () => {
    const {wallet, look} = await taken();
    wallet.instead.set('wallet_getCallsStatus', () => ({status: 400}));
    expect(await look()).to.deep.equal({state: 'reverted'});
  });

  it('is the chain’s result for the transaction that the wallet names, whatever else it says', async () => {
    const {wallet, look} = await taken();
    const say = (status: number) =>
      wallet.instead.set('wallet_getCallsStatus', () => ({status, receipts: [{transactionHash: HASH, status: '0x1'}]}));
    say(200);
    expect(await look(), 'the chain does not know it').to.deep.equal({state: 'none', isTaken: true});
    wallet.mine(HASH, {isReverted: true});
    expect(await look(), 'the chain refused it').to.deep.equal({state: 'reverted'});
    wallet.mine(HASH);
    expect(await look(), 'it paid nothing').to.deep.equal({state: 'empty'});
    say(500);
    expect(await look(), 'it says that it failed').to.deep.equal({state: 'empty'});
  });

  it('is unknown if the wallet forgot them, is another one, or responds unreadably: only the chain counts', async () => {
    const {wallet, look} = await taken();
    for (const answer of [refuse(5730), () => null, () => new Promise(() => {})]) {
      wallet.instead.set('wallet_getCallsStatus', answer);
      expect(await look()).to.deep.equal({state: 'none'});
    }
  });

  it('is unknown as before if the chain cannot be read, whatever the wallet says', async () => {
    const {wallet, look} = await taken();
    wallet.instead.set('wallet_getCallsStatus', () => ({status: 400}));
    wallet.chainId = 1;
    expect(await look()).to.deep.equal({state: 'unknown'});
  });

  it('is found by our own id if the response was lost', async () => {
    const {wallet, walletRequests, fund, look} = await open();
    wallet.instead.set('wallet_sendCalls', params => {
      void wallet.answer('wallet_sendCalls', params);
      throw new Error('The connection is gone.');
    });
    expect((await errorOf(fund())).code).to.equal('wallet-unclear');
    expect(await look(walletRequests[0]?.calls)).to.include({state: 'seen', amount: AMOUNT});
  });
});

describe('a wallet that handles approval and payment differently', () => {
  const [APPROVE, PAY] = [0, 1];
  const pick =
    (...places: number[]) =>
    (calls: Bundle['calls']) =>
      places.map(place => calls[place]!);

  for (const [what, arrange, isCareless, state] of [
    ['reverses them', pick(PAY, APPROVE), false, 'reverted'],
    ['reverses them, and continues if one fails', pick(PAY, APPROVE), true, 'empty'],
    ['drops the payment', pick(APPROVE), false, 'empty'],
    ['drops the approval', pick(PAY), false, 'reverted'],
    ['drops the approval, and continues if one fails', pick(PAY), true, 'empty'],
    ['executes none of them', pick(), false, 'empty'],
    ['pays twice', pick(APPROVE, PAY, PAY), false, 'reverted'],
    ['continues if the payment fails', pick(APPROVE, APPROVE), true, 'empty'],
  ] as const) {
    it(`is detected from the chain if it ${what}: ${state}, never seen`, async () => {
      const {wallet, fund, look} = await open();
      wallet.arrange = arrange;
      wallet.isCareless = isCareless;
      await fund();
      expect(await look()).to.deep.equal({state});
      expect(wallet.balance, 'what was paid').to.equal(10n ** 8n);
    });
  }

  it('pays once if it tries twice and continues', async () => {
    const {wallet, fund, look} = await open();
    wallet.arrange = pick(APPROVE, PAY, APPROVE, PAY);
    wallet.isCareless = true;
    await fund();
    expect(await look()).to.include({state: 'seen', amount: AMOUNT});
    expect(wallet.balance).to.equal(10n ** 8n - AMOUNT);
  });

  it('can safely be prompted again if it paid nothing: the approval stays, and only the payment is sent', async () => {
    const {wallet, fund, plans, look} = await open();
    wallet.arrange = pick(APPROVE);
    await fund();
    expect((await look()).state).to.equal('empty');
    await fund();
    expect(plans).to.deep.equal(['send by transaction, at once', 'send by transaction']);
    expect(await look(undefined)).to.include({state: 'seen', amount: AMOUNT});
  });

  it('gains nothing from another payment’s transaction, which is not this order’s', async () => {
    const {wallet, fund, look} = await open();
    wallet.arrange = pick();
    const stranger = `0x${'9'.repeat(64)}`;
    wallet.mine(stranger);
    wallet.instead.set('wallet_getCallsStatus', () => ({status: 200, receipts: [{transactionHash: stranger}]}));
    await fund();
    expect(await look()).to.deep.equal({state: 'empty'});
  });
});
