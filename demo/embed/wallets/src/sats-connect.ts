import Wallet, {getDefaultProvider, getProviderById, type Address} from 'sats-connect';
import type {SwapWidget} from 'swap-widget';

/** The wallet chosen in the window of sats-connect, which opens where the widget would open its list. */
export function shareWallet(widget: SwapWidget, changed: (address?: string) => void) {
  const stops: (() => void)[] = [];
  const tell = (addresses: Address[] = []) => changed(addresses.find(({purpose}) => purpose === 'payment')?.address);
  const give = (bitcoin?: object) => {
    widget.wallets = {...widget.wallets, bitcoin};
  };
  const leave = async () => {
    for (const stop of stops.splice(0)) stop();
    give();
    changed();
    await Wallet.disconnect();
  };

  widget.addEventListener('swap-connect-request', async event => {
    if (event.family !== 'bitcoin') return;
    event.preventDefault(); // No list of the widget's own.
    const answer = await Wallet.request('wallet_connect', null);
    if (answer.status !== 'success') return;
    for (const stop of stops.splice(0)) stop();
    stops.push(
      Wallet.addListener({
        eventName: 'accountChange',
        async cb() {
          const now = await Wallet.request('wallet_getAccount', null);
          tell(now.status === 'success' ? now.result.addresses : []);
        },
      }),
      Wallet.addListener({eventName: 'disconnect', cb: () => void leave()}),
    );
    give(getProviderById(getDefaultProvider()!) as object);
    tell(answer.result.addresses);
  });
  return {disconnect: leave};
}
