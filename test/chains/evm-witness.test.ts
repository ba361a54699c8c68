/** What an EVM chain shows of a swap, whatever its service says. */
import {expect} from '../support/expect.js';
import {AbiCoder, id, sha256, toBeHex, zeroPadValue} from 'ethers';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Asset} from '../../src/domain/asset.js';
import {connectLedger} from '../support/evm-account.js';
import {CONTRACT, ownDeal, STRANGER, TOKEN, type OpenDeal} from '../support/evm-deal.js';
import {LedgerWallet, OWNER, WalletError, type Log} from '../support/evm-ledger.js';
import {errorOf, listen} from '../support/funding.js';

const adapter = createEvmAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100, receipt: 100, lag: 100, poll: 2});
const CHAIN = 11155111;
const AMOUNT = 50_000n;
const HASH = `0x${'1'.repeat(64)}`;

async function open() {
  const wallet = new LedgerWallet({chainId: CHAIN, token: TOKEN, contract: CONTRACT, balance: 10n ** 8n});
  wallet.allowance = AMOUNT;
  const account = await connectLedger(adapter, wallet);
  const deal = ownDeal();
  const {updates, onWalletRequest} = listen();
  return {
    wallet,
    account,
    deal,
    updates,
    pay: () => adapter.fund(deal, account, {way: 'transaction', onWalletRequest}),
    read: (paid: OpenDeal = deal, hash?: string) => adapter.readDeposit(paid, {account, hash}),
    refund: (paid: OpenDeal = deal) => adapter.refund!(paid, account, {onWalletRequest}),
  };
}

describe('a deposit on an EVM chain', () => {
  for (const saysOverFirst of [false, true]) {
    const fields = saysOverFirst ? 'whether it is over first' : 'when it was over last';

    it(`is shown with its amount, block and transaction, from its payment to its refund: ${fields}`, async () => {
      const {wallet, pay, read, refund} = await open();
      wallet.saysOverFirst = saysOverFirst;
      expect(await read()).to.deep.equal({state: 'none'});
      await pay();
      const [hash] = wallet.receipts.keys();
      const shown = {state: 'seen', amount: AMOUNT, block: 101n, hashes: [hash]};
      expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: false});
      wallet.isLate = true;
      expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: true});
      await refund();
      expect(await read()).to.deep.equal({...shown, isHeld: false, isRefundOpen: false});
    });
  }

  for (const [version, hasLongIds] of [
    ['2', true],
    ['3', false],
    ['9', true],
  ] as const) {
    const generation = hasLongIds ? 3 : 2;

    it(`is found and paid back by a contract of version ${generation}, with typed data of version ${version} and no service`, async () => {
      const {wallet, deal, pay, read, refund, updates} = await open();
      wallet.hasLongIds = hasLongIds;
      deal.deposit.payload.typedData.domain['version'] = version;
      await pay();
      Reflect.deleteProperty(deal, 'order');
      wallet.isLate = true;
      expect(await read()).to.include({state: 'seen', isHeld: true, isRefundOpen: true});
      updates.length = 0;
      await refund();
      expect(updates).to.deep.equal(['refund asking', 'refund sent #']);
      expect(wallet.balances.get(OWNER)).to.equal(10n ** 8n);
    });
  }

  for (const [what, other] of [
    ['another payer', {owner: STRANGER}],
    ['another redeemer', {redeemer: STRANGER}],
    ['another amount', {amount: AMOUNT + 1n}],
  ] as const) {
    it(`is not another’s whose id the service names: ${what}`, async () => {
      const {wallet, deal, updates, read, refund} = await open();
      deal.order.source.swapId = 'ab'.repeat(32);
      wallet.orders.set(`0x${'ab'.repeat(32)}`, {amount: AMOUNT, owner: OWNER, refunded: false, ...other});
      wallet.isLate = true;
      expect(await read()).to.deep.equal({state: 'none'});
      expect((await errorOf(refund())).code).to.equal('funding-reverted');
      expect(updates).to.deep.equal([]);
    });
  }

  it('is found by what its order says, in the contracts that are known for its asset', async () => {
    const {account, deal, pay, read} = await open();
    await pay();
    const {from} = deal.agreed;
    const [other, known] = adapter.depositsOf!(deal.order, {...from, contracts: [STRANGER, CONTRACT]});
    expect(await adapter.readDeposit({...deal, deposit: known!}, {account})).to.deep.equal(await read());
    expect(await adapter.readDeposit({...deal, deposit: other!}, {account})).not.to.include({state: 'seen'});
  });

  it('is not made a second time, and the error says that it is paid', async () => {
    const {pay} = await open();
    await pay();
    const {code, field} = await errorOf(pay());
    expect([code, field]).to.deep.equal(['wallet-unclear', 'paid']);
  });

  it('is shown by its transaction where the contract keeps no such order', async () => {
    const {wallet, deal, read} = await open();
    wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x70'});
    expect(await read(deal, HASH)).to.deep.equal({state: 'seen', hashes: [HASH], block: 112n});
    wallet.receipts.set(HASH, {status: '0x0'});
    expect(await read(deal, HASH)).to.deep.equal({state: 'reverted'});
  });

  it('is shown as far as the chain can be read, and never rejects', async () => {
    const {wallet, deal, pay, read} = await open();
    await pay();
    wallet.instead.set('eth_getLogs', () => Promise.reject(new WalletError(-32005, 'too many blocks')));
    wallet.instead.set('eth_call', params => {
      const [{data}] = params as [{data: string}];
      if (data.startsWith('0x7249fbb6')) throw new WalletError(-32603, 'busy');
      return wallet.answer('eth_call', params);
    });
    expect(await read()).to.deep.equal({state: 'seen', amount: AMOUNT, block: 101n, isHeld: true});
    wallet.instead.set('eth_call', () => Promise.reject(new Error('gone')));
    expect(await read()).to.deep.equal({state: 'unknown'});
    wallet.instead.clear();
    const other = structuredClone(deal);
    other.deposit.payload.transaction.data = '0x';
    expect(await read(other)).to.deep.equal({state: 'unknown'});
    expect(await adapter.readDeposit(deal, {})).to.deep.equal({state: 'unknown'});
  });
});

