/** “Simulate”: the sandbox's faults, and every stage of the widget by itself. */
import {html, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import type {FAULT_KINDS} from './fault-kinds.js';
import {createSearch, prose, type Search} from './parts.js';
import type {STAGES} from './stage-titles.js';
import type {FaultTable} from './wallets/sandbox.js';

export type ActiveFaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Option = FaultTable[string]['options'][string];

/**
 * Reads faults from a URL.
 * @returns the known ones, and what was ignored.
 */
export function readFaults(text: string | undefined, table: FaultTable): {faults: ActiveFaults; notes: string[]} {
  if (!text) return {faults: {}, notes: []};
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof given !== 'object') throw new Error('It has to be an object: {…}.');
    const notes = Object.keys(given).flatMap(name =>
      Object.hasOwn(table, name) ? [] : [`faults: there is no fault “${name}”.`],
    );
    const known = Object.entries(given).filter(([name]) => Object.hasOwn(table, name));
    return {
      faults: Object.fromEntries(known.map(([name, options]) => [name, options === true ? {} : (options as object)])),
      notes,
    } as {faults: ActiveFaults; notes: string[]};
  } catch (error) {
    return {faults: {}, notes: [`faults: ${error instanceof Error ? error.message : String(error)}`]};
  }
}

const OPTIONS: Readonly<Record<string, string>> = {
  ms: 'Milliseconds',
  when: 'When',
  retryAfter: 'Seconds to wait',
  status: 'HTTP status',
  text: 'Text',
  fields: 'Fields',
  bps: 'Basis points',
  min: 'Minimum',
  max: 'Maximum',
  seconds: 'Seconds',
  kind: 'Which',
  required: 'Confirmations',
  on: 'Requests',
  times: 'How often',
};

/** The requests that a failure affects as words; without one, all that it can. */
const REQUESTS: Readonly<Record<string, string>> = {
  '': 'All of them',
  quote: 'Prices',
  order: 'New orders',
  initiate: 'Signatures',
  read: 'Reading an order',
};

/** When a connection drops, as words. */
const MOMENTS: Readonly<Record<string, string>> = {before: 'Before it is processed', after: 'After it was processed'};

export type FaultKinds = typeof FAULT_KINDS;

const GROUPS = ['Any answer', 'Prices', 'Orders and payments', 'Payouts'] as const;

/** How many found stages, and how many found kinds of a failure, are shown at most. */
const MOST_STAGES = 12;
const MOST_KINDS = 3;

/** The search of this panel. @param hasFaults - Whether there are failures, too. */
export function createFinder(hasFaults: boolean): Search {
  return createSearch(
    hasFaults ? ['stage or a failure', 'stages and failures', 'stages or failures'] : ['stage', 'stages'],
  );
}

export function renderFinder(
  search: Search,
  {stages, table, kinds}: {stages: Stages; table: FaultTable; kinds: FaultKinds},
  update: () => void,
): TemplateResult {
  const found = findStages(stages, search).length + findFaults(table, kinds, search).length;
  const all = Object.values(stages).flatMap(Object.keys).length + Object.keys(table).length;
  return search.render(found, all, update);
}

/** An identifier, and its words: `rateLimited rate limited`. */
function wordsOf(name: string): string {
  return `${name} ${name.replaceAll('-', ' ').replace(/[A-Z]/g, ' $&')}`;
}

/** Where a fault is felt, by the endpoints that it affects. */
function groupOf({on}: FaultTable[string]): (typeof GROUPS)[number] {
  if (!on.length) return 'Payouts';
  return on.length === 4 ? 'Any answer' : on.join() === 'quote' ? 'Prices' : 'Orders and payments';
}

interface FoundFault {
  readonly name: string;
  readonly fault: FaultTable[string];
  /** The kinds by which alone it was found. */
  readonly by: readonly string[];
}

/** The faults with all words of a search: in what they say, or that together with one of their kinds. */
function findFaults(table: FaultTable, kinds: FaultKinds, search: Search): FoundFault[] {
  return Object.entries(table).flatMap(([name, fault]): FoundFault[] => {
    const own = [fault.says, groupOf(fault), wordsOf(name)].join(' ');
    if (search.finds(own)) return [{name, fault, by: []}];
    const offered = fault.options['kind']?.choices ?? [];
    const by = Object.values(kinds[name] ?? {})
      .flatMap(Object.entries<string>)
      .flatMap(([kind, says]) => (offered.includes(kind) && search.finds(`${own} ${says}`) ? [says] : []));
    return by.length ? [{name, fault, by}] : [];
  });
}

/**
 * A switch for each fault that is found, in groups; an active one has its options.
 * @param kinds - The sentences of faults that have many kinds.
 */
