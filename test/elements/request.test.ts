/** The ends of a payment that the page requests, other than its arrival, which is a journey. */
import {expect} from '@open-wc/testing';
import {SwapError} from '../../src/domain/error.js';
import type {PaymentRequest} from '../../src/elements/request.js';
import type {SessionEvent} from '../../src/session/session.js';
import type {PaymentRequestError} from '../../src/index.js';
import {waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {RECIPIENT} from '../support/states.js';
import {anOrder, OTHER_WBTC} from '../support/swap.js';

async function ask(settings: Readonly<Record<string, unknown>> = {}) {
  const fetch = () => Promise.reject(new TypeError('no price'));
  const opened = await open({style: '--swap-speed: 0', fetch, ...settings});
  const end = opened.widget.request({to: OTHER_WBTC.id, atLeast: 1_000_000n, recipient: RECIPIENT}).then(
    () => 'paid',
    ({reason, orderId}: PaymentRequestError) => [reason, ...(orderId === undefined ? [] : [orderId])].join(' '),
  );
  await waitUntil(() => opened.session.$settings.get().config?.asked, 'the visitor was never asked');
  return {...opened, end};
}

describe('A payment that the page requests', () => {
  it('opens the dialog of a button, and ends when that is closed', async () => {
    const {widget, session, end} = await ask({variant: 'button'});
    const dialogIn = () => widget.shadowRoot!.querySelector('swap-widget-launch')?.shadowRoot?.querySelector('dialog');
    await waitUntil(() => dialogIn()?.open, 'the dialog never opened');
    await expect(widget).to.be.accessible();
    dialogIn()!.close();
    expect(await end).to.equal('closed');
    await waitUntil(() => !session.$settings.get().config?.asked, 'the form was never the same');
  });

  const order = anOrder();
  const at = {orderId: order.id, order, previous: 'awaiting-deposit'} as const;
  for (const [reason, last] of [
    ['expired', {type: 'status', stage: 'expired', ...at}],
    ['stopped', {type: 'status', stage: 'stopped', ...at}],
    ['refunded', {type: 'refund', orderId: order.id, order, witness: 'chain'}],
    ['told', {type: 'complete', orderId: order.id, order, witness: 'service'}],
    ['paid', {type: 'complete', orderId: order.id, order, witness: 'chain'}],
  ] as const satisfies readonly (readonly [string, SessionEvent])[]) {
    it(`is ${reason} with its order, and not with another one`, async () => {
      const {session, end} = await ask();
      session.tell({...last, orderId: 'another'});
      session.tell({type: 'order', orderId: order.id} as SessionEvent);
      session.tell({...last, orderId: 'another'});
      session.tell(last);
      expect(await end).to.equal(reason === 'paid' ? reason : `${reason} ${order.id}`);
    });
  }

  it('has an error with the order if only the service reports the payment', async () => {
    const {widget, session} = await open();
    const asked = widget.request({to: OTHER_WBTC.id, atLeast: 1_000_000n, recipient: RECIPIENT});
    const end = asked.catch((error: unknown) => error);
    await waitUntil(() => session.$settings.get().config?.asked, 'the visitor was never asked');
    session.tell({type: 'order', orderId: order.id} as SessionEvent);
    session.tell({type: 'complete', orderId: order.id, order, witness: 'service'});
    const error = (await end) as PaymentRequestError;
    expect(error.message).to.equal('Only the service says that the payment arrived. No chain shows it.');
    expect(error.order).to.equal(order);
  });

  it('continues if the widget is moved, and ends if it is removed', async () => {
    const {widget, place, end} = await ask();
    place.replaceWith(widget);
    let ended = '';
    void end.then(reason => (ended = reason));
    await new Promise(resolve => setTimeout(resolve, 1_200));
    expect(ended).to.equal('');
    widget.remove();
    expect(await end).to.equal('removed');
  });

  const right = {to: OTHER_WBTC.id, atLeast: '0.01', recipient: RECIPIENT};
  for (const [what, field, wrong] of [
    ['nothing at all', 'to', undefined],
    ['no asset', 'to', {...right, to: undefined}],
    ['an asset that is not offered', 'to', {...right, to: 'base:none'}],
    ['an amount as a number', 'atLeast', {...right, atLeast: 25}],
    ['no amount', 'atLeast', {...right, atLeast: undefined}],
    ['an invalid amount', 'atLeast', {...right, atLeast: 'all of it'}],
    ['nothing to pay', 'atLeast', {...right, atLeast: 0n}],
    ['no recipient', 'recipient', {...right, recipient: undefined}],
    ['an empty recipient', 'recipient', {...right, recipient: ' '}],
    ['a recipient that is not text', 'recipient', {...right, recipient: 1}],
    ['an invalid signal', 'signal', {...right, signal: new AbortController()}],
  ] as const) {
    it(`is rejected with the name of the invalid field: ${what}`, async () => {
      const {widget} = await open();
      const end = await widget.request(wrong as unknown as PaymentRequest).catch((error: unknown) => error);
      expect(end).to.be.instanceOf(SwapError);
      expect(end).to.include({code: 'config', field: `request.${field}`});
    });
  }
});
