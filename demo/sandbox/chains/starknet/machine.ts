/**
 * Replaces the Cairo VM: contracts are TypeScript classes that get calldata, store felts, call each other and emit
 * events; a panic reverts everything.
 *
 * Real: calldata and its decoding, selectors, interfaces, storage addresses, events, callers, rollback, error messages.
 * Ours: the code is TypeScript, a class hash is a name unless it stands for a real class, and steps and gas are not
 * counted. `test/cairo.ts` compares the HTLC with the one in Cairo.
 */
import {cellOf, hex, isU128, selectorOf, shortText, fromU256} from './felts.js';
import type {Draft} from './state.js';

export interface Event {
  readonly from: bigint;
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

interface CallSite {
  readonly contract: bigint;
  readonly classHash: bigint;
  readonly selector: bigint;
}

/** A panic of a contract. The reason is a short string, up to 31 characters. */
export class Panic extends Error {
  /** The call stack, outermost first. */
  readonly calls: CallSite[] = [];

  constructor(readonly reason: string) {
    super(reason);
    shortText(reason);
  }

  /** Cairo's panic data: the reason, and an entry for each call on the stack. */
  get words(): string {
    const texts = [this.reason, ...this.calls.slice(1).map(() => 'ENTRYPOINT_FAILED')];
    return texts.map(text => `${hex(shortText(text))} ('${text}')`).join(', ');
  }
}

/** Panics unless the condition holds, like Cairo's `assert`. */
export function assert(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Panic(reason);
}

/** Thrown if the contract or the entry point does not exist. */
export class NotFound extends Error {
  constructor(readonly what: 'contract' | 'entry point') {
    super(`no such ${what}`);
  }
}

/** What an account can see of the transaction. */
export interface TransactionInfo {
  readonly hash: bigint;
  readonly signature: readonly bigint[];
}

export interface BlockInfo {
  readonly number: number;
  readonly timestamp: number;
}

export interface Frame {
  readonly self: bigint;
  readonly caller: bigint;
  readonly block: BlockInfo;
  readonly chainId: bigint;
  readonly transaction: TransactionInfo;
  /** Reads a variable or an entry of a map, with the number of felts of its type. */
  read(count: number, variable: string, ...keys: bigint[]): bigint[];
  write(values: readonly bigint[], variable: string, ...keys: bigint[]): void;
  emit(event: string, keys: readonly bigint[], data: readonly bigint[]): void;
  call(to: bigint, selector: bigint, calldata: readonly bigint[]): bigint[];
}

export interface Call {
  readonly to: bigint;
  readonly selector: bigint;
  readonly calldata: readonly bigint[];
}

/** Decodes calldata. An invalid parameter panics with its index, as in Cairo. */
class Reader {
  #at = 0;
  #parameter = 0;

  constructor(readonly felts: readonly bigint[]) {}

  parameter(type: TypeName): unknown {
    this.#parameter++;
    return TYPES[type].read(this);
  }

