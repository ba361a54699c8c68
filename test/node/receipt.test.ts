/** Receipts of real swaps, saved by their payers, and verified on the sandbox's chains once the service is gone. */
import {deepEqual, equal, ok, rejects} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'puppeteer-core';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import type {AssetId} from '../../src/domain/asset.js';
import type {SwapError} from '../../src/domain/error.js';
import {RECEIPT_VERSION, writeReceipt} from '../../src/domain/receipt-file.js';
import {verifyReceipt, type ChainOptions, type ReceiptLine, type VerifiedReceipt} from '../../src/server.js';
import {axeViolations, openBrowser, type TestBrowser} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {openNodeWorld, type NodeSwap, type NodeWorld} from '../support/node-session.js';
import {sharedLines, throughLanguages} from '../support/page-languages.js';
import {shownIn} from '../support/shown.js';

type Json = Record<string, unknown>;

/** A receipt as its payer saved it. */
interface Saved {
  readonly from: AssetId;
  readonly to: AssetId;
  readonly end: 'complete' | 'refunded';
  readonly text: string;
  /** Real transactions on both chains, unrelated to the swap. */
  readonly given: NodeSwap['given'];
}

const SWAPS: readonly [from: AssetId, to: AssetId, amount: string, end: Saved['end']][] = [
  ['base_sepolia:wbtc', 'bitcoin_testnet:btc', '0.001', 'complete'],
  ['bitcoin_testnet:btc', 'solana_testnet:sol', '0.001', 'complete'],
  ['solana_testnet:sol', 'starknet_sepolia:wbtc', '0.5', 'complete'],
  ['starknet_sepolia:wbtc', 'base_sepolia:wbtc', '0.001', 'complete'],
  ['ethereum_sepolia:wbtc', 'base_sepolia:wbtc', '0.001', 'complete'],
  ['base_sepolia:usdc', 'solana_testnet:sol', '50', 'refunded'],
];

/** The payer's saved receipt, made as by the widget's button. */
function save({session}: NodeSwap): string {
  const {placedAt, deal, story} = shownIn(session) ?? {};
  if (!deal || !story?.order || placedAt === undefined) throw new Error('There is nothing to save.');
  const {agreed, deposit} = deal;
  return writeReceipt({
    order: story.order,
    own: {placedAt, agreed, deposit},
    money: story,
    from: agreed.from,
    to: agreed.to,
  });
}

const titleOf = ({from, to, end}: Pick<Saved, 'from' | 'to' | 'end'>) => `from ${from} to ${to}, ${end}`;
const shortOf = ({field, says, shows, certainty, reason}: ReceiptLine) =>
  [field, certainty, reason, says, shows].join(' | ');

