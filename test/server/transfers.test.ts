/** The transfers to an address, as a back end reads them: from one RPC, or as two of several tell them; and what was earned. */
import {checkPayouts} from '../../src/server.js';
import type {EarnedFee} from '../../src/server/payout-weeks.js';
import {readTransfers, type TransferQuestion} from '../../src/server/transfers.js';
import type {Chain} from '../../src/domain/asset.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {expect} from '../support/expect.js';
import {usdcOn} from '../support/swap.js';

const TOKEN = `0x${'70'.repeat(20)}`;
const PAYEE = `0x${'Fa'.repeat(20)}`;
const PURSE = `0x${'05'.repeat(20)}`;
const STRANGER = `0x${'66'.repeat(20)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The time of block 0, in milliseconds since 1970. */
const START = Date.UTC(2026, 10, 23);
/** The time between two blocks, in milliseconds. */
const STEP = 12_000;

const at = (block: number) => START + block * STEP;
const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: string) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}`;

interface Sent {
  readonly block: number;
  readonly amount: bigint;
  readonly from?: string;
  readonly to?: string;
  readonly token?: string;
}

type Log = Readonly<Record<string, unknown>>;

class Node {
  chainId = 8453;
  /** How many blocks it searches at once, at most. */
  mostBlocks = Infinity;
  /** A lie: what it makes of the events that it found. */
  tell = (logs: readonly Log[]): unknown => logs;
  readonly asked: string[] = [];
  /** The blocks that it was to search, from and to. */
  readonly searched: (readonly [number, number])[] = [];

  constructor(
    public height: number,
    readonly sent: readonly Sent[],
  ) {}

  answer(method: string, params: readonly unknown[]): unknown {
    this.asked.push(method);
    if (method === 'eth_chainId') return hex(this.chainId);
    if (method === 'eth_blockNumber') return hex(this.height);
    if (method === 'eth_getBlockByNumber') return this.#block(Number(params[0]));
    if (method === 'eth_getLogs') return this.tell(this.#logs(params[0] as Record<string, string>));
    throw new Error(`${method} is not known.`);
  }

  #block(number: number) {
    if (number > this.height) return null;
    return {number: hex(number), timestamp: hex(at(number) / 1000)};
  }

  #logs({address, fromBlock, toBlock, topics}: Record<string, unknown>): Log[] {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    this.searched.push([from, to]);
    if (to - from >= this.mostBlocks) throw new Error('Too many blocks.');
    const [event, payers, recipient] = topics as [string, readonly string[] | null, string];
    return this.sent
      .map((one, index) => ({
        address: one.token ?? TOKEN,
        topics: [TRANSFER, word(one.from ?? PURSE), word(one.to ?? PAYEE)],
        data: word(hex(one.amount)),
        blockNumber: hex(one.block),
        transactionHash: word(hex(index + 1)),
      }))
      .filter(
        log =>
          log.address === address &&
          event === TRANSFER &&
          (!payers || payers.includes(log.topics[1]!)) &&
          log.topics[2] === recipient &&
          Number(log.blockNumber) >= from &&
          Number(log.blockNumber) <= to,
      );
  }
}

const {fetch} = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

let count = 0;

/** Has nodes answer at URLs of their own; `undefined` is one that nobody reaches. */
function serve(nodes: readonly (Node | undefined)[]): readonly string[] {
  count += 1;
  const urls = nodes.map((_, index) => `https://node-${String(count)}-${String(index)}.example`);
  globalThis.fetch = (input, init) => {
    const node = nodes[urls.indexOf(String(input))];
    if (!node) return Promise.reject(new TypeError('Failed to fetch'));
    const {method, params} = JSON.parse(String(init?.body)) as {method: string; params: readonly unknown[]};
    try {
      return Promise.resolve(Response.json({jsonrpc: '2.0', id: 1, result: node.answer(method, params)}));
    } catch (error) {
      return Promise.resolve(Response.json({error: {code: -32005, message: (error as Error).message}}));
    }
  };
  return urls;
}

async function read(nodes: readonly (Node | undefined)[], more: Partial<TransferQuestion> = {}, asset: object = {}) {
  const [rpc, ...otherRpcs] = serve(nodes);
  const chain: Chain = {
    ...{name: 'base', family: 'evm', title: 'Base', test: false, blockSeconds: 12, chainId: 8453},
    ...(rpc && {rpc, otherRpcs}),
  };
  return readTransfers({asset: {...usdcOn(chain, TOKEN), ...asset}, to: PAYEE, since: START, ...more});
}

