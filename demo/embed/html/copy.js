/** Copies the widget next to the page, for any web server. */
import {cpSync} from 'node:fs';

cpSync('node_modules/swap-widget/dist', 'public/swap-widget', {recursive: true});
