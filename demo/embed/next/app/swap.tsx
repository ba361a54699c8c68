'use client';

import {useEffect, useRef, useState} from 'react';
import type {SwapCompleteEvent, SwapWidget} from 'swap-widget';
import 'swap-widget/react';
import {settings} from './settings';

/** `form` is the markup that is shown before the script has loaded. */
export function Swap({form}: {form: string}) {
  const ref = useRef<SwapWidget>(null);
  const [received, setReceived] = useState('');

  // React adds no objects or listeners to a custom element that a server rendered. An object that is there already stays.
  useEffect(() => {
    const widget = ref.current!;
    widget.assets ??= settings.assets;
    widget.chains ??= settings.chains;
    widget.affiliateFees ??= settings.affiliateFees;
    const finish = (event: SwapCompleteEvent) => setReceived(event.orderId);
    widget.addEventListener('swap-complete', finish);
    return () => widget.removeEventListener('swap-complete', finish);
  }, []);

  return (
    <>
      <swap-widget
        ref={ref}
        base-url={settings.baseUrl}
        app-id={settings.appId}
        from="base_sepolia:wbtc"
        to="ethereum_sepolia:wbtc"
        dangerouslySetInnerHTML={{__html: form}}
        suppressHydrationWarning
      />
      <output>{received && `Received: order ${received}`}</output>
    </>
  );
}
