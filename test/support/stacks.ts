/** A page with its own wallet library (`demo/embed/wallets`, `demo/embed/kits`): a whole visit, in its own dialog. */
import {deepEqual, equal} from 'node:assert/strict';
import {setTimeout as pause} from 'node:timers/promises';
import type {DevelopmentPerson} from '../../demo/wallets/index.js';
import {createSandbox} from '../../demo/wallets/sandbox.js';
import type {SandboxClient} from '../sandbox/client.js';
import type {OpenPage} from './browser.js';
import type {HTTPRequest} from 'puppeteer-core';
import {scaled} from './limits.js';
import {Visitor} from './visitor.js';

export interface Stack {
  readonly family: 'bitcoin' | 'evm' | 'solana' | 'starknet';
  readonly choose: readonly string[];
  readonly returns?: boolean;
  /** The path from `window` of a wallet that the library supports; Harbor's wallet replaces it. */
  readonly inPlaceOf?: string;
  readonly logs?: RegExp;
  readonly disconnect?: readonly string[];
}

const TIMEOUT = {timeout: scaled(30_000)};
const AMOUNTS = {bitcoin: '0.001', evm: '0.01', solana: '1', starknet: '0.01'};
const NOBODY = '0x000000000000000000000000000000000000dEaD';
/** Not the one that the pages pay on. */
const OTHER_EVM_CHAIN = 11_155_111;
const EVM_CHAIN = 84_532;

/** Connects, swaps, changes account and network in the wallet, and disconnects; returns what was seen. */
export async function visitStack(
  {family, choose, returns = false, inPlaceOf = '', logs, disconnect = ['#disconnect']}: Stack,
  {page, errors}: OpenPage,
  url: string,
  client: SandboxClient,
): Promise<string> {
  const visitor = new Visitor(page, client);
  const harbor = <Result>(act: (wallet: DevelopmentPerson['wallets']['evm'], value: string) => Result, value = '') =>
    // A function of the test, as text.
    page.evaluate(`(async () => {
      const {harbor} = await import(${JSON.stringify(`${client.url}/wallets/page.js`)});
      return (${act.toString()})(harbor.wallets[${JSON.stringify(family)}], ${JSON.stringify(value)});
    })()`) as Promise<Awaited<Result>>;
  const approveAll = () =>
    harbor(wallet => {
      wallet.approver = () => Promise.resolve(true);
    });
  const press = async (selectors: readonly string[]) => {
    for (const selector of selectors) {
      const button = await page.waitForSelector(selector, {timeout: scaled(30_000), visible: true});
      // Animated windows move under the pointer.
      await button!.evaluate(element => (element as HTMLElement).click());
    }
  };

  /** Waits until page and widget show no account, or the end of this address. */
  const says = async (address: string | undefined) => {
    const end = address?.slice(-8).toLowerCase();
    try {
      await page.waitForFunction(
        end => {
          const own = document.querySelector('#account')?.textContent?.toLowerCase() ?? '';
          return end === undefined ? own === 'no wallet' : own.includes(end);
        },
        TIMEOUT,
        end,
      );
    } catch (cause) {
      const own = await page.$eval('#account', ({textContent}) => textContent);
      throw new Error(`The page says “${own}” and not “…${String(end)}”.`, {cause});
    }
    if (address === undefined) {
      await visitor.button('Connect a wallet to pay from');
      return;
    }
    const field = await page.waitForSelector('swap-widget >>> swap-widget-address-field[side=pay]', {
      timeout: scaled(30_000),
    });
    try {
      await page.waitForFunction(
        (field, end) => {
          // The text is cut in the middle.
          const shown = field!.shadowRoot!.querySelector<HTMLElement>('.account[title], input')?.title;
          return shown?.toLowerCase().endsWith(end!);
        },
        TIMEOUT,
        field,
        end,
      );
    } catch (cause) {
      const shown = await field!.evaluate(({shadowRoot}) => shadowRoot?.textContent?.replace(/\s+/g, ' '));
      throw new Error(`The widget says “${String(shown)}” and not “…${String(end)}”.`, {cause});
    }
  };
  /** Announces the wallets, as an extension does before the page's own scripts run. */
  const announced = () =>
    page.evaluate(
      async (url, place) => {
        await import(url);
        const [outer = '', inner = ''] = place.split('.');
        const all = globalThis as unknown as Record<string, unknown>;
        if (inner) all[outer] = {[inner]: all['DevelopmentWallet_harbor']};
      },
      `${client.url}/wallets/page.js`,
      inPlaceOf,
    );
  const answer = async (request: HTTPRequest) => {
    const {hostname, pathname} = new URL(request.url());
    // Nothing here reaches beyond this machine: fonts and the like are served empty.
    if (hostname && hostname !== '127.0.0.1') return request.respond({status: 200, contentType: 'text/css', body: ''});
    if (/-page-[^/]*\.js$/.test(pathname)) await announced();
    return request.continue();
  };
  const noList = async () =>
    equal(await page.$('swap-widget >>> swap-widget-wallet-picker'), null, 'the widget opened its own list');

  await page.setRequestInterception(true);
  page.on('request', request => void answer(request));
  await page.goto(url);
  await visitor.amount();
  await visitor.press('Connect a wallet to pay from');
  await press(choose);
  await visitor.answer(/^Show your address/, 'Approve');
  const [first = '', second = ''] = await harbor(wallet => wallet.accounts);
  await says(first);
  await noList();

  if (family === 'evm') {
    await harbor((wallet, id) => wallet.useChain(Number(id)), String(OTHER_EVM_CHAIN));
    await page.waitForFunction(
      id => document.querySelector('#account')?.textContent?.includes(id),
      TIMEOUT,
      `on ${String(OTHER_EVM_CHAIN)}`,
    );
    await says(first);
  }
  await approveAll();
  await visitor.place(AMOUNTS[family], family === 'evm' ? undefined : NOBODY);
  if (family === 'bitcoin') {
    await visitor.press('Pay with Harbor');
    await visitor.until('deposit-seen');
    await createSandbox(client.url).mine('bitcoin_testnet', 2);
  }
  await visitor.until('complete');
  const order = await visitor.order();
  const said = await page.$eval('output', output => output.textContent);
  equal(said?.trim(), `Received: order ${String(order['order_id'])}`);
  if (family === 'evm') {
    await page.waitForFunction(
      id => document.querySelector('#account')?.textContent?.includes(id),
      TIMEOUT,
      `on ${String(EVM_CHAIN)}`,
    );
  }

  await visitor.press('New swap');
  await says(first);
  await harbor((wallet, address) => wallet.useAccount(address), second);
  await says(second);

  if (returns) {
    await visitor.reload();
    await visitor.amount();
    await says(second);
  }

  await press(disconnect);
  await says(undefined);
  await approveAll();
  // Pressed in the same moment, web3-onboard was seen to connect without opening its window.
  await pause(1_000);
  await visitor.press('Connect a wallet to pay from');
  await press(choose);
  await says(second);
  await harbor(wallet => {
    try {
      wallet.forget();
    } catch {
      // A listener of the page threw: starknet.js (8.9.2) reads the first account even if there is none.
    }
  });
  await says(undefined);
  await noList();
  deepEqual(
    errors.filter(error => !logs?.test(error)),
    [],
  );
  return `order placed, account${family === 'evm' ? ' and network' : ''} followed${returns ? ', back after a reload' : ''}, disconnected`;
}

