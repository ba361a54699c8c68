import {createSwapApi} from '../api/client.js';
import type {AffiliateFee} from '../domain/affiliate.js';
import {parseAmount} from '../domain/amount.js';
import {
  createCatalogue,
  isWebAddress,
  type AssetSettings,
  type ChainFamily,
  type ChainSettings,
} from '../domain/asset.js';
import type {Policy, SignatureFormat} from '../domain/deposit.js';
import type {Draft, LockedField} from '../domain/draft.js';
import {SwapError} from '../domain/error.js';
import type {SessionConfig} from '../session/session.js';
import type {StorageKind} from './host.js';
import type * as LateRules from './settings-late.js';

/** Rules that a partner makes stricter or fills in. */
export interface PolicySettings extends Partial<Policy> {
  /** Swap contracts per asset id; they replace the known ones. */
  readonly contracts?: Readonly<Record<string, readonly string[]>>;
  /** The most that all payees together may be paid, in basis points. Default: 300. */
  readonly maxAffiliateBps?: number;
  /** The ids of the assets that payees may be paid in. Default: USDC and cbBTC, where they are known. */
  readonly payoutAssets?: readonly string[];
  /** How long a swap may be paid after it was placed, in minutes. Default: 60. */
  readonly depositMinutes?: number;
}

