import {atom, computed, map, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Draft} from '../../src/domain/draft.js';
import {idle} from '../../src/domain/remote.js';
import {isPayersTurn} from '../../src/domain/stage.js';
import type {FormSettings, SessionEvent, SessionGates, SwapSession} from '../../src/session/session.js';
import {SwapWidget} from '../../src/elements/swap-widget.js';
import {SHARED} from '../../src/elements/base/swap-element.js';
import '../../src/define.js';
import {NOON} from './swap.js';

/** The stores of a session, for a test to set. */
type Settable = {
  readonly [
    K in keyof SwapSession as SwapSession[K] extends ReadableAtom ? K : never
  ]: SwapSession[K] extends ReadableAtom<infer T> ? WritableAtom<T> : never;
};

/** A session that does nothing: its stores are set by a test, its actions are only written down. */
export interface FakeSession extends Omit<SwapSession, keyof Settable>, Settable {
  /** What was called, in order: the action's name and its arguments. */
  readonly calls: [name: string, ...args: unknown[]][];
  /** Tells the page something. */
  tell(event: SessionEvent): void;
  /** The gates that the widget gave. */
  gates?: SessionGates;
}

export function createFakeSession(): FakeSession {
  const calls: FakeSession['calls'] = [];
  const listeners = new Set<(event: SessionEvent) => void>();
  const $draft = map<Draft>({from: '', to: '', amount: '', recipient: '', refundAddress: ''});
  const $config: Settable['$config'] = atom(undefined);
  const $preview = atom<FormSettings | undefined>();
  const $form: Settable['$form'] = atom(undefined);
  computed([$config, $preview], (config, preview) => config ?? preview).subscribe(form => $form.set(form));
  const $fault: Settable['$fault'] = atom(undefined);
  const $stage: Settable['$stage'] = atom('editing');
  const $funding: Settable['$funding'] = atom({way: 'transaction', plan: [], walletRequests: [], unclear: false});
  const $standing: Settable['$standing'] = atom(undefined);
  computed([$stage, $funding], (stage, {funding, sent, unclear}) => {
    const isOut = funding !== undefined || sent === true;
    return {stage, isPayersTurn: isPayersTurn(stage, {funding: {isAsking: false, isOut, isUnclear: unclear}})};
  }).subscribe(standing => $standing.set(standing));
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
    };
  const noteAsync =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve();
    };
  return {
    calls,
    tell: event => {
      for (const listener of listeners) listener(event);
    },
    $config,
    $form,
    $fault,
    $view: atom('form'),
    $stage,
    $standing,
    $now: atom(NOON),
    $draft,
    $accounts: atom({}),
    $wallets: atom([]),
    $restoring: atom({}),
    $connecting: atom(idle),
    $balance: atom(idle),
    $reserve: atom(0n),
    $balances: atom({}),
    $request: atom({code: 'enter-amount', field: 'amount', remedy: 'type'}),
    $problem: atom({code: 'enter-amount', field: 'amount', remedy: 'type'}),
    $quote: atom(idle),
    $offer: atom(undefined),
    $nextQuoteAt: atom(undefined),
    $agreement: atom(undefined),
    $limits: atom({}),
    $moved: atom(undefined),
    $foresight: atom(undefined),
    $order: atom(idle),
    $funding,
    $status: atom(idle),
    $readAt: atom(undefined),
    $movedBackFrom: atom(undefined),
    $refundOpen: atom(undefined),
    $refund: atom(idle),
    $chain: atom({}),
    $liveSignatures: atom([]),
    $revoking: atom(idle),
    $journal: atom([]),
    $removed: atom(0),
    $fee: atom(undefined),
    preview: settings => {
      $preview.set(settings);
    },
    configure(settings) {
      if ('catalogue' in settings) {
        if (!$config.get()) $draft.set({...$draft.get(), ...settings.prefill});
        $fault.set(undefined);
        $config.set(settings);
      } else {
        $fault.set(settings);
      }
    },
    start: () => {
      calls.push(['start']);
      return () => {
        calls.push(['stop']);
      };
    },
    listen: listener => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    edit(change) {
      calls.push(['edit', change]);
      $draft.set({...$draft.get(), ...change});
    },
    confirm: note('confirm'),
    flip: note('flip'),
    useShare: note('useShare'),
    readBalances: note('readBalances'),
    recall: () => undefined,
    choose: note('choose'),
    requote: note('requote'),
    discover: noteAsync('discover'),
    connect: wallet => {
      calls.push(['connect', wallet]);
      return Promise.resolve(true);
    },
    // It loads ahead, by itself, at any time: nobody pressed anything.
    prepare: () => Promise.resolve(),
    cancelConnect: note('cancelConnect'),
    disconnect: note('disconnect'),
    review: note('review'),
    back: note('back'),
    placeOrder: noteAsync('placeOrder'),
    pay: noteAsync('pay'),
    answer: noteAsync('answer'),
    revoke: noteAsync('revoke'),
    refund: noteAsync('refund'),
    refresh: note('refresh'),
    openOrder: note('openOrder'),
    openJournal: note('openJournal'),
    reset: note('reset'),
  };
}

/** The widget as it is, on a session that a test holds in its hands. */
export class FakeSessionWidget extends SwapWidget {
  fake = createFakeSession();

  protected override createSession(gates: SessionGates) {
    this.fake.gates = gates;
    return this.fake;
  }

  /** Waits until the settings are read and the words loaded, which is after the form is on the screen. */
  async configured(): Promise<void> {
    const {$config} = this.fake;
    if (!$config.get())
      await new Promise<void>(resolve => {
        const stop = $config.listen(() => {
          stop();
          resolve();
        });
      });
    const {$look} = this[SHARED];
    if (!$look.get().late)
      await new Promise<void>(resolve => {
        const stop = $look.listen(({late}) => {
          if (!late) return;
          stop();
          resolve();
        });
      });
  }
}

customElements.define('fake-session-widget', FakeSessionWidget);
