/** `<Swap>`, the element as a component of React 18 or newer: settings are props, events are `onSwapComplete` and so on. */
import {createElement, forwardRef, useImperativeHandle, useRef} from 'react';
import './define.js';
import {attributeOf} from './elements/base/public.js';
import {SETTINGS} from './elements/settings/settings.js';
import type {SwapWidget} from './elements/swap-widget.js';
import type {SwapProps} from './frameworks/react.js';

export * from './define.js';

type Given = Readonly<Record<string, unknown>>;

/** `onSwapComplete` for `swap-complete`. */
const isListener = (name: string) => /^onSwap[A-Z]/.test(name);

export const Swap = forwardRef<SwapWidget, SwapProps>((props, ref) => {
  const widget = useRef<SwapWidget>(null);
  const last = useRef<Given>({});
  useImperativeHandle<SwapWidget | null, SwapWidget | null>(ref, () => widget.current, []);

  /** The props that a server can render, and those that only the element itself can get. */
  const markup: Record<string, unknown> = {};
  const told: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (isListener(name)) told[name] = value;
    else if (!(name in SETTINGS)) markup[name === 'className' ? 'class' : name] = value;
    else if (Object(value) === value) told[name] = value;
    else if (value != null && value !== false) markup[attributeOf(name)] = value === true ? '' : value;
  }

  return createElement('swap-widget', {
    ...markup,
    suppressHydrationWarning: true,
    // A new function for each rendering: React calls it with the element before anything is visible.
    ref: (element: SwapWidget | null) => {
      widget.current = element;
      if (!element) return;
      tell(element, last.current, told);
      last.current = told;
    },
  });
});

function tell(element: SwapWidget, before: Given, now: Given) {
  for (const name of Object.keys({...before, ...now})) {
    const [old, value] = [before[name], now[name]];
    if (old === value) continue;
    if (isListener(name)) {
      const type = attributeOf(name.slice(2)).slice(1);
      element.removeEventListener(type, old as EventListener);
      element.addEventListener(type, value as EventListener);
    } else Object.assign(element, {[name]: value});
  }
}
