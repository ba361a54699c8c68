import {register} from './elements/base/swap-element.js';
import {AddressField} from './elements/form/address-field.js';
import {AmountField} from './elements/form/amount-field.js';
import {FormView} from './elements/form/form-view.js';
import {defineUnit} from './elements/style/tokens.js';
import {SwapWidget} from './elements/swap-widget.js';

export * from './index.js';

/** Only set in the build for script tags: there, late chunks import this very file. */
declare const IS_FOR_SCRIPT_TAG: true | undefined;

const elements = {
  'swap-widget-address-field': AddressField,
  'swap-widget-amount-field': AmountField,
  'swap-widget-form-view': FormView,
  'swap-widget': SwapWidget,
};

/** Registers all tags or none, so that a page that loads two copies runs the first of them, completely. */
function define() {
  const other = customElements.get('swap-widget') as typeof SwapWidget | undefined;
  if (!other) {
    defineUnit(globalThis);
    register(elements);
  } else if (other.version !== SwapWidget.version) {
    console.warn(
      `<swap-widget> ${other.version} is registered on this page already; ${SwapWidget.version} was loaded too and is not used.`,
    );
  }
}

/**
 * With a query or after a redirect this file is another module to the browser than the one that the chunks beside it
 * import, and everything in it would exist twice. After a redirect only the list of fetched resources has the requested
 * URL.
 */
function isPlain({url}: ImportMeta): boolean {
  return !/[?#]/.test(url) && performance.getEntriesByName(url).length > 0;
}

if (typeof IS_FOR_SCRIPT_TAG === 'undefined') {
  // A server that renders a partner's page imports this too, and has no registry.
  if ('customElements' in globalThis) define();
} else if (isPlain(import.meta)) {
  define();
} else {
  // The copy under the plain URL registers itself. If it is this one, nothing else does.
  void import('./plain.js').then(plain => {
    if (plain.SwapWidget === SwapWidget) define();
  });
}
