/**
 * WordPress on this machine, only from npm packages: PHP in WebAssembly, SQLite, and WordPress 6.5. `npm run dev`
 * starts a new site with the plugin active, set up by `settings.js`, and on its front page once as a block, once as a
 * shortcode. `admin` and `contributor` log in with `password`. `node serve.js --bare` only copies the plugin into its
 * folder.
 */
import {cpSync, mkdirSync, openAsBlob, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {decodeZip} from '@php-wasm/stream-compression';
import {runCLI} from '@wp-playground/cli';
import {settings} from './settings.js';

const BUILDS = 'node_modules/@wp-playground/wordpress-builds';
const site = resolve('.wordpress');
const isBare = process.argv.includes('--bare');
const {baseUrl, appId = '', affiliateFees, ...more} = settings;
const isSandbox = baseUrl.startsWith('http:');

rmSync(site, {recursive: true, force: true});
// The archive has the program; styles, scripts and images are next to it.
cpSync(join(BUILDS, 'public/wp-6.5'), site, {recursive: true});
const archive = await openAsBlob(join(BUILDS, 'src/wordpress/wp-6.5.zip'));
for await (const file of decodeZip(archive.stream())) {
  const path = join(site, file.name);
  if (file.type === 'directory') continue;
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, new Uint8Array(await file.arrayBuffer()));
}
// A copy can be deleted from there; when mounted, changes are visible at once.
const plugin = 'wp-content/plugins/swap-widget';
if (isBare) cpSync('swap-widget', join(site, plugin), {recursive: true});
if (isSandbox) {
  // The sandbox's wallets belong to the page, not to the plugin.
  const script = `<script type="module" src="${new URL('/wallets/page.js', baseUrl)}"></script>`;
  mkdirSync(join(site, 'wp-content/mu-plugins'), {recursive: true});
  writeFileSync(
    join(site, 'wp-content/mu-plugins/wallets.php'),
    `<?php\nadd_action( 'wp_head', function () {\n\techo '${script}';\n} );\n`,
  );
}

const pair = settings.assets ? {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'} : {};
const option = {
  'base-url': baseUrl,
  'app-id': appId,
  'affiliate-fees': affiliateFees.map(({asset, address, bps}) => `${asset} ${address} ${bps}`).join(', '),
  more: Object.keys(more).length ? JSON.stringify(more) : '',
};
const page = [
  `<!-- wp:swap-widget/form ${JSON.stringify(pair)} /-->`,
  `<!-- wp:shortcode -->[swap_widget ${Object.entries(pair)
    .map(([name, id]) => `${name}="${id}"`)
    .join(' ')} variant="button"]<!-- /wp:shortcode -->`,
].join('\n');
const contributor = {user_login: 'contributor', user_pass: 'password', role: 'contributor'};
const setUp = `
  update_option('swap_widget', json_decode(${quoted(JSON.stringify(option))}, true));
  $page = wp_insert_post(array('post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Swap', 'post_content' => ${quoted(page)}));
  update_option('show_on_front', 'page');
  update_option('page_on_front', $page);`;

/** A text as PHP source. */
function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const {serverUrl} = await runCLI({
  command: 'server',
  port: Number(process.env.PORT ?? 8790),
  php: '8.3',
  wp: '6.5',
  wordpressInstallMode: 'install-from-existing-files',
  workers: 2,
  verbosity: 'quiet',
  mount: isBare ? [] : [{hostPath: resolve('swap-widget'), vfsPath: `/wordpress/${plugin}`}],
  'mount-before-install': [{hostPath: site, vfsPath: '/wordpress'}],
  blueprint: {
    steps: [
      ...(isBare ? [] : [{step: 'activatePlugin', pluginPath: 'swap-widget/swap-widget.php'}]),
      {
        step: 'runPHP',
        code: `<?php require '/wordpress/wp-load.php';
          wp_insert_user(json_decode(${quoted(JSON.stringify(contributor))}, true));${isBare ? '' : setUp}`,
      },
    ],
  },
});
console.log(`${serverUrl}/ (log in at ${serverUrl}/wp-login.php as admin, password)`);
