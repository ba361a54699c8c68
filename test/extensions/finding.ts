/** The page on which a wallet extension is tested, and the extension's entries in the widget's lists there. */
import type {Page} from 'puppeteer-core';
import type {SandboxState} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {SandboxClient} from '../sandbox/client.js';
import {Visitor} from '../support/visitor.js';
import type {ExtensionBrowser} from './browser.js';
import {scaled} from '../support/limits.js';

export interface Place {
  /** The page with the widget; its query has the assets. */
  readonly page: string;
  /** The origin of the service and the sandbox's controls. */
  readonly origin: string;
  readonly state: SandboxState;
  /** A folder for screenshots of every window after a failed step. */
  readonly pictures?: string | undefined;
}

/** The asset paid with for each family, the asset to receive, and the amount. */
export const PAIRS: Readonly<Record<ChainFamily, {from: string; to: string; amount: string}>> = {
  bitcoin: {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc', amount: '0.001'},
  evm: {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', amount: '0.01'},
  solana: {from: 'solana_testnet:sol', to: 'base_sepolia:wbtc', amount: '1'},
  starknet: {from: 'starknet_sepolia:wbtc', to: 'base_sepolia:wbtc', amount: '0.01'},
};
const FAMILIES = Object.keys(PAIRS) as ChainFamily[];
export const NOBODY = '0x000000000000000000000000000000000000dEaD';
const LISTED = 'swap-widget >>> swap-widget-wallet-picker >>> button.wallet';

export const addressOf = ({page}: Place, family: ChainFamily) => {
  const {from, to} = PAIRS[family];
  return `${page}?${String(new URLSearchParams({from, to}))}`;
};

/** The wallets in the widget's list, and whether each icon is shown. */
export async function listed(page: Page): Promise<{name: string; hasPicture: boolean}[]> {
  await page.waitForSelector(LISTED, {timeout: scaled(5_000), visible: true}).catch(() => null);
  // A broken icon is replaced with a letter as soon as it is known to be broken.
  await new Promise(resolve => setTimeout(resolve, 500));
  const entries = await page.$$(LISTED);
  return Promise.all(
    entries.map(entry =>
      entry.evaluate(button => ({
        name: (button.querySelector('strong') ?? (button as HTMLElement)).innerText.replace(/\s+/g, ' ').trim(),
        hasPicture: [...button.querySelectorAll('img')].some(({naturalWidth}) => naturalWidth > 0),
      })),
    ),
  );
}

/** Most open their own window once they are installed. A page behind it is not rendered. */
export async function settle(browser: ExtensionBrowser): Promise<void> {
  await pause(scaled(3_000) * browser.ids.length);
  await closeAll(browser);
}

async function closeAll({ids, windowsOf}: ExtensionBrowser): Promise<void> {
  for (const id of ids) for (const window of await windowsOf(id)) await window.close().catch(() => undefined);
}

/** Opens the list of each family's wallets; returns their names, by family. */
export async function findAll(place: Place, browser: ExtensionBrowser): Promise<ReadonlyMap<ChainFamily, string[]>> {
  const found = new Map<ChainFamily, string[]>();
  await settle(browser);
  for (const family of FAMILIES) {
    const page = await browser.openPage(addressOf(place, family));
    const visitor = new Visitor(page, new SandboxClient(place.origin, place.state.appId));
    await closeAll(browser);
    await page.bringToFront();
    await visitor.amount();
    await visitor.press('Connect a wallet to pay from');
    const wallets = await listed(page);
    found.set(
      family,
      wallets.map(({name, hasPicture}) => (hasPicture ? name : `${name} (no picture)`)),
    );
    await page.close();
  }
  return found;
}

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
