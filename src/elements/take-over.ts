/*
 * Lets the living form take the place of the one that the page brought along (`first-paint.ts`), between two frames, with
 * what was typed, pressed and focused there. Nothing else is read of that markup: what a page, or who stood between it and
 * the visitor, wrote into it counts for nothing. What was typed stands in the living fields as if it were typed now, and a
 * press does what the living button in its place does.
 */
import type {LitElement} from 'lit';

/** A field or button that is drawn, and the living one in its place. */
type Pair<T = HTMLElement> = readonly [drawn: T, living: T];

/** Puts the living form into the place of the drawn one once it is there. The drawing begins with its sheet. */
export async function takeOver(widget: LitElement, sheet: HTMLStyleElement): Promise<void> {
  await widget.updateComplete;
  const drawing = sheet.nextElementSibling;
  if (!drawing) return;
  const find = () => widget.renderRoot.querySelector<LitElement>(drawing.localName.replace('still', 'widget'));
  // Where another view is shown there is none, and nothing to wait for. A press that has begun in the drawing ends there.
  let living = find();
  while (living && !(living.hasUpdated && living.ariaBusy !== 'true' && !drawing.matches(':active'))) {
    await new Promise(resolve => setTimeout(resolve, 10));
    living = find();
  }

  const pairs = living ? pairsOf(drawing, living) : [];
  const typed = pairs.filter(isTyped);
  const focused = pairs.find(([drawn]) => drawn.matches(':focus'));
  const pressed = pairs.filter(isPressed);
  // From here on the living one is seen, at the height of the drawn one. It has the focus before the drawn one goes, so
  // that a phone keeps its keys.
  living?.style.setProperty('min-block-size', '0');
  sheet.remove();
  for (const [drawn, field] of typed) {
    field.value = drawn.value;
    field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
  }
  if (focused) await focus(focused);
  while (drawing.nextSibling) drawing.nextSibling.remove();
  drawing.remove();
  // Of several the one in hand comes last, and counts.
  pressed.sort(([a], [b]) => Number(a === focused?.[0]) - Number(b === focused?.[0]));
  for (const [, button] of pressed) button.click();
}

/** Gives the focus to a living field or button, with the cursor where it was. */
async function focus([drawn, living]: Pair): Promise<void> {
  living.focus();
  if (!isField(drawn) || !isField(living)) return;
  const {selectionStart, selectionEnd, selectionDirection} = drawn;
  // A field that is focused selects what is in it.
  await (hostOf(living) as Partial<LitElement>).updateComplete;
  living.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none');
}

function isField(control: HTMLElement): control is HTMLInputElement {
  return control instanceof HTMLInputElement;
}

/** Whether a person wrote into a drawn field: what the markup says is in it is no sign of that. */
function isTyped(pair: Pair): pair is Pair<HTMLInputElement> {
  const [drawn, living] = pair;
  return isField(drawn) && isField(living) && drawn.value !== drawn.defaultValue && !living.readOnly;
}

function isPressed([drawn]: Pair): boolean {
  return drawn instanceof HTMLButtonElement && drawn.popoverTargetElement?.matches(':popover-open') === true;
}

/** The fields and buttons of a drawing that have a living one in their place. */
function pairsOf(drawing: Element, living: Element): readonly Pair[] {
  const there = controlsOf(living);
  return [...controlsOf(drawing)].flatMap(([place, drawn]) => {
    const same = there.get(place);
    return same ? [[drawn, same] as const] : [];
  });
}

/** The fields and buttons in an element, through its shadow roots, by their places: the parts they are in. */
function controlsOf(top: Element): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  const visit = (root: ParentNode, place: string) => {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      const here = `${placeIn(element)} ${place}`;
      if (element.matches('input, button')) {
        let name = `${element.localName}#${element.matches('input') ? element.id : ''} ${here}`;
        while (found.has(name)) name = `+${name}`;
        found.set(name, element);
      }
      if (element.shadowRoot) visit(element.shadowRoot, here);
    }
  };
  if (top.shadowRoot) visit(top.shadowRoot, '');
  return found;
}

/** The parts in which an element of a shadow root is. */
function placeIn(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) parts.push(at.getAttribute('part') ?? '');
  return parts.filter(Boolean).join(' ');
}

function hostOf(element: Element): Element {
  return (element.getRootNode() as ShadowRoot).host;
}
