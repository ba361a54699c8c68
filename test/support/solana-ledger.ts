/**
 * A small Solana in memory, and a wallet on it: a node's JSON-RPC answered from a ledger, and a wallet of the Wallet
 * Standard that records its requests. Keys, signatures and messages are real, decoded by web3.js; slots and
 * the program behind the swap are not. The tests on the sandbox's chain repeat these facts.
 */
import {ed25519} from '@noble/curves/ed25519.js';
import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex as hexOf, hexToBytes as bytesIn} from '@noble/hashes/utils.js';
import {getBase58Decoder, isSignature} from '@solana/kit';
import {
  MessageV0,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type AccountMeta,
} from '@solana/web3.js';
import type {Wallet as StandardWallet, WalletAccount} from '@wallet-standard/base';
import {RpcError as NodeFault, serve} from './json-rpc.js';

export {bytesIn, hexOf, NodeFault};
export const PROGRAM = '2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF';
/** The program for tokens, and a token. */
export const TOKENS_PROGRAM = 'gdnvdMCHJgnidtU7SL8RkRshHPvDJU1pdfZEpoLvqdU';
export const MINT = '5JbWjyLdYKTuykpq2itWbdRcZkhK3hs6fiH62pkmLYZi';
const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const SPL_ACCOUNTS = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const RPC = 'https://node.solana.test/';
/** A program that calls others on behalf of shared wallets. */
const SQUADS = 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf';
const RENT = 1_726_080n;
/** The time of slot 0, in seconds since 1970; here a slot takes a second. */
export const BEGAN = 1_700_000_000;
const FEE = 5_000n;

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
export const addressOf = (secret: Uint8Array) => new PublicKey(ed25519.getPublicKey(secret)).toBase58();
export const KEY = keyOf(7);
export const OWNER = addressOf(KEY);
export const OTHER_KEY = keyOf(8);
export const STRANGER = addressOf(OTHER_KEY);

export interface Prepared {
  readonly owner: string;
  readonly program: string;
  readonly amount: bigint;
  readonly slots: bigint;
  readonly redeemer: string;
  readonly secretHash: string;
  readonly token?: string;
  readonly blockhash: string;
  readonly version: 'legacy' | 0;
  /** The fee payer; the owner by default. */
  readonly payer?: string;
  /** The swap's account; by default the one derived from the terms. */
  readonly account?: string;
  readonly before?: readonly TransactionInstruction[];
  readonly after?: readonly TransactionInstruction[];
  /** Changes the instruction that pays into the swap. */
  readonly change?: (instruction: TransactionInstruction) => void;
}

const bytesOf = (address: string) => new PublicKey(address).toBytes();

function derivedOf(program: string, ...seeds: readonly Uint8Array[]): string {
  return PublicKey.findProgramAddressSync([...seeds], new PublicKey(program))[0].toBase58();
}

export function swapAccountOf(program: string, owner: string, secretHash: string, token?: string): string {
  const seeds = [bytesOf(owner), bytesIn(secretHash)];
  return derivedOf(program, ...(token === undefined ? [new TextEncoder().encode('swap_account')] : []), ...seeds);
}

export const tokenAccountOf = (owner: string, token = MINT) =>
  derivedOf(SPL_ACCOUNTS, ...[owner, SPL_TOKEN, token].map(bytesOf));

/** The accounts of the call that pays in. */
function accountsOf({owner, program, secretHash, token, account}: Prepared): readonly AccountMeta[] {
  const swap = metaOf(account ?? swapAccountOf(program, owner, secretHash, token), {writable: true});
  const payer = metaOf(owner, {signer: true, writable: true});
  const system = metaOf(SystemProgram.programId.toBase58());
  if (token === undefined) return [swap, payer, system];
  const [authority, vault, own] = [
    derivedOf(program),
    derivedOf(program, bytesOf(token)),
    tokenAccountOf(owner, token),
  ].map(address => metaOf(address, {writable: true})) as [AccountMeta, AccountMeta, AccountMeta];
  // The payer is its own sponsor, too.
  return [authority, swap, vault, payer, own, metaOf(token), payer, metaOf(SPL_TOKEN), system].map(one => ({...one}));
}

