/** The partner's page is set up by attributes. Only what the sandbox makes anew each time it starts comes from here. */
import {settings} from '../wallets/page.js';

const assets = settings.assets.filter(({id}) => id.endsWith(':wbtc'));
for (const widget of document.querySelectorAll('swap-widget')) {
  Object.assign(widget, {assets, chains: settings.chains});
}
