/**
 * A Solana chain in this process: LiteSVM's runtime with slots, a clock, blockhashes that expire, a ledger, and
 * reorganizations.
 *
 * Real: the virtual machine, the native programs, signatures, fees, rent, the rules for transactions. Ours: one node and
 * no votes; slots; and that reads always return the current state, at every commitment.
 */
import {createHash, randomBytes} from 'node:crypto';
import {
  address as toAddress,
  getBase58Decoder,
  getCompiledTransactionMessageCodec,
  getTransactionCodec,
  lamports as toLamports,
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  type EncodedAccount,
  type Transaction,
} from '@solana/kit';
import {Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata} from 'litesvm';
import {readError, type TransactionError} from './errors.js';

/** The chain never forks on its own, so a commitment only stands for the depth of a slot. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** An instruction with addresses instead of indices. */
export interface ReadInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** An inner instruction, with the index of its outer instruction. */
export interface InnerInstruction extends ReadInstruction {
  readonly index: number;
}

export interface Outcome {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: bigint;
  readonly inner: readonly InnerInstruction[];
}

export interface Simulation extends Outcome {
  account(address: Address): EncodedAccount | undefined;
}

export interface Checks {
  readonly signatures: boolean;
  /** The commitment at which the blockhash must be valid; `any` skips the check. */
  readonly blockhash: Commitment | 'any';
}

export interface Landed extends Outcome {
  readonly signature: string;
  readonly slot: number;
  /** When it was received, by this machine's clock. */
  readonly at: Date;
  readonly wire: Uint8Array;
  readonly message: Message;
  readonly accounts: readonly Address[];
  readonly fee: bigint;
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
  /** What the token accounts among the accounts held. */
  readonly tokens: {readonly before: readonly TokenBalance[]; readonly after: readonly TokenBalance[]};
}

export interface TokenBalance {
  /** The place among the accounts. */
  readonly place: number;
  readonly token: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

/** A transaction that did not land, and why. It had no effect. */
export class NotLanded extends Error {
  constructor(readonly outcome: Outcome & {error: TransactionError}) {
    super(JSON.stringify(outcome.error));
    this.name = 'NotLanded';
  }
}

export class InvalidTransaction extends Error {}

export interface SolanaChainOptions {
  /** Real seconds per slot; null only advances the clock with each transaction. */
  readonly slotSeconds: number | null;
  /** The lifetime of a blockhash, in slots. */
  readonly blockhashSlots: number;
  readonly accounts: ReadonlyMap<Address, bigint>;
  readonly programs: ReadonlyMap<Address, Uint8Array>;
  readonly mints?: ReadonlyMap<Address, Uint8Array>;
}

export interface SolanaChain {
  readonly genesisHash: string;
  readonly blockhashSlots: number;
  /** The slot of this commitment; `processed` is the current slot. */
  slot(commitment: Commitment): number;
  height(slot: number): number;
  /** The chain's time at a slot, in seconds. */
  time(slot: number): number;
  /** The latest blockhash of this commitment, and the last block height at which it is valid. */
  latestBlockhash(commitment: Commitment): {blockhash: string; lastValidBlockHeight: number};
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean;
  account(address: Address): EncodedAccount | undefined;
  programAccounts(program: Address): EncodedAccount[];
  rent(space: number): bigint;
  /** The result the transaction would have now. */
  simulate(wire: Uint8Array, checks: Checks): Simulation;
  /**
   * Runs a transaction after a preflight, and returns its signature. A transaction that fails but pays its fee is in the
   * ledger too. Without a preflight, a transaction that cannot land is silently dropped, as nodes do.
   * @throws NotLanded in the preflight; InvalidTransaction
   */
  send(wire: Uint8Array, preflight: Commitment | 'none'): string;
  find(signature: string): Landed | undefined;
  /** The transactions that name an account, oldest first: the same growing array, until a reorganization. */
  naming(address: Address): readonly Landed[];
  mine(slots: number): void;
  /** Replays the slots without this transaction and those that depend on it. */
  reorgWithout(signature: string): void;
}

/** The length of a slot by the chain's clock. */
export const SLOT_SECONDS = 0.4;
const DEPTH: Readonly<Record<Commitment, number>> = {processed: 0, confirmed: 1, finalized: 32};
/** The chain starts at a later slot, so that there are finalized slots from the beginning. */
const FIRST_SLOT = 1_000;
/** Some slots have no block, as on public clusters: slot and block height differ. */
const SKIPPED = 200;
const NONE: readonly Landed[] = [];
const PACKET_BYTES = 1_232;
const SYSTEM = toAddress('11111111111111111111111111111111');
const SPL_TOKEN = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
/** The size of a token account, and where a token keeps its decimals. */
const TOKEN_ACCOUNT_LENGTH = 165;
const DECIMALS_AT = 44;

const base58 = getBase58Decoder();
const transactions = getTransactionCodec();
const messages = getCompiledTransactionMessageCodec();

interface Parsed {
  readonly transaction: Transaction;
  readonly message: Message;
  readonly signature: string;
}

/** The chain's clock, in slots, and the blockhashes that it issues. */
class Slots {
  readonly #started = {at: performance.now(), seconds: Date.now() / 1_000};
  readonly #salt = randomBytes(32);
  readonly #issued = new Map<string, number>();
  readonly #slotSeconds: number | null;
  readonly #lifetime: number;
  #moved = 0;