export function prepare(terms: Prepared): string {
  const {owner, program, amount, slots, redeemer, secretHash, blockhash, version} = terms;
  const isToken = terms.token !== undefined;
  const u64 = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer);
  const numbers = [u64(amount), u64(slots)];
  const keys = [bytesOf(redeemer), bytesIn(secretHash)];
  const parts = isToken ? [numbers[1]!, ...keys, numbers[0]!, Uint8Array.of(0)] : [...numbers, ...keys];
  const initiate = new TransactionInstruction({
    programId: new PublicKey(program),
    keys: [...accountsOf(terms)],
    data: Buffer.concat([INITIATE, ...parts]),
  });
  terms.change?.(initiate);
  const message = new TransactionMessage({
    payerKey: new PublicKey(terms.payer ?? owner),
    recentBlockhash: blockhash,
    instructions: [...(terms.before ?? []), initiate, ...(terms.after ?? [])],
  });
  const compiled = version === 0 ? message.compileToV0Message() : message.compileToLegacyMessage();
  return hexOf(new VersionedTransaction(compiled).serialize());
}

interface Deposit {
  readonly program: string;
  readonly owner: string;
  readonly redeemer: string;
  readonly amount: bigint;
  readonly expiry: bigint;
  readonly secretHash: string;
  readonly token?: string | undefined;
}

/** A transaction in the form that nodes return, as far as the ledger itself reads it. */
interface LedgerTransaction {
  readonly slot: number;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly {readonly programIdIndex: number; readonly data: string}[];
    };
  };
  readonly meta: {readonly err: unknown; readonly preBalances: readonly number[]};
}

export interface LedgerCall {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

const INITIATE = bytesIn('053f7b71994b940e');
export const REFUND = bytesIn('0260b7fb3fd02e2e');
export const INSTANT_REFUND = bytesIn('d3ca6729b7933bfb');
export const redeemBy = (secret: string) => bytesIn(`b80c569546c461e1${secret}`);

/** The chain: one node, one program, and people's balances. */
export class SolanaLedger {
  readonly requests: {method: string; params: readonly unknown[]}[] = [];
  /** A test's responses instead of the node's, by method; throwing anything but `NodeFault` breaks the connection. */
  readonly instead = new Map<string, (params: readonly unknown[]) => unknown>();
  readonly coins = new Map<string, bigint>([[OWNER, 10n ** 10n]]);
  /** The amounts of `MINT`, by token account. */
  readonly tokens = new Map<string, bigint>([[tokenAccountOf(OWNER), 10n ** 10n]]);
  readonly deposits = new Map<string, Deposit>();
  readonly landed = new Map<string, {readonly err: unknown; readonly confirmationStatus?: string}>();
  /** Transactions with their changes, by hash, oldest first. */
  readonly transactions = new Map<string, LedgerTransaction>();
  /** The blockhashes that the newest blocks accept, and those that final ones accept. */
  readonly blockhashes = {processed: new Set<string>(), finalized: new Set<string>()};
  readonly programs = new Set([PROGRAM, TOKENS_PROGRAM]);
  slot = 1_000n;

  /** Answers the page's requests to the node's URL, until the returned function is called. */
  serve(): () => void {
    return serve(RPC, (method, params: readonly unknown[]) => {
      this.requests.push({method, params});
      return (this.instead.get(method) ?? (given => this.answer(method, given)))(params);
    });
  }

  asked(method: string): unknown[] {
    return this.requests.filter(request => request.method === method).map(({params}) => params[0]);
  }

