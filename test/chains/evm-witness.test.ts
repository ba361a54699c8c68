/** What an EVM chain shows of a swap, whatever its service says. */
import {expect} from '../support/expect.js';
import {id, sha256, toBeHex, zeroPadValue} from 'ethers';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {ReadDepositOptions} from '../../src/chains/adapter.js';
import type {Asset} from '../../src/domain/asset.js';
import {connectLedger} from '../support/evm-account.js';
import {CONTRACT, ownDeal, STRANGER, TOKEN, type OpenDeal} from '../support/evm-deal.js';
import {
  initiated,
  LedgerWallet,
  OWNER,
  redeemed as redeemedLog,
  refunded as refundedLog,
  timeOf,
  WalletError,
  type Log,
} from '../support/evm-ledger.js';
import {errorOf, faultOf, listen} from '../support/funding.js';

const adapter = createEvmAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100, receipt: 100, lag: 100, poll: 2});
const CHAIN = 11155111;
const AMOUNT = 50_000n;
const HASH = `0x${'1'.repeat(64)}`;
/** An id that a service may name. */
const NAMED = `0x${'ab'.repeat(32)}`;
const SECRET = `0x${'5e'.repeat(32)}`;

const secretHashOf = ({deposit}: OpenDeal) => `0x${deposit.payload.transaction.data.slice(10 + 3 * 64)}`;

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
    read: (paid: OpenDeal = deal, hash?: string, options: ReadDepositOptions = {}) =>
      adapter.readDeposit(paid, {account, hash, ...options}),
    refund: (paid: OpenDeal = deal) => adapter.back.refund!(paid, account, {onWalletRequest}),
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
      const end = {how: 'refunded', amount: AMOUNT, hashes: [[...wallet.receipts.keys()].at(-1)], block: 102n};
      wallet.block = 200n;
      expect(await read()).to.deep.equal({...shown, isHeld: false, isRefundOpen: false, end});
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
    ['another timelock', {timelock: 7_201n}],
  ] as const) {
    it(`is not another’s whose id the service names: ${what}`, async () => {
      const {wallet, deal, updates, read, refund} = await open();
      deal.order.source.swapId = 'ab'.repeat(32);
      wallet.orders.set(NAMED, {amount: AMOUNT, owner: OWNER, refunded: false, ...other});
      wallet.receipts.set(HASH, {status: '0x1', logs: [initiated(CONTRACT, NAMED, secretHashOf(deal), AMOUNT)]});
      wallet.isLate = true;
      expect(await read()).to.deep.equal({state: 'none'});
      expect((await errorOf(refund())).code).to.equal('funding-reverted');
      expect(updates).to.deep.equal([]);
    });
  }

  it('has every term that was agreed, under an id that we work out too', async () => {
    const {wallet, pay, read} = await open();
    await pay();
    const [kept] = wallet.orders.values();
    for (const other of [{owner: STRANGER}, {redeemer: STRANGER}, {amount: AMOUNT - 1n}, {timelock: 7_199n}]) {
      const before = {...kept!};
      Object.assign(kept!, other);
      expect(await read()).to.deep.equal({state: 'none'});
      Object.assign(kept!, before);
    }
    expect(await read()).to.include({state: 'seen', amount: AMOUNT});
  });

  it('under an id that only the service names has the secret hash by the contract’s own log, or does not count', async () => {
    const {wallet, deal, read} = await open();
    deal.order.source.swapId = 'ab'.repeat(32);
    wallet.orders.set(NAMED, {amount: AMOUNT, owner: OWNER, refunded: false});
    const logs = (...all: Log[]) => wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x64', logs: all});
    expect(await read(), 'no log').to.deep.equal({state: 'none'});
    logs(initiated(CONTRACT, NAMED, id('another secret'), AMOUNT));
    expect(await read(), 'an earlier order of the payer’s own').to.deep.equal({state: 'none'});
    logs(
      initiated(STRANGER, NAMED, secretHashOf(deal), AMOUNT),
      initiated(CONTRACT, id('another'), secretHashOf(deal), AMOUNT),
    );
    expect(await read(), 'of another contract, of another order').to.deep.equal({state: 'none'});
    logs(initiated(CONTRACT, NAMED, secretHashOf(deal), AMOUNT));
    expect(await read()).to.deep.include({state: 'seen', amount: AMOUNT, hashes: [HASH], isHeld: true});
    wallet.instead.set('eth_getLogs', () => Promise.reject(new WalletError(-32005, 'too many blocks')));
    await faultOf(read());
  });

  it('is known not to be there by its transaction alone, without typed data', async () => {
    const {deal, read} = await open();
    Reflect.deleteProperty(deal.deposit.payload, 'typedData');
    expect(await read()).to.deep.equal({state: 'none'});
  });

  it('is no earlier order of the payer’s own that another contract names in its transaction', async () => {
    const {wallet, deal, read} = await open();
    wallet.orders.set(NAMED, {amount: AMOUNT, owner: OWNER, refunded: false});
    const logs = (...all: Log[]) => wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x64', logs: all});
    logs(initiated(STRANGER, NAMED, secretHashOf(deal), AMOUNT));
    expect(await read(deal, HASH)).to.deep.equal({state: 'empty'});
    logs(initiated(CONTRACT, NAMED, secretHashOf(deal), AMOUNT));
    expect(await read(deal, HASH)).to.deep.include({state: 'seen', amount: AMOUNT});
  });

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

  it('is seen while its transaction waits for a block, and paid nothing where the chain refused it', async () => {
    const {wallet, deal, read} = await open();
    expect(await read(deal, HASH)).to.deep.equal({state: 'none'});
    expect(await read(deal, 'not a hash')).to.deep.equal({state: 'none'});
    wallet.instead.set('eth_getTransactionByHash', () => ({hash: HASH}));
    expect(await read(deal, HASH)).to.deep.equal({state: 'seen'});
    wallet.receipts.set(HASH, {status: '0x0'});
    expect(await read(deal, HASH)).to.deep.equal({state: 'reverted'});
  });

  it('is empty where its transaction is in a block and well, and the contract keeps no order', async () => {
    const {wallet, deal, read} = await open();
    wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x64'});
    expect(await read(deal, HASH)).to.deep.equal({state: 'empty'});
    deal.deposit.payload.typedData.domain['version'] = '9';
    expect(await read(deal, HASH), 'a contract that may have ids of its own').to.deep.equal({state: 'unknown'});
    expect(await read(deal)).to.deep.equal({state: 'unknown'});
  });

  it('is empty by no state from before its transaction', async () => {
    const {wallet, deal, pay, read} = await open();
    await pay();
    const [hash] = wallet.receipts.keys();
    const tags: unknown[] = [];
    // The node that answers for the newest state lags behind.
    wallet.instead.set('eth_call', params => {
      if (params[1] !== 'pending') tags.push(params[1]);
      return wallet.answer('eth_call', params[1] === 'latest' ? [params[0], '0x64'] : params);
    });
    wallet.instead.set('eth_blockNumber', () => '0x64');
    const shown = {state: 'seen', amount: AMOUNT, block: 101n, isHeld: true};
    expect(await read(deal, hash)).to.deep.include(shown);
    expect(tags.at(-1)).to.equal('0x65');
    // A node whose newest state is later has that of the block no more.
    wallet.orders.clear();
    wallet.block = 5_000n;
    wallet.instead.set('eth_blockNumber', () => '0x1388');
    expect(await read(deal, hash)).to.deep.equal({state: 'empty'});
    expect(tags.at(-1)).to.equal('0x1388');
    // One that does not know it yet has said nothing.
    wallet.block = 100n;
    await faultOf(read(deal, hash));
  });

  it('is found by what its own transaction logs, whichever id the contract gave it', async () => {
    const {wallet, deal, read} = await open();
    const logs = [initiated(CONTRACT, NAMED, secretHashOf(deal), AMOUNT)];
    wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x64', logs});
    wallet.orders.set(NAMED, {amount: AMOUNT, owner: OWNER, refunded: false});
    expect(await read(deal, HASH)).to.deep.include({state: 'seen', amount: AMOUNT, hashes: [HASH]});
    wallet.orders.set(NAMED, {amount: AMOUNT, owner: OWNER, refunded: false, timelock: 1n});
    expect(await read(deal, HASH)).to.deep.equal({state: 'empty'});
  });

  describe('that ended', () => {
    async function openEnded(...logs: Log[]) {
      const parts = await open();
      const {wallet, deal, pay, read} = parts;
      await pay();
      const [[orderId = '', kept] = []] = wallet.orders;
      Object.assign(kept!, {refunded: true, endedIn: 150n});
      wallet.block = 200n;
      wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x96', logs});
      const endOf = async (...ends: string[]) => (await read(deal, undefined, {ends})).end;
      return {...parts, orderId, kept: kept!, endOf};
    }
    const REFUNDED = {how: 'refunded', amount: AMOUNT, hashes: [HASH], block: 150n};
    const refusesLogs = (wallet: LedgerWallet) =>
      wallet.instead.set('eth_getLogs', () => Promise.reject(new WalletError(-32005, 'too many blocks')));

    for (const saysOverFirst of [false, true]) {
      it(`tells how by the contract’s own log of its id${saysOverFirst ? ', though its block is not told' : ''}`, async () => {
        const {wallet, orderId, endOf} = await openEnded();
        wallet.saysOverFirst = saysOverFirst;
        expect(await endOf()).to.be.undefined;
        const logs = (...all: Log[]) => wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x96', logs: all});
        logs(refundedLog(CONTRACT, orderId));
        expect(await endOf()).to.deep.equal(REFUNDED);
        logs(redeemedLog(CONTRACT, orderId, SECRET));
        expect(await endOf()).to.deep.equal({...REFUNDED, how: 'redeemed', amount: 0n});
        logs(refundedLog(STRANGER, orderId), refundedLog(CONTRACT, id('another')));
        expect(await endOf()).to.be.undefined;
      });
    }

    it('tells how by the transactions that may have ended it, where the node gives no logs', async () => {
      const {wallet, orderId, endOf} = await openEnded();
      const other = `0x${'2'.repeat(64)}`;
      wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x96', logs: [refundedLog(CONTRACT, orderId)]});
      wallet.receipts.set(other, {
        status: '0x1',
        blockNumber: '0x97',
        logs: [refundedLog(STRANGER, orderId), refundedLog(CONTRACT, id('another'))],
      });
      refusesLogs(wallet);
      expect(await endOf()).to.be.undefined;
      expect(await endOf(other)).to.be.undefined;
      expect(await endOf('nothing', other, HASH)).to.deep.equal(REFUNDED);
      wallet.receipts.set(HASH, {status: '0x0', blockNumber: '0x96', logs: [refundedLog(CONTRACT, orderId)]});
      expect(await endOf(HASH), 'refused by the chain').to.be.undefined;
    });

    it('is shown without how where no read of that succeeds', async () => {
      const {wallet, orderId, read, deal} = await openEnded();
      wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x96', logs: [refundedLog(CONTRACT, orderId)]});
      refusesLogs(wallet);
      wallet.instead.set('eth_getTransactionReceipt', () => Promise.reject(new Error('gone')));
      const shown = {state: 'seen', amount: AMOUNT, block: 101n, isHeld: false, isRefundOpen: false};
      expect(await read(deal, undefined, {ends: [HASH]})).to.deep.equal(shown);
    });

    it('has not ended while the contract holds it, whatever is named', async () => {
      const {kept, orderId, wallet, endOf} = await openEnded();
      wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x96', logs: [refundedLog(CONTRACT, orderId)]});
      kept.refunded = false;
      expect(await endOf(HASH)).to.be.undefined;
    });
  });

  it('is shown as far as the chain can be read', async () => {
    const {wallet, pay, read} = await open();
    await pay();
    wallet.instead.set('eth_getLogs', () => Promise.reject(new WalletError(-32005, 'too many blocks')));
    wallet.instead.set('eth_call', params => {
      const [{data}] = params as [{data: string}];
      if (data.startsWith('0x7249fbb6')) throw new WalletError(-32603, 'busy');
      return wallet.answer('eth_call', params);
    });
    expect(await read()).to.deep.equal({state: 'seen', amount: AMOUNT, block: 101n, isHeld: true});
  });

  for (const method of ['eth_chainId', 'eth_call', 'eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
    it(`proves nothing where a read failed: ${method}`, async () => {
      const {wallet, deal, read} = await open();
      wallet.instead.set(method, () => Promise.reject(new Error('gone')));
      await faultOf(read(deal, HASH));
    });
  }

  for (const method of ['eth_blockNumber', 'eth_call']) {
    it(`of a transaction in a block proves nothing where a read failed: ${method}`, async () => {
      const {wallet, deal, read} = await open();
      wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x64'});
      wallet.instead.set(method, params => {
        if (params[1] !== 'latest') throw new Error('gone');
        return wallet.answer(method, params);
      });
      await faultOf(read(deal, HASH));
    });
  }

  it('is unknown where there is no way to read it from here', async () => {
    const {wallet, deal, account, read} = await open();
    const unknown = {state: 'unknown'};
    expect(await adapter.readDeposit(deal, {}), 'neither an address nor a wallet').to.deep.equal(unknown);
    const other = structuredClone(deal);
    other.deposit.payload.transaction.data = '0x';
    expect(await read(other), 'no swap').to.deep.equal(unknown);
    expect(await read({...deal, agreed: {...deal.agreed, owner: 'nobody'}}), 'no payer').to.deep.equal(unknown);
    wallet.chainId = 1;
    expect(await read(), 'the wallet is on another chain').to.deep.equal(unknown);
    wallet.instead.set('eth_chainId', () => null);
    await faultOf(adapter.readDeposit(deal, {account}));
  });

  it('is read from the address or through the wallet, whichever answers', async () => {
    const {wallet, deal, pay, read, account} = await open();
    await pay();
    const named = structuredClone(deal);
    named.agreed.from.chain.rpc = 'https://rpc.example/';
    const {fetch} = globalThis;
    let answer: () => Promise<Response> = () => Promise.reject(new Error('gone'));
    globalThis.fetch = (input, init) =>
      String(input).startsWith('https://rpc.example') ? answer() : fetch(input, init);
    try {
      expect(await read(named)).to.include({state: 'seen'});
      await faultOf(adapter.readDeposit(named, {}));
      wallet.chainId = 1;
      await faultOf(read(named));
      answer = () => Promise.resolve(Response.json({jsonrpc: '2.0', id: 1, result: '0x1'}));
      expect(await read(named)).to.deep.equal({state: 'unknown'});
      wallet.instead.set('eth_chainId', () => Promise.reject(new Error('gone')));
      await faultOf(adapter.readDeposit(named, {account}));
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe('a payout on an EVM chain', () => {
  const SECRET_HASH = sha256(SECRET).slice(2);
  const transfer = (from: string, to: string, value: bigint, address = TOKEN): Log => ({
    address,
    topics: [id('Transfer(address,address,uint256)'), zeroPadValue(from, 32), zeroPadValue(to, 32)],
    data: toBeHex(value, 32),
  });
  const redeemed = (orderId: string, address = CONTRACT, hash?: string) => redeemedLog(address, orderId, SECRET, hash);
  const ORDER = id('an order');
  const COIN: Partial<Asset> = {id: 'ethereum_sepolia:eth', symbol: 'ETH', decimals: 18};
  const NOTHING = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};

  async function openPaid(...logs: Log[]) {
    const {wallet, account, deal} = await open();
    wallet.block = 0x71n;
    wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x70', logs});
    wallet.orders.set(ORDER, {amount: AMOUNT, owner: STRANGER, redeemer: OWNER, refunded: true});
    const {from} = deal.agreed;
    const {token: _, ...bare} = from;
    return {
      wallet,
      from,
      coin: {...bare, ...COIN},
      read: (
        asset: Asset = from,
        hashes: readonly string[] = [HASH],
        {recipient = OWNER.toLowerCase(), secretHash = SECRET_HASH, since = 0} = {},
      ) => adapter.readPayout(asset, recipient, hashes, {account, secretHash, since}),
    };
  }
  const shown = (amount: bigint) => ({
    ...NOTHING,
    amount,
    hashes: [HASH],
    block: 112n,
    secret: '5e'.repeat(32),
  });

  it('is what the token says that it moved to the recipient, in a transaction that reveals the secret', async () => {
    const {read} = await openPaid(
      redeemed(ORDER),
      transfer(CONTRACT, OWNER, 40_000n),
      transfer(CONTRACT, STRANGER, 7_000n),
      transfer(CONTRACT, OWNER, 9_000n, STRANGER),
      transfer(OWNER, STRANGER, 1_000n),
    );
    expect(await read()).to.deep.equal(shown(39_000n));
  });

  it('is loose money where the transaction reveals no secret, and another’s where it reveals another one', async () => {
    const paid = transfer(CONTRACT, OWNER, AMOUNT);
    const loose = {...NOTHING, loose: AMOUNT};
    expect(await (await openPaid(paid)).read()).to.deep.equal(loose);
    const {read, from} = await openPaid(paid, redeemed(ORDER));
    expect(await read(from, [HASH], {secretHash: SECRET_HASH.toUpperCase()})).to.deep.equal(shown(AMOUNT));
    expect(await read(from, [HASH], {secretHash: sha256('0x5f').slice(2)})).to.deep.equal({
      ...NOTHING,
      earlier: AMOUNT,
    });
    const wrong = await openPaid(paid, redeemed(ORDER, CONTRACT, id('other')));
    expect(await wrong.read(), 'a secret that does not fit').to.deep.equal(loose);
    expect(await (await openPaid(paid, redeemed(id('unknown')))).read(), 'no such order').to.deep.equal(loose);
    const others = await openPaid(paid, redeemed(ORDER));
    others.wallet.orders.set(ORDER, {amount: AMOUNT, owner: OWNER, redeemer: STRANGER, refunded: true});
    expect(await others.read(), 'a swap that pays another').to.deep.equal(loose);
    expect(await (await openPaid(paid, refundedLog(CONTRACT, ORDER))).read(), 'a refund').to.deep.equal(loose);
  });

  it('is loose money where only a contract that is not known reveals the secret', async () => {
    const {wallet, read, from} = await openPaid(redeemed(ORDER, STRANGER), transfer(CONTRACT, OWNER, AMOUNT));
    const loose = {...NOTHING, loose: AMOUNT};
    expect(await read({...from, contracts: []})).to.deep.equal(loose);
    wallet.instead.set('eth_call', ([call, ...rest]) => {
      const {to, data} = call as {to: string; data: string};
      return wallet.answer('eth_call', [{data, to: to === STRANGER ? CONTRACT : to}, ...rest]);
    });
    expect(await read(from)).to.deep.equal(loose);
    expect(await read({...from, contracts: []}), 'where none is known, any will do').to.deep.equal(shown(AMOUNT));
  });

  it('is earlier money where the block is from before the order', async () => {
    const {wallet, read, from} = await openPaid(redeemed(ORDER), transfer(CONTRACT, OWNER, AMOUNT));
    expect(await read(from, [HASH], {since: timeOf(112)})).to.deep.equal(shown(AMOUNT));
    expect(await read(from, [HASH], {since: timeOf(112) + 1})).to.deep.equal({...NOTHING, earlier: AMOUNT});
    wallet.instead.set('eth_getBlockByNumber', () => null);
    await faultOf(read(from, [HASH], {since: 1}));
  });

  it('asks once for the time of a block, and not for that of one that gave nothing', async () => {
    const {wallet, read, from} = await openPaid(transfer(CONTRACT, OWNER, 40_000n));
    const [second, third] = [`0x${'2'.repeat(64)}`, `0x${'3'.repeat(64)}`];
    const logs = [transfer(CONTRACT, OWNER, 5n)];
    wallet.receipts.set(second, {status: '0x1', blockNumber: '0x70', logs});
    wallet.receipts.set(third, {status: '0x1', blockNumber: '0x6f'});
    await read(from, [HASH, second, third]);
    const asked = wallet.requests.filter(({method}) => method === 'eth_getBlockByNumber');
    expect(asked.map(({params}) => params)).to.deep.equal([['0x70', false]]);
  });

  it('is all that several transactions moved, each of them once, and in a block once they all are', async () => {
    const {wallet, read, from} = await openPaid(redeemed(ORDER), transfer(CONTRACT, OWNER, 40_000n));
    const second = `0x${'a'.repeat(64)}`;
    expect(await read(from, [HASH, second, HASH])).to.deep.equal(shown(40_000n));
    const logs = [transfer(CONTRACT, OWNER, 5n), redeemed(ORDER)];
    wallet.receipts.set(second, {status: '0x1', blockNumber: '0x71', logs});
    wallet.receipts.set(second.toUpperCase().replace('X', 'x'), {status: '0x1', blockNumber: '0x71', logs});
    const hashes = [HASH, second, second.toUpperCase().replace('X', 'x')];
    const both = {...shown(40_005n), hashes: [HASH, second], block: 113n};
    expect(await read(from, hashes)).to.deep.equal(both);
  });

  it('is nothing where the chain does not know the transaction, refused it, or it moved nothing', async () => {
    const {wallet, read, from} = await openPaid();
    expect(await read()).to.deep.equal(NOTHING);
    wallet.receipts.set(HASH, {status: '0x0', blockNumber: '0x70', logs: [transfer(CONTRACT, OWNER, 1n)]});
    expect(await read()).to.deep.equal(NOTHING);
    expect(await read(from, [`0x${'9'.repeat(64)}`])).to.deep.equal(NOTHING);
    wallet.requests.length = 0;
    expect(await read(from, ['../admin', 'a'.repeat(64)])).to.deep.equal(NOTHING);
    expect(wallet.requests.map(({method}) => method)).to.deep.equal(['eth_chainId']);
  });

  it('of the chain’s own coin is what a known contract kept for the recipient and paid out', async () => {
    const {wallet, read, coin} = await openPaid(redeemed(ORDER));
    expect(await read(coin)).to.deep.equal(shown(AMOUNT));
    expect(await read(coin, [HASH], {recipient: STRANGER})).to.deep.equal(NOTHING);
    expect(await read({...coin, contracts: [STRANGER]})).to.deep.equal(NOTHING);
    wallet.receipts.set(HASH, {status: '0x1', blockNumber: '0x70', logs: [refundedLog(CONTRACT, ORDER)]});
    const back = await read(coin, [HASH], {recipient: STRANGER});
    expect(back, 'a refund').to.deep.equal({...NOTHING, loose: AMOUNT});
  });

  it('of the chain’s own coin by a contract that is not known counts as far as the coins came', async () => {
    const {wallet, read, coin} = await openPaid(redeemed(ORDER));
    let came = AMOUNT;
    wallet.instead.set('eth_getBalance', ([, block]) => toBeHex(block === '0x70' ? 10n ** 6n + came : 10n ** 6n));
    expect((await read({...coin, contracts: []}))?.amount).to.equal(AMOUNT);
    came = 10n;
    expect((await read({...coin, contracts: []}))?.amount).to.equal(10n);
    wallet.instead.set('eth_getBalance', () => Promise.reject(new WalletError(-32000, 'missing trie node')));
    await faultOf(read({...coin, contracts: []}));
  });

  it('of the chain’s own coin is loose money where it was just sent', async () => {
    const {wallet, read, coin, from} = await openPaid();
    const sent = (transaction: object) => wallet.transactions.set(HASH, transaction);
    sent({from: STRANGER, to: OWNER, value: toBeHex(AMOUNT)});
    expect(await read(coin)).to.deep.equal({...NOTHING, loose: AMOUNT});
    expect(await read({...coin, contracts: []})).to.deep.equal({...NOTHING, loose: AMOUNT});
    expect(await read(from), 'of a token it is none').to.deep.equal(NOTHING);
    expect(await read(coin, [HASH], {recipient: STRANGER}), 'who sent it').to.deep.equal(NOTHING);
    sent({from: OWNER, to: OWNER, value: toBeHex(AMOUNT)});
    expect(await read(coin)).to.deep.equal(NOTHING);
    sent({from: STRANGER, to: null, value: toBeHex(AMOUNT)});
    expect(await read(coin)).to.deep.equal(NOTHING);
    wallet.instead.set('eth_getTransactionByHash', () => null);
    await faultOf(read(coin));
  });

  it('tells the secret of this swap among several that are paid out together', async () => {
    const other = `0x${'5f'.repeat(32)}`;
    const logs = [transfer(CONTRACT, OWNER, AMOUNT), redeemed(ORDER), redeemedLog(CONTRACT, ORDER, other)];
    const {read, from} = await openPaid(...logs);
    expect((await read(from, [HASH], {secretHash: sha256(other).slice(2)}))?.secret).to.equal('5f'.repeat(32));
  });

  for (const method of ['eth_chainId', 'eth_getTransactionReceipt', 'eth_call', 'eth_getBlockByNumber']) {
    it(`is not known where a read failed: ${method}`, async () => {
      const {wallet, read} = await openPaid(redeemed(ORDER), transfer(CONTRACT, OWNER, AMOUNT));
      wallet.instead.set(method, () => Promise.reject(new Error('gone')));
      await faultOf(read());
    });
  }

  it('is undefined where there is no way to read it from here', async () => {
    const {wallet, read, from} = await openPaid();
    expect(await adapter.readPayout(from, OWNER, [HASH], {})).to.be.undefined;
    expect(await read(from, [HASH], {recipient: 'nobody'})).to.be.undefined;
    wallet.chainId = 1;
    expect(await read()).to.be.undefined;
  });
});
