/** The widget of the copy that late chunks import: like them, this one imports the entry under its plain URL. */
export {SwapWidget} from './elements/swap-widget.js';
