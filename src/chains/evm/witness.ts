/* What an EVM chain shows of a swap: what was paid into its contract, and what was paid out to a recipient. */
import type {Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
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
  namedId,
  readCoins,
  readOrder,
  readPayments,
  readRedeemed,
  readRefunded,
  readTransfer,
  wouldRevert,
  type Log,
} from './htlc.js';
import type {Read} from './rpc.js';

const HASH = /^0x[0-9a-f]{64}$/i;

/** Reads what a deal's call paid in. Rejects where the chain cannot be read. */
export async function readDeposit(read: Read, deal: Deal, hash: string | undefined): Promise<DepositOnChain> {
  const payload = evmPayloadOf(deal);
  const terms = payload && decodeInitiate(payload.transaction.data);
  if (!terms) return {state: 'unknown'};
  const contract = payload.transaction.to;
  const order = await findOrder(read, deal, contract, terms);
  if (order) {
    const {id, amount, block, isHeld} = order;
    const [hashes = [], refusal] = await Promise.all([
      tryRead(() => readPayments(read, contract, order)),
      // Anyone may ask for it, and the money goes to the payer.
      tryRead(async () => ({
        why: isHeld && (await wouldRevert(read, {from: deal.agreed.owner, to: contract, data: encodeRefund(id)})),
      })),
    ]);
    return {
      state: 'seen',
      amount,
      block,
      isHeld,
      ...(hashes.length > 0 && {hashes}),
      ...(refusal && {isRefundOpen: isHeld && !refusal.why}),
    };
  }
  if (hash === undefined) return {state: isNamable(deal) ? 'none' : 'unknown'};
  const receipt = await readReceipt(read, hash);
  if (!receipt) return {state: (await read('eth_getTransactionByHash', hash)) ? 'seen' : 'none'};
  return isDone(receipt) ? {state: 'seen', hashes: [hash], block: BigInt(receipt.blockNumber)} : {state: 'reverted'};
}

/** Whether the ids that were looked up are all that there can be: a contract of another generation has its own. */
function isNamable(deal: Deal): boolean {
  const {version} = (evmPayloadOf(deal)?.typedData?.domain ?? {}) as {readonly version?: unknown};
  return version === undefined || version === '2' || version === '3' || namedId(deal) !== undefined;
}

/** Reads what transactions gave a recipient. Rejects where the chain cannot be read. */
export async function readPayout(
  read: Read,
  asset: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (!isEvmAddress(recipient)) return undefined;
  return addPayouts(hashes, HASH, options, async (hash): Promise<Gift | undefined> => {
    const receipt = await readReceipt(read, hash);
    if (!receipt) return undefined;
    const block = BigInt(receipt.blockNumber);
    if (!isDone(receipt)) return {amount: 0n, block};
    const swaps = await readSwaps(read, receipt.logs, asset, recipient);
    const secrets = swaps.flatMap(({secret}) => secret ?? []);
    const amount = asset.token === undefined ? await coinsOf() : tokensOf(receipt.logs, asset.token, recipient);
    return {amount, block, secrets};

    /** No log says that coins moved, so that is by what a contract kept; by one that is not known, only if they came. */
    async function coinsOf(): Promise<bigint> {
      const paid = swaps.reduce((sum, swap) => sum + swap.amount, 0n);
      if (asset.contracts.length || paid === 0n) return paid;
      const before = await readCoins(read, recipient, hex(block - 1n));
      const came = (await readCoins(read, recipient, hex(block))) - before;
      return came < paid ? came : paid;
    }
  });
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

/** Anything may log what a swap contract logs. */
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
