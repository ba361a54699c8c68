import {FIELDS, type Draft, type LockedField} from './draft.js';

/** The fields that a page can lock, and that a link may fill in. */
export const GIVEN_FIELDS = FIELDS.filter((field): field is LockedField => field !== 'refundAddress');

/** The longest text that is read; addresses of all chains are shorter. */
const LONGEST = 200;

/** The query parameter that belongs to one widget: `swap.from`, or with the widget's id `swap.shop.from`. */
export function parameterOf(field: string, id = ''): string {
  return ['swap', ...(id ? [id] : []), field].join('.');
}

/**
 * A link to a page that fills in the form of a widget there, if that widget has `url-sync`. The visitor is still asked
 * whether the recipient is right.
 * @param page The page's URL. Its other parameters stay.
 * @param draft Asset ids, the amount to pay or to receive in whole units as decimal text, an address. Only given fields
 * are filled in.
 * @param id The widget's id, if it has one.
 */
export function swapLink(page: string | URL, draft: Partial<Pick<Draft, LockedField>>, id?: string): string {
  const url = new URL(page);
  for (const field of GIVEN_FIELDS) {
    if (draft[field]) url.searchParams.set(parameterOf(field, id), draft[field]);
    else url.searchParams.delete(parameterOf(field, id));
  }
  return url.href;
}

export function readLink(search: string, id?: string): Partial<Record<LockedField, string>> {
  const query = new URLSearchParams(search);
  return Object.fromEntries(
    GIVEN_FIELDS.flatMap(field => {
      const text = query.get(parameterOf(field, id))?.trim() ?? '';
      return text && text.length <= LONGEST ? [[field, text]] : [];
    }),
  );
}
