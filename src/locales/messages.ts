import type {errors} from './en/errors.js';
import type {form} from './en/form.js';
import type {order} from './en/order.js';

/** The words that the form needs. */
export type FirstMessages = typeof form;

/** All words of the widget in one language. */
export type Messages = FirstMessages & typeof errors & typeof order;

/** Some of the words, to put others in their place. */
export type MessageOverrides = {
  readonly [K in keyof Messages]?: Messages[K] extends string | ((...args: never[]) => unknown)
    ? Messages[K]
    : Partial<Messages[K]>;
};

/** Words with some of them replaced. */
export function withOverrides<T extends object>(messages: T, overrides: MessageOverrides): T {
  const result = {...messages} as Record<string, unknown>;
  for (const [key, value] of Object.entries(overrides)) {
    const own = result[key];
    if (key in result) result[key] = typeof own === 'object' ? {...own, ...(value as object)} : value;
  }
  return result as T;
}