/** The amounts of the transfers; otherwise why nothing could be read. */
async function amounts(...given: Parameters<typeof read>): Promise<readonly bigint[] | string> {
  const answer = await read(...given);
  return 'unread' in answer ? answer.unread : answer.transfers.map(({amount}) => amount);
}

const PAID: readonly Sent[] = [
  {block: 3, amount: 30n},
  {block: 5, amount: 50n},
  {block: 8, amount: 80n},
];

describe('The transfers to an address', () => {
  it('have hash, sender, amount and the time of their block, up to the newest block', async () => {
    expect(await read([new Node(9, PAID.slice(1, 2))])).to.deep.equal({
      until: at(9),
      transfers: [{hash: word('0x1'), from: PURSE, amount: 50n, at: at(5)}],
    });
  });

  it('are those since a time, that of a block included', async () => {
    for (const [since, expected] of [
      [START - STEP, [30n, 50n, 80n]],
      [at(3), [30n, 50n, 80n]],
      [at(3) + 1, [50n, 80n]],
      [at(4), [50n, 80n]],
      [at(8), [80n]],
      [at(8) + 1, []],
      [at(9), []],
      [at(20), []],
    ] as const)
      for (const height of [8, 9, 10, 16, 17])
        expect(await amounts([new Node(height, PAID)], {since}), String([since - START, height])).to.deep.equal(
          expected,
        );
    expect(await amounts([new Node(2, [{block: 0, amount: 1n}])])).to.deep.equal([1n]);
  });

  it('are not read on chains of other families, of a coin, or without an RPC', async () => {
    const {chain} = {chain: {name: 'solana', family: 'solana', title: 'Solana', test: false, blockSeconds: 1}};
    expect(await amounts([new Node(9, PAID)], {}, {chain})).to.equal('Payouts on Solana cannot be read.');
    expect(await amounts([new Node(9, PAID)], {}, {token: undefined, symbol: 'ETH'})).to.equal(
      'ETH is no token: nothing on the chain lists what came.',
    );
    expect(await amounts([])).to.equal('rpc names no address of Base.');
  });

  it('are unread, with the first reason, where the only RPC fails or is of another chain', async () => {
    expect(await amounts([undefined])).to.equal('Failed to fetch');
    const other = new Node(9, PAID);
    other.chainId = 1;
    expect(await amounts([other])).to.match(/^node-\d+-0\.example is not Base\.$/);
    const broken = new Node(9, PAID);
    broken.tell = () => 'text';
    expect(await amounts([broken])).to.equal('The answer is no list of events.');
  });

  it('count where two of several RPCs agree, whatever the others say', async () => {
    const good = () => new Node(9, PAID);
    const liar = new Node(9, PAID.slice(1));
    const [once, other] = [new Node(9, []), new Node(9, PAID.slice(2))];
    const contradict = 'The addresses of Base contradict each other.';
    expect(await amounts([good(), good()])).to.deep.equal([30n, 50n, 80n]);
    expect(await amounts([liar, good(), undefined, good()])).to.deep.equal([30n, 50n, 80n]);
    expect(await amounts([good(), liar])).to.equal(contradict);
    expect(await amounts([good(), liar, once, other])).to.equal(contradict);
    expect(await amounts([good(), undefined])).to.equal('Failed to fetch');
    expect(await amounts([undefined, good()])).to.equal('Failed to fetch');
    const broken = good();
    broken.tell = () => 'text';
    expect(await amounts([good(), broken])).to.equal('The answer is no list of events.');
  });

  it('agree in any order and letter case', async () => {
    const other = new Node(9, PAID);
    other.tell = logs =>
      logs.map(log => ({...log, transactionHash: String(log['transactionHash']).toUpperCase()})).reverse();
    expect(await amounts([new Node(9, PAID), other])).to.deep.equal([30n, 50n, 80n]);
  });

  it('are compared up to the newest block that all RPCs have', async () => {
    for (const heights of [
      [9, 7],
      [7, 9],
      [8, 9, 7],
    ]) {
      const answer = await read(heights.map(height => new Node(height, PAID)));
      expect(answer).to.deep.include({until: at(7)});
      expect('transfers' in answer && answer.transfers.map(({amount}) => amount)).to.deep.equal([30n, 50n]);
    }
  });
});

