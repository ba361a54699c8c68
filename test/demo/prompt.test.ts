import {expect, nextFrame} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import {showPrompt, type Prompt} from '../../demo/wallets/prompt.js';
import {waitUntil} from '../support/limits.js';

const PROMPT: Prompt = {
  wallet: 'Harbor',
  origin: location.host,
  kind: 'send',
  title: 'Send 0.1 ETH',
  text: 'To another address.',
  facts: [{label: 'To', value: '0x00000000000000000000000000000000000000AA', exact: true}],
};

describe('the development wallet’s prompt', () => {
  const host = () => document.querySelector('[data-development-wallet]');
  const dialog = () => host()?.shadowRoot?.querySelector('dialog') ?? undefined;
  const button = (label: string) =>
    [...(dialog()?.querySelectorAll('button') ?? [])].find(({textContent}) => textContent === label)!;

  async function open(change: Partial<Prompt> = {}) {
    const answer = showPrompt({...PROMPT, ...change});
    await nextFrame();
    return {answer};
  }

  it('names the wallet and the page, and shows the request field by field', async () => {
    const {answer} = await open();
    const {wallet, origin, title, text, facts} = PROMPT;
    for (const part of [wallet, origin, title, text, facts[0]!.label, facts[0]!.value]) {
      expect(dialog()?.textContent).to.contain(part);
    }
    button('Reject').click();
    expect(await answer).to.be.false;
  });

  for (const scheme of ['light', 'dark']) {
    it(`is accessible when it is ${scheme}`, async () => {
      document.documentElement.style.colorScheme = scheme;
      const {answer} = await open();
      await expect(host()).to.be.accessible();
      button('Approve').click();
      expect(await answer).to.be.true;
      document.documentElement.style.colorScheme = '';
    });
  }

  it('can be used by keyboard, and returns the focus', async () => {
    const opener = document.createElement('button');
    document.body.append(opener);
    opener.focus();
    const {answer} = await open();
    expect(host()?.shadowRoot?.activeElement?.textContent).to.equal('Approve');
    await sendKeys({press: 'Enter'});
    expect(await answer).to.be.true;
    await waitUntil(() => document.activeElement === opener);
    opener.remove();
  });

  it('ignores a key that is still held down, and rejects on Escape', async () => {
    const {answer} = await open();
    const held = new KeyboardEvent('keydown', {key: 'Enter', repeat: true, bubbles: true, cancelable: true});
    expect(button('Approve').dispatchEvent(held)).to.be.false;
    await sendKeys({press: 'Escape'});
    expect(await answer).to.be.false;
    expect(dialog()).to.equal(undefined);
  });
});
