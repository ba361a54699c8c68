/**
 * Brings the development wallets to a page with one script tag, from whatever origin the sandbox has:
 * `<script type="module" src="http://127.0.0.1:8800/wallets/page.ts"></script>`.
 */
import {createDevelopmentWallets, giveCoins} from './index.js';
import {createSandbox} from './sandbox.js';

const sandbox = createSandbox(new URL(import.meta.url).origin);
const state = await sandbox.read();
const {harbor, field} = createDevelopmentWallets(state);
for (const {account} of [harbor, field]) await giveCoins(sandbox, state, account);
