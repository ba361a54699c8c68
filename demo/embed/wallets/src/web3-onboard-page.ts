import Onboard from '@web3-onboard/core';
import injectedModule from '@web3-onboard/injected-wallets';
import {drawPage} from './page';
import {shareWallet} from './web3-onboard';

const onboard = Onboard({
  wallets: [injectedModule()],
  chains: [
    {id: 84_532, label: 'Base Sepolia', token: 'ETH', rpcUrl: 'https://your.node/base-sepolia'},
    {id: 11_155_111, label: 'Sepolia', token: 'ETH', rpcUrl: 'https://your.node/sepolia'},
  ],
  appMetadata: {name: 'A page', description: 'Swaps.', icon: '<svg />'},
  connect: {autoConnectLastWallet: true, showSidebar: false},
  accountCenter: {desktop: {enabled: false}, mobile: {enabled: false}},
  notify: {enabled: false},
  disableFontDownload: true,
});

export function show(root: HTMLElement) {
  const {widget, tell} = drawPage(root, {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'});
  const {disconnect} = shareWallet(widget, onboard, wallet => {
    const address = wallet?.accounts[0]?.address;
    tell(address && `${address} on ${Number(wallet?.chains[0]?.id)}`, () => disconnect());
  });
}
