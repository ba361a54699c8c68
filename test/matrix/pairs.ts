/**
 * Every ordered pair of the five documented assets, by every way that its source can be paid, from an empty form to the
 * balances on both chains; each way that asks a wallet once more with a first answer of no.
 */
import {waitUntil} from '@open-wc/testing';
import {createSandbox, settingsOf, type SandboxChain, type SandboxState} from '../../demo/wallets/sandbox.js';
import {createWallet, readBalances, type DevelopmentWallet} from '../../demo/wallets/index.js';
import type {Gate} from '../../demo/wallets/gate.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {parseAmount} from '../../src/domain/amount.js';
import {SandboxClient} from '../sandbox/client.js';
import {openWidget, type WidgetPage} from '../support/page.js';
import {sandbox} from '../support/sandbox.js';

const ASSETS = [
  'bitcoin_testnet:btc',
  'ethereum_sepolia:wbtc',
  'base_sepolia:wbtc',
  'solana_testnet:sol',
  'starknet_sepolia:wbtc',
] as const;
type Asset = (typeof ASSETS)[number];

/** What is swapped, in whole units. */
const AMOUNTS: Readonly<Record<Asset, string>> = {
  'bitcoin_testnet:btc': '0.01',
  'ethereum_sepolia:wbtc': '0.01',
  'base_sepolia:wbtc': '0.01',
  'solana_testnet:sol': '5',
  'starknet_sepolia:wbtc': '0.01',
};

/** A way to pay: what it is called, what the widget or the service is told for it, and whether a wallet is asked. */
interface Way {
  readonly name: string;
  /** Nobody is connected: the address is paid from a wallet that the page knows nothing of. */
  readonly unconnected?: boolean;
  readonly faults?: Readonly<Record<string, unknown>>;
  /** Whether the widget is told where the chain can be read. */
  readonly withoutRpc?: boolean;
}

const WAYS: Readonly<Record<ChainFamily, readonly Way[]>> = {
  bitcoin: [{name: 'address', unconnected: true}, {name: 'wallet'}],
  evm: [{name: 'signature'}, {name: 'transaction', faults: {noTypedData: true}}],
  // With a node that can be asked, the widget sends what was signed; without, the wallet does.
  solana: [{name: 'sign'}, {name: 'sign and send', withoutRpc: true}],
  starknet: [{name: 'signature'}, {name: 'transaction', faults: {noTypedData: true}}],
};

const PATIENCE = {timeout: 30_000, interval: 20};
let runs = 0;

describe('matrix', function () {
  this.timeout(90_000);
  let state: SandboxState;

  before(async () => {
    state = await createSandbox(sandbox.url).read();
  });

  afterEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  for (const from of ASSETS) {
    for (const to of ASSETS) {
      if (from === to) continue;
      for (const way of WAYS[familyOf(from)]) {
        it(`${from} -> ${to}  ${way.name}`, () => swap(from, to, way, false));
        if (!way.unconnected) it(`${from} -> ${to}  ${way.name}, after a no`, () => swap(from, to, way, true));
      }
    }
  }

  async function swap(from: Asset, to: Asset, way: Way, refuse: boolean): Promise<void> {
    const client = SandboxClient.forAppOfItsOwn(sandbox);
    const source = chainOf(from);
    const destination = chainOf(to);
    let noes = refuse ? 1 : 0;
    const gate: Gate = ({kind}) => Promise.resolve((kind !== 'sign' && kind !== 'send') || noes-- <= 0);
    const run = String(++runs);
    const settings = {id: `matrix${run}`, words: `matrix ${run} ${client.appId}`, state, gate};
    const payer = createWallet(source.family, {...settings, name: `Payer ${run}`});
    const receiver = createWallet(destination.family, {
      ...settings,
      name: `Receiver ${run}`,
      words: `to ${client.appId}`,
    });
    const amount = parseAmount(AMOUNTS[from], source.assets[from]?.decimals ?? 0) as bigint;

    try {
      await client.control('faucet', {asset: from, address: payer.account, amount: String(amount * 3n)});
      if (source.family === 'evm') await give(client, `${nameOf(from)}:eth`, payer.account, 10n ** 18n);
      if (source.family === 'bitcoin') await client.control('mine', {chain: nameOf(from), blocks: 1});
      if (way.faults) await client.faults(way.faults);
      const before = {payer: await balance(from, payer.account), receiver: await balance(to, receiver.account)};

      const page = await openWidget({'base-url': client.url, 'app-id': client.appId, from, to, ...widgetSettings(way)});
      page.widget.style.setProperty('--swap-speed', '0');
      if (source.family === 'bitcoin') await page.typeRefundAddress(payer.account);
      else await connect(page, `Payer ${run}`);
      await page.typeRecipient(receiver.account);
      await page.typeAmount(AMOUNTS[from]);
      await press(page, /^Review swap$/);
      await press(page, /^Place swap$/);
      await pay(page, payer, way, `Payer ${run}`, refuse);
      await settle(page, client, source);

      const {order} = page.widget;
      if (!order) throw new Error('the widget shows no order');
      const received = (await balance(to, receiver.account)) - before.receiver;
      equal(received, order.destination.amount, 'what the recipient got');
      equal(order.source.amount, amount, 'what was agreed to be paid');
      const paid = before.payer - (await balance(from, payer.account));
      // Whoever pays in a chain's own coin pays its fee from the same purse, and on Solana the rent of an account.
      const isCoin = source.assets[from]?.token === undefined;
      if (isCoin ? paid < amount || paid > amount + amount / 20n : paid !== amount) {
        throw new Error(`the payer gave ${String(paid)} for ${String(amount)}`);
      }
      if (noes > 0) throw new Error('nobody was asked for the answer of no');
    } finally {
      payer.withdraw();
      receiver.withdraw();
    }
  }

  function chainOf(asset: Asset): SandboxChain {
    const chain = state.chains[nameOf(asset)];
    if (!chain) throw new Error(`the sandbox has no ${asset}`);
    return chain;
  }

  async function balance(asset: Asset, account: string): Promise<bigint> {
    const all = await readBalances(chainOf(asset), account);
    return all.find(each => each.asset === asset)?.amount ?? 0n;
  }

  function widgetSettings({withoutRpc}: Way) {
    const {assets, chains} = settingsOf(state);
    if (!withoutRpc) return {assets, chains};
    return {
      assets,
      chains: Object.fromEntries(Object.entries(chains).map(([name, {rpc: _rpc, ...chain}]) => [name, chain])),
    };
  }
});

