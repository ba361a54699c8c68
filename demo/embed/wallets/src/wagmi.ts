import {useEffect, useMemo, useState} from 'react';
import type {SwapConnectRequestEvent} from 'swap-widget';
import {useAccount} from 'wagmi'; // In wagmi 3 also `useConnection`.

/** The wallet that wagmi has connected: spread it on the element, `{...useWagmiWallet(openYourDialog)}`. */
export function useWagmiWallet(openDialog: () => void) {
  const {connector, status} = useAccount();
  const [evm, setEvm] = useState<object>();

  useEffect(() => {
    let isCurrent = true;
    // While wagmi reconnects, its connector has no provider yet.
    const found = status === 'connected' ? connector.getProvider() : Promise.resolve();
    void found.then(provider => isCurrent && setEvm(provider as object | undefined));
    return () => {
      isCurrent = false;
    };
  }, [connector, status]);

  return {
    wallets: useMemo(() => ({evm}), [evm]),
    'onswap-connect-request'(event: SwapConnectRequestEvent) {
      if (event.family !== 'evm') return;
      event.preventDefault(); // No list of the widget's own.
      openDialog();
    },
  };
}
