import {expect} from '@open-wc/testing';
import fc from 'fast-check';
import {SwapError} from '../../src/domain/error.js';
import {swapLink} from '../../src/domain/link.js';
import {orderIds} from '../support/order-ids.js';
import {waitUntil} from '../support/page.js';
import {open as openWidget} from '../support/show.js';
import {RECIPIENT, STATES} from '../support/states.js';

const ORDER = '9f3c5b1e7a20d4c86f1be21a';
const before = location.href;
const address = () => location.search.replace(/^\?/, '') + location.hash;

async function open(settings: Readonly<Record<string, unknown>>) {
  const {widget, place, session} = await openWidget(settings);
  // The module that updates the URL is loaded a moment later.
  await import('../../src/elements/url-sync.js');
  await new Promise(requestAnimationFrame);
  const opened = () => session.calls.flatMap(([name, id]) => (name === 'openOrder' ? [id] : []));
  return {widget, place, session, opened};
}

/** How many entries some work adds to the page's history. Its length counts up to 50 only. */
function entriesOf(work: () => void): number {
  const {pushState} = history;
  let added = 0;
  history.pushState = (...all) => {
    added++;
    pushState.apply(history, all);
  };
  try {
    work();
  } finally {
    history.pushState = pushState;
  }
  return added;
}

async function go(delta: -1 | 1) {
  const gone = new Promise(resolve => {
    addEventListener('popstate', resolve, {once: true});
  });
  history.go(delta);
  await gone;
}

