import {AddressField} from './elements/form/address-field.js';
import {AmountField} from './elements/form/amount-field.js';
import {FormView} from './elements/form/form-view.js';
import {register} from './elements/base/swap-element.js';
import {SwapWidget} from './elements/swap-widget.js';

export * from './index.js';

/** All tags of the first load. The later views bring their own. */
const elements = {
  'swap-widget-address-field': AddressField,
  'swap-widget-amount-field': AmountField,
  'swap-widget-form-view': FormView,
  'swap-widget': SwapWidget,
};

// Registered all or nothing, so that a page which loads two copies runs the first of them, whole.
const other = customElements.get('swap-widget') as typeof SwapWidget | undefined;
if (!other) {
  register(elements);
} else if (other.version !== SwapWidget.version) {
  console.warn(
    `<swap-widget> ${other.version} is registered on this page already; ${SwapWidget.version} was loaded too and is not used.`,
  );
}
