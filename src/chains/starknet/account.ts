/** The library's account, which is most of what this family loads, and is loaded only once somebody pays. */
import {WalletAccount} from 'starknet';
import type {TypedData} from '../../domain/deposit.js';
import type {NamedCall} from './htlc.js';
import type {Connector} from './wallets.js';

/** A wallet's account, as it is asked for money. */
export interface PayingAccount {
  execute(calls: readonly NamedCall[]): Promise<unknown>;
  sign(typedData: TypedData): Promise<unknown>;
}

type Provider = WalletAccount['walletProvider'];
type Calls = Parameters<WalletAccount['execute']>[0];
type Message = Parameters<WalletAccount['signMessage']>[0];

/** Both kinds of wallets are asked alike, through their door. */
export function openAccount(door: Connector, address: string): PayingAccount {
  // It would follow the wallet's account and chain with listeners that nobody can take away. Both are looked at anew
  // before each question instead.
  const deaf = () => undefined;
  const walletProvider = {
    id: '',
    name: '',
    version: '',
    icon: '',
    request: ({type, params}: {readonly type: string; readonly params?: unknown}) => door.ask(type, params),
    on: deaf,
    off: deaf,
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
