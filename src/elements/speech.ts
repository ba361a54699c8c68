import type {LitElement} from 'lit';
import {lazy} from '../domain/lazy.js';
import form from '../locales/en.json?form';
import {formOf} from '../locales/forms.js';
import type {Spoken} from '../locales/messages.js';

/** All words of all languages, each of which is a file of its own. */
const languages = lazy(() => import('../locales/languages.js'));

/** How long the form waits for the words of its language. Those that take longer are shown when they arrive. */
const WAIT_MS = 1_000;

/** The language of a widget: first the words of its form, then all of them. */
export class Speech {
  spoken: Spoken = {language: 'en', locale: 'en', form};
  /** Whether messages in another language than English are about to arrive. */
  isQuiet = false;
  readonly #widget: LitElement;
  readonly #changed: () => void;

  constructor(widget: LitElement, changed: () => void) {
    this.#widget = widget;
    this.#changed = changed;
  }

  /** Uses the page's language at the widget's position. The code that watches it for changes loads late (`announcement.ts`). */
  listen(): () => void {
    const widget = this.#widget;
    const {lang} = widget.closest<HTMLElement>('[lang]') ?? widget;
    const words = formOf(widget.lang || lang || navigator.language);
    this.#setQuiet(this.spoken.language === 'en' && words !== undefined);
    if (!this.isQuiet || !words) return () => {};
    // Rendered once these messages are loaded. The rest of the language includes more, and takes longer.
    words().then(
      spoken => {
        if (!this.spoken.late) this.#say(spoken);
      },
      () => undefined,
    );
    const timer = setTimeout(() => this.#setQuiet(false), WAIT_MS);
    return () => clearTimeout(timer);
  }

  async speak(): Promise<void> {
    const spoken = await (await languages()).speak(this.#widget);
    const {late, form, locale} = this.spoken;
    // They may be loaded already.
    if (spoken && !(late && form === spoken.form && locale === spoken.locale)) this.#say(spoken);
  }

  #say(spoken: Spoken): void {
    this.spoken = spoken;
    this.#changed();
    this.#setQuiet(false);
  }

  #setQuiet(isQuiet: boolean): void {
    this.isQuiet = isQuiet;
    this.#widget.requestUpdate();
  }
}
