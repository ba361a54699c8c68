/** The widget of the copy that late chunks import: like them, this one asks for the entry under its plain address. */
export {SwapWidget} from './elements/swap-widget.js';
