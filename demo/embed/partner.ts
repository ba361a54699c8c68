/** The partner's page uses attributes. This only adds settings that change with each start of the sandbox. */
import {settings} from '../wallets/page.js';

/** The shop's assets: bitcoin and its wrapped forms on the sandbox's chains, and SOL. */
const assets = settings.assets.filter(({id}) => /:(?:btc|wbtc|sol)$/.test(id));
for (const widget of document.querySelectorAll('swap-widget')) {
  Object.assign(widget, {assets, chains: settings.chains});
}
