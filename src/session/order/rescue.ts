import type {Chain} from '../../domain/asset.js';
import {openPayment} from '../../domain/funding.js';
import {SwapError} from '../../domain/error.js';
import {writeJson} from '../../domain/json.js';
import {readRescue, writeRescue, type RescueChain} from '../../domain/rescue.js';
import type {OrderCore} from './shown.js';

/**
 * What a refund by its contract needs, or whom to contact if it has none.
 * @throws SwapError `unreadable` if there is nothing to write.
 */
export async function rescueText(
  {journal, evidence, config, consent, adapter}: OrderCore,
  orderId: string,
): Promise<string> {
  const entry = journal().get(orderId);
  if (!entry) throw new SwapError('unreadable', {field: 'order'});
  const {agreed, deposit, placedAt} = entry;
  const {from, owner, amount} = agreed;
  const known = evidence.of(orderId);
  // What was paid once is not withheld any more, and needs its file.
  const isPaid = entry.payableSince !== null && evidence.storyOf(orderId)?.order?.source.initiated !== undefined;
  if (consent.isWithheld(entry) && !isPaid) throw new SwapError('unreadable', {field: 'deposit'});
  const [hash] = [
    ...(known.deposit?.value.hashes ?? []),
    ...(known.told?.value.source.initiated?.hashes ?? []),
    ...[openPayment(entry)?.hash ?? []].flat(),
  ];
  const common = {
    chain: writtenChain(from.chain),
    asset: {id: from.id, symbol: from.symbol, decimals: from.decimals},
    order: orderId,
    placedAt,
    hash,
    rpc: from.chain.rpc,
  };
  let text: string;
  if (deposit.how === 'transfer') {
    const {service} = config();
    text = writeRescue({...common, how: 'address', address: deposit.address, payer: owner, amount, service});
  } else {
    const {back} = await adapter(from.chain.family);
    const terms = back.termsOf?.({orderId, agreed, deposit, policy: {unverified: 'stop'}});
    if (!terms) throw new SwapError('unreadable', {field: 'deposit'});
    text = writeRescue({...common, how: 'contract', terms});
  }
  // A file that the rescue page would reject is useless. It can be without the two that only help to find the payment.
  const faultsIn = (one: string) => {
    const read = readRescue(one);
    return 'fields' in read ? read.fields : [];
  };
  const faults = faultsIn(text);
  if (!faults.length) return text;
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const isKept = ([name]: [string, unknown]) => !['rpc', 'hash'].includes(name) || !faults.includes(name);
  const without = writeJson(Object.fromEntries(fields.filter(isKept)));
  if (!faultsIn(without).length) return without;
  throw new SwapError('unreadable', {field: 'deposit'});
}

function writtenChain({name, family, chainId, test, blockSeconds}: Chain): RescueChain {
  return {name, family, test, blockSeconds, ...(chainId !== undefined && {chainId})};
}
