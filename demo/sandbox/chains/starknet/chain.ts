/**
 * A Starknet chain as a ledger in this process: it validates transactions as a sequencer does, executes them and puts
 * them into blocks.
 *
 * Real: transaction hashes recomputed from the fields, signature validation by accounts, nonces, multicalls, deployment
 * of accounts, receipts, events, reverts, reorganizations. Ours: no Cairo runs (`machine.ts`), block hashes and state
 * roots commit to their content but are computed differently, gas is constant, and no fee is charged.
 */
import {account, CLASSES} from './contracts.js';
import {
  contractAddress,
  deployAccountHash,
  hex,
  invokeHash,
  poseidon,
  selectorOf,
  sign,
  type DeployAccount,
  type Invoke,
} from './felts.js';
import {Machine, NotFound, Panic, type Call, type ContractClass, type Event} from './machine.js';
import {Draft, State, type Cell} from './state.js';
import {getStarkKey} from '@scure/starknet';

export type Transaction =
  | {readonly kind: 'INVOKE'; readonly fields: Invoke; readonly signature: readonly bigint[]}
  | {readonly kind: 'DEPLOY_ACCOUNT'; readonly fields: DeployAccount; readonly signature: readonly bigint[]};

export interface Outcome {
  readonly hash: bigint;
  readonly sender: bigint;
  readonly events: readonly Event[];
  /** Why it was reverted; then only the nonce has changed. */
  readonly reverted?: Panic;
}

export interface Receipt extends Outcome {
  readonly transaction: Transaction;
  /** Its block; while it is pre-confirmed, the next block. */
  readonly block: number;
  readonly index: number;
  /** When the chain first saw it. */
  readonly at: Date;
}

export interface Block {
  readonly number: number;
  readonly hash: bigint;
  readonly parent: bigint;
  readonly root: bigint;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly receipts: readonly Receipt[];
}

export interface Emitted {
  readonly event: Event;
  readonly receipt: Receipt;
}

/** A rejected transaction. It has no effect, not even on the nonce. */
export class Rejected extends Error {
  constructor(
    readonly why: 'contract' | 'not-account' | 'class' | 'nonce' | 'duplicate' | 'validation' | 'version',
    /** Details beside the reason. */
    readonly detail?: string | Panic,
  ) {
    super(detail instanceof Panic ? detail.reason : (detail ?? why));
  }
}

export interface ChainOptions {
  readonly chainId: bigint;
  /** Whether each transaction gets its own block at once; otherwise it waits for `mine`. */
  readonly onDemand: boolean;
}

/** The state after a block, or including the next block's transactions so far. */
export type At = number | 'pre_confirmed';

/** The version offset of a transaction that can only be simulated. */
const QUERY = 2n ** 128n;
const nonceOf = (address: bigint): Cell => ({place: 'nonce', address, key: 0n});
const classOf = (address: bigint): Cell => ({place: 'class', address, key: 0n});
const VALIDATE = selectorOf('__validate__');
const VALIDATE_DEPLOY = selectorOf('__validate_deploy__');
const EXECUTE = selectorOf('__execute__');

export class Chain {
  readonly chainId: bigint;
  readonly #state = new State();
  readonly #blocks: Block[] = [];
  readonly #receipts = new Map<bigint, Receipt>();
  readonly #firstSeen = new Map<bigint, Date>();
  /** Events by contract and first two keys, oldest first. */
  readonly #emitted = new Map<string, Emitted[]>();
  readonly #onDemand: boolean;
  #next: Receipt[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor({chainId, onDemand}: ChainOptions) {
    this.chainId = chainId;
    this.#onDemand = onDemand;
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  get next(): readonly Receipt[] {
    return this.#next;
  }

  blockAt(number: number): Block | undefined {
    return this.#blocks[number];
  }

  blockWith(hash: bigint): Block | undefined {
    return this.#blocks.find(block => block.hash === hash);
  }

  receipt(hash: bigint): Receipt | undefined {
    return this.#receipts.get(hash);
  }

  /** A contract's events with a name and a key (`eventKey`), oldest first. */
  eventsOf(key: string): readonly Emitted[] {
    return this.#emitted.get(key) ?? [];
  }

