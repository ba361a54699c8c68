/** Paying from EVM wallets: bytes, accounts, errors. The family's tests are in `token-htlc-fund.test.ts`. */
import {expect} from '../support/expect.js';
import {recoverAddress, TypedDataEncoder} from 'ethers';
import type {FundWay} from '../../src/domain/deposit.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {BALANCE, closeLast, ON_EVM, openAt, SHORT} from '../support/dialects.js';
import {OWNER, WalletError, type LedgerWallet} from '../support/evm-ledger.js';
import {STRANGER} from '../support/evm-deal.js';
import {errorOf, depositState} from '../support/funding.js';
import {serve} from '../support/json-rpc.js';

const adapter = createEvmAdapter(SHORT);
const CHAIN = 11155111;
const AMOUNT = 50_000n;
const WAYS = ['transaction', 'signature'] as const;

afterEach(closeLast);

async function open(allowance = AMOUNT) {
  const {ledger, ...parts} = await openAt(ON_EVM);
  ledger.allowance = allowance;
  return {...parts, wallet: ledger as LedgerWallet};
}

describe('paying on an EVM chain', () => {
  it('an unknown contract needs the wallet on the chain, where no node is named', async () => {
    const {wallet, account, deal, check, blind} = await open();
    blind();
    deal.agreed.from.contracts = [];
    deal.policy.unverified = 'ask';
    wallet.leave();
    expect((await check()).outcome).to.equal('failed');
    const moves: string[] = [];
    await adapter.wallets.moveTo?.(deal.agreed.from.chain, account, {onMove: move => moves.push(move)});
    expect(moves).to.deep.equal(['asking', 'moved']);
    expect((await check()).outcome).to.equal('unverified');
    await adapter.wallets.moveTo?.(deal.agreed.from.chain, account, {});
    expect(wallet.opened).to.deep.equal(['switch']);
  });

  it('by transaction: sends the exact call that the page was shown, and leaves gas to the wallet', async () => {
    const {wallet, deal, fund} = await open();
    const shown: unknown[] = [];
    const beforeSign = (_: unknown, payload: unknown) => Promise.resolve(void shown.push(payload));
    await fund('transaction', {beforeSign});
    const {to, data} = deal.deposit.payload.transaction;
    const wanted = [{from: OWNER, to, data, value: '0x0', chainId: '0xaa36a7'}];
    expect(wallet.transactionsAsked).to.deep.equal(wanted);
    expect(shown).to.deep.equal(wanted);
  });

  it('by signature: passes the typed data as text, and a signature on that is the owner’s', async () => {
    const {wallet, deal, fund} = await open();
    const funding = await fund('signature');
    const {typedData} = deal.deposit.payload;
    const asked = wallet.requests.find(({method}) => method === 'eth_signTypedData_v4');
    expect(asked?.params).to.deep.equal([OWNER, JSON.stringify(typedData)]);
    if (funding.how !== 'signature') throw new Error('a signature was wanted');
    const {Initiate = []} = typedData.types;
    const digest = TypedDataEncoder.hash(typedData.domain, {Initiate}, typedData.message);
    expect(recoverAddress(digest, String(funding.signature))).to.equal(OWNER);
  });

  it('does not prompt while the token rejects any approval', async () => {
    const {wallet, updates, fund} = await open(1n);
    wallet.fail('reverts', 'try');
    expect((await errorOf(fund('transaction'))).code).to.equal('approval-failed');
    expect(updates).to.deep.equal([]);
  });

  for (const [what, allowed, fromZeroOnly, plan] of [
    ['raises an allowance that is too small in one step, if the token allows that', 1n, false, ['approve', 'send']],
    ['revokes an earlier allowance first, if the token requires that', 1n, true, ['revoke', 'approve', 'send']],
    ['approves such a token once if there is nothing to revoke', 0n, true, ['approve', 'send']],
  ] as const) {
    it(what, async () => {
      const {wallet, updates, plans, fund} = await open(allowed);
      wallet.approvesFromZeroOnly = fromZeroOnly;
      await fund('transaction');
      expect(plans).to.deep.equal([plan]);
      expect(updates).to.deep.equal(plan.flatMap(kind => [`${kind} asking`, `${kind} sent #`]));
      expect(wallet.balance).to.equal(BALANCE - AMOUNT);
    });
  }

  it('does not go on from one approval to the next if the wallet has another account', async () => {
    const {wallet, updates, fund} = await open(1n);
    wallet.approvesFromZeroOnly = true;
    wallet.when('send', truth => [truth(), (wallet.accounts = [STRANGER])][0]);
    expect((await errorOf(fund('transaction'))).code).to.equal('wrong-account');
    expect(updates).to.deep.equal(['revoke asking', 'revoke sent #']);
  });

  it('asks the chain eight things for an approval and a signature, and the wallet where it is before each prompt', async () => {
    const {wallet, deal, terms, fund} = await open(0n);
    deal.order.source.swapId = wallet.idsOf(terms, OWNER)[0].slice(2);
    await fund('signature');
    const count = (method: RegExp) => wallet.requests.filter(one => method.test(one.method)).length;
    expect([/^eth_(?:call|get)/, /^eth_accounts/, /^eth_chainId/, /./].map(count)).to.deep.equal([8, 3, 3, 17]);
  });

  it('asks a node without a pending block about its newest one, also where an allowance is too small', async () => {
    const {wallet, fund} = await open(1n);
    wallet.instead.set('eth_call', params => {
      if (params[1] === 'pending') throw new WalletError(-32602, 'unknown block tag');
      return wallet.answer('eth_call', params);
    });
    expect(await fund('transaction')).to.include({how: 'transaction'});
  });

  for (const way of WAYS) {
    for (const [code, message] of [
      ['funding-reverted', 'execution reverted: paused'],
      ['insufficient-funds', 'insufficient funds for gas * price + value'],
    ] as const) {
      it(`does not prompt for what the chain would reject, once it rejected twice: ${code} (${way})`, async () => {
        const {wallet, updates, fund} = await open();
        const fault = new WalletError(-32603, 'Internal JSON-RPC error.', {code: 3, message});
        wallet.when('try', () => Promise.reject(fault));
        expect((await errorOf(fund(way))).code).to.equal(code);
        expect([updates, wallet.windows]).to.deep.equal([[], []]);
        let tries = 0;
        wallet.when('try', truth => (tries++ ? truth() : Promise.reject(fault)));
        expect((await fund(way)).how).to.equal(way);
      });
    }
  }
});

