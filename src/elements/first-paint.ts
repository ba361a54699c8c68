/*
 * Renders the form, or the button of `variant="button"`, as markup that a browser shows before any script: the same
 * elements and templates as in the page, but without a document. Only loaded by servers and by the build.
 *
 * Each element is rendered with its own shadow root and its style sheets, under another name
 * (`swap-still-…`), so that none of it is upgraded. The root becomes
 *
 *     <!---->                      the end of Lit's rendering, which stays
 *     <style>…</style>             from here on everything is removed once the live form is there (`take-over.ts`)
 *     <swap-still-form-view hidden>…</swap-still-form-view>
 *     <slot hidden></slot>         the page's content between the tags, for browsers without scripts
 *
 * The first of these style sheets hides the live content of the root until then; without it, if the page's policy
 * forbids it or it is removed, the static form is hidden and the live one is visible. A button records its click by
 * opening an empty popover, without a script.
 */
import {sha256} from '@noble/hashes/sha2.js';
import type {CSSResult, LitElement, TemplateResult} from 'lit';
import {createDraft} from '../session/draft.js';
import type {FirstMessages} from '../locales/messages.js';
import {directionOf} from '../locales/languages.js';
import {lookOf, PARTS, SLOTS} from './base/public.js';
import {share, SHARED, type Shared, type SwapElement} from './base/swap-element.js';
import {AddressField} from './form/address-field.js';
import {AmountField} from './form/amount-field.js';
import {FormView} from './form/form-view.js';
import {Launch} from './launch.js';
import {tokens} from './style/tokens.js';
import {keepsSwaps, readFormSettings} from './settings/form.js';
import type {Settings} from './settings/settings.js';

/** The elements that are loaded with the form. All others in its templates are empty until their code is loaded. */
const ELEMENTS: Readonly<Record<string, new () => SwapElement>> = {
  'swap-widget-form-view': FormView,
  'swap-widget-amount-field': AmountField,
  'swap-widget-address-field': AddressField,
  'swap-widget-launch': Launch,
};

/** The unit of every length, for the document: only there can a property be defined (`defineUnit`). */
const UNIT = '@property --_swap-unit{syntax:"<length>";inherits:true;initial-value:16px}';

const READ = new Set(
  [tokens.cssText, ...Object.values(ELEMENTS).map(textOf)].flatMap(text => text.match(/(?<=var\()--[\w-]+/g) ?? []),
);

/** The styles of the widget's own root: they show the static form, once all of it is there, and hide the live one until it takes over. */
const OUTER =
  named(tokens.cssText).replace(/(--_[\w-]+):[^;]*;/g, (rule, name: string) => (READ.has(name) ? rule : '')) +
  ':host>*{display:none}:host>swap-still-form-view{display:block}:host>swap-still-launch{display:inline-block}' +
  ':host>swap-still-form-view:last-child{visibility:hidden}' +
  '@media (scripting:none){:host>swap-still-form-view,:host>swap-still-launch{display:none}:host>slot{display:contents}}';
const PRESSES = '[popover]{display:none!important}';

export interface Words {
  readonly language: string;
  readonly form: FirstMessages;
}

export function drawForm(settings: Settings, {language, form}: Words): string {
  const shared = sharedBy(settings, form);
  const isButton = settings.variant === 'button';
  const tag = isButton ? 'swap-widget-launch' : 'swap-widget-form-view';
  const attributes = isButton ? '' : ` lang="${language}" dir="${directionOf(new Intl.Locale(language))}"`;
  const {root} = drawElement(tag, {}, shared);
  const inner = isButton
    ? `<slot name="launch" slot="launch">${escaped(shared.$look.get().messages.swap)}</slot>`
    : SLOTS.filter(name => root.includes(`<slot name="${name}"`))
        .map(name => `<slot name="${name}" slot="${name}"></slot>`)
        .join('');
  const parts = `${PARTS}, launch, dialog`.split(', ').filter(name => root.includes(`part="${name}"`));
  const drawn = `<${tag} exportparts="${parts.join()}"${attributes} hidden>${root}${inner}</${tag}>`
    // With their own names they would be upgraded.
    .replace(/(<\/?)swap-widget-/g, '$1swap-still-')
    .replace(/ {2,}/g, ' ')
    // Between blocks, and at the end of classes, spaces have no effect.
    .replace(/ (?=<\/?(?:div|footer|h2|header|label|p|section|slot)\b)/g, '')
    .replace(/(class="[^"]*) "/g, '$1"')
    .replaceAll('=""', '')
    // Late parts take no space before they are loaded, except for the notes.
    .replace(/ <(swap-still-[\w-]+)(?: class="extra")?><\/\1>/g, '')
    .replace(/<(?:section|button)(?= )/, '$& aria-busy="true"');
  // The unit comes first: a browser may show a part of the page before the rest arrives.
  return `${style(UNIT)}<template shadowrootmode="open"><!---->${style(OUTER)}${drawn}<slot hidden></slot></template>`;
}

export function hashStyles(): readonly string[] {
  const texts = [UNIT, OUTER, ...Object.values(ELEMENTS).map(one => textOf(one) + PRESSES)];
  return texts.map(text => `'sha256-${btoa(String.fromCharCode(...sha256(new TextEncoder().encode(text))))}'`);
}

/** What the parts of a widget share at the first rendering: before the settings and the late messages are loaded. */
function sharedBy(settings: Settings, form: FirstMessages): Shared {
  const draft = createDraft();
  const preview = readFormSettings(settings);
  if (preview) draft.preview(preview);
  const look = lookOf({language: 'en', locale: 'en', form}, settings.messages, {
    currency: 'USD',
    header: !settings.noHeader,
    journal: keepsSwaps(settings),
    locked: preview?.locked ?? [],
  });
  return share(draft, look);
}

/** An element with these attributes and properties: its shadow root, and the attributes that it sets itself. */
function drawElement(tag: string, set: Readonly<Record<string, unknown>>, shared: Shared) {
  const Element = ELEMENTS[tag];
  if (!Element) return {root: '', own: ''};
  const rules = textOf(Element) + PRESSES;
  const element = new Element();
  element[SHARED] = shared;
  // Outside a browser the elements have no attributes: those that they set are collected here.
  const given = new Set<string>();
  const toggleAttribute = (name: string, isOn: boolean) => (isOn ? given.add(name) : given.delete(name));
  Object.assign(element, set, {toggleAttribute});
  // It is only protected against use by pages.
  const {render} = element as unknown as {render(): TemplateResult};
  const root: Root = {shared, presses: []};
  const markup = draw(render.call(element), root) + root.presses.join('');
  const own = [...given].map(name => ` ${name}=""`).join('');
  return {root: `<template shadowrootmode="open">${style(rules)}${markup}</template>`, own};
}

function textOf(element: new () => SwapElement): string {
  const registered = element as unknown as {elementStyles: typeof LitElement.elementStyles; finalize(): void};
  // Registration does this in a browser, by reading a property; a bundler would remove such a read.
  registered.finalize();
  return named(registered.elementStyles.map(sheet => (sheet as CSSResult).cssText.trim()).join(''));
}

/**
 * Rules with the static elements' names, without those that no static form needs: at first a form has no link, no list,
 * no second button, none that is disabled, no icon, no text of its own and no late part, it is visible while busy, and no
 * space is reserved for it. Rules that hide elements whose code is not loaded do not apply to static ones.
 */
function named(rules: string): string {
  return rules
    .replace(
      /(?::where\(a\)|\.link|\[wide\]|\.mark svg|\.foot-note ?> ?\* ?\+ ?:last-child|(?<=\}\s*)p|swap-widget-form-view|\.primary\[aria-disabled='true'\]|:host\(\[aria-busy='true'\]\) \.frame \*)\s*\{[^}]*\}/g,
      '',
    )
    .replace(/,\s*(?:h3|dl|dd|ol|ul|fieldset|legend|summary|\.secondary|(?:bdi)?\.account)(?=\s*[,){])/g, '')
    .replace(/(?<=[{;]) /g, '')
    .replace(/swap-widget-(?!launch:not)/g, 'swap-still-');
}

