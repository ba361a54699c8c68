import {expect} from '@open-wc/testing';
import type {FakeSessionWidget} from '../support/fake-session.js';
import {focused, waitUntil, whatIsCopied, type WidgetPage} from '../support/page.js';
import {show, whatIsPrinted} from '../support/show.js';
import {PAYER, RECIPIENT} from '../support/states.js';

const isText = (node: Node): node is Text => node instanceof Text && node.data.trim() !== '';

const copied = async (page: WidgetPage) => (await whatIsCopied(() => page.press('Copy receipt'))).join();

async function changeLock(page: WidgetPage<FakeSessionWidget>, secretHash: string) {
  const {fake} = page.widget;
  const order = fake.$orderState.get().story!.order!;
  await page.settled(fake.know({order: {...order, destination: {...order.destination, secretHash}}}));
}

describe('The receipt of a swap', () => {
  it('isolates each value from the direction of the page', async () => {
    const page = await show('complete-receipt');
    const values = page.findAll('.receipt dd');
    expect(values.length).to.be.above(10);
    expect(values.filter(value => !value.querySelector('bdi, a')).map(({textContent}) => textContent)).to.deep.equal(
      [],
    );
  });

  it('puts the focus on its heading, and then on that of the swap', async () => {
    const page = await show('complete-on-chain');
    for (const [label, heading] of [
      ['Receipt', 'Receipt'],
      ['Back', 'Received'],
    ] as const) {
      page.button(label)!.focus();
      await page.press(label);
      expect(focused()?.textContent).to.equal(heading);
    }
  });

  it('is copied as readable text, with full addresses and hashes, and without the secret', async () => {
    const page = await show('complete-receipt');
    await waitUntil(() => page.text.includes('Both payments share one lock Yes'));
    const text = await copied(page);
    expect(text).to.include(`[Recorded in this browser] From: ${PAYER}\n`);
    expect(text).to.include(`[Recorded in this browser] To: ${RECIPIENT}\n`);
    expect(text).to.include('[Seen on the network] Received: 0.0994013 WBTC, Ethereum Sepolia\n');
    expect(text).to.include(`[Seen on the network] Payout: 0x${'c'.repeat(64)}\n`);
    expect(text).to.include('[Seen on the network] Both payments share one lock: Yes\n');
    expect(text).not.to.include('00'.repeat(32));
    expect(text).not.to.include('{');
  });

  it('shows that a leg has another secret hash', async () => {
    const page = await show('complete-receipt');
    await changeLock(page, 'cd'.repeat(32));
    await waitUntil(() => page.text.includes('Both payments share one lock No'));
    await expect(page.widget).to.be.accessible();
  });

  it('shows that the secret was not checked on a page that is not secure', async () => {
    Object.defineProperty(crypto, 'subtle', {configurable: true, value: undefined});
    try {
      const page = await show('complete-receipt');
      expect(page.text).to.include('Both payments share one lock Not checked');
    } finally {
      Reflect.deleteProperty(crypto, 'subtle');
    }
  });

  it('has dates and durations in the order of their language', async () => {
    for (const width of [320, 400]) {
      const page = await show('complete-receipt', {direction: 'rtl', width});
      page.widget.lang = 'ar';
      await waitUntil(() => page.heading === 'الإيصال', 'it is not in Arabic');
      for (const name of ['وقت الطلب', 'المدة']) {
        const row = page.findAll('.receipt > div').find(({textContent}) => textContent.includes(name))!;
        const text = [...row.querySelectorAll('dd *')].flatMap(({childNodes}) => [...childNodes]).find(isText)!;
        // The places of its letters and figures, as they are read.
        const places = [...text.data.matchAll(/\p{L}+|\d+/gu)].map(({index, 0: {length}}) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + length);
          return range.getBoundingClientRect();
        });
        expect(places.length, name).to.be.at.least(2);
        expect(new Set(places.map(({bottom}) => Math.round(bottom / 8))).size, `${name}: lines`).to.equal(1);
        // By their right ends: in WebKit, the left one of the first letter is that of the sign for the direction.
        if (name === 'المدة') expect(places[0]!.right, text.data).to.be.above(places[1]!.right);
        // The day, the month, the year; the time, which has figures on both sides of its colon; before or after noon.
        else expect(places[0]!.right, text.data).to.be.above(places[1]!.right).and.above(places.at(-1)!.right);
      }
    }
  });

  it('is printed as a separate page, with text only', async () => {
    const page = await show('complete-receipt');
    const printed = await whatIsPrinted(async () => {
      await page.press('Print');
      await page.press('Print');
    });
    expect(printed.length).to.equal(2);
    expect(printed[1]?.title).to.equal('Swap receipt');
    const rows = Array.from(printed[1]?.querySelectorAll('tr') ?? [], ({cells}) =>
      Array.from(cells, cell => cell.textContent),
    );
    expect(rows).to.deep.include(['Sent', '0.1 WBTC, Base Sepolia', 'Seen on the network']);
    expect(printed[1]?.querySelector('script, [onclick], link, style')).to.equal(null);
    expect(page.findAll('iframe').length).to.equal(1);
    await expect(page.widget).to.be.accessible();
  });
});
