/** The panel with the code to copy: for what it is, and what stands in it for what only the partner has. */
import {html, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {WAYS, type Script, type Way} from './code.js';
import type {Values} from './configuration.js';
import {highlight} from './highlight.js';

/** What the sandbox stands in for. */
const PLACEHOLDERS = {
  'base-url': 'https://the.service',
  'app-id': 'the 64 hex digits that the operator gave you',
} as const;

/** What the visitor has, for the code alone: the playground goes on with its own service. */
export type OwnService = Readonly<Partial<Record<keyof typeof PLACEHOLDERS, string>>>;

const KEPT = 'playground:own-service';

/** What the visitor said before in this tab. It may hold a key, so it is in no address. */
export function readOwnService(storage: Storage): OwnService {
  try {
    const kept = JSON.parse(storage.getItem(KEPT) ?? '{}') as Readonly<Record<string, unknown>>;
    const entries = Object.keys(PLACEHOLDERS).map(name => [name, kept[name]] as const);
    return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string' && text !== ''));
  } catch {
    return {};
  }
}

export function keepOwnService(own: OwnService, storage: Storage): void {
  storage.setItem(KEPT, JSON.stringify(own));
}

/** What is set, with the service named: what it wants comes first. */
export function withPlaceholders(
  values: Values,
  own: OwnService,
): {readonly complete: Values; readonly isPlaceholder: boolean} {
  const {attributes} = values;
  const isPlaceholder = !attributes.has('base-url');
  const ofService = (Object.keys(PLACEHOLDERS) as (keyof OwnService)[]).flatMap(name => {
    const text = attributes.get(name) ?? (isPlaceholder ? (own[name] ?? PLACEHOLDERS[name]) : undefined);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {complete: {...values, attributes: new Map([...ofService, ...attributes])}, isPlaceholder};
}

/** The choice of what the code is for. */
export function renderWays(chosen: Way, choose: (way: Way) => void): TemplateResult {
  return html`<fieldset class="segments" aria-label="For">
    ${(Object.keys(WAYS) as Way[]).map(
      name =>
        html`<label>
          <input
            type="radio"
            name="way"
            value=${name}
            .checked=${name === chosen}
            @change=${() => {
              choose(name);
            }}
          />
          <span>${WAYS[name]}</span>
        </label>`,
    )}
  </fieldset>`;
}

/** Where the code loads the script from: what only this machine can reach is the partner's own folder. */
export function publicScript({address, integrity}: Script): Script {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(new URL(address).hostname);
  return {address: isLocal ? 'https://your.site/swap-widget/define.js' : address, integrity};
}

/** The code of a way, in colors. */
export function renderCode(code: string, way: Way): unknown {
  const language = {html: 'html', vue: 'vue', svelte: 'svelte', react: 'tsx'}[way as string] ?? 'ts';
  return highlight(code, language).map(({kind, text}) =>
    kind === 'plain' ? text : html`<span class=${kind}>${text}</span>`,
  );
}

/** What is said over the code. */
export function renderCodeNote(hasPage: boolean): TemplateResult {
  return html`Your settings as code. ${hasPage ? html`<a href="./embed/plain.html">The smallest page</a>` : nothing}`;
}

/** Fields for what only the visitor knows. */
export function renderOwnService(own: OwnService, set: (own: OwnService) => void): TemplateResult {
  const field = (name: keyof OwnService, label: string) =>
    html`<label>
      <span class="quiet">${label}</span>
      <input
        type="text"
        inputmode=${name === 'base-url' ? 'url' : nothing}
        autocomplete="off"
        spellcheck="false"
        placeholder=${PLACEHOLDERS[name]}
        .value=${live(own[name] ?? '')}
        @input=${({target}: Event) => {
          const {[name]: _, ...others} = own;
          const text = (target as HTMLInputElement).value.trim();
          set(text === '' ? others : {...others, [name]: text});
        }}
      />
    </label>`;
  return html`<div class="options">
    ${field('base-url', 'Your service, for this code')} ${field('app-id', 'Your app id')}
  </div>`;
}
