/** The element in Vue's templates. `import 'swap-widget/vue'` registers it and includes its types. */
import type {EmitFn, HTMLAttributes, PublicProps} from 'vue';
import type {Settings} from '../elements/settings/settings.js';
import type {StatusSettings, SwapStatus} from '../elements/swap-status.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {SwapEventMap} from '../events.js';
import type {StatusEvents} from './props.js';

export * from '../define.js';

export type SwapWidgetProps = HTMLAttributes & PublicProps & Settings;
export type SwapStatusProps = HTMLAttributes & PublicProps & StatusSettings;

/** An element's events, for a template. */
type Emits<Names extends keyof SwapEventMap> = EmitFn<{[Name in Names]: (event: SwapEventMap[Name]) => void}>;

declare module 'vue' {
  interface GlobalComponents {
    'swap-status': new () => SwapStatus & {readonly $props: SwapStatusProps; readonly $emit: Emits<StatusEvents>};
    'swap-widget': new () => SwapWidget & {
      readonly $props: SwapWidgetProps;
      readonly $emit: Emits<keyof SwapEventMap>;
    };
  }
}
