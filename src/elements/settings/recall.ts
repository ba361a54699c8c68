/*
 * Whether the widget's makers recalled this version, if the page sets a list of recalls (`recall`): then it accepts no
 * new swaps, as if the page had paused them. Loaded if the attribute is set.
 */
import {readRecall} from '../../api/recall.js';
import type {SwapSession} from '../../session/session.js';
import {SHARED, type Shared} from '../base/swap-element.js';

/** Reads a list; tests sign theirs with their own key. */
export const recalls = {read: (address: string) => readRecall(address)};

interface Widget {
  readonly [SHARED]: Pick<Shared, 'readSettings'>;
  readonly recall?: string | undefined;
}

const FRESH_MS = 3_600_000;

/** What the list at an address said last. */
const createHeard = () => ({address: '', isRecalled: false});

/** Whether a widget's list recalls it, as far as it has been read. */
export function isRecalled({recall = ''}: Pick<Widget, 'recall'>, session: SwapSession): boolean {
  const heard = session.keep(createHeard);
  return heard.isRecalled && heard.address === recall.trim();
}

/** Reads the list now and every hour, until the signal aborts. A list that cannot be read changes nothing. */
export function followRecall(widget: Widget, session: SwapSession, version: string, signal: AbortSignal): void {
  const look = () => {
    const address = widget.recall?.trim();
    if (!address) return;
    recalls.read(address).then(
      ({versions, reason}) => {
        const before = isRecalled(widget, session);
        Object.assign(session.keep(createHeard), {address, isRecalled: versions.includes(version)});
        if (isRecalled(widget, session) === before || signal.aborted) return;
        if (!before) console.error(`<swap-widget> version ${version} is recalled and takes no new swaps: ${reason}`);
        widget[SHARED].readSettings?.();
      },
      (error: unknown) => console.warn(`<swap-widget> recall: ${address} was not read. ${(error as Error).message}`),
    );
  };
  const timer = setInterval(look, FRESH_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  look();
}
