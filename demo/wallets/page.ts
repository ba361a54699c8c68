/**
 * Connects a page of any origin to the sandbox in one import: it adds funded development wallets, and exports the
 * settings that a widget needs.
 *
 * `import {settings} from 'http://127.0.0.1:8800/wallets/page.js'; Object.assign(widget, settings);`
 */
import {createDevelopmentWallets, giveCoins, walletsOf} from './index.js';
import {createSandbox, settingsOf} from './sandbox.js';

const sandbox = createSandbox(new URL(import.meta.url).origin);
const state = await sandbox.read();
/** Two people, each with a wallet of every family. */
export const {harbor, field} = createDevelopmentWallets(state);

/** Properties to assign to the widget. */
export const settings = {baseUrl: sandbox.origin, appId: state.appId, ...settingsOf(state)};

// Not awaited: until a page has its settings, its widget takes the public networks' contracts for the right ones.
void (async () => {
  for (const [family, {account}] of [harbor, field].flatMap(walletsOf))
    await giveCoins(sandbox, state, family, account);
})();
