import {expect} from '../support/expect.js';
import type {AssetId} from '../../src/domain/asset.js';
import type {Draft} from '../../src/domain/draft.js';
import {previewOf} from '../../src/domain/known/preview.js';
import {createDraft} from '../../src/session/draft.js';
import {createSession, type FormPage, type SessionConfig} from '../../src/session/session.js';
import {openSession, settle} from '../support/session.js';
import {OTHER_WBTC, SOLVER as RECIPIENT, WBTC} from '../support/swap.js';

const IDS = ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc'] as const;

/** What the form of a page with two well-known assets can be drawn from at once. */
function preview(prefill: FormPage['prefill'] = {}, ids: readonly AssetId[] = IDS): FormPage {
  const catalogue = previewOf(ids);
  if (!catalogue) throw new Error('These are not well known.');
  return {catalogue, prefill, paused: false};
}

/** A form before its session, which gets these settings. */
async function openPreview(prefill: FormPage['prefill'] = {}) {
  const page = await openUndrawn(prefill);
  page.draft.preview(preview(prefill));
  return page;
}

/** One of a page whose assets are only in the settings: until they load, no form can be drawn. */
async function openUndrawn(prefill: FormPage['prefill'] = {}) {
  const {session: first, world, host} = await openSession();
  const {config} = first.$settings.get();
  if (!config) throw new Error('It was not configured.');
  const asked = world.log.length;
  const draft = createDraft();
  return {
    host,
    draft,
    config: {...config, prefill},
    asked: () => world.log.slice(asked),
    /** Creates the session, which takes the form over. */
    begin(settings: Partial<SessionConfig> = {}) {
      const session = createSession({adapters: {evm: () => Promise.resolve(world.adapter)}, host, draft});
      session.start();
      session.configure({...config, prefill, ...settings});
      return session;
    },
  };
}

describe('a form that is drawn before its settings are read', () => {
  it('sends no requests', async () => {
    const {draft, host, asked} = await openPreview({amount: '0.1', recipient: '0xabc'});
    await host.pass(60_000);
    await settle();
    expect(asked()).to.deep.equal([]);
    expect(draft.$form.get().quote.state).to.equal('idle');
  });

  it('asks for what can be given at once, and says when a change needs the session', () => {
    const after = (from: AssetId, typed: Partial<Draft>) => {
      let touches = 0;
      const {edit, flip, preview: show, $form} = createDraft(() => touches++);
      show(preview({}, [from, IDS[1]]));
      edit({amount: '0.1', ...typed});
      const {draft, problem} = $form.get();
      expect(draft.from).to.equal(from);
      flip();
      return [problem?.code, problem?.field, touches];
    };
    expect(after(IDS[0], {amount: ''})).to.deep.equal(['enter-amount', 'amount', 2]);
    expect(after(IDS[0], {})).to.deep.equal(['connect', 'account', 2]);
    expect(after('bitcoin_testnet:btc', {})).to.deep.equal(['enter-refund', 'refundAddress', 2]);
    expect(after('bitcoin_testnet:btc', {recipient: '0xabc'})).to.deep.equal(['checking-address', 'recipient', 2]);
    expect(after('bitcoin_testnet:btc', {refundAddress: 't'})).to.deep.equal(['checking-address', 'refundAddress', 2]);
  });

  it('is a form whose session requests nothing before it is configured', async () => {
    const {host, asked} = await openPreview();
    const session = createSession({adapters: {}, host});
    session.start();
    session.edit({amount: '0.0005'});
    session.review();
    session.openJournal();
    session.reset({keep: true});
    await host.pass(60_000);
    expect(asked()).to.deep.equal([]);
    expect([session.$view.get(), session.$form.get().quote.state]).to.deep.equal(['form', 'idle']);
  });

  it('keeps what was typed when the settings load, and then requests its price', async () => {
    const {draft, begin, host, config, asked} = await openPreview({amount: '5'});
    draft.edit({amount: '0.0005'});
    const session = begin();
    expect(session.$form.get().draft.amount).to.equal('0.0005');
    await settle();
    await host.pass(300);
    expect(asked().filter(entry => entry.startsWith('GET quote')).length).to.equal(1);
    const request = session.$form.get().request;
    // The request has nothing from the preview, which has no contract to check a payment against.
    expect('from' in request && request.from).to.equal(config.catalogue.find(IDS[0]));
  });

  it('accepts the page’s values, except for the field that was typed in', async () => {
    const prefill = {from: OTHER_WBTC.id, to: WBTC.id, amount: '7', recipient: RECIPIENT};
    for (const open of [openUndrawn, openPreview]) {
      const {draft, begin} = await open(prefill);
      draft.edit({amount: '0.5'});
      const session = begin();
      expect(session.$form.get().draft).to.deep.equal({...prefill, amount: '0.5', receive: '', refundAddress: ''});
    }
  });

  it('restores the rest of the last visit if only the amount was typed', async () => {
    const last = await openUndrawn();
    last.begin().edit({from: OTHER_WBTC.id, to: WBTC.id, amount: '3', recipient: RECIPIENT});
    const wanted = {from: OTHER_WBTC.id, to: WBTC.id, amount: '0.5', recipient: RECIPIENT};
    const open = () => createSession({adapters: {}, host: last.host});
    const session = open();
    session.edit({amount: '0.5'});
    session.configure(last.config);
    expect(session.$form.get().draft).to.deep.include(wanted);
    const next = open();
    next.configure(last.config);
    expect(next.$form.get().draft).to.deep.include(wanted);
  });

  it('keeps a swapped pair, and restores no address of the last visit for it', async () => {
    const prefill = {from: WBTC.id, to: OTHER_WBTC.id};
    const last = await openUndrawn(prefill);
    last.begin().edit({recipient: RECIPIENT});
    const draft = createDraft();
    draft.preview(preview(prefill));
    draft.flip();
    const session = createSession({adapters: {}, host: last.host, draft});
    session.configure(last.config);
    expect(session.$form.get().draft).to.deep.include({from: OTHER_WBTC.id, to: WBTC.id, recipient: ''});
  });
});
