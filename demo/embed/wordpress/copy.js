/** Puts the widget into the plugin. The folder, without `node_modules`, is then what goes to `wp-content/plugins/`. */
import {cpSync} from 'node:fs';

cpSync('node_modules/swap-widget/dist', 'swap-widget', {recursive: true});
