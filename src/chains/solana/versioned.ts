/*
 * A transaction as wallet-adapter's adapters accept it: a `VersionedTransaction` of `@solana/web3.js`, without that
 * library. Adapters can read it, sign it and recompile it. Loaded when such an adapter is connected.
 */
import {ed25519} from '@noble/curves/ed25519.js';
import {SwapError} from '../../domain/error.js';
import {readTransaction, SIGNATURE_LENGTH} from './transaction.js';

interface PublicKey {
  toBase58(): string;
}

/** A `Signer` of web3.js: the first half of the secret is the private key, the second half the address. */
interface Signer {
  readonly publicKey: PublicKey;
  readonly secretKey: Uint8Array;
}

export type VersionedTransaction = ReturnType<typeof openTransaction>;

export function openTransaction(bytes: Uint8Array, key: PublicKey) {
  const transaction = readTransaction(bytes);
  if (!transaction) throw new SwapError('deposit-mismatch', {field: 'call'});
  const {version, message, blockhash, accounts, instructions} = transaction;
  const signers = [...transaction.signatures.keys()];
  const signatures = signers.map(
    signer => transaction.signatures.get(signer)?.slice() ?? new Uint8Array(SIGNATURE_LENGTH),
  );
  const Key = key.constructor as new (address: string) => PublicKey;
  const keys = () => accounts.map(({address}) => new Key(address));
  const indexOf = (address: string) => accounts.findIndex(account => account.address === address);
  const count = (...wanted: boolean[]) =>
    accounts.filter(({signer, writable}) => signer === wanted[0] && writable === wanted[1]).length;

  const put = (signer: PublicKey, signature: Uint8Array) => {
    const at = signers.indexOf(signer.toBase58());
    if (at < 0) throw new Error(`${signer.toBase58()} is not wanted to sign this transaction.`);
    signatures[at] = Uint8Array.from(signature);
  };

  return {
    version,
    signatures,
    message: {
      version,
      header: {
        numRequiredSignatures: signers.length,
        numReadonlySignedAccounts: count(true, false),
        numReadonlyUnsignedAccounts: count(false, false),
      },
      recentBlockhash: blockhash,
      get staticAccountKeys() {
        return keys();
      },
      getAccountKeys() {
        const staticAccountKeys = keys();
        return {
          staticAccountKeys,
          length: staticAccountKeys.length,
          get: (index: number) => staticAccountKeys[index],
          keySegments: () => [staticAccountKeys],
        };
      },
      compiledInstructions: instructions.map(({program, accounts: uses, data}) => ({
        programIdIndex: indexOf(program),
        accountKeyIndexes: uses.map(({address}) => indexOf(address)),
        data: data.slice(),
      })),
      addressTableLookups: [],
      isAccountSigner: (index: number) => accounts[index]?.signer ?? false,
      isAccountWritable: (index: number) => accounts[index]?.writable ?? false,
      serialize: () => message.slice(),
    },
    // There are fewer than 128 signatures, so their count is one byte.
    serialize: () => Uint8Array.from([signatures.length, ...signatures.flatMap(one => [...one]), ...message]),
    sign(by: readonly Signer[]) {
      for (const {publicKey, secretKey} of by) put(publicKey, ed25519.sign(message, secretKey.slice(0, 32)));
    },
    addSignature(signer: PublicKey, signature: Uint8Array) {
      if (signature.length !== SIGNATURE_LENGTH) throw new Error('A signature has 64 bytes.');
      put(signer, signature);
    },
  };
}
