import {expect} from '../support/expect.js';
import {previewOf} from '../../src/domain/known/preview.js';
import {createSwapSession, type FormSettings} from '../../src/session/session.js';
import {openSession, settle} from '../support/session.js';

const IDS = ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc'] as const;

/** What a page of two well-known assets can be drawn from at once. */
function preview(prefill: FormSettings['prefill'] = {}): FormSettings {
  const catalogue = previewOf(IDS);
  if (!catalogue) throw new Error('These are not well known.');
  return {catalogue, prefill, paused: false};
}

/** A session that was only given what its form is drawn from, and the settings that come later. */
async function openPreview(prefill: FormSettings['prefill'] = {}) {
  const page = await openSession();
  const config = page.session.$config.get();
  if (!config) throw new Error('It was not configured.');
  const asked = page.world.log.length;
  const session = createSwapSession({adapters: {evm: () => Promise.resolve(page.world.adapter)}, host: page.host});
  session.preview(preview(prefill));
  session.start();
  return {...page, session, config: {...config, prefill}, asked: () => page.world.log.slice(asked)};
}

describe('a form that is drawn before its settings are read', () => {
  it('shows the pair, and takes an amount', async () => {
    const {session} = await openPreview();
    expect([session.$draft.get().from, session.$draft.get().to]).to.deep.equal([...IDS]);
    expect(session.$problem.get()).to.deep.include({code: 'enter-amount'});
    session.edit({amount: '0,1'});
    expect(session.$draft.get().amount).to.equal('0.1');
  });

  it('asks for nothing, and lets nothing be reviewed', async () => {
    const {session, host, asked} = await openPreview({amount: '0.1', recipient: '0xabc'});
    session.review();
    session.openJournal();
    await host.pass(60_000);
    await settle();
    expect(asked()).to.deep.equal([]);
    expect([session.$view.get(), session.$quote.get().state]).to.deep.equal(['form', 'idle']);
  });

  it('keeps what was typed when the settings come, and asks for its price then', async () => {
    const {session, host, config, asked} = await openPreview({amount: '5'});
    session.edit({amount: '0.0005'});
    session.configure(config);
    expect(session.$draft.get().amount).to.equal('0.0005');
    await settle();
    await host.pass(300);
    expect(asked().filter(entry => entry.startsWith('GET quote')).length).to.equal(1);
    const request = session.$request.get();
    // Nothing of the first drawing is in what is asked for: it knows no contract to check a payment against.
    expect('from' in request && request.from).to.equal(config.catalogue.find(IDS[0]));
  });

  it('is drawn no more from what came first once there are settings', async () => {
    const {session, config} = await openPreview();
    session.configure(config);
    session.preview(preview({amount: '7'}));
    expect(session.$form.get()).to.equal(config);
    expect(session.$draft.get().amount).to.equal('');
  });
});