  end(): void {
    assert(this.#at === this.felts.length, 'Input too long for arguments');
  }

  felt(isGood: (felt: bigint) => boolean = () => true): bigint {
    const felt = this.felts[this.#at++];
    if (felt === undefined || !isGood(felt)) this.#fail();
    return felt;
  }

  list<T>(read: () => T, count = this.felt()): T[] {
    if (count > BigInt(this.felts.length - this.#at)) this.#fail();
    return Array.from({length: Number(count)}, read);
  }

  #fail(): never {
    throw new Panic(`Failed to deserialize param #${this.#parameter}`);
  }
}

/** The key of a signer, of which only the first kind is known: a Starknet key. */
function readSigner(from: Reader): bigint {
  from.felt(kind => kind === 0n);
  return from.felt(key => key !== 0n);
}

const isWord = (felt: bigint) => felt < 2n ** 32n;
const CORE = 'core::integer';
const SIGNER = 'argent::signer::signer_signature::Signer';

/** The types of parameters: their names in Cairo, and how they are decoded. */
const TYPES = {
  felt252: {abi: 'core::felt252', read: (from: Reader) => from.felt()},
  bool: {abi: 'core::bool', read: (from: Reader) => from.felt(felt => felt < 2n) === 1n},
  u8: {abi: `${CORE}::u8`, read: (from: Reader) => from.felt(felt => felt < 256n)},
  u128: {abi: `${CORE}::u128`, read: (from: Reader) => from.felt(isU128)},
  u256: {abi: `${CORE}::u256`, read: (from: Reader) => fromU256(from.felt(isU128), from.felt(isU128))},
  address: {
    abi: 'core::starknet::contract_address::ContractAddress',
    read: (from: Reader) => from.felt(felt => felt < 2n ** 251n),
  },
  '[u32; 8]': {abi: `[${CORE}::u32; 8]`, read: (from: Reader) => from.list(() => from.felt(isWord), 8n)},
  'Array<u32>': {abi: `core::array::Array::<${CORE}::u32>`, read: (from: Reader) => from.list(() => from.felt(isWord))},
  'Array<felt252>': {
    abi: 'core::array::Array::<core::felt252>',
    read: (from: Reader) => from.list(() => from.felt()),
  },
  'Array<Call>': {
    abi: 'core::array::Array::<core::starknet::account::Call>',
    read: (from: Reader) =>
      from.list((): Call => ({to: from.felt(), selector: from.felt(), calldata: from.list(() => from.felt())})),
  },
  Signer: {abi: SIGNER, read: readSigner},
  'Option<Signer>': {
    abi: `core::option::Option::<${SIGNER}>`,
    read: (from: Reader) => (from.felt(variant => variant < 2n) === 0n ? readSigner(from) : undefined),
  },
  Order: {abi: 'swap_widget::Order', read: (from: Reader) => from.list(() => from.felt(), 7n)},
} as const;
type TypeName = keyof typeof TYPES;
type Shape = Readonly<Record<string, TypeName>>;
type Values<Inputs extends Shape> = {readonly [Name in keyof Inputs]: ReturnType<(typeof TYPES)[Inputs[Name]]['read']>};
type Body<Inputs extends Shape> = (frame: Frame, given: Values<Inputs>) => readonly bigint[] | undefined;

interface Entry {
  readonly inputs: Shape;
  readonly output: TypeName | undefined;
  readonly mutates: boolean;
  run(frame: Frame, calldata: readonly bigint[]): readonly bigint[];
}

function entry<const Inputs extends Shape>(
  inputs: Inputs,
  output: TypeName | undefined,
  mutates: boolean,
  body: Body<Inputs>,
): Entry {
  return {
    inputs,
    output,
    mutates,
    run(frame, calldata) {
      const reader = new Reader(calldata);
      const given = Object.entries(inputs).map(([name, type]) => [name, reader.parameter(type)] as const);
      reader.end();
      return body(frame, Object.fromEntries(given) as Values<Inputs>) ?? [];
    },
  };
}

/** An entry point that only reads. */
export const view = <const Inputs extends Shape>(inputs: Inputs, output: TypeName, body: Body<Inputs>): Entry =>
  entry(inputs, output, false, body);

/** An entry point that can change the state. */
export const external = <const Inputs extends Shape>(inputs: Inputs, body: Body<Inputs>, output?: TypeName): Entry =>
  entry(inputs, output, true, body);

export interface ContractClass {
  readonly title: string;
  readonly hash: bigint;
  readonly isAccount: boolean;
  /** The ABI in Cairo's format, as nodes return it. */
  readonly abi: string;
  readonly construct: Entry;
  readonly entries: ReadonlyMap<bigint, Entry>;
}

interface ClassPlan {
  readonly title: string;
  /** The hash of the Cairo class that it stands for; by default a hash of its name. */
  readonly hash?: bigint;
  readonly isAccount?: boolean;
  readonly structs?: Readonly<Record<string, Shape>>;
  readonly events?: Readonly<Record<string, {readonly keys: Shape; readonly data: Shape}>>;
  readonly construct: Entry;
  readonly entries: Readonly<Record<string, Entry>>;
}

export function defineClass(plan: ClassPlan): ContractClass {
  const {title, construct, entries, hash = selectorOf(`swap-widget sandbox: ${title}`), isAccount = false} = plan;
  return {
    title,
    hash,
    isAccount,
    construct,
    abi: JSON.stringify(abiOf(plan)),
    entries: new Map(Object.entries(entries).map(([name, one]) => [selectorOf(name), one])),
  };
}

function abiOf({entries, construct, structs = {}, events = {}}: ClassPlan): unknown[] {
  const members = (shape: Shape, more = {}) =>
    Object.entries(shape).map(([name, type]) => ({name, type: TYPES[type].abi, ...more}));
  const eventName = (name: string) => `swap_widget::${name}`;
  return [
    ...Object.entries(structs).map(([name, shape]) => ({
      type: 'struct',
      name: `swap_widget::${name}`,
      members: members(shape),
    })),
    {type: 'constructor', name: 'constructor', inputs: members(construct.inputs)},
    ...Object.entries(entries).map(([name, {inputs, output, mutates}]) => ({
      type: 'function',
      name,
      inputs: members(inputs),
      outputs: output ? [{type: TYPES[output].abi}] : [],
      state_mutability: mutates ? 'external' : 'view',
    })),
    ...Object.entries(events).map(([name, {keys, data}]) => ({
      type: 'event',
      name: eventName(name),
      kind: 'struct',
      members: [...members(keys, {kind: 'key'}), ...members(data, {kind: 'data'})],
    })),
    {
      type: 'event',
      name: 'swap_widget::Event',
      kind: 'enum',
      variants: Object.keys(events).map(name => ({name, type: eventName(name), kind: 'nested'})),
    },
  ];
}

export interface Environment {
  readonly classes: ReadonlyMap<bigint, ContractClass>;
  readonly chainId: bigint;
  readonly block: BlockInfo;
  readonly transaction?: TransactionInfo;
}

const NO_TRANSACTION: TransactionInfo = {hash: 0n, signature: []};

/** Runs contracts on a draft of the state, and records their events. */
export class Machine {
  readonly events: Event[] = [];

  constructor(
    readonly draft: Draft,
    readonly environment: Environment,
  ) {}

  deploy(contractClass: ContractClass, address: bigint, calldata: readonly bigint[]): void {
    this.draft.write({place: 'class', address, key: 0n}, contractClass.hash);
    const call = {to: address, selector: selectorOf('constructor'), calldata};
    this.#run(contractClass, contractClass.construct, call, 0n);
  }

  call(call: Call, caller = 0n): bigint[] {
    const contractClass = this.environment.classes.get(this.draft.read({place: 'class', address: call.to, key: 0n}));
    if (!contractClass) throw new NotFound('contract');
    const entry = contractClass.entries.get(call.selector);
    if (!entry) throw new NotFound('entry point');
    return this.#run(contractClass, entry, call, caller);
  }

  #run({hash}: ContractClass, entry: Entry, call: Call, caller: bigint): bigint[] {
    try {
      return [...entry.run(this.#frame(call.to, caller), call.calldata)];
    } catch (error) {
      if (error instanceof Panic) {
        error.calls.unshift({contract: call.to, classHash: hash, selector: call.selector});
      }
      throw error;
    }
  }

  #frame(self: bigint, caller: bigint): Frame {
    const {block, chainId, transaction = NO_TRANSACTION} = this.environment;
    const cell = (variable: string, keys: bigint[], offset: number) => ({
      place: 'storage' as const,
      address: self,
      key: cellOf(variable, ...keys) + BigInt(offset),
    });
    return {
      self,
      caller,
      block,
      chainId,
      transaction,
      read: (count, variable, ...keys) =>
        Array.from({length: count}, (_, offset) => this.draft.read(cell(variable, keys, offset))),
      write: (values, variable, ...keys) =>
        values.forEach((value, offset) => this.draft.write(cell(variable, keys, offset), value)),
      emit: (name, keys, data) => {
        this.events.push({from: self, keys: [selectorOf(name), ...keys], data});
      },
      call: (to, selector, calldata) => this.#callFrom(self, {to, selector, calldata}),
    };
  }

  /** A call of a missing contract from within a contract is a panic; from outside it is another error. */
  #callFrom(caller: bigint, call: Call): bigint[] {
    try {
      return this.call(call, caller);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      throw new Panic(error.what === 'contract' ? 'CONTRACT_NOT_DEPLOYED' : 'ENTRYPOINT_NOT_FOUND');
    }
  }
}

/** A panic as in a receipt. */
export function revertReason({calls, words}: Panic): string {
  const frames = calls.map(
    ({contract, classHash, selector}, depth) =>
      `${depth}: Error in the called contract (contract address: ${hex(contract)}, ` +
      `class hash: ${hex(classHash)}, selector: ${hex(selector)}):`,
  );
  return ['Transaction execution has failed:', ...frames, `Execution failed. Failure reason: (${words}).`].join('\n');
}

/** A panic as in the errors of calls and estimates: nested calls, with the message in the innermost. */
export type ExecutionError =
  | string
  | {
      readonly contract_address: string;
      readonly class_hash: string;
      readonly selector: string;
      readonly error: ExecutionError;
    };

export function executionError({calls, words}: Panic): ExecutionError {
  return calls.reduceRight<ExecutionError>(
    (error, {contract, classHash, selector}) => ({
      contract_address: hex(contract),
      class_hash: hex(classHash),
      selector: hex(selector),
      error,
    }),
    `(${words})`,
  );
}
