import type {SwapWidget} from 'swap-widget';

/** An entry of `window.btc_providers` (WBIP-004): its id is the provider's path from `window`. */
interface Entry {
  id: string;
  name: string;
}
interface Answer {
  result?: {addresses: {address: string; purpose: string}[]};
}
interface Provider {
  request(method: string, params: unknown): Promise<Answer>;
  addListener(listener: {eventName: string; cb(): void}): () => void;
}
type Choose = (wallets: {name: string; wallet: Provider}[]) => Promise<Provider | undefined>;

const providerOf = ({id}: Entry) => id.split('.').reduce<any>((at, key) => at?.[key], window) as Provider;

/** A wallet that registered itself, chosen in the page's own dialog, without a library. */
export function shareWallet(widget: SwapWidget, choose: Choose, changed: (address?: string) => void) {
  let stop = () => {};
  let provider: Provider | undefined;
  const give = (bitcoin?: Provider) => {
    provider = bitcoin;
    widget.wallets = {...widget.wallets, bitcoin};
  };
  const tell = ({result}: Answer) => changed(result?.addresses.find(({purpose}) => purpose === 'payment')?.address);
  const leave = () => {
    stop();
    give();
    changed();
  };

  widget.addEventListener('swap-connect-request', async event => {
    if (event.family !== 'bitcoin') return;
    event.preventDefault(); // No list of the widget's own.
    const entries = (window as {btc_providers?: Entry[]}).btc_providers ?? [];
    const chosen = await choose(entries.map(entry => ({name: entry.name, wallet: providerOf(entry)})));
    const answer = await chosen?.request('wallet_connect', {addresses: ['payment']});
    if (!chosen || !answer?.result) return;
    stop();
    const stops = [
      chosen.addListener({
        eventName: 'accountChange',
        cb: async () => tell(await chosen.request('wallet_getAccount', null)),
      }),
      chosen.addListener({eventName: 'disconnect', cb: leave}),
    ];
    stop = () => stops.splice(0).forEach(end => end());
    give(chosen);
    tell(answer);
  });
  return {
    async disconnect() {
      const left = provider;
      leave();
      await left?.request('wallet_disconnect', null);
    },
  };
}
