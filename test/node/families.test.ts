/** The built package with every chain family: swaps from and to each on a partner's page, under its strict policy. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {Keypair} from '@solana/web3.js';
import type {Page} from 'puppeteer-core';
import {createSandbox, type SandboxState} from '../../demo/wallets/sandbox.js';
import {SandboxClient} from '../sandbox/client.js';
import {browserForTests} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {chunksOf, sourcesOf} from '../support/dist.js';
import {newAddress} from '../support/evm-key.js';
import {holds} from '../support/limits.js';
import {balanceOf} from '../support/parties.js';
import {Visitor} from '../support/visitor.js';

const BASE = 'WBTC, Base Sepolia';
const ETHEREUM = 'WBTC, Ethereum Sepolia';
const SOLANA = 'SOL, Solana Devnet';
const STARKNET = 'WBTC, Starknet Sepolia';
const BITCOIN = 'BTC, Bitcoin Testnet';

const IDS: Readonly<Record<string, string>> = {
  [BASE]: 'base_sepolia:wbtc',
  [ETHEREUM]: 'ethereum_sepolia:wbtc',
  [SOLANA]: 'solana_testnet:sol',
  [STARKNET]: 'starknet_sepolia:wbtc',
  [BITCOIN]: 'bitcoin_testnet:btc',
};

const STRANGERS: Readonly<Record<string, () => string>> = {
  [BASE]: () => newAddress(),
  [SOLANA]: () => Keypair.generate().publicKey.toBase58(),
  [STARKNET]: () => `0x00${randomBytes(31).toString('hex')}`,
};

const OTHERS =
  /^src\/chains\/(?:bitcoin|solana|starknet)\/|^node_modules\/(?:sats-connect|@sats-connect|starknet|@starknet-io|@solana|@wallet-standard)\//;

/** Globals that libraries for Node add to a page. */
const NODE_GLOBALS = ['Buffer', 'process', 'global', 'setImmediate', 'require', 'module'];

function watchForm() {
  const seen = {framesWithForm: 0};
  Object.assign(globalThis, seen);
  const look = () => {
    const form = document.querySelector('swap-widget')?.shadowRoot?.querySelector('swap-widget-form-view');
    if (form?.shadowRoot?.querySelector('button')?.checkVisibility({visibilityProperty: true}))
      (globalThis as unknown as typeof seen).framesWithForm++;
    requestAnimationFrame(look);
  };
  look();
}