describe('a receipt verified by the chains alone', () => {
  let world: NodeWorld;
  const saved = new Map<string, Saved>();

  before(async () => {
    world = await openNodeWorld();
    for (const [from, to, amount, end] of SWAPS) {
      const swap = await world.begin({from, to, amount, gift: 1_000_000n});
      if (end === 'refunded') await swap.client.faults({solverGone: true});
      await swap.place();
      if (from.startsWith('bitcoin')) await swap.pay();
      if (end === 'refunded') {
        await swap.until('settling', 'confirming', 'deposit-seen');
        await swap.client.control('expire', {orderId: swap.orderId});
        await swap.until('refunding');
        await swap.session.refund();
      }
      await swap.until(end);
      await world.mine(to.split(':')[0] ?? '', 1);
      // Until the widget itself has seen everything, in a block.
      await swap.when(() => {
        const {paidIn, paidOut, paidBack} = shownIn(swap.session)?.story ?? {};
        const out = end === 'complete' ? paidOut : paidBack;
        return paidIn?.event?.block !== undefined && out?.event?.block !== undefined;
      }, 'it never was in a block');
      saved.set(titleOf({from, to, end}), {from, to, end, text: save(swap), given: swap.given});
      swap.end();
    }
    await world.closeService();
    await rejects(fetch(world.url));
  });
  after(() => world.close());

  function optionsOf(): ChainOptions {
    const {assets, chains} = settingsOf(world.state);
    return {
      chains: Object.fromEntries(Object.entries(chains).map(([name, {rpc: _, ...chain}]) => [name, chain])),
      assets: assets.flatMap(asset => (typeof asset === 'string' ? [] : [asset])),
      rpc: Object.fromEntries(
        Object.entries(chains).flatMap(([name, {rpc}]) => (rpc === undefined ? [] : [[name, rpc] as const])),
      ),
    };
  }

  const verify = (text: string, more: Partial<ChainOptions> = {}) => verifyReceipt(text, {...optionsOf(), ...more});

  for (const [from, to, , end] of SWAPS) {
    describe(titleOf({from, to, end}), () => {
      const receipt = () => saved.get(titleOf({from, to, end})) as Saved;

      it('is proved on every line that a chain can prove', async () => {
        const {lines, verdict, stage, paidIn, paidOut, paidBack} = await verify(receipt().text);
        const others = lines.filter(({certainty}) => certainty !== 'proved');
        deepEqual(others.filter(({field}) => !isOwnWord(field, receipt())).map(shortOf), []);
        ok(others.every(({reason}) => reason === 'own-word'));
        deepEqual([verdict, stage, paidIn.certainty], ['proved', end, 'proved']);
        equal((end === 'complete' ? paidOut : paidBack).certainty, 'proved');
      });

      it('has one line for each of its fields, and no other', async () => {
        const {lines} = await verify(receipt().text);
        deepEqual(
          lines.map(({field}) => field).sort(),
          leavesOf(JSON.parse(receipt().text) as Json)
            .filter(field => field !== 'swapReceipt')
            .sort(),
        );
      });

      it('reports every changed or missing field, a term that a contract recorded without any other', async () => {
        const {text, given} = receipt();
        const unnoticed: string[] = [];
        for (const field of leavesOf(JSON.parse(text) as Json)) {
          for (const [how, value] of lies(field, text, given, [...saved.values()])) {
            const said = await answerTo(field, changed(text, field, value));
            const isNamed =
              said === 'rejected' ||
              said === 'denied alone' ||
              (said === 'denied' && !isRecorded(field, receipt())) ||
              (said === 'told' && mayBeTold(field, how, receipt()));
            if (!isNamed) unnoticed.push(`${field}, ${how}: ${said}`);
          }
        }
        deepEqual(unnoticed, []);
      });

      it('is its author’s word without an RPC, and waits while reading fails', async () => {
        const none = await verify(receipt().text, {rpc: {}});
        deepEqual([none.verdict, none.lines.filter(({certainty}) => certainty !== 'told')], ['told', []]);
        const rpc = Object.fromEntries(Object.keys(optionsOf().rpc).map(chain => [chain, 'http://127.0.0.1:9']));
        const dead = await verify(receipt().text, {rpc});
        deepEqual([dead.verdict, dead.lines.some(({certainty}) => certainty === 'proved')], ['waiting', false]);
      });
    });
  }

  it('shows the recorded term, and does not prove the money with a different payment', async () => {
    const {text} = [...saved.values()][0] as Saved;
    const {lines, paidIn, verdict} = await verify(changed(text, 'source.timelock', 9));
    deepEqual(
      lines.filter(({certainty}) => certainty === 'denied'),
      [{field: 'source.timelock', says: '9', shows: '300', certainty: 'denied', reason: 'differs'}],
    );
    deepEqual([verdict, paidIn.certainty], ['denied', 'denied']);
    // Without the payment's transaction there is nothing to compare with.
    const bare = JSON.parse(changed(text, 'source.timelock', 9)) as {source: Json};
    delete bare.source['paid'];
    const together = (await verify(JSON.stringify(bare))).lines.filter(({reason}) => reason === 'no-such-swap');
    ok(together.length > 4, String(together.length));
  });

  describe('on its page', () => {
    let browser: TestBrowser;
    let server: RunningServer;
    before(async () => {
      const page = readFileSync(join(DIST, 'receipt.html'), 'utf8');
      // Its policy allows no injected script, not even axe: under `/open` it has no policy.
      const open = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
      server = await serve(
        ({url}, response) => response.setHeader('content-type', 'text/html').end(url === '/open' ? open : page),
        0,
      );
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await server.close();
    });
    afterEach(() => browser.closePages());

    const first = () => [...saved.values()][0] as Saved;

    /** Fills in the page by keyboard: the receipt, the required RPCs, and what it cannot know about these chains. */
    async function check(page: Page, text: string, nodes = true): Promise<string> {
      const {rpc, ...more} = optionsOf();
      const fill = (selector: string, value: string) =>
        page.$eval(
          selector,
          (field, typed) => {
            (field as HTMLTextAreaElement).value = typed;
            field.dispatchEvent(new Event('input', {bubbles: true}));
          },
          value,
        );
      await fill('#more', JSON.stringify(more));
      await fill('#text', text);
      for (const name of [first().from, first().to].map(asset => asset.split(':')[0] ?? '')) {
        await fill(`#node-${name}`, '');
        await page.focus(`#node-${name}`);
        if (nodes) await page.keyboard.type(rpc[name] as string);
      }
      await page.keyboard.press('Enter');
      await page.waitForSelector('button:not(:disabled)');
      await page.waitForSelector('.result', {visible: true});
      return page.evaluate(() => document.activeElement?.className ?? '');
    }

    const marksOf = (page: Page) =>
      page.$$eval('.lines dl > div', rows =>
        rows.map(row => [row.querySelector('dt')?.textContent, row.querySelector('.mark')?.textContent].join(': ')),
      );

    it('is proved using only the keyboard, with the typed RPCs, which it lists', async () => {
      const {page, errors, violations} = await browser.openPage(server.url);
      const asked = new Set<string>();
      page.on('request', request => asked.add(new URL(request.url()).origin));
      equal(await check(page, first().text), 'result proved');
      const {rpc} = optionsOf();
      const nodes = [first().from, first().to].map(asset => rpc[asset.split(':')[0] ?? ''] as string);
      deepEqual([...asked].sort(), nodes.map(node => new URL(node).origin).sort());
      const said = await page.$eval('.result', result => (result as HTMLElement).innerText);
      ok(said.startsWith('Proved') && nodes.every(node => said.includes(node)), said);
      const marks = await marksOf(page);
      deepEqual(
        marks.filter(mark => !mark.endsWith('✓ Proved')),
        ['Placed: Told', 'At least: Told'],
      );
      equal(marks.length, (await verify(first().text)).lines.length);
      deepEqual([await violations(), errors], [[], []]);
    });

    it('reports what is false, what was not checked, and what is not a receipt', async () => {
      const {page} = await browser.openPage(server.url);
      const more = String(BigInt(String(at(JSON.parse(first().text) as Json, 'destination.redeemed.amount'))) + 1n);
      equal(await check(page, changed(first().text, 'destination.redeemed.amount', more)), 'result denied');
      deepEqual(
        (await marksOf(page)).filter(mark => mark.endsWith('Denied')),
        ['Received: ✕ Denied'],
      );
      equal(await check(page, first().text, false), 'result told');
      deepEqual(
        (await marksOf(page)).filter(mark => !mark.endsWith('Told')),
        [],
      );
      await page.$eval('#text', field => {
        (field as HTMLTextAreaElement).value = '{"swapReceipt": 2}';
        field.dispatchEvent(new Event('input', {bubbles: true}));
      });
      const said = await page.$eval('.result', result => (result as HTMLElement).innerText);
      ok(said.includes('It was written by another version'), said);
    });

    it('has all languages, each with its own number format', async () => {
      const {page} = await browser.openPage(`${server.url}/open`);
      const amount = at(JSON.parse(first().text) as Json, 'destination.redeemed.amount');
      const more = changed(first().text, 'destination.redeemed.amount', String(BigInt(String(amount)) + 1n));
      for (const [name, text, nodes] of [
        ['denied', more, true],
        ['told', first().text, false],
      ] as const) {
        await check(page, text, nodes);
        const shown = await throughLanguages(page, `receipt-${name}`);
        for (const [language, texts] of shown) {
          if (language !== 'en') deepEqual(sharedLines(texts, shown.get('en')), [], language);
          const sign = /^(?:de|es|fr|pt|tr)$/.test(language) ? ',' : '.';
          ok(texts.text.includes(`0${sign}001 WBTC`), `${language}: ${texts.text}`);
        }
      }
      await page.select('#language', 'ar');
      deepEqual(await axeViolations(page), []);
    });

    for (const scheme of ['light', 'dark'] as const) {
      it(`is accessible and fits at any width, in ${scheme}`, async () => {
        const {page} = await browser.openPage(`${server.url}/open`);
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        const file = JSON.parse(first().text) as Json;
        const texts = {proved: first().text, denied: changed(JSON.stringify(file), 'source.timelock', 9)};
        for (const [name, text] of Object.entries(texts)) {
          await check(page, text);
          for (const width of [320, 400, 900]) {
            await page.setViewport({width, height: 800});
            const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            equal(isWide, false, `${name} at ${String(width)} is wider than the window`);
            const folder = process.env['PICTURES'];
            if (folder)
              await page.screenshot({path: `${folder}/${name}-${scheme}-${String(width)}.png`, fullPage: true});
          }
        }
        deepEqual(await axeViolations(page), []);
      });
    }
  });

  /** The result for a receipt with another value in one field: how that field is reported. */
  async function answerTo(field: string, text: string): Promise<string> {
    let answer: VerifiedReceipt;
    try {
      answer = await verify(text);
    } catch (error) {
      const {code, field: named = '', detail = ''} = error as SwapError;
      // An asset that is unknown, on another kind of network, or has other addresses is reported by its name.
      const isNamed = named === field || named === 'assets' || (field.endsWith('.asset') && detail.includes(field));
      return isNamed ? 'rejected' : `${code} names “${named}”`;
    }
    const line = answer.lines.find(each => each.field === field || each.field.startsWith(`${field}.`));
    if (!line) return 'no line';
    if (answer.lines.filter(({certainty}) => certainty === 'denied').length === 1 && line.certainty === 'denied')
      return 'denied alone';
    return line.certainty === 'told' && answer.verdict === 'proved' && line.reason !== 'own-word'
      ? 'proved in all'
      : line.certainty;
  }
});

