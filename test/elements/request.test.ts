/** How a payment that the page asks for ends, beside the journey in which it arrives. */
import {expect} from '@open-wc/testing';
import type {SessionEvent} from '../../src/session/session.js';
import type {PaymentRequestError} from '../../src/index.js';
import {waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {RECIPIENT} from '../support/states.js';
import {anOrder, OTHER_WBTC} from '../support/swap.js';

/** A widget whose page asks for a payment, and how that ends. */
async function ask(settings: Readonly<Record<string, unknown>> = {}) {
  const fetch = () => Promise.reject(new TypeError('no price'));
  const opened = await open({style: '--swap-speed: 0', fetch, ...settings});
  const end = opened.widget.request({to: OTHER_WBTC.id, atLeast: 1_000_000n, recipient: RECIPIENT}).then(
    () => 'paid',
    ({reason, orderId}: PaymentRequestError) => [reason, ...(orderId === undefined ? [] : [orderId])].join(' '),
  );
  await waitUntil(() => opened.session.$config.get()?.asked, 'the visitor was never asked');
  return {...opened, end};
}

describe('A payment that the page asks for', () => {
  it('is asked for in the dialog of a button, and ends where that is closed', async () => {
    const {widget, session, end} = await ask({variant: 'button'});
    const dialog = widget.shadowRoot!.querySelector('swap-widget-launch')!.shadowRoot!.querySelector('dialog')!;
    await waitUntil(() => dialog.open, 'the dialog never opened');
    await expect(widget).to.be.accessible();
    dialog.close();
    expect(await end).to.equal('closed');
    await waitUntil(() => !session.$config.get()?.asked, 'the form was never the same');
  });

  const order = anOrder();
  const at = {orderId: order.id, order, previous: 'awaiting-deposit'} as const;
  for (const [reason, last] of [
    ['expired', {type: 'status', stage: 'expired', ...at}],
    ['stopped', {type: 'status', stage: 'stopped', ...at}],
    ['refunded', {type: 'refund', orderId: order.id, order}],
  ] as const satisfies readonly (readonly [string, SessionEvent])[]) {
    it(`is ${reason} with its order, and not with another one`, async () => {
      const {session, end} = await ask();
      session.tell({...last, orderId: 'another'});
      session.tell({type: 'order', orderId: order.id} as SessionEvent);
      session.tell({...last, orderId: 'another'});
      session.tell(last);
      expect(await end).to.equal(`${reason} ${order.id}`);
    });
  }

  it('goes on in a widget that is moved, and ends with one that is removed', async () => {
    const {widget, place, end} = await ask();
    place.replaceWith(widget);
    let ended = '';
    void end.then(reason => (ended = reason));
    await new Promise(resolve => setTimeout(resolve, 1_200));
    expect(ended).to.equal('');
    widget.remove();
    expect(await end).to.equal('removed');
  });
});