describe('the built package with every family', () => {
  let demo: RunningDemo;
  const browser = browserForTests();
  before(async () => {
    demo = await startDemo(9400);
  });
  after(() => demo.close());

  async function visit() {
    const {origin} = new URL(demo.page);
    const sandbox = createSandbox(origin);
    const state = await sandbox.read();
    const client = new SandboxClient(origin, state.appId);
    const opened = await browser.openPage(demo.partner);
    const {page} = opened;
    const scripts = async () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({name}) => new URL(name).pathname)
          .filter(path => path.startsWith('/dist/') && path.endsWith('.js'))
          .map(path => path.slice('/dist/'.length)),
      );
    // The page is ready once its wallets are funded.
    await page.waitForFunction(() => {
      const widget = document.querySelector('swap-widget') as (Element & {assets?: readonly unknown[]}) | null;
      return widget?.assets?.length;
    });
    // The development wallets consist of many files.
    await page.evaluate(() => performance.setResourceTimingBufferSize(10_000));
    return {...opened, visitor: new Visitor(page, client), client, state, scripts};
  }
  type Visit = Awaited<ReturnType<typeof visit>>;

  const balance = (state: SandboxState, asset: string, account: string) => balanceOf(state, IDS[asset] ?? '', account);

  /**
   * Goes from the form to the order, and returns the recipient: a new address, or the payer's between EVM chains.
   */
  async function place({visitor}: Visit, from: string, to: string, amount: string): Promise<string> {
    await visitor.choose('You pay', BASE, from);
    await visitor.choose('You receive', ETHEREUM, to);
    if (from === BITCOIN) {
      await visitor.typeAddress(BITCOIN_REFUND, 'pay');
    } else {
      await visitor.connect();
    }
    const recipient = STRANGERS[to]?.();
    if (recipient !== undefined) await visitor.typeAddress(recipient);
    await visitor.type(amount);
    await visitor.press('Review swap');
    await visitor.press('Place swap');
    return recipient ?? '';
  }

  /** The swap is complete, the recipient has the agreed amount, and the page has no errors or violations. */
  async function complete({visitor, state, page, errors, violations}: Visit, to: string, recipient: string) {
    await visitor.until('complete');
    const {source_swap: source, destination_swap: destination} = await visitor.order();
    ok(BigInt(destination.amount) > 0n);
    // Some chains only show a balance once the block is closed.
    await holds(async () => (await balance(state, to, recipient)) > 0n, 10_000);
    equal(await balance(state, to, recipient), BigInt(destination.amount));
    deepEqual(await leftBehind(page), []);
    deepEqual(await violations(), []);
    deepEqual(errors, []);
    return {source, destination};
  }

  const leftBehind = (page: Page) =>
    page.evaluate(names => names.filter(name => Object.hasOwn(globalThis, name)), NODE_GLOBALS);

  it('swaps from Base without loading the other families', async () => {
    const visit_ = await visit();
    const {visitor, state} = visit_;
    await place(visit_, BASE, ETHEREUM, '0.01');
    await visitor.releaseToken();
    const {initiator} = (await visitor.order()).source_swap;
    const before = await balance(state, ETHEREUM, String(initiator));
    await visitor.answer(/^Pay 0\.01 WBTC by signature$/, 'Approve');
    await visitor.until('complete');
    const {destination_swap: destination} = await visitor.order();
    equal((await balance(state, ETHEREUM, String(initiator))) - before, BigInt(destination.amount));
    const scripts = await visit_.scripts();
    ok(
      scripts.some(file => sourcesOf(file).includes('src/chains/evm/dialect.ts')),
      'the loaded scripts are not recorded',
    );
    deepEqual(
      scripts.flatMap(file => sourcesOf(file).filter(source => OTHERS.test(source))),
      [],
    );
  });

  for (const [from, to, amount, units, prompts] of [
    [BASE, SOLANA, '0.01', 1_000_000n, [/^Pay 0\.01 WBTC by signature$/]],
    [SOLANA, STARKNET, '5', 5_000_000_000n, [/^Pay 5 SOL into a swap$/]],
    [STARKNET, BASE, '0.01', 1_000_000n, [/^Allow 0\.01 WBTC$/, /^Pay 1000000 units by signature$/]],
  ] as const) {
    it(`swaps from ${from} to ${to}, and loads no other family`, async () => {
      const visit_ = await visit();
      const {visitor} = visit_;
      const recipient = await place(visit_, from, to, amount);
      if (from === BASE) await visitor.releaseToken();
      for (const prompt of prompts) await visitor.answer(prompt, 'Approve');
      const {source} = await complete(visit_, to, recipient);
      equal(source.amount, String(units));
      const own = [from, to].filter(asset => asset !== BASE).map(asset => IDS[asset]!.split('_')[0]!);
      const loaded = (await visit_.scripts()).flatMap(sourcesOf).filter(file => /^src\/chains\/\w+\//.test(file));
      for (const family of own) ok(loaded.includes(`src/chains/${family}/${family}.ts`), family);
      const others = loaded.filter(file => OTHERS.test(file) && !own.includes(file.split('/')[2]!));
      deepEqual(others, []);
    });
  }

  it('swaps from Bitcoin by address, after a reload without an empty form, and without a wallet’s library', async () => {
    const visit_ = await visit();
    const {visitor, client, page} = visit_;
    const recipient = await place(visit_, BITCOIN, BASE, '0.01');
    await visitor.until('awaiting-deposit');
    await page.evaluateOnNewDocument(watchForm);
    await visitor.reload();
    const link = await page.waitForSelector('swap-widget >>> a[href^="bitcoin:"]', {visible: true});
    const [, address = '', amount = ''] = /^bitcoin:(\w+)\?amount=([\d.]+)$/.exec(
      await link!.evaluate(element => element.getAttribute('href') ?? ''),
    )!;
    equal(amount, '0.01');
    equal(await page.evaluate(() => (globalThis as {framesWithForm?: number}).framesWithForm), 0);
    await client.faucet('bitcoin_testnet:btc', address, 1_000_000n);
    await visitor.until('deposit-seen', 'confirming', 'settling', 'complete');
    await client.mine('bitcoin_testnet', 2);
    await complete(visit_, BASE, recipient);
    const sources = (await visit_.scripts()).flatMap(sourcesOf);
    ok(sources.includes('src/chains/bitcoin/check.ts'));
    deepEqual(
      sources.filter(source => source.includes('/sats-connect/')),
      [],
    );
  });

  it('swaps from Bitcoin by wallet, found by sats-connect', async () => {
    const visit_ = await visit();
    const {visitor, client} = visit_;
    const recipient = await place(visit_, BITCOIN, BASE, '0.01');
    await visitor.press('Connect a wallet to pay from');
    await visitor.chooseWallet();
    await visitor.pressInWallet('Pay with Harbor');
    await visitor.answer(/0\.01 BTC/, 'Approve');
    await visitor.until('deposit-seen', 'confirming', 'settling', 'complete');
    await client.mine('bitcoin_testnet', 2);
    await complete(visit_, BASE, recipient);
    ok((await visit_.scripts()).flatMap(sourcesOf).some(source => source.includes('/sats-connect/')));
  });

  it('adds no globals to a page when everything is loaded', async () => {
    const {page} = await browser.openPage(`${new URL(demo.page).origin}/dist/sri.json`);
    const files = chunksOf(source => source.startsWith('src/chains/'));
    ok(files.length >= 4);
    const added = await page.evaluate(
      async paths => {
        const before = new Set(Reflect.ownKeys(globalThis));
        for (const path of paths) await import(path);
        return Reflect.ownKeys(globalThis)
          .filter(key => !before.has(key))
          .map(String);
      },
      files.map(file => `/dist/${file}`),
    );
    // Lit and nanostores note there which versions and how many copies of them are loaded.
    deepEqual(
      added.filter(key => !/^(lit|reactive)\w+(Versions|Metadata)$|^nanostoresGlobal$/.test(key)),
      [],
    );
  });
});

/** A refund address on the test network, which is not used in these tests. */
const BITCOIN_REFUND = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
