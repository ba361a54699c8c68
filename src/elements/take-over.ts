/*
 * Replaces the server-rendered form (`first-paint.ts`) by the live one, between two frames, and keeps what was typed,
 * clicked and focused there. Nothing else in that markup is used: what a page, or a man in the middle, wrote into it
 * has no effect. Typed text is entered into the live fields as if it were typed now, and a click does what the
 * corresponding live button does.
 */
import type {LitElement} from 'lit';

type Pair<T = HTMLElement> = readonly [drawn: T, living: T];

/** Replaces the static form by the live one once that is rendered. The static one begins with its style sheet. */
export async function takeOver(widget: LitElement, sheet: HTMLStyleElement): Promise<void> {
  await widget.updateComplete;
  const drawing = sheet.nextElementSibling;
  if (!drawing) return;
  const find = () => widget.renderRoot.querySelector<LitElement>(drawing.localName.replace('still', 'widget'));
  // If another view is shown there is no live form, and nothing to wait for. A press that began in the static form ends
  // there.
  let living = find();
  while (living && !(living.hasUpdated && living.ariaBusy !== 'true' && !drawing.matches(':active'))) {
    await new Promise(resolve => setTimeout(resolve, 10));
    living = find();
  }

  const pairs = living ? pairsOf(drawing, living) : [];
  const typed = pairs.filter(isTyped);
  const focused = pairs.find(([drawn]) => drawn.matches(':focus'));
  const pressed = pairs.filter(isPressed);
  // From here on the live form is visible, with the static one's height. It gets the focus before the static one is
  // removed, so that a phone keeps its keyboard.
  living?.style.setProperty('min-block-size', '0');
  sheet.remove();
  for (const [drawn, field] of typed) {
    field.value = drawn.value;
    field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
  }
  if (focused) await focus(focused);
  while (drawing.nextSibling) drawing.nextSibling.remove();
  drawing.remove();
  // Of several clicks, the focused button's comes last, and counts.
  pressed.sort(([a], [b]) => Number(a === focused?.[0]) - Number(b === focused?.[0]));
  for (const [, button] of pressed) button.click();
}

/** Focuses a live field or button, with the caret in the same place. */
async function focus([drawn, living]: Pair): Promise<void> {
  living.focus();
  if (!isField(drawn) || !isField(living)) return;
  const {selectionStart, selectionEnd, selectionDirection} = drawn;
  // A focused field selects its content.
  await ((living.getRootNode() as ShadowRoot).host as Partial<LitElement>).updateComplete;
  living.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none');
}

function isField(control: HTMLElement): control is HTMLInputElement {
  return control instanceof HTMLInputElement;
}

/** Whether the visitor typed into a static field: the markup's own value does not count. */
function isTyped(pair: Pair): pair is Pair<HTMLInputElement> {
  const [drawn, living] = pair;
  return isField(drawn) && isField(living) && drawn.value !== drawn.defaultValue && !living.readOnly;
}

function isPressed([drawn]: Pair): boolean {
  return drawn instanceof HTMLButtonElement && drawn.popoverTargetElement?.matches(':popover-open') === true;
}

function pairsOf(drawing: Element, living: Element): readonly Pair[] {
  const there = controlsOf(living);
  return [...controlsOf(drawing)].flatMap(([place, drawn]) => {
    const same = there.get(place);
    return same ? [[drawn, same] as const] : [];
  });
}

/** The fields and buttons in an element, through its shadow roots, by their places: the parts that contain them. */
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

function placeIn(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) parts.push(at.getAttribute('part') ?? '');
  return parts.filter(Boolean).join(' ');
}
