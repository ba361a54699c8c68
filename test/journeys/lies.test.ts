/**
 * A service that reports others' real transactions as an order's, as a person meets it in a browser: in the widget,
 * `<swap-status>`, events, and the result of a payment request. Its lies of each family are told in `hostile/others`.
 */
import {expect, fixture, html} from '@open-wc/testing';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import '../../src/status.js';
import {Man, type Lie} from '../hostile/man.js';
import {asPaidBack, asPaidOut, asTaken, type Known} from '../hostile/named.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {scaled} from '../support/limits.js';
import {set, waitUntil, WidgetPage} from '../support/page.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';

const BASE_WBTC = 'base_sepolia:wbtc';
const STARKNET_WBTC = 'starknet_sepolia:wbtc';

/** How often a page reads the lie before it counts as not believed. */
const READS = 2;
/** A small amount, as anybody may send it to a recipient. */
const LITTLE = 600n;
/** Only the payer acts. */
const PAYER_ALONE = {solverGone: true, ownerRefunds: true};
/** The page's text for money that arrived or was refunded. */
const ENDED = /\bReceived\b|You got back|\bRefunded\b|Reported as (?:received|refunded)/;

/** The page's text for the service's word. */
const SERVICE_SAYS = /According to the swap service|Reported by the swap service/;

type Sandbox = TestSandbox & {close(): Promise<void>};

/** A person who swaps with a lying service, with a stranger's `<swap-status>` beside the widget. */
class Deceived {
  readonly man = new Man();
  /** The ends reported to the page as seen on a chain. */
  readonly ends: string[] = [];
  /** What the recipient was sent besides the swap. */
  gifts = 0n;
  readonly #known: {source: Known[]; destination: Known[]} = {source: [], destination: []};
  #crossing: Crossing | undefined;
  #status: WidgetPage<HTMLElementTagNameMap['swap-status']> | undefined;

  constructor(readonly sandbox: Sandbox) {}

  get crossing(): Crossing {
    return this.#crossing!;
  }

  async begin(settings: Omit<CrossingSettings, 'on'>): Promise<void> {
    const {man} = this;
    const widget = {...settings.widget, fetch: man.fetch};
    this.#crossing = await beginCrossing({faults: PAYER_ALONE, ...settings, on: this.sandbox, widget});
    this.#hear(this.crossing.page.widget);
  }

  /** Sends money to the recipient and the payer, as anybody may before and after the order. */
  async sendGifts(to: string): Promise<void> {
    const {client, recipient, payer, settings} = this.crossing;
    const give = async (asset: string, address: string, amount: string) => {
      const {tx_hash: hash} = await client.control('faucet', {asset, address, amount});
      const what = `${amount} of ${asset} to ${address}`;
      this.#known[asset === to ? 'destination' : 'source'].push({what, hash: String(hash)});
    };
    await give(to, recipient, String(LITTLE));
    this.gifts += LITTLE;
    await give(settings.from, payer.account, String(this.crossing.amount));
  }

  #hear(target: EventTarget) {
    for (const type of ['swap-complete', 'swap-refund'] as const)
      target.addEventListener(type, event => {
        const {witness} = event as Event & {witness: string};
        if (witness === 'chain') this.ends.push(`${type} of ${(event.currentTarget as Element).localName}`);
      });
  }

  async openStatus(): Promise<void> {
    const {client, state, orderId} = this.crossing;
    const {assets, chains} = settingsOf(state);
    const status = document.createElement('swap-status');
    this.#hear(status);
    set(status, {
      style: '--swap-speed: 0',
      'base-url': client.url,
      'app-id': client.appId,
      'order-id': orderId,
      assets,
      chains,
      fetch: this.man.fetch,
    });
    await fixture(html`<div>${status}</div>`);
    this.#status = new WidgetPage(status);
  }

  /** Lies until the page has read the order a few times, and checks in each frame that nothing reports an end. */
  async lie(what: string, lie: Lie): Promise<void> {
    const {man} = this;
    man.lie = lie;
    const reads = () => man.requests.filter(({endpoint}) => endpoint === 'read').length;
    const last = reads() + READS;
    await waitUntil(
      async () => {
        this.expectNoEnd(what);
        await new Promise(requestAnimationFrame);
        return reads() >= last;
      },
      `${what}: the order was not read ${String(READS)} times`,
      60_000,
    );
  }

  /**
   * The widget knows the agreed terms and reads the contract, so it reports no end. A stranger's page only has the
   * service's word, and says so.
   */
  expectNoEnd(what: string): void {
    const {page} = this.crossing;
    expect(/^(?:complete|refunded)$/.test(page.stage), `${what}: the widget is ${page.stage}`).to.equal(false);
    expect(ENDED.test(page.text), `${what}: the widget says ${page.text}`).to.equal(false);
    const said = this.#status?.text ?? '';
    expect(ENDED.test(said) && !SERVICE_SAYS.test(said), `${what}: <swap-status> says ${said}`).to.equal(false);
    expect(this.ends, what).to.deep.equal([]);
  }

  /** Lies about the end, with each known transaction. */
  async lieOfEnds(): Promise<void> {
    const {source, destination} = this.#known;
    for (const known of destination) await this.lie(`${known.what} as the payout`, asPaidOut(known));
    for (const known of source) await this.lie(`${known.what} as the refund`, asPaidBack(known));
    await this.lie(`${source[0]!.what} as what took it`, asTaken(source[0]!));
  }
}

describe('A service that reports foreign transactions', function () {
  this.timeout(scaled(180_000));
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(endCrossings);

  it('does not make a page believe that its payment request was paid', async () => {
    const deceived = new Deceived(sandbox);
    await deceived.begin({from: BASE_WBTC, to: STARKNET_WBTC, amount: '0.02'});
    const {crossing} = deceived;
    const {page, recipient} = crossing;
    await deceived.sendGifts(STARKNET_WBTC);
    let heard = 'nothing';
    const paid = page.widget.request({to: STARKNET_WBTC, atLeast: '0.01', recipient});
    paid.then(
      () => (heard = 'that it was paid'),
      (error: unknown) => (heard = String(error)),
    );
    await crossing.connect();
    await crossing.next(/^Yes, send it there$/);
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilStage('settling');
    await deceived.openStatus();
    await deceived.lieOfEnds();
    expect(heard).to.equal('nothing');
    deceived.man.lie = {};
    await crossing.mend();
    const order = await paid;
    expect(page.widget.order?.witness).to.equal('chain');
    expect((await crossing.moved()).received - deceived.gifts).to.equal(order.destination.amount);
  });
});