export function renderFaults(
  table: FaultTable,
  kinds: FaultKinds,
  active: ActiveFaults,
  search: Search,
  set: (faults: ActiveFaults) => void,
): TemplateResult | typeof nothing {
  const without = (name: string) => Object.fromEntries(Object.entries(active).filter(([other]) => other !== name));
  const toggle = (name: string, isOn: boolean) => {
    if (!isOn) {
      set(without(name));
      return;
    }
    const begin = Object.entries(table[name]?.options ?? {}).flatMap(([option, facts]) => {
      const value = facts.standard ?? facts.choices?.[0];
      return value === undefined ? [] : [[option, value] as const];
    });
    set({...active, [name]: Object.fromEntries(begin)});
  };
  const row = ({name, fault: {says, on, options}, by}: FoundFault) => {
    const given = active[name];
    const change = (option: string, value: unknown) => {
      const {[option]: _, ...others} = given ?? {};
      set({...active, [name]: value === undefined ? others : {...others, [option]: value}});
    };
    return html`<li>
      <label class="fault">
        <span>${prose(says)}</span>
        <input
          type="checkbox"
          role="switch"
          class="toggle"
          data-fault=${name}
          aria-describedby=${by.length ? `${name}-kinds` : nothing}
          .checked=${live(given !== undefined)}
          @change=${({target}: Event) => {
            toggle(name, (target as HTMLInputElement).checked);
          }}
        />
      </label>
      ${by.length ? html`<p class="quiet" id=${`${name}-kinds`}>${inItsList(by)}</p>` : nothing}
      ${
        given
          ? html`<div class="options" role="group" aria-label=${says.replaceAll('`', '')}>
              ${Object.entries(options).map(([option, facts]) =>
                option === 'kind'
                  ? renderKinds(facts, kinds[name] ?? {}, given, change)
                  : renderOption(option, facts, given, change),
              )}
              ${on.length > 1 ? renderOption('on', {type: 'picklist', choices: ['', ...on]}, given, change) : nothing}
              ${renderOption('times', {type: 'number'}, given, change)}
            </div>`
          : nothing
      }
    </li>`;
  };
  const found = findFaults(table, kinds, search);
  if (!found.length) return nothing;
  return html`${GROUPS.map(title => {
    const rows = found.filter(({fault}) => groupOf(fault) === title);
    return rows.length
      ? html`<h4>${title}</h4>
          <ul class="faults" aria-label=${title}>
            ${rows.map(row)}
          </ul>`
      : nothing;
  })}`;
}

