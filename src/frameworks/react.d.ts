/** The element in React 19's JSX. `import 'swap-widget/react'` registers it and brings its types. */
import type {DetailedHTMLProps, HTMLAttributes} from 'react';
import type {SwapStatus} from '../elements/swap-status.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Listeners, Props, StatusEvents, StatusProps} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = DetailedHTMLProps<HTMLAttributes<SwapWidget>, SwapWidget> & Props & Listeners<'on'>;
export type SwapStatusProps = DetailedHTMLProps<HTMLAttributes<SwapStatus>, SwapStatus> &
  StatusProps &
  Listeners<'on', StatusEvents>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'swap-status': SwapStatusProps;
      'swap-widget': SwapWidgetProps;
    }
  }
}
