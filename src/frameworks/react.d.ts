/** The element in React 19's JSX. `import 'swap-widget/react'` registers it and brings its types. */
import type {DetailedHTMLProps, HTMLAttributes} from 'react';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Listeners, Props} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = DetailedHTMLProps<HTMLAttributes<SwapWidget>, SwapWidget> & Props & Listeners<'on'>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'swap-widget': SwapWidgetProps;
    }
  }
}
