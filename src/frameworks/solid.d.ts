/** The element in Solid's JSX. `import 'swap-widget/solid'` registers it and brings its types. */
import type {JSX} from 'solid-js';
import type {Settings} from '../elements/settings/settings.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Attributes, Listeners, Props} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = JSX.HTMLAttributes<SwapWidget> &
  Props &
  Listeners<'on:'> & {[Name in keyof Settings as `prop:${Name}`]?: Settings[Name]} & {
    [Name in keyof Attributes as `attr:${Name}`]?: Attributes[Name];
  };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'swap-widget': SwapWidgetProps;
    }
  }
}