describe('a payout on an EVM chain', () => {
  const SECRET = `0x${'5e'.repeat(32)}`;
  const transfer = (from: string, to: string, value: bigint, address = TOKEN): Log => ({
    address,
    topics: [id('Transfer(address,address,uint256)'), zeroPadValue(from, 32), zeroPadValue(to, 32)],
    data: toBeHex(value, 32),
  });
  const redeemed = (orderId: string, address = CONTRACT, hash = sha256(SECRET)): Log => ({
    address,
    topics: [id('Redeemed(bytes32,bytes32,bytes)'), orderId, hash],
    data: AbiCoder.defaultAbiCoder().encode(['bytes'], [SECRET]),
  });
  const ORDER = id('an order');
  const COIN: Partial<Asset> = {id: 'ethereum_sepolia:eth', symbol: 'ETH', decimals: 18};

  async function openPaid(...logs: Log[]) {
    const {wallet, account, deal} = await open();
    wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x70', logs});
    wallet.orders.set(ORDER, {amount: AMOUNT, owner: STRANGER, redeemer: OWNER, refunded: false});
    const {from} = deal.agreed;
    const {token: _, ...bare} = from;
    return {
      wallet,
      from,
      coin: {...bare, ...COIN},
      read: (
        asset: Asset = from,
        hashes: readonly string[] = [HASH],
        recipient = OWNER.toLowerCase(),
        secretHash = '',
      ) => adapter.readPayout(asset, recipient, hashes, {account, secretHash}),
    };
  }

  it('is what the token says that it moved to the recipient, with the secret that the swap contract tells', async () => {
    const {read} = await openPaid(
      redeemed(ORDER),
      transfer(CONTRACT, OWNER, 40_000n),
      transfer(CONTRACT, STRANGER, 7_000n),
      transfer(CONTRACT, OWNER, 9_000n, STRANGER),
      transfer(OWNER, STRANGER, 1_000n),
    );
    expect(await read()).to.deep.equal({amount: 39_000n, block: 112n, secret: '5e'.repeat(32)});
  });

  it('is all that several transactions moved, and in a block once they all are', async () => {
    const {wallet, read, from} = await openPaid(transfer(CONTRACT, OWNER, 40_000n));
    const second = `0x${'2'.repeat(64)}`;
    expect(await read(from, [HASH, second, HASH])).to.deep.equal({amount: 40_000n});
    wallet.receipts.set(second, {status: '0x1', blockNumber: '0x71', logs: [transfer(CONTRACT, OWNER, 5n)]});
    expect(await read(from, [HASH, second])).to.deep.equal({amount: 40_005n, block: 113n});
  });

  it('is nothing where the chain does not know the transaction, refused it, or it moved nothing', async () => {
    const {wallet, read, from} = await openPaid();
    expect(await read()).to.deep.equal({amount: 0n, block: 112n});
    wallet.receipts.set(HASH, {status: '0x0', blockNumber: '0x70', logs: [transfer(CONTRACT, OWNER, 1n)]});
    expect(await read()).to.deep.equal({amount: 0n, block: 112n});
    expect(await read(from, [`0x${'9'.repeat(64)}`])).to.deep.equal({amount: 0n});
    wallet.requests.length = 0;
    expect(await read(from, ['../admin', 'a'.repeat(64)])).to.deep.equal({amount: 0n});
    expect(wallet.requests.map(({method}) => method)).to.deep.equal(['eth_chainId']);
  });

  it('of the chain’s own coin is what a known contract kept for the recipient and paid out', async () => {
    const {read, coin} = await openPaid(redeemed(ORDER));
    expect(await read(coin)).to.deep.equal({amount: AMOUNT, block: 112n, secret: '5e'.repeat(32)});
    expect(await read(coin, [HASH], STRANGER)).to.deep.equal({amount: 0n, block: 112n});
    expect(await read({...coin, contracts: [STRANGER]})).to.deep.equal({amount: 0n, block: 112n});
  });

  it('of the chain’s own coin by a contract that is not known counts as far as the coins came', async () => {
    const {wallet, read, coin} = await openPaid(redeemed(ORDER));
    let came = AMOUNT;
    wallet.instead.set('eth_getBalance', ([, block]) => toBeHex(block === '0x70' ? 10n ** 6n + came : 10n ** 6n));
    expect((await read({...coin, contracts: []}))?.amount).to.equal(AMOUNT);
    came = 10n;
    expect((await read({...coin, contracts: []}))?.amount).to.equal(10n);
    wallet.instead.set('eth_getBalance', () => Promise.reject(new WalletError(-32000, 'missing trie node')));
    expect(await read({...coin, contracts: []})).to.be.undefined;
  });

  it('shows no secret that its hash does not fit, or that several swaps of the recipient reveal', async () => {
    const other = `0x${'5f'.repeat(32)}`;
    const paid = transfer(CONTRACT, OWNER, AMOUNT);
    expect(await (await openPaid(paid, redeemed(ORDER, CONTRACT, id('other')))).read()).to.not.have.property('secret');
    expect(await (await openPaid(paid, redeemed(id('unknown')))).read()).to.not.have.property('secret');
    const second = redeemed(ORDER, CONTRACT, sha256(other));
    const both = {...second, data: AbiCoder.defaultAbiCoder().encode(['bytes'], [other])};
    expect(await (await openPaid(paid, redeemed(ORDER), both)).read()).to.not.have.property('secret');
  });

  it('is that of this swap alone: an earlier payout whose transaction the service names counts as nothing', async () => {
    const {read, from} = await openPaid(transfer(CONTRACT, OWNER, AMOUNT), redeemed(ORDER));
    const hashOf = (secret: string) => sha256(secret).slice(2);
    const shown = {amount: AMOUNT, block: 112n, secret: '5e'.repeat(32)};
    expect(await read(from, [HASH], OWNER, hashOf(SECRET).toUpperCase())).to.deep.equal(shown);
    expect(await read(from, [HASH], OWNER, hashOf('0x5f'))).to.deep.equal({amount: 0n, block: 112n});
    const bare = await openPaid(transfer(CONTRACT, OWNER, AMOUNT));
    const told = await bare.read(from, [HASH], OWNER, hashOf(SECRET));
    expect(told, 'nothing says of which swap it is').to.deep.equal({amount: AMOUNT, block: 112n});
  });

  it('tells the secret of this swap among several that are paid out together', async () => {
    const other = `0x${'5f'.repeat(32)}`;
    const second = redeemed(ORDER, CONTRACT, sha256(other));
    const both = {...second, data: AbiCoder.defaultAbiCoder().encode(['bytes'], [other])};
    const {read, from} = await openPaid(transfer(CONTRACT, OWNER, AMOUNT), redeemed(ORDER), both);
    expect((await read(from, [HASH], OWNER, sha256(other).slice(2)))?.secret).to.equal('5f'.repeat(32));
  });

  it('does not depend on what anybody else logs as a swap', async () => {
    const {read, from} = await openPaid(redeemed(ORDER, STRANGER), transfer(CONTRACT, OWNER, AMOUNT));
    expect(await read({...from, contracts: []})).to.deep.equal({amount: AMOUNT, block: 112n});
  });

  it('is not known where the chain cannot be read', async () => {
    const {wallet, read, from} = await openPaid();
    wallet.instead.set('eth_getTransactionReceipt', () => Promise.reject(new Error('gone')));
    expect(await read()).to.be.undefined;
    expect(await adapter.readPayout(from, OWNER, [HASH], {})).to.be.undefined;
    expect(await read(from, [HASH], 'nobody')).to.be.undefined;
  });
});
