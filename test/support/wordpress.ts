/** The plugin of `demo/embed/wordpress` in WordPress itself, as an administrator, a contributor and visitors use it. */
import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createSandbox, settingsOf} from '../../demo/wallets/sandbox.js';
import type {SandboxClient} from '../sandbox/client.js';
import type {OpenPage, TestBrowser} from './browser.js';
import {scaled} from './limits.js';
import {Visitor} from './visitor.js';

const SETTINGS = '/wp-admin/options-general.php?page=swap-widget';
const SHARE = 'base_sepolia:usdc 0x000000000000000000000000000000000000dEaD 10';
const THIEF = '0x00000000000000000000000000000000000bad00';
const SECRET = 'whsec_c2hvcCBvbiBhIHNlcnZlciwgc2hvcCBvbiBhIHNlcnZlcg==';
const SHOP = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** Exposes the stored option to the test, and switches the site to the requested language. */
const SPY = `<?php
define( 'SWAP_WIDGET_WEBHOOK_SECRET', '${SECRET}' );
/** Of WooCommerce, which is not here: an order as far as the plugin knows it. */
class Order_Of_Test {
  public function __construct( private string $id ) {}
  public function get_id() { return (int) $this->id; }
  public function get_meta() {
    return array( 'asset' => 'base:usdc', 'recipient' => '${SHOP}', 'atLeast' => '25000000' );
  }
  public function needs_payment() { return ! $this->paid(); }
  public function payment_complete( $key ) { update_option( 'order_' . $this->id, array( ...$this->paid(), $key ) ); }
  public function paid() { return get_option( 'order_' . $this->id, array() ); }
}
function wc_get_order( $id ) { return in_array( $id, array( '1', '2' ), true ) ? new Order_Of_Test( $id ) : false; }
add_action( 'init', function () {
  if ( isset( $_GET['paid'] ) ) wp_send_json( wc_get_order( $_GET['paid'] )->paid() );
  if ( ! isset( $_GET['stored'] ) ) return;
  wp_send_json( get_option( 'swap_widget', null ) );
}, 1 );
add_filter( 'locale', function ( $locale ) {
  return preg_match( '/^[a-zA-Z_]+$/', $_GET['locale'] ?? '' ) ? $_GET['locale'] : $locale;
} );
`;

type Stored = Record<string, string> | null;

/** Runs all of it; returns what was seen. */
export async function visitWordPress(
  url: string,
  folder: string,
  client: SandboxClient,
  browser: TestBrowser,
): Promise<string> {
  const plugins = join(folder, '.wordpress/wp-content/mu-plugins');
  mkdirSync(plugins, {recursive: true});
  writeFileSync(join(plugins, 'spy.php'), SPY);
  const stored = async () => (await (await fetch(`${url}/?stored`)).json()) as Stored;

  const size = hasOnlyNeededFiles(join(folder, 'swap-widget'));
  const admin = await logIn(browser, url, 'admin');
  await activate(admin, url);
  await setUp(admin, url, client, stored);
  const contributor = await logIn(browser, url, 'contributor');
  await keepsOut(contributor, admin, url, stored);
  await narrowsContributors(contributor, admin, url, client, browser);
  await looksAfterItself(admin, url, client, browser);
  await editsBlock(admin, url);
  await readsGerman(admin, url);
  for (const content of [
    '<!-- wp:swap-widget/form {"from":"base_sepolia:wbtc","to":"ethereum_sepolia:wbtc"} /-->',
    '[swap_widget from="base_sepolia:wbtc" to="ethereum_sepolia:wbtc" no-header]',
  ])
    await swaps((await publish(admin, url, content)).link, client, browser);
  await paysOrders(url);
  await uninstall(admin, url, stored);
  return `activated, set up, contributors kept out, a swap by the block and one by the shortcode, deleted; ${size}`;
}

