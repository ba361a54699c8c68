import type {LitElement} from 'lit';
import {finishLooks, wholeText} from './finish.js';
import {defineUnit} from './tokens.js';

type Sheets = LitElement['renderRoot'] & {adoptedStyleSheets: CSSStyleSheet[]};
const copies = new WeakMap<Document, Map<string, CSSStyleSheet>>();

/** Restores the styles of an element that moved to another document: a style sheet belongs to the document it was created in. */
export function restyle({ownerDocument, renderRoot, constructor}: LitElement): void {
  const {defaultView} = ownerDocument;
  if (!defaultView) return;
  defineUnit(defaultView);
  finishLooks();
  const known = copies.get(ownerDocument) ?? new Map<string, CSSStyleSheet>();
  copies.set(ownerDocument, known);
  (renderRoot as Sheets).adoptedStyleSheets = (constructor as typeof LitElement).elementStyles.flatMap(sheet => {
    if (!('cssText' in sheet)) return [];
    if (ownerDocument === document) return sheet.styleSheet ?? [];
    const text = wholeText(sheet);
    let copy = known.get(text);
    if (!copy) known.set(text, (copy = new defaultView.CSSStyleSheet()));
    copy.replaceSync(text);
    return copy;
  });
}
