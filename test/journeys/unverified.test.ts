/** A swap with a service of the specification alone, whose contracts and scripts the widget does not know. */
import {expect} from '@open-wc/testing';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {expectNoAddress} from '../support/page.js';
import {minimalService} from '../support/sandbox.js';

const CROSSING = {from: 'base_sepolia:wbtc', to: 'solana_testnet:sol'} as const;
const BY_ADDRESS = {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc'} as const;
const PAY = /^Pay anyway$/;
const SHOW = /^Show the address anyway$/;

afterEach(endCrossings);

/** Places an order at a service of the specification alone. */
async function placeAtMinimal(settings: CrossingSettings): Promise<Crossing> {
  const {url: service} = await minimalService('plain');
  const crossing = await beginCrossing({...settings, service});
  await crossing.place();
  return crossing;
}

/** The question is on the screen, and no wallet was asked for anything that moves money. */
async function expectQuestion(crossing: Crossing) {
  await crossing.untilSays('This swap couldn’t be fully verified');
  const {page} = crossing;
  expect(page.find('.stake')?.textContent.trim()).to.match(/^0\.01\s/);
  expect(page.primary).to.equal('Go back');
  crossing.expectPrompts(0);
  expect(crossing.walletRequests()).to.deep.equal([]);
}

describe('A payment that is not fully verified', () => {
  it('is asked about before the approval, again after a reload, paid after the yes, and followed to its end', async () => {
    const crossing = await placeAtMinimal(CROSSING);
    await expectQuestion(crossing);
    await crossing.expectAccessible();
    await crossing.reload();
    await expectQuestion(crossing);
    await crossing.press(PAY);
    await crossing.expectSwapped();
    expect(crossing.walletRequests()).to.deep.equal(['approve sent', 'sign signed', 'initiate sent']);
    expect(crossing.orderIds).to.have.length(1);
    expect(crossing.errors.map(({code}) => code)).to.deep.equal([]);
    await crossing.expectAccessible();
  });

  it('has its address nowhere on the page before the yes, and is paid to it after', async () => {
    const crossing = await placeAtMinimal(BY_ADDRESS);
    await expectQuestion(crossing);
    const {source_swap: source} = await crossing.read();
    expectNoAddress(crossing.page, String(source['swap_id']));
    await crossing.press(SHOW);
    const shown = await crossing.untilAddress();
    expect(shown).to.deep.equal({address: String(source['swap_id']), amount: crossing.amount});
    await crossing.send();
    await crossing.untilSeen();
    await crossing.mine(2);
    await crossing.expectSwapped();
  });
});
