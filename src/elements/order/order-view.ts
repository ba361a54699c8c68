import {html, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import type {ChainFamily} from '../../domain/asset.js';
import type {Side} from '../../domain/draft.js';
import {valueOf} from '../../domain/remote.js';
import type {Messages} from '../../locales/messages.js';
import type {ShownOrder, SwapSession} from '../../session/session.js';
import {TimeReader, type OfTime} from '../base/countdown.js';
import {truncate} from '../../domain/truncate.js';
import type {Look, Read} from '../base/swap-element.js';
import {SwapView} from '../base/swap-view.js';
import {allWords, walletName} from '../base/words.js';
import {icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {facts} from '../style/facts.js';
import {isAsBefore} from './telling.js';

export interface OrderContext {
  readonly session: SwapSession;
  readonly t: Messages;
  readonly locale: string;
  readonly look: Look;
  readonly isForLooking?: boolean;
  readonly isKept: boolean;
  readonly read: Read;
  /** A value derived from the time; the view renders again whenever it changes. */
  timed<T extends string | number | boolean>(of: OfTime<T>): T;
  chooseWallet(family: ChainFamily, side: Side): void;
  copy(label: string, text: string): Promise<void>;
  hasCopied(label: string, text: string): boolean;
  /** Whether the browser rejected the last copying. */
  readonly copyDenied: boolean;
  copyLink(label: string, text: () => string): TemplateResult;
  /** A shortened hash or id, and a button that copies it; `name` is what it is. In full where the page must not copy. */
  copyable(name: string, text: string): TemplateResult;
}

/** A button's label, and what a press does; nothing while it is waited for. */
export interface Step {
  readonly label: string;
  readonly press?: () => unknown;
}

/** Without a wallet, the step is to connect it, unless it is about to reconnect. */
export function walletStep(
  {session, read, chooseWallet, t}: OrderContext,
  family: ChainFamily,
  step: Step,
  connect = t.connectAWallet,
): Step {
  if (read(session.$wallets, 'accounts')[family]) return step;
  const name = read(session.$wallets, 'restoring')[family];
  return name === undefined
    ? {label: connect, press: () => chooseWallet(family, 'pay')}
    : {label: t.lookingFor({wallet: walletName({wallet: {name}}, t)})};
}

export function more(content: unknown, t: Messages): TemplateResult {
  return html`<details class="more">
    <summary class="link">${t.more}</summary>
    ${content}
  </details>`;
}

const COPIED_MS = 2_000;

/** The base of every view except the form: all messages, the locale of dates, and copying. */
export abstract class OrderView extends SwapView {
  static override styles = [...SwapView.styles, facts];

  /** What was just copied: the button's label, and its text. */
  @state() protected copied?: readonly [label: string, text: string] | undefined;
  @state() private copyDenied?: string | undefined;

  readonly #time = new TimeReader(this, () => this.session);
  #copiedTimer?: ReturnType<typeof setTimeout>;
  #shown?: ShownOrder | undefined;

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#copiedTimer);
    this.copied = undefined;
  }

  protected override get t(): Messages {
    return allWords(this.look);
  }

  protected get locale(): string {
    return this.look.locale;
  }

  /** The displayed order. A repeated read without changes renders nothing. */
  protected get placed(): ShownOrder | undefined {
    return this.read(this.session.$order, order => {
      const now = valueOf(order);
      return (this.#shown = isAsBefore(now, this.#shown) ? this.#shown : now);
    });
  }

  protected get context(): OrderContext {
    const {session, t} = this;
    const config = this.read(session.$settings, 'config');
    return {
      session,
      t,
      look: this.look,
      locale: this.locale,
      isKept: config !== undefined && config.journal && !config.forThisTab,
      read: this.read,
      timed: of => this.timed(of),
      chooseWallet: (family, side) => this.chooseWallet(family, side),
      copy: (label, text) => this.#copy(label, text),
      hasCopied: (label, text) => this.#hasCopied(label, text),
      copyDenied: this.copyDenied !== undefined,
      copyLink: (label, text) => this.copyButton('link', label, text),
      copyable: (name, text) => this.#renderCopyable(name, text),
    };
  }

  protected timed<T extends string | number | boolean>(of: OfTime<T>): T {
    return this.#time.read(of);
  }

  async #copy(label: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      if (!this.isConnected) return;
      this.copied = [label, text];
      this.copyDenied = undefined;
      clearTimeout(this.#copiedTimer);
      this.#copiedTimer = setTimeout(() => (this.copied = undefined), COPIED_MS);
    } catch {
      this.copyDenied = text;
    }
  }

  #renderCopyable(name: string, text: string): TemplateResult {
    const {t} = this;
    const label = t.copyOf({name});
    const isCopied = this.#hasCopied(label, text);
    const isDenied = this.copyDenied === text;
    return html`<bdi class="mono ${isDenied ? 'all' : ''}" title=${text}>${isDenied ? text : truncate(text, 6, 4)}</bdi
      ><button
        class="chip copy"
        type="button"
        aria-label=${isCopied ? t.copied : label}
        @click=${() => this.#copy(label, text)}
      >
        ${isCopied ? icon('check', 's') : sign(signs.copy, 's')}</button
      >${isDenied ? html`<span class="beside" role="alert">${t.notCopied}</span>` : ''}`;
  }

  #hasCopied(label: string, text: string): boolean {
    return this.copied?.join() === [label, text].join();
  }

  protected copyButton(kind: 'link' | 'secondary', label: string, text: () => string): TemplateResult {
    return html`<button
      class=${kind}
      part=${kind === 'secondary' ? 'secondary' : ''}
      type="button"
      @click=${() => this.#copy(label, text())}
    >
      ${this.#hasCopied(label, text()) ? this.t.copied : label}
    </button>`;
  }
}
