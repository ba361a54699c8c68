/* The rescue page's work, without its UI: reading the chain, and requesting the contract's refund from a wallet. */
import type {Account, DepositOnChain} from '../chains/adapter.js';
import {readerOf} from '../chains/bitcoin/rpc.js';
import {readDeposit} from '../chains/bitcoin/witness.js';
import {canonicalAddress} from '../chains/checks.js';
import {TIMEOUTS} from '../chains/timeouts.js';
import type {Asset, Chain} from '../domain/asset.js';
import {dealOf, type Agreement, type Deal, type Deposit} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {
  assetOf,
  chainOf,
  differences,
  isKnownContract,
  type AddressRescue,
  type ContractRescue,
  type PaidTerms,
} from '../domain/rescue.js';
import {rescues, type ChainRescue} from './rescue-families.js';

export interface Found {
  readonly chain: Chain;
  readonly terms: PaidTerms;
  /** The paid asset, if the catalogue has it: what a file calls it proves nothing. */
  readonly asset: Asset | undefined;
  readonly isKnown: boolean;
  /** Whether the contract would get the signer's rights, if the signer is the payer's own account. */
  readonly handsRightsOn: boolean;
  readonly differs: readonly {readonly name: keyof PaidTerms; readonly file: string; readonly chain: string}[];
  readonly deposit: DepositOnChain;
  /** The newest block or slot, if it could be read. */
  readonly head: bigint | undefined;
  readonly deal: Deal;
}

/** How to find a payment: from a file, or from the hash of its transaction. */
export type Place = {readonly file: ContractRescue} | {readonly chain: Chain; readonly hash: string};

export const CHAINS: readonly Chain[] = ALL_KNOWN.chains.filter(({family}) => rescues[family]);

export function rescueOf({family}: Pick<Chain, 'family'>): ChainRescue {
  const rescue = rescues[family];
  if (!rescue) throw new SwapError('config', {detail: `${family} has no refund of its own`});
  return rescue;
}

/**
 * Finds a payment by its terms, otherwise by its transaction. What the chain shows counts, whatever the file says.
 * Empty if it shows none. Rejects if it cannot be read.
 */
export async function lookFor(
  place: Place,
  rpc: string | undefined,
  account: Account | undefined,
): Promise<readonly Found[]> {
  const file = 'file' in place ? place.file : undefined;
  const chain = 'file' in place ? chainOf(place.file.chain, rpc, ALL_KNOWN) : {...place.chain, ...(rpc && {rpc})};
  const rescue = rescueOf(chain);
  const isSame = (one: string, other: string) =>
    one.toLowerCase() === other.toLowerCase() || rescue.isSameAddress(one, other);
  const options = {account};
  const hash = 'file' in place ? place.file.hash : place.hash;

  const show = async (terms: PaidTerms): Promise<Found> => {
    const known = isKnownContract(chain, terms.contract, ALL_KNOWN, isSame);
    const token = await rescue.tokenOf(chain, terms, options);
    const asset = assetOf(chain, terms.contract, token, ALL_KNOWN, isSame);
    const deal = dealFor(chain, terms, rescue.depositOf(terms, chain), asset);
    const [deposit, head] = await Promise.all([
      rescue.readDeposit(deal, {...options, hash, mustShow: true}),
      rescue.readHeight(chain, options),
    ]);
    return {
      chain,
      terms,
      asset,
      isKnown: known,
      handsRightsOn: rescue.handsRightsOn,
      differs: file
        ? differences(file.terms, terms, isSame).map(name => ({
            name,
            file: String(file.terms[name]),
            chain: String(terms[name]),
          }))
        : [],
      deposit,
      head,
      deal,
    };
  };

  const payments =
    hash === undefined
      ? []
      : await rescue.paymentsIn(chain, hash, options).catch((cause: unknown) => {
          // The file's hash may not be a transaction. The terms are enough to find the payment.
          if (file) return [];
          throw cause;
        });
  const isOf = (one: PaidTerms) =>
    !file || (['contract', 'payer', 'secretHash'] as const).every(name => isSame(one[name], file.terms[name]));
  const own = payments.filter(isOf);
  const byTerms = file && !own.length ? await tryShow(file.terms) : undefined;
  if (byTerms && isPaid(byTerms)) return [byTerms];
  const found = (await Promise.all((own.length ? own : payments).map(show))).filter(isPaid);
  if (!found.length && byTerms?.deposit.state === 'unknown')
    throw new SwapError('timeout', {detail: 'What is at that contract cannot be read here.'});
  return found;

  async function tryShow(terms: PaidTerms): Promise<Found | undefined> {
    try {
      rescue.depositOf(terms, chain);
    } catch {
      return undefined;
    }
    return show(terms);
  }
}

function isPaid({deposit}: Found): boolean {
  return deposit.state === 'seen' && deposit.block !== undefined;
}

export async function lookAgain(found: Found, account: Account | undefined, ends: readonly string[]): Promise<Found> {
  const rescue = rescueOf(found.chain);
  const [deposit, head] = await Promise.all([
    rescue.readDeposit(found.deal, {account, hash: found.deposit.hashes?.[0], ends, mustShow: true}),
    rescue.readHeight(found.chain, {account}),
  ]);
  return {...found, deposit, head};
}

/** What the address of a payment shows that only the service can refund. Rejects if it cannot be read. */
export async function lookAt(file: AddressRescue, rpc: string): Promise<DepositOnChain> {
  const chain = chainOf(file.chain, rpc, ALL_KNOWN);
  const read = readerOf(chain, TIMEOUTS);
  const [address = '', payer = ''] = [file.address, file.payer].map(one => canonicalAddress(chain, one));
  return read ? readDeposit(read, address, payer, []) : {state: 'unknown'};
}

function dealFor(
  chain: Chain,
  {payer, amount}: Pick<PaidTerms, 'payer' | 'amount'>,
  deposit: Deposit,
  asset: Asset | undefined,
): Deal {
  const from = asset ?? {
    id: `${chain.name}:unknown` as const,
    chain,
    symbol: '',
    title: '',
    decimals: 0,
    contracts: [],
  };
  const agreed: Agreement = {
    from,
    to: from,
    amount,
    receive: 0n,
    atLeast: 0n,
    owner: payer,
    recipient: payer,
    affiliateFees: [],
    solverId: '',
  };
  return dealOf({orderId: 'rescue', agreed, deposit}, undefined, {unverified: 'stop'});
}

/**
 * Any account, since the money goes to the payer. If the contract is unknown and would get the payer's own rights, only
 * another one.
 */
export function maySign({isKnown, handsRightsOn, terms}: Found, account: Pick<Account, 'address'>): boolean {
  return isKnown || !handsRightsOn || account.address !== terms.payer;
}

/** Requests the contract's own refund from a wallet, and nothing else; resolves with the transaction's hash. */
export async function takeBack(found: Found, account: Account): Promise<string> {
  if (!maySign(found, account)) throw new SwapError('wrong-account');
  const {deal} = found;
  const {from} = deal.agreed;
  // A wallet that lacks the chain gets none of the file's URLs: it would use them from then on.
  const {rpc: _rpc, ...plain} = from.chain;
  const chain = from.chain.family === 'evm' ? plain : from.chain;
  const asked: Deal = {...deal, agreed: {...deal.agreed, from: {...from, chain}}};
  return rescueOf(chain).refund(asked, account, {account, onWalletRequest: () => Promise.resolve()});
}
