import {
  BaseSignerWalletAdapter,
  isVersionedTransaction,
  WalletReadyState,
  type WalletName,
} from '@solana/wallet-adapter-base';
import {Keypair, PublicKey, VersionedTransaction, type Transaction} from '@solana/web3.js';
import {KEY, LedgerWallet, OWNER, SolanaLedger} from './solana-ledger.js';

/** A wallet adapter as on a partner's page, with wallet-adapter's own base class and web3.js, and a real key. */
export class KeyAdapter extends BaseSignerWalletAdapter {
  name = 'Key' as WalletName<'Key'>;
  url = 'https://key.test';
  icon = 'data:image/png;base64,AA==';
  readyState: WalletReadyState = WalletReadyState.Installed;
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

/** An adapter that lets the transaction sign itself, like `UnsafeBurnerWalletAdapter` and others that hold a key. */
export class SelfSigningAdapter extends KeyAdapter {
  keypair = Keypair.fromSeed(KEY);

  override signTransaction<T>(transaction: T): Promise<T> {
    const given = transaction as unknown as Transaction | VersionedTransaction;
    if (isVersionedTransaction(given)) given.sign([this.keypair]);
    else given.partialSign(this.keypair);
    this.signed.push(given);
    return Promise.resolve(transaction);
  }
}

const signer = new LedgerWallet(new SolanaLedger());
