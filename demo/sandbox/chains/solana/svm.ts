/**
 * A Solana chain in this process: the runtime of LiteSVM with slots, a clock, blockhashes that grow old, a ledger, and
 * a way to take transactions back.
 *
 * Real: the virtual machine, the native programs, signatures, fees, rent, what a transaction may and may not do. Ours:
 * that there is one node and no votes; slots; and that a state is read as it is now, whatever commitment is asked for.
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

/** How sure a reader wants to be. The chain here never forks by itself, so this only tells how deep a slot lies. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** An instruction with addresses in place of indices. */
export interface ReadInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** One that a program called, `stackHeight` deep, while the instruction of this place ran. */
export interface InnerInstruction extends ReadInstruction {
  readonly index: number;
  readonly stackHeight: number;
}

/** What a transaction did, or would do. */
export interface Outcome {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: bigint;
  readonly inner: readonly InnerInstruction[];
  readonly returned: {readonly program: Address; readonly data: Uint8Array} | null;
}

/** What a transaction would do, and what accounts would be after it. */
export interface Simulation extends Outcome {
  account(address: Address): EncodedAccount | undefined;
}

/** What is looked at before a transaction is run. */
export interface Checks {
  readonly signatures: boolean;
  /** How sure it has to be that the blockhash is still good; and whether it has to be at all. */
  readonly blockhash: Commitment | 'any';
}

/** A transaction as it stands in the ledger. */
export interface Landed extends Outcome {
  readonly signature: string;
  readonly slot: number;
  /** When it was sent here, by the clock of this machine. */
  readonly at: Date;
  readonly wire: Uint8Array;
  readonly message: Message;
  /** The accounts of the message, then those of its lookup tables. */
  readonly accounts: readonly Address[];
  readonly loaded: {readonly writable: readonly Address[]; readonly readonly: readonly Address[]};
  readonly fee: bigint;
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
}

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

/** A transaction that did not land, and why. It has left no trace. */
export class NotLanded extends Error {
  constructor(readonly outcome: Outcome & {error: TransactionError}) {
    super(JSON.stringify(outcome.error));
    this.name = 'NotLanded';
  }
}

/** Bytes that are no transaction. */
export class InvalidTransaction extends Error {}

export interface SolanaChainOptions {
  /** Real seconds from slot to slot; null moves the clock with each transaction only. */
  readonly slotSeconds: number | null;
  /** For how many slots a blockhash is good. */
  readonly blockhashSlots: number;
  /** What is there before the first slot. */
  readonly accounts: ReadonlyMap<Address, bigint>;
  readonly programs: ReadonlyMap<Address, Uint8Array>;
}

export interface SolanaChain {
  readonly genesisHash: string;
  /** For how many slots a blockhash is good. */
  readonly blockhashSlots: number;
  /** The slot of this commitment; that of `processed` is being filled now. */
  slot(commitment: Commitment): number;
  /** How many slots up to this one had a block. */
  height(slot: number): number;
  /** The chain's own time at a slot, in seconds. */
  time(slot: number): number;
  /** The hash of the block of a slot. Whoever has it may use it while it is young. */
  blockhash(slot: number): string;
  /** The youngest hash of this commitment, and the last height at which a transaction with it may land. */
  latestBlockhash(commitment: Commitment): {blockhash: string; lastValidBlockHeight: number};
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean;
  account(address: Address): EncodedAccount | undefined;
  programAccounts(program: Address): EncodedAccount[];
  rent(space: number): bigint;
  /** What the transaction would do now. */
  simulate(wire: Uint8Array, checks: Checks): Simulation;
  /**
   * Tries the transaction, runs it and answers its signature. It is in the ledger then, also if it failed in the end and
   * was paid for. Without a trial one that cannot land is swallowed, as nodes do.
   * @throws NotLanded in the trial; NoTransaction
   */
  send(wire: Uint8Array, preflight: Commitment | 'none'): string;
  find(signature: string): Landed | undefined;
  /** The transactions that name an account, the oldest first: the same list, which grows, until some are taken back. */
  naming(address: Address): readonly Landed[];
  inSlot(slot: number): readonly Landed[];
  count(): number;
  /** Moves the clock by so many slots. */
  mine(slots: number): void;
  /** The same slots again without this transaction, and without what cannot be without it. */
  reorgWithout(signature: string): void;
}

