import {register} from './elements/base/swap-element.js';
import {defineUnit} from './elements/style/tokens.js';
import {SwapStatus} from './elements/swap-status.js';

export {SwapStatus};
export {SwapCompleteEvent, SwapErrorEvent, SwapRefundEvent, SwapStatusEvent} from './events.js';

// A server that renders a page imports this too, and has no registry.
if ('customElements' in globalThis) {
  defineUnit(globalThis);
  register({'swap-status': SwapStatus});
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-status': SwapStatus;
  }
}
