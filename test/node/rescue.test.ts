/**
 * `rescue.html` with real payments on the sandbox's chains: there is no payout, the service and the paying page are
 * gone, and another browser with empty storage gets the money back.
 */
import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {AssetId, ChainFamily} from '../../src/domain/asset.js';
import {axeViolations, browserForTests, serverForTests, type OpenPage} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {scaled} from '../support/limits.js';
import {openNodeWorld, type NodeSwap, type NodeWorld} from '../support/node-session.js';
import {chainName} from '../support/parties.js';
import {sharedLines, throughLanguages} from '../support/page-languages.js';
import {walletScript, type PageWallet} from '../support/page-wallets.js';

type Fields = Record<string, unknown>;

const FAMILIES = {
  evm: {from: 'base_sepolia:wbtc', to: 'starknet_sepolia:wbtc', amount: '0.01', fee: 0n},
  solana: {from: 'solana_testnet:sol', to: 'base_sepolia:wbtc', amount: '5', fee: 5_000n},
  'solana token': {from: 'solana_testnet:usdc', to: 'base_sepolia:wbtc', amount: '500', fee: 0n},
  starknet: {from: 'starknet_sepolia:wbtc', to: 'base_sepolia:wbtc', amount: '0.01', fee: 0n},
} as const satisfies Readonly<Record<string, {from: AssetId; to: AssetId; amount: string; fee: bigint}>>;
type Family = keyof typeof FAMILIES;
const isSolana = (family: Family) => family.startsWith('solana');
const familyOf = (family: Family) => family.split(' ')[0] as ChainFamily;

let world: NodeWorld;
const browser = browserForTests();
const server = serverForTests((_, response) =>
  response.setHeader('content-type', 'text/html').end(readFileSync(join(DIST, 'rescue.html'))),
);
before(async () => {
  world = await openNodeWorld();
});
after(() => world.close());

interface Paid {
  readonly swap: NodeSwap;
  readonly file: Fields;
  /** The file, saved before the wallet paid. */
  readonly early: Fields;
  readonly wallet: PageWallet;
  /** The payer's balance after the payment. */
  readonly left: bigint;
  balance(): Promise<bigint>;
  expire(): Promise<unknown>;
}

/** Pays for a swap without a payout, saves its rescue file, and closes the tab for good. */
async function pay(family: Family): Promise<Paid> {
  const {from, to, amount} = FAMILIES[family];
  let early: Fields = {};
  const swap = await world.begin({
    from,
    to,
    amount,
    answers: async ({kind}) => {
      if (kind !== 'connect') early = JSON.parse(await swap.session.rescueFile(swap.orderId)) as Fields;
      return true;
    },
  });
  await swap.client.faults({solverGone: true});
  await swap.place();
  await swap.until('settling');
  const file = JSON.parse(await swap.session.rescueFile(swap.orderId)) as Fields;
  const {orderId, client, payer} = swap;
  swap.end();
  const balance = () => world.balance(from, payer.account);
  return {
    swap,
    file,
    early,
    wallet: {family: familyOf(family), name: 'Rescuer', seedPhrase: swap.seedOf('payer')},
    left: await balance(),
    balance,
    expire: () => client.expire(orderId),
  };
}

/** A person who uses the page in a new browser profile, where the service is unreachable. */
class RescuePage {
  readonly asked: string[] = [];
  private constructor(readonly opened: OpenPage) {}

  static async open(wallets: readonly PageWallet[] = [], hash = ''): Promise<RescuePage> {
    const opened = await browser.openPage('about:blank');
    const page = new RescuePage(opened);
    await opened.page.evaluateOnNewDocument(await walletScript(world.state, wallets));
    await opened.page.setRequestInterception(true);
    opened.page.on('request', request => {
      const url = request.url();
      page.asked.push(url);
      void (url.startsWith(world.url) ? request.abort() : request.continue());
    });
    await opened.page.goto(`${server.url}/${hash}`);
    await page.says('Take your money back');
    return page;
  }

  text(): Promise<string> {
    return this.opened.page.evaluate(() => document.body.innerText);
  }

  async says(text: string): Promise<void> {
    await this.opened.page
      .waitForFunction((wanted: string) => document.body.innerText.includes(wanted), {timeout: scaled(20_000)}, text)
      .catch(async () => {
        throw new Error(`It does not say “${text}”, but:\n${await this.text()}\n${this.opened.errors.join('\n')}`);
      });
  }