/** A slot lasts so long by the chain's own clock. */
export const SLOT_SECONDS = 0.4;
/** What is so many slots deep is confirmed, and finalized. */
const DEPTH: Readonly<Record<Commitment, number>> = {processed: 0, confirmed: 1, finalized: 32};
/** The chain begins with a past, so that there is something finalized from the first moment on. */
const FIRST_SLOT = 1_000;
/** Some slots had no block, as on every cluster: a slot is not a height. */
const SKIPPED = 200;
/** How many slots programs can look back. */
const RECENT_SLOTS = 64;
const NONE: readonly Landed[] = [];
const PACKET_BYTES = 1_232;
const SYSTEM = toAddress('11111111111111111111111111111111');
/** A lookup table's addresses begin behind its head (address-lookup-table program). */
const LOOKUP_TABLE_HEAD = 56;

const base58 = getBase58Decoder();
const transactions = getTransactionCodec();
const messages = getCompiledTransactionMessageCodec();

interface Parsed {
  readonly transaction: Transaction;
  readonly message: Message;
  readonly signature: string;
}

export function createSolanaChain(options: SolanaChainOptions): SolanaChain {
  const {slotSeconds, blockhashSlots} = options;
  const started = {at: performance.now(), seconds: Date.now() / 1_000};
  const salt = randomBytes(32);
  const issued = new Map<string, number>();
  let svm = genesis();
  let moved = 0;
  let ledger: Landed[] = [];
  let bySignature = new Map<string, Landed>();
  let byAddress = new Map<Address, Landed[]>();

  function genesis(): LiteSVM {
    // Its own blockhashes never grow old one by one, and its own memory cannot forget; both are done here.
    const fresh = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);
    for (const [address, amount] of options.accounts) {
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
    for (const [address, program] of options.programs) fresh.addProgram(address, program);
    return fresh;
  }

  const ticks = () => (slotSeconds === null ? 0 : Math.floor((performance.now() - started.at) / (slotSeconds * 1_000)));
  const now = () => FIRST_SLOT + moved + ticks();
  const slotOf = (commitment: Commitment) => now() - DEPTH[commitment];
  const timeOf = (slot: number) => Math.floor(started.seconds + (slot - FIRST_SLOT) * SLOT_SECONDS);

  function setClock(slot: number): void {
    const clock = svm.getClock();
    if (clock.slot === BigInt(slot)) return;
    svm.setClock(new Clock(BigInt(slot), BigInt(timeOf(FIRST_SLOT)), 0n, 1n, BigInt(timeOf(slot))));
    // Programs that ask for a recent slot, as that of lookup tables does, look for it here.
    const recent = Array.from({length: RECENT_SLOTS}, (_, back) => slot - 1 - back);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- The class cannot be made; the library takes objects.
    svm.setSlotHashes(recent.map(one => ({slot: BigInt(one), hash: hashOf(one)})));
  }

  function hashOf(slot: number): string {
    return base58.decode(createHash('sha256').update(salt).update(String(slot)).digest());
  }

  function blockhash(slot: number): string {
    const hash = hashOf(slot);
    if (!issued.has(hash)) {
      for (const [old, born] of issued) if (born + blockhashSlots + DEPTH.finalized < now()) issued.delete(old);
      issued.set(hash, slot);
    }
    return hash;
  }

  function isBlockhashValid(hash: string, commitment: Commitment): boolean {
    const born = issued.get(hash);
    // The slot being filled has no hash yet; a hash that is younger than what is asked about is not known there.
    return (
      born !== undefined && born < now() && born <= slotOf(commitment) && slotOf(commitment) <= born + blockhashSlots
    );
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
      // Decoders here take what is cut short or goes on.
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

  function accountAt(address: Address): EncodedAccount | undefined {
    const account = svm.getAccount(address);
    return account.exists ? account : undefined;
  }

  /** The accounts that the message takes from lookup tables. */
  function loadedBy(message: Message): Landed['loaded'] {
    const loaded = {writable: [] as Address[], readonly: [] as Address[]};
    const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
    for (const {lookupTableAddress, writableIndexes, readonlyIndexes} of lookups) {
      const table = accountAt(lookupTableAddress);
      const at = (index: number) => {
        const start = LOOKUP_TABLE_HEAD + 32 * index;
        const bytes = table?.data.slice(start, start + 32);
        return bytes?.length === 32 ? [toAddress(base58.decode(bytes))] : [];
      };
      loaded.writable.push(...writableIndexes.flatMap(at));
      loaded.readonly.push(...readonlyIndexes.flatMap(at));
    }
    return loaded;
  }

  function accountsOf(message: Message): Address[] {
    const {writable, readonly} = loadedBy(message);
    return [...message.staticAccounts, ...writable, ...readonly];
  }

  function outcomeOf(meta: TransactionMetadata, error: TransactionError | null, accounts: readonly Address[]): Outcome {
    const returned = meta.returnData();
    const inner = meta.innerInstructions().flatMap((calls, index) =>
      calls.map(call => {
        const instruction = call.instruction();
        return {
          index,
          stackHeight: call.stackHeight(),
          program: accounts[instruction.programIdIndex()] ?? SYSTEM,
          accounts: [...instruction.accounts()].map(place => accounts[place] ?? SYSTEM),
          data: instruction.data(),
        };
      }),
    );
    return {
      error,
      logs: meta.logs(),
      units: meta.computeUnitsConsumed(),
      inner,
      returned:
        returned.data().length === 0
          ? null
          : {program: toAddress(base58.decode(returned.programId())), data: returned.data()},
    };
  }

  const refusal = (error: TransactionError): Outcome & {error: TransactionError} => ({
    error,
    logs: [],
    units: 0n,
    inner: [],
    returned: null,
  });

  /** What keeps a transaction from being run at all, as far as the runtime does not look for it. */
  function precheck({transaction, message, signature}: Parsed, {signatures, blockhash}: Checks) {
    if (signatures && Object.values(transaction.signatures).includes(null)) return refusal('SignatureFailure');
    if (blockhash === 'any') return undefined;
    if (bySignature.has(signature)) return refusal('AlreadyProcessed');
    return isBlockhashValid(message.lifetimeToken, blockhash) ? undefined : refusal('BlockhashNotFound');
  }

  function simulateParsed(parsed: Parsed, checks: Checks): Simulation {
    const early = precheck(parsed, checks);
    if (early) return {...early, account: accountAt};
    setClock(now());
    const accounts = accountsOf(parsed.message);
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

  /** Runs a transaction in a slot. What cost its payer nothing has not landed. */
  function run(
    {transaction, message, signature}: Parsed,
    wire: Uint8Array,
    slot: number,
    at: Date,
  ): Landed | undefined {
    setClock(slot);
    const loaded = loadedBy(message);
    const accounts = [...message.staticAccounts, ...loaded.writable, ...loaded.readonly];
    const balances = () => accounts.map(address => svm.getBalance(address) ?? 0n);
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    const before = balances();
    const result = svm.sendTransaction(transaction);
    const after = balances();
    // Lamports come from nowhere and go nowhere, but for the fee.
    const fee = sum(before) - sum(after);
    if (fee === 0n) return undefined;
    const failed = result instanceof FailedTransactionMetadata;
    const outcome = outcomeOf(failed ? result.meta() : result, failed ? readError(result) : null, accounts);
    return {...outcome, signature, slot, at, wire, message, accounts, loaded, fee, before, after};
  }

  function write(landed: Landed): void {
    ledger.push(landed);
    bySignature.set(landed.signature, landed);
    for (const address of new Set(landed.accounts)) {
      const there = byAddress.get(address);
      if (there) there.push(landed);
      else byAddress.set(address, [landed]);
    }
  }

  return {
    genesisHash: hashOf(0),
    blockhashSlots,
    slot: slotOf,
    height: slot => slot - SKIPPED,
    time: timeOf,
    blockhash,
    latestBlockhash(commitment) {
      const slot = Math.min(slotOf(commitment), now() - 1);
      return {blockhash: blockhash(slot), lastValidBlockHeight: slot - SKIPPED + blockhashSlots};
    },
    isBlockhashValid,
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
      const landed = refused ? undefined : run(parsed, wire, now(), new Date());
      if (landed) {
        write(landed);
        if (slotSeconds === null) moved++;
      }
      return parsed.signature;
    },

    find: signature => bySignature.get(signature),
    naming: address => byAddress.get(address) ?? NONE,
    inSlot: slot => ledger.filter(landed => landed.slot === slot),
    count: () => ledger.length,
    mine(slots) {
      moved += slots;
    },

    reorgWithout(signature) {
      const old = ledger;
      svm = genesis();
      ledger = [];
      bySignature = new Map();
      byAddress = new Map();
      for (const {wire, slot, at, error, ...landed} of old) {
        if (landed.signature === signature) continue;
        const again = run(parse(wire), wire, slot, at);
        // What succeeded and now fails would not have been sent.
        if (again && (again.error === null || error !== null)) write(again);
      }
    },
  };
}
