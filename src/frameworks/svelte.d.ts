/** The element in the markup of Svelte 5. `import 'swap-widget/svelte'` registers it and brings its types. */
import type {HTMLAttributes} from 'svelte/elements';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Listeners, Props} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = HTMLAttributes<SwapWidget> & Props & Listeners<'on'>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'swap-widget': SwapWidgetProps;
  }
}
