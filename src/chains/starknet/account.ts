/** The library: most of what this family loads, and only for a payment and for looking for one. */
import {hash, WalletAccount} from 'starknet';
import type {TypedData} from '../../domain/deposit.js';
import type {NamedCall} from './htlc.js';
import type {Connector} from './wallets.js';

/** A wallet's account, as it is asked to pay. */
export interface PayingAccount {
  execute(calls: readonly NamedCall[]): Promise<unknown>;
  sign(typedData: TypedData): Promise<unknown>;
}

type Provider = WalletAccount['walletProvider'];
type Calls = Parameters<WalletAccount['execute']>[0];
type Message = Parameters<WalletAccount['signMessage']>[0];

/** Opens the account of a wallet of either kind. */
export function openAccount(connector: Connector, address: string): PayingAccount {
  // It would follow the wallet's account and chain with listeners that cannot be removed. Both are read again before
  // each wallet request instead.
  const ignore = () => undefined;
  const walletProvider = {
    id: '',
    name: '',
    version: '',
    icon: '',
    request: ({type, params}: {readonly type: string; readonly params?: unknown}) => connector.request(type, params),
    on: ignore,
    off: ignore,
  } as unknown as Provider;
  const account = new WalletAccount({
    walletProvider,
    address,
    // It never reads: without an address it would choose a public node by itself.
    provider: {
      nodeUrl: 'about:blank',
      baseFetch: () => Promise.reject(new Error('Nothing is read here.')),
    },
  });
  return {
    execute: calls => account.execute(calls as unknown as Calls),
    sign: typedData => account.signMessage(typedData as unknown as Message),
  };
}

/** The Poseidon hash of numbers, as hex text. */
export function poseidonOf(numbers: readonly bigint[]): string {
  return hash.computePoseidonHashOnElements([...numbers]);
}
