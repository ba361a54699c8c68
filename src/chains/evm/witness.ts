/* What an EVM chain shows of a swap: what was paid into its contract, and what was paid out to a recipient. */
import type {Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositEnd, DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import type {ReadDepositOptions} from '../adapter.js';
import {lowerCase} from '../checks.js';
import {tryRead} from '../errors.js';
import {hex} from '../rpc.js';
import {addPayouts, type Gift, type PayoutOptions} from '../witness.js';
import {evmPayloadOf, isEvmAddress, isSameEvmAddress} from './check.js';
import {
  decodeInitiate,
  encodeRefund,
  findOrder,
  isAnswer,
  paidIds,
  readCoins,
  readEnd,
  readEnds,
  readHead,
  readOrder,
  readPayments,
  readRedeemed,
  readRefunded,
  readTime,
  readTransfer,
  wouldRevert,
  type FoundOrder,
  type Log,
  type MinedLog,
} from './htlc.js';
import type {Read} from './rpc.js';

const HASH = /^0x[0-9a-f]{64}$/i;

/**
 * Reads what a deal's call paid in, and what became of it. Rejects where a read failed.
 *
 * A transaction that is in a block and well paid nothing where the contract keeps no order of it: in an account that is a
 * contract, the call itself may have failed. The state of that block decides, or a later one: nodes lag behind.
 */
export async function readDeposit(
  read: Read,
  deal: Deal,
  {hash = '', ends = []}: Pick<ReadDepositOptions, 'hash' | 'ends'>,
): Promise<DepositOnChain> {
  const payload = evmPayloadOf(deal);
  const terms = payload && decodeInitiate(payload.transaction.data);
  if (!terms || ![deal.agreed.owner, payload.transaction.to].every(isEvmAddress)) return {state: 'unknown'};
  const contract = payload.transaction.to;
  const look = async (options?: Parameters<typeof findOrder>[4]) => {
    try {
      return {order: await findOrder(read, deal, contract, terms, options)};
    } catch (error) {
      return noneIn(error);
    }
  };
  const found = await look();
  if (found?.order) return showOrder(read, deal, contract, found.order, ends);
  const isKnown = found !== undefined && hasKnownIds(deal);
  const none = {state: isKnown ? 'none' : 'unknown'} as const;
  if (!HASH.test(hash)) return none;
  const receipt = await readReceipt(read, hash);
  if (!receipt) return (await read('eth_getTransactionByHash', hash)) ? {state: 'seen'} : none;
  if (!isDone(receipt)) return {state: 'reverted'};
  const [block, head] = [BigInt(receipt.blockNumber), await readHead(read)];
  const paid = paidIds(receipt.logs, contract, terms.secretHash);
  const then = await look({paid, at: hex(head > block ? head : block)});
  if (then?.order) return showOrder(read, deal, contract, then.order, ends);
  return {state: then && isKnown ? 'empty' : 'unknown'};
}

/** What is kept of a payment, as far as the chain can be read. */
async function showOrder(
  read: Read,
  deal: Deal,
  contract: string,
  order: FoundOrder,
  ends: readonly string[],
): Promise<DepositOnChain> {
  const {id, amount, block, isHeld} = order;
  const [payments = [], refusal, end] = await Promise.all([
    tryRead(() => readPayments(read, contract, order)),
    // Anyone may ask for it, and the money goes to the payer.
    tryRead(async () => ({
      why: isHeld && (await wouldRevert(read, {from: deal.agreed.owner, to: contract, data: encodeRefund(id)})),
    })),
    isHeld ? undefined : findEnd(read, contract, order, ends),
  ]);
  const hashes = [...new Set(payments.map(({transactionHash}) => transactionHash))];
  return {
    state: 'seen',
    amount,
    block,
    isHeld,
    ...(hashes.length > 0 && {hashes}),
    ...(refusal && {isRefundOpen: isHeld && !refusal.why}),
    ...(end && {end}),
  };
}

/** Finds how an order ended: by the transactions that may have done it, else by what the contract logged. */
async function findEnd(
  read: Read,
  contract: string,
  {id, amount, block, endedIn}: FoundOrder,
  hashes: readonly string[],
): Promise<DepositEnd | undefined> {
  const endIn = (logs: readonly MinedLog[]): DepositEnd | undefined => {
    for (const log of logs) {
      const how = readEnd(log, contract, id);
      if (!how) continue;
      const back = how === 'refunded' ? amount : 0n;
      return {how, amount: back, hashes: [log.transactionHash], block: BigInt(log.blockNumber)};
    }
    return undefined;
  };
  const logsOf = async (hash: string) => {
    const receipt = await tryRead(() => readReceipt(read, hash));
    const {blockNumber = '', logs = []} = receipt && isDone(receipt) ? receipt : {};
    return logs.map(log => ({...log, transactionHash: hash, blockNumber}));
  };
  const logged = (from: bigint, to?: bigint) =>
    tryRead(async () => endIn(await readEnds(read, contract, id, from, to)));
  const named = await Promise.all(hashes.filter(hash => HASH.test(hash)).map(logsOf));
  const found = endIn(named.flat()) ?? (endedIn === undefined ? undefined : await logged(endedIn, endedIn));
  return found ?? logged(block);
}

/** Whether the ids that are worked out are all that there can be: a contract of another generation has its own. */
function hasKnownIds(deal: Deal): boolean {
  const {version} = (evmPayloadOf(deal)?.typedData?.domain ?? {}) as {readonly version?: unknown};
  return version === undefined || version === '2' || version === '3';
}

/** Reads what transactions gave a recipient. Rejects where a read failed. */
export async function readPayout(
  read: Read,
  asset: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (!isEvmAddress(recipient)) return undefined;
  const times = new Map<bigint, Promise<number>>();
  const timeOf = (block: bigint) => {
    const time = times.get(block) ?? readTime(read, block);
    times.set(block, time);
    return time;
  };
  return addPayouts(distinct(hashes), HASH, options, async (hash): Promise<Gift | undefined> => {
    const receipt = await readReceipt(read, hash);
    if (!receipt) return undefined;
    const block = BigInt(receipt.blockNumber);
    if (!isDone(receipt)) return {amount: 0n, block};
    const swaps = await readSwaps(read, receipt.logs, asset, recipient);
    const secrets = swaps.flatMap(({secret}) => secret ?? []);
    const amount = asset.token === undefined ? await coinsOf() : tokensOf(receipt.logs, asset.token, recipient);
    return {amount, block, secrets, ...(amount > 0n && {at: await timeOf(block)})};

    /**
     * No log says that coins moved, so that is by what a contract kept, beside what was just sent; by a contract that is
     * not known, only as far as they came.
     */
    async function coinsOf(): Promise<bigint> {
      const paid = swaps.reduce((sum, swap) => sum + swap.amount, 0n);
      const given = paid + (await readSent(read, hash, recipient));
      if (asset.contracts.length || paid === 0n) return given;
      const before = await readCoins(read, recipient, hex(block - 1n));
      const came = (await readCoins(read, recipient, hex(block))) - before;
      return came < given ? came : given;
    }
  });
}

/** A hash that is written in two ways is one. */
function distinct(hashes: readonly string[]): readonly string[] {
  const plain = hashes.map(lowerCase);
  return hashes.filter((_, at) => plain.indexOf(plain[at] ?? '') === at);
}

/** The coins that a transaction itself sent to an address, less those that it sent from it. */
async function readSent(read: Read, hash: string, recipient: string): Promise<bigint> {
  const transaction = (await read('eth_getTransactionByHash', hash)) as SentCoins | null | undefined;
  if (!transaction) throw new Error('The transaction is in a block, and not known.');
  const {from, to, value = '0x0'} = transaction;
  const isTheirs = (address: string | null | undefined) => !!address && isSameEvmAddress(address, recipient);
  return (isTheirs(to) ? BigInt(value) : 0n) - (isTheirs(from) ? BigInt(value) : 0n);
}

interface SentCoins {
  readonly from?: string;
  readonly to?: string | null;
  readonly value?: string;
}

/** What a token's own logs say that an address got, less what it gave. */
function tokensOf(logs: readonly Log[], token: string, recipient: string): bigint {
  const isTheirs = (address: string) => isSameEvmAddress(address, recipient);
  return logs
    .filter(({address}) => isSameEvmAddress(address, token))
    .map(readTransfer)
    .reduce((sum, moved) => {
      if (!moved) return sum;
      return sum + (isTheirs(moved.to) ? moved.value : 0n) - (isTheirs(moved.from) ? moved.value : 0n);
    }, 0n);
}

/** The swaps that a transaction paid out, or back, to a recipient, from known contracts where any are. */
async function readSwaps(read: Read, logs: readonly Log[], {contracts}: Asset, recipient: string) {
  const known = contracts.map(lowerCase);
  const swaps = logs
    .filter(({address}) => !known.length || known.includes(lowerCase(address)))
    .map(async log => {
      const redeemed = await readRedeemed(log);
      const ended = redeemed ?? readRefunded(log);
      const order = ended && (await readOrder(read, log.address, ended.id).catch(noneIn));
      const receiver = redeemed ? order?.redeemer : order?.initiator;
      return order && receiver !== undefined && isSameEvmAddress(receiver, recipient)
        ? [{amount: order.amount, secret: redeemed?.secret}]
        : [];
    });
  return (await Promise.all(swaps)).flat();
}

/** A contract that gives no known answer keeps nothing that can be read: anything may log what a swap contract logs. */
function noneIn(error: unknown): undefined {
  if (!isAnswer(error)) throw error;
}

interface Receipt {
  readonly status?: string;
  readonly blockNumber: string;
  readonly logs: readonly Log[];
}

/** A transaction's receipt; `undefined` while it is in no block. */
async function readReceipt(read: Read, hash: string): Promise<Receipt | undefined> {
  return ((await read('eth_getTransactionReceipt', hash)) as Receipt | null | undefined) ?? undefined;
}

function isDone({status}: Receipt): boolean {
  return Number(status) !== 0;
}