describe('The page URL', () => {
  beforeEach(() => {
    history.replaceState({of: 'the page'}, '', `${location.pathname}?lang=en%20GB&flag#/their/route`);
  });
  afterEach(() => {
    history.replaceState(null, '', before);
  });

  it('is unchanged unless the page enables it', async () => {
    const {session} = await open({});
    STATES['progress-confirming']?.(session);
    await new Promise(requestAnimationFrame);
    expect(address()).to.equal('lang=en%20GB&flag#/their/route');
  });

  it('holds the displayed order, in addition to the page’s own parameters', async () => {
    const {session} = await open({'url-sync': ''});
    STATES['progress-confirming']?.(session);
    expect(address()).to.equal(`lang=en%20GB&flag&swap=${ORDER}#/their/route`);
    expect(history.state).to.deep.equal({of: 'the page'});
    session.$view.set('form');
    expect(address()).to.equal('lang=en%20GB&flag#/their/route');
  });

  it('is also updated if its path looks like another host', async () => {
    history.replaceState(null, '', `${location.origin}//swap`);
    const {session} = await open({'url-sync': ''});
    STATES['progress-confirming']?.(session);
    expect(location.href).to.equal(`${location.origin}//swap?swap=${ORDER}`);
  });

  it('is unchanged if the browser does not allow updates, and everything else works', async () => {
    const {session} = await open({'url-sync': ''});
    const {pushState} = history;
    history.pushState = () => {
      throw new DOMException('Too many calls.', 'SecurityError');
    };
    try {
      STATES['progress-confirming']?.(session);
      expect(address()).to.equal('lang=en%20GB&flag#/their/route');
    } finally {
      history.pushState = pushState;
    }
  });

  it('leads back to the form and forward to the order', async () => {
    const {session, opened} = await open({'url-sync': ''});
    STATES['progress-confirming']?.(session);
    await go(-1);
    expect(session.calls.at(-1)).to.deep.equal(['back']);
    session.$view.set('form');
    expect(address()).to.equal('lang=en%20GB&flag#/their/route');
    await go(1);
    expect(opened()).to.deep.equal([ORDER]);
    STATES['progress-confirming']?.(session);
    expect(address()).to.equal(`lang=en%20GB&flag&swap=${ORDER}#/their/route`);
  });

  it('opens its order, and is unchanged until it is open', async () => {
    history.replaceState(null, '', `${location.pathname}?swap=${ORDER}`);
    const {session, opened} = await open({'url-sync': ''});
    expect(opened()).to.deep.equal([ORDER]);
    session.$view.set('journal');
    expect(address(), 'before it is there').to.equal(`swap=${ORDER}`);
    STATES['progress-confirming']?.(session);
    session.$view.set('form');
    expect(address()).to.equal('');
  });

  it('is updated again if its order cannot be opened', async () => {
    history.replaceState(null, '', `${location.pathname}?swap=${ORDER}`);
    const {session} = await open({'url-sync': ''});
    session.tell({type: 'error', error: new SwapError('timeout'), orderId: ORDER});
    session.$view.set('journal');
    expect(address()).to.equal('');
  });

  it('opens nothing if its order id is invalid', async () => {
    history.replaceState(null, '', `${location.pathname}?swap=..`);
    const {opened} = await open({'url-sync': ''});
    expect(opened()).to.deep.equal([]);
  });

  describe('holds every id that a service may give', () => {
    // WebKit allows a page no more than a hundred changes of its history in ten seconds.
    const RUNS = navigator.vendor.startsWith('Apple') ? 2 : 150;
    const others = fc.constantFrom('', 'lang=en%20GB&flag', 'a=1&=&b', 'a=1&&b&', 'swapped=1&sw=2&xswap=3');
    const hash = fc.constantFrom('', '#/their/route', '#?swap=theirs');

    /** Shows an order with that id, as a service's next response would again. */
    const show = ({session}: Awaited<ReturnType<typeof open>>, orderId: string) => {
      session.place({id: orderId, placedAt: 0, payUntil: 0});
      session.$view.set('order');
    };

    for (const widgetId of ['', 'shop', 'a&b=c +%']) {
      it(`and takes back what it wrote: a widget ${widgetId ? `with the id ${widgetId}` : 'without an id'}`, async () => {
        const page = await open({'url-sync': '', id: widgetId});
        fc.assert(
          fc.property(orderIds, others, hash, (orderId, query, fragment) => {
            page.session.$view.set('form');
            history.replaceState(null, '', `${location.pathname}${query && `?${query}`}${fragment}`);
            expect(entriesOf(() => show(page, orderId))).to.equal(1);
            expect(entriesOf(() => [1, 2, 3].forEach(() => show(page, orderId)))).to.equal(0);
            const parameter = widgetId ? `swap.${widgetId}.order` : 'swap';
            const written = location.search.slice(1).split('&');
            expect(new URLSearchParams(location.search).getAll(parameter)).to.deep.equal([orderId]);
            expect(written.slice(0, -1).join('&')).to.equal(query);
            expect(location.hash).to.equal(fragment);
            page.session.$view.set('form');
            expect(location.search.slice(1)).to.equal(query);
          }),
          {numRuns: RUNS, seed: 44, includeErrorInReport: true},
        );
      });
    }

    it('and opens it', async () => {
      for (const orderId of ['x&admin=1', 'a/../b', 'a+b', '50%25', '.'.repeat(3), '#', '~'.repeat(128)]) {
        history.replaceState(null, '', `${location.pathname}?swap=${encodeURIComponent(orderId)}`);
        const {opened, widget} = await open({'url-sync': ''});
        expect(opened()).to.deep.equal([orderId]);
        widget.remove();
      }
    });

    it('and no other, once or again', async () => {
      const page = await open({'url-sync': ''});
      for (const orderId of ['', '.', '..', 'a b', 'ä', 'a\n', '~'.repeat(129)]) {
        expect(entriesOf(() => [1, 2, 3].forEach(() => show(page, orderId)))).to.equal(0);
        expect(address(), JSON.stringify(orderId)).to.equal('lang=en%20GB&flag#/their/route');
      }
    });

    it('also where the page wrote its parameter in another way', async () => {
      history.replaceState(null, '', `${location.pathname}?a=1&sw%61p=a%20b&swap`);
      const page = await open({'url-sync': ''});
      page.session.$view.set('form');
      show(page, ORDER);
      expect(address()).to.equal(`a=1&swap=${ORDER}`);
      page.session.$view.set('form');
      expect(address()).to.equal('a=1');
    });
  });

  describe('prefills the form', () => {
    const linked = async (query: string, settings: Readonly<Record<string, unknown>> = {}) => {
      history.replaceState(null, '', `${location.pathname}?${query}`);
      const {session} = await open({'url-sync': '', ...settings});
      return session.$settings.get().config?.prefill;
    };
    const link = (draft: Parameters<typeof swapLink>[1], id?: string) =>
      new URL(swapLink(location.href, draft, id)).search.slice(1);
    const FULL = {
      from: 'base_sepolia:usdc',
      to: 'ethereum_sepolia:usdc',
      amount: '12.5',
      recipient: RECIPIENT,
    } as const;

    it('of the widget with the link’s id, and of no other', async () => {
      const own = {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'};
      expect(await linked(link(FULL, 'shop'), {id: 'shop'})).to.deep.equal(FULL);
      const {session} = await open({'url-sync': '', id: 'shop'});
      expect(session.$settings.get().config?.linked, 'what is asked about').to.deep.equal(FULL);
      expect(await linked(link(FULL, 'shop'), {id: 'bar'})).to.deep.equal(own);
      expect(await linked(link(FULL, 'shop'))).to.deep.equal(own);
    });

    it('only if the page enables it, and never with other values for locked fields', async () => {
      expect((await linked(link(FULL), {'url-sync': undefined}))?.amount).to.equal(undefined);
      const locked = await linked(link(FULL), {amount: '1', recipient: '0x1', lock: 'from amount recipient'});
      expect(locked).to.deep.equal({from: 'base_sepolia:wbtc', to: FULL.to, amount: '1', recipient: '0x1'});
    });

    it('without an asset that is not offered, and without its amount or recipient', async () => {
      expect(await linked('swap.from=base:doge&swap.amount=5')).to.deep.equal({from: '', to: 'ethereum_sepolia:wbtc'});
      expect(
        await linked(`swap.to=%00&swap.recipient=${RECIPIENT}`, {
          from: undefined,
          to: undefined,
          assets: 'base_sepolia:wbtc ethereum_sepolia:wbtc',
        }),
      ).to.deep.equal({from: 'base_sepolia:wbtc', to: ''});
      expect(await linked('swap.from=ethereum_sepolia:wbtc')).to.deep.equal({from: 'ethereum_sepolia:wbtc', to: ''});
    });

    it('with an amount to receive, in place of the page’s amount, and only with its asset', async () => {
      const paid = await linked('swap.receive=2', {amount: '1'});
      expect(paid).to.include({receive: '2'});
      expect(paid).not.to.have.property('amount');
      expect(await linked('swap.receive=2&swap.to=base:doge')).not.to.have.property('receive');
      expect(await linked('swap.receive=2', {amount: '1', lock: 'amount'})).to.include({amount: '1'});
      const ether = 'eip155:11155111/slip44:60';
      const assets = 'base_sepolia:wbtc ethereum_sepolia:wbtc ethereum_sepolia:eth';
      expect(await linked(`swap.to=${ether}&swap.receive=2`, {assets})).to.include({
        to: 'ethereum_sepolia:eth',
        receive: '2',
      });
    });
  });

  it('is not updated by a removed widget, and again once it is back', async () => {
    const {widget, place, session} = await open({'url-sync': ''});
    widget.remove();
    STATES['progress-confirming']?.(session);
    expect(address()).to.equal('lang=en%20GB&flag#/their/route');
    session.$view.set('form');
    place.append(widget);
    await widget.updateComplete;
    await new Promise(requestAnimationFrame);
    STATES['progress-confirming']?.(session);
    await waitUntil(() => address().includes(ORDER));
  });
});
