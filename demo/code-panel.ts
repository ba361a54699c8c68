/** The panel with the code to copy: for what it is, and what stands in it for what only the partner has. */
import {html, nothing, type TemplateResult} from 'lit';
import {WAYS, type Way} from './code.js';
import type {Values} from './configuration.js';

/** What the sandbox stands in for. */
const PLACEHOLDERS = {
  'base-url': 'https://the.service',
  'app-id': 'the 64 hex digits that the operator gave you',
} as const;

/** What is set, with the service named: what it wants comes first. */
export function withPlaceholders(values: Values): {readonly complete: Values; readonly isPlaceholder: boolean} {
  const {attributes} = values;
  const isPlaceholder = !attributes.has('base-url');
  const ofService = Object.entries(PLACEHOLDERS).flatMap(([name, placeholder]) => {
    const text = attributes.get(name) ?? (isPlaceholder ? placeholder : undefined);
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

/** What is said under the code. */
export function renderCodeNote(isPlaceholder: boolean, hasPage: boolean): TemplateResult {
  return isPlaceholder
    ? html`What is set here, with your <code>base-url</code> and <code>app-id</code>.
        ${hasPage ? html`<a href="./embed/plain.html">The smallest page</a>` : nothing}`
    : html`What is set here.`;
}
