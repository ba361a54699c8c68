import {aTimeout, expect} from '@open-wc/testing';
import {resetMouse, sendKeys, sendMouse} from '@web/test-runner-commands';
import {change} from '../../src/session/shared.js';
import {waitUntil} from '../support/page.js';
import {open, show} from '../support/show.js';
import {CHOICES, STATES} from '../support/states.js';

async function openButton(settings: Readonly<Record<string, unknown>> = {}) {
  const opened = await open({variant: 'button', style: '--swap-speed: 0', ...settings});
  const {widget, place} = opened;
  place.style.minBlockSize = '200vh';
  await waitUntil(() => widget.shadowRoot?.querySelector('swap-widget-launch')?.shadowRoot?.querySelector('button'));
  const inside = widget.shadowRoot!.querySelector('swap-widget-launch')!.shadowRoot!;
  return {...opened, button: inside.querySelector('button')!, dialog: inside.querySelector('dialog')!};
}

describe('The widget as a button', () => {
  it('is only a button, with the page’s label, until it is clicked', async () => {
    const {widget, page, button, dialog} = await openButton();
    expect(page.text.startsWith('Swap')).to.equal(true);
    expect(dialog.open).to.equal(false);
    expect(widget.getBoundingClientRect().height).to.be.within(44, 60);
    const label = document.createElement('span');
    label.slot = 'launch';
    label.textContent = 'Pay with another coin';
    widget.append(label);
    expect(label.assignedSlot).not.to.equal(null);
    expect(label.getBoundingClientRect().width).to.be.greaterThan(50);
    expect(button.offsetWidth).to.be.greaterThan(label.offsetWidth);
    await expect(widget).to.be.accessible();
  });

  for (const theme of ['light', 'dark']) {
    it(`opens the whole widget in a modal dialog, in the ${theme} theme`, async () => {
      const {widget, page, button, dialog} = await openButton({theme});
      button.click();
      expect(dialog.matches(':modal')).to.equal(true);
      await page.settled();
      expect(page.find('h2')?.matches(':focus')).to.equal(true);
      // From edge to edge, and nothing below it.
      expect(page.find('.frame')!.clientWidth).to.be.greaterThan(300).and.equal(dialog.offsetWidth);
      expect(dialog.scrollHeight).to.equal(dialog.clientHeight);
      await expect(widget).to.be.accessible();
    });
  }

  it('closes on Escape, returns the focus, and lets the page scroll again', async () => {
    const {button, dialog, widget} = await openButton();
    button.focus();
    await sendKeys({press: 'Enter'});
    expect(dialog.open).to.equal(true);
    expect(getComputedStyle(document.documentElement).overflowY).to.equal('hidden');
    await sendKeys({press: 'Escape'});
    await waitUntil(() => !dialog.open);
    await waitUntil(() => getComputedStyle(document.documentElement).overflowY !== 'hidden');
    expect(document.activeElement).to.equal(widget);
    expect(button.matches(':focus')).to.equal(true);
    expect(button.ariaExpanded).to.equal('false');
  });

  it('closes with its own button and with a click outside, but not with a drag from the inside', async () => {
    const {button, dialog, page} = await openButton();
    button.click();
    await page.press('Close');
    expect(dialog.open).to.equal(false);
    button.click();
    const {left, top} = dialog.getBoundingClientRect();
    await sendMouse({type: 'move', position: [Math.round(left) + 60, Math.round(top) + 20]});
    await sendMouse({type: 'down'});
    await sendMouse({type: 'move', position: [3, 3]});
    await sendMouse({type: 'up'});
    expect(dialog.open).to.equal(true);
    await sendMouse({type: 'click', position: [3, 3]});
    await waitUntil(() => !dialog.open);
    await resetMouse();
  });

  it('closes a list on Escape, and itself only on the next one', async () => {
    const {session, dialog, widget, page} = await openButton();
    const {prepare, press} = CHOICES['asset-picker']!;
    prepare(session);
    widget.open();
    await waitUntil(() => dialog.open);
    await page.press(press);
    await page.untilThere('swap-widget-asset-picker');
    await page.settled();
    await sendKeys({press: 'Escape'});
    await waitUntil(() => !page.find('swap-widget-asset-picker'));
    expect(dialog.open).to.equal(true);
    await sendKeys({press: 'Escape'});
    await waitUntil(() => !dialog.open);
  });

  it('can be opened and closed by the page; closed, it stops nothing and shows the swap’s stage', async () => {
    const {session, dialog, widget, page, button} = await openButton();
    widget.open();
    await waitUntil(() => dialog.open);
    STATES['progress-confirming']?.(session);
    await page.untilThere('swap-widget-progress-view');
    widget.close();
    await waitUntil(() => !dialog.open);
    await waitUntil(() => button.innerText.includes('Confirming'));
    expect(session.calls.map(([name]) => name)).not.to.include.members(['stop']);
    expect(widget.stage).to.equal('confirming');
    await expect(widget).to.be.accessible();
  });

  it('is not modal while a wallet prompts, so that the wallet’s window in the page is accessible', async () => {
    const {session, dialog, widget, page} = await openButton();
    STATES['form-quoted']?.(session);
    widget.open();
    await waitUntil(() => dialog.matches(':modal'));
    page.primaryButton?.focus();
    change(session.$wallets, {connecting: {state: 'pending'}});
    await waitUntil(() => dialog.open && !dialog.matches(':modal'));
    expect(page.primaryButton?.matches(':focus')).to.equal(true);
    change(session.$wallets, {connecting: {state: 'idle'}});
    await waitUntil(() => dialog.matches(':modal'));
    expect(page.primaryButton?.matches(':focus')).to.equal(true);
  });

  it('leaves nothing behind if it is removed while open', async () => {
    const {widget, dialog} = await openButton();
    const before = document.adoptedStyleSheets.length;
    const {clientWidth} = document.documentElement;
    widget.open();
    await waitUntil(() => dialog.open);
    expect(document.documentElement.clientWidth, 'the page moves').to.equal(clientWidth);
    widget.remove();
    await aTimeout(0);
    expect(document.adoptedStyleSheets.length).to.equal(before);
  });
});

