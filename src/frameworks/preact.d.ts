/** The element in Preact's JSX. `import 'swap-widget/preact'` registers it and brings its types. */
import type {HTMLAttributes} from 'preact';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Listeners, Props} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = HTMLAttributes<SwapWidget> & Props & Listeners<'on'>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'swap-widget': SwapWidgetProps;
    }
  }
}
