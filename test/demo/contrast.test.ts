/** The colors of a partner that the playground names as hard to read. */
import {expect, fixture, html} from '@open-wc/testing';
import {findUnreadable} from '../../demo/contrast.js';
import {set, waitUntil} from '../support/page.js';
import {ATTRIBUTES} from '../support/states.js';
import '../../src/define.js';

/** What is hard to read of a widget with these colors, on a page with this background. */
async function unreadable(style: string, page = '#fff'): Promise<string[]> {
  const widget = document.createElement('swap-widget');
  set(widget, {...ATTRIBUTES, theme: 'light', appId: 'an-id', style, fetch: () => new Promise(() => undefined)});
  const place = await fixture<HTMLElement>(html`<div>${widget}</div>`);
  place.style.background = page;
  await waitUntil(() => getComputedStyle(widget).getPropertyValue('--_good'));
  await expect(place).to.be.accessible({ignoredRules: ['color-contrast']});
  return findUnreadable(widget).map(({text, ground, contrast}) => `${text} on ${ground}: ${contrast.toFixed(1)}`);
}

describe('Colors of the page that clash', () => {
  it('are named with their contrast', async () => {
    for (const [style, found] of [
      ['--swap-surface: #fff; --swap-ink: #999', ['--swap-ink on --swap-surface: 2.8']],
      ['--swap-ink: #eee', ['--swap-ink on --swap-surface: 1.1']],
      ['--swap-ink-quiet: #bbb', ['--swap-ink-quiet on --swap-surface: 1.9']],
      ['--swap-on-accent: #55f', ['--swap-on-accent on --swap-accent: 1.4']],
      ['--swap-sunk: #222', ['--swap-ink on --swap-sunk: 1.1']],
      ['--swap-bad: #fbb', ['--swap-bad on --swap-surface: 1.6']],
    ] as const)
      expect(await unreadable(style), style).to.deep.equal(found);
  });

  it('include what shines through a translucent surface, unless that is an image', async () => {
    const glass = '--swap-surface: rgb(255 255 255 / 0.3); --swap-ink: #222';
    expect(await unreadable(glass, 'linear-gradient(#000, #fff)')).to.deep.equal([]);
    expect(await unreadable(glass, '#000')).to.deep.equal(['--swap-ink on --swap-surface: 1.8']);
  });

  it('are not those that are readable, or derived', async () => {
    for (const surface of ['#15171c', '#fff', '#777', '#1a2b6d', 'oklch(0.57 0 0)'])
      expect(await unreadable(`--swap-surface: ${surface}`), surface).to.deep.equal([]);
    expect(await unreadable('--swap-accent: #ffe000; --swap-ink: #333')).to.deep.equal([]);
  });
});
