/** A widget's scope: its id, otherwise its index among the widgets of the page, or of its shadow root. */
export function scopeOf(element: Element): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const place = element.id || [...root.querySelectorAll(element.localName)].indexOf(element);
  return ('host' in root ? `${scopeOf(root.host)}/` : '') + String(place);
}

/** Hides typing in fields from the page: a page's shortcut for “5” is not meant there. Other keys still reach the page. */
export function keepTyping(root: EventTarget): void {
  for (const type of ['keydown', 'keypress', 'keyup']) {
    root.addEventListener(type, event => {
      // Autofill fires events without a key.
      const {key = '', ctrlKey, altKey, metaKey} = event as Partial<KeyboardEvent>;
      // With both of the first two, a key produces a third character.
      const isText = (key.length === 1 && !metaKey && ctrlKey === altKey) || key === 'Backspace' || key === 'Delete';
      if (isText && event.composedPath()[0] instanceof HTMLInputElement) event.stopPropagation();
    });
  }
}