function hasOnlyNeededFiles(plugin: string): string {
  const files = readdirSync(plugin, {recursive: true, encoding: 'utf8'}).filter(file =>
    statSync(join(plugin, file)).isFile(),
  );
  const widget = files.filter(file => file.startsWith('widget/') && file !== 'widget/version.php');
  const needless = widget.filter(
    file => !/^widget\/[^/]+\/(?:define\.js|licenses\.txt|chunks\/[^/]+\.js|first-paint\/[a-z]+\.html)$/.test(file),
  );
  deepEqual(needless, []);
  ok(widget.some(file => file.endsWith('/define.js')));
  const bytes = files.reduce((sum, file) => sum + statSync(join(plugin, file)).size, 0);
  match(readFileSync(join(plugin, 'readme.txt'), 'utf8'), /^=== Swap Widget ===\n(?:[A-Z][A-Za-z ]+: .+\n)+\n/);
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function logIn(browser: TestBrowser, url: string, name: string): Promise<OpenPage> {
  const opened = await browser.openPage(`${url}/wp-login.php`);
  const {page} = opened;
  // The editor hides its fields in a narrow window, and asks before it is left.
  await page.setViewport({width: 1300, height: 900});
  page.on('dialog', dialog => void dialog.accept());
  await page.waitForSelector('#user_login', {visible: true});
  // The form focuses its first field by itself, a moment later.
  await page.evaluate(name => {
    document.querySelector<HTMLInputElement>('#user_login')!.value = name;
    document.querySelector<HTMLInputElement>('#user_pass')!.value = 'password';
  }, name);
  await Promise.all([page.waitForNavigation(), page.click('#wp-submit')]);
  match(page.url(), /\/wp-admin\//);
  return opened;
}

async function activate({page}: OpenPage, url: string): Promise<void> {
  await page.goto(`${url}/wp-admin/plugins.php`);
  await Promise.all([page.waitForNavigation(), page.click('#activate-swap-widget')]);
  await page.waitForSelector('#deactivate-swap-widget');
  equal(
    await page.$eval(
      'tr[data-slug=swap-widget] .settings, tr[data-slug=swap-widget] a[href*="page=swap-widget"]',
      ({textContent}) => textContent,
    ),
    'Settings',
  );
  await page.goto(`${url}/`);
}

async function save({page}: OpenPage, url: string, fields: Record<string, string>): Promise<string> {
  await page.goto(url + SETTINGS);
  await page.evaluate(fields => {
    for (const [name, value] of Object.entries(fields))
      document.querySelector<HTMLInputElement>(`[name="swap_widget[${name}]"]`)!.value = value;
  }, fields);
  await Promise.all([page.waitForNavigation(), page.click('#submit')]);
  return page.$$eval('.notice, .error, .updated', notices =>
    notices.map(({textContent}) => textContent.trim()).join(' '),
  );
}

/** Invalid settings are named and not stored; valid ones are stored, and appear in the fields. */
async function setUp(admin: OpenPage, url: string, client: SandboxClient, stored: () => Promise<Stored>) {
  const {assets, chains} = settingsOf(await createSandbox(client.url).read());
  const rpc = String(chains['base_sepolia']?.rpc);
  const wrong = {
    'base-url': 'http://the.service',
    'app-id': 'ABC',
    'affiliate-fees': '"><script>alert(1)</script>',
    assets: 'all of them',
    rpc: 'base javascript:alert(1)',
    more: '{"baseUrl":"https://another.service"}',
  };
  const said = await save(admin, url, wrong);
  for (const label of ['Service', 'App ID', 'Site fee', 'Assets', 'Nodes', 'More settings'])
    match(said, new RegExp(`“${label}” was not saved`));
  deepEqual(Object.values((await stored()) ?? {}).join(''), '');

  const right = {
    'base-url': `${client.url}/`,
    'app-id': client.appId,
    'affiliate-fees': ` ${SHARE} ,`,
    assets: '',
    rpc: `base_sepolia ${rpc}`,
    more: JSON.stringify({assets, chains}),
  };
  match(await save(admin, url, right), /^Settings saved\./);
  deepEqual(await stored(), {...right, 'base-url': client.url, 'affiliate-fees': SHARE});
  // An invalid one leaves the others unchanged.
  match(await save(admin, url, {'app-id': 'ABC'}), /“App ID” was not saved/);
  deepEqual(await stored(), {...right, 'base-url': client.url, 'affiliate-fees': SHARE});
  equal(await admin.page.$eval('#swap-widget-base-url', field => (field as HTMLInputElement).value), client.url);
}

/** Neither a contributor nor a page of another site can change the settings. */
async function keepsOut(contributor: OpenPage, admin: OpenPage, url: string, stored: () => Promise<Stored>) {
  const before = await stored();
  const answer = await contributor.page.goto(url + SETTINGS);
  equal(answer?.status(), 403);
  for (const {page} of [contributor, admin]) {
    await page.goto(`${url}/wp-admin/`);
    const status = await page.evaluate(async () => {
      const body = new URLSearchParams({
        option_page: 'swap_widget',
        action: 'update',
        'swap_widget[base-url]': 'https://thief.example',
      });
      return (await fetch('/wp-admin/options.php', {method: 'POST', body})).status;
    });
    equal(status, 403);
  }
  const settings = await rest(admin, url, '/wp/v2/settings');
  ok(!JSON.stringify(settings).includes('swap_widget'));
  deepEqual(await stored(), before);
}

/** A contributor's post can set no more than a visitor could. */
async function narrowsContributors(
  contributor: OpenPage,
  admin: OpenPage,
  url: string,
  client: SandboxClient,
  browser: TestBrowser,
) {
  const evil = `base-url="https://thief.example" base_url="https://thief.example" app-id="" affiliate-fees="base_sepolia:usdc ${THIEF} 300" rpc="base_sepolia https://thief.example" recipient="${THIEF}" refund-address="${THIEF}" assets="base:usdc" recall="https://thief.example" onclick="alert(1)" data-swap-widget-more="{}"`;
  const content = [
    `[swap_widget from="base_sepolia:wbtc" to="ethereum_sepolia:wbtc" theme='"><img src=x onerror=alert(1)>' ${evil}]`,
    `[swap_widget no-header lock="from to"]`,
    `[swap_widget no-header="false"]`,
    `<!-- wp:swap-widget/form ${JSON.stringify({
      from: '"><script>alert(1)</script>',
      noHeader: true,
      baseUrl: 'https://thief.example',
      recipient: THIEF,
      affiliateFees: `base_sepolia:usdc ${THIEF} 300`,
      className: 'ours"><i>',
    })} /-->`,
    `<swap-widget ${evil}></swap-widget>`,
    `<div data-swap-widget-more='{"baseUrl":"https://thief.example"}' class="swap-widget-of-plugin">of the post</div>`,
  ].join('\n\n');
  const {id} = (await rest(contributor, url, '/wp/v2/posts', {title: 'A post', content, status: 'pending'})) as {
    id: number;
  };
  const {link} = (await rest(admin, url, `/wp/v2/posts/${String(id)}`, {status: 'publish'})) as {link: string};
  const {page} = await browser.openPage(link);
  await page.waitForSelector('swap-widget >>> #amount', {visible: true, timeout: scaled(60_000)});
  const widgets = await page.$$eval('swap-widget', all =>
    all.map(widget => Object.fromEntries(widget.getAttributeNames().map(name => [name, widget.getAttribute(name)!]))),
  );
  equal(widgets.length, 4);
  for (const widget of widgets) {
    equal(widget['base-url'], client.url);
    equal(widget['app-id'], client.appId);
    equal(widget['affiliate-fees'], SHARE);
    match(widget['rpc'] ?? '', /^base_sepolia http:\/\/127\.0\.0\.1:\d+$/);
    const set = 'base-url app-id affiliate-fees rpc from to amount lock theme variant lang no-header';
    const allowed = [...set.split(' '), 'class', 'data-swap-widget-more'];
    deepEqual(
      Object.keys(widget).filter(name => !allowed.includes(name)),
      [],
    );
  }
  deepEqual(
    widgets.map(widget => widget['no-header']),
    [undefined, '', undefined, ''],
  );
  equal(widgets[1]?.['lock'], 'from to');
  equal(await page.$('img[src=x]'), null);
  equal(await page.$$eval('script', all => all.some(({textContent}) => textContent === 'alert(1)')), false);
  // Its own element stays unchanged.
  equal(await page.$eval('div[data-swap-widget-more]', element => 'baseUrl' in element), false);
  await page.browserContext().close();
}

/** An element by somebody else, and the content beside the plugin's own, stay unchanged. */
async function looksAfterItself(admin: OpenPage, url: string, client: SandboxClient, browser: TestBrowser) {
  const {link} = await publish(
    admin,
    url,
    `[swap_widget from="base_sepolia:wbtc" to="ethereum_sepolia:wbtc"]<!-- wp:html --><output>mine</output><swap-widget id="foreign" base-url="${client.url}" from="bitcoin:btc" to="base:usdc"></swap-widget><!-- /wp:html -->`,
  );
  const {page, errors} = await browser.openPage(link);
  await page.waitForFunction(
    () => [...document.querySelectorAll<HTMLElement & {assets?: unknown[]}>('swap-widget')][0]?.assets?.length,
  );
  equal(await page.$eval('#foreign', element => (element as unknown as {assets?: unknown[]}).assets?.length ?? 0), 0);
  equal(await page.$eval('#foreign + *, output', ({textContent}) => textContent), 'mine');
  deepEqual(
    errors.filter(error => !/app-id|w\.org|favicon/.test(error)),
    [],
  );
  await page.browserContext().close();
}

/** The editor offers the block, and its fields change the page. */
async function editsBlock({page}: OpenPage, url: string): Promise<void> {
  const opened = {page} as OpenPage;
  const {id} = await publish(opened, url, '<!-- wp:swap-widget/form /-->');
  await page.goto(`${url}/wp-admin/post.php?post=${String(id)}&action=edit`);
  type Editor = Record<string, Record<string, (...given: unknown[]) => unknown>>;
  const data = 'globalThis.wp.data';
  await page.waitForFunction(`${data}?.select('core/block-editor')?.getBlocks().length === 1`, {
    timeout: scaled(60_000),
  });
  const [block] = (await page.evaluate(
    `${data}.select('core/block-editor').getBlocks().map(({name, isValid, clientId}) => ({name, isValid, clientId}))`,
  )) as {name: string; isValid: boolean; clientId: string}[];
  deepEqual([block?.name, block?.isValid], ['swap-widget/form', true]);
  await page.evaluate(`(() => {
    ${data}.dispatch('core/preferences').set('core/edit-post', 'welcomeGuide', false);
    ${data}.dispatch('core/block-editor').selectBlock(${JSON.stringify(block?.clientId)});
    ${data}.dispatch('core/edit-post').openGeneralSidebar('edit-post/block');
  })()`);
  // CSS puts its labels in capitals, and accessible names follow that.
  const label = await page.waitForSelector(
    `::-p-xpath(//*[contains(@class,"block-editor-block-inspector")]//label[.="To"])`,
    {visible: true, timeout: scaled(60_000)},
  );
  const field = await page.$(`#${await label!.evaluate(element => (element as HTMLLabelElement).htmlFor)}`);
  await field!.click({count: 3});
  await field!.type('ethereum_sepolia:wbtc');
  const attributes = await page.evaluate(`${data}.select('core/block-editor').getBlocks()[0].attributes`);
  equal((attributes as Editor)['to'], 'ethereum_sepolia:wbtc');
  await page.evaluate(`${data}.dispatch('core/editor').savePost()`);
  const saved = (await rest(opened, url, `/wp/v2/pages/${String(id)}?context=edit`)) as {content: {raw: string}};
  match(saved.content.raw, /"to":"ethereum_sepolia:wbtc"/);
}

async function readsGerman({page}: OpenPage, url: string): Promise<void> {
  await page.goto(`${url}${SETTINGS}&locale=de_DE`);
  equal(await page.$eval('label[for=swap-widget-base-url]', ({textContent}) => textContent), 'Dienst');
}

/** A visitor's swap on a page of the site, until the money has arrived. */
async function swaps(link: string, client: SandboxClient, browser: TestBrowser): Promise<void> {
  const {page, errors} = await browser.openPage(link);
  await page.addScriptTag({type: 'module', url: `${client.url}/wallets/page.js`});
  const order = await new Visitor(page, client).swap();
  equal((order['affiliate_fees'] as unknown[]).length, 1);
  deepEqual(
    errors.filter(error => !/w\.org|favicon/.test(error)),
    [],
  );
  await page.browserContext().close();
}

/** An order is paid by an event that the follower signed now, for what the order expects, and once for each payment. */
async function paysOrders(url: string): Promise<void> {
  const key = 'base:0x01';
  const paidOut = {certainty: 'proved', amount: '25000000', account: SHOP.toLowerCase()};
  const data = {reference: '1', orderId: 'one', isPaid: true, differs: [], paymentKey: key, paidOut};
  const post = async (change: object, {type = 'swap.paid', secret = SECRET, late = 0, sent = ''} = {}) => {
    const body = JSON.stringify({type, timestamp: '', data: {...data, ...change}});
    const at = String(Math.floor(Date.now() / 1000) - late);
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`evt_1.${at}.${body}`);
    const headers = {'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${mac.digest('base64')}`};
    const route = `${url}/?rest_route=/swap-widget/v1/events`;
    return (await fetch(route, {method: 'POST', body: sent || body, headers})).status;
  };
  const paid = async (order: string) => (await fetch(`${url}/?paid=${order}`)).json() as Promise<unknown>;

  equal(await post({}, {secret: `whsec_${'A'.repeat(44)}`}), 401);
  for (const late of [301, -600]) equal(await post({}, {late}), 401);
  equal(await post({}, {sent: JSON.stringify({type: 'swap.paid', data})}), 401);
  for (const change of [
    {isPaid: false},
    {differs: ['asset']},
    {paymentKey: 'ethereum:0x01'},
    {paymentKey: undefined},
    {paidOut: {...paidOut, certainty: 'told'}},
    {paidOut: {...paidOut, amount: '24999999'}},
    {paidOut: {...paidOut, amount: '9000000'}},
    {paidOut: {...paidOut, account: THIEF}},
    {reference: '3'},
  ])
    equal(await post(change), 204);
  equal(await post({}, {type: 'swap.changed'}), 204);
  deepEqual(await paid('1'), []);
  for (const reference of ['1', '1', '2']) equal(await post({reference}), 204);
  deepEqual([await paid('1'), await paid('2')], [[key], []]);
}

/** Nothing is left after the plugin is deleted. */
async function uninstall(admin: OpenPage, url: string, stored: () => Promise<Stored>): Promise<void> {
  ok(await stored());
  await rest(admin, url, '/wp/v2/plugins/swap-widget/swap-widget', {status: 'inactive'});
  ok(await stored(), 'switching it off forgot its settings');
  await rest(admin, url, '/wp/v2/plugins/swap-widget/swap-widget', undefined, 'DELETE');
  equal(await stored(), null);
}

async function publish(admin: OpenPage, url: string, content: string): Promise<{id: number; link: string}> {
  return (await rest(admin, url, '/wp/v2/pages', {title: 'A page', content, status: 'publish'})) as {
    id: number;
    link: string;
  };
}

/** Calls WordPress's own API as the logged-in user. Rejects if it refuses. */
async function rest(
  {page}: OpenPage,
  url: string,
  path: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<unknown> {
  if (!page.url().startsWith(`${url}/wp-admin/`)) await page.goto(`${url}/wp-admin/`);
  const {status, answer} = await page.evaluate(
    async (path, method, body) => {
      const nonce = await (await fetch('/wp-admin/admin-ajax.php?action=rest-nonce')).text();
      const [route = '', query] = path.split('?');
      const response = await fetch(`/?rest_route=${route}${query ? `&${query}` : ''}`, {
        method,
        headers: {'x-wp-nonce': nonce, 'content-type': 'application/json'},
        ...(body && {body}),
      });
      return {status: response.status, answer: (await response.json()) as unknown};
    },
    path,
    method,
    body && JSON.stringify(body),
  );
  if (status >= 300) throw new Error(`${method} ${path}: ${String(status)} ${JSON.stringify(answer)}`);
  return answer;
}
