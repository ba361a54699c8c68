import {valueOf} from '../domain/remote.js';
import {plausible} from '../domain/routes.js';
import {change, type SessionCore} from './shared.js';

/**
 * Asked once, after an answer to a request for a price. The specification has no such lists, and a page's console would
 * show each 404: only a service is asked whose quotes have undocumented fields, or that has no route for a pair.
 */
export function learnOffered({$asking, $settings, $watch}: SessionCore): void {
  let theirs: string | undefined;
  let isAsked = false;
  $settings.subscribe(({config}) => {
    if (!config || config.service === theirs) return;
    [theirs, isAsked] = [config.service, false];
    change($asking, {limits: {}, routes: undefined});
  });
  const ask = () => {
    const {config} = $settings.get();
    const {quote} = $asking.get();
    const isRefused = quote.state === 'failed' && quote.error.code === 'no-route';
    const hasMore = valueOf(quote)?.offers.some(({estimatedSeconds}) => estimatedSeconds !== undefined);
    if (!config || isAsked || $watch.get() !== 'seen' || !(isRefused || hasMore)) return;
    isAsked = true;
    const {catalogue, prefill, api, service} = config;
    api.readOffered?.().then(
      ({limits, ...offered}) => {
        if (theirs !== service) return;
        const known = $asking.get();
        const routes = {...known.routes, ...plausible(offered, catalogue, prefill)};
        change($asking, {limits: {...limits, ...known.limits}, routes});
      },
      () => undefined,
    );
  };
  for (const $store of [$settings, $watch, $asking]) $store.listen(ask);
}
