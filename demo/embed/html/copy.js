/** Copies the widget next to the page, for any web server. */
import {cpSync} from 'node:fs';

cpSync(new URL('../', import.meta.resolve('swap-widget/define.js')), 'public/swap-widget', {recursive: true});
