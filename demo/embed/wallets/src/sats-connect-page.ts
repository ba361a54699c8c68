import {drawPage} from './page';
import {shareWallet} from './sats-connect';

export function show(root: HTMLElement) {
  const {widget, tell} = drawPage(root, {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc'});
  const {disconnect} = shareWallet(widget, address => tell(address, disconnect));
}
