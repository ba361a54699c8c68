/** The inputs of the playground's controls, by the kind of setting. */
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {LANGUAGES, type Control} from './controls.js';

export interface AssetChoice {
  readonly id: string;
  readonly symbol: string;
  readonly chain: string;
}

export interface Panel {
  readonly controls: readonly Control[];
  readonly assets: readonly AssetChoice[];
  get(name: string): string | undefined;
  set(name: string, text: string | undefined): void;
  /** The visitor's own choice of an asset in the form, where it is another than is set. */
  chosen(name: string): string | undefined;
  readonly problems: ReadonlyMap<string, string>;
  /** The current color of a custom property, as `#rrggbb`. */
  inUse(name: string): string | undefined;
  /** Renders again, for the panel's own state. */
  update(): void;
}

/** Payees that are incomplete, and therefore not part of a text. */
let payees: string[][] = [];
let payeesText: string | undefined;

const LOCKABLE = ['from', 'to', 'amount', 'receive', 'recipient'];
/** More choices than this are in a drop-down list. */
const MOST_SEGMENTS = 4;
const EXAMPLES: Readonly<Record<string, string>> = {
  'base-url': 'https://the.service',
  chains: '{"base": {"rpc": "https://…"}}',
  contracts: 'base:usdc 0x…, starknet:wbtc 0x….deposit',
  policy: '{"maxCostBps": 300}',
  messages: '{"reviewSwap": "Check it"}',
  rpc: 'base https://… https://…, bitcoin https://…',
};

export function isFieldset({name, kind, choices}: Control): boolean {
  return (
    name === 'lock' ||
    name === 'affiliate-fees' ||
    (kind === 'choice' && choices.length <= MOST_SEGMENTS && !isAsset(name))
  );
}

export interface Field {
  readonly id: string;
  readonly title: string;
  readonly describe: string;
  readonly text: string;
}

export function renderInput(control: Control, field: Field, panel: Panel): unknown {
  const {name, kind} = control;
  const set = (text: string) => {
    panel.set(name, text === '' ? undefined : text);
  };
  if (name === 'assets') return renderAssets(field, set, panel);
  if (name === 'affiliate-fees') return renderPayees(field, set, panel);
  if (name === 'lock') return renderLock(field, set);
  if (isAsset(name)) return renderSelect(field, set, assetOptions(panel, field.text));
  switch (kind) {
    case 'switch':
    case 'script':
      return html`<input
        type="checkbox"
        role="switch"
        class="toggle"
        id=${field.id}
        aria-describedby=${field.describe}
        .checked=${live(field.text === 'true')}
        @change=${({target}: Event) => {
          set((target as HTMLInputElement).checked ? 'true' : '');
        }}
      />`;
    case 'choice':
      return isFieldset(control)
        ? renderSegments(control, field, set)
        : renderSelect(field, set, choiceOptions(control, field.text));
    case 'json':
      return html`<textarea
        id=${field.id}
        rows="3"
        spellcheck="false"
        placeholder=${EXAMPLES[name] ?? '{}'}
        aria-describedby=${field.describe}
        aria-invalid=${panel.problems.has(name)}
        .value=${live(field.text)}
        @change=${({target}: Event) => {
          set((target as HTMLTextAreaElement).value);
        }}
      ></textarea>`;
    case 'css':
      return renderCss(control, field, set, panel);
    case 'number':
    case 'text':
      return renderText(control, field, set, panel);
  }
}

function renderText(
  {name, kind, standard}: Pick<Control, 'name' | 'kind' | 'standard'>,
  field: Field,
  set: (text: string) => void,
  panel: Panel,
) {
  return html`<input
    type="text"
    id=${field.id}
    inputmode=${kind === 'number' || name === 'amount' ? 'decimal' : nothing}
    list=${/font$|font-mono$/.test(name) ? 'fonts' : nothing}
    autocomplete="off"
    spellcheck="false"
    placeholder=${EXAMPLES[name] ?? standard}
    aria-describedby=${field.describe}
    aria-invalid=${panel.problems.has(name)}
    .value=${live(field.text)}
    @change=${({target}: Event) => {
      set((target as HTMLInputElement).value.trim());
    }}
  />`;
}

function renderSegments({choices}: Control, {id, text}: Field, set: (text: string) => void) {
  return html`<div class="segments">
    ${choices.map(
      choice =>
        html`<label>
          <input
            type="radio"
            name=${id}
            value=${choice}
            .checked=${live(text === choice)}
            @change=${() => {
              set(choice);
            }}
          />
          <span>${choice}</span>
        </label>`,
    )}
  </div>`;
}

function renderSelect({id, describe, text}: Field, set: (text: string) => void, options: unknown) {
  return html`<select
    id=${id}
    aria-describedby=${describe}
    @change=${({target}: Event) => {
      set((target as HTMLSelectElement).value);
    }}
  >
    <option value="" .selected=${text === ''}>Not set</option>
    ${options}
  </select>`;
}

function choiceOptions({name, choices}: Control, text: string) {
  return choices.map(
    choice =>
      html`<option value=${choice} lang=${name === 'lang' ? choice : nothing} .selected=${text === choice}>
        ${name === 'lang' ? (LANGUAGES[choice] ?? choice) : choice}
      </option>`,
  );
}

