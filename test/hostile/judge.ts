/**
 * Runs one swap with a man in the middle, and judges it by the chains: whatever passes the widget's checks is signed by
 * a development wallet and executed.
 */
import {AbiCoder, id as hashOfText, TypedDataEncoder} from 'ethers';
import {typedData as snip12} from 'starknet';
import {readBalances} from '../../demo/wallets/index.js';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import {parseAmount} from '../../src/domain/amount.js';
import type {AssetId, ChainFamily} from '../../src/domain/asset.js';
import type {FundWay} from '../../src/domain/deposit.js';
import {holds} from '../support/limits.js';
import type {BeginOptions, NodeSwap, NodeWorld} from '../support/node-session.js';
import {TestStorage} from '../support/storage.js';
import {SandboxClient, type Fields} from '../sandbox/client.js';
import {Man, type Lie} from './man.js';
import {allowanceOf, tokenOf} from './thief.js';
import {fundingIn, shownIn} from '../support/shown.js';

export const FAMILIES = ['bitcoin', 'evm', 'solana', 'starknet'] as const satisfies readonly ChainFamily[];

export const PAIRS: Readonly<
  Record<ChainFamily, {readonly from: AssetId; readonly to: AssetId; readonly amount: string}>
> = {
  bitcoin: {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc', amount: '0.001'},
  evm: {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', amount: '0.001'},
  solana: {from: 'solana_testnet:sol', to: 'base_sepolia:wbtc', amount: '1'},
  starknet: {from: 'starknet_sepolia:wbtc', to: 'base_sepolia:wbtc', amount: '0.001'},
};

export interface Case {
  readonly name: string;
  /** What the thief would gain; absent if nothing is wrong, and the swap has to complete. */
  readonly gain?: string;
  readonly lie?: Lie;
  readonly way?: FundWay;
  /** The amount to receive that is typed, instead of the amount to pay. */
  readonly receive?: string;
  readonly pair?: (typeof PAIRS)[ChainFamily];
}

/** How a swap with a man in the middle begins: by default the family's pair, paid by a signature, if possible. */
export type Begin = Pick<Case, 'lie' | 'way' | 'pair'> & Partial<BeginOptions>;

export interface Verdict {
  /** `stopped`: nothing was signed or sent. `same`: it ended as without the lie. `harm`: anything else. */
  readonly outcome: 'stopped' | 'same' | 'harm';
  readonly says: string;
}

const SETTLE_MS = 12_000;

export async function beginHostile(
  world: NodeWorld,
  family: ChainFamily,
  {lie, way, pair = PAIRS[family], ...options}: Begin = {},
): Promise<{readonly swap: NodeSwap; readonly man: Man}> {
  const man = new Man(lie);
  const storage = new TestStorage();
  if (way) storage.setItem(`swap-widget/1/${options.service ?? world.url}/way`, way);
  const swap = await world.begin({...pair, fetch: man.fetch, storage, ...options});
  return {swap, man};
}

export async function judge(world: NodeWorld, family: ChainFamily, {receive, lie, way, pair}: Case): Promise<Verdict> {
  const {swap, man} = await beginHostile(world, family, {...(lie && {lie}), ...(way && {way}), ...(pair && {pair})});
  try {
    const before = await holdings(swap);
    const stop = await pay(swap, receive);
    return await compare(swap, man, before, stop, receive);
  } finally {
    swap.end();
  }
}

/** All balances of the payer on the source chain. */
export async function holdings({world, payer, options: {from}}: NodeSwap): Promise<ReadonlyMap<string, bigint>> {
  const all = await readBalances(world.chainOf(from), payer.account);
  return new Map(all.map(({asset, amount}) => [asset, amount]));
}

/** Goes as far as a person can with the primary button. Returns where it ended. */
async function pay(swap: NodeSwap, receive?: string): Promise<string> {
  const {session} = swap;
  const stop = await swap.review({receive, patience: 1_000}).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (stop !== undefined) return stop;
  await session.placeOrder();
  if (session.$form.get().moved) await session.placeOrder();
  if (!shownIn(session)) return `no order: ${swap.tab.told().at(-1) ?? ''}`;
  if (!('bumpFee' in swap.payer)) return swap.stage;
  const end = () => swap.shownAddress ?? ['stopped', 'complete', 'expired'].includes(swap.stage);
  if (!(await holds(end, 2_000)) || !swap.shownAddress) return swap.stage;
  await swap.pay();
  return swap.stage;
}

export async function compare(
  swap: NodeSwap,
  man: Man,
  before: ReadonlyMap<string, bigint>,
  stop: string,
  typed?: string,
): Promise<Verdict> {
  const {world, options, session} = swap;
  const paysByHand = 'bumpFee' in swap.payer && (await swap.moved()).paid !== 0n;
  const harm = (says: string): Verdict => ({outcome: 'harm', says});
  const falsely = () => {
    const claimed = swap.tab.told().find(one => ['complete', 'refund'].includes(one));
    return claimed === undefined ? undefined : harm(`the page heard “${claimed}” of a swap that was not paid`);
  };
  const other = strangeSignature(swap, man);
  if (other) return harm(other);
  // What its owner refused was not signed.
  const acts = swap.acts.filter(({error}) => error === undefined);
  if (!acts.length && !paysByHand) {
    const {error} = fundingIn(session);
    return falsely() ?? {outcome: 'stopped', says: `${stop}${error ? ` (${error.code} ${error.field ?? ''})` : ''}`};
  }

  const id = man.orderIds.at(-1) ?? '';
  const agreed = shownIn(session)?.deal?.agreed;
  if (!agreed) return harm('something was signed without an agreement');
  const {service = world.url} = options;
  const client = new SandboxClient(service, swap.client.appId);
  let truth = await client.read(id);
  await holds(async () => {
    truth = await client.read(id);
    // A service of the specification alone may have nothing left to take: a transfer is its own at once.
    const isTaken = truth.source_swap.redeem_tx_hash !== '' || service !== world.url;
    return isTaken && truth.destination_swap.redeem_tx_hash !== '';
  }, SETTLE_MS);
  const {paid, received} = await swap.moved();
  const asked = acts.map(({method}) => method).join(', ');
  if (truth.source_swap.initiate_tx_hash === '') {
    return falsely() ?? harm(`${asked || 'a payment'}, ${String(paid)} gone, and the real order has nothing (${stop})`);
  }
  // A surplus is returned to an honest payer, so balances alone would not show it.
  if (swap.sent > agreed.amount) return harm(`${String(swap.sent)} was asked instead of ${String(agreed.amount)}`);
  if (received !== agreed.receive) return harm(`${String(received)} arrived of ${String(agreed.receive)}`);
  const {decimals = 0} = world.chainOf(options.to).assets[options.to] ?? {};
  const least = parseAmount(typed ?? '0', decimals);
  if (typeof least !== 'bigint' || received < least)
    return harm(`${String(received)} arrived of ${String(least)} that was typed`);
  const isCoin = world.chainOf(options.from).assets[options.from]?.token === undefined;
  const most = isCoin ? agreed.amount + agreed.amount / 50n : agreed.amount;
  if (paid < agreed.amount || paid > most) return harm(`${String(paid)} left instead of ${String(agreed.amount)}`);
  const after = await holdings(swap);
  for (const [asset, amount] of before) {
    const lost = amount - (after.get(asset) ?? 0n);
    const isFee = world.chainOf(options.from).assets[asset]?.token === undefined && lost < 10n ** 16n;
    if (asset !== options.from && lost !== 0n && !isFee) return harm(`${String(lost)} of ${asset} left too`);
  }
  const open = await openAllowances(swap);
  return open ? harm(open) : {outcome: 'same', says: `${swap.stage}, ${String(received)} arrived`};
}

/** Whether anything was signed other than the real service's request: whoever has it can use it at any time. */
function strangeSignature({calls, payer}: NodeSwap, {truths}: Man): string | undefined {
  const honest = truths.findLast(({endpoint}) => endpoint === 'order')?.result as Fields | undefined;
  const digests = (data: unknown, method: string) => {
    if (method.startsWith('wallet_')) return snip12.getMessageHash(data as never, payer.account);
    const {domain, types, message} = data as {
      domain: object;
      types: Record<string, never>;
      message: Record<string, unknown>;
    };
    const {EIP712Domain: _domain, ...own} = types;
    return TypedDataEncoder.hash(domain, own, message);
  };
  for (const {method, params, result} of calls) {
    if (!/signTypedData|personal_sign|signMessage|signPsbt/.test(method) || result === undefined) continue;
    const signed: unknown = Array.isArray(params) ? params[1] : params;
    const data: unknown = typeof signed === 'string' ? JSON.parse(signed) : signed;
    if (!honest?.['typed_data'] || digests(data, method) !== digests(honest['typed_data'], method))
      return `${method} signed other terms`;
  }
  return undefined;
}

/** What can still be taken from the payer; `undefined` if nothing can. */
async function openAllowances(swap: NodeSwap): Promise<string | undefined> {
  const {world, payer, options, acts} = swap;
  const {family, rpc} = world.chainOf(options.from);
  const token = tokenOf(swap);
  let given: readonly (readonly [spender: string, token: string])[] = [];
  if (family === 'evm' && token) {
    const owner = AbiCoder.defaultAbiCoder().encode(['address'], [payer.account]);
    const topics = [hashOfText('Approval(address,address,uint256)'), owner];
    const logs = await callRpc(rpc, 'eth_getLogs', [{fromBlock: '0x0', topics}]);
    const approvals = logs as {address: string; topics: string[]}[];
    given = approvals.map(({address, topics}) => [`0x${String(topics[2]).slice(26)}`, address]);
  }
  // The local node cannot list events, so every contract that the wallet was prompted to approve is read.
  if (family === 'starknet') given = approvedOnStarknet(acts).map(spender => [spender, token]);
  for (const [spender, of] of given) {
    const left = await allowanceOf(swap, spender, of);
    if (left > 0n) return `${spender} may still take ${String(left)} of ${of}`;
  }
  return undefined;
}

function approvedOnStarknet(acts: NodeSwap['acts']): readonly string[] {
  return acts.flatMap(({params}) => {
    const {calls = []} = (params ?? {}) as {calls?: readonly {entry_point: string; calldata: string[]}[]};
    return calls
      .filter(({entry_point}) => /approve|allowance/i.test(entry_point))
      .map(({calldata}) => calldata[0] ?? '0x0');
  });
}
