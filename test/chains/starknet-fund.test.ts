import {expect} from '../support/expect.js';
import {typedData as snip12} from 'starknet';
import type {Account, FundOptions} from '../../src/chains/adapter.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import type {CheckReport} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {errorOf, listen, depositState, isRefundOpen} from '../support/funding.js';
import {
  connectLedger,
  CONTRACT,
  findWallets,
  ORDER_ID,
  sampleDeal,
  TOKEN,
  type OpenDeal,
} from '../support/starknet-deal.js';
import {
  MAIN,
  OWNER,
  PUBLIC_KEY,
  REFUSED,
  register,
  SEPOLIA,
  StarknetLedger,
  STRANGER,
  WalletError,
} from '../support/starknet-ledger.js';

const adapter = createStarknetAdapter({
  ...TIMEOUTS,
  read: 100,
  connect: 100,
  request: 100,
  receipt: 100,
  lag: 100,
  poll: 2,
});
const AMOUNT = 50_000n;
const BALANCE = 10n ** 8n;

const APPROVE = {
  contract_address: TOKEN,
  entry_point: 'approve',
  calldata: [CONTRACT.replace('0x0', '0x'), '0xc350', '0x0'],
};

describe('Starknet', () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  /** A wallet on a chain that can be read, a deal, and what was reported on the way. */
  async function open({hasRpc = true, standard}: {hasRpc?: boolean; standard?: string} = {}) {
    const ledger = new StarknetLedger({token: TOKEN, contract: CONTRACT, orderId: ORDER_ID, balance: BALANCE});
    close();
    close = ledger.serve();
    let account: Account;
    if (standard === undefined) account = await connectLedger(adapter, ledger);
    else {
      register(ledger, standard);
      account = await findWallets(adapter, () => () => undefined)
        .find(({name}) => name === standard)!
        .connect();
    }
    ledger.requests.length = 0;
    const deal = sampleDeal();
    if (!hasRpc) Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    const {updates, plans, fallbacks, moves, onPlan, onFallback, onMove, onWalletRequest} = listen();
    const fund = (way: FundOptions['way'], more: Partial<FundOptions> = {}, payer: Account = account) =>
      adapter.fund(deal, payer, {way, onPlan, onFallback, onMove, onWalletRequest, ...more});
    const refund = (paid: OpenDeal = deal) => adapter.back.refund!(paid, account, {onWalletRequest});
    const initiate = {
      contract_address: deal.deposit.payload.call.to,
      entry_point: 'initiate',
      calldata: deal.deposit.payload.call.calldata,
    };
    return {ledger, account, deal, updates, plans, fallbacks, moves, fund, refund, initiate};
  }

  for (const standard of [undefined, 'Standard payer'] as const) {
    describe(`funding with ${standard === undefined ? 'an object in the page' : 'a wallet of the standard'}`, () => {
      it('by transaction: approves exactly the amount and pays, by name, in one transaction', async () => {
        const {ledger, updates, plans, fund, initiate} = await open(standard === undefined ? {} : {standard});
        const funding = await fund('transaction');
        expect(funding).to.deep.equal({how: 'transaction', hash: [...ledger.statuses.keys()].at(-1)});
        expect(plans).to.deep.equal([['send']]);
        expect(updates).to.deep.equal(['send asking', 'send sent #']);
        expect(ledger.sent).to.deep.equal([[APPROVE, initiate]]);
        expect(ledger.balance).to.equal(BALANCE - AMOUNT);
        expect(ledger.allowance).to.equal(0n);
      });

      it('by signature: approves the token, then signs the very typed data that was checked', async () => {
        const name = standard === undefined ? undefined : `${standard}, signing`;
        const {ledger, deal, updates, plans, fund} = await open(name === undefined ? {} : {standard: name});
        const funding = await fund('signature', {
          onPlan: plan => {
            expect(ledger.windows).to.deep.equal([]);
            plans.push([...plan]);
          },
        });
        expect(plans).to.deep.equal([['approve', 'sign']]);
        expect(updates).to.deep.equal(['approve asking', 'approve sent #', 'sign asking', 'sign signed']);
        expect(ledger.sent).to.deep.equal([[APPROVE]]);
        const {typedData} = deal.deposit.payload;
        const asked = ledger.requests.find(({type}) => type === 'wallet_signTypedData');
        expect(asked?.params).to.deep.equal(typedData);
        if (funding.how !== 'signature') throw new Error('a signature was wanted');
        const signature = funding.signature as string[];
        expect(snip12.getMessageHash(typedData, OWNER)).to.equal(
          '0x4e644e4ce4c5935093e09734876961b806817846876a8d3fd00801043bbfc47',
        );
        expect(snip12.verifyMessage(typedData as never, signature, PUBLIC_KEY, OWNER)).to.be.true;
      });
    });
  }

  describe('funding', () => {
    it('pays without an approval where the token is approved already', async () => {
      const {ledger, plans, fund, initiate} = await open();
      ledger.allowance = AMOUNT;
      await fund('transaction');
      expect(ledger.sent).to.deep.equal([[initiate]]);
      expect(plans).to.deep.equal([['send']]);
    });

    it('goes by signature alone where the token is approved already', async () => {
      const {ledger, updates, plans, fund} = await open();
      ledger.allowance = AMOUNT;
      await fund('signature');
      expect(plans).to.deep.equal([['sign']]);
      expect(updates).to.deep.equal(['sign asking', 'sign signed']);
      expect(ledger.windows).to.deep.equal(['wallet_signTypedData']);
    });

    it('goes by transaction where the form of what would be signed is of another generation', async () => {
      const {ledger, deal, updates, plans, fallbacks, fund, initiate} = await open();
      const {domain, types, message} = deal.deposit.payload.typedData;
      domain['version'] = '0x32';
      types['Initiate']?.push({name: 'verifyingContract', type: 'ContractAddress'});
      message['verifyingContract'] = CONTRACT;
      const shown: unknown[] = [];
      const funding = await fund('signature', {
        beforeSign: (_, payload) => {
          shown.push(payload);
          return Promise.resolve();
        },
      });
      expect(funding).to.deep.equal({how: 'transaction', hash: [...ledger.statuses.keys()].at(-1)});
      expect(fallbacks).to.deep.equal(['version 0x32']);
      expect(plans).to.deep.equal([['send']]);
      expect(updates).to.deep.equal(['send asking', 'send sent #']);
      expect(ledger.sent).to.deep.equal([[APPROVE, initiate]]);
      expect(shown).to.have.length(1);
      expect(shown[0]).to.be.an('array');
      expect(ledger.windows).to.deep.equal(['wallet_addInvokeTransaction']);
    });

    it('does not go by a call that lies either', async () => {
      const {ledger, deal, updates, fallbacks, fund} = await open();
      deal.deposit.payload.typedData.domain['version'] = '3';
      deal.agreed.amount -= 1n;
      expect((await errorOf(fund('signature'))).code).to.equal('deposit-mismatch');
      expect([updates, fallbacks, ledger.windows]).to.deep.equal([[], [], []]);
    });

    it('approves again what was not approved enough', async () => {
      const {ledger, plans, fund} = await open();
      ledger.allowance = AMOUNT - 1n;
      await fund('signature');
      expect(plans).to.deep.equal([['approve', 'sign']]);
      expect(ledger.sent).to.deep.equal([[APPROVE]]);
    });

    for (const [what, prefix, suffix] of [
      ['two numbers', [], []],
      ['the kind of its signer in front', ['0x1', '0x0'], []],
      ['a guardian’s signature behind', [], ['0x5', '0x6']],
      ['numbers in decimals', [], ['1234567890123456789012345678901234567890']],
    ] as const) {
      it(`hands a signature on whole: ${what}`, async () => {
        const {ledger, fund} = await open();
        ledger.allowance = AMOUNT;
        ledger.prefix = prefix;
        ledger.suffix = suffix;
        let given: unknown;
        ledger.instead.set('wallet_signTypedData', async params => {
          given = await ledger.answer('wallet_signTypedData', params);
          return given;
        });
        const funding = await fund('signature');
        expect(funding).to.deep.equal({how: 'signature', signature: given});
        expect(given).to.have.length(2 + prefix.length + suffix.length);
      });
    }

    it('by transaction asks the chain nothing where no address is known for it, and approves the token again', async () => {
      const {ledger, fund, initiate} = await open({hasRpc: false});
      ledger.allowance = AMOUNT;
      await fund('transaction');
      expect(ledger.reads).to.deep.equal([]);
      expect(ledger.sent).to.deep.equal([[APPROVE, initiate]]);
    });

    it('by signature approves the token first where the allowance cannot be read, and gives that its time', async () => {
      const {ledger, updates, plans, fund} = await open({hasRpc: false});
      const started = performance.now();
      await fund('signature');
      expect(plans).to.deep.equal([['approve', 'sign']]);
      expect(updates).to.deep.equal(['approve asking', 'approve sent #', 'sign asking', 'sign signed']);
      expect(performance.now() - started).to.be.at.least(99);
      expect(ledger.reads).to.deep.equal([]);
    });

    it('reads nothing from an address that is another chain', async () => {
      const {ledger, fund} = await open();
      ledger.nodeChainId = MAIN;
      await fund('transaction');
      expect(new Set(ledger.reads)).to.deep.equal(new Set(['starknet_chainId']));
    });

    it('waits until the chain shows the approval, and asks nothing before', async () => {
      const {ledger, updates, fund} = await open();
      let looks = 0;
      ledger.instead.set('allowance', () => {
        looks++;
        if (looks > 1 && looks < 4) expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
        return [looks < 4 ? '0x0' : '0xc350', '0x0'];
      });
      await fund('signature');
      expect(looks).to.equal(4);
    });

    for (const [what, spoil] of [
      [
        'its transaction fails',
        (ledger: StarknetLedger) =>
          ledger.instead.set('starknet_getTransactionStatus', () => ({
            finality_status: 'ACCEPTED_ON_L2',
            execution_status: 'REVERTED',
          })),
      ],
      [
        'it gets into no block',
        (ledger: StarknetLedger) =>
          ledger.instead.set('starknet_getTransactionStatus', () => ({finality_status: 'RECEIVED'})),
      ],
      ['the person lowers it in the wallet', () => undefined],
    ] as const) {
      it(`goes no further than the approval where ${what}`, async () => {
        const {ledger, updates, fund} = await open();
        ledger.instead.set('allowance', () => ['0xc34f', '0x0']);
        spoil(ledger);
        expect((await errorOf(fund('signature'))).code).to.equal('approval-failed');
        expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
      });
    }

    it('stops between two wallet requests once the signal aborts, and not within one', async () => {
      const looking = new AbortController();
      const {updates, ledger, fund} = await open();
      ledger.instead.set('wallet_addInvokeTransaction', params => {
        looking.abort();
        return ledger.answer('wallet_addInvokeTransaction', params);
      });
      const reason: unknown = await fund('signature', {signal: looking.signal}).catch((error: unknown) => error);
      expect(reason).to.equal(looking.signal.reason);
      expect(updates).to.deep.equal(['approve asking', 'approve sent #']);
    });

    it('leaves no listener behind', async () => {
      const {ledger, fund} = await open();
      await fund('transaction');
      expect(ledger.listening).to.equal(0);
    });
  });

  describe('funding asks nothing', () => {
    const refusals: readonly (readonly [
      what: string,
      code: string,
      spoil: (parts: {ledger: StarknetLedger; deal: OpenDeal}) => unknown,
    ])[] = [
      ['from another account', 'wrong-account', ({ledger}) => (ledger.accounts = [STRANGER, OWNER])],
      ['of a locked wallet', 'wallet-locked', ({ledger}) => (ledger.accounts = [])],
      ['that the account cannot pay', 'insufficient-funds', ({ledger}) => (ledger.balance = AMOUNT - 1n)],
      [
        'about an order that is paid already',
        'wallet-unclear',
        ({ledger}) => ledger.orders.set(ORDER_ID, {amount: AMOUNT, refunded: false}),
      ],
      ['that is not as agreed', 'deposit-mismatch', ({deal}) => (deal.agreed.amount = AMOUNT - 1n)],
      ['where there is no contract', 'deposit-mismatch', ({ledger}) => (ledger.hasCode = false)],
      ['of a contract for another token', 'deposit-mismatch', ({ledger}) => (ledger.namedToken = STRANGER)],
      [
        'for an asset without a token',
        'deposit-mismatch',
        ({deal}) => Reflect.deleteProperty(deal.agreed.from, 'token'),
      ],
      [
        'that is not as agreed, before anything else is said',
        'deposit-mismatch',
        ({deal, ledger}) => {
          deal.agreed.amount = AMOUNT - 1n;
          ledger.balance = 0n;
        },
      ],
      ['that is no payment', 'deposit-mismatch', ({deal}) => (deal.deposit.payload.call.calldata = [])],
      [
        'while the wallet does not say who it is',
        'timeout',
        ({ledger}) => ledger.instead.set('wallet_requestAccounts', () => new Promise(() => undefined)),
      ],
      [
        'while the wallet does not say where it is',
        'timeout',
        ({ledger}) => ledger.instead.set('wallet_requestChainId', () => Promise.reject(new Error('no port'))),
      ],
    ];

    for (const [what, code, spoil] of refusals) {
      for (const way of ['transaction', 'signature'] as const) {
        it(`${what} (${way})`, async () => {
          const {ledger, deal, updates, fund} = await open();
          ledger.allowance = AMOUNT;
          spoil({ledger, deal});
          expect((await errorOf(fund(way))).code).to.equal(code);
          expect(updates).to.deep.equal([]);
          expect(ledger.windows).to.deep.equal([]);
        });
      }
    }

    it('of a signature where there is nothing to sign', async () => {
      const {deal, updates, fund} = await open();
      Reflect.deleteProperty(deal.deposit.payload, 'typedData');
      const error = await errorOf(fund('signature'));
      expect([error.code, error.field]).to.deep.equal(['deposit-mismatch', 'typed-data']);
      expect(updates).to.deep.equal([]);
    });

    it('of a wallet that never announced itself', async () => {
      const {account, fund, updates} = await open();
      const stranger = {...account, wallet: {...account.wallet}};
      expect((await errorOf(fund('transaction', {}, stranger))).code).to.equal('wallet-missing');
      expect(updates).to.deep.equal([]);
    });

    it('that could not be written down', async () => {
      const {ledger, fund} = await open();
      const full = new SwapError('storage');
      expect(await errorOf(fund('transaction', {onWalletRequest: () => Promise.reject(full)}))).to.equal(full);
      expect(ledger.windows).to.deep.equal([]);
    });

    it('that the page holds, which sees the report and the very object', async () => {
      const {ledger, deal, updates, fund} = await open();
      ledger.allowance = AMOUNT;
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
      const {call, typedData} = deal.deposit.payload;
      expect(seen[0]?.[1]).to.deep.equal([{contractAddress: call.to, entrypoint: 'initiate', calldata: call.calldata}]);
      expect((seen[0]?.[1] as [{calldata: unknown}])[0].calldata).to.be.frozen;
      expect(seen[1]?.[1]).to.equal(typedData);
      expect(typedData.message['secretHash']).to.be.frozen;
    });

    it('names the checks that failed, and hands the report on', async () => {
      const {deal, fund} = await open();
      deal.order.destination.amount -= 1n;
      const error = await errorOf(fund('transaction'));
      expect(error.field).to.equal('order');
      expect((error.cause as CheckReport).outcome).to.equal('failed');
    });

    it('when the account changes while the page makes up its mind', async () => {
      const {ledger, updates, fund} = await open();
      ledger.allowance = AMOUNT;
      const beforeSign = () => {
        ledger.accounts = [STRANGER];
        return Promise.resolve();
      };
      expect((await errorOf(fund('signature', {beforeSign}))).code).to.equal('wrong-account');
      expect(updates).to.deep.equal([]);
    });

    it('when a check fails once the token is approved', async () => {
      const {ledger, updates, fund} = await open();
      const onWalletRequest: FundOptions['onWalletRequest'] = ({kind, state}) => {
        updates.push(`${kind} ${state}`);
        if (state === 'sent') ledger.namedToken = STRANGER;
        return Promise.resolve();
      };
      expect((await errorOf(fund('signature', {onWalletRequest}))).code).to.equal('deposit-mismatch');
      expect(updates).to.deep.equal(['approve asking', 'approve sent']);
    });
  });

  describe('the wallet’s answer to a payment', () => {
    const zoo: readonly (readonly [what: string, code: string, isNo: boolean, fault: unknown])[] = [
      ['a no', 'rejected', true, REFUSED],
      ['a no as a plain object', 'rejected', true, {code: 113, message: 'An error occurred (USER_REFUSED_OP)'}],
      ['a no in another error', 'rejected', true, new WalletError(163, 'failed', REFUSED)],
      ['a no as the cause', 'rejected', true, new Error('could not sign', {cause: REFUSED})],
      ['a no in words alone', 'rejected', true, new Error('User abort')],
      ['a no by its name alone', 'rejected', true, new Error('USER_REFUSED_OP')],
      ['a no as plain text', 'rejected', true, 'User rejected request'],
      ['a version it does not know', 'wallet-failed', true, new WalletError(162, '(API_VERSION_NOT_SUPPORTED)')],
      [
        'coins that do not cover the fee',
        'insufficient-funds',
        true,
        new WalletError(54, 'Account balance is smaller'),
      ],
      ['a contract that refuses', 'funding-reverted', true, new WalletError(41, 'Transaction execution error')],
      ['an error inside it', 'wallet-unclear', false, new WalletError(163, 'An error occurred (UNKNOWN_ERROR)')],
      ['a request it finds wrong', 'wallet-unclear', false, new WalletError(114, '(INVALID_REQUEST_PAYLOAD)')],
      ['a port that closed', 'wallet-unclear', false, new Error('Attempting to use a disconnected port object')],
      ['words about rejection by a node', 'wallet-unclear', false, new WalletError(55, 'Account validation failed')],
      ['nothing at all', 'wallet-unclear', false, undefined],
    ];

    for (const way of ['transaction', 'signature'] as const) {
      const [kind, method] =
        way === 'transaction'
          ? (['send', 'wallet_addInvokeTransaction'] as const)
          : (['sign', 'wallet_signTypedData'] as const);

      for (const [what, code, isNo, fault] of zoo) {
        it(`${what}: ${code} (${way})`, async () => {
          const {ledger, updates, fund} = await open();
          ledger.allowance = AMOUNT;
          ledger.instead.set(method, () => {
            throw fault as Error;
          });
          expect((await errorOf(fund(way))).code).to.equal(code);
          expect(updates).to.deep.equal(isNo ? [`${kind} asking`, `${kind} refused`] : [`${kind} asking`]);
        });
      }

      it(`no answer: wallet-unclear (${way})`, async () => {
        const {ledger, updates, fund} = await open();
        ledger.allowance = AMOUNT;
        ledger.instead.set(method, () => new Promise(() => undefined));
        expect((await errorOf(fund(way))).code).to.equal('wallet-unclear');
        expect(updates).to.deep.equal([`${kind} asking`]);
      });

      for (const [what, later, end] of [
        ['yes', undefined, way === 'transaction' ? 'sent #' : 'signed'],
        ['a no', REFUSED, 'refused'],
        ['nothing clear', new WalletError(163, 'An error occurred'), undefined],
      ] as const) {
        it(`${what} after the time-out is written down, and nothing else is asked (${way})`, async () => {
          const {ledger, updates, fund} = await open();
          ledger.allowance = AMOUNT;
          let answer = () => {};
          ledger.instead.set(method, params => {
            ledger.instead.clear();
            return new Promise((resolve, reject) => {
              answer = () => (later ? reject(later) : resolve(ledger.answer(method, params)));
            });
          });
          expect((await errorOf(fund(way))).code).to.equal('wallet-unclear');
          expect(updates).to.deep.equal([`${kind} asking`]);
          const {windows} = ledger;
          answer();
          await new Promise(resolve => setTimeout(resolve, 20));
          expect(updates).to.deep.equal([`${kind} asking`, ...(end ? [`${kind} ${end}`] : [])]);
          expect(ledger.windows).to.deep.equal(windows);
        });
      }

      it(`an answer that is none: wallet-unclear (${way})`, async () => {
        for (const answer of [
          null,
          undefined,
          '',
          '0x1',
          {},
          [],
          ['0x1'],
          ['0x1', 5],
          {transaction_hash: '0x'},
          true,
        ]) {
          const {ledger, updates, fund} = await open();
          ledger.allowance = AMOUNT;
          ledger.instead.set(method, () => answer);
          expect((await errorOf(fund(way))).code).to.equal('wallet-unclear');
          expect(updates).to.deep.equal([`${kind} asking`]);
        }
      });
    }

    it('a no to the approval is a no', async () => {
      const {ledger, updates, fund} = await open();
      ledger.instead.set('wallet_addInvokeTransaction', () => Promise.reject(REFUSED));
      expect((await errorOf(fund('signature'))).code).to.equal('rejected');
      expect(updates).to.deep.equal(['approve asking', 'approve refused']);
    });
  });

  describe('the chain of a wallet', () => {
    const openElsewhere = async () => {
      const parts = await open();
      parts.ledger.chainId = MAIN;
      return parts;
    };

    it('is changed', async () => {
      const {ledger, fund} = await openElsewhere();
      await fund('transaction');
      expect(ledger.windows).to.deep.equal(['wallet_switchStarknetChain', 'wallet_addInvokeTransaction']);
      expect(ledger.requests.find(({type}) => type === 'wallet_switchStarknetChain')?.params).to.deep.equal({
        chainId: SEPOLIA,
      });
    });

    it('is foretold to change, without a window', async () => {
      const {ledger, account, deal} = await openElsewhere();
      const foresee = async () => adapter.means.foresee?.(deal.agreed.from, deal.agreed.amount, account);
      expect(await foresee()).to.deep.equal({moves: true, plan: ['approve', 'sign']});
      ledger.chainId = SEPOLIA;
      expect(await foresee()).to.deep.equal({moves: false, plan: ['approve', 'sign']});
      expect(ledger.windows).to.deep.equal([]);
    });

    it('is left alone where the wallet names it in letters', async () => {
      const {ledger, fund} = await openElsewhere();
      ledger.chainId = 'SN_SEPOLIA';
      await fund('transaction');
      expect(ledger.windows).to.deep.equal(['wallet_addInvokeTransaction']);
    });

    it('is seen to change even if the wallet never answers', async () => {
      const {ledger, updates, fund} = await openElsewhere();
      ledger.instead.set('wallet_switchStarknetChain', () => {
        setTimeout(() => (ledger.chainId = SEPOLIA), 15);
        return new Promise(() => undefined);
      });
      await fund('transaction');
      expect(updates).to.deep.equal(['send asking', 'send sent #']);
    });

    for (const [what, code, answer] of [
      ['a no', 'rejected', () => Promise.reject(REFUSED)],
      ['a chain it does not list', 'wrong-network', () => Promise.reject(new WalletError(112, '(UNLISTED_NETWORK)'))],
      ['no way to change', 'wrong-network', () => Promise.reject(new WalletError(162, 'not supported'))],
      ['a yes without a change', 'wrong-network', () => true],
      ['no answer', 'wrong-network', () => new Promise(() => undefined)],
    ] as const) {
      it(`after ${what} is ${code}, and nothing is asked`, async () => {
        const {ledger, updates, moves, fund} = await openElsewhere();
        ledger.instead.set('wallet_switchStarknetChain', answer);
        expect(await errorOf(fund('transaction'))).to.include({code, field: 'chain'});
        expect(moves).to.deep.equal(['asking']);
        expect(updates).to.deep.equal([]);
        expect(ledger.windows).to.deep.equal(['wallet_switchStarknetChain']);
      });
    }

    it('is said to change before it is asked, and once it is there', async () => {
      const {ledger, moves, plans, fund} = await openElsewhere();
      ledger.instead.set('wallet_switchStarknetChain', params => {
        expect(moves).to.deep.equal(['asking']);
        expect(plans).to.deep.equal([]);
        return ledger.answer('wallet_switchStarknetChain', params);
      });
      await fund('transaction');
      expect(moves).to.deep.equal(['asking', 'moved']);
    });

    it('brings its account along: another one there is not paid from', async () => {
      const {ledger, updates, fund} = await openElsewhere();
      ledger.instead.set('wallet_switchStarknetChain', params => {
        ledger.accounts = [STRANGER];
        return ledger.answer('wallet_switchStarknetChain', params);
      });
      expect((await errorOf(fund('transaction'))).code).to.equal('wrong-account');
      expect(updates).to.deep.equal([]);
    });
  });

  describe('what is on the chain', () => {
    const HASH = '0x1234';

    it('shows a balance, by either name of its entry point', async () => {
      const {ledger, account, deal} = await open();
      expect(await adapter.means.balance(deal.agreed.from, account)).to.equal(BALANCE);
      ledger.instead.set('balance_of', () => Promise.reject(new WalletError(21, 'no such entry point')));
      expect(await adapter.means.balance(deal.agreed.from, account)).to.equal(BALANCE);
    });

    it('shows no balance where the chain cannot be read', async () => {
      const {ledger, account, deal} = await open();
      ledger.instead.set('balance_of', () => ['0x1']);
      expect(await adapter.means.balance(deal.agreed.from, account)).to.be.undefined;
      const {token: _, ...bare} = deal.agreed.from;
      expect(await adapter.means.balance(bare, account)).to.be.undefined;
      Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
      expect(await adapter.means.balance(deal.agreed.from, account)).to.be.undefined;
    });

    it('recognizes a deposit by the id of its order', async () => {
      const {ledger, deal} = await open();
      expect(await depositState(adapter, deal, {})).to.equal('none');
      ledger.orders.set(ORDER_ID, {amount: AMOUNT, refunded: false});
      expect(await depositState(adapter, deal, {})).to.equal('seen');
    });

    it('recognizes a deposit by its transaction: on its way, in a block, refused, or unknown to the chain', async () => {
      const {ledger, deal} = await open();
      Reflect.deleteProperty(deal, 'order');
      const find = () => depositState(adapter, deal, {hash: HASH});
      expect(await find()).to.equal('none');
      ledger.statuses.set(HASH, {finality_status: 'RECEIVED'});
      expect(await find()).to.equal('seen');
      const done = {finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED'};
      ledger.statuses.set(HASH, done);
      ledger.receipts.set(HASH, {...done, block_number: ledger.block, events: []});
      expect(await find()).to.equal('empty');
      ledger.statuses.set(HASH, {finality_status: 'ACCEPTED_ON_L2', execution_status: 'REVERTED'});
      expect(await find()).to.equal('reverted');
      ledger.statuses.set(HASH, {finality_status: 'REJECTED'});
      expect(await find()).to.equal('reverted');
    });

    it('is unknown where it cannot be read, or where it is not known what to look for', async () => {
      const {ledger, deal} = await open();
      ledger.instead.set('get_order', () => Promise.reject(new WalletError(21, 'no such entry point')));
      expect(await depositState(adapter, deal, {})).to.equal('unknown');
      expect(await depositState(adapter, deal, {hash: HASH})).to.equal('unknown');
      ledger.nodeChainId = MAIN;
      expect(await depositState(adapter, deal, {hash: HASH})).to.equal('unknown');
      Reflect.deleteProperty(deal, 'order');
      ledger.nodeChainId = SEPOLIA;
      expect(await depositState(adapter, deal, {})).to.equal('unknown');
      Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
      expect(await depositState(adapter, deal, {hash: HASH})).to.equal('unknown');
    });
  });

  describe('a refund', () => {
    const openPaid = async () => {
      const parts = await open();
      await parts.fund('transaction');
      parts.updates.length = 0;
      parts.ledger.requests.length = 0;
      return parts;
    };

    it('gives the money back to the payer once the timelock is over', async () => {
      const {ledger, deal, updates, refund} = await openPaid();
      expect(await isRefundOpen(adapter, deal, {})).to.be.false;
      ledger.isLate = true;
      expect(await isRefundOpen(adapter, deal, {})).to.be.true;
      expect(await refund()).to.equal([...ledger.statuses.keys()].at(-1));
      expect(updates).to.deep.equal(['refund asking', 'refund sent #']);
      expect(ledger.sent).to.deep.equal([
        [{contract_address: deal.deposit.payload.call.to, entry_point: 'refund', calldata: [ORDER_ID]}],
      ]);
      expect(ledger.balance).to.equal(BALANCE);
    });

    it('asks nothing before that', async () => {
      const {ledger, updates, refund} = await openPaid();
      expect((await errorOf(refund())).code).to.equal('funding-reverted');
      expect(updates).to.deep.equal([]);
      expect(ledger.windows).to.deep.equal([]);
    });

    it('can be asked for by another account, and on another chain first', async () => {
      const {ledger, refund} = await openPaid();
      ledger.isLate = true;
      ledger.accounts = [STRANGER];
      ledger.chainId = MAIN;
      await refund();
      expect(ledger.windows).to.deep.equal(['wallet_switchStarknetChain', 'wallet_addInvokeTransaction']);
      expect(ledger.balance).to.equal(BALANCE);
    });

    it('may be refused by the person', async () => {
      const {ledger, updates, refund} = await openPaid();
      ledger.isLate = true;
      ledger.instead.set('wallet_addInvokeTransaction', () => Promise.reject(REFUSED));
      expect((await errorOf(refund())).code).to.equal('rejected');
      expect(updates).to.deep.equal(['refund asking', 'refund refused']);
    });

    it('goes to the contract that took the money, whichever contracts are known or required today', async () => {
      for (const contracts of [[STRANGER], []]) {
        const {ledger, deal, refund} = await openPaid();
        ledger.isLate = true;
        const later = structuredClone(deal);
        later.agreed.from.contracts = contracts;
        later.policy.requirePins = true;
        expect(await isRefundOpen(adapter, later, {})).to.be.true;
        await refund(later);
        expect(ledger.sent.at(-1)?.[0]).to.include({contract_address: deal.deposit.payload.call.to});
        expect(ledger.balance).to.equal(BALANCE);
      }
    });

    it('is asked of nothing that is no contract', async () => {
      const {ledger, updates, refund} = await openPaid();
      ledger.isLate = true;
      ledger.hasCode = false;
      expect((await errorOf(refund())).field).to.equal('code');
      const deal = sampleDeal();
      Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
      deal.deposit.payload.call.to = '0x0';
      expect((await errorOf(refund(deal))).field).to.equal('contract');
      expect(updates).to.deep.equal([]);
    });

    for (const generation of [1, 2] as const) {
      it(`needs no order by the service where the contract is of generation ${generation}`, async () => {
        const {ledger, deal, fund, refund} = await open();
        ledger.generation = generation;
        await fund('transaction');
        Reflect.deleteProperty(deal, 'order');
        ledger.isLate = true;
        expect(await isRefundOpen(adapter, deal, {})).to.be.true;
        await refund();
        expect(ledger.balance).to.equal(BALANCE);
      });
    }

    for (const [what, other] of [
      ['another’s', {initiator: STRANGER}],
      ['for another redeemer', {redeemer: STRANGER}],
      ['of another amount', {amount: AMOUNT + 1n}],
    ] as const) {
      it(`is never of another order whose id the service names: ${what}`, async () => {
        const {ledger, deal, updates, refund} = await open();
        ledger.generation = 1;
        ledger.isLate = true;
        deal.order.source.swapId = 'abc';
        ledger.orders.set('0xabc', {amount: AMOUNT, refunded: false, ...other});
        expect(await adapter.readDeposit(deal, {})).to.deep.equal({state: 'none'});
        expect((await errorOf(refund())).code).to.equal('funding-reverted');
        expect(updates).to.deep.equal([]);
        expect(ledger.windows).to.deep.equal([]);
      });
    }

    it('is asked for by a worked-out id alone where the chain cannot be read', async () => {
      for (const [generation, named] of [
        [1, 'abc'],
        [2, undefined],
      ] as const) {
        const {ledger, deal, fund, refund} = await open({hasRpc: false});
        ledger.generation = generation;
        ledger.isLate = true;
        const id = ledger.idOf(deal.deposit.payload.call.calldata, OWNER);
        ledger.orders.set('0xabc', {amount: AMOUNT, refunded: false, initiator: STRANGER});
        deal.order.source.swapId = named ?? id;
        await fund('transaction');
        await refund();
        expect(ledger.sent.at(-1)).to.deep.equal([
          {contract_address: deal.deposit.payload.call.to, entry_point: 'refund', calldata: [id]},
        ]);
        expect(ledger.balance).to.equal(BALANCE);
      }
    });

    it('is asked for by a worked-out id where the contract cannot say what it keeps', async () => {
      const {ledger, deal, fund, refund} = await open();
      ledger.generation = 1;
      deal.order.source.swapId = 'abc';
      await fund('transaction');
      ledger.isLate = true;
      ledger.instead.set('get_order', () => Promise.reject(new WalletError(21, 'no such entry point')));
      await refund();
      expect(ledger.balance).to.equal(BALANCE);
    });

    it('is not asked for where the chain does not answer, or keeps no such order', async () => {
      const {ledger, deal, updates, refund} = await openPaid();
      ledger.instead.set('get_order', () => Promise.reject(new WalletError(-32603, 'busy')));
      expect((await errorOf(refund())).code).to.equal('timeout');
      ledger.instead.clear();
      Reflect.deleteProperty(deal, 'order');
      expect((await errorOf(refund())).code, 'its id is not known').to.equal('funding-reverted');
      expect(updates).to.deep.equal([]);
    });
  });

  describe('taking back an allowance', () => {
    const openAllowed = async (settings?: {hasRpc?: boolean}) => {
      const parts = await open(settings);
      const {account, deal, ledger} = parts;
      ledger.allowance = AMOUNT;
      const {updates, onWalletRequest} = listen();
      return {...parts, updates, revoke: () => adapter.back.revoke!(deal, account, {onWalletRequest})};
    };
    const NOTHING = {...APPROVE, calldata: [APPROVE.calldata[0], '0x0', '0x0']};

    for (const hasRpc of [true, false]) {
      it(`sets it to nothing, by the owner on the right chain${hasRpc ? '' : ', also where the chain cannot be read'}`, async () => {
        const {ledger, updates, revoke} = await openAllowed({hasRpc});
        ledger.chainId = MAIN;
        expect(await revoke()).to.equal([...ledger.statuses.keys()].at(-1));
        expect(ledger.windows).to.deep.equal(['wallet_switchStarknetChain', 'wallet_addInvokeTransaction']);
        expect(ledger.sent).to.deep.equal([[NOTHING]]);
        expect(ledger.allowance).to.equal(0n);
        expect(updates).to.deep.equal(['revoke asking', 'revoke sent #']);
      });
    }

    it('asks nothing where nothing is allowed', async () => {
      const {ledger, updates, revoke} = await openAllowed();
      ledger.allowance = 0n;
      expect(await revoke()).to.equal('');
      expect(updates).to.deep.equal([]);
    });

    it('asks nothing of another account, or where the chain does not say what is allowed', async () => {
      const {ledger, updates, revoke} = await openAllowed();
      ledger.instead.set('allowance', () => Promise.reject(new WalletError(-32603, 'busy')));
      expect((await errorOf(revoke())).code).to.equal('timeout');
      ledger.accounts = [STRANGER];
      expect((await errorOf(revoke())).code).to.equal('wrong-account');
      expect(updates).to.deep.equal([]);
    });

    it('is no success where the chain refused it', async () => {
      const {ledger, revoke} = await openAllowed();
      ledger.instead.set('wallet_addInvokeTransaction', () => {
        ledger.statuses.set('0x7', {finality_status: 'ACCEPTED_ON_L2', execution_status: 'REVERTED'});
        return {transaction_hash: '0x7'};
      });
      expect((await errorOf(revoke())).code).to.equal('approval-failed');
    });
  });
});