describe('The compact widget', () => {
  for (const name of ['form-quoted', 'review', 'deposit-address', 'progress-confirming', 'complete']) {
    it(`is lower and narrower, and accessible: ${name}`, async () => {
      const card = await show(name, {width: 320});
      const {height} = card.widget.getBoundingClientRect();
      const page = await show(name, {width: 600});
      page.widget.variant = 'compact';
      await page.settled();
      const frame = page.widget.getBoundingClientRect();
      expect(frame.width).to.be.at.most(352);
      expect(frame.height).to.be.at.most(height);
      await expect(page.widget).to.be.accessible();
    });
  }
});

describe('The page’s slotted content', () => {
  const SLOTS = ['header', 'notice', 'legal', 'footer'];

  it('is in the frame at every stage', async () => {
    const {widget, session, page} = await open({style: '--swap-speed: 0'});
    for (const slot of [...SLOTS, 'success']) {
      const text = document.createElement('p');
      text.slot = slot;
      text.textContent = `The ${slot} of the page`;
      widget.append(text);
    }
    const isShown = (slot: string) => (widget.querySelector(`[slot=${slot}]`)?.getBoundingClientRect().height ?? 0) > 0;
    expect(SLOTS.map(isShown)).to.deep.equal([true, true, true, true]);
    expect(isShown('success')).to.equal(false);
    await expect(widget).to.be.accessible();
    STATES['review']?.(session);
    await page.untilThere('swap-widget-review-view');
    expect(SLOTS.map(isShown)).to.deep.equal([true, true, true, true]);
    STATES['complete']?.(session);
    await page.untilThere('swap-widget-progress-view');
    await waitUntil(() => isShown('success'));
    const tops = [...SLOTS.slice(0, 2), 'success', ...SLOTS.slice(2)].map(
      slot => widget.querySelector(`[slot=${slot}]`)!.getBoundingClientRect().top,
    );
    expect(tops).to.deep.equal([...tops].sort((a, b) => a - b));
    await expect(widget).to.be.accessible();
  });

  it('keeps its distance from the edges, whatever the page’s styles', async () => {
    const rules = new CSSStyleSheet();
    rules.replaceSync('* { margin: 0; padding: 0 }');
    document.adoptedStyleSheets.push(rules);
    const {widget} = await open({style: '--swap-speed: 0'});
    for (const slot of SLOTS) {
      const text = document.createElement('p');
      text.slot = slot;
      text.textContent = `The ${slot} of the page`;
      widget.append(text);
    }
    await waitUntil(() => getComputedStyle(widget).getPropertyValue('--_speed'), 'the rest of its looks');
    const {left} = widget.getBoundingClientRect();
    const distances = SLOTS.map(slot => {
      const range = document.createRange();
      range.selectNodeContents(widget.querySelector(`[slot=${slot}]`)!);
      return range.getBoundingClientRect().left - left;
    });
    document.adoptedStyleSheets.pop();
    for (const distance of distances) expect(distance).to.be.at.least(16);
  });

  it('is only shown without a slot until the element is defined', async () => {
    const {widget} = await open();
    const before = document.createElement('p');
    before.textContent = 'Swaps need JavaScript.';
    widget.append(before);
    expect(before.getBoundingClientRect().height).to.equal(0);
  });
});
