import {expect} from '@open-wc/testing';
import {STAGES} from '../../demo/stage-titles.js';
import {CHOICES, STATES} from '../support/states.js';

describe('the playground’s stages', () => {
  it('are all the states of the gallery, each with a sentence of its own in its group', () => {
    const titles = Object.values(STAGES).flatMap(group => Object.entries(group));
    expect(titles.map(([name]) => name).sort()).to.deep.equal([...Object.keys(STATES), ...Object.keys(CHOICES)].sort());
    for (const [group, stages] of Object.entries(STAGES)) {
      const said = Object.values(stages);
      expect(new Set(said).size, group).to.equal(said.length);
    }
    for (const [name, title] of titles) expect(title, name).to.match(/^[A-Z].*[^.-]$/);
  });
});
