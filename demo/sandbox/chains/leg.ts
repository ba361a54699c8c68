/**
 * The interface to the sandbox's chains. Orders, solver and service know nothing else about a chain, so a new family is
 * one more file beside `evm.ts`.
 */

/** The agreed terms of one leg of an order, which the chain's state is checked against. */
export interface Terms {
  /** The asset of this leg, `chain:name`. */
  readonly asset: string;
  /** Locks the amount, and gets it back on a refund. */
  readonly initiator: string;
  /** Receives the amount once the secret is revealed. */
  readonly redeemer: string;
  /** The number of blocks after which the initiator can refund. */
  readonly timelock: number;
  readonly amount: bigint;
  /** SHA-256 of the secret, hex without prefix. */
  readonly secretHash: string;
  /** The service's key in the contract, on chains whose contracts have one for a party without a key of its own. */
  readonly delegate?: string;
  /** The contract, program or script that holds the amount, if it is the other one (`ChainLeg.others`). */
  readonly contract?: string;
}

/** A transaction as the chain currently shows it. */
export interface SeenTransaction {
  /** As in the API: a comma-separated list if there are several payments; on Bitcoin with their block numbers. */
  readonly hash: string;
  readonly block: number;
  /** When the sandbox first saw this transaction. */
  readonly at: Date;
}

export interface LegState {
  /** The locked amount, in the smallest unit. */
  readonly filled: bigint;
  /**
   * Whether what is locked matches the terms: redeemer, timelock and the exact amount, or at least the amount on a
   * chain where anyone can pay any amount to an address.
   */
  readonly matchesTerms: boolean;
  /** Of several payments, the one that completed the amount, or the last one while it is incomplete. */
  readonly initiated?: SeenTransaction;
  readonly redeemed?: SeenTransaction & {readonly secret: string};
  readonly refunded?: SeenTransaction;
  /** What `returnDeposit` would send now. */
  readonly returnable?: bigint;
}

export interface LocalAsset {
  readonly symbol: string;
  readonly decimals: number;
  /** The token's address; absent for the native coin. */
  readonly token?: string;
  /** The contracts that can hold an order's deposit. */
  readonly contracts: readonly string[];
}

/** Falsifies the payload of an honest service. */
export type Corruption = (answer: SourceAnswer, terms: Terms) => SourceAnswer;

export type SourceAnswer = Readonly<Record<string, unknown>>;

export interface ChainLeg {
  /** The chain's name, as in an asset's identifier. */
  readonly name: string;
  readonly family: string;
  /** What `GET /sandbox` returns for the chain besides its assets: identifiers, RPC address. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Real seconds per block while an order waits for blocks; null if blocks are only mined on demand. */
  readonly blockSeconds: number | null;
  readonly assets: Readonly<Record<string, LocalAsset>>;
  /**
   * The contract or program of each asset that is deployed a second time, under another address and, beside the usual
   * one, with a call of its own; on Bitcoin the name of another script. The service that follows the specification alone
   * (`demo/minimal-service/`) is paid by them; no order of the sandbox's own is.
   */
  readonly others: Readonly<Record<string, string>>;
  /** The native coin, for fees. The faucet gives it even if it cannot be swapped. */
  readonly coin: string;
  /** In blocks: an hour for the source, half of it for the destination. */
  readonly timelocks: {readonly source: number; readonly destination: number};
  /** The confirmations that a deposit requires; 1 by default. */
  readonly confirmations?: number;
  /** The addresses or keys of the solvers on this chain, in the order of the solvers. */
  readonly solvers: readonly string[];
  /** How a hostile service can falsify this family's payload, by name. */
  readonly corruptions: Readonly<Record<string, Corruption>>;

  /** Reads the chain. All synchronous methods below use the last state that was read. */
  sync(): Promise<void>;
  height(): number;
  /** The state of a leg; the same object until the state changes. */
  stateOf(terms: Terms): LegState;

  /** The address in canonical form, or why the text is not one. */
  readAddress(text: string): {address: string} | {problem: string};
  /** The service's key in the contract with this secret, on chains whose contracts have one. */
  delegateOf?(secretHash: string): string;
  swapId(terms: Terms): string;
  /** What `POST /v2/orders` returns besides the order's id. */
  source(terms: Terms): SourceAnswer;
  /** The same in the later generation of the API, which also includes an approval. */
  laterSource(terms: Terms): Promise<SourceAnswer>;
  /** Initiates a leg with its owner's signature of the typed data; returns the transaction's hash. */
  initiateSigned?(terms: Terms, signature: unknown): Promise<string>;

  /** Locks the terms' amount; the initiator is one of the solvers. */
  initiate(terms: Terms): Promise<string>;
  redeem(terms: Terms, secret: string): Promise<string>;
  refund(terms: Terms): Promise<string>;
  /**
   * Returns a source leg's money to its owner before the timelock, with the solver's agreement. On a chain that has
   * this, the service holds the keys of deposits, so the owner cannot refund alone.
   */
  returnDeposit?(terms: Terms): Promise<string>;
  /** The half-signed transaction that returns a source leg's money at once; empty without a deposit. */
  instantRefund?(terms: Terms): string;

  mine(blocks: number): Promise<void>;
  /**
   * Called when a block is due; `awaited` says whether an order waits for it. A chain that keeps every block in memory
   * only mines awaited ones. Absent on a chain with a clock of its own.
   */
  tick?(awaited: boolean): Promise<void>;
  faucet(asset: string, address: string, amount: bigint): Promise<string>;
  /**
   * Pays an affiliate from the service's funds. It only throws if nothing was paid, so that a retry is safe.
   * Absent on chains without payouts.
   */
  payout?(asset: string, address: string, amount: bigint): Promise<string>;
  /** Replaces the blocks since a leg's deposit by others that do not contain it. */
  reorg(terms: Terms): Promise<void>;
  /**
   * Replaces an unconfirmed transaction that the sandbox sent for this leg by one with a higher fee: the redeem of a
   * destination, or a deposit from the faucet, which can also be `withdrawn`. Returns the new hash.
   */
  replace?(terms: Terms, withdrawn: boolean): Promise<string>;
  /** Resolves once the chain's node has ended, with how. Absent if the chain is a part of this process. */
  readonly stopped?: Promise<string>;
  close(): Promise<void>;
}

/** A request that the sandbox rejects, with the response's status and text. */
export class RequestError extends Error {
  constructor(
    readonly text: string,
    readonly status: 400 | 401 | 403 | 404 | 409 | 415 | 503 = 400,
  ) {
    super(text);
    this.name = 'RequestError';
  }
}

/** Computes a value once per terms: it is needed several times a second for every open order. */
export function memoizeByTerms<T>(compute: (terms: Terms) => T): (terms: Terms) => T {
  const known = new WeakMap<Terms, T>();
  return terms => {
    const value = known.get(terms) ?? compute(terms);
    known.set(terms, value);
    return value;
  };
}
