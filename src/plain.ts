/** The widget's class under the plain URL of the entry, which the late chunks import, too. */
export {SwapWidget} from './elements/swap-widget.js';
