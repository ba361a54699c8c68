import {expect} from '@open-wc/testing';
import {recalls} from '../../src/elements/settings/recall.js';
import {SwapWidget} from '../../src/elements/swap-widget.js';
import {listenToConsole} from '../support/console.js';
import {waitUntil} from '../support/page.js';
import {open} from '../support/show.js';

describe('a recall', () => {
  const {read} = recalls;
  afterEach(() => {
    recalls.read = read;
  });
  let count = 0;
  const address = () => `https://makers.example/${String(++count)}.json`;

  it('closes the form of a recalled version, logs why, and leaves running swaps alone', async () => {
    const {widget, page} = await open();
    recalls.read = () => Promise.resolve({versions: [SwapWidget.version], reason: 'It counts wrong.'});
    const said = await listenToConsole('error', async () => {
      widget.recall = ` ${address()} `;
      await page.untilThere('swap-widget-closed-view');
    });
    expect(said.join()).to.include('recalled').and.to.include('It counts wrong.');
    expect(page.text).to.include('New swaps are paused').and.to.include('already under way continue');
    await expect(widget).to.be.accessible();
  });

  for (const [what, answer] of Object.entries({
    'names another version': () => Promise.resolve({versions: ['0.0.1'], reason: ''}),
    'cannot be read': () => Promise.reject(new Error('It answers 404.')),
  })) {
    it(`changes nothing if the list ${what}`, async () => {
      const {widget, page} = await open();
      let asked = 0;
      recalls.read = () => {
        asked += 1;
        return answer();
      };
      widget.recall = address();
      await waitUntil(() => asked === 1);
      await page.settled();
      expect(page.find('swap-widget-closed-view')?.textContent).to.equal(undefined);
    });
  }

  it('is not checked if the page names no list', async () => {
    let asked = 0;
    recalls.read = () => {
      asked += 1;
      return Promise.reject(new Error('asked'));
    };
    const {widget} = await open();
    await widget.configured();
    expect(asked).to.equal(0);
  });

  it('must have a valid URL', async () => {
    const {widget, page} = await open();
    widget.recall = 'recall.json';
    await page.untilThere('swap-widget-closed-view');
    expect([widget.error?.code, widget.error?.field]).to.deep.equal(['config', 'recall']);
  });
});
