import {atom, type ReadableAtom} from 'nanostores';
import type {Account, ChainAdapter} from '../chains/adapter.js';
import type {Asset, AssetId} from '../domain/asset.js';
import {toSwapError} from '../domain/error.js';
import type {SwapSession} from './types.js';

/** The state of a request to a wallet to watch a token. No swap depends on it, and nothing is recorded. */
export interface Addition {
  readonly of?: AssetId;
  readonly state: 'idle' | 'asking' | 'passed' | 'failed';
}

const createAddition = () => atom<Addition>({state: 'idle'});

export function additionOf(session: SwapSession): ReadableAtom<Addition> {
  return session.keep(createAddition);
}

/** Whether an asset is a token that this account received, in a wallet that can be asked to watch it. */
export function canAdd({token, chain}: Asset, {family, address}: Account, recipient: string): boolean {
  // EIP-747 is for EVM wallets; their addresses only differ in the letter case of the checksum (EIP-55).
  return (
    chain.family === 'evm' &&
    family === 'evm' &&
    token !== undefined &&
    address.toLowerCase() === recipient.toLowerCase()
  );
}

/** Asks the account's wallet to watch a token. Never rejects: after a rejection nothing has changed. */
export async function addToWallet(session: SwapSession, asset: Asset, account: Account): Promise<void> {
  const $addition = session.keep(createAddition);
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
