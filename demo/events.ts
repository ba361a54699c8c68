/** The playground's log: the widget's events and, if they are recorded, its requests. */
import {html, render} from 'lit';
import {find} from './parts.js';

const MOST_EVENTS = 100;

interface Entry {
  readonly type: string;
  /** The stage, the code of an error, or the subject of a request. */
  readonly summary: string;
  readonly at: Date;
  readonly text: string;
  /** How often it was repeated; quotes are refreshed all the time. */
  readonly times: number;
}

export interface EventLog {
  add(type: string, summary: string, what: unknown): void;
}

/** Shows all events of a widget, the last one first. */
export function logEvents(widget: HTMLElement, types: readonly string[]): EventLog {
  let entries: readonly Entry[] = [];
  const show = () => {
    render(
      entries.length
        ? html`<ol class="events">
            ${entries.map(renderEntry)}
          </ol>`
        : html`<p class="quiet">The widget’s events appear here.</p>`,
      find('events'),
    );
  };
  const add = (type: string, summary: string, what: unknown) => {
    const [last, ...before] = entries;
    const times = type === 'swap-quote' && last?.type === type ? last.times + 1 : 1;
    const entry = {type, summary, at: new Date(), text: JSON.stringify(what, null, 2), times};
    entries = [entry, ...(times > 1 ? before : entries)].slice(0, MOST_EVENTS);
    show();
  };
  for (const type of types) {
    widget.addEventListener(type, event => {
      const {stage, code, view} = event as Event & {stage?: string; code?: string; view?: string};
      add(type, stage ?? code ?? view ?? '', event);
    });
  }
  find('clear').addEventListener('click', () => {
    entries = [];
    show();
  });
  show();
  return {add};
}

function renderEntry({type, summary, at, text, times}: Entry) {
  return html`<li>
    <details>
      <summary>
        <span class="mono">${type}${times > 1 ? ` × ${String(times)}` : ''}</span>
        <span class="quiet">${summary}</span>
        <time class="quiet">${at.toLocaleTimeString('en-GB')}</time>
      </summary>
      <pre>${text}</pre>
    </details>
  </li>`;
}
