import {aTimeout, expect, fixture} from '@open-wc/testing';
import {LitElement} from 'lit';
import {atom} from 'nanostores';
import {StoreReader} from '../../src/elements/base/swap-element.js';

const $numbers = atom({early: 1, late: 1, other: 1});

/** It reads one part before it renders, and one after that. */
class Reading extends LitElement {
  readonly #read = new StoreReader(this).read;
  readonly seen: number[][] = [];
  override willUpdate() {
    this.seen.push([this.#read($numbers, 'early')]);
  }
  override updated() {
    this.seen.at(-1)?.push(this.#read($numbers, 'late'));
  }
}
customElements.define('reading-element', Reading);

describe('What an element reads of a store', () => {
  it('updates it when that changes, wherever in an update it is read, and nothing else does', async () => {
    const {seen} = await fixture<Reading>('<reading-element></reading-element>');
    for (const change of [{early: 2}, {late: 2}, {other: 2}, {early: 3}, {other: 3}]) {
      $numbers.set({...$numbers.get(), ...change});
      await aTimeout(0);
    }
    expect(seen).to.deep.equal([
      [1, 1],
      [2, 1],
      [2, 2],
      [3, 2],
    ]);
  });
});
