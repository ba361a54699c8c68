import {register} from './elements/base/swap-element.js';
import {AddressField} from './elements/form/address-field.js';
import {AmountField} from './elements/form/amount-field.js';
import {FormView} from './elements/form/form-view.js';
import {defineUnit} from './elements/style/styles.js';
import {SwapWidget} from './elements/swap-widget.js';

export * from './index.js';

/** Set by the build for script tags alone: there, chunks that come late import this very file. */
declare const IS_FOR_SCRIPT_TAG: true | undefined;

/** All tags of the first load. The later views bring their own. */
const elements = {
  'swap-widget-address-field': AddressField,
  'swap-widget-amount-field': AmountField,
  'swap-widget-form-view': FormView,
  'swap-widget': SwapWidget,
};

/** Registers all tags or none, so that a page which loads two copies runs the first of them, whole. */
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
 * Whether this file was asked for under its plain address, as the chunks beside it ask for it. Behind a query or a
 * redirect it is another module to the browser, and everything in it would be there twice. After a redirect only the
 * list of what was fetched has the address that was asked for.
 */
function isPlain({url}: ImportMeta): boolean {
  return !/[?#]/.test(url) && performance.getEntriesByName(url).length > 0;
}

if (typeof IS_FOR_SCRIPT_TAG === 'undefined') {
  // A server that renders the page of a partner imports this too, and has nowhere to register anything.
  if ('customElements' in globalThis) define();
} else if (isPlain(import.meta)) {
  define();
} else {
  // The copy under the plain address registers itself. Where that is this very one, nothing else does.
  void import('./plain.js').then(plain => {
    if (plain.SwapWidget === SwapWidget) define();
  });
}
