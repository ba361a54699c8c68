/** Watches what a session reports as seen on a chain about an order, at each change. */
import type {Story} from '../../src/domain/story.js';
import type {NodeTab} from '../support/node-session.js';
import {entriesIn, shownIn, storyIn} from '../support/shown.js';

/** The movements of an order's money. */
export type Deed = 'paid in' | 'paid out' | 'paid back';

/** The movements that a story reports as seen on a chain, in any way. */
export function saidAsSeen({paidIn, paidOut, paidBack, order, stage, witness}: Story): readonly Deed[] {
  const {source, destination} = order ?? {};
  const isEnd = (end: Story['stage']) => stage === end && witness === 'chain';
  const said: Readonly<Record<Deed, boolean | undefined>> = {
    'paid in': paidIn.certainty === 'proved' || source?.initiated?.onChain,
    'paid out': paidOut.certainty === 'proved' || destination?.redeemed?.onChain || isEnd('complete'),
    'paid back': paidBack.certainty === 'proved' || source?.refunded?.onChain || isEnd('refunded'),
  };
  return (Object.keys(said) as Deed[]).filter(deed => said[deed]);
}

/** Calls back for each movement that a tab reports as seen: on its screen, in its list, in an event. */
export function watch(
  {session, events}: NodeTab,
  hear: (orderId: string, deed: Deed, where: string) => void,
): () => void {
  let heard = 0;
  const look = () => {
    const [story, id] = [storyIn(session), shownIn(session)?.id];
    if (story && id !== undefined) for (const deed of saidAsSeen(story)) hear(id, deed, 'the screen');
    for (const {orderId, paidIn, paidOut, paidBack} of entriesIn(session)) {
      if (paidIn) hear(orderId, 'paid in', 'the list');
      if (paidOut) hear(orderId, 'paid out', 'the list');
      if (paidBack) hear(orderId, 'paid back', 'the list');
    }
    for (const event of events.slice(heard)) {
      if (event.type !== 'complete' && event.type !== 'refund') continue;
      if (event.witness === 'chain')
        hear(event.orderId, event.type === 'complete' ? 'paid out' : 'paid back', 'an event');
    }
    heard = events.length;
  };
  const stops = [session.$order.subscribe(look), session.$journal.subscribe(look)];
  return () => {
    look();
    stops.forEach(stop => stop());
  };
}
