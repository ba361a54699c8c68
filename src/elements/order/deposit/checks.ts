import {css, html} from 'lit';
import type {CheckName, CheckReport, CheckResult} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import {decimal, unitText} from '../../../locales/figures.js';
import type {Messages} from '../../../locales/messages.js';
import {directed} from '../../base/time.js';
import {foreignMono, mono} from '../../base/words.js';
import {icon, sign} from '../../icons/icons.js';
import {signs} from '../../icons/signs.js';

export const checkStyles = css`
  .checks {
    font-size: var(--_t-s);
  }
  :not(.more) > .checks {
    margin-inline-start: calc(var(--_rail) + var(--_gap));
  }
  .checks summary {
    display: flex;
    align-items: center;
    gap: calc(var(--_u) * 2);
    min-block-size: calc(var(--_u) * 8);
    font-weight: 500;
  }
  .checks .chev {
    margin-inline-start: auto;
    color: var(--_quiet);
    transition: rotate var(--_quick) var(--_ease);
  }
  .checks[open] .chev {
    rotate: 180deg;
  }
  .checks li {
    display: grid;
    grid-template-columns: var(--_r) minmax(0, 1fr) auto;
    gap: 0 calc(var(--_u) * 2);
    padding-block: var(--_u);
  }
  .unverified {
    color: var(--_warn);
  }
  .checks li .icon {
    margin-block-start: calc(var(--_r) * 0.125);
  }
  .checks li > :last-child {
    color: var(--_quiet);
    text-align: end;
  }
  /* What an order was stopped for: both values, in full. */
  .compare {
    grid-column: 2 / -1;
    margin-block-start: calc(var(--_u) * 3);
    border-block: 1px solid var(--_line);
  }
  /* Compared values are never clipped: they go below their names if there is no room beside them. */
  .compare > div {
    display: flex;
    flex-wrap: wrap;
    column-gap: calc(var(--_u) * 4);
    padding-block: calc(var(--_u) * 2);
  }
  .compare > div + div {
    border-block-start: 1px solid var(--_line);
  }
  .compare dt {
    color: var(--_quiet);
  }
  .compare dd {
    margin-inline-start: auto;
    text-align: end;
    overflow-wrap: anywhere;
  }
  .compare bdi {
    white-space: normal;
  }
`;

/** `others`: beside a sentence for each check that is not verified. */
export function checks(
  report: CheckReport | undefined,
  locale: string,
  t: Messages,
  {others = false}: {readonly others?: boolean} = {},
): unknown {
  if (!report) return html`<p class="checks quiet">${t.checking}</p>`;
  const results = report.results.filter(({outcome}) => outcome !== 'failed' && !(others && outcome === 'unverified'));
  if (!results.length) return '';
  const those = (wanted: CheckResult['outcome']) => results.filter(({outcome}) => outcome === wanted);
  const [passed, unverified] = [those('passed').length, those('unverified').length];
  const list = new Intl.ListFormat(locale, {type: 'unit', style: 'short'});
  const unchecked = list.format(those('unchecked').map(({name}) => t.checks[name]));
  const say = others || report.outcome === 'failed' ? t.otherChecksPassed : t.checksPassed;
  return html`<details class="checks" part="checks">
    <summary>
      ${renderMark(unverified ? 'unverified' : 'passed')}
      ${say({passed, unverified})}${unchecked && ` · ${t.unchecked} ${unchecked}`}${icon('down', 's chev')}
    </summary>
    <ul>
      ${results.map(
        ({name, outcome, found}) =>
          html`<li>
            ${renderMark(outcome, t)}
            <span>${t.checks[name]}</span>
            <span>${found && renderFound(name, outcome, found, locale)}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

/** The mark of a check that did not fail, and with `t` its word. */
function renderMark(outcome: CheckResult['outcome'], t?: Messages) {
  const [kind, mark] =
    outcome === 'passed'
      ? ['ok', icon('check', 's')]
      : outcome === 'unverified'
        ? ['unverified', icon('alert', 's')]
        : ['quiet', sign(signs.info, 's')];
  return html`<span class=${kind}
    >${mark}${t && outcome !== 'failed' ? html`<span class="hidden">${t[outcome]}</span>` : ''}</span
  >`;
}

/** The actual value in a check. If it is not the agreed one, it is foreign text. */
function renderFound(name: CheckName, outcome: CheckResult['outcome'], found: string, locale: string): unknown {
  const isLong = found.length > 20 && !found.includes(' ');
  if (outcome !== 'passed') return isLong ? foreignMono(found) : html`<bdi>${foreignText(found)}</bdi>`;
  // The names of its types are only for the report: they mean nothing to visitors.
  if (name === 'typed-data') return '';
  return isLong ? mono(found) : html`<bdi>${checkText(found, locale)}</bdi>`;
}

export function isWhole(text: string): boolean {
  return /^\w{20,}$/.test(text);
}

const UNITS = {min: 'minute', h: 'hour', d: 'day'} as const;

/** The text of a check, with its amount or time in the language's notation. Any other text is unchanged. */
export function checkText(text: string, locale: string): string {
  const [, before = '', figure, unit = ''] = /^(.*[<≤] )?(\d{1,80}(?:\.\d{1,80})?) (\S{1,40})$/.exec(text) ?? [];
  if (figure === undefined) return text;
  const isTime = before && unit in UNITS;
  return (
    before +
    (isTime
      ? directed(unitText(Number(figure), UNITS[unit as keyof typeof UNITS], locale))
      : `${decimal(figure, locale)} ${unit}`)
  );
}