const DIALOG = '#wallets > button ::-p-text(Harbor)';

export const LIBRARIES: Readonly<Record<string, Stack>> = {
  wagmi: {family: 'evm', choose: [DIALOG], returns: true},
  viem: {family: 'evm', choose: [DIALOG]},
  'web3-onboard': {
    family: 'evm',
    choose: ['>>> .wallet-button-container ::-p-text(Harbor)'],
    returns: true,
    // It looks up ENS names at its own choice of node.
    logs: /https:\/\/rpc\.sepolia\.org|^ContractFunctionExecutionError/,
  },
  solana: {
    family: 'solana',
    choose: ['.wallet-adapter-modal-list ::-p-text(Harbor)'],
    returns: true,
    logs: /^WalletDisconnectedError/,
  },
  'starknet-react': {family: 'starknet', choose: [DIALOG], returns: true},
  'get-starknet': {family: 'starknet', choose: ['>>> ::-p-text(Harbor)']},
  // Its window lists only the wallets that it supports.
  'sats-connect': {
    family: 'bitcoin',
    choose: ['>>> ::-p-text(Xverse)'],
    inPlaceOf: 'XverseProviders.BitcoinProvider',
  },
  wbip004: {family: 'bitcoin', choose: [DIALOG]},
};

export const RAINBOWKIT: Readonly<Record<string, Stack>> = {
  rainbowkit: {family: 'evm', choose: ['[data-testid^="rk-wallet-option"] ::-p-text(Harbor)'], returns: true},
};
