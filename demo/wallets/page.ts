/**
 * Brings the sandbox to a page in one import, from whatever origin it has: the development wallets with coins in them,
 * and what a widget has to be told of the sandbox.
 *
 * `import {settings} from 'http://127.0.0.1:8800/wallets/page.ts'; Object.assign(widget, settings);`
 */
import {createDevelopmentWallets, giveCoins, walletsOf} from './index.js';
import {createSandbox, settingsOf} from './sandbox.js';

const sandbox = createSandbox(new URL(import.meta.url).origin);
const state = await sandbox.read();
const {harbor, field} = createDevelopmentWallets(state);

/** The widget's properties of the same names. */
export const settings = {baseUrl: sandbox.origin, appId: state.appId, ...settingsOf(state)};

for (const [family, {account}] of [harbor, field].flatMap(walletsOf)) await giveCoins(sandbox, state, family, account);