  classAt(address: bigint, at: At): ContractClass | undefined {
    return CLASSES.get(this.#state.read(classOf(address), this.#blockOf(at)));
  }

  nonceAt(address: bigint, at: At): bigint {
    return this.#state.read(nonceOf(address), this.#blockOf(at));
  }

  /** Calls without a transaction. Contracts see the next block. */
  call(call: Call, at: At): bigint[] {
    return this.#machine(this.#draft(at), at).call(call);
  }

  /** Deploys a contract before the first block, as development nodes do. */
  deployAtGenesis(
    contractClass: ContractClass,
    calldata: readonly bigint[],
    address = contractAddress(0n, contractClass.hash, calldata),
  ): bigint {
    this.#inGenesis(machine => machine.deploy(contractClass, address, calldata));
    return address;
  }

  /** Makes a call before the first block, from any caller. */
  callAtGenesis(call: Call, caller: bigint): void {
    this.#inGenesis(machine => machine.call(call, caller));
  }

  #inGenesis(work: (machine: Machine) => unknown): void {
    if (this.#blocks.length > 0) throw new Error('the first block already exists');
    const draft = this.#draft('pre_confirmed');
    work(this.#machine(draft, 'pre_confirmed'));
    draft.commit();
  }

  /**
   * Executes a transaction.
   * @throws Rejected if a sequencer would not accept it.
   */
  add(transaction: Transaction): Receipt {
    const receipt = this.#carryOut(transaction, this.#now());
    if (this.#onDemand) this.mine();
    return receipt;
  }

  /**
   * Simulates transactions in sequence.
   * @throws Rejected if one would not be accepted.
   */
  simulate(transactions: readonly Transaction[], at: At, {validate = true} = {}): Outcome[] {
    const draft = this.#draft(at);
    return transactions.map(transaction => this.#run(draft, at, transaction, {validate, simulated: true}));
  }

  /** Resolves once a transaction is in a block, or no longer on the chain. */
  async settled(hash: bigint): Promise<void> {
    while ((this.#receipts.get(hash)?.block ?? 0) > this.height) {
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
  }

  mine(blocks = 1): void {
    for (let count = 0; count < blocks; count++) this.#seal(this.#now());
  }

  /**
   * Replaces the blocks since a transaction by as many others without it. The other transactions are executed again:
   * those that depend on it are reverted, or dropped if their nonces are no longer valid.
   */
  reorgWithout(hash: bigint): void {
    const lost = this.#receipts.get(hash);
    if (!lost) return;
    const replaced = this.#blocks.splice(lost.block);
    const rest = this.#next;
    this.#next = [];
    for (let number = lost.block + replaced.length; number >= lost.block; number--) this.#state.forget(number);
    for (const {receipts} of [...replaced, {receipts: rest}]) {
      for (const receipt of receipts) this.#forget(receipt);
    }
    const again = ({hash: other, transaction}: Receipt, timestamp: number) => {
      if (other === hash) return;
      try {
        this.#carryOut(transaction, timestamp);
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
      }
    };
    for (const {receipts, timestamp} of replaced) {
      for (const receipt of receipts) again(receipt, timestamp);
      this.#seal(timestamp);
    }
    for (const receipt of rest) again(receipt, this.#now());
  }

  #forget({hash, events}: Receipt): void {
    this.#receipts.delete(hash);
    for (const event of events) {
      const key = emittedKey(event);
      const kept = this.#emitted.get(key)?.filter(({receipt}) => receipt.hash !== hash) ?? [];
      this.#emitted.set(key, kept);
    }
  }

  #carryOut(transaction: Transaction, timestamp: number): Receipt {
    const draft = this.#draft('pre_confirmed');
    const outcome = this.#run(draft, 'pre_confirmed', transaction, {timestamp});
    draft.commit();
    const {hash, events} = outcome;
    const at = this.#firstSeen.get(hash) ?? new Date();
    this.#firstSeen.set(hash, at);
    const receipt = {...outcome, transaction, block: this.height + 1, index: this.#next.length, at};
    this.#next.push(receipt);
    this.#receipts.set(hash, receipt);
    for (const event of events) {
      const key = emittedKey(event);
      this.#emitted.set(key, [...(this.#emitted.get(key) ?? []), {event, receipt}]);
    }
    return receipt;
  }

  /** Validates, then executes on a draft. A failed execution still uses the nonce. */
  #run(
    draft: Draft,
    at: At,
    {kind, fields, signature}: Transaction,
    {validate = true, simulated = false, timestamp = this.#now()} = {},
  ): Outcome {
    if (fields.version !== 3n && !(simulated && fields.version === QUERY + 3n)) throw new Rejected('version');
    const hash = kind === 'INVOKE' ? invokeHash(fields, this.chainId) : deployAccountHash(fields, this.chainId);
    if (!simulated && this.#receipts.has(hash)) throw new Rejected('duplicate');
    const machine = () => this.#machine(draft, at, timestamp, {hash, signature});
    const validation = machine();
    const execution = machine();
    const outcome = (sender: bigint, reverted?: Panic): Outcome => ({
      hash,
      sender,
      events: reverted ? [] : execution.events,
      ...(reverted && {reverted}),
    });

    if (kind === 'DEPLOY_ACCOUNT') {
      const {classHash, salt, constructorCalldata: calldata} = fields;
      const contractClass = CLASSES.get(classHash);
      const sender = contractAddress(salt, classHash, calldata);
      if (!contractClass) throw new Rejected('class', hex(classHash));
      if (!contractClass.isAccount) throw new Rejected('not-account');
      if (draft.read(classOf(sender)) !== 0n) throw new Rejected('validation', `${hex(sender)} is deployed already`);
      this.#useNonce(draft, sender, fields.nonce, validate);
      rejectOnPanic(() => execution.deploy(contractClass, sender, calldata));
      const call = {to: sender, selector: VALIDATE_DEPLOY, calldata: [classHash, salt, ...calldata]};
      if (validate) rejectOnPanic(() => validation.call(call));
      return outcome(sender);
    }

    const {sender, calldata, nonce} = fields;
    const contractClass = CLASSES.get(draft.read(classOf(sender)));
    if (!contractClass) throw new Rejected('contract');
    if (!contractClass.isAccount) throw new Rejected('not-account');
    this.#useNonce(draft, sender, nonce, validate);
    if (validate) rejectOnPanic(() => validation.call({to: sender, selector: VALIDATE, calldata}));
    try {
      draft.attempt(() => execution.call({to: sender, selector: EXECUTE, calldata}));
      return outcome(sender);
    } catch (error) {
      if (!(error instanceof Panic)) throw error;
      return outcome(sender, error);
    }
  }

  /** A nonce that is too high is rejected; a public network would hold the transaction for a while. */
  #useNonce(draft: Draft, sender: bigint, nonce: bigint, checked: boolean): void {
    const expected = draft.read(nonceOf(sender));
    if (checked && nonce !== expected) {
      throw new Rejected('nonce', `Account nonce: ${hex(expected)}; transaction nonce: ${hex(nonce)}.`);
    }
    draft.write(nonceOf(sender), expected + 1n);
  }

  #seal(timestamp: number): void {
    const number = this.#blocks.length;
    const previous = this.#blocks.at(-1);
    const receipts = this.#next;
    const changes = this.#state.changesOf(number).flatMap(({address, key, value}) => [address, key, value]);
    const root = poseidon([previous?.root ?? 0n, ...changes]);
    const parent = previous?.hash ?? 0n;
    const hash = poseidon([number, parent, root, timestamp, ...receipts.map(receipt => receipt.hash)]);
    this.#blocks.push({number, hash, parent, root, timestamp, receipts});
    this.#next = [];
    for (const go of this.#waiting.splice(0)) go();
  }

  #blockOf(at: At): number {
    return at === 'pre_confirmed' ? this.height + 1 : at;
  }

  #draft(at: At): Draft {
    return new Draft(this.#state, this.#blockOf(at));
  }

  #machine(draft: Draft, at: At, timestamp = this.#now(), transaction?: {hash: bigint; signature: readonly bigint[]}) {
    const number = at === 'pre_confirmed' ? this.height + 1 : at + 1;
    const block = {number, timestamp};
    return new Machine(draft, {classes: CLASSES, chainId: this.chainId, block, ...(transaction && {transaction})});
  }

  #now(): number {
    return Math.max(Math.floor(Date.now() / 1_000), this.#blocks.at(-1)?.timestamp ?? 0);
  }
}

/** The index key for events with this name and first key. */
export const eventKey = (from: bigint, name: string, key: bigint) => `${from} ${selectorOf(name)} ${key}`;
const emittedKey = ({from, keys: [name = 0n, key = 0n]}: Event) => `${from} ${name} ${key}`;

/** A failed validation rejects the transaction. */
function rejectOnPanic(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (error instanceof NotFound) throw new Rejected('validation', error.message);
    if (error instanceof Panic) throw new Rejected('validation', error);
    throw error;
  }
}

export interface Sender {
  readonly address: bigint;
  /**
   * Simulates, signs and sends calls, so that no nonce is spent on a revert.
   * @throws Panic if a contract would panic.
   */
  send(calls: readonly Call[]): Receipt;
}

const NO_BOUND = {maxAmount: 0n, maxPrice: 0n};

export function deploySender(chain: Chain, privateKey: string): Sender {
  const publicKey = BigInt(getStarkKey(privateKey));
  const address = chain.deployAtGenesis(account, [publicKey]);
  return {
    address,
    send(calls) {
      const fields: Invoke = {
        sender: address,
        calldata: [
          BigInt(calls.length),
          ...calls.flatMap(({to, selector, calldata}) => [to, selector, BigInt(calldata.length), ...calldata]),
        ],
        deploymentData: [],
        version: 3n,
        nonce: chain.nonceAt(address, 'pre_confirmed'),
        tip: 0n,
        bounds: {l1Gas: NO_BOUND, l2Gas: NO_BOUND, l1DataGas: NO_BOUND},
        paymasterData: [],
        nonceMode: 0,
        feeMode: 0,
      };
      const signature = sign(invokeHash(fields, chain.chainId), privateKey);
      const transaction: Transaction = {kind: 'INVOKE', fields, signature};
      const [outcome] = chain.simulate([transaction], 'pre_confirmed');
      if (outcome?.reverted) throw outcome.reverted;
      return chain.add(transaction);
    },
  };
}
