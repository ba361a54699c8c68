/** The partner's page is set up by attributes. Only what the sandbox makes anew each time it starts comes from here. */
import {settings} from '../wallets/page.js';

/** What the shop takes: bitcoin in each form that it has on the sandbox's chains, and SOL. */
const assets = settings.assets.filter(({id}) => /:(?:btc|wbtc|sol)$/.test(id));
for (const widget of document.querySelectorAll('swap-widget')) {
  Object.assign(widget, {assets, chains: settings.chains});
}
