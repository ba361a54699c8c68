/**
 * The layout faults of a widget: text that is cut off, outside its frame or over other text; buttons that touch; broken
 * numbers.
 */
export function layoutFaults(widget: HTMLElement): string[] {
  const frame = widget.getBoundingClientRect();
  const texts = textsOf(widget.shadowRoot!);
  const faults: string[] = [];
  for (const {rect, text, element} of texts) {
    if (rect.left < frame.left - 1 || rect.right > frame.right + 1) faults.push(`“${text}” is beside the frame`);
    const cutter = cutterOf(element);
    if (cutter && cutter.scrollWidth > cutter.clientWidth + 1) faults.push(`“${text}” is cut`);
  }
  for (const [one, other] of touching(widget)) {
    faults.push(`the button “${one.textContent.trim()}” touches “${other.textContent.trim()}”`);
  }
  for (const number of elementsOf(widget.shadowRoot!).filter(element => element.matches('.side > .amount > bdi'))) {
    const range = document.createRange();
    range.selectNodeContents(number);
    const bottoms = Array.from(range.getClientRects(), ({bottom}) => bottom);
    if (Math.max(...bottoms) - Math.min(...bottoms) > 4) faults.push(`“${number.textContent}” is broken`);
  }
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.element !== other.element && overlap(one.rect, other.rect))
        faults.push(`“${one.text}” is over “${other.text}”`);
    }
  }
  return [...new Set(faults)];
}

/** Each line of text in the margin of its frame, which is this many pixels wide. */
export function textsInMargin(widget: HTMLElement, margin: number): string[] {
  const {left, right} = widget.getBoundingClientRect();
  return textsOf(widget.shadowRoot!)
    .filter(({rect}) => rect.left < left + margin - 1 || rect.right > right - margin + 1)
    .map(({text, rect}) => `“${text}” ends ${String(Math.round(right - rect.right))} pixels from the edge`);
}

/** With a smaller gap, two stacked buttons look like one. */
const LEAST_GAP = 4;

function touching(widget: HTMLElement): [Element, Element][] {
  const buttons = elementsOf(widget.shadowRoot!).filter(element => element.matches('button:is(.primary, .secondary)'));
  const boxes = buttons.map(button => ({button, box: button.getBoundingClientRect()}));
  return boxes.flatMap(({button, box}) =>
    boxes
      .filter(
        other =>
          other.box.top > box.top &&
          other.box.top - box.bottom < LEAST_GAP &&
          other.box.left < box.right &&
          other.box.right > box.left,
      )
      .map((other): [Element, Element] => [button, other.button]),
  );
}

function elementsOf(root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap(element => [
    ...(isShown(element) ? [element] : []),
    ...(element.shadowRoot ? elementsOf(element.shadowRoot) : []),
  ]);
}

interface Text {
  readonly text: string;
  readonly rect: DOMRect;
  readonly element: Element;
}

/** Each visible line of text, through all shadow roots. */
function textsOf(root: Node): Text[] {
  const found: Text[] = [];
  for (const node of root.childNodes) {
    if (node instanceof Text) {
      const element = node.parentElement;
      const text = node.data.trim();
      if (!text || !element || !isShown(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        if (rect.width > 1 && !isScrolledAway(rect, element)) found.push({text, rect, element});
      }
    } else if (node instanceof Element && !node.matches('style, .hidden, [inert]')) {
      found.push(...textsOf(node.shadowRoot ?? node));
      if (node.shadowRoot) found.push(...textsOf(node));
    }
  }
  return found;
}

function isScrolledAway(rect: DOMRect, element: Element): boolean {
  const list = element.closest('.scroll, .tabs');
  if (!list || /visible/.test(getComputedStyle(list).overflow)) return false;
  const room = list.getBoundingClientRect();
  // A sticky list header covers the entries scrolled beneath it.
  const head = list.scrollTop > 0 ? list.querySelector(':scope > .top') : null;
  const top = head && !head.contains(element) ? head.getBoundingClientRect().bottom : room.top;
  return rect.bottom > room.bottom || rect.top < top || rect.right > room.right || rect.left < room.left;
}

function isShown(element: Element): boolean {
  return (
    element.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
    !element.closest('.hidden, svg') &&
    getComputedStyle(element).clipPath !== 'inset(50%)'
  );
}

/** The element that cuts off its overflow. A shortened address is cut off on purpose, and a list scrolls. */
function cutterOf(element: Element): Element | undefined {
  const box = element.closest('.tag, .label, .amount, button, strong, .value, .chain-name, dd, dt, p');
  return box && getComputedStyle(box).overflowX !== 'visible' ? box : undefined;
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  // Line boxes are taller than their letters.
  return across > 2 && down > Math.min(one.height, other.height) * 0.35;
}

export function textOf(element: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range;
}

export function linesOf(element: Element): number {
  return new Set([...textOf(element).getClientRects()].map(({bottom}) => Math.round(bottom / 4))).size;
}
