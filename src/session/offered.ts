import {isTouched} from '../domain/form/form.js';
import {plausible} from '../domain/routes.js';
import {change, type SessionCore} from './shared.js';

/**
 * Learns what the service offers: from its lists of assets and pairs, which the specification does not have, read once,
 * when the visitor first changes the form or there is a price, so that neither waits for it.
 */
export function learnOffered({$asking, $config, $active, $facts}: SessionCore): void {
  /** The service that this is known of, and whether it was asked. */
  let theirs: string | undefined;
  let isAsked = false;
  $config.subscribe(config => {
    if (!config || config.service === theirs) return;
    [theirs, isAsked] = [config.service, false];
    change($asking, {limits: {}, routes: undefined});
  });
  const ask = () => {
    const config = $config.get();
    const isWanted = isTouched($facts.get()) || $asking.get().quote.state === 'ready';
    if (!config || isAsked || !isWanted || !$active.get()) return;
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
  for (const $store of [$config, $active, $facts, $asking]) $store.listen(ask);
}
