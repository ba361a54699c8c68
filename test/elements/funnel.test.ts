import {expect} from '@open-wc/testing';
import {batch} from 'nanostores';
import {SwapError} from '../../src/domain/error.js';
import {failed, idle, pending} from '../../src/domain/remote.js';
import {SwapConnectRequestEvent, type SwapTrackEvent} from '../../src/events.js';
import {change} from '../../src/session/shared.js';
import {waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {STATES} from '../support/states.js';

async function hear(settings: Readonly<Record<string, unknown>> = {}) {
  const heard: Record<string, unknown>[] = [];
  const note = (event: SwapTrackEvent) => heard.push(event.toJSON());
  document.addEventListener('swap-track', note);
  const {widget, session, page} = await open(settings);
  await waitUntil(() => heard.length > 0);
  const take = (what: SwapTrackEvent['what']) => heard.splice(0).filter(event => event['what'] === what);
  const stop = () => document.removeEventListener('swap-track', note);
  return {widget, session, page, heard, take, stop};
}

describe('The event about a visitor’s progress', () => {
  it('reports each view once', async () => {
    const {session, take, stop} = await hear();
    for (const state of ['review', 'review', 'progress-confirming', 'progress-settling', 'complete'])
      batch(() => STATES[state]?.(session));
    session.$view.set('journal');
    session.$view.set('form');
    expect(take('view').map(({view}) => view)).to.deep.equal([
      'form',
      'review',
      'progress',
      'complete',
      'journal',
      'form',
    ]);
    stop();
  });

  it('reports a dialog’s form only while it is open', async () => {
    const {widget, take, stop} = await hear({variant: 'button'});
    widget.open();
    await waitUntil(() => widget.renderRoot.querySelector('swap-widget-launch')?.hasAttribute('open'));
    widget.close();
    await waitUntil(() => !widget.renderRoot.querySelector('swap-widget-launch')?.hasAttribute('open'));
    expect(take('view').map(({view}) => view)).to.deep.equal(['button', 'form', 'button']);
    stop();
  });

  it('reports the pair, at first and with each change, and no address', async () => {
    const {session, take, heard, stop} = await hear();
    STATES['form-quoted']?.(session);
    session.edit({recipient: '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd'});
    const [first, ...others] = take('change');
    expect(first).to.deep.equal({
      type: 'swap-track',
      what: 'change',
      from: 'base_sepolia:wbtc',
      to: 'ethereum_sepolia:wbtc',
    });
    expect(others.map(({amount}) => amount)).to.deep.equal(['10000000']);
    expect(JSON.stringify(heard)).not.to.include('0x');
    stop();
  });

  it('reports the chosen wallet and the outcome, and no account', async () => {
    const {widget, session, heard, take, stop} = await hear();
    STATES['form-quoted']?.(session);
    const account = session.$wallets.get().accounts.evm!;
    const other = {...account.wallet, id: 'other', name: 'Other'};
    const restored = take('wallet');
    widget.dispatchEvent(new SwapConnectRequestEvent('evm', 'receive'));
    change(session.$wallets, {connecting: pending(other)});
    change(session.$wallets, {connecting: failed(new SwapError('rejected'), other)});
    change(session.$wallets, {connecting: pending(other)});
    change(session.$wallets, {accounts: {evm: {...account, wallet: other}}});
    change(session.$wallets, {connecting: idle});
    change(session.$wallets, {accounts: {evm: {...account, wallet: other, address: '0x1'}}});
    expect(JSON.stringify(heard)).not.to.include(account.address);
    const told = take('wallet').map(({outcome, family, side, wallet, code}) => [outcome, family, side, wallet, code]);
    expect(restored.map(({outcome, side}) => [outcome, side])).to.deep.equal([['restored', 'pay']]);
    expect(told).to.deep.equal([
      ['chosen', 'evm', 'receive', 'Other', undefined],
      ['failed', 'evm', 'receive', 'Other', 'rejected'],
      ['chosen', 'evm', 'receive', 'Other', undefined],
      ['connected', 'evm', 'receive', 'Other', undefined],
    ]);
    stop();
  });
});