describe('The transfers of a token on an EVM chain', () => {
  it('are searched in parts, smaller ones where the node refuses, but not endlessly', async () => {
    const searched = async (height: number, mostBlocks = Infinity) => {
      const node = new Node(height, [{block: height, amount: 7n}]);
      node.mostBlocks = mostBlocks;
      const read = await amounts([node]);
      return {read, searched: node.searched.map(([from, to]) => `${String(from)}-${String(to)}`).join(' ')};
    };
    const read = [7n];
    expect(await searched(49_999)).to.deep.equal({read, searched: '0-49999'});
    expect(await searched(50_000)).to.deep.equal({read, searched: '0-49999 50000-50000'});
    expect(await searched(120_000)).to.deep.equal({read, searched: '0-49999 50000-99999 100000-120000'});
    expect(await searched(1_999, 1_000)).to.deep.equal({
      read,
      searched: '0-1999 0-1999 0-1999 0-780 781-1561 1562-1999',
    });
    const toLeast = '0-249 0-249 0-249 0-249 0-194 0-99';
    expect(await searched(249, 100)).to.deep.equal({read, searched: `${toLeast} 100-199 200-249`});
    expect(await searched(249, 50)).to.deep.equal({read: 'Too many blocks.', searched: toLeast});
  });

  it('are at most a thousand', async () => {
    const sent = Array.from({length: 1_000}, () => ({block: 3, amount: 1n}));
    expect(await amounts([new Node(9, sent)])).to.have.length(1_000);
    expect(await amounts([new Node(9, [...sent, {block: 4, amount: 1n}])])).to.equal(
      'There are more than 1000 transfers. Name who pays.',
    );
  });

  it('are those of the named payers, if any are named', async () => {
    const sent = [...PAID, {block: 6, amount: 60n, from: STRANGER}];
    expect(await amounts([new Node(9, sent)], {payers: [STRANGER]})).to.deep.equal([60n]);
    expect(
      await amounts([new Node(9, sent)], {payers: [STRANGER.toUpperCase().replace('X', 'x'), PURSE]}),
    ).to.deep.equal([30n, 50n, 80n, 60n]);
  });

  it('are no income if they are empty, or to oneself', async () => {
    const sent = [{block: 1, amount: 0n}, {block: 2, amount: 20n, from: PAYEE}, ...PAID];
    expect(await amounts([new Node(9, sent)])).to.deep.equal([30n, 50n, 80n]);
  });

  it('are only what was searched for, whatever else a node returns', async () => {
    const [event, from, to] = [TRANSFER, word(PURSE), word(PAYEE)];
    for (const lie of [
      {removed: true},
      {address: PURSE},
      {address: undefined},
      {data: word('0x5').slice(1)},
      {data: word('0x55').slice(0, -1)},
      {data: `${word('0x5')}0`},
      {data: `x${word('0x5')}`},
      {data: undefined},
      {topics: [event, from]},
      {topics: [event, from, to, to]},
      {topics: [to, from, to]},
      {topics: [event, from, word(STRANGER)]},
      {topics: [event, word(STRANGER), to]},
      {topics: undefined},
      {blockNumber: '0x1'},
      {blockNumber: '0xa'},
      {blockNumber: null},
    ]) {
      const node = new Node(9, PAID);
      node.tell = logs => [...logs.map(log => ({...log, ...lie})), ...logs.slice(1)];
      expect(await amounts([node], {since: at(2), payers: [PURSE]}), JSON.stringify(lie)).to.deep.equal([50n, 80n]);
    }
  });

  it('count in any letter case, in the first and the last block, and without the hash of a transaction', async () => {
    const node = new Node(8, PAID);
    node.tell = logs =>
      logs.map(log => ({
        ...log,
        address: TOKEN.toUpperCase(),
        topics: (log['topics'] as string[]).map(topic => topic.toUpperCase()),
        transactionHash: null,
      }));
    const answer = await read([node], {since: at(3), payers: [PURSE]});
    expect('transfers' in answer && answer.transfers.map(({amount, hash}) => [amount, hash])).to.deep.equal([
      [30n, ''],
      [50n, ''],
      [80n, ''],
    ]);
  });

  it('of one block cost one question about its time', async () => {
    const questions = async (sent: readonly Sent[]) => {
      const node = new Node(9, sent);
      await amounts([node]);
      return node.asked.filter(method => method === 'eth_getBlockByNumber').length;
    };
    expect(await questions([...PAID, ...PAID])).to.equal(await questions(PAID));
  });
});

