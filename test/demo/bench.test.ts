import {expect, nextFrame} from '@open-wc/testing';
import {runBench} from '../../demo/bench.js';
import type {Sandbox, SandboxState} from '../../demo/wallets/sandbox.js';

describe('the playground’s chains', () => {
  let places: HTMLElement;
  let mined: string[];
  let finish: () => void;

  before(async () => {
    places = document.createElement('main');
    for (const id of ['notice', 'trouble', 'wallets', 'chains']) {
      const place = document.createElement('div');
      place.id = id;
      places.append(place);
    }
    document.body.append(places);
    const state = {
      appId: 'a'.repeat(64),
      chains: {bitcoin_testnet: {family: 'bitcoin', height: 7, blockSeconds: 600, assets: {}}},
      clock: {speed: 0},
    } as unknown as SandboxState;
    mined = [];
    const sandbox = {
      read: () => Promise.resolve(state),
      mine(chain: string, blocks: number) {
        mined.push(`${chain} ${String(blocks)}`);
        return new Promise<void>(resolve => (finish = resolve));
      },
    } as unknown as Sandbox;
    await runBench(sandbox, state, []);
  });
  after(() => {
    places.remove();
  });

  it('keep the focus on “Mine” while a block is mined, and mine once', async () => {
    const button = places.querySelector<HTMLButtonElement>('[aria-label="Mine a block on Bitcoin Testnet"]')!;
    button.focus();
    button.click();
    button.click();
    await nextFrame();
    expect(button.ariaDisabled).to.equal('true');
    expect(document.activeElement).to.equal(button);
    finish();
    await nextFrame();
    expect(button.ariaDisabled).to.be.null;
    expect(document.activeElement).to.equal(button);
    expect(mined).to.deep.equal(['bitcoin_testnet 1']);
    await expect(places).to.be.accessible();
  });
});
