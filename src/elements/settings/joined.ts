/* Old names of what was joined into other settings and events. They are read until 1.0, and the console names the new. */
import {readDialect, type ServiceDialect} from '../../api/dialect.js';
import {PAYOUT} from '../../domain/affiliate.js';
import {vouchedText, type VouchedSettings} from '../../domain/vouched.js';
import {warnOnce} from '../../domain/warn-once.js';
import {SwapTrackEvent, type Tracked} from '../../events.js';
import {readList} from './form.js';
import type {PolicySettings, Settings} from './settings.js';

type Joined = 'assets' | 'contracts' | 'service' | 'storage' | 'unverified';
export type Old = 'appIdHeader' | 'excludeAssets' | 'noJournal' | 'orderFields' | 'signatureFormat';

interface OldPolicy extends PolicySettings {
  readonly contracts?: Exclude<VouchedSettings, string>;
  readonly payoutAssets?: readonly string[];
  readonly requirePins?: boolean;
}

/** The settings that others were joined into, with what the page set under the old names. */
export function joined(settings: Pick<Settings, Joined | Old | 'policy'>): Pick<Settings, Joined> {
  const {assets, contracts, service, unverified, policy = {}} = settings;
  const {contracts: ofPolicy, payoutAssets, requirePins}: OldPolicy = policy;
  const dialect: ServiceDialect = {
    ...instead(settings.appIdHeader, 'app-id-header', `service='{"header": …}'`, header => ({header})),
    ...instead(settings.orderFields, 'order-fields', `service='{"fields": […]}'`, field => ({fields: [field]})),
    ...instead(settings.signatureFormat, 'signatureFormat', `service='{"signature": …}'`, signature => ({signature})),
    ...instead(payoutAssets, 'policy.payoutAssets', `service='{"payout": […]}'`, more => ({
      payout: [...PAYOUT, ...more],
    })),
  };
  const less = instead(settings.excludeAssets, 'exclude-assets', 'assets="-chain:name"', list =>
    readList(list).map(id => `-${id}`),
  );
  return {
    service: Object.keys(dialect).length ? {...dialect, ...readDialect(service)} : service,
    assets: less ? [...readList(assets), ...less] : assets,
    storage: instead(settings.noJournal, 'no-journal', 'storage="none"', () => 'none') ?? settings.storage,
    unverified: instead(requirePins, 'policy.requirePins', 'unverified="stop"', () => 'stop') ?? unverified,
    contracts: instead(ofPolicy, 'policy.contracts', 'contracts', more => vouchedText(contracts, more)) ?? contracts,
  };
}

/** What the page set under an old name, in the new form; `undefined` if it set nothing. */
function instead<Before, const Now>(
  set: Before | undefined,
  name: string,
  now: string,
  made: (set: Before) => Now,
): Now | undefined {
  if (!set) return undefined;
  tellOld(name, now);
  return made(set);
}

/** An event under its old name, which the console names once somebody reads it. */
export function underOldName(tracked: Tracked): SwapTrackEvent {
  const {what, ...fields} = tracked;
  const event = new SwapTrackEvent({what}, `swap-${what}`);
  for (const [name, value] of Object.entries(fields)) {
    const get = () => (tellOld(event.type, 'swap-track'), value);
    Object.defineProperty(event, name, {get, enumerable: true});
  }
  return event;
}

function tellOld(name: string, now: string): void {
  warnOnce(`${name}: this old name is read until 1.0. Use ${now}.`);
}
