import {adapters, atom, createCatalogue, createSwapApi, createSwapSession} from 'swap-widget/core';
import {settings} from './settings';

/** What the session knows about this page. */
export const session = createSwapSession({
  adapters,
  host: {
    now: () => Date.now(),
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
    storage: localStorage,
    lock: async (name, work) => navigator.locks.request(name, work),
    onStorage(changed) {
      const hear = (event: StorageEvent) => changed(event.key);
      addEventListener('storage', hear);
      return () => removeEventListener('storage', hear);
    },
    visible$: atom(true),
    online$: atom(true),
  },
});

const {baseUrl, appId, assets, chains, affiliateFees} = settings;

session.configure({
  api: createSwapApi({baseUrl, appId}),
  service: baseUrl,
  catalogue: createCatalogue({assets, chains}),
  prefill: {from: 'bitcoin_testnet:btc', to: 'ethereum_sepolia:wbtc'},
  affiliateFees,
  policy: {unverified: 'ask'},
  priceTolerance: 50, // basis points
  depositWindow: 3_600_000, // milliseconds
  paused: false,
  journal: true,
});
session.start();
