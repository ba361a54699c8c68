import {css, html} from 'lit';
import {property} from 'lit/decorators.js';
import {recipientOf} from '../../domain/address.js';
import type {ChainFamily} from '../../domain/asset.js';
import {swapLink} from '../../domain/link.js';
import {isLoopback} from '../../domain/web-address.js';
import {list, section} from '../base/list.js';
import {isTouch} from '../base/media.js';
import {register} from '../base/swap-element.js';
import {LatePart} from '../base/words.js';
import '../order/deposit/qr-code.js';
import {base, marks} from '../style/styles.js';
import {syncedOf} from '../url-sync.js';

/** A wallet's app for each family whose makers document a link into its own browser; for Starknet none with a query. */
const APPS: Partial<Record<ChainFamily, {readonly name: string; link(page: URL): string}>> = {
  // docs.xverse.app/sats-connect/guides/mobile-integration
  bitcoin: {
    name: 'Xverse',
    link: ({href}) => `https://connect.xverse.app/browser?url=${encodeURIComponent(href)}`,
  },
  // docs.metamask.io, “Use deeplinks”: the page without its scheme, as it is. The older metamask.app.link drops queries.
  evm: {
    name: 'MetaMask',
    link: ({href, protocol}) => `https://link.metamask.io/dapp/${href.slice(protocol.length + 2)}`,
  },
  // docs.phantom.com/phantom-deeplinks/other-methods/browse
  solana: {
    name: 'Phantom',
    link: ({href, origin}) =>
      `https://phantom.app/ul/browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`,
  },
};

/**
 * The way to a wallet on a phone, beside the wallets of this browser (the slot): on a phone without any, the page in a
 * wallet app's own browser; on a computer, its QR code. It carries the form where the page reads that (`url-sync`).
 * Nothing is offered where the page cannot be opened there: on http, on this machine alone, or in a frame, whose URL is
 * not that of the partner's page; nor for an order, which another browser shows view-only.
 *
 * @tag swap-widget-phone
 */
export class Phone extends LatePart {
  static override styles = [
    base,
    list,
    marks,
    css`
      :host {
        display: block;
      }
      a.item {
        text-decoration: none;
      }
      details {
        margin-block: calc(var(--_u) * 2);
      }
      .scan {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: calc(var(--_u) * 2) calc(var(--_u) * 4);
        padding-block: calc(var(--_u) * 2);
      }
      .scan p {
        flex: 1 1 calc(var(--_r) * 7);
        font-size: var(--_t-s);
      }
      swap-widget-qr-code {
        inline-size: calc(var(--_r) * 8.5);
        border-radius: var(--_radius-control);
        /* A white code on a white card needs an edge. */
        box-shadow: 0 0 0 1px var(--_line);
      }
    `,
  ];

  @property({attribute: false}) family: ChainFamily = 'evm';

  /** Whether the search has ended, and found no wallet in this browser. */
  @property({type: Boolean}) isNeeded = false;

  @property() page = location.href;

  protected override readonly keepsPlace = true;

  override render() {
    const app = APPS[this.family];
    const page = app && this.isReady ? this.#target() : undefined;
    const isPhone = isTouch();
    const isFirst = page !== undefined && isPhone && this.isNeeded;
    this.toggleAttribute('first', isFirst);
    if (!app || !page || (isPhone && !isFirst)) return html`<slot></slot>`;
    const {t} = this;
    const {name} = app;
    if (isPhone) {
      const item = html`<a class="item" href=${app.link(page)} target="_blank" rel="noopener noreferrer">
        <span class="mark app mono-mark" aria-hidden="true">${name.slice(0, 2)}</span>
        <span><strong>${t.openIn({wallet: name})}</strong><small>${t.openInWhy}</small></span>
      </a>`;
      return html`${section(t.continueInApp, [item])}<slot></slot>`;
    }
    // The code is below the list, which scrolls.
    const show = ({currentTarget}: Event) => (currentTarget as HTMLElement).scrollIntoView({block: 'nearest'});
    return html`<slot></slot>
      <details @toggle=${show}>
        <summary class="link">${t.continueOnPhone}</summary>
        <div class="scan">
          <swap-widget-qr-code text=${page.href} label=${t.scanToContinue}></swap-widget-qr-code>
          <p class="quiet" aria-hidden="true">${t.scanToContinue}</p>
        </div>
      </details>`;
  }

  /** The page as a phone can open it, with the form as it is here. */
  #target(): URL | undefined {
    const {$stage, $form, $wallets} = this.session;
    const page = new URL(this.page);
    const stage = this.read($stage);
    const {defaultView} = this.ownerDocument;
    const isFramed = defaultView?.top !== defaultView;
    const isOrder = stage !== 'editing' && stage !== 'reviewing';
    if (page.protocol !== 'https:' || isLoopback(page.hostname) || isFramed || isOrder) return undefined;
    const id = syncedOf(this.session).id;
    const catalogue = this.read($form, 'page')?.catalogue;
    if (id === undefined || !catalogue) return page;
    const draft = this.read($form, 'draft');
    const amount = draft.receive ? '' : draft.amount;
    const recipient = recipientOf(draft, this.read($wallets, 'accounts'), catalogue);
    return new URL(swapLink(page, {...draft, amount, recipient}, id));
  }
}

register({'swap-widget-phone': Phone});
