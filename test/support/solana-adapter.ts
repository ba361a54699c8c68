import {BaseSignerWalletAdapter, WalletReadyState, type WalletName} from '@solana/wallet-adapter-base';
import {PublicKey, VersionedTransaction} from '@solana/web3.js';
import {KEY, LedgerWallet, OWNER, SolanaLedger} from './solana-ledger.js';

/** An adapter as a partner's page has it, by wallet-adapter's own base class and web3.js, with a real key. */
export class KeyAdapter extends BaseSignerWalletAdapter {
  name = 'Key' as WalletName<'Key'>;
  url = 'https://key.test';
  icon = 'data:image/png;base64,AA==';
  readyState = WalletReadyState.Installed;
  connecting = false;
  publicKey: PublicKey | null = null;
  supportedTransactionVersions: ReadonlySet<'legacy' | 0> | null = new Set(['legacy', 0] as const);
  readonly signed: unknown[] = [];

  async connect() {
    await Promise.resolve();
    this.publicKey = new PublicKey(OWNER);
    this.emit('connect', this.publicKey);
  }

  async disconnect() {
    await Promise.resolve();
    this.publicKey = null;
    this.emit('disconnect');
  }

  signTransaction<T>(transaction: T): Promise<T> {
    this.signed.push(transaction);
    const bytes = (transaction as unknown as VersionedTransaction).serialize();
    return Promise.resolve(VersionedTransaction.deserialize(signer.sign(bytes, KEY)) as T);
  }
}

const signer = new LedgerWallet(new SolanaLedger());
