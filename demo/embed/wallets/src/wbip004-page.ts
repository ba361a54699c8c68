import {drawPage} from './page';
import {shareWallet} from './wbip004';

export function show(root: HTMLElement) {
  const {widget, tell, choose} = drawPage(root, {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc'});
  const {disconnect} = shareWallet(widget, choose, address => tell(address, disconnect));
}