/** What a partner set, as attributes or properties, read by nobody yet. */
export interface Settings {
  readonly baseUrl?: string | undefined;
  readonly appId?: string | undefined;
  readonly appIdHeader?: string | undefined;
  readonly assets?: string | readonly (string | AssetSettings)[] | undefined;
  readonly affiliateFees?: string | readonly AffiliateFee[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly amount?: string | undefined;
  readonly recipient?: string | undefined;
  readonly refundAddress?: string | undefined;
  readonly priceTolerance?: string | number | undefined;
  readonly rpc?: string | undefined;
  readonly orderFields?: string | undefined;
  readonly theme?: string | undefined;
  readonly valueCurrency?: string | undefined;
  readonly lock?: string | undefined;
  readonly storage?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly noJournal?: boolean | undefined;
  readonly chains?: Readonly<Record<string, ChainSettings>> | undefined;
  readonly policy?: PolicySettings | undefined;
  readonly signatureFormat?: SignatureFormat | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly wallets?: SessionConfig['wallets'];
  readonly walletconnectProjectId?: string | undefined;
}

/** What few pages set, read and checked. */
export interface RareSettings extends Pick<
  SessionConfig,
  'affiliateFees' | 'policy' | 'priceTolerance' | 'depositWindow' | 'signatureFormat' | 'nameSolver'
> {
  readonly currency?: string | undefined;
}

/** The same, read and checked. */
export interface ReadSettings {
  readonly config: SessionConfig;
  readonly currency: string | undefined;
  readonly storage: StorageKind;
}

/** Where nothing of it is set. */
export const DEFAULTS: RareSettings = {
  affiliateFees: [],
  policy: {requirePins: false},
  priceTolerance: 50,
  depositWindow: 3_600_000,
  signatureFormat: 'array',
  nameSolver: false,
};
const RARE = ['affiliateFees', 'orderFields', 'policy', 'priceTolerance', 'signatureFormat', 'valueCurrency'] as const;
const LOCKABLE: readonly LockedField[] = ['from', 'to', 'amount', 'recipient'];

/**
 * Reads what a partner set. Answers `undefined` where that takes the rules that come late, and they were not given: for
 * other chains and assets than the often named ones, for what few pages set, and to say what is wrong.
 * @throws SwapError `config` that names the first attribute or property that is wrong, and how it is meant.
 */
export function readSettings(
  settings: Settings,
  families: readonly ChainFamily[],
  late?: typeof LateRules,
): ReadSettings | undefined {
  try {
    return read(settings, families, late);
  } catch (error) {
    if (late) throw error;
    return undefined;
  }
}

/** What is said of a setting that is wrong, by its name in `settings-late.ts`. */
type Faults = typeof LateRules.faults;
type Fault = <Name extends keyof Faults>(field: string, name: Name, ...about: Parameters<Faults[Name]>) => SwapError;

function read(settings: Settings, families: readonly ChainFamily[], late?: typeof LateRules): ReadSettings | undefined {
  const fault: Fault = (field, name, ...about) => {
    const say = late?.faults[name] as ((...values: readonly unknown[]) => string) | undefined;
    return new SwapError('config', {field, detail: say?.(...about)});
  };
  const {from, to, amount, recipient, refundAddress} = settings;
  const baseUrl = settings.baseUrl?.trim() ?? '';
  if (!baseUrl) throw fault('base-url', 'noService');
  const api = createSwapApi({
    baseUrl,
    appId: settings.appId,
    appIdHeader: settings.appIdHeader,
    fetch: settings.fetch,
  });
  oneOf(fault, 'theme', settings.theme, ['light', 'dark', 'auto']);
  oneOf(fault, 'storage', settings.storage, ['local', 'session']);

  const catalogue = readCatalogue(fault, settings, families, late);
  if (!catalogue) return undefined;
  for (const [field, id] of [['from', from] as const, ['to', to] as const]) {
    if (id && !catalogue.find(id)) throw fault(field, 'notOffered', id);
  }
  if (from && from === to) throw fault('to', 'sameAsset');
  const decimals = catalogue.find(from ?? '')?.decimals ?? 18;
  if (amount && typeof parseAmount(amount, decimals) === 'string') {
    throw fault('amount', 'noAmount', amount, decimals);
  }

  const locked = (settings.lock ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = locked.find(field => !(LOCKABLE as readonly string[]).includes(field));
  if (unknown !== undefined) throw fault('lock', 'notLockable', unknown, LOCKABLE);
  const empty = (['from', 'to', 'amount', 'recipient'] as const).find(
    field => locked.includes(field) && !settings[field],
  );
  if (empty) throw fault('lock', 'lockedEmpty', empty);

  // A zero counts as set; an empty text or list does not.
  const isSet = (value: unknown) => value !== undefined && (value as {length?: number}).length !== 0;
  if (!late && RARE.some(name => isSet(settings[name]))) return undefined;
  const {currency, ...rare} = late?.readRare(settings, catalogue) ?? DEFAULTS;

  return {
    config: {
      api,
      service: baseUrl.replace(/\/+$/, ''),
      catalogue,
      hasAppId: Boolean(settings.appId),
      prefill: {
        ...(from ? {from: from as Draft['from']} : {}),
        ...(to ? {to: to as Draft['to']} : {}),
        ...(amount ? {amount} : {}),
        ...(recipient ? {recipient} : {}),
        ...(refundAddress ? {refundAddress} : {}),
      },
      locked: locked as LockedField[],
      ...rare,
      paused: settings.paused ?? false,
      journal: !settings.noJournal,
      forThisTab: settings.storage === 'session',
      wallets: settings.wallets,
      walletConnect: settings.walletconnectProjectId,
    },
    currency,
    storage: settings.storage === 'session' ? 'session' : 'local',
  };
}

function readList(assets: Settings['assets']): readonly (string | AssetSettings)[] {
  return typeof assets === 'string' ? assets.split(/[\s,]+/).filter(Boolean) : (assets ?? []);
}

function readCatalogue(
  fault: Fault,
  {assets, chains = {}, rpc, from, to, policy}: Settings,
  families: readonly ChainFamily[],
  late: typeof LateRules | undefined,
) {
  const list = readList(assets);
  if (!late && (!list.length || list.some(item => typeof item === 'string' && item.endsWith(':*')))) return undefined;
  const named: Record<string, ChainSettings> = {...chains};
  for (const [chain, address] of readRpc(fault, rpc ?? '')) named[chain] = {...named[chain], rpc: address};
  try {
    return createCatalogue({
      families,
      ...(late ? {known: late.known, faults: late.assetFaults} : {}),
      chains: named,
      hints: [from, to].filter(id => id !== undefined),
      ...(list.length ? {assets: list} : {}),
      ...(policy?.contracts ? {contracts: policy.contracts} : {}),
    });
  } catch (error) {
    if (!late) return undefined;
    // A chain that only `rpc` names is that attribute's mistake.
    const chain = error instanceof SwapError ? /^chains\.([^.]+)/.exec(error.field ?? '')?.[1] : undefined;
    if (chain === undefined || chain in chains) throw error;
    throw fault('rpc', 'unknownChain', chain);
  }
}

/** Reads the `rpc` attribute: a chain's name and a web address, with commas between them. */
function readRpc(fault: Fault, text: string): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const entry of text.split(',').filter(each => each.trim() !== '')) {
    const [chain = '', address = '', ...rest] = entry.trim().split(/\s+/);
    if (rest.length || !isWebAddress(address)) {
      throw fault('rpc', 'notChainAndAddress', entry.trim());
    }
    result.set(chain, address);
  }
  return result;
}

function oneOf(fault: Fault, field: string, value: string | undefined, allowed: readonly string[]) {
  if (value && !allowed.includes(value)) throw fault(field, 'notOneOf', value, allowed);
}