  answer(method: string, [first, second]: readonly unknown[]): unknown {
    const at = (value: unknown) => ({context: {slot: Number(this.slot)}, value});
    switch (method) {
      case 'getBalance':
        return at(Number(this.coins.get(String(first)) ?? 0n));
      case 'getSlot':
        return Number(this.slot);
      case 'getBlockTime':
        return 1_700_000_000 + Number(first);
      case 'getMinimumBalanceForRentExemption':
        return Number(RENT);
      case 'getLatestBlockhash': {
        const blockhash = new PublicKey(crypto.getRandomValues(new Uint8Array(32))).toBase58();
        this.know(blockhash);
        return at({blockhash, lastValidBlockHeight: Number(this.slot + 150n)});
      }
      case 'isBlockhashValid': {
        const {commitment} = second as {commitment: 'processed' | 'finalized'};
        return at(this.blockhashes[commitment].has(String(first)));
      }
      case 'getSignatureStatuses':
        return at(
          (first as string[]).map(hash => {
            requireSignature(hash);
            const landed = this.landed.get(hash);
            const {slot = Number(this.slot)} = this.transactions.get(hash) ?? {};
            return landed ? {slot, ...landed} : null;
          }),
        );
      case 'getTransaction':
        requireSignature(String(first));
        return this.transactions.get(String(first)) ?? null;
      case 'getSignaturesForAddress':
        return this.#naming(String(first), second as {limit: number; before?: string});
      case 'getAccountInfo': {
        const address = String(first);
        if (this.programs.has(address)) return at({owner: 'loader', executable: true, data: ['', 'base64']});
        const amount = this.tokens.get(address);
        if (amount !== undefined) {
          const data = new Uint8Array(165);
          new DataView(data.buffer).setBigUint64(64, amount, true);
          return at({owner: SPL_TOKEN, executable: false, data: [base64(data), 'base64']});
        }
        const deposit = this.deposits.get(address);
        return at(deposit ? {owner: deposit.program, executable: false, data: [write(deposit), 'base64']} : null);
      }
      case 'simulateTransaction':
        return at({err: this.#run(String(first), false), logs: []});
      case 'sendTransaction': {
        const {transaction, hash} = read(String(first));
        const {signatures, message} = transaction;
        const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
        const signed = signers.every((key, at) =>
          ed25519.verify(signatures[at]!, message.serialize(), key.toBytes(), {zip215: false}),
        );
        if (!signed) throw new NodeFault(-32003, 'Transaction signature verification failure');
        const err = this.#run(String(first), true);
        if (err !== null)
          throw new NodeFault(-32002, `Transaction simulation failed: ${JSON.stringify(err)}`, {err, logs: []});
        this.landed.set(hash, {err: null});
        const keys = message.staticAccountKeys.map(key => key.toBase58());
        const calls = message.compiledInstructions.map(({programIdIndex, accountKeyIndexes, data}) => ({
          program: keys[programIdIndex]!,
          accounts: accountKeyIndexes.map(index => keys[index]!),
          data: Uint8Array.from(data),
        }));
        this.record(hash, calls);
        return hash;
      }
      default:
        throw new NodeFault(-32601, 'Method not found');
    }
  }

  know(blockhash: string): void {
    this.blockhashes.processed.add(blockhash);
    this.blockhashes.finalized.add(blockhash);
  }

  /** Adds a transaction to a block, in the form that nodes return. `inner`: the calls made by its last call. */
  record(
    hash: string,
    calls: readonly LedgerCall[],
    {err = null, inner = []}: {err?: unknown; inner?: readonly LedgerCall[]} = {},
  ): void {
    const all = [...calls, ...inner];
    const accountKeys = [...new Set(all.flatMap(({program, accounts}) => [...accounts, program]))];
    const wire = ({program, accounts, data}: LedgerCall) => ({
      programIdIndex: accountKeys.indexOf(program),
      accounts: accounts.map(address => accountKeys.indexOf(address)),
      data: base58(data),
    });
    const balances = accountKeys.map(() => 1);
    const transaction = {
      slot: Number(this.slot),
      blockTime: BEGAN + Number(this.slot),
      transaction: {signatures: [hash], message: {accountKeys, instructions: calls.map(wire)}},
      meta: {
        ...{err, fee: Number(FEE), preBalances: balances, postBalances: balances},
        innerInstructions: inner.length ? [{index: calls.length - 1, instructions: inner.map(wire)}] : [],
        loadedAddresses: {writable: [], readonly: []},
      },
    };
    this.transactions.set(hash, transaction);
  }

  /** Takes the coins of a swap's account: with the secret, or back to the payer. */
  close(hash: string, account: string, data: Uint8Array, shape: 'own' | 'inner' = 'own'): void {
    const {program, owner, redeemer, amount, secretHash, token} = this.deposits.get(account)!;
    const isRedeem = data.length === 40;
    if (isRedeem && hexOf(sha256(data.slice(8))) !== secretHash) throw new Error('another secret');
    this.deposits.delete(account);
    const to = isRedeem ? redeemer : owner;
    this.coins.set(to, (this.coins.get(to) ?? 0n) + amount);
    const ofToken = [
      derivedOf(program),
      account,
      derivedOf(program, bytesOf(MINT)),
      tokenAccountOf(to),
      owner,
      SPL_TOKEN,
    ];
    const accounts = token === undefined ? [account, owner, ...(isRedeem ? [redeemer] : [])] : ofToken;
    const call = {program, accounts, data};
    const around = {program: SQUADS, accounts: [STRANGER], data: bytesIn('01')};
    this.landed.set(hash, {err: null});
    if (shape === 'own') this.record(hash, [call]);
    else this.record(hash, [around], {inner: [call]});
  }

  #naming(address: string, {limit, before}: {limit: number; before?: string}): readonly object[] {
    const all = [...this.transactions]
      .reverse()
      .filter(([, {transaction}]) => transaction.message.accountKeys.includes(address))
      .map(([signature, {slot, meta}]) => ({signature, slot, err: meta.err, memo: null}));
    const from = all.findIndex(({signature}) => signature === before) + 1;
    return all.slice(from, from + limit);
  }

  /** Lets time pass until no current blockhash is valid any more. */
  outdate(): void {
    this.slot += 200n;
    this.blockhashes.processed.clear();
    this.blockhashes.finalized.clear();
  }

  #run(text: string, keep: boolean): unknown {
    const {transaction, hash} = read(text);
    const {message} = transaction;
    if (this.landed.has(hash)) return 'AlreadyProcessed';
    if (!this.blockhashes.processed.has(message.recentBlockhash)) return 'BlockhashNotFound';
    const payer = message.staticAccountKeys[0]!.toBase58();
    const pays = (amount: bigint) => {
      const has = this.coins.get(payer) ?? 0n;
      if (has >= amount && keep) this.coins.set(payer, has - amount);
      return has >= amount;
    };
    if (!pays(FEE)) return 'InsufficientFundsForFee';
    for (const [index, instruction] of message.compiledInstructions.entries()) {
      const refuse = (code: number) => ({InstructionError: [index, {Custom: code}]});
      const program = message.staticAccountKeys[instruction.programIdIndex]!.toBase58();
      if (!this.programs.has(program)) continue;
      const accounts = [...instruction.accountKeyIndexes].map(index => message.staticAccountKeys[index]!.toBase58());
      const isCoin = program !== TOKENS_PROGRAM;
      const account = accounts[isCoin ? 0 : 1]!;
      const bytes = Uint8Array.from(instruction.data);
      const data = new DataView(bytes.buffer);
      const deposit = this.deposits.get(account);
      if (data.byteLength >= 88) {
        const amount = data.getBigUint64(isCoin ? 8 : 80, true);
        // The system program rejects an existing account with error 0.
        if (deposit) return refuse(0);
        if (!pays(isCoin ? amount + RENT : RENT)) return refuse(1);
        const keys = isCoin ? 24 : 16;
        const redeemer = new PublicKey(bytes.slice(keys, keys + 32)).toBase58();
        const expiry = this.slot + data.getBigUint64(isCoin ? 16 : 8, true);
        const secretHash = hexOf(bytes.slice(keys + 32, keys + 64));
        const token = isCoin ? undefined : accounts[5];
        if (keep && !isCoin) this.#addTokens(accounts[4]!, -amount);
        if (keep) this.deposits.set(account, {program, owner: payer, redeemer, amount, expiry, secretHash, token});
      } else {
        if (!deposit) return refuse(3012);
        if (this.slot <= deposit.expiry) return refuse(6003);
        if (keep) {
          this.deposits.delete(account);
          const coins = isCoin ? deposit.amount + RENT : RENT;
          this.coins.set(deposit.owner, (this.coins.get(deposit.owner) ?? 0n) + coins);
          if (!isCoin) this.#addTokens(accounts[3]!, deposit.amount);
        }
      }
    }
    return null;
  }

