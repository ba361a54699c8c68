import {expect} from '@open-wc/testing';
import {render} from 'lit';
import {FAULT_KINDS} from '../../demo/fault-kinds.js';
import {createFinder, renderFaults} from '../../demo/simulate.js';
import {createSandbox} from '../../demo/wallets/sandbox.js';
import {sandbox} from '../support/sandbox.js';

describe('the playground’s failures', () => {
  for (const name of ['hostile', 'differs'])
    it(`name each kind of “${name}” in a sentence, and no other`, async () => {
      const table = await createSandbox(sandbox.url).readFaults();
      const place = document.createElement('main');
      document.body.append(place);
      const finder = createFinder(true);
      render(
        renderFaults(table, FAULT_KINDS, {[name]: {}}, finder, () => {}),
        place,
      );
      const kinds = [...place.querySelectorAll<HTMLOptionElement>('.kinds option')];
      expect(kinds.map(({value}) => value)).to.have.members(table[name]!.options['kind']!.choices!);
      const sentences = Object.values(FAULT_KINDS[name]!).flatMap(Object.values);
      expect(kinds.map(kind => kind.text)).to.have.members(sentences);
      expect(new Set(sentences).size, 'a sentence is there twice').to.equal(sentences.length);
      for (const {text, value} of kinds) expect(text, value).to.match(/^[A-Z][^_`]* [^_`]*[\w’”]$/);
      await expect(place).to.be.accessible();
      place.remove();
    });
});
