/** The element in Solid's JSX. `import 'swap-widget/solid'` registers it and includes its types. */
import type {JSX} from 'solid-js';
import type {Settings} from '../elements/settings/settings.js';
import type {StatusSettings, SwapStatus} from '../elements/swap-status.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {Attributes, Listeners, Props, StatusEvents, StatusProps} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = JSX.HTMLAttributes<SwapWidget> &
  Props &
  Listeners<'on:'> & {[Name in keyof Settings as `prop:${Name}`]?: Settings[Name]} & {
    [Name in keyof Attributes as `attr:${Name}`]?: Attributes[Name];
  };
export type SwapStatusProps = JSX.HTMLAttributes<SwapStatus> &
  StatusProps &
  Listeners<'on:', StatusEvents> & {[Name in keyof StatusSettings as `prop:${Name}`]?: StatusSettings[Name]} & {
    [Name in Extract<keyof Attributes, keyof StatusProps> as `attr:${Name}`]?: Attributes[Name];
  };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'swap-status': SwapStatusProps;
      'swap-widget': SwapWidgetProps;
    }
  }
}