  #addTokens(account: string, amount: bigint): void {
    this.tokens.set(account, (this.tokens.get(account) ?? 0n) + amount);
  }
}

function requireSignature(text: string): void {
  if (!isSignature(text)) throw new NodeFault(-32602, 'Invalid param: WrongSize');
}

function read(base64: string): {transaction: VersionedTransaction; hash: string} {
  const transaction = VersionedTransaction.deserialize(Uint8Array.from(atob(base64), letter => letter.charCodeAt(0)));
  return {transaction, hash: base58(transaction.signatures[0]!)};
}

function write({owner, redeemer, amount, expiry, secretHash, token}: Deposit): string {
  const u64 = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer);
  const keys = [bytesOf(owner), bytesOf(redeemer), bytesIn(secretHash)];
  const parts =
    token === undefined
      ? [u64(amount), u64(expiry), ...keys]
      : [bytesOf(token), u64(expiry), ...keys, u64(amount), Uint8Array.of(254), bytesOf(owner)];
  return base64(Buffer.concat([bytesIn('357e090e0ec569b6'), ...parts]));
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

export const base58 = (bytes: Uint8Array): string => getBase58Decoder().decode(bytes);

/** An error as Solana wallets throw it. */
export class WalletError extends Error {
  constructor(
    readonly code: number | undefined,
    message: string,
    name = 'Error',
  ) {
    super(message);
    this.name = name;
  }
}

