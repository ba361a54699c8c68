/**
 * The playground's settings, as texts by name: stored in the page's URL, and set on the widget.
 *
 * A URL may come from anyone. Its invalid or unknown parts are ignored and reported; a service is only used once the
 * person has agreed to it; and keys are never in a URL.
 */
import {KEPT_IN_TAB, readValue, type Control} from './controls.js';

export type Configuration = ReadonlyMap<string, string>;

export interface Values {
  /** `true` for boolean attributes. */
  readonly attributes: ReadonlyMap<string, string | true>;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly styles: ReadonlyMap<string, string>;
  /** The errors of texts, by control. Such a text is not set. */
  readonly problems: ReadonlyMap<string, string>;
}

/** What the playground itself stores in its URL. */
const PAGE_FIELDS = ['brand', 'frame', 'host', 'tab', 'code', 'stage', 'faults'] as const;
export type PageField = (typeof PAGE_FIELDS)[number];

export interface ReadAddress {
  readonly configuration: Configuration;
  readonly page: Readonly<Partial<Record<PageField, string>>>;
  /** A service in the URL that nobody has agreed to yet. */
  readonly service: string | undefined;
  /** What was ignored, and why. */
  readonly notes: readonly string[];
}

export const BEGINNING: Configuration = new Map([
  ['from', 'base_sepolia:wbtc'],
  ['to', 'ethereum_sepolia:usdc'],
  ['amount', '0.01'],
]);

const SERVICE = 'base-url';
const AGREED = 'playground:service';
const KEPT = 'playground:kept';
/** What the widget itself may store in the URL (`url-sync`). */
const OF_WIDGET = /^swap(?:$|[-.:])/;

export function readAddress(search: string, controls: readonly Control[], storage: Storage): ReadAddress {
  const configuration = new Map(BEGINNING);
  const page: Partial<Record<PageField, string>> = {};
  const notes: string[] = [];
  let service: string | undefined;
  const take = (name: string, text: string) => {
    const control = controls.find(one => one.name === name);
    if (!control) {
      notes.push(`${name}: there is no such attribute, property or custom property.`);
      return;
    }
    const read = text === '' ? {value: ''} : readValue(control, text);
    if ('problem' in read) notes.push(`${name}: ${read.problem}`);
    else if (text === '') configuration.delete(name);
    else configuration.set(name, text);
  };
  for (const [name, text] of new URLSearchParams(search)) {
    if (isPageField(name)) page[name] = text;
    else if (OF_WIDGET.test(name)) continue;
    else if (KEPT_IN_TAB.includes(name)) notes.push(`${name}: it may hold a key, so it is not read from an address.`);
    else if (name === SERVICE && text !== '' && storage.getItem(AGREED) !== text) service = text;
    else take(name, text);
  }
  for (const [name, text] of readKept(storage)) take(name, text);
  return {configuration, page, service, notes};
}

/** Writes a URL that restores everything, and stores in the tab what is never in a URL. */
export function writeAddress(
  address: URL,
  configuration: Configuration,
  page: Readonly<Partial<Record<PageField, string>>>,
  storage: Storage,
): URL {
  const result = new URL(address);
  for (const name of [...result.searchParams.keys()]) {
    if (!OF_WIDGET.test(name)) result.searchParams.delete(name);
  }
  const kept: [string, string][] = [];
  for (const [name, text] of configuration) {
    if (KEPT_IN_TAB.includes(name)) kept.push([name, text]);
    else if (BEGINNING.get(name) !== text) result.searchParams.set(name, text);
  }
  // Initial settings that were removed.
  for (const name of BEGINNING.keys()) if (!configuration.has(name)) result.searchParams.set(name, '');
  for (const [name, text] of Object.entries(page)) if (text) result.searchParams.set(name, text);
  storage.setItem(KEPT, JSON.stringify(kept));
  return result;
}

/** Agrees to a service for as long as the tab is open. */
export function agreeTo(service: string, storage: Storage): void {
  storage.setItem(AGREED, service);
}

export function valuesOf(configuration: Configuration, controls: readonly Control[]): Values {
  const attributes = new Map<string, string | true>();
  const properties = new Map<string, unknown>();
  const styles = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const control of controls) {
    const {name, target, kind} = control;
    const text = configuration.get(name);
    if (text === undefined) continue;
    const read = readValue(control, text);
    if ('problem' in read) problems.set(name, read.problem);
    else if (target === 'attribute') attributes.set(name, kind === 'switch' ? true : text);
    else if (target === 'style') styles.set(name, text);
    else properties.set(name, read.value);
  }
  return {attributes, properties, styles, problems};
}

/** Sets exactly these values on a widget. Equal values are not set again: each setting would be read again. */
export function apply(widget: HTMLElement, values: Values, controls: readonly Control[], before?: Values): void {
  for (const {name, target} of controls) {
    if (target === 'attribute') {
      const value = values.attributes.get(name);
      if (value === undefined) widget.removeAttribute(name);
      else if (widget.getAttribute(name) !== textOf(value)) widget.setAttribute(name, textOf(value));
    } else if (target === 'style') {
      const value = values.styles.get(name);
      if (value === undefined) widget.style.removeProperty(name);
      else widget.style.setProperty(name, value);
    }
  }
  for (const name of new Set([...(before?.properties.keys() ?? []), ...values.properties.keys()])) {
    const value = values.properties.get(name);
    if (!isSame(value, before?.properties.get(name))) Object.assign(widget, {[name]: value});
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}

function textOf(value: string | true): string {
  return value === true ? '' : value;
}

function isPageField(name: string): name is PageField {
  return (PAGE_FIELDS as readonly string[]).includes(name);
}

function readKept(storage: Storage): readonly (readonly [string, string])[] {
  try {
    return JSON.parse(storage.getItem(KEPT) ?? '[]') as [string, string][];
  } catch {
    return [];
  }
}
