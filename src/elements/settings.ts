import {createSwapApi} from '../api/client.js';
import type {AffiliateFee, checkAffiliateFees, parseAffiliateFees} from '../domain/affiliate.js';
import {parseAmount} from '../domain/amount.js';
import {
  createCatalogue,
  isWebAddress,
  type AssetSettings,
  type ChainFamily,
  type ChainSettings,
  type KnownAssets,
} from '../domain/asset.js';
import type {Policy, SignatureFormat} from '../domain/deposit.js';
import type {Draft, LockedField} from '../domain/draft.js';
import type * as AssetFaults from '../domain/asset-faults.js';
import {SwapError} from '../domain/error.js';
import type {SessionConfig} from '../session/session.js';
import type {StorageKind} from './host.js';
import type * as SettingsFaults from './settings-faults.js';

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

/** What only some settings take, and what is said of those that are wrong. It is loaded for those. */
export interface LateRules {
  readonly faults: typeof SettingsFaults;
  readonly assetFaults: typeof AssetFaults;
  /** All that is known of chains and assets. */
  readonly known: KnownAssets;
  readonly affiliate: {
    readonly parseAffiliateFees: typeof parseAffiliateFees;
    readonly checkAffiliateFees: typeof checkAffiliateFees;
  };
}

/** The same, read and checked. */
export interface ReadSettings {
  readonly config: SessionConfig;
  readonly currency: string | undefined;
  readonly storage: StorageKind;
}

const DEFAULT_TOLERANCE_BPS = 50;
const LARGEST_TOLERANCE_BPS = 1_000;
const DEFAULT_DEPOSIT_MINUTES = 60;
const LOCKABLE: readonly LockedField[] = ['from', 'to', 'amount', 'recipient'];

/**
 * Reads what a partner set. Answers `undefined` where that takes the rules that come late, and they were not given: for
 * other chains and assets than the often named ones, for affiliate fees, and to say what is wrong.
 * @throws SwapError `config` that names the first attribute or property that is wrong, and how it is meant.
 */
export function readSettings(
  settings: Settings,
  families: readonly ChainFamily[],
  late?: LateRules,
): ReadSettings | undefined {
  try {
    return read(settings, families, late);
  } catch (error) {
    if (late) throw error;
    return undefined;
  }
}

/** What is said of a setting that is wrong, by its name in `settings-faults.ts`. */
type Fault = <Name extends keyof typeof SettingsFaults>(
  field: string,
  name: Name,
  ...about: Parameters<(typeof SettingsFaults)[Name]>
) => SwapError;

function read(settings: Settings, families: readonly ChainFamily[], late?: LateRules): ReadSettings | undefined {
  const fault: Fault = (field, name, ...about) => {
    const say = late?.faults[name] as ((...values: readonly unknown[]) => string) | undefined;
    return new SwapError('config', {field, detail: say?.(...about)});
  };
  const {policy = {}, from, to, amount, recipient, refundAddress} = settings;
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
  oneOf(fault, 'order-fields', settings.orderFields, ['solver_id']);
  oneOf(fault, 'signatureFormat', settings.signatureFormat, ['array', 'comma', 'rs']);

  const currency = settings.valueCurrency?.trim();
  if (currency && !/^[a-z]{3}$/i.test(currency)) {
    throw fault('value-currency', 'noCurrency', currency);
  }

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

  const maxBps = wholeNumber(fault, 'policy.maxAffiliateBps', policy.maxAffiliateBps, undefined, 10_000);
  const fees = settings.affiliateFees ?? [];
  if (fees.length && !late) return undefined;

  return {
    config: {
      api,
      service: baseUrl.replace(/\/+$/, ''),
      catalogue,
      prefill: {
        ...(from ? {from: from as Draft['from']} : {}),
        ...(to ? {to: to as Draft['to']} : {}),
        ...(amount ? {amount} : {}),
        ...(recipient ? {recipient} : {}),
        ...(refundAddress ? {refundAddress} : {}),
      },
      locked: locked as LockedField[],
      affiliateFees:
        late?.affiliate.checkAffiliateFees(typeof fees === 'string' ? late.affiliate.parseAffiliateFees(fees) : fees, {
          ...policy,
          ...catalogue,
          maxBps,
        }) ?? [],
      policy: {requirePins: policy.requirePins ?? false},
      priceTolerance: wholeNumber(
        fault,
        'price-tolerance',
        settings.priceTolerance,
        DEFAULT_TOLERANCE_BPS,
        LARGEST_TOLERANCE_BPS,
      ),
      depositWindow:
        wholeNumber(fault, 'policy.depositMinutes', policy.depositMinutes, DEFAULT_DEPOSIT_MINUTES, 1440) * 60_000,
      signatureFormat: settings.signatureFormat ?? 'array',
      nameSolver: settings.orderFields === 'solver_id',
      paused: settings.paused ?? false,
      journal: !settings.noJournal,
      forThisTab: settings.storage === 'session',
      wallets: settings.wallets,
      walletConnect: settings.walletconnectProjectId,
    },
    currency: currency || undefined,
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
  late: LateRules | undefined,
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

function wholeNumber<T>(
  fault: Fault,
  field: string,
  value: string | number | undefined,
  otherwise: T,
  largest: number,
): number | T {
  if (value === undefined || value === '') return otherwise;
  const text = String(value);
  const number = Number(text);
  if (!/^\d{1,6}$/.test(text) || number > largest) {
    throw fault(field, 'noWholeNumber', text, largest);
  }
  return number;
}