  async press(label: string): Promise<void> {
    await this.says(label);
    await this.opened.page.evaluate((wanted: string) => {
      const button = [...document.querySelectorAll('button')].find(one => one.textContent.trim().startsWith(wanted));
      if (!button || button.disabled) throw new Error(`“${wanted}” cannot be pressed`);
      button.click();
    }, label);
  }

  async hasButton(label: string): Promise<boolean> {
    return this.opened.page.evaluate(
      (wanted: string) =>
        [...document.querySelectorAll('button')].some(
          one => one.textContent.trim().startsWith(wanted) && !one.disabled,
        ),
      label,
    );
  }

  async fill(id: string, value: string): Promise<void> {
    await this.opened.page.waitForSelector(`#${id}`);
    await this.opened.page.evaluate(
      (field: string, text: string) => {
        const input = document.getElementById(field) as HTMLInputElement;
        input.value = text;
        input.dispatchEvent(new Event('input', {bubbles: true}));
        input.dispatchEvent(new Event('change', {bubbles: true}));
      },
      id,
      value,
    );
  }

  async openFile(file: unknown): Promise<void> {
    const input = await this.opened.page.waitForSelector('#file');
    await this.opened.page.evaluate(
      (element, text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'rescue.json', {type: 'application/json'}));
        const field = element as HTMLInputElement;
        field.files = transfer.files;
        field.dispatchEvent(new Event('change', {bubbles: true}));
      },
      input,
      JSON.stringify(file),
    );
  }

  /** Types the end of the contract's address, if the page does not know the contract. */
  async confirmContract(contract: string): Promise<void> {
    await this.fill('typed', contract.slice(-6));
  }

  async prompts(): Promise<{kind: string; title: string; facts: {label: string; value: string}[]}[]> {
    const all = await this.opened.page.evaluate(
      () => (globalThis as unknown as {prompts: {kind: string; title: string; facts: []}[]}).prompts,
    );
    return all.filter(({kind}) => kind !== 'connect');
  }

  async expectAccessible(): Promise<void> {
    const {page} = this.opened;
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      deepEqual(await axeViolations(page), [], scheme);
    }
  }

  /** The page in its current state, in all languages. */
  async expectLanguages(): Promise<void> {
    const shown = await throughLanguages(this.opened.page);
    for (const [language, texts] of shown)
      if (language !== 'en') deepEqual(sharedLines(texts, shown.get('en')), [], language);
  }

  async expectClean(allowed: readonly string[]): Promise<void> {
    deepEqual(await this.opened.violations(), []);
    const others = this.asked.filter(
      url => !url.startsWith('data:') && ![server.url, ...allowed].some(one => url.startsWith(one)),
    );
    deepEqual(others, [], 'it asked somebody else');
  }
}

const rpcOf = (asset: string) => world.chainOf(asset).rpc;

