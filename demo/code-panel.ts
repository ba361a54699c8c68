/** The panel with the code to copy: its target, and the partner's own values in it. */
import {html, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {WAYS, type Script, type Way} from './code.js';
import type {Values} from './configuration.js';

const PLACEHOLDERS = {
  'base-url': 'https://the.service',
  'app-id': 'the 64 hex digits that the operator gave you',
} as const;

/** The visitor's own values, only for the code: the playground continues with its own service. */
export type OwnService = Readonly<Partial<Record<keyof typeof PLACEHOLDERS, string>>>;

const KEPT = 'playground:own-service';

/** What the visitor entered before in this tab. It may contain a key, so it is not in the URL. */
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

/** The URL of the script in the code: for one that only this machine can reach, the partner's own folder. */
export function publicScript({address, integrity}: Script): Script {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(new URL(address).hostname);
  return {address: isLocal ? 'https://your.site/swap-widget/define.js' : address, integrity};
}

export function renderCodeNote(hasPage: boolean): TemplateResult {
  return html`Your settings as code. ${hasPage ? html`<a href="./embed/plain.html">The smallest page</a>` : nothing}`;
}

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
