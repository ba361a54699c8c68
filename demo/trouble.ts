/** “Simulate”: the sandbox's faults, and every stage of the widget by itself. */
import {html, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {prose} from './parts.js';
import type {FaultTable} from './wallets/sandbox.js';

/** The active faults, each with its options. */
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

/** A switch for each fault; an active one has its options. */
export function renderFaults(
  table: FaultTable,
  active: ActiveFaults,
  set: (faults: ActiveFaults) => void,
): TemplateResult {
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
  return html`<ul class="faults">
    ${Object.entries(table).map(([name, {says, on, options}]) => {
      const given = active[name];
      const change = (option: string, value: unknown) => {
        const {[option]: _, ...others} = given ?? {};
        set({...active, [name]: value === undefined ? others : {...others, [option]: value}});
      };
      return html`<li>
        <label class="fault">
          <span>${prose(says)} <code class="quiet">${name}</code></span>
          <input
            type="checkbox"
            role="switch"
            class="toggle"
            data-fault=${name}
            .checked=${live(given !== undefined)}
            @change=${({target}: Event) => {
              toggle(name, (target as HTMLInputElement).checked);
            }}
          />
        </label>
        ${
          given
            ? html`<div class="options">
                ${Object.entries(options).map(([option, facts]) => renderOption(name, option, facts, given, change))}
                ${on.length > 1 ? renderOption(name, 'on', {type: 'picklist', choices: ['', ...on]}, given, change) : nothing}
                ${renderOption(name, 'times', {type: 'number'}, given, change)}
              </div>`
            : nothing
        }
      </li>`;
    })}
  </ul>`;
}

function renderOption(
  fault: string,
  name: string,
  {type, choices, standard}: Option,
  given: Readonly<Record<string, unknown>>,
  change: (option: string, value: unknown) => void,
) {
  const value = given[name] ?? standard;
  const text = ([value ?? ''] as (string | number)[]).flat().join(' ');
  const label = `${name} of ${fault}`;
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
    <span class="quiet">${name}</span>
    ${
      choices
        ? html`<select aria-label=${label} @change=${set}>
            ${choices.map(
              choice =>
                html`<option value=${choice} .selected=${String(choice) === text}>
                  ${choice === '' ? 'everywhere' : choice}
                </option>`,
            )}
          </select>`
        : html`<input
            type="text"
            aria-label=${label}
            inputmode=${type === 'number' ? 'numeric' : nothing}
            placeholder=${name === 'times' ? 'always' : ''}
            autocomplete="off"
            .value=${live(text)}
            @change=${set}
          />`
    }
  </label>`;
}

// -- stages

/** All states of the gallery, by the first word of their names. */
export async function loadStages(): Promise<readonly string[]> {
  const {CHOICES, STATES} = await import('../test/support/states.js');
  return [...Object.keys(STATES), ...Object.keys(CHOICES)];
}

/** A list of all stages. */
export function renderStages(
  stages: readonly string[],
  shown: string | undefined,
  set: (stage: string | undefined) => void,
): TemplateResult {
  const groups = [...new Set(stages.map(firstWord))];
  const at = shown === undefined ? -1 : stages.indexOf(shown);
  const step = (by: number) => () => {
    set(stages[(at + by + stages.length) % stages.length]);
  };
  return html`<div class="stages">
    <select
      aria-label="Stage"
      @change=${({target}: Event) => {
        set((target as HTMLSelectElement).value || undefined);
      }}
    >
      <option value="" .selected=${at < 0}>The live widget</option>
      ${groups.map(
        group =>
          html`<optgroup label=${group.slice(0, 1).toUpperCase() + group.slice(1)}>
            ${stages
              .filter(name => firstWord(name) === group)
              .map(
                name => html`<option value=${name} .selected=${name === shown}>${name.replaceAll('-', ' ')}</option>`,
              )}
          </optgroup>`,
      )}
    </select>
    <button class="button" type="button" aria-label="Previous stage" @click=${step(at < 0 ? 0 : -1)}>←</button>
    <button class="button" type="button" aria-label="Next stage" @click=${step(1)}>→</button>
  </div>`;
}

/** A stage by itself, with the current looks. */
export function renderFrame(stage: string, looks: readonly (readonly [string, string | true])[]): TemplateResult {
  const query = new URLSearchParams({theme: 'auto'});
  for (const [name, value] of looks) query.set(name, value === true ? '' : value);
  query.set('state', stage);
  return html`<iframe
    title=${`The stage ${stage.replaceAll('-', ' ')}`}
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

function firstWord(name: string): string {
  return name.split('-')[0] ?? name;
}