async function give(client: SandboxClient, asset: string, address: string, amount: bigint): Promise<void> {
  await client.control('faucet', {asset, address, amount: String(amount)});
}

async function connect(page: WidgetPage, name: string): Promise<void> {
  await page.press('Connect a wallet to pay from');
  await choose(page, name);
  await until(page, () => page.button('Change the wallet you pay from'), 'the wallet was never connected');
}

async function choose(page: WidgetPage, name: string): Promise<void> {
  const wallet = new RegExp(`^${name} `);
  await until(page, () => page.button(wallet), 'the wallet was never offered');
  await page.press(wallet);
}

/** Presses the button of the next step as soon as it says this and can be pressed. */
async function press(page: WidgetPage, label: RegExp): Promise<void> {
  await until(page, () => label.test(page.primary) && page.canGoOn, `the next step never was ${String(label)}`);
  page.primaryButton?.click();
  await page.settled();
}

/** Pays the order that was placed, and says no the first time where that is wanted. */
async function pay(page: WidgetPage, payer: DevelopmentWallet, way: Way, name: string, refuse: boolean): Promise<void> {
  if ('bumpFee' in payer) {
    await until(page, () => page.button('Pay from a wallet'), 'the address was never shown');
    if (way.unconnected) {
      const {address, amount} = readLink(page);
      await payer.send(address, amount);
      return;
    }
    await page.press('Pay from a wallet');
    await choose(page, name);
    await pressBeside(page, new RegExp(`^Pay in ${name}$`));
  }
  if (!refuse) return;
  await until(page, () => page.notes.some(note => note.includes('You said no')), 'no word of the no');
  if ('bumpFee' in payer) await pressBeside(page, new RegExp(`^Pay in ${name}$`));
  else await press(page, /^(?:Allow|Sign|Pay)/);
}

/** Presses a button beside the way. */
async function pressBeside(page: WidgetPage, label: RegExp): Promise<void> {
  await until(page, () => page.button(label), `${String(label)} was never offered`);
  await page.press(label);
}

/** The address and the amount that the link to a wallet holds (BIP 21). */
function readLink(page: WidgetPage): {address: string; amount: bigint} {
  const link = page.find<HTMLAnchorElement>('a[part="primary"]')?.getAttribute('href') ?? '';
  const [, address, text] = /^bitcoin:([a-z0-9]+)\?amount=([\d.]+)$/i.exec(link) ?? [];
  const amount = parseAmount(text ?? '', 8);
  if (address === undefined || typeof amount === 'string') throw new Error(`“${link}” is no link to a payment`);
  return {address, amount};
}

/** Mines what a chain without a clock needs, until the swap has come to its end. */
async function settle(page: WidgetPage, client: SandboxClient, {family}: SandboxChain): Promise<void> {
  if (family === 'bitcoin') {
    await until(page, () => page.stage === 'deposit-seen', 'the payment was never seen');
    await client.control('mine', {chain: 'bitcoin_testnet', blocks: 2});
  }
  await until(page, () => page.stage === 'complete', 'it never was complete');
}

async function until(page: WidgetPage, isSo: () => unknown, what: string): Promise<void> {
  try {
    await waitUntil(isSo, what, PATIENCE);
  } catch (cause) {
    throw new Error(`${what}. It is ${page.stage} and says: ${page.text}`, {cause});
  }
  await page.settled();
}

function equal(found: bigint, wanted: bigint, what: string) {
  if (found !== wanted) throw new Error(`${what}: ${String(found)} for ${String(wanted)}`);
}

function familyOf(asset: Asset): ChainFamily {
  const chain = nameOf(asset);
  if (chain === 'bitcoin_testnet') return 'bitcoin';
  if (chain === 'solana_testnet') return 'solana';
  return chain === 'starknet_sepolia' ? 'starknet' : 'evm';
}

function nameOf(asset: string): string {
  return asset.slice(0, asset.indexOf(':'));
}
