import {expect} from '@open-wc/testing';
import {html, render} from 'lit';
import {FAULT_KINDS} from '../../demo/fault-kinds.js';
import type {Search} from '../../demo/parts.js';
import {
  createFinder,
  renderFaults,
  renderFinder,
  renderStages,
  type ActiveFaults,
  type Stages,
} from '../../demo/simulate.js';
import {STAGES} from '../../demo/stage-titles.js';
import {createSandbox, type FaultTable} from '../../demo/wallets/sandbox.js';
import {sandbox} from '../support/sandbox.js';

describe('the playground’s failures', () => {
  let all: FaultTable;
  let table: FaultTable;
  let place: HTMLElement;
  let active: ActiveFaults;
  let finder: Search;
  let stages: Stages;
  let shown: string | undefined;

  const type = (words: string) => {
    const field = place.querySelector<HTMLInputElement>('input[type=search]')!;
    field.value = words;
    field.dispatchEvent(new Event('input'));
  };
  const faults = () => [...place.querySelectorAll<HTMLElement>('[data-fault]')].map(({dataset}) => dataset['fault']);
  const found = () => [...place.querySelectorAll<HTMLElement>('.found button')];
  const draw = () => {
    render(
      html`${renderFinder(finder, {stages, table, kinds: FAULT_KINDS}, draw)}
      ${renderStages(stages, shown, finder, stage => {
        shown = stage;
        draw();
      })}
      ${renderFaults(table, FAULT_KINDS, active, finder, next => {
        active = next;
        draw();
      })}`,
      place,
    );
  };

  before(async () => {
    all = await createSandbox(sandbox.url).readFaults();
  });
  beforeEach(() => {
    table = all;
    place = document.createElement('main');
    document.body.append(place);
    active = {};
    finder = createFinder(true);
    stages = STAGES;
    shown = undefined;
    draw();
  });
  afterEach(() => {
    place.remove();
  });

  for (const name of ['hostile', 'differs'])
    it(`name each kind of “${name}” in a sentence, and no other`, () => {
      place.querySelector<HTMLElement>(`[data-fault="${name}"]`)!.click();
      const kinds = [...place.querySelectorAll<HTMLOptionElement>('.kinds option')];
      expect(kinds.map(({value}) => value)).to.have.members(table[name]!.options['kind']!.choices!);
      const sentences = Object.values(FAULT_KINDS[name]!).flatMap(Object.values);
      expect(kinds.map(kind => kind.text)).to.have.members(sentences);
      expect(new Set(sentences).size, 'a sentence is there twice').to.equal(sentences.length);
      for (const {text, value} of kinds) {
        expect(text, value).to.match(/^[A-Z].* .*[\w’”]$/);
        expect(text, value).not.to.match(/[_`]/);
      }
    });

  it('are found by their words and those of their kinds, and an active one goes on', async () => {
    active = {unauthorized: {}};
    const names = faults();
    expect(names).to.have.members(Object.keys(table));
    type('no quotes');
    expect(faults()).to.deep.equal(['emptyQuotes']);
    expect([...place.querySelectorAll('h4')].map(title => title.textContent)).to.deep.equal(['Prices']);
    const sum = names.length + Object.values(STAGES).flatMap(Object.keys).length;
    expect(place.querySelector('[role="status"]')?.textContent?.trim()).to.equal(
      `2 of ${String(sum)} stages and failures`,
    );
    await expect(place).to.be.accessible();
    type('another RECIPIENT');
    expect(faults()).to.include('hostile');
    type('gibberish');
    expect(faults()).to.deep.equal([]);
    expect(found()).to.deep.equal([]);
    expect(place.innerText).to.include('No stages or failures found.');
    expect(place.querySelector('h3')).to.equal(null);
    type('');
    expect(faults()).to.deep.equal(names);
    expect(active).to.deep.equal({unauthorized: {}});
  });

  it('are searched together with the stages, one of which is then chosen', async () => {
    type('form offline');
    const [first] = found();
    expect(first!.innerText).to.include('What stops the form');
    first!.click();
    expect(shown).to.equal('form-offline');
    expect(first).to.have.attribute('aria-current', 'true');
    await expect(place).to.be.accessible();
    type('');
    expect(place.querySelector<HTMLSelectElement>('[aria-label=Stage]')!.value).to.equal('form-offline');
  });
});
