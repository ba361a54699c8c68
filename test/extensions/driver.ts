/** What a person does on a wallet's own screens, as data: which buttons and fields, by their text. */
import type {ChainFamily} from '../../src/domain/asset.js';
import type {BackEnd} from './back-ends.js';

/** The full name or text of a button or field, ignoring case and spaces, or a pattern for it. */
export type Name = string | RegExp;

/**
 * One thing that a person does in any of a wallet's windows, as soon as it is possible. In texts, `{password}`,
 * `{words}` (the twelve words of a new wallet), `{word 1}` to `{word 12}`, and `{rpc base_sepolia}` (a chain's node)
 * are replaced.
 */
export type Deed =
  | {readonly open: string}
  /** Presses a button, or anything with this text. `ifAny`: only if it appears within two seconds. */
  | {readonly press: Name; readonly ifAny?: boolean}
  | {readonly write: string; readonly into: Name}
  | {readonly see: Name};

export interface Driver {
  /** Recognizes the extension by the name in its manifest. */
  readonly manifest: RegExp;
  /** Its expected name in the widget's list. */
  readonly name: string;
  readonly families: readonly ChainFamily[];
  /** Creates a wallet, from twelve words or its own; its windows are closed afterwards. */
  readonly setUp: readonly Deed[];
  /** The buttons that approve its prompts: the first that exists is pressed. Those of `refuse` reject a prompt. */
  readonly approve: readonly Name[];
  readonly refuse: readonly Name[];
  readonly lock?: readonly Deed[];
  /** In a prompt's window, or in a separate one. */
  readonly unlock?: readonly Deed[];
  readonly account?: readonly Deed[];
  /** URLs of the wallet's servers, each with the sandbox's chain that responds in its place, or a path of its node. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** URLs of its vendor's servers, without which it does not pay, each with what responds in its place. */
  readonly backEnds?: Readonly<Record<string, BackEnd>>;
  /** For how many seconds a wallet caches the list of its coins: a payment within that time would spend the same ones. */
  readonly coinsKept?: number;
  /** For how many seconds a wallet caches its balance: it sends nothing that this does not cover. */
  readonly balanceKept?: number;
}
