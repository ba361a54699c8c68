/** The element in the templates of Vue. `import 'swap-widget/vue'` registers it and brings its types. */
import type {EmitFn, HTMLAttributes, PublicProps} from 'vue';
import type {Settings} from '../elements/settings/settings.js';
import type {SwapWidget} from '../elements/swap-widget.js';
import type {SwapEventMap} from '../events.js';

export * from '../define.js';

export type SwapWidgetProps = HTMLAttributes & PublicProps & Settings;

declare module 'vue' {
  interface GlobalComponents {
    'swap-widget': new () => SwapWidget & {
      readonly $props: SwapWidgetProps;
      readonly $emit: EmitFn<{[Name in keyof SwapEventMap]: (event: SwapEventMap[Name]) => void}>;
    };
  }
}
