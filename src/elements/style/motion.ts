const SIDES = ['.pay', '.get'] as const;
const CALM_MS = 240;
/** A pointer that moves this far, in CSS pixels, is on its way to something. */
const REACH_PX = 4;

/**
 * Remembers the positions of the money in the old stage, and returns a function that moves it to its place in the new
 * one: it is the same money. What is between them fades in. A stage of the same swap is no lower than the one before.
 * It is there at once when the visitor reaches for something, so a click never meets what is still on its way.
 * `--swap-speed` is the page's, and `prefers-reduced-motion` the visitor's; at a speed of 0 nothing moves.
 */
export function leaveStage(old: Element): (next: Element) => void {
  const before = SIDES.map(side => moving(old, side).map(element => element && placeOf(element)));
  const height = old.shadowRoot?.querySelector('.frame')?.getBoundingClientRect().height ?? 0;
  return next => {
    if (!next.matches('swap-widget-form-view') && next instanceof HTMLElement)
      next.style.setProperty('--_kept', `${String(height)}px`);
    const style = getComputedStyle(next);
    const duration = CALM_MS * (Number.parseFloat(style.getPropertyValue('--_speed')) || 0);
    if (!duration) return;
    const options = {duration, easing: 'cubic-bezier(0.2, 0, 0, 1)'};
    const origin = style.direction === 'rtl' ? 'top right' : 'top left';
    const moves = SIDES.flatMap((side, index) =>
      moving(next, side).map((element, nth) => {
        const from = before[index]?.[nth];
        const to = element && placeOf(element);
        if (!from || !to?.size) return;
        const start = `translate(${String(from.x - to.x)}px, ${String(from.y - to.y)}px) scale(${String(from.size / to.size)})`;
        return element?.animate(
          [
            {transform: start, transformOrigin: origin},
            {transform: 'none', transformOrigin: origin},
          ],
          options,
        );
      }),
    );
    const between = next.shadowRoot?.querySelector('.between');
    moves.push(between?.animate([{opacity: 0, transform: 'translateY(-4px)'}, {opacity: 1}], options));
    finishOnReach(next, moves);
  };
}

/** Ends animations as soon as a pointer is pressed in a view, or moves through it for more than a tremble. */
function finishOnReach(view: Element, moves: readonly (Animation | undefined)[]): void {
  const stop = new AbortController();
  let rest: PointerEvent | undefined;
  const finish = (event: Event) => {
    const {type, clientX, clientY} = event as PointerEvent;
    // Not by `movementX`: its first value in WebKit counts from where the pointer was before this view.
    rest ??= event as PointerEvent;
    if (type === 'pointermove' && Math.hypot(clientX - rest.clientX, clientY - rest.clientY) < REACH_PX) return;
    stop.abort();
    for (const move of moves) move?.finish();
  };
  for (const type of ['pointermove', 'pointerdown']) view.addEventListener(type, finish, {signal: stop.signal});
}

function moving(view: Element, side: string): readonly (Element | null | undefined)[] {
  const place = view.shadowRoot?.querySelector(side);
  const amount =
    place?.querySelector('.amount') ?? place?.querySelector('swap-widget-amount-field, swap-widget-receive-field');
  return [place?.querySelector('.mark'), amount?.shadowRoot?.querySelector('.amount') ?? amount];
}

function placeOf(element: Element) {
  const {left, right, top, height} = element.getBoundingClientRect();
  const {direction, fontSize} = getComputedStyle(element);
  // A mark's size is that of its box, an amount's is its font size.
  const size = element.matches('.mark') ? height : Number.parseFloat(fontSize);
  return {x: direction === 'rtl' ? right : left, y: top, size};
}
