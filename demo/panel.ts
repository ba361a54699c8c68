/** The playground's settings: a searchable control for every setting, by group. */
import {html, nothing, type TemplateResult} from 'lit';
import {FIRST_GROUP, groupsOf, titleOf, type Control} from './controls.js';
import {isFieldset, renderInput, type Panel} from './inputs.js';
import {createSearch, prose} from './parts.js';

const opened = new Set([FIRST_GROUP]);
const search = createSearch(['setting', 'settings']);
/** Longer help is folded, in characters. */
const LONG_HELP = 100;

const FONTS = [
  'system-ui, sans-serif',
  'Georgia, serif',
  'ui-rounded, system-ui, sans-serif',
  'ui-monospace, monospace',
];

export function renderPanel(panel: Panel): TemplateResult {
  const isFound = (control: Control) => search.finds(`${control.name} ${titleOf(control)} ${control.help}`);
  const groups = groupsOf(panel.controls).map(([title, list]) => [title, list.filter(isFound)] as const);
  const found = groups.reduce((sum, [, list]) => sum + list.length, 0);
  return html`${search.render(found, panel.controls.length, panel.update)}
    ${groups.map(([title, list]) => (list.length ? renderGroup(title, list, search.isOn(), panel) : nothing))}
    <datalist id="fonts">${FONTS.map(font => html`<option value=${font}></option>`)}</datalist>`;
}

function renderGroup(title: string, controls: readonly Control[], isSearch: boolean, panel: Panel) {
  const set = controls.filter(({name}) => panel.get(name) !== undefined).length;
  const wrong = controls.some(({name}) => panel.problems.has(name));
  const remember = ({currentTarget}: Event) => {
    if (isSearch) return;
    if ((currentTarget as HTMLDetailsElement).open) opened.add(title);
    else opened.delete(title);
    // The current colors may have changed.
    panel.update();
  };
  return html`<details class="group" .open=${isSearch || wrong || opened.has(title)} @toggle=${remember}>
    <summary>
      <h3>${title}</h3>
      <span class="quiet">${wrong ? 'Not valid' : set ? `${String(set)} set` : ''}</span>
    </summary>
    ${controls.map(control => renderControl(control, panel))}
  </details>`;
}

function renderControl(control: Control, panel: Panel) {
  const {name, help} = control;
  const title = titleOf(control);
  const text = panel.get(name);
  const problem = panel.problems.get(name);
  const chosen = panel.chosen(name);
  const id = `set${name}`;
  const isGrouped = isFieldset(control);
  const reset =
    text === undefined
      ? nothing
      : html`<button
          class="link"
          type="button"
          aria-label=${`Clear ${title}`}
          @click=${() => {
            panel.set(name, undefined);
          }}
        >
          Clear
        </button>`;
  const describe = [
    `${id}-help`,
    ...(chosen === undefined ? [] : [`${id}-chosen`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  return html`<div
    class="control ${control.kind === 'switch' || control.kind === 'script' ? 'beside' : ''}"
    role=${isGrouped ? 'group' : nothing}
    aria-labelledby=${isGrouped ? `${id}-title` : nothing}
    aria-describedby=${isGrouped ? describe : nothing}
    data-control=${name}
  >
    <div class="name">
      ${
        isGrouped
          ? html`<span class="title" id=${`${id}-title`}>${title}</span>`
          : html`<label class="title" for=${id}>${title}</label>`
      }
      ${title.toLowerCase() === name ? nothing : html`<code>${name}</code>`} ${reset}
    </div>
    <div class="input">${renderInput(control, {id, title, describe, text: text ?? ''}, panel)}</div>
    ${
      chosen === undefined
        ? nothing
        : html`<p class="quiet chosen" id=${`${id}-chosen`}>The visitor has chosen <strong>${chosen}</strong>.</p>`
    }
    ${problem === undefined ? nothing : html`<p class="problem" id=${`${id}-problem`}>${name}: ${problem}</p>`}
    ${renderHelp(help, `${id}-help`, title)}
  </div>`;
}

/** The help of a setting. Of a long text, the first sentence also describes the input, and the rest is folded. */
function renderHelp(help: string, id: string, title: string) {
  const [first = help] = (help.length > LONG_HELP && /^.+?\.(?=\s[A-Z`])/.exec(help)) || [];
  const rest = help.slice(first.length).trim();
  return html`<div class="quiet help">
    <span id=${id}>${prose(first)}</span>
    ${
      rest
        ? html`<details>
            <summary>More<span class="hidden"> about ${title}</span></summary>
            ${prose(rest)}
          </details>`
        : nothing
    }
  </div>`;
}
