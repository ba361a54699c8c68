import type {EIP1193Provider} from 'viem';
import {drawPage} from './page';
import {shareWallet} from './viem';

/** The wallets that announced themselves (EIP-6963). */
const wallets: {name: string; wallet: EIP1193Provider}[] = [];
addEventListener('eip6963:announceProvider', event => {
  const {info, provider} = (event as CustomEvent<{info: {name: string}; provider: EIP1193Provider}>).detail;
  if (!wallets.some(({wallet}) => wallet === provider)) wallets.push({name: info.name, wallet: provider});
});
dispatchEvent(new Event('eip6963:requestProvider'));

export function show(root: HTMLElement) {
  const {widget, tell, choose} = drawPage(root, {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'});
  const {connect, disconnect} = shareWallet(widget, now => tell(now && `${now.address} on ${now.chainId}`, disconnect));
  widget.addEventListener('swap-connect-request', async event => {
    if (event.family !== 'evm') return;
    event.preventDefault();
    const provider = await choose(wallets);
    if (provider) await connect(provider);
  });
}
