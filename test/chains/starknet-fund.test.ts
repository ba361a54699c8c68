/** Paying from Starknet wallets: calls, accounts, errors. The family's tests are in `token-htlc-fund.test.ts`. */
import {expect} from '../support/expect.js';
import {typedData as snip12} from 'starknet';
import {nodeOf} from '../../src/chains/starknet/node.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {closeLast, ON_STARKNET, openAt, SHORT} from '../support/dialects.js';
import {errorOf} from '../support/funding.js';
import {CONTRACT, findWallets, TOKEN, type OpenDeal} from '../support/starknet-deal.js';
import {OWNER, PUBLIC_KEY, register, SEPOLIA, WalletError, type StarknetLedger} from '../support/starknet-ledger.js';

const adapter = createStarknetAdapter(SHORT);
const AMOUNT = 50_000n;

const APPROVE = {
  contract_address: TOKEN,
  entry_point: 'approve',
  calldata: [CONTRACT.replace('0x0', '0x'), '0xc350', '0x0'],
};
const NOTHING = {...APPROVE, calldata: [APPROVE.calldata[0], '0x0', '0x0']};

async function open({hasRpc = true, allowance = 0n}: {hasRpc?: boolean; allowance?: bigint} = {}) {
  const {ledger: chain, deal: any, blind, ...parts} = await openAt(ON_STARKNET);
  const ledger = chain as StarknetLedger;
  ledger.allowance = allowance;
  if (!hasRpc) blind();
  const deal = any as unknown as OpenDeal;
  const {to, calldata} = deal.deposit.payload.call;
  return {...parts, ledger, deal, initiate: {contract_address: to, entry_point: 'initiate', calldata}};
}

afterEach(closeLast);