interface Root {
  readonly shared: Shared;
  readonly presses: string[];
}

function style(text: string): string {
  return `<style>${text}</style>`;
}

const VALUE = /\0(\d+)\0/;
const TAG = /<([\w-]+)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([.?@]?[\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

function draw(value: unknown, root: Root): string {
  if (Array.isArray(value)) return value.map(one => draw(one, root)).join('');
  if (!isTemplate(value)) return escaped(written(value));
  const {strings, values} = value;
  const text = strings.reduce((before, next, at) => `${before}\0${String(at - 1)}\0${next}`);
  return text
    .replace(TAG, (_tag, name: string, rest: string) => drawTag(name, rest, values, root))
    .split(VALUE)
    .map((piece, at) => (at % 2 ? draw(values[Number(piece)], root) : piece))
    .join('');
}

function drawTag(name: string, rest: string, values: readonly unknown[], root: Root): string {
  const set: Record<string, unknown> = {};
  const attributes = [...rest.matchAll(ATTRIBUTE)].map(([, key = '', ...texts]) => {
    const text = texts.find(Boolean) ?? '';
    const [whole, at] = VALUE.exec(text) ?? [];
    const value = whole === text ? values[Number(at)] : filled(text, values);
    const [, sign, plain = key] = /^([.?@])(.*)$/.exec(key) ?? [];
    if (sign === '@' || (sign === '?' && !value)) return '';
    if (sign === '?') return ` ${plain}=""`;
    if (name in ELEMENTS) set[plain] = value;
    // An empty element has no parts.
    else if (plain === 'exportparts') return '';
    // A field shows its property, which is initially that of the attribute.
    if ((sign === '.' && plain !== 'value') || value == null || DEFAULTS[plain] === written(value)) return '';
    return ` ${plain}="${escaped(written(value))}"`;
  });
  if (name === 'button') {
    const id = `p${String(root.presses.length)}`;
    // Swapping a pair twice restores it; for everything else a second click has the same effect.
    const action = /\bflip\b/.test(rest) ? 'toggle' : 'show';
    root.presses.push(`<i id="${id}" popover="manual"></i>`);
    attributes.push(` popovertarget="${id}" popovertargetaction="${action}"`);
  }
  const {root: inner, own} = drawElement(name, set, root.shared);
  return `<${name}${attributes.join('')}${own}${/\/$/.test(rest) ? '/' : ''}>${inner}`;
}

/** The default values of attributes. The roots have no form that a button could submit. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'aria-disabled': 'false',
  'aria-invalid': 'false',
  class: '',
  'data-long': '0',
  title: '',
  type: 'button',
  value: '',
};

function filled(text: string, values: readonly unknown[]): string {
  return text
    .split(VALUE)
    .map((piece, at) => (at % 2 ? written(values[Number(piece)]) : piece))
    .join('');
}

function written(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function isTemplate(value: unknown): value is TemplateResult {
  return typeof value === 'object' && value !== null && 'strings' in value;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\0', '');
}
