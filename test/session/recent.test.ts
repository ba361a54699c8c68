import {expect} from '../support/expect.js';
import {notePair, PAIRS, readPairs} from '../../src/session/storage.js';
import {openSession, settle, type TestPage, ordered} from '../support/session.js';
import {catalogue, OTHER_WBTC, WBTC} from '../support/swap.js';

describe('The most recent pairs', () => {
  const USDC = catalogue.find('base_sepolia:usdc')!;
  const noted = ({session}: TestPage) => session.recall(PAIRS);

  it('are stored once each, the last one first, at most three', () => {
    let note = notePair(undefined, WBTC, OTHER_WBTC);
    note = notePair(note, WBTC, USDC);
    note = notePair(note, WBTC, OTHER_WBTC);
    const names = () => readPairs(note, catalogue).map(({from, to}) => `${from.id} ${to.id}`);
    expect(names()).to.deep.equal([`${WBTC.id} ${OTHER_WBTC.id}`, `${WBTC.id} ${USDC.id}`]);
    note = notePair(notePair(note, USDC, WBTC), USDC, OTHER_WBTC);
    expect(names()).to.have.length(3);
    expect(names()[0]).to.equal(`${USDC.id} ${OTHER_WBTC.id}`);
  });

  it('only include offered assets, whatever the storage holds', () => {
    for (const note of [
      undefined,
      '',
      ' ',
      '>',
      'a>b',
      `${WBTC.id}>${WBTC.id}`,
      `${WBTC.id}>`,
      `gone:btc>${WBTC.id}`,
      '{}',
    ])
      expect(readPairs(note, catalogue), String(note)).to.deep.equal([]);
  });

  it('are stored with an order, and restored after a reload', async () => {
    const page = await openSession();
    expect(noted(page)).to.equal(undefined);
    await page.order();
    expect(noted(page)).to.equal(`${WBTC.id}>${OTHER_WBTC.id}`);
    const next = await page.reload();
    await settle();
    expect(noted(next)).to.equal(`${WBTC.id}>${OTHER_WBTC.id}`);
  });

  it('are forgotten with the page if nothing may be stored', async () => {
    const page = await ordered({config: {journal: false}});
    expect(noted(page)).to.equal(`${WBTC.id}>${OTHER_WBTC.id}`);
    expect(noted(await page.reload({config: {journal: false}}))).to.equal(undefined);
  });
});
