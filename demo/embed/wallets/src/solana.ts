import {useWallet} from '@solana/wallet-adapter-react';
import {useMemo} from 'react';
import type {SwapConnectRequestEvent} from 'swap-widget';

/** The wallet that wallet-adapter has connected: spread it on the element, `{...useSolanaWallet(openYourDialog)}`. */
export function useSolanaWallet(openDialog: () => void) {
  const {wallet, connected} = useWallet();
  const solana = connected ? wallet?.adapter : undefined;

  return {
    wallets: useMemo(() => ({solana}), [solana]),
    'onswap-connect-request'(event: SwapConnectRequestEvent) {
      if (event.family !== 'solana') return;
      event.preventDefault(); // No list of the widget's own.
      openDialog();
    },
  };
}
