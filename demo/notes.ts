/** The playground's notes above the widget: about its URL, and what is missing. */
import {html, nothing, type TemplateResult} from 'lit';
import type {Unreadable} from './colors.js';
import {titleOf} from './controls.js';

interface Notes {
  /** A service in the URL that nobody has agreed to. */
  readonly offered: string | undefined;
  /** What was ignored in the URL, and why. */
  readonly notes: readonly string[];
  readonly hasService: boolean;
  /** Whether the service is the mock in the page. */
  readonly isMadeUp: boolean;
  /** The settings that are hard to read. */
  readonly unreadable: readonly Unreadable[];
  /** Removes a control's setting. */
  clear(name: string): void;
  /** Agrees to the offered service. */
  use(): void;
  dismiss(): void;
  askForService(): void;
  playMadeUp(): Promise<void>;
}

export function renderNotes(panel: Notes): TemplateResult {
  const {offered, notes, hasService, isMadeUp, unreadable} = panel;
  return html`${
    offered === undefined
      ? nothing
      : html`<p>
          This address names a service: <code>${offered}</code>. Nothing is sent to it unless you agree.
          ${renderLink('Use it', panel.use)}
        </p>`
  }
  ${
    notes.length
      ? html`<p>Ignored in the address: ${renderLink('Close', panel.dismiss)}</p>
          <ul>
            ${notes.map(note => html`<li>${note}</li>`)}
          </ul>`
      : nothing
  }
  ${unreadable.map(
    ({name, words, contrast}) =>
      html`<p class="bad">
        Hard to read: ${words} has a contrast of ${contrast.toFixed(1)}, below 4.5.
        ${renderLink(`Clear “${titleOf({name})}”`, () => {
          panel.clear(name);
        })}
      </p>`,
  )}
  ${
    isMadeUp
      ? // On a narrow page only the widget says so.
        html`<p class="roomy">
          A mock service in this page answers. ${renderLink('Set a service', panel.askForService)}
        </p>`
      : nothing
  }
  ${
    hasService
      ? nothing
      : html`<p>
          No service is set yet: this is a picture. ${renderLink('Set a service', panel.askForService)}
          ${renderLink('Try it with mock data', panel.playMadeUp)}
        </p>`
  }`;
}

function renderLink(label: string, press: () => unknown): TemplateResult {
  return html`<button class="link" type="button" @click=${press}>${label}</button>`;
}
