import './style.css';

/** A page for each library, by its query: `?viem`. */
const pages: Record<string, () => Promise<{show(root: HTMLElement): void}>> = {
  wagmi: () => import('./wagmi-page'),
  viem: () => import('./viem-page'),
  'web3-onboard': () => import('./web3-onboard-page'),
  solana: () => import('./solana-page'),
  'starknet-react': () => import('./starknet-react-page'),
  'get-starknet': () => import('./get-starknet-page'),
  'sats-connect': () => import('./sats-connect-page'),
  wbip004: () => import('./wbip004-page'),
};

const {show} = await (pages[location.search.slice(1)] ?? pages.wagmi!)();
show(document.getElementById('root')!);