/* -- false receipts ------------------------------------------------------------------------------------------------ */

/** Every field of a file, by its path. */
function leavesOf(value: Json, path = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? leavesOf(inner as Json, `${path}${key}.`)
      : [`${path}${key}`],
  );
}

function at(file: Json, field: string): unknown {
  return field.split('.').reduce<unknown>((value, key) => (value as Json)[key], file);
}

function changed(text: string, field: string, value: unknown): string {
  const file = JSON.parse(text) as Json;
  const keys = field.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce<Json>((inner, key) => inner[key] as Json, file);
  holder[last] = value;
  return JSON.stringify(file);
}

/** Other plausible values for a field: slightly wrong ones, and real ones from elsewhere. */
function lies(
  field: string,
  text: string,
  given: Saved['given'],
  others: readonly Saved[],
): readonly (readonly [how: string, value: unknown])[] {
  const file = JSON.parse(text) as Json;
  const value = at(file, field);
  const part = field.split('.').at(-1);
  const familyOf = (asset: unknown) => String(asset).replace('ethereum', 'base').split('_')[0];
  const side = field.startsWith('source') ? 'source' : 'destination';
  const elsewhere = others
    .filter(other => familyOf(valueIn(other, `${side}.asset`)) === familyOf(at(file, `${side}.asset`)))
    .map(other => valueIn(other, field))
    .find(other => other !== undefined && JSON.stringify(other) !== JSON.stringify(value));
  const real = elsewhere === undefined ? [] : ([['of another receipt', elsewhere]] as const);
  switch (part) {
    case 'swapReceipt':
      return [['another version', RECEIPT_VERSION + 1]];
    case 'placedAt':
      return [
        ['a day later', new Date(Date.parse(String(value)) + 24 * 3_600_000).toISOString()],
        ['a day earlier', new Date(Date.parse(String(value)) - 24 * 3_600_000).toISOString()],
      ];
    case 'asset':
      return [
        ['another asset there', `${String(value).split(':')[0] ?? ''}:usdt`],
        ['on another chain', value === 'base_sepolia:wbtc' ? 'ethereum_sepolia:wbtc' : 'base_sepolia:wbtc'],
        ['on a main network', 'ethereum:wbtc'],
      ];
    case 'timelock':
      return [
        ['one more', Number(value) + 1],
        ['one less', Number(value) - 1],
      ];
    case 'amount':
    case 'atLeast':
    case 'block':
      return [
        ['one more', String(BigInt(String(value)) + 1n)],
        ['one less', String(BigInt(String(value)) - 1n)],
        ['a hundred times as much', String(BigInt(String(value)) * 100n)],
      ];
    case 'hashes':
      return [
        ['a faucet’s', [field.startsWith('source') ? given.payer : given.recipient]],
        ['one more', [...(value as string[]), field.startsWith('source') ? given.payer : given.recipient]],
        ['none', []],
        ['off in one digit', (value as string[]).map(offByOne)],
        ...real,
      ];
    default:
      return [['off in one digit', offByOne(String(value))], ...real];
  }
}

