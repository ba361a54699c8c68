import {atom, effect, onMount, type ReadableAtom} from 'nanostores';
import type {Asset} from '../domain/asset.js';
import type {Quotes} from '../domain/quote.js';
import {aboveReference, readPrice, type Price, type ReferencePrice} from '../domain/reference.js';
import {valueOf} from '../domain/remote.js';
import type {SwapSession} from './types.js';

interface Named {
  readonly from: Asset;
  readonly to: Asset;
  readonly price: Price;
}

/** In basis points, by the page's own price (`referencePrice`); `undefined` if it has none. Only for display. */
export function referenceOf(session: SwapSession): ReadableAtom<number | undefined> {
  return session.keep(createComparison);
}

/** Asks the page with each new price. Until it answers, its previous price stays. */
function createComparison({$settings, $form}: SwapSession): ReadableAtom<number | undefined> {
  const $above = atom<number | undefined>();
  let named: Named | undefined;
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

  const compare = () => {
    const {offer} = $form.get();
    // A price only applies to its own pair.
    const isOfPair =
      offer?.source.asset.toLowerCase() === named?.from.id.toLowerCase() &&
      offer?.destination.asset.toLowerCase() === named?.to.id.toLowerCase();
    $above.set(named && offer && isOfPair ? aboveReference(offer, named.from, named.to, named.price) : undefined);
  };

  const follow = async () => {
    const ask = $settings.get().config?.referencePrice;
    const quotes = valueOf($form.get().quote);
    if (ask !== asked?.ask) named = undefined;
    if (!ask) asked = undefined;
    compare();
    if (!ask || !quotes || (asked?.quotes === quotes && asked.ask === ask)) return;
    const present = (asked = {quotes, ask});
    const answered = await answer(ask, quotes.request);
    // Another request was made meanwhile: its response counts.
    if (asked !== present) return;
    named = answered;
    compare();
  };

  onMount($above, () => effect([$settings, $form], () => void follow()));
  return $above;
}