function renderCss(control: Control, field: Field, set: (text: string) => void, panel: Panel) {
  const {syntax, standard} = control;
  const change = ({target}: Event) => {
    set((target as HTMLInputElement).value);
  };
  const isSet = field.text !== '';
  const color = [field.text, panel.inUse(control.name)].find(text => /^#[\da-f]{6}$/i.test(text ?? ''));
  const [, size, unit = ''] = /^([\d.]+)(rem|px)?$/.exec(standard) ?? [];
  return html`${
    syntax === '<color>'
      ? html`<input
          type="color"
          class=${color === undefined ? 'unknown' : ''}
          aria-label=${`Pick ${field.title}${isSet ? '' : ' (not set)'}`}
          .value=${live(color ?? '#808080')}
          @input=${change}
        />`
      : nothing
  }
  ${
    size === undefined
      ? nothing
      : html`<input
          type="range"
          aria-label=${`Slide ${field.title}`}
          min="0"
          max=${Number(size) * 2}
          step=${unit === 'px' ? 1 : Number(size) / 16}
          .value=${live(String(Number.parseFloat(field.text || size)))}
          @input=${({target}: Event) => {
            set(`${(target as HTMLInputElement).value}${unit}`);
          }}
        />`
  }
  ${renderText(control, field, set, panel)}`;
}

// -- by hand

function isAsset(name: string): boolean {
  return name === 'from' || name === 'to';
}

function assetOptions({assets}: Panel, text: string) {
  const chains = [...new Set(assets.map(({chain}) => chain))];
  return chains.map(
    chain =>
      html`<optgroup label=${chain}>
        ${assets
          .filter(asset => asset.chain === chain)
          .map(({id, symbol}) => html`<option value=${id} .selected=${id === text}>${symbol}, ${chain}</option>`)}
      </optgroup>`,
  );
}

const listed = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** The list as text, and the same to choose from. */
function renderAssets(field: Field, set: (text: string) => void, panel: Panel) {
  const chosen = listed(field.text);
  const chains = [...new Set(panel.assets.map(({chain}) => chain))];
  const toggle = (ids: readonly string[], isOn: boolean) => {
    set([...chosen.filter(id => !ids.includes(id)), ...(isOn ? ids : [])].join(' '));
  };
  return html`${renderText({name: 'assets', kind: 'text', standard: 'base:usdc bitcoin:*'}, field, set, panel)}
    <details class="choose">
      <summary>Choose</summary>
      <div class="catalogue" tabindex="0" role="group" aria-label="Assets on offer">
        ${chains.map(chain => {
          const ofChain = panel.assets.filter(asset => asset.chain === chain);
          const every = `${ofChain[0]?.id.split(':')[0] ?? ''}:*`;
          const has = (id: string) => chosen.includes(id) || chosen.includes(every);
          return html`<fieldset class="checks">
            <legend>${chain}</legend>
            ${ofChain.map(
              ({id, symbol}) =>
                html`<label>
                  <input
                    type="checkbox"
                    .checked=${live(has(id))}
                    ?disabled=${chosen.includes(every)}
                    @change=${({target}: Event) => {
                      toggle([id], (target as HTMLInputElement).checked);
                    }}
                  />${symbol}
                </label>`,
            )}
          </fieldset>`;
        })}
      </div>
    </details>`;
}

function renderLock({text}: Field, set: (text: string) => void) {
  const locked = listed(text);
  return html`<div class="checks">
    ${LOCKABLE.map(
      name =>
        html`<label>
          <input
            type="checkbox"
            .checked=${live(locked.includes(name))}
            @change=${({target}: Event) => {
              const others = locked.filter(one => one !== name);
              set([...others, ...((target as HTMLInputElement).checked ? [name] : [])].join(' '));
            }}
          />${name}
        </label>`,
    )}
  </div>`;
}

/** A row for each payee. A row is part of the text once it is complete. */
function renderPayees({text}: Field, set: (text: string) => void, panel: Panel) {
  if (text !== payeesText) {
    payeesText = text;
    payees = text
      .split(',')
      .filter(entry => entry.trim())
      .map(entry => entry.trim().split(/\s+/));
  }
  const write = () => {
    const complete = payees.filter(([asset, address, bps]) => asset && address && bps);
    payeesText = complete.map(row => row.join(' ')).join(', ');
    set(payeesText);
  };
  const change = (row: string[], at: number, value: string) => {
    row[at] = value.trim();
    write();
  };
  const renderCell = (row: string[], at: 1 | 2) => {
    const isAddress = at === 1;
    return html`<input
      type="text"
      class=${isAddress ? 'address' : 'bps'}
      aria-label=${isAddress ? 'Address' : 'Basis points'}
      placeholder=${isAddress ? 'Address on that network' : 'bps'}
      inputmode=${isAddress ? nothing : 'numeric'}
      autocomplete="off"
      spellcheck=${isAddress ? 'false' : nothing}
      .value=${live(row[at] ?? '')}
      @change=${({target}: Event) => {
        change(row, at, (target as HTMLInputElement).value);
      }}
    />`;
  };
  const payout = {...panel, assets: panel.assets.filter(({id}) => /:(?:usdc|cbbtc)$/.test(id))};
  return html`${payees.map(
      (row, at) =>
        html`<fieldset class="payee">
          <legend>Payee ${at + 1}</legend>
          <select
            aria-label="Paid in"
            @change=${({target}: Event) => {
              change(row, 0, (target as HTMLSelectElement).value);
            }}
          >
            <option value="" .selected=${!row[0]}>Paid in</option>
            ${assetOptions(payout, row[0] ?? '')}
          </select>
          ${renderCell(row, 2)} ${renderCell(row, 1)}
          <button
            class="link"
            type="button"
            aria-label=${`Remove payee ${String(at + 1)}`}
            @click=${() => {
              payees = payees.filter(one => one !== row);
              write();
            }}
          >
            Remove
          </button>
        </fieldset>`,
    )}
    <button
      class="button"
      type="button"
      @click=${() => {
        payees = [...payees, ['', '', '']];
        panel.update();
      }}
    >
      Add a payee
    </button>`;
}