function inItsList(kinds: readonly string[]): string {
  const more = kinds.length - MOST_KINDS;
  const shown = kinds.slice(0, MOST_KINDS).map(says => `“${says}”`);
  return `In its list: ${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

function renderOption(
  name: string,
  {type, choices, standard}: Option,
  given: Readonly<Record<string, unknown>>,
  change: (option: string, value: unknown) => void,
) {
  const value = given[name] ?? standard;
  const text = ([value ?? ''] as (string | number)[]).flat().join(' ');
  const set = ({target}: Event) => {
    const typed = (target as HTMLInputElement | HTMLSelectElement).value.trim();
    if (typed === '') change(name, undefined);
    else if (choices)
      change(
        name,
        choices.find(choice => String(choice) === typed),
      );
    else if (type === 'array') change(name, typed.split(/[\s,]+/));
    else change(name, type === 'number' ? Number(typed) : typed);
  };
  return html`<label>
    <span class="quiet">${OPTIONS[name] ?? name}</span>
    ${
      choices
        ? html`<select @change=${set}>
            ${choices.map(
              choice =>
                html`<option value=${choice} .selected=${String(choice) === text}>
                  ${{on: REQUESTS, when: MOMENTS}[name]?.[String(choice)] ?? choice}
                </option>`,
            )}
          </select>`
        : html`<input
            type="text"
            inputmode=${type === 'number' ? 'numeric' : nothing}
            placeholder=${name === 'times' ? 'always' : ''}
            autocomplete="off"
            .value=${live(text)}
            @change=${set}
          />`
    }
  </label>`;
}

function renderKinds(
  {choices = []}: Option,
  groups: FaultKinds[string],
  given: Readonly<Record<string, unknown>>,
  change: (option: string, value: unknown) => void,
) {
  const renderKind = (kind: string, says: string) =>
    html`<option value=${kind} .selected=${kind === given['kind']}>${says}</option>`;
  const isOffered = ([kind]: readonly [string, string]) => choices.includes(kind);
  const unnamed = choices
    .map(String)
    .filter(kind => !Object.values(groups).some(sentences => Object.hasOwn(sentences, kind)));
  return html`<label class="kinds">
    <span class="quiet">${OPTIONS['kind']}</span>
    <select
      @change=${({target}: Event) => {
        change('kind', (target as HTMLSelectElement).value);
      }}
    >
      ${Object.entries(groups).map(
        ([title, sentences]) =>
          html`<optgroup label=${title}>
            ${Object.entries(sentences)
              .filter(isOffered)
              .map(entry => renderKind(...entry))}
          </optgroup>`,
      )}
      ${unnamed.map(kind => renderKind(kind, kind.replaceAll('-', ' ')))}
    </select>
  </label>`;
}

/** The sentences of the faults' kinds, which the page first shows without. */
export async function loadFaultKinds(): Promise<FaultKinds> {
  return (await import('./fault-kinds.js')).FAULT_KINDS;
}

// -- stages

export type Stages = typeof STAGES;

export async function loadStages(): Promise<Stages> {
  return (await import('./stage-titles.js')).STAGES;
}

/** A stage as a sentence; `undefined` if there is no such stage. */
export function titleOfStage(stages: Stages, stage: string): string | undefined {
  const group = Object.values(stages).find(group => Object.hasOwn(group, stage));
  return group?.[stage];
}

interface FoundStage {
  readonly group: string;
  readonly name: string;
  readonly title: string;
}

function findStages(stages: Stages, search: Search): FoundStage[] {
  return Object.entries(stages).flatMap(([group, titles]) =>
    Object.entries(titles)
      .map(([name, title]) => ({group, name, title}))
      .filter(stage => search.finds(`${stage.title} ${group} ${wordsOf(stage.name)}`)),
  );
}

/** A list of all stages, or while something is searched for, of those that are found. */
export function renderStages(
  stages: Stages,
  shown: string | undefined,
  search: Search,
  set: (stage: string | undefined) => void,
): TemplateResult | typeof nothing {
  const found = search.isOn() ? findStages(stages, search) : undefined;
  if (found?.length === 0) return nothing;
  return html`<h3>Stages</h3>
    <p class="quiet">Every state of the widget, with your settings. These are pictures: their buttons do nothing.</p>
    ${found ? renderFoundStages(found, shown, set) : renderChoice(stages, shown, set)}`;
}

function renderFoundStages(
  found: readonly FoundStage[],
  shown: string | undefined,
  set: (stage: string | undefined) => void,
) {
  const more = found.length - MOST_STAGES;
  return html`<ul class="found" role="list" aria-label="Found stages">
      ${found.slice(0, MOST_STAGES).map(
        ({group, name, title}) =>
          html`<li>
            <button
              type="button"
              aria-current=${name === shown ? 'true' : nothing}
              @click=${() => {
                set(name);
              }}
            >
              <span>${title}</span> <span class="quiet">${group}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${more > 0 ? html`<p class="quiet">and ${more} more</p>` : nothing}`;
}

function renderChoice(stages: Stages, shown: string | undefined, set: (stage: string | undefined) => void) {
  return html`<select
    aria-label="Stage"
    @change=${({target}: Event) => {
      set((target as HTMLSelectElement).value || undefined);
    }}
  >
    <option value="" .selected=${!shown}>The live widget</option>
    ${Object.entries(stages).map(
      ([group, titles]) =>
        html`<optgroup label=${group}>
          ${Object.entries(titles).map(
            ([name, title]) => html`<option value=${name} .selected=${name === shown}>${title}</option>`,
          )}
        </optgroup>`,
    )}
  </select>`;
}

/** What is shown above a stage: what it is, and ways to others and back. */
export function renderCaption(stages: Stages, shown: string, set: (stage: string | undefined) => void): TemplateResult {
  const names = Object.values(stages).flatMap(Object.keys);
  const step = (by: number) => () => {
    set(names[(names.indexOf(shown) + by + names.length) % names.length]);
  };
  return html`<div class="caption">
    <p class="quiet" role="status">A picture: ${titleOfStage(stages, shown)}.</p>
    <button class="button" type="button" aria-label="Previous stage" @click=${step(-1)}>←</button>
    <button class="button" type="button" aria-label="Next stage" @click=${step(1)}>→</button>
    <button
      class="link"
      type="button"
      @click=${() => {
        set(undefined);
      }}
    >
      Back to the widget
    </button>
  </div>`;
}

/** A stage by itself, with the current looks. */
export function renderFrame(
  stage: string,
  title: string,
  looks: readonly (readonly [string, string | true])[],
): TemplateResult {
  const query = new URLSearchParams({theme: 'auto'});
  for (const [name, value] of looks) query.set(name, value === true ? '' : value);
  query.set('state', stage);
  return html`<iframe
    title=${title}
    src=${`./stages.html?${String(query)}`}
    @load=${({currentTarget}: Event) => {
      fit(currentTarget as HTMLIFrameElement);
    }}
  ></iframe>`;
}

/** Makes a frame as high as its content. */
function fit(frame: HTMLIFrameElement) {
  const body = frame.contentDocument?.body;
  if (!body) return;
  new ResizeObserver(() => {
    frame.style.blockSize = `${String(Math.max(body.scrollHeight, 320))}px`;
  }).observe(body);
}
