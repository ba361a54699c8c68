import {atom, computed, onMount, type ReadableAtom} from 'nanostores';
import type {Asset} from '../domain/asset.js';
import type {Quotes} from '../domain/quote.js';
import {aboveReference, readPrice, type Price, type ReferencePrice} from '../domain/reference.js';
import {valueOf} from '../domain/remote.js';
import type {SwapSession} from './types.js';

/** What the page named, and for which pair. */
interface Named {
  readonly from: Asset;
  readonly to: Asset;
  readonly price: Price;
}

const known = new WeakMap<SwapSession, ReadableAtom<number | undefined>>();

/**
 * By how many basis points more arrives by the chosen offer than at the page's own price (`referencePrice`); `undefined`
 * where the page names none. It is looked at by a person alone: nothing follows from it.
 */
export function referenceOf(session: SwapSession): ReadableAtom<number | undefined> {
  let $above = known.get(session);
  if (!$above) {
    $above = computed([createNamed(session), session.$price], (named, {offer}) => {
      // What was named belongs to its own pair alone.
      const isOfPair =
        offer?.source.asset.toLowerCase() === named?.from.id.toLowerCase() &&
        offer?.destination.asset.toLowerCase() === named?.to.id.toLowerCase();
      return named && offer && isOfPair ? aboveReference(offer, named.from, named.to, named.price) : undefined;
    });
    known.set(session, $above);
  }
  return $above;
}

/** Asks the page with each new price. Until it answers, what it named before stays. */
function createNamed({$settings, $price}: SwapSession): ReadableAtom<Named | undefined> {
  const $named = atom<Named | undefined>();
  let asked: {readonly quotes: Quotes; readonly ask: ReferencePrice} | undefined;
  let reported: ReferencePrice | undefined;

  const answer = async (ask: ReferencePrice, {from, to}: {from: Asset; to: Asset}): Promise<Named | undefined> => {
    try {
      const text: unknown = await ask(from.id, to.id);
      if (text === undefined) return undefined;
      const price = readPrice(text);
      if (!price) {
        const what = typeof text === 'string' ? `“${text}”` : `A ${typeof text}`;
        throw new TypeError(`${what} is not a price as plain decimal text, above zero.`);
      }
      return {from, to, price};
    } catch (error) {
      if (reported !== ask) console.error('<swap-widget> referencePrice:', error);
      reported = ask;
      return undefined;
    }
  };

  const follow = async () => {
    const ask = $settings.get().config?.referencePrice;
    const quotes = valueOf($price.get().quote);
    if (ask !== asked?.ask) $named.set(undefined);
    if (!ask) asked = undefined;
    if (!ask || !quotes || (asked?.quotes === quotes && asked.ask === ask)) return;
    const present = (asked = {quotes, ask});
    const named = await answer(ask, quotes.request);
    // Somebody asked again in the meantime: that answer counts.
    if (asked === present) $named.set(named);
  };

  onMount($named, () => {
    const stops = [$settings, $price].map($store => $store.subscribe(() => void follow()));
    return () => {
      for (const stop of stops) stop();
    };
  });
  return $named;
}
