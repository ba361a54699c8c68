import {expect} from '@open-wc/testing';
import {render} from 'lit';
import {FAULT_KINDS} from '../../demo/fault-kinds.js';
import {renderFaults, type ActiveFaults} from '../../demo/simulate.js';
import {createSandbox, type FaultTable} from '../../demo/wallets/sandbox.js';
import {sandbox} from '../support/sandbox.js';

describe('the playground’s failures', () => {
  let table: FaultTable;
  let place: HTMLElement;
  let active: ActiveFaults;

  const draw = () => {
    render(
      renderFaults(table, FAULT_KINDS, active, {
        set(next) {
          active = next;
          draw();
        },
        update: draw,
      }),
      place,
    );
  };

  before(async () => {
    table = await createSandbox(sandbox.url).readFaults();
  });
  beforeEach(() => {
    place = document.createElement('main');
    document.body.append(place);
    active = {};
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
    const field = place.querySelector<HTMLInputElement>('input[type=search]')!;
    const type = (words: string) => {
      field.value = words;
      field.dispatchEvent(new Event('input'));
    };
    const shown = () => [...place.querySelectorAll<HTMLElement>('[data-fault]')].map(({dataset}) => dataset['fault']);
    const all = shown();
    expect(all).to.have.members(Object.keys(table));
    type('no quotes');
    expect(shown()).to.deep.equal(['emptyQuotes']);
    expect([...place.querySelectorAll('h4')].map(title => title.textContent)).to.deep.equal(['Prices']);
    expect(place.querySelector('[role="status"]')?.textContent?.trim()).to.equal(`1 of ${String(all.length)} failures`);
    await expect(place).to.be.accessible();
    type('another RECIPIENT');
    expect(shown()).to.include('hostile');
    type('gibberish');
    expect(shown()).to.deep.equal([]);
    expect(place.textContent).to.include('No failures found.');
    type('');
    expect(shown()).to.deep.equal(all);
    expect(active).to.deep.equal({unauthorized: {}});
  });

  it('show no identifier in any list', () => {
    active = Object.fromEntries(Object.keys(table).map(name => [name, {}]));
    draw();
    const texts = [...place.querySelectorAll('option')].map(({text}) => text);
    expect(texts.filter(text => !/^[A-Z\d]/.test(text))).to.deep.equal([]);
  });
});
