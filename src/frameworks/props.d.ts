import type {SETTINGS, Settings} from '../elements/settings/settings.js';
import type {StatusSettings} from '../elements/swap-status.js';
import type {SwapEventMap} from '../events.js';

/** `base-url` for `baseUrl`, as in markup. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

/** The attributes in markup. */
export type Attributes = {
  [Name in keyof Settings as (typeof SETTINGS)[Name] extends {readonly attribute: false} ? never : Kebab<Name>]?:
    Extract<Settings[Name], string | number | boolean> | undefined;
};

/** Listeners for an element's events, with a prefix: `onswap-complete`. */
export type Listeners<Prefix extends string, Names extends keyof SwapEventMap = keyof SwapEventMap> = {
  [Name in Names as `${Prefix}${Name}`]?: ((event: SwapEventMap[Name]) => void) | undefined;
};

/** The attributes and properties of the element in JSX; settings can be written either way. */
export type Props = Omit<Attributes, keyof Settings> & Settings;

/** The same for `<swap-status>`. */
export type StatusProps = Pick<Props, Extract<keyof Props, keyof StatusSettings | Kebab<keyof StatusSettings>>>;
/** The events of `<swap-status>`. */
export type StatusEvents = 'swap-status' | 'swap-complete' | 'swap-refund' | 'swap-error';
