import {useAccount} from '@starknet-react/core';
import {useMemo} from 'react';
import type {SwapConnectRequestEvent} from 'swap-widget';

/** The wallet that starknet-react has connected: spread it on the element, `{...useStarknetWallet(openYourDialog)}`. */
export function useStarknetWallet(openDialog: () => void) {
  const {connector, isConnected} = useAccount();
  const starknet = isConnected ? connector : undefined;

  return {
    wallets: useMemo(() => ({starknet}), [starknet]),
    'onswap-connect-request'(event: SwapConnectRequestEvent) {
      if (event.family !== 'starknet') return;
      event.preventDefault(); // No list of the widget's own.
      openDialog();
    },
  };
}