for (const family of Object.keys(FAMILIES) as Family[]) {
  describe(`The rescue page, ${family}`, () => {
    const {from, amount, fee} = FAMILIES[family];
    const chain = chainName(from);

    it('refunds a payment from a file saved before it was paid, without the service, the tab or the storage', async () => {
      const paid = await pay(family);
      const {hash: _hash, ...rest} = paid.file;
      deepEqual(paid.early, rest, 'before the payment all but its transaction is in the file');
      const page = await RescuePage.open([paid.wallet]);
      await page.openFile(paid.early);
      await page.says('What the file says');
      deepEqual(page.asked.filter(url => !url.startsWith('data:')).length, 1, 'it asks nobody before it is told to');
      await page.press('Check the network');
      await page.says('You can’t take it back yet');
      if (family === 'evm') await page.expectLanguages();
      equal(await page.hasButton('Take your money back'), false);
      await paid.expire();
      await page.press('Check the network');
      await page.says('3. Take it back');
      await page.press('Connect Rescuer');
      if (!isSolana(family)) {
        await page.says('This page doesn’t know the contract');
        equal(await page.hasButton('Take your money back'), false, 'before its address was compared');
        await page.confirmContract(String(paid.file['contract']));
      }
      await page.expectAccessible();
      if (family === 'evm') await page.expectLanguages();
      await page.press('Take your money back');
      await page.says('It was paid back.');
      await page.expectAccessible();
      const back = (await paid.balance()) - paid.left;
      const unit = 10n ** BigInt(paid.file['decimals'] as number);
      const whole = BigInt(Math.round(Number(amount) * 1000)) * (unit / 1000n);
      ok(back >= whole - fee, `${String(back)} came back`);
      const prompts = await page.prompts();
      deepEqual(
        prompts.map(({kind}) => kind),
        ['send'],
        JSON.stringify(prompts),
      );
      await page.expectClean([rpcOf(from)]);
      // Nothing is left to refund twice.
      await page.press('Check the network');
      await page.says('It was paid back. There’s nothing left to do.');
      equal(await page.hasButton('Take your money back'), false);
    });

    it('refunds only the payer, whoever signs and whichever field of the file is false', async () => {
      const paid = await pay(family);
      const thief = await world.begin(FAMILIES[family]);
      await paid.expire();
      const stranger = thief.payer.account;
      const lies: Fields = {
        contract: stranger,
        payer: stranger,
        redeemer: stranger,
        amount: '1',
        timelock: '1',
        secretHash: '00'.repeat(32),
        hash: String(paid.file['hash']).replace(/.$/, last => (last === '1' ? '2' : '1')),
        order: 'another',
        placed: '2001-01-01T00:00:00Z',
        symbol: 'MILLION',
        decimals: 0,
        asset: `${chain}:million`,
        blockSeconds: 1,
        ...(family === 'evm' && {chainId: 1}),
        ...(family === 'solana token' && {token: stranger}),
        test: false,
      };
      const before = {payer: await paid.balance(), thief: await world.balance(from, stranger)};
      const page = await RescuePage.open([
        {family: familyOf(family), name: 'Thief', seedPhrase: thief.seedOf('payer')},
      ]);
      for (const [field, lie] of Object.entries(lies)) {
        await page.openFile({...paid.file, [field]: lie});
        await page.says('What the file says');
        await page.press('Check the network');
        await page.says('2. What the network shows');
        const text = await page.text();
        if (text.includes('No such payment')) continue;
        // The chain's values are shown, and differences from the file are reported.
        ok(text.includes(paid.swap.payer.account), `${field}: ${text}`);
        equal(text.includes('The file says something else'), field in TERMS, `${field}: ${text}`);
      }
      // The last lie goes to the end, signed by somebody else.
      await page.openFile({
        ...paid.file,
        ...Object.fromEntries(Object.entries(lies).filter(([name]) => name in TERMS)),
      });
      await page.press('Check the network');
      await page.says('The file says something else');
      await page.press('Connect Thief');
      if (!isSolana(family)) await page.confirmContract(String(paid.file['contract']));
      await page.press('Take your money back');
      await page.says('It was paid back.');
      const gain = (await world.balance(from, stranger)) - before.thief;
      ok(gain <= 0n, `the thief gained ${String(gain)}`);
      ok((await paid.balance()) > before.payer, 'the payer got nothing');
      thief.end();
    });

    it('reports that the payment was redeemed', async () => {
      const {from, to, amount} = FAMILIES[family];
      const swap = await world.begin({from, to, amount});
      await swap.place();
      await swap.until('complete');
      const file = JSON.parse(await swap.session.rescueFile(swap.orderId)) as Fields;
      swap.end();
      const page = await RescuePage.open();
      await page.openFile(file);
      await page.press('Check the network');
      await page.says('It was taken with the secret');
      equal(await page.hasButton('Take your money back'), false);
    });
  });
}

const TERMS = {contract: 1, payer: 1, redeemer: 1, amount: 1, timelock: 1, secretHash: 1, token: 1};

