/** The element in Svelte 5's markup. `import 'swap-widget/svelte'` registers it and includes its types. */
import type {HTMLAttributes} from 'svelte/elements';
import type {SwapStatus} from '../elements/swap-status.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Listeners, Props, StatusEvents, StatusProps} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = HTMLAttributes<SwapWidget> & Props & Listeners<'on'>;
export type SwapStatusProps = HTMLAttributes<SwapStatus> & StatusProps & Listeners<'on', StatusEvents>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'swap-status': SwapStatusProps;
    'swap-widget': SwapWidgetProps;
  }
}
