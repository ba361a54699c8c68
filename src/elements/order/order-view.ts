import {html, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import type {Messages} from '../../locales/en.js';
import {SwapView} from '../base/swap-view.js';
import {localeOf} from '../base/time.js';
import {allWords} from '../base/words.js';
import {facts} from '../style/facts.js';

/** The base of every view but the form: all words, the language of dates, and copying. */
export abstract class OrderView extends SwapView {
  static override styles = [...SwapView.styles, facts];

  /** The label of what was copied last. */
  @state() protected copied = '';

  protected override get t(): Messages {
    return allWords(this.look);
  }

  /** Whether this browser still knows the orders of this page once it is closed. */
  protected get isKept(): boolean {
    const config = this.read(this.session.$config);
    return config !== undefined && config.journal && !config.forThisTab;
  }

  /** The language of times and dates. */
  protected get locale(): string {
    return localeOf(this);
  }

  /** A link that copies a text, and says so. */
  protected copyLink(label: string, text: () => string): TemplateResult {
    return html`<button class="link" type="button" @click=${() => this.copy(label, text())}>
      ${this.copied === label ? this.t.copied : label}
    </button>`;
  }

  /** A button that copies a text, and says so. */
  protected copyButton(label: string, text: () => string): TemplateResult {
    return html`<button class="secondary" part="secondary" type="button" @click=${() => this.copy(label, text())}>
      ${this.copied === label ? this.t.copied : label}
    </button>`;
  }

  /** Copies a text. Answers whether the page may. */
  protected async copy(label: string, text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = label;
      return true;
    } catch {
      // The label stays as it is.
      return false;
    }
  }
}