describe('The rescue page', () => {
  it('does not let the payer’s account sign for an unknown program', async () => {
    const paid = await pay('solana');
    await paid.expire();
    const page = await RescuePage.open([paid.wallet]);
    await page.openFile({...paid.file, contract: paid.swap.payer.account});
    // A chain unknown to the catalogue, which therefore has no program for it.
    await page.openFile({...paid.file, chain: 'my_solana', asset: 'my_solana:sol'});
    await page.press('Check the network');
    await page.says('This page doesn’t know the contract');
    await page.press('Connect Rescuer');
    await page.confirmContract(String(paid.file['contract']));
    await page.says('Not with this account');
    equal(await page.hasButton('Take your money back'), false);
    deepEqual(await page.prompts(), []);
  });

  it('explains who has the keys of a Bitcoin payment, and what to send them', async () => {
    const swap = await world.begin({from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc', amount: '0.01'});
    await swap.client.control('faults', {appId: swap.client.appId, solverGone: true});
    await swap.place();
    await swap.until('awaiting-deposit');
    const early = JSON.parse(await swap.session.rescueFile(swap.orderId)) as Fields;
    await swap.pay();
    await swap.until('settling');
    const file = JSON.parse(await swap.session.rescueFile(swap.orderId)) as Fields;
    const {hash: _hash, ...rest} = file;
    deepEqual(early, rest, 'before the payment all but its transaction is in the file');
    swap.end();
    const page = await RescuePage.open();
    await page.openFile(file);
    await page.says('Both keys to this address are the swap service’s');
    for (const field of ['service', 'order', 'address', 'payer', 'hash'])
      ok((await page.text()).includes(String(file[field])), field);
    await page.press('Check the network');
    await page.says('The address holds 0.01 BTC');
    await page.expectLanguages();
    equal(await page.hasButton('Take your money back'), false);
  });

  it('reports the faults of a file, and does not open an unknown one', async () => {
    const page = await RescuePage.open();
    await page.openFile({rescue: 1, contract: '0x', to: '0x'});
    await page.says('This file can’t be used.');
    for (const field of ['contract', 'to', 'amount']) ok((await page.text()).includes(field), field);
    await page.openFile({rescue: 2});
    await page.says('It was written by another version');
    await page.openFile('hello');
    await page.says('It isn’t a backup file');
    equal(await page.hasButton('Check the network'), false);
    await page.expectAccessible();
  });

  it('has the visitor’s language, or the one in its URL, and keeps a chosen one', async () => {
    const page = await RescuePage.open();
    const {page: tab} = page.opened;
    const now = () => tab.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.title]);
    await tab.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, 'languages', {value: ['nl', 'zh-TW', 'de-AT']});
    });
    await tab.reload();
    deepEqual(await now(), ['zh-Hans', 'ltr', '取回您的资金']);
    await tab.goto(`${server.url}/?lang=ar-EG`);
    deepEqual(await now(), ['ar', 'rtl', 'استعادة أموالك']);
    await page.expectAccessible();
    await tab.select('#language', 'de');
    await tab.reload();
    deepEqual(await now(), ['de', 'ltr', 'Geld zurückholen']);
    await tab.goto(`${server.url}/?lang=nonsense_%F0`);
    equal((await now())[0], 'zh-Hans');
  });

  it('can be used by keyboard alone', async () => {
    const page = await RescuePage.open();
    const {keyboard} = page.opened.page;
    const focused = () =>
      page.opened.page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent.trim());
    const seen: (string | undefined)[] = [];
    for (let presses = 0; presses < 3; presses++) {
      await keyboard.press('Tab');
      seen.push(await focused());
    }
    await keyboard.press('Enter');
    for (let presses = 0; presses < 4; presses++) {
      await keyboard.press('Tab');
      seen.push(await focused());
    }
    deepEqual(seen, ['language', 'Backup file', 'Transaction', 'chain', 'hash', 'rpc', 'Check the network']);
  });
});

describe('The rescue page, once the service has ended', () => {
  it('refunds payments on every family with only their transactions’ hashes', async () => {
    const payments = new Map<Family, Paid>();
    for (const family of Object.keys(FAMILIES) as Family[]) payments.set(family, await pay(family));
    // Later blocks of one chain end another payment's time to be refunded by its owner alone.
    for (const paid of payments.values()) await paid.expire();
    await world.closeService();
    for (const [family, paid] of payments) {
      const {from} = FAMILIES[family];
      match(String(paid.file['hash']), /^\w{20,}$/);
      const page = await RescuePage.open([paid.wallet]);
      await page.press('Transaction');
      await page.fill('chain', chainName(from));
      await page.fill('hash', String(paid.file['hash']));
      await page.fill('rpc', rpcOf(from));
      await page.press('Check the network');
      await page.says('The contract holds');
      ok((await page.text()).includes(paid.swap.payer.account), 'it does not say to whom it goes');
      await page.press('Connect Rescuer');
      if (!isSolana(family)) await page.confirmContract(String(paid.file['contract']));
      await page.press('Take your money back');
      await page.says('It was paid back.');
      ok((await paid.balance()) > paid.left);
      await page.expectClean([rpcOf(from)]);
    }
  });
});
