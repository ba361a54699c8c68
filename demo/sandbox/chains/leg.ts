/**
 * The one interface behind which the sandbox's chains sit. Orders, solver and service know nothing else of a
 * chain, so a new family is one more file beside `evm.ts`.
 */

/** What one leg of an order agreed on. Whatever the chain holds is held against this. */
export interface Terms {
  /** The asset of this leg, `chain:name`. */
  readonly asset: string;
  /** Who locks the amount, and gets it back on a refund. */
  readonly initiator: string;
  /** Who receives the amount once the secret is shown. */
  readonly redeemer: string;
  /** After how many blocks of this chain the initiator may take it back. */
  readonly timelock: number;
  readonly amount: bigint;
  /** SHA-256 of the secret, hex without prefix. */
  readonly secretHash: string;
  /** The service's own key in the contract, where the chain's contracts hold one for whoever has but an address. */
  readonly delegate?: string;
}

/** A transaction as the chain shows it now. */
export interface Sighting {
  /** As the interface writes it: several payments into one leg are a comma list, and on Bitcoin name their blocks. */
  readonly hash: string;
  /** The block that holds it; 0 while none does. */
  readonly block: number;
  /** When the sandbox first saw this transaction. */
  readonly at: Date;
}

/** What the chain says of one leg at this moment. A reorganisation takes any of it back. */
export interface LegState {
  /** What has been locked, in the smallest unit. */
  readonly filled: bigint;
  /**
   * Whether what has been locked is what the terms say: redeemer, timelock, and the amount exactly; or at least, on a
   * chain where anyone may pay anything to an address.
   */
  readonly asAgreed: boolean;
  /** Where several payments add up: the one that made the amount full, or the last one while none did. */
  readonly initiated?: Sighting;
  readonly redeemed?: Sighting & {readonly secret: string};
  readonly refunded?: Sighting;
  /** What `giveBack` would send now. */
  readonly returnable?: bigint;
}

/** An asset as it lives on its chain. */
export interface LocalAsset {
  readonly symbol: string;
  readonly decimals: number;
  /** The token's address; absent for a chain's own coin. */
  readonly token?: string;
  /** The contracts an order's deposit may be locked in. */
  readonly contracts: readonly string[];
}

/** What a wrong payload of a hostile service is made from. */
export type Corruption = (answer: SourceAnswer, terms: Terms) => SourceAnswer;

/** The fields that an order's answer adds for this family of source chains. */
export type SourceAnswer = Readonly<Record<string, unknown>>;

/** One local chain with the sandbox's contracts on it. */
export interface ChainLeg {
  /** The chain's name, as in an asset's identifier. */
  readonly name: string;
  readonly family: string;
  /** What `GET /sandbox` tells of the chain beside its assets: identifiers, RPC address. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Real seconds from block to block while somebody waits for them; null when blocks come on demand. */
  readonly blockSeconds: number | null;
  /** Swappable assets by identifier. */
  readonly assets: Readonly<Record<string, LocalAsset>>;
  /** The coin that fees are paid in. The faucet gives it, whether it is swapped or not. */
  readonly coin: string;
  /** An hour of this chain's blocks for the source, half of it for the destination. */
  readonly timelocks: {readonly source: number; readonly destination: number};
  /** How many confirmations a deposit wants; 1 unless said. */
  readonly confirmations?: number;
  /** The addresses, or keys, of the solvers on this chain, in the solvers' order. */
  readonly solvers: readonly string[];
  /** The ways in which a hostile service may falsify this family's payload, by name. */
  readonly corruptions: Readonly<Record<string, Corruption>>;

  /** Reads the chain anew. Everything below that is not a promise answers from the last reading. */
  sync(): Promise<void>;
  height(): number;
  /** What the chain says of a leg: the same object for as long as it says nothing else. */
  stateOf(terms: Terms): LegState;

  /** The address in the form the chain writes it, or why the text is none. */
  readAddress(text: string): {address: string} | {problem: string};
  /** The service's key in the contract of this secret, on chains whose contracts hold one. */
  delegateOf?(secretHash: string): string;
  swapId(terms: Terms): string;
  /** What `POST /v2/orders` answers besides the order's identifier. */
  source(terms: Terms): SourceAnswer;
  /** The answer in the later generation of the interface, which also names an approval. */
  laterSource(terms: Terms): Promise<SourceAnswer>;
  /** Starts a leg with its owner's signature of the typed data; answers the transaction's hash. */
  initiateSigned?(terms: Terms, signature: unknown): Promise<string>;

  /** Locks the terms' amount; the initiator is one of the solvers. */
  initiate(terms: Terms): Promise<string>;
  redeem(terms: Terms, secret: string): Promise<string>;
  refund(terms: Terms): Promise<string>;
  /**
   * Sends what lies in a source leg back to its owner before the timelock: the solver agrees to it. A chain that has
   * this keeps the keys of a deposit with the service, so its owner cannot take it back alone.
   */
  giveBack?(terms: Terms): Promise<string>;
  /** The service's half of the transaction by which a source leg's money goes back at once; empty without a deposit. */
  instantRefund?(terms: Terms): string;

  mine(blocks: number): Promise<void>;
  /**
   * The time for a block has come, which an order waits for or does not. On a chain that keeps every block in memory
   * none is made that nobody waits for. Absent where the chain keeps the time itself.
   */
  tick?(awaited: boolean): Promise<void>;
  faucet(asset: string, address: string, amount: bigint): Promise<string>;
  /**
   * Pays an affiliate from a purse of the service's own. Throws only where nothing was paid: it is then paid again.
   * Absent where affiliates are not paid.
   */
  payout?(asset: string, address: string, amount: bigint): Promise<string>;
  /** Replaces the blocks since a leg's deposit by others that do not hold it. */
  reorg(terms: Terms): Promise<void>;
  /**
   * Replaces a transaction that waits for a block and that the sandbox sent for this leg, by one with a higher fee: the
   * redeem of a destination, or a deposit from the faucet, which may be `withdrawn` too. Answers the new hash.
   */
  replace?(terms: Terms, withdrawn: boolean): Promise<string>;
  close(): Promise<void>;
}

/** Something the sandbox does not do for the one who asked, with the status and the text of the answer. */
export class Refusal extends Error {
  constructor(
    readonly text: string,
    readonly status: 400 | 401 | 403 | 404 | 409 | 415 = 400,
  ) {
    super(text);
    this.name = 'Refusal';
  }
}

/** What is worked out of terms, once for each: every open order's are asked for several times in a second. */
export function onceForEach<T>(workOut: (terms: Terms) => T): (terms: Terms) => T {
  const known = new WeakMap<Terms, T>();
  return terms => {
    const value = known.get(terms) ?? workOut(terms);
    known.set(terms, value);
    return value;
  };
}