describe('paying on Starknet', () => {
  for (const standard of [undefined, 'Standard payer'] as const) {
    const kind = standard === undefined ? 'an object in the page' : 'a wallet of the standard';
    const openOf = async (name: string | undefined) => {
      const parts = await open();
      if (name === undefined) return {...parts, payer: parts.account};
      register(parts.ledger, name);
      const payer = await findWallets(adapter, () => () => undefined)
        .find(one => one.name === name)!
        .connect();
      return {...parts, payer};
    };

    it(`with ${kind}, by transaction: approves and pays, by name, in one transaction`, async () => {
      const {ledger, payer, initiate, fund} = await openOf(standard);
      await fund('transaction', {}, payer);
      expect(ledger.callsAsked).to.deep.equal([[APPROVE, initiate]]);
    });

    it(`with ${kind}, by signature: passes the typed data unchanged, and a signature on that is the owner’s`, async () => {
      const {ledger, deal, payer, fund} = await openOf(standard && `${standard}, signing`);
      const funding = await fund('signature', {}, payer);
      expect(ledger.callsAsked).to.deep.equal([[APPROVE]]);
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
  }

  for (const [what, prefix, suffix] of [
    ['two numbers', [], []],
    ['the signer’s kind first', ['0x1', '0x0'], []],
    ['a guardian’s signature after it', [], ['0x5', '0x6']],
    ['decimal numbers', [], ['1234567890123456789012345678901234567890']],
  ] as const) {
    it(`passes on a signature unchanged: ${what}`, async () => {
      const {ledger, fund} = await open({allowance: AMOUNT});
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

  it('by transaction sends no request without an RPC, and approves the token again', async () => {
    const {ledger, fund, initiate} = await open({hasRpc: false, allowance: AMOUNT});
    await fund('transaction');
    expect(ledger.methods).to.deep.equal([]);
    expect(ledger.callsAsked).to.deep.equal([[APPROVE, initiate]]);
  });

  it('by signature approves the token first if the allowance cannot be read, and waits for that', async () => {
    const {ledger, updates, plans, fund} = await open({hasRpc: false});
    const started = performance.now();
    await fund('signature');
    expect(plans).to.deep.equal([['approve', 'sign']]);
    expect(updates).to.deep.equal(['approve asking', 'approve sent #', 'sign asking', 'sign signed']);
    expect(performance.now() - started).to.be.at.least(SHORT.lag - 1);
    expect(ledger.methods).to.deep.equal([]);
  });

  it('is not stopped by a balance that the node does not tell: the wallet depends on no such node', async () => {
    const {ledger, fund} = await open();
    ledger.fail('busy', 'balance');
    expect((await fund('transaction')).how).to.equal('transaction');
  });
});

describe('the chain of a Starknet wallet', () => {
  const openElsewhere = async () => {
    const parts = await open({allowance: AMOUNT});
    parts.ledger.leave();
    return parts;
  };

  it('is requested by its number', async () => {
    const {ledger, fund} = await openElsewhere();
    await fund('transaction');
    const asked = ledger.requests.find(({type}) => type === 'wallet_switchStarknetChain');
    expect(asked?.params).to.deep.equal({chainId: SEPOLIA});
  });

  it('is not switched if the wallet returns its name instead of its number', async () => {
    const {ledger, fund} = await openElsewhere();
    ledger.chainId = 'SN_SEPOLIA';
    await fund('transaction');
    expect(ledger.windows).to.deep.equal(['wallet_addInvokeTransaction']);
  });

  for (const [what, code] of [
    ['does not list it', 112],
    ['cannot switch', 162],
  ] as const) {
    it(`is wrong if the wallet ${what}, and no payment is requested`, async () => {
      const {ledger, updates, fund} = await openElsewhere();
      ledger.when('move', () => Promise.reject(new WalletError(code, 'no')));
      expect(await errorOf(fund('transaction'))).to.include({code: 'wrong-network', field: 'chain'});
      expect([updates, ledger.windows]).to.deep.equal([[], ['wallet_switchStarknetChain']]);
    });
  }
});

describe('a balance on Starknet', () => {
  it('is read with either name of its entry point', async () => {
    const {ledger, account, deal} = await open();
    const balance = () => adapter.means.balance(deal.agreed.from, account);
    expect(await balance()).to.equal(ledger.balance);
    ledger.instead.set('balance_of', () => Promise.reject(new WalletError(21, 'no such entry point')));
    expect(await balance()).to.equal(ledger.balance);
  });
});

describe('a refund on Starknet', () => {
  it('uses only the derived id if the chain cannot be read', async () => {
    for (const [generation, named] of [
      [1, 'abc'],
      [2, undefined],
    ] as const) {
      const {ledger, deal, terms, fund, refund, keep} = await open({hasRpc: false});
      ledger.generation = generation;
      ledger.isLate = true;
      const id = ledger.idsOf(terms, OWNER)[generation - 1]!;
      keep('0xabc', {initiator: ON_STARKNET.stranger});
      deal.order.source.swapId = named ?? id;
      await fund('transaction');
      const before = ledger.balance;
      await refund();
      const call = {contract_address: deal.deposit.payload.call.to, entry_point: 'refund', calldata: [id]};
      expect(ledger.callsAsked.at(-1)).to.deep.equal([call]);
      expect(ledger.balance).to.equal(before + AMOUNT);
    }
  });

  it('is not requested from an address that cannot be a contract, even if the chain cannot be read', async () => {
    const {deal, updates, refund} = await open({hasRpc: false});
    deal.deposit.payload.call.to = '0x0';
    expect((await errorOf(refund())).field).to.equal('contract');
    expect(updates).to.deep.equal([]);
  });
});

describe('revoking an allowance on Starknet', () => {
  it('sets it to zero, even if the chain cannot be read', async () => {
    const {ledger, updates, revoke} = await open({hasRpc: false, allowance: AMOUNT});
    ledger.leave();
    expect(await revoke()).to.equal(ledger.newest);
    expect(ledger.callsAsked).to.deep.equal([[NOTHING]]);
    expect(ledger.allowance).to.equal(0n);
    expect(updates).to.deep.equal(['revoke asking', 'revoke sent #']);
  });
});

describe('what a payment to a contract that nobody knows costs on Starknet', () => {
  const calls = [{contractAddress: '0x1', entrypoint: 'initiate', calldata: []}];
  const absent = Object.assign(new Error('Contract not found'), {code: 20});

  it('is that after its deployment, if the account is yet to be deployed and its wallet tells how', async () => {
    const asked: {type: string; nonce: string}[][] = [];
    const answer = (dear: string) => (method: string, params: unknown) => {
      if (method !== 'starknet_estimateFee') return Promise.reject(absent);
      const {request} = params as {request: {type: string; nonce: string; calldata: string[]}[]};
      asked.push(request);
      const isSwap = request[1]!.calldata[1] === '0x1';
      return Promise.resolve([{overall_fee: '0xffff'}, {overall_fee: isSwap ? dear : '0x64'}]);
    };
    const deployment = () => Promise.resolve({class_hash: '0xc', salt: '0x5', calldata: ['0x7']});
    const isCheap = (dear: string) => nodeOf(answer(dear)).isCheap(calls, '0x123', '0x2', deployment);
    expect([await isCheap('0x3e8'), await isCheap('0x3e9')]).to.deep.equal([true, false]);
    const [deploy, invoke] = asked[0]!;
    expect(deploy).to.deep.include({
      type: 'DEPLOY_ACCOUNT',
      class_hash: '0xc',
      contract_address_salt: '0x5',
      constructor_calldata: ['0x7'],
      nonce: '0x0',
    });
    expect([invoke!.type, invoke!.nonce]).to.deep.equal(['INVOKE', '0x1']);
  });
});
