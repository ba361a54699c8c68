import {atom, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Account, ChainAdapter} from '../chains/adapter.js';
import type {Asset, AssetId} from '../domain/asset.js';
import {toSwapError} from '../domain/error.js';
import type {SwapSession} from './types.js';

/** How far a wallet is that is asked to list a token. Nothing of a swap depends on it, and nothing is written down. */
export interface Addition {
  /** The token. */
  readonly of?: AssetId;
  readonly state: 'idle' | 'asking' | 'passed' | 'failed';
}

const additions = new WeakMap<SwapSession, WritableAtom<Addition>>();

/** The last question to list a token. */
export function additionOf(session: SwapSession): ReadableAtom<Addition> {
  return storeOf(session);
}

function storeOf(session: SwapSession): WritableAtom<Addition> {
  let $addition = additions.get(session);
  if (!$addition) additions.set(session, ($addition = atom<Addition>({state: 'idle'})));
  return $addition;
}

/** Whether an asset is a token that this account received, in a wallet whose family has a way to be told of it. */
export function canAdd({token, chain}: Asset, {family, address}: Account, recipient: string): boolean {
  // EIP-747 is of EVM wallets; their addresses differ in the letters of a checksum alone (EIP-55).
  return (
    chain.family === 'evm' &&
    family === 'evm' &&
    token !== undefined &&
    address.toLowerCase() === recipient.toLowerCase()
  );
}

/** Asks the account's wallet to list a token. Never rejects: a no is an answer, and leaves everything as it was. */
export async function addToWallet(session: SwapSession, asset: Asset, account: Account): Promise<void> {
  const $addition = storeOf(session);
  if ($addition.get().state === 'asking') return;
  const told = (state: Addition['state']) => $addition.set({of: asset.id, state});
  told('asking');
  try {
    const {wallets} = (await session.prepare(asset.chain.family)) as Pick<ChainAdapter, 'wallets'>;
    told((await wallets.list?.(asset, account)) ? 'passed' : 'failed');
  } catch (error) {
    told(toSwapError(error, 'wallet-failed').code === 'rejected' ? 'idle' : 'failed');
  }
}
