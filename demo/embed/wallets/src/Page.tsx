import {StrictMode, useState, type ReactNode} from 'react';
import {createRoot} from 'react-dom/client';
import type {SwapWidgetProps} from 'swap-widget/react';
import 'swap-widget/react';
import {settings} from './settings';

interface Props extends SwapWidgetProps {
  /** The page's own wallet account. */
  account: string | undefined;
  onDisconnect(): void;
  /** The page's own dialog. */
  children?: ReactNode;
}

/** The page around the widget, in React. */
export function Page({account, onDisconnect, children, ...swap}: Props) {
  const [received, setReceived] = useState('');
  return (
    <main>
      <p id="account">{account ?? 'No wallet'}</p>
      <button id="disconnect" hidden={!account} onClick={onDisconnect}>
        Disconnect
      </button>
      <swap-widget {...settings} {...swap} onswap-complete={event => setReceived(event.orderId)} />
      <output>{received && `Received: order ${received}`}</output>
      {children}
    </main>
  );
}

export function render(root: HTMLElement, page: ReactNode) {
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