  constructor({slotSeconds, blockhashSlots}: Pick<SolanaChainOptions, 'slotSeconds' | 'blockhashSlots'>) {
    this.#slotSeconds = slotSeconds;
    this.#lifetime = blockhashSlots;
  }

  get now(): number {
    const passed = performance.now() - this.#started.at;
    const ticks = this.#slotSeconds === null ? 0 : Math.floor(passed / (this.#slotSeconds * 1_000));
    return FIRST_SLOT + this.#moved + ticks;
  }

  move(slots: number): void {
    this.#moved += slots;
  }

  of(commitment: Commitment): number {
    return this.now - DEPTH[commitment];
  }

  timeOf(slot: number): number {
    return Math.floor(this.#started.seconds + (slot - FIRST_SLOT) * SLOT_SECONDS);
  }

  hashOf(slot: number): string {
    return base58.decode(createHash('sha256').update(this.#salt).update(String(slot)).digest());
  }

  blockhash(slot: number): string {
    const hash = this.hashOf(slot);
    if (!this.#issued.has(hash)) {
      for (const [old, born] of this.#issued)
        if (born + this.#lifetime + DEPTH.finalized < this.now) this.#issued.delete(old);
      this.#issued.set(hash, slot);
    }
    return hash;
  }

  isBlockhashValid(hash: string, commitment: Commitment): boolean {
    const born = this.#issued.get(hash);
    // The current slot has no hash yet, and a hash that is newer than the commitment is unknown to it.
    return (
      born !== undefined &&
      born < this.now &&
      born <= this.of(commitment) &&
      this.of(commitment) <= born + this.#lifetime
    );
  }
}

class Book {
  readonly all: Landed[] = [];
  readonly #bySignature = new Map<string, Landed>();
  readonly #byAddress = new Map<Address, Landed[]>();

  write(landed: Landed): void {
    this.all.push(landed);
    this.#bySignature.set(landed.signature, landed);
    for (const address of new Set(landed.accounts)) {
      const there = this.#byAddress.get(address);
      if (there) there.push(landed);
      else this.#byAddress.set(address, [landed]);
    }
  }

  find(signature: string): Landed | undefined {
    return this.#bySignature.get(signature);
  }

  naming(address: Address): readonly Landed[] {
    return this.#byAddress.get(address) ?? NONE;
  }
}

export function createSolanaChain(options: SolanaChainOptions): SolanaChain {
  const slots = new Slots(options);
  let svm = genesis(options);
  let book = new Book();

  function setClock(slot: number): void {
    const clock = svm.getClock();
    if (clock.slot === BigInt(slot)) return;
    svm.setClock(new Clock(BigInt(slot), BigInt(slots.timeOf(FIRST_SLOT)), 0n, 1n, BigInt(slots.timeOf(slot))));
  }

  function accountAt(address: Address): EncodedAccount | undefined {
    const account = svm.getAccount(address);
    return account.exists ? account : undefined;
  }

  function tokensIn(accounts: readonly Address[]): TokenBalance[] {
    return accounts.flatMap((address, place) => {
      const account = accountAt(address);
      if (account?.programAddress !== SPL_TOKEN || account.data.length !== TOKEN_ACCOUNT_LENGTH) return [];
      const data = Buffer.from(account.data);
      const [token, owner] = [0, 32].map(at => toAddress(base58.decode(data.subarray(at, at + 32)))) as [
        Address,
        Address,
      ];
      const decimals = accountAt(token)?.data[DECIMALS_AT] ?? 0;
      return [{place, token, owner, amount: data.readBigUInt64LE(64), decimals}];
    });
  }

  /** The checks before a run that LiteSVM does not make itself. */
  function precheck({transaction, message, signature}: Parsed, {signatures, blockhash}: Checks) {
    if (signatures && Object.values(transaction.signatures).includes(null)) return refusal('SignatureFailure');
    if (blockhash === 'any') return undefined;
    if (book.find(signature)) return refusal('AlreadyProcessed');
    return slots.isBlockhashValid(message.lifetimeToken, blockhash) ? undefined : refusal('BlockhashNotFound');
  }

  function simulateParsed(parsed: Parsed, checks: Checks): Simulation {
    const early = precheck(parsed, checks);
    if (early) return {...early, account: accountAt};
    setClock(slots.now);
    const accounts = parsed.message.staticAccounts;
    svm.withSigverify(checks.signatures);
    const result = svm.simulateTransaction(parsed.transaction);
    svm.withSigverify(true);
    if (result instanceof FailedTransactionMetadata) {
      return {...outcomeOf(result.meta(), readError(result), accounts), account: accountAt};
    }
    const changed = new Map(result.postAccounts().map(after => [after.address, after]));
    return {
      ...outcomeOf(result.meta(), null, accounts),
      account: address => changed.get(address) ?? accountAt(address),
    };
  }

  /** Runs a transaction in a slot. One that did not charge its fee payer has not landed. */
  function run(
    {transaction, message, signature}: Parsed,
    wire: Uint8Array,
    slot: number,
    at: Date,
  ): Landed | undefined {
    setClock(slot);
    const accounts = message.staticAccounts;
    const balances = () => accounts.map(address => svm.getBalance(address) ?? 0n);
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    const before = balances();
    const tokensBefore = tokensIn(accounts);
    const result = svm.sendTransaction(transaction);
    const after = balances();
    const tokens = {before: tokensBefore, after: tokensIn(accounts)};
    // The total of lamports only changes by the fee.
    const fee = sum(before) - sum(after);
    if (fee === 0n) return undefined;
    const failed = result instanceof FailedTransactionMetadata;
    const outcome = outcomeOf(failed ? result.meta() : result, failed ? readError(result) : null, accounts);
    return {...outcome, signature, slot, at, wire, message, accounts, fee, before, after, tokens};
  }

  return {
    genesisHash: slots.hashOf(0),
    blockhashSlots: options.blockhashSlots,
    slot: commitment => slots.of(commitment),
    height: slot => slot - SKIPPED,
    time: slot => slots.timeOf(slot),
    latestBlockhash(commitment) {
      const slot = Math.min(slots.of(commitment), slots.now - 1);
      return {blockhash: slots.blockhash(slot), lastValidBlockHeight: slot - SKIPPED + options.blockhashSlots};
    },
    isBlockhashValid: (hash, commitment) => slots.isBlockhashValid(hash, commitment),
    account: accountAt,
    programAccounts: program => svm.getProgramAccounts(program),
    rent: space => svm.minimumBalanceForRentExemption(BigInt(space)),
    simulate: (wire, checks) => simulateParsed(parse(wire), checks),

    send(given, trial) {
      const wire = Uint8Array.from(given);
      const parsed = parse(wire);
      if (trial !== 'none') {
        const {error, ...outcome} = simulateParsed(parsed, {signatures: true, blockhash: trial});
        if (error) throw new NotLanded({...outcome, error});
      }
      const refused = precheck(parsed, {signatures: true, blockhash: 'processed'});
      const landed = refused ? undefined : run(parsed, wire, slots.now, new Date());
      if (landed) {
        book.write(landed);
        if (options.slotSeconds === null) slots.move(1);
      }
      return parsed.signature;
    },

    find: signature => book.find(signature),
    naming: address => book.naming(address),
    mine(count) {
      slots.move(count);
    },

    reorgWithout(signature) {
      const old = book.all;
      svm = genesis(options);
      book = new Book();
      for (const {wire, slot, at, error, ...landed} of old) {
        if (landed.signature === signature) continue;
        const again = run(parse(wire), wire, slot, at);
        // A transaction that now fails would not have passed the preflight.
        if (again && (again.error === null || error !== null)) book.write(again);
      }
    },
  };
}

function genesis({accounts, programs, mints = new Map<Address, Uint8Array>()}: SolanaChainOptions): LiteSVM {
  // LiteSVM's blockhashes do not expire one by one, and its history cannot forget; both are handled here.
  const fresh = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);
  for (const [address, amount] of accounts) {
    const lamports = toLamports(amount);
    fresh.setAccount({
      address,
      lamports,
      data: new Uint8Array(),
      programAddress: SYSTEM,
      executable: false,
      space: 0n,
    });
  }
  for (const [address, program] of programs) fresh.addProgram(address, program);
  for (const [address, data] of mints) {
    const space = BigInt(data.length);
    const lamports = toLamports(fresh.minimumBalanceForRentExemption(space));
    fresh.setAccount({address, lamports, data, programAddress: SPL_TOKEN, executable: false, space});
  }
  return fresh;
}

function parse(wire: Uint8Array): Parsed {
  if (wire.length > PACKET_BYTES)
    throw new InvalidTransaction(`too large: ${wire.length} bytes (max: ${PACKET_BYTES})`);
  let parsed: Parsed;
  try {
    const transaction = transactions.decode(wire);
    const message = messages.decode(transaction.messageBytes);
    parsed = {transaction, message, signature: base58.decode(wire.subarray(1, 65))};
    if (message.version !== 'legacy' && message.version !== 0) throw new Error('unsupported version');
    if (message.version === 0 && message.addressTableLookups?.length)
      throw new Error('there are no lookup tables here');
    // These decoders accept truncated bytes and trailing bytes.
    const again = transactions.encode({
      ...transaction,
      messageBytes: messages.encode(message) as Transaction['messageBytes'],
    });
    if (!Buffer.from(again).equals(wire)) throw new Error('bytes are missing or left over');
  } catch (error) {
    throw new InvalidTransaction(`failed to deserialize a transaction: ${(error as Error).message}`);
  }
  return parsed;
}

function outcomeOf(meta: TransactionMetadata, error: TransactionError | null, accounts: readonly Address[]): Outcome {
  const inner = meta.innerInstructions().flatMap((calls, index) =>
    calls.map(call => {
      const instruction = call.instruction();
      return {
        index,
        program: accounts[instruction.programIdIndex()] ?? SYSTEM,
        accounts: [...instruction.accounts()].map(place => accounts[place] ?? SYSTEM),
        data: instruction.data(),
      };
    }),
  );
  return {error, logs: meta.logs(), units: meta.computeUnitsConsumed(), inner};
}

const refusal = (error: TransactionError): Outcome & {error: TransactionError} => ({
  error,
  logs: [],
  units: 0n,
  inner: [],
});
