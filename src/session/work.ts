import {computed} from 'nanostores';
import {isProblem} from '../domain/draft.js';
import {failed} from '../domain/remote.js';
import type {Parts} from './parts.js';
import type {Review} from './review.js';
import type {SessionCore} from './shared.js';

/** How soon a part that could not be loaded is tried again. */
const RETRY_MS = 5_000;

/** What a session does by itself while it is started: loading what the draft needs next. */
export function createWork(core: SessionCore, {addresses, review}: Parts) {
  const {$running, $draft, $accounts, $config, $request, $quote, host, tell} = core;
  let starts = 0;
  let stop = () => {};
  let cancelRetry = () => {};

  /** Addresses, and texts that are no plain amounts, are read by rules that load now, and again where that failed. */
  const checkDraft = () => {
    cancelRetry();
    if (!$config.get()) return;
    const {recipient, refundAddress} = $draft.get();
    const request = $request.get();
    const isNumber = !isProblem(request) || request.code !== 'not-a-number';
    if (isNumber && !(recipient + refundAddress).trim() && !Object.keys($accounts.get()).length) return;
    addresses()
      .then(({loadFamilies}) => loadFamilies())
      .catch(() => {
        cancelRetry();
        cancelRetry = host.after(RETRY_MS, checkDraft);
      });
  };
  for (const $store of [$draft, $accounts, $config]) $store.listen(checkDraft);

  /** Uses what asks for prices. */
  const loadPrice = (act: (review: Review) => void) =>
    void review.use(act, error => {
      const isNew = $quote.get().state !== 'failed';
      $quote.set(failed(error));
      if (isNew) tell({type: 'error', error});
    });

  $running.listen(running => {
    stop();
    if (!running) return;
    checkDraft();
    const $ready = computed([$request, $config, host.online$], (request, config, online) => {
      return online && config && !isProblem(request);
    });
    const unsubscribe = $ready.subscribe(isReady => {
      if (isReady) loadPrice(() => undefined);
    });
    stop = () => {
      cancelRetry();
      unsubscribe();
    };
  });

  return {
    loadPrice,

    start() {
      starts += 1;
      $running.set(true);
      let isStopped = false;
      return () => {
        if (isStopped) return;
        isStopped = true;
        starts -= 1;
        $running.set(starts > 0);
      };
    },
  };
}
