/**
 * Connecting to a wallet on another device, as far as that works without the relay: the page's policy allows no foreign
 * style and no request out, so that the relay is unreachable from every machine.
 */
import {expect} from '@open-wc/testing';
import {createEvmWallet, type EvmWallet} from '../../demo/wallets/evm.js';
import type {Wallet} from '../../src/chains/adapter.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import '../../src/walletconnect.js';
import {scaled, waitUntil} from '../support/limits.js';
import {openWidget, type WidgetPage} from '../support/page.js';

const PROJECT = '0'.repeat(32);
const NODE = ['Buffer', 'global', 'process'];

/** All elements in the modal, however deep. */
function inModal(root: ParentNode = document.querySelector('w3m-modal')!.shadowRoot!): Element[] {
  return [...root.querySelectorAll('*')].flatMap(element => [
    element,
    ...(element.shadowRoot ? inModal(element.shadowRoot) : []),
  ]);
}

const isOpen = () => document.querySelector('w3m-modal')?.classList.contains('open') === true;
const entry = (name: string) =>
  inModal().find(
    element => element.localName === 'wui-list-wallet' && (element as Element & {name: string}).name === name,
  );

async function press(name: string) {
  await waitUntil(() => isOpen() && entry(name), `the modal never listed ${name}`, 30_000);
  (entry(name) as HTMLElement).click();
}

describe('A wallet on another device', function () {
  this.timeout(scaled(90_000)).bail(true);

  let wallet: EvmWallet;
  let page: WidgetPage;
  const asked: string[] = [];
  const namesBefore = NODE.map(name => Object.getOwnPropertyDescriptor(window, name));
  const namesOfNode = () => NODE.map(name => Object.getOwnPropertyDescriptor(window, name));

  before(() => {
    const policy = document.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = "style-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'none'";
    document.head.append(policy);
  });

  beforeEach(async () => {
    asked.length = 0;
    wallet = createEvmWallet({
      name: 'Harbor',
      rdns: 'test.swap-widget.harbor',
      privateKey: `0x${'5a'.repeat(32)}`,
      chains: [{chainId: 84532, rpc: `${location.origin}/nobody`, name: 'Base Sepolia'}],
      approver: ({kind}) => {
        asked.push(kind);
        return Promise.resolve(true);
      },
    });
    page = await openWidget({
      'base-url': location.origin,
      'walletconnect-project-id': PROJECT,
      from: 'base_sepolia:wbtc',
      to: 'ethereum_sepolia:wbtc',
    });
  });

  afterEach(() => {
    page.widget.remove();
    wallet.forget();
    wallet.withdraw();
    localStorage.clear();
  });

  const openList = async () => {
    await waitUntil(() => page.button('You pay: WBTC, Base Sepolia'), 'the assets were never known', 20_000);
    await page.press('Connect a wallet to pay from');
    await waitUntil(() => page.button(/^WalletConnect/), 'it was never offered', 20_000);

    await page.settled();
  };
  const openWindow = async () => {
    await openList();
    await page.press(/^WalletConnect/);
    await waitUntil(isOpen, 'it never opened', 60_000);
    await page.settled();
  };

  it('is only offered with a project id', () => {
    const names = (elsewhere?: {projectId: string; chains: []}) => {
      const found: Wallet[] = [];
      const search = new AbortController();
      createEvmAdapter().wallets.discover(each => found.push(each), {signal: search.signal, elsewhere});
      search.abort();
      return found.filter(({isElsewhere}) => isElsewhere).map(({name}) => name);
    };
    expect(names()).to.deep.equal([]);
    expect(names({projectId: PROJECT, chains: []})).to.deep.equal(['WalletConnect']);
  });

  it('is listed separately, without loading its library', async () => {
    await openList();
    expect(page.text).to.match(/Harbor Installed On another device WalletConnect Scan a code/);
    expect(customElements.get('w3m-modal'), 'it is loaded').to.equal(undefined);
    expect(namesOfNode()).to.deep.equal(namesBefore);
  });

  it('is chosen in its own window, the only one, which has its own colors and lists announced wallets', async () => {
    await openWindow();
    expect(page.find('[role="dialog"]'), 'the list stands beside it').to.equal(undefined);
    const root = getComputedStyle(document.documentElement);
    expect(root.getPropertyValue('--w3m-z-index').trim(), 'its styles are blocked').to.equal('2147483647');
    expect(root.getPropertyValue('--wui-color-fg-100').trim(), 'its colors are blocked').to.match(/^(#|rgb)/);
    const logIns = inModal().filter(({localName}) => /email|social|onramp/.test(localName));
    expect(
      logIns.filter(({shadowRoot}) => shadowRoot?.querySelector('*')),
      'a log-in by e-mail',
    ).to.deep.equal([]);
    expect(document.querySelector('iframe'), 'its frame').to.equal(null);

    await press('Harbor');
    await waitUntil(() => page.button(/^Change the wallet you pay from/), 'nothing was connected', 20_000);
    expect(asked).to.deep.equal(['connect']);
    expect(page.find(`bdi[title="${wallet.account}"]`), 'another account').to.be.ok;
    await waitUntil(() => !isOpen(), 'it stays open');
    expect(document.adoptedStyleSheets.length, 'styles for a window that is open').to.be.at.most(2);
    expect(namesOfNode(), 'names of Node are left behind').to.deep.equal(namesBefore);
    expect(page.find('swap-widget-wallet-picker')).to.equal(undefined);
  });

  it('is not connected if that window, shared by all widgets, is closed, and the list comes back', async () => {
    await openWindow();
    window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
    await waitUntil(() => page.notes.length, 'nothing was said', 20_000);
    expect(page.notes).to.deep.equal([
      'The wallet didn’t respond. You didn’t sign anything. Open it, or choose another one.',
    ]);
    expect(document.querySelectorAll('w3m-modal').length).to.equal(1);
    expect(namesOfNode()).to.deep.equal(namesBefore);
    await expect(page.widget).to.be.accessible();
  });

  it('is unreachable without the relay, and a message says so', async () => {
    await openWindow();
    await press('WalletConnect');
    await waitUntil(() => page.notes.length, 'nothing was said', 60_000);
    expect(page.notes).to.deep.equal([
      'This wallet can’t be reached. You didn’t sign anything. Check your connection, then try again.',
    ]);
    expect(isOpen()).to.equal(false);
    expect(namesOfNode()).to.deep.equal(namesBefore);
  });
});
