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

  it('have the chosen kind, whatever its place in the list', () => {
    active = {hostile: {kind: 'recipient'}};
    draw();
    const field = place.querySelector<HTMLSelectElement>('.kinds select')!;
    expect(field.selectedOptions[0]?.text).to.equal('Another recipient is paid');
    field.value = 'approve';
    field.dispatchEvent(new Event('change'));
    expect(active).to.deep.equal({hostile: {kind: 'approve'}});
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

  it('are found by the title of their group, and by the words of their name', () => {
    type('prices');
    expect(faults()).to.include.members(['emptyQuotes', 'zeroQuotes', 'worsePrice']);
    type('slow');
    expect(faults()).to.deep.equal(['slow']);
    for (const words of ['rate limited', 'rateLimited']) {
      type(words);
      expect(faults(), words).to.deep.equal(['rateLimited']);
    }
    type('refund');
    expect(faults()).to.include.members(['solverGone', 'ownerRefunds', 'noInstantRefund']);
  });

  it('say by which of their kinds they are found, three at most, where they do not say it themselves', async () => {
    const said = () => place.querySelector(`#${faults()[0]!}-kinds`)?.textContent;
    type('another recipient');
    expect(faults()).to.deep.equal(['hostile']);
    expect(said()).to.equal('In its list: “Another recipient is paid”');
    expect(place.querySelector('[data-fault]')).to.have.attribute('aria-describedby', 'hostile-kinds');
    await expect(place).to.be.accessible();
    type('thief');
    expect(said()).to.match(/^In its list: “[^”]+”, “[^”]+”, “[^”]+” and \d+ more$/);
    type('falsifies');
    expect(faults()).to.deep.equal(['hostile']);
    expect(place.querySelector('[id$="-kinds"]')).to.equal(null);
  });

  it('are searched together with the stages, which are then buttons', async () => {
    expect(place.querySelector<HTMLInputElement>('input[type=search]')!.ariaLabel).to.equal(
      'Find a stage or a failure',
    );
    for (const [words, title] of [
      ['offline', 'The connection is lost'],
      ['reject', 'The visitor said no in the wallet'],
      ['slow', 'Placing the order takes long'],
    ] as const) {
      type(words);
      expect(place.querySelector('select'), words).to.equal(null);
      expect(
        found().map(button => button.firstElementChild?.textContent),
        words,
      ).to.include(title);
    }
    type('form offline');
    const [first, second] = found();
    expect(first!.innerText).to.include('What stops the form');
    expect(first).not.to.have.attribute('aria-current');
    first!.click();
    expect(shown).to.equal('form-offline');
    expect(first).to.have.attribute('aria-current', 'true');
    expect(second).not.to.have.attribute('aria-current');
    await expect(place).to.be.accessible();
    type('the form');
    expect(found().length).to.equal(12);
    expect(place.innerText).to.match(/and \d+ more/);
    type('');
    expect(found()).to.deep.equal([]);
    expect(place.querySelector<HTMLSelectElement>('[aria-label=Stage]')!.value).to.equal('form-offline');
  });

  it('do without failures where there are none', () => {
    finder = createFinder(false);
    table = {};
    draw();
    expect(place.querySelector<HTMLInputElement>('input[type=search]')!.ariaLabel).to.equal('Find a stage');
    type('gibberish');
    expect(place.innerText).to.include('No stages found.');
  });

  it('show no identifier in any list', () => {
    active = Object.fromEntries(Object.keys(table).map(name => [name, {}]));
    draw();
    const texts = [...place.querySelectorAll('option')].map(({text}) => text);
    expect(texts.filter(text => !/^[A-Z\d]/.test(text))).to.deep.equal([]);
  });
});