describe('the signature of an EVM wallet', () => {
  it('is handed on with the ending that contracts require, unless another key made it for an account without code', async () => {
    const {wallet, updates, fund} = await open();
    const method = 'eth_signTypedData_v4';
    const {signature: own} = (await fund('signature')) as {signature: string};
    const [owner, typed] = wallet.requests.find(one => one.method === method)!.params;
    const other = String(await wallet.answer(method, [owner, String(typed).replace('0xc350', '0xc351')]));
    const long = `0x${'ab'.repeat(200)}`;
    for (const [code, answer, wanted] of [
      ['0x', own.slice(0, 130) + {'1b': '00', '1c': '01'}[own.slice(130)]!, own],
      ['0x', long, long],
      ['0x6001', other, other],
      ['0x', other, undefined],
    ] as const) {
      updates.length = 0;
      wallet.instead.set('eth_getCode', () => code);
      wallet.instead.set(method, () => answer);
      const funding = fund('signature');
      if (wanted !== undefined) expect(await funding).to.deep.equal({how: 'signature', signature: wanted});
      else expect((await errorOf(funding)).code).to.equal('wrong-account');
      expect(updates).to.deep.equal(['sign asking', wanted === undefined ? 'sign refused' : 'sign signed']);
    }
  });
});

describe('the chain of an EVM wallet', () => {
  const openElsewhere = async () => {
    const parts = await open();
    parts.wallet.chainId = 1;
    return parts;
  };

  for (const [what, fault] of [
    ['4902', new WalletError(4902, 'Unrecognized chain ID.')],
    ['4901, as Taho', new WalletError(4901, 'The Provider is not connected to the requested chain.')],
    ['8546, as Enkrypt', new WalletError(8546, 'wallet_switchEthereumChain: provided network 0xaa36a7 not supported')],
    ['an unsupported method for it', new WalletError(4200, 'Unsupported method')],
    ['an unclear error', new WalletError(-32603, 'Internal error')],
    ['4902 in another error', new WalletError(-32603, 'Internal JSON-RPC error.', {originalError: {code: 4902}})],
    ['only a message', new WalletError(-32603, 'Unrecognized chain ID "0xaa36a7". Try adding the chain first.')],
  ] as const) {
    it(`is added if switching fails without a rejection (${what})`, async () => {
      const {wallet, fund} = await openElsewhere();
      wallet.chains.clear();
      wallet.instead.set('wallet_switchEthereumChain', params => {
        if (!wallet.chains.has(CHAIN)) throw fault;
        return wallet.answer('wallet_switchEthereumChain', params);
      });
      await fund('transaction');
      expect(wallet.windows).to.include('wallet_addEthereumChain');
    });
  }

  it('that cannot be added is wrong-network, and no payment is requested', async () => {
    const {wallet, updates, fund} = await openElsewhere();
    for (const method of ['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
      wallet.instead.set(method, () => Promise.reject(new WalletError(4901, 'Disconnected')));
    expect(await errorOf(fund('transaction'))).to.include({code: 'wrong-network', field: 'chain'});
    expect(updates).to.deep.equal([]);
  });

  it('is not changed while another request is open in the wallet', async () => {
    const {wallet, updates, fund} = await openElsewhere();
    wallet.instead.set('wallet_switchEthereumChain', () => Promise.reject(new WalletError(-32002, 'Already pending')));
    expect(await errorOf(fund('transaction'))).to.include({code: 'wallet-locked', field: 'chain'});
    expect(updates).to.deep.equal([]);
    expect(wallet.windows).to.deep.equal(['wallet_switchEthereumChain']);
  });
});

describe('a read of an EVM chain', () => {
  it('reserves a payment’s fee at twice the gas price from the native coin, and nothing from a token', async () => {
    const {wallet, account, deal} = await open();
    const {token: _, ...coin} = deal.agreed.from;
    wallet.instead.set('eth_gasPrice', () => '0x3b9aca00');
    expect(await adapter.means.reserve?.(coin, account)).to.equal(300_000n * 2_000_000_000n);
    expect(await adapter.means.reserve?.(deal.agreed.from, account)).to.equal(0n);
    wallet.chainId = 1;
    expect(await adapter.means.reserve?.(coin, account)).to.equal(0n);
  });

  it('estimates the fee of what will be sent, if the page named an RPC', async () => {
    const {wallet, account, deal} = await open();
    wallet.instead.set('eth_gasPrice', () => '0x3b9aca00');
    const stop = serve('https://rpc.example/', (method, params) => wallet.request({method, params}));
    try {
      const {token: _, ...coin} = deal.agreed.from;
      const chain = {...coin.chain, rpc: 'https://rpc.example/'};
      const feeOf = async (asset: typeof coin, way?: FundWay) =>
        (await adapter.means.foresee?.(asset, 10n ** 30n, account, {way}))?.fee?.amount;
      expect(await feeOf({...coin, chain})).to.equal(180_000n * 1_000_000_000n);
      expect(await feeOf({...deal.agreed.from, chain}), 'only the approval').to.equal(50_000n * 1_000_000_000n);
      expect(await feeOf({...deal.agreed.from, chain}, 'transaction')).to.equal(230_000n * 1_000_000_000n);
      expect(await feeOf(coin), 'without an RPC').to.equal(undefined);
    } finally {
      stop();
    }
  });

  it('finds a contract where there is code, unless it is a delegating account’s', async () => {
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

  it('recognizes a deposit by the order id of the published sample', async () => {
    const {account, deal, keep} = await open();
    const owner = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';
    deal.agreed.owner = owner;
    const find = () => depositState(adapter, deal, {account});
    expect(await find()).to.equal('none');
    keep(`0x${deal.order.source.swapId}`, {initiator: owner});
    expect(await find()).to.equal('seen');
  });
});