interface Asked {
  readonly account: WalletAccount;
  readonly chain?: string;
  readonly transaction: Uint8Array;
}

export type RequestKind = 'connect' | 'sign' | 'send';

/** A wallet of the Wallet Standard with real keys that approves everything. */
export class LedgerWallet {
  /** All requests that open a window, oldest first. */
  readonly asked: {kind: RequestKind; request?: Asked; silent?: boolean}[] = [];
  /** A test's replacements for its responses. */
  readonly instead = new Map<RequestKind, (request?: Asked) => unknown>();
  readonly standard: StandardWallet;
  readonly #listeners = new Set<(change: object) => void>();
  keys: Uint8Array[];
  chains = ['solana:mainnet', 'solana:devnet'] as const as readonly `solana:${string}`[];
  versions: readonly ('legacy' | 0)[] = ['legacy', 0];

  constructor(
    readonly ledger: SolanaLedger,
    {
      name = 'Ledger of the tests',
      can = ['sign', 'send'],
      more = {},
      keys = [KEY],
    }: {name?: string; can?: readonly RequestKind[]; more?: object; keys?: Uint8Array[]} = {},
  ) {
    this.keys = [];
    const signing = {
      version: '1.0.0',
      supportedTransactionVersions: this.versions,
      signTransaction: async (request: Asked) => {
        const instead = this.#ask('sign', request);
        return [{signedTransaction: instead ? await instead(request) : this.sign(request.transaction)}];
      },
    };
    const sending = {
      version: '1.0.0',
      supportedTransactionVersions: this.versions,
      signAndSendTransaction: async (request: Asked) => {
        const instead = this.#ask('send', request);
        return [{signature: instead ? await instead(request) : this.send(request.transaction)}];
      },
    };
    const accounts = () => this.accounts;
    const chains = () => this.chains;
    this.standard = {
      version: '1.0.0',
      name,
      icon: 'data:image/svg+xml;base64,PHN2Zy8+',
      get chains() {
        return chains();
      },
      get accounts() {
        return accounts();
      },
      features: {
        'standard:connect': {
          version: '1.0.0',
          connect: async ({silent = false} = {}) => {
            const instead = this.#ask('connect', undefined, silent);
            if (instead) await instead();
            else if (!silent || this.keys.length) this.keys = keys;
            return {accounts: this.accounts};
          },
        },
        'standard:events': {
          version: '1.0.0',
          on: (_: 'change', listener: (change: object) => void) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          },
        },
        ...(can.includes('sign') ? {'solana:signTransaction': signing} : {}),
        ...(can.includes('send') ? {'solana:signAndSendTransaction': sending} : {}),
      },
      ...more,
    };
  }

  get accounts(): readonly WalletAccount[] {
    return this.keys.map(key => ({
      address: addressOf(key),
      publicKey: ed25519.getPublicKey(key),
      chains: this.chains,
      features: Object.keys(this.standard.features) as WalletAccount['features'][number][],
    }));
  }

  get kinds(): RequestKind[] {
    return this.asked.map(({kind}) => kind);
  }

  get listening(): number {
    return this.#listeners.size;
  }

  use(...keys: Uint8Array[]): void {
    this.keys = keys;
    for (const listener of [...this.#listeners]) listener({accounts: this.accounts});
  }

  sign(bytes: Uint8Array, key: Uint8Array = this.keys[0]!): Uint8Array {
    const transaction = VersionedTransaction.deserialize(bytes);
    transaction.signatures[0] = ed25519.sign(transaction.message.serialize(), key);
    return transaction.serialize();
  }

  /** Signs a transaction and submits it to the node, as a wallet does by itself. */
  send(bytes: Uint8Array): Uint8Array {
    const signed = this.sign(bytes);
    this.ledger.answer('sendTransaction', [btoa(String.fromCharCode(...signed)), {encoding: 'base64'}]);
    return signed.slice(1, 65);
  }

  #ask(kind: RequestKind, request?: Asked, silent = false) {
    this.asked.push({kind, ...(request && {request}), ...(silent && {silent})});
    return this.instead.get(kind);
  }
}

