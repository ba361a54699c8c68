/**
 * The service of the playground's widget: the sandbox under `npm start`; otherwise the given service, or a mock service
 * in the page, only between test networks.
 */
import {ALL_KNOWN} from '../src/domain/known/all.js';
import type {SwapWidget} from '../src/index.js';
import type {InstalledTestService} from '../src/testing.js';
import type {Values} from './configuration.js';
import type {EventLog} from './events.js';
import type {AssetChoice} from './inputs.js';
import type {DevelopmentPerson} from './wallets/index.js';
import {settingsOf, TITLES, type FaultTable, type Sandbox, type SandboxState} from './wallets/sandbox.js';

export interface SandboxGround {
  readonly sandbox: Sandbox;
  readonly state: SandboxState;
  readonly table: FaultTable;
  /** Empty until they are announced. */
  people: readonly DevelopmentPerson[];
}

export interface Ground {
  /** The widget's settings, with those of the sandbox or the mock service as defaults. */
  under(values: Values): Values;
  hasService(values: Values): boolean;
  isMadeUp(): boolean;
  /**
   * Gives the widget a mock service in the page. It ends when a service is entered, or with real money. Its code loads
   * first: `isStillWanted` is called after that.
   */
  makeUp(isStillWanted?: () => boolean): Promise<void>;
}

/** When the mock service's orders are paid, and take their next step, in milliseconds. */
const PACE = {payAfter: 5_000, stepAfter: 3_000};

export async function openSandbox(sandbox: Sandbox): Promise<SandboxGround> {
  const [state, table] = await Promise.all([sandbox.read(), sandbox.readFaults()]);
  return {sandbox, state, table, people: []};
}

/** Announces the wallets of its people, whose code and keys the form does not wait for. */
export async function announcePeople(ground: SandboxGround): Promise<void> {
  const {createDevelopmentWallets} = await import('./wallets/index.js');
  const {harbor, field} = createDevelopmentWallets(ground.state);
  ground.people = [harbor, field];
}

export function createGround(widget: SwapWidget, log: EventLog, local: SandboxGround | undefined): Ground {
  let madeUp: InstalledTestService | undefined;
  let wallets: object | undefined;

  async function watchedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
    const {method, url} = new Request(...request);
    const {pathname, search} = new URL(url);
    try {
      const response = await (madeUp?.fetch ?? fetch)(...request);
      log.add('request', `${method} ${String(response.status)}`, {url: pathname + search});
      return response;
    } catch (error) {
      log.add('request', `${method} failed`, {url: pathname + search, error: String(error)});
      throw error;
    }
  }

  /** The wallets of a page that passes its own: Harbor’s, or the browser's. */
  function ownWallets(): object {
    if (local && !local.people.length) return {};
    const [harbor] = local?.people ?? [];
    wallets ??= harbor
      ? Object.fromEntries(
          Object.entries(harbor.wallets).flatMap(([family, wallet]: [string, object]) =>
            'provider' in wallet ? [[family, wallet.provider]] : [],
          ),
        )
      : {evm: (window as {ethereum?: object}).ethereum};
    return wallets;
  }

  /** A page's own reference price: here the first quote of a pair, for as long as the page is open. */
  const prices = new Map<string, string>();
  async function firstPrice(from: string, to: string): Promise<string | undefined> {
    const pair = `${from} ${to}`;
    // The offer is chosen once the quote has arrived.
    await Promise.resolve();
    const {quote} = widget;
    const isOfPair = quote?.source.asset === from && quote.destination.asset === to;
    if (isOfPair && !prices.has(pair)) {
      const price = Number(quote.destination.display) / Number(quote.source.display);
      if (price > 0) prices.set(pair, price.toFixed(18));
    }
    return prices.get(pair);
  }

  return {
    under({attributes, properties, ...values}) {
      const all = {attributes: new Map(attributes), properties: new Map(properties), ...values};
      if (attributes.has('base-url') || !isPlay(attributes)) {
        madeUp?.uninstall();
        madeUp = undefined;
      }
      if (properties.has('wallets')) all.properties.set('wallets', ownWallets());
      if (properties.has('referencePrice')) all.properties.set('referencePrice', firstPrice);
      if (properties.has('fetch')) all.properties.set('fetch', watchedFetch);
      else if (madeUp) all.properties.set('fetch', madeUp.fetch);
      if (madeUp) all.attributes.set('base-url', madeUp.baseUrl);
      if (!local || attributes.has('base-url')) return all;
      const own = settingsOf(local.state);
      const wanted = String(attributes.get('assets') ?? '').split(/[\s,]+/);
      const isWanted = (id: string) => wanted.includes(id) || wanted.includes(`${id.split(':')[0] ?? ''}:*`);
      all.attributes.set('base-url', local.sandbox.origin);
      if (!attributes.has('app-id')) all.attributes.set('app-id', local.state.appId);
      all.attributes.delete('assets');
      all.properties.set('assets', attributes.has('assets') ? own.assets.filter(({id}) => isWanted(id)) : own.assets);
      all.properties.set('chains', {...own.chains, ...(properties.get('chains') as object | undefined)});
      return all;
    },
    hasService: ({attributes}) => local !== undefined || madeUp !== undefined || attributes.has('base-url'),
    isMadeUp: () => madeUp !== undefined,
    async makeUp(isStillWanted = () => true) {
      const {installTestService} = await import('../src/testing.js');
      // A service may have been entered meanwhile.
      if (isStillWanted())
        madeUp ??= installTestService(widget, {...PACE, notice: 'Mock service: all answers are made up.'});
    },
  };
}

/** Whether the swap has no real value: both assets are set, and on test networks. */
export function isPlay(attributes: Values['attributes']): boolean {
  return ['from', 'to'].every(name => {
    const [chain] = String(attributes.get(name) ?? '').split(':');
    return ALL_KNOWN.chains.some(({name, test}) => test && name === chain);
  });
}

/** The sandbox's assets or, without one, all known ones; those on test networks first. */
export function assetsOf(local: SandboxGround | undefined): readonly AssetChoice[] {
  if (local) {
    return Object.entries(local.state.chains).flatMap(([chain, facts]) =>
      Object.entries(facts.assets).map(([id, {symbol}]) => ({id, symbol, chain: TITLES[chain] ?? chain})),
    );
  }
  const {chains, assets} = ALL_KNOWN;
  return [...chains]
    .sort((one, other) => Number(other.test) - Number(one.test))
    .flatMap(({name, title}) =>
      assets.filter(({id}) => id.startsWith(`${name}:`)).map(({id, symbol}) => ({id, symbol, chain: title})),
    );
}
