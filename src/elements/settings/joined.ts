/* Names that the console corrects: old ones of what was joined into other settings, read until 1.0, and misspelt ones. */
import {readDialect, type ServiceDialect} from '../../api/dialect.js';
import {PAYOUT} from '../../domain/affiliate.js';
import {vouchedText, type VouchedSettings} from '../../domain/vouched.js';
import {warnOnce} from '../../domain/warn-once.js';
import {attributeOf} from '../base/public.js';
import {readList} from './form.js';
import {SETTINGS, type PolicySettings, type Settings} from './settings.js';

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
  warnOnce(`${name}: this old name is read until 1.0. Use ${now}.`);
  return made(set);
}

/** Says which attribute a page's misspelt one was meant to be. It would be ignored, and fees with it. */
export function nameMisspelt(widget: Element): void {
  const known = (Object.keys(SETTINGS) as (keyof Settings)[]).map(attributeOf);
  for (const name of widget.getAttributeNames()) {
    const meant = known.includes(name) ? undefined : known.find(one => isNear(one, name));
    if (meant !== undefined) warnOnce(`${name}: no such attribute. Did you mean ${meant}?`);
  }
}

function isNear(one: string, other: string): boolean {
  const rest = one.split('').reduce((left, letter) => left.replace(letter, ''), other);
  return one.length > 3 && rest.length < 2 && Math.abs(one.length - other.length) < 2;
}
