import {expect} from '@open-wc/testing';
import {SwapError} from '../../src/domain/error.js';
import {swapLink} from '../../src/domain/link.js';
import {waitUntil} from '../support/page.js';
import {open as openWidget} from '../support/show.js';
import {RECIPIENT, STATES} from '../support/states.js';

const ORDER = '9f3c5b1e7a20d4c86f1be21a';
const before = location.href;

/** The query and fragment of the page's URL. */
const address = () => location.search.replace(/^\?/, '') + location.hash;

async function open(settings: Readonly<Record<string, unknown>>) {
  const {widget, place, session} = await openWidget(settings);
  // The module that updates the URL is loaded a moment later.
  await import('../../src/elements/url-sync.js');
  await new Promise(requestAnimationFrame);
  const opened = () => session.calls.flatMap(([name, id]) => (name === 'openOrder' ? [id] : []));
  return {widget, place, session, opened};
}

/** Navigates back or forward in the page's history. */
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
    history.replaceState(null, '', `${location.pathname}?swap=..%2Fsomewhere`);
    const {opened} = await open({'url-sync': ''});
    expect(opened()).to.deep.equal([]);
  });

  it('belongs to one widget only if that has an id', async () => {
    const {session} = await open({'url-sync': '', id: 'shop'});
    STATES['progress-confirming']?.(session);
    expect(address()).to.equal(`lang=en%20GB&flag&swap.shop.order=${ORDER}#/their/route`);
  });

  describe('prefills the form', () => {
    const linked = async (query: string, settings: Readonly<Record<string, unknown>> = {}) => {
      history.replaceState(null, '', `${location.pathname}?${query}`);
      const {session} = await open({'url-sync': '', ...settings});
      return session.$config.get()?.prefill;
    };
    const link = (draft: Parameters<typeof swapLink>[1], id?: string) =>
      new URL(swapLink(location.href, draft, id)).search.slice(1);
    const FULL = {
      from: 'base_sepolia:usdc',
      to: 'ethereum_sepolia:usdc',
      amount: '12.5',
      recipient: RECIPIENT,
    } as const;

    it('from a link, whose values are marked as such', async () => {
      expect(await linked(link(FULL))).to.deep.equal(FULL);
      const {session} = await open({'url-sync': ''});
      expect(session.$config.get()?.linked).to.deep.equal(FULL);
    });

    it('of the widget with the link’s id, and of no other', async () => {
      const own = {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'};
      expect(await linked(link(FULL, 'shop'), {id: 'shop'})).to.deep.equal(FULL);
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
