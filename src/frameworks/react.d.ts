/** `<Swap>`, and the element itself in React 19's JSX. `import 'swap-widget/react'` registers it and includes its types. */
import type {DetailedHTMLProps, ForwardRefExoticComponent, HTMLAttributes, RefAttributes} from 'react';
import type {SwapStatus} from '../elements/swap-status.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Settings} from '../elements/settings/settings.js';
import type {SwapEventMap} from '../events.js';
import type {Listeners, Props, StatusEvents, StatusProps} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = DetailedHTMLProps<HTMLAttributes<SwapWidget>, SwapWidget> & Props & Listeners<'on'>;
export type SwapStatusProps = DetailedHTMLProps<HTMLAttributes<SwapStatus>, SwapStatus> &
  StatusProps &
  Listeners<'on', StatusEvents>;

/** `SwapComplete` for `swap-complete`. */
type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Name>;

/** The settings by name, listeners such as `onSwapComplete`, and the attributes of every HTML element. */
export type SwapProps = Omit<HTMLAttributes<SwapWidget>, keyof Settings> &
  Settings & {[Name in keyof SwapEventMap as `on${Pascal<Name>}`]?: ((event: SwapEventMap[Name]) => void) | undefined};

/** The element as a component of React 18 or newer. Its `ref` is the element. */
export declare const Swap: ForwardRefExoticComponent<SwapProps & RefAttributes<SwapWidget>>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'swap-status': SwapStatusProps;
      'swap-widget': SwapWidgetProps;
    }
  }
}
