/** What a person does on a wallet's own screens, as data: which buttons and fields, by what is read on them. */
import type {ChainFamily} from '../../src/domain/asset.js';
import type {BackEnd} from './back-ends.js';

/** The whole name or text of a button or field, whatever its case and spaces, or a pattern for it. */
export type Name = string | RegExp;

/**
 * One thing that a person does in any of a wallet's windows, as soon as it can be done. In texts, `{password}`, `{words}`
 * (the twelve words of a new wallet), `{word 1}` to `{word 12}`, and `{rpc base_sepolia}` (a chain's node) are filled in.
 */
export type Deed =
  /** Opens a page of the extension. */
  | {readonly open: string}
  /** Presses a button, or whatever has this text. `ifAny`: only where it is there within two seconds. */
  | {readonly press: Name; readonly at?: number; readonly ifAny?: boolean}
  /** Writes into a field with this label, placeholder or name; `at` counts fields of the same name from 0. */
  | {readonly write: string; readonly into: Name; readonly at?: number}
  /** Waits until this is read. */
  | {readonly see: Name}
  /** Presses a key, such as `Enter`. */
  | {readonly key: 'Enter' | 'Escape'};

/** A wallet extension, and how it is used. */
export interface Driver {
  /** Tells the extension by the name in its manifest. */
  readonly manifest: RegExp;
  /** What the widget's list has to call it. */
  readonly name: string;
  readonly families: readonly ChainFamily[];
  /** Makes a wallet, from twelve new words or its own; what is open afterwards is closed. */
  readonly setUp: readonly Deed[];
  /** The buttons that lead through its prompts, the first that is there; those of `refuse` end a prompt. */
  readonly approve: readonly Name[];
  readonly refuse: readonly Name[];
  /** Deeds that not all wallets know. */
  readonly lock?: readonly Deed[];
  /** In the window of a prompt, or in one of its own. */
  readonly unlock?: readonly Deed[];
  /** Makes another account the one that this page sees. */
  readonly account?: readonly Deed[];
  /** Puts the wallet on another network than the page wants. */
  readonly network?: readonly Deed[];
  /** Addresses of servers that the wallet knows, each with the sandbox's chain that answers there. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** Addresses of its makers' servers, without which it would not pay, each with what answers there. */
  readonly backEnds?: Readonly<Record<string, BackEnd>>;
  /** For how many seconds a wallet keeps the list of its coins: a payment within that time would spend the same ones. */
  readonly coinsKept?: number;
  /** Steps that this wallet cannot do, each with the reason. */
  readonly cannot?: Readonly<Partial<Record<Step, string>>>;
}

/** The steps of a trial, in their order. */
export const STEPS = [
  'wallet made',
  'found and named',
  'connect refused',
  'connected',
  'network',
  'payment refused',
  'by signature',
  'by transaction',
  'batch',
  'reload',
  'other account',
  'locked',
  'refund',
] as const;

export type Step = (typeof STEPS)[number];
