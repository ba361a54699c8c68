/* What Starknet shows of a swap: what was paid into its contract, and what was paid out to a recipient. */
import type {Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import {tryRead} from '../errors.js';
import {hex} from '../rpc.js';
import {addPayouts, type KeptOrder, type Gift, type PayoutOptions} from '../witness.js';
import {starknetPayloadOf} from './check.js';
import {
  addressText,
  decodeInitiate,
  idParts,
  isContractAddress,
  isSameStarknetAddress,
  namedId,
  readOrder,
  readPayments,
  readReceipt,
  readRedeemed,
  readTransfer,
  transactionStatus,
  wouldRefund,
  type ContractEvent,
  type Terms,
} from './htlc.js';
import {chainIdOf, type Read} from './rpc.js';

const HASH = /^0x[0-9a-f]{1,64}$/i;

/** The hash of the ids. Half of what this family loads, and only for a payment and for looking for one. */
export const loadHash = () => import('./poseidon.js');

/** The ids that were worked out last: each look at the chain wants them again, and a hash takes milliseconds. */
let last: {readonly of: string; readonly ids: readonly string[]} | undefined;

/** The ids that contracts of the known generations give a deal's order. */
export async function ownIds({agreed}: Deal, contract: string, terms: Terms): Promise<readonly string[]> {
  const {poseidonHashMany} = await loadHash();
  const parts = idParts(chainIdOf(agreed.from.chain), agreed.owner, contract, terms);
  const of = parts.join(';');
  if (last?.of !== of) last = {of, ids: parts.map(one => hex(poseidonHashMany([...one])))};
  return last.ids;
}

/**
 * The order that was paid into a contract, with its id; `undefined` where there is none. What is kept under an id counts
 * only with this payer and these terms: a service may name the id of any order.
 */
export async function findOrder(
  read: Read,
  deal: Deal,
  contract: string,
  terms: Terms,
): Promise<(KeptOrder & {readonly id: string}) | undefined> {
  const {owner} = deal.agreed;
  const own = await ownIds(deal, contract, terms).catch(() => undefined);
  const named = namedId(deal.order);
  for (const id of new Set([...(own ?? []), ...(named === undefined ? [] : [named])])) {
    const order = await readOrder(read, contract, id);
    if (!order || order.amount !== terms.amount) continue;
    if (isSameStarknetAddress(order.initiator, owner) && order.redeemer === terms.redeemer) return {...order, id};
  }
  if (!own) throw new Error('The ids of the order could not be worked out.');
  return undefined;
}

/** Reads what a deal's call paid in. Rejects where the chain cannot be read. */
export async function readDeposit(read: Read, deal: Deal, hash: string | undefined): Promise<DepositOnChain> {
  const payload = starknetPayloadOf(deal);
  const terms = payload && decodeInitiate(payload.call);
  if (!terms) return {state: 'unknown'};
  const contract = payload.call.to;
  // The first generation of contracts cannot be asked; then the transaction decides.
  const found = await tryRead(async () => ({order: await findOrder(read, deal, contract, terms)}));
  if (found?.order) {
    const {id, amount, block, isHeld} = found.order;
    const [hashes = [], opens] = await Promise.all([
      tryRead(() => readPayments(read, contract, {id, block})),
      isHeld ? tryRead(() => wouldRefund(read, contract, id)) : false,
    ]);
    return {
      state: 'seen',
      amount,
      block,
      isHeld,
      ...(hashes.length > 0 && {hashes}),
      ...(opens !== undefined && {isRefundOpen: opens}),
    };
  }
  if (hash === undefined) return {state: found ? 'none' : 'unknown'};
  const state = await transactionStatus(read, hash);
  return state === 'done' ? {state: 'seen', hashes: [hash]} : {state};
}

/** Reads what transactions gave a recipient. Rejects where the chain cannot be read. */
export async function readPayout(
  read: Read,
  {token}: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (token === undefined || !isContractAddress(recipient)) return undefined;
  return addPayouts(hashes, HASH, options, async (hash): Promise<Gift | undefined> => {
    const receipt = await readReceipt(read, hash);
    if (!receipt) return undefined;
    const {block_number: number, execution_status: status, events} = receipt;
    const block = number === undefined ? undefined : BigInt(number);
    if (status === 'REVERTED') return {amount: 0n, block};
    return {
      amount: movedTo(addressText(recipient), token, events),
      block,
      secrets: await readSecrets(read, addressText(recipient), events),
    };
  });
}

/** What a token's own events say that an address got, less what it gave. */
function movedTo(recipient: string, token: string, events: readonly ContractEvent[]): bigint {
  return events
    .filter(({from_address: address}) => isSameStarknetAddress(address, token))
    .map(readTransfer)
    .reduce((sum, moved) => {
      if (!moved) return sum;
      return sum + (moved.to === recipient ? moved.value : 0n) - (moved.from === recipient ? moved.value : 0n);
    }, 0n);
}

/** The secrets of the swaps that were paid out to a recipient. */
async function readSecrets(read: Read, recipient: string, events: readonly ContractEvent[]) {
  const secrets = events.map(async event => {
    const redeemed = await readRedeemed(event);
    const order = redeemed && (await tryRead(() => readOrder(read, event.from_address, redeemed.id)));
    return order?.redeemer === recipient ? [redeemed?.secret ?? ''] : [];
  });
  return (await Promise.all(secrets)).flat();
}