/** Decodes a message and compiles it again, as wallets do that change what they are asked to sign. */
export function recompiled(
  bytes: Uint8Array,
  change: (plain: TransactionMessage) => void,
  version?: 'legacy' | 0,
): Uint8Array {
  const {message} = VersionedTransaction.deserialize(bytes);
  const plain = TransactionMessage.decompile(message);
  change(plain);
  const isNew = version === undefined ? message instanceof MessageV0 : version === 0;
  return new VersionedTransaction(isNew ? plain.compileToV0Message() : plain.compileToLegacyMessage()).serialize();
}

/** Adds a compute budget in front of the instructions, as some wallets do. */
export function withInstruction(bytes: Uint8Array, instruction: TransactionInstruction): Uint8Array {
  return recompiled(bytes, plain => plain.instructions.unshift(instruction));
}

/** A Lighthouse instruction, from its data. An assertion reads one account, by default the payer's own. */
export function lighthouse(data: string, keys: readonly AccountMeta[] = [metaOf(OWNER)]): TransactionInstruction {
  const programId = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
  return new TransactionInstruction({programId, keys: [...keys], data: bytesIn(data) as Buffer});
}

export function metaOf(address: string, {signer = false, writable = false} = {}): AccountMeta {
  return {pubkey: new PublicKey(address), isSigner: signer, isWritable: writable};
}
