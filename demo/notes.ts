/** The playground's notes above the widget: about its URL, and what is missing. */
import {html, nothing, type TemplateResult} from 'lit';
import {LEAST_CONTRAST, type Unreadable} from './contrast.js';
import {titleOf} from './controls.js';

/** What the colors are of, as parts of a sentence. */
const TEXTS: Readonly<Record<string, string>> = {
  '--swap-ink': 'text',
  '--swap-ink-quiet': 'secondary text',
  '--swap-on-accent': 'the label',
  '--swap-good': 'a success',
  '--swap-warn': 'a warning',
  '--swap-bad': 'a failure',
};
const GROUNDS: Readonly<Record<string, string>> = {
  '--swap-surface': 'the surface',
  '--swap-sunk': 'a note',
  '--swap-accent': 'the button',
};

interface Notes {
  /** A service in the URL that nobody has agreed to. */
  readonly offered: string | undefined;
  readonly notes: readonly string[];
  readonly hasService: boolean;
  readonly unreadable: readonly Unreadable[];
  clear(name: string): void;
  use(): void;
  dismiss(): void;
  askForService(): void;
  playMadeUp(): Promise<void>;
}

export function renderNotes(panel: Notes): TemplateResult {
  const {offered, notes, hasService, unreadable} = panel;
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
  ${unreadable.map(({text, ground, name, contrast}) => {
    const where = `${TEXTS[text] ?? text} on ${GROUNDS[ground] ?? ground}`;
    return html`<p class="bad">
      Hard to read: ${where} has a contrast of ${contrast.toFixed(1)}, below ${LEAST_CONTRAST}.
      ${renderLink(`Clear “${titleOf({name})}”`, () => {
        panel.clear(name);
      })}
    </p>`;
  })}
  ${
    hasService
      ? nothing
      : html`<p>
          No service is set yet: this is a picture. ${renderLink('Set a service', panel.askForService)}
          ${renderLink('Try it with mock data', panel.playMadeUp)}
        </p>`
  }`;
}

/** What the bar says of a page without a sandbox. On a narrow page only the widget says that its service is a mock. */
export function renderAbout(isMadeUp: boolean, askForService: () => void): TemplateResult {
  return isMadeUp
    ? html`One element for swaps across chains. A mock service in this page answers.
      ${renderLink('Set a service', askForService)}`
    : html`One element for swaps across chains: set it up, look at every stage of it, and take the code with you.`;
}

interface PairNote {
  /** The pair in the form, where the visitor chose another than is set. */
  readonly chosen: {readonly from: string; readonly to: string} | undefined;
  use(): void;
  goBack(): void;
}

/** What is said below the widget, where it moves nothing that was just pressed. */
export function renderPairNote({chosen, use, goBack}: PairNote): unknown {
  if (!chosen) return nothing;
  return html`<p>
    You chose another pair in the form: <code>${chosen.from}</code> → <code>${chosen.to}</code>.
    ${renderLink('Make it the setting', use)} ${renderLink('Undo', goBack)}
  </p>`;
}

function renderLink(label: string, press: () => unknown): TemplateResult {
  return html`<button class="link" type="button" @click=${press}>${label}</button>`;
}
