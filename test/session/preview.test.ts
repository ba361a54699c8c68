import {expect} from '../support/expect.js';
import {previewOf} from '../../src/domain/known/preview.js';
import {createSwapSession} from '../../src/core.js';
import {assembleSession, type FormSettings} from '../../src/session/session.js';
import {engage} from '../../src/session/work.js';
import {openSession, settle} from '../support/session.js';
import {OTHER_WBTC, PAYER, SOLVER as RECIPIENT, WBTC} from '../support/swap.js';

const IDS = ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc'] as const;

/** What the form of a page with two well-known assets can be drawn from at once. */
function preview(prefill: FormSettings['prefill'] = {}): FormSettings {
  const catalogue = previewOf(IDS);
  if (!catalogue) throw new Error('These are not well known.');
  return {catalogue, prefill, paused: false};
}

/** A session that only has what its form is drawn from, and the settings that it gets later. */
async function openPreview(prefill: FormSettings['prefill'] = {}) {
  const page = await openUndrawn(prefill);
  page.session.preview(preview(prefill));
  return page;
}

/** A session of a page whose assets are only in the settings: until they load, no form can be drawn. */
async function openUndrawn(prefill: FormSettings['prefill'] = {}) {
  const page = await openSession();
  const config = page.session.$settings.get().config;
  if (!config) throw new Error('It was not configured.');
  const asked = page.world.log.length;
  const session = createSwapSession({adapters: {evm: () => Promise.resolve(page.world.adapter)}, host: page.host});
  session.start();
  return {...page, session, config: {...config, prefill}, asked: () => page.world.log.slice(asked)};
}

describe('a session whose logic loads after its form', () => {
  it('starts with what was typed, and does everything that a complete one does', async () => {
    const page = await openSession();
    const config = page.session.$settings.get().config!;
    let isThere = false;
    const options = {adapters: {evm: () => Promise.resolve(page.world.adapter)}, host: page.host};
    const session = assembleSession(options, (...all) => (isThere ? engage(...all, options.adapters) : undefined));
    session.start();
    session.preview(preview());
    session.edit({amount: '0.0005'});
    session.openJournal();
    session.reset({keep: true});
    session.configure(config);
    expect(session.$settings.get().config, 'nothing takes them yet').to.equal(undefined);
    const asked = page.world.log.length;
    isThere = true;
    session.configure(config);
    await settle();
    await page.host.pass(300);
    expect(session.$draft.get().amount).to.equal('0.0005');
    expect(page.world.log.slice(asked).join(), 'the price is asked for').to.include('GET quote');
    const whole = createSwapSession(options);
    expect(Object.keys(session).sort()).to.deep.equal(Object.keys(whole).sort());
  });
});

describe('a form that is drawn before its settings are read', () => {
  it('shows the pair, and accepts an amount', async () => {
    const {session} = await openPreview();
    expect([session.$draft.get().from, session.$draft.get().to]).to.deep.equal([...IDS]);
    expect(session.$price.get().problem).to.deep.include({code: 'enter-amount'});
    session.edit({amount: '0,1'});
    expect(session.$draft.get().amount).to.equal('0.1');
  });

  it('sends no requests, and allows no review', async () => {
    const {session, host, asked} = await openPreview({amount: '0.1', recipient: '0xabc'});
    session.review();
    session.openJournal();
    await host.pass(60_000);
    await settle();
    expect(asked()).to.deep.equal([]);
    expect([session.$view.get(), session.$price.get().quote.state]).to.deep.equal(['form', 'idle']);
  });

  it('keeps what was typed when the settings load, and then requests its price', async () => {
    const {session, host, config, asked} = await openPreview({amount: '5'});
    session.edit({amount: '0.0005'});
    session.configure(config);
    expect(session.$draft.get().amount).to.equal('0.0005');
    await settle();
    await host.pass(300);
    expect(asked().filter(entry => entry.startsWith('GET quote')).length).to.equal(1);
    const request = session.$price.get().request;
    // The request has nothing from the preview, which has no contract to check a payment against.
    expect('from' in request && request.from).to.equal(config.catalogue.find(IDS[0]));
  });

  it('ignores the preview once there are settings', async () => {
    const {session, config} = await openPreview();
    session.configure(config);
    session.preview(preview({amount: '7'}));
    expect(session.$form.get()).to.equal(config);
    expect(session.$draft.get().amount).to.equal('');
  });

  it('accepts the page’s values, except for the field that was typed in', async () => {
    const prefill = {from: OTHER_WBTC.id, to: WBTC.id, amount: '7', recipient: RECIPIENT};
    for (const open of [openUndrawn, openPreview]) {
      const {session, config} = await open(prefill);
      session.edit({amount: '0.5'});
      session.configure(config);
      expect(session.$draft.get()).to.deep.equal({...prefill, amount: '0.5', receive: '', refundAddress: ''});
    }
  });

  it('keeps a cleared field empty', async () => {
    const {session, config} = await openPreview({amount: '7', recipient: RECIPIENT});
    session.edit({recipient: ''});
    session.configure(config);
    expect(session.$draft.get()).to.deep.include({amount: '7', recipient: ''});
  });

  it('accepts the page’s values after something was typed, with or without a preview', async () => {
    const {session, config} = await openPreview();
    session.edit({amount: '0.5'});
    session.preview(preview({recipient: RECIPIENT, amount: '7'}));
    expect(session.$draft.get()).to.deep.include({amount: '0.5', recipient: RECIPIENT});
    session.configure({...config, prefill: {recipient: PAYER, amount: '8'}});
    expect(session.$draft.get()).to.deep.include({amount: '0.5', recipient: PAYER});
  });

  it('restores the rest of the last visit if only the amount was typed', async () => {
    const last = await openUndrawn();
    last.session.configure(last.config);
    last.session.edit({from: OTHER_WBTC.id, to: WBTC.id, amount: '3', recipient: RECIPIENT});
    const wanted = {from: OTHER_WBTC.id, to: WBTC.id, amount: '0.5', recipient: RECIPIENT};
    const open = () => createSwapSession({adapters: {}, host: last.host});
    const session = open();
    session.edit({amount: '0.5'});
    session.configure(last.config);
    expect(session.$draft.get()).to.deep.include(wanted);
    const next = open();
    next.configure(last.config);
    expect(next.$draft.get()).to.deep.include(wanted);
  });

  it('keeps a swapped pair, and restores no address of the last visit for it', async () => {
    const prefill = {from: WBTC.id, to: OTHER_WBTC.id};
    const last = await openUndrawn(prefill);
    last.session.configure(last.config);
    last.session.edit({recipient: RECIPIENT});
    const session = createSwapSession({adapters: {}, host: last.host});
    session.preview(preview(prefill));
    session.flip();
    session.configure(last.config);
    expect(session.$draft.get()).to.deep.include({from: OTHER_WBTC.id, to: WBTC.id, recipient: ''});
  });
});