const valueIn = ({text}: Saved, field: string): unknown => {
  try {
    return at(JSON.parse(text) as Json, field);
  } catch {
    return undefined;
  }
};

/** The same text with another digit in its middle. */
function offByOne(text: string): string {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === '2' ? '3' : '2'}${text.slice(middle + 1)}`;
}

/** Whether a lie in a field remains its author's word: the chains neither record nor deny it. */
function mayBeTold(field: string, how: string, saved: Saved): boolean {
  if (isOwnWord(field, saved)) return true;
  // A contract that is unknown here, or an asset with other contracts: nothing is read there.
  if (/[.](?:contract|asset)$/.test(field)) return true;
  // It did pay the recipient, but nothing ties it to this swap.
  if (field === 'destination.redeemed.hashes') return how === 'a faucet’s';
  // Anybody can send more to an address at any time.
  const isByAddress = (field.startsWith('source') ? saved.from : saved.to).startsWith('bitcoin');
  return isByAddress && /[.](?:amount|hashes)$/.test(field) && (how === 'one less' || how === 'none');
}

/** Whether a contract recorded a term, so that only this term is denied. */
function isRecorded(field: string, saved: Saved): boolean {
  const [side, term = ''] = field.split('.');
  if (field === 'secretHash') return true;
  const isByAddress = String(valueIn(saved, `${side ?? ''}.asset`)).startsWith('bitcoin');
  const isPaid = valueIn(saved, `${side ?? ''}.paid`) !== undefined;
  return (
    isPaid && !isByAddress && /^(?:initiator|redeemer|timelock|amount)$/.test(term) && field.split('.').length === 2
  );
}

/** Whether only the author says so, even in an honest receipt. */
function isOwnWord(field: string, {from, end}: Saved): boolean {
  if (field === 'placedAt' || field === 'atLeast') return true;
  // An address does not record who pays to it.
  if (field === 'source.initiator') return from.startsWith('bitcoin') && end === 'complete';
  // Nobody paid into it.
  return end === 'refunded' && (field === 'recipient' || field.startsWith('destination.'));
}
