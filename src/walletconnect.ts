/**
 * Wallets on other devices, for pages with a bundler: importing this passes the library, the page's own
 * `@web3modal/ethers`, to the widget, which loads it when a visitor chooses one. It does nothing without a
 * `walletconnect-project-id`, and is not needed with a script tag.
 */
import {handIn} from './chains/evm/elsewhere.js';

handIn(() => import('./chains/evm/walletconnect.js'));