describe('What was earned, beside what came to an address', () => {
  const {now} = Date;
  afterEach(() => {
    Date.now = now;
  });

  const {token: USDC = ''} = ALL_KNOWN.assets.find(({id}) => id === 'base:usdc')!;
  const DAY = 24 * 3_600_000;
  const day = (number: number) => (number * DAY) / STEP;
  const sent = (number: number, amount: bigint, more: Partial<Sent> = {}): Sent => {
    return {block: day(number), amount, token: USDC, ...more};
  };
  const earned = (number: number, amount: bigint, more: Partial<EarnedFee> = {}): EarnedFee => {
    const [completedAt, address] = [START + number * DAY, PAYEE.toLowerCase()];
    return {orderId: String(number), isComplete: true, completedAt, asset: 'base:usdc', address, amount, ...more};
  };

  /** What is said of each week on a day. */
  async function verdicts(today: number, sent: readonly Sent[], fees: readonly EarnedFee[], options: object = {}) {
    const [base = ''] = serve([new Node(day(today), sent)]);
    Date.now = () => START + today * DAY;
    const {weeks} = await checkPayouts({fees, rpc: {base}, ...options});
    return weeks.map(({verdict, owed, paid, why}) => why ?? `${verdict} ${String(paid)} of ${String(owed)}`);
  }

  it('counts for a week what came after its end, until two days after it is late, or as soon as the page says', async () => {
    const fees = [earned(1, 30n)];
    expect(await verdicts(3, [sent(2, 30n)], fees)).to.deep.equal(['due undefined of 30']);
    expect(await verdicts(8, [sent(7, 30n)], fees)).to.deep.equal(['paid 30 of 30']);
    expect(await verdicts(8.99, [], fees)).to.deep.equal(['due 0 of 30']);
    expect(await verdicts(9, [], fees)).to.deep.equal(['missing 0 of 30']);
    expect(await verdicts(7.2, [], fees, {graceHours: 5})).to.deep.equal(['due 0 of 30']);
    expect(await verdicts(7.21, [], fees, {graceHours: 5})).to.deep.equal(['missing 0 of 30']);
    const weekEnds = [START + 1.5 * DAY];
    expect(await verdicts(2, [sent(2, 30n)], fees, {weekEnds, graceHours: 0})).to.deep.equal(['paid 30 of 30']);
  });

  it('counts only what a named payer sent on that chain, or a contract that payees take it from', async () => {
    const given = [20, [sent(8, 30n)], [earned(1, 30n)]] as const;
    for (const [options, said] of [
      [{payers: {base: PURSE}}, 'paid 30 of 30'],
      [{payers: {base: [STRANGER, PURSE]}}, 'paid 30 of 30'],
      [{payers: {base: STRANGER, ethereum: PURSE}}, 'missing 0 of 30'],
      [{distributors: {base: PURSE}, payers: {base: STRANGER}}, 'claimed 30 of 30'],
      [{distributors: {base: STRANGER}, payers: {base: PURSE}}, 'unclaimed 0 of 30'],
    ] as const)
      expect(await verdicts(...given, options)).to.deep.equal([said]);
  });

  it('knows assets of main and test networks at once, and the page’s own; an address or a chain that cannot be read is said', async () => {
    const token = {id: 'base:mine', token: TOKEN, decimals: 2};
    const came = [sent(8, 30n), sent(15, 5n), sent(8, 7n, {token: TOKEN})];
    const fees = [earned(8, 5n), earned(1, 30n, {asset: 'BASE:usdc'}), earned(2, 7n, {asset: 'base:mine'})];
    const paid = ['paid 30 of 30', 'paid 7 of 7', 'paid 5 of 5'];
    expect(await verdicts(20, came, fees, {assets: [token]})).to.deep.equal(paid);
    const other = [earned(1, 1n, {asset: 'base_sepolia:usdc'}), earned(1, 1n, {address: 'nobody'})];
    const unread = ['rpc names no address of Base Sepolia.', '“nobody” is not an address on Base.'];
    expect(await verdicts(20, came, other)).to.deep.equal(unread);
  });
});
