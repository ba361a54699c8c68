import {shareWallet} from './get-starknet';
import {drawPage} from './page';

export function show(root: HTMLElement) {
  const {widget, tell} = drawPage(root, {from: 'starknet_sepolia:wbtc', to: 'base_sepolia:wbtc'});
  const {disconnect} = shareWallet(widget, address => tell(address, disconnect));
}
