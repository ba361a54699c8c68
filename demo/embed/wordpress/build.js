/**
 * Copies the widget into the plugin: only what pages load, in a folder named after its version. Then it compiles the
 * plugin's own translations. The result is the folder `swap-widget` for `wp-content/plugins/`.
 */
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';

const {version} = JSON.parse(readFileSync('node_modules/swap-widget/package.json', 'utf8'));
const target = `swap-widget/widget/${version}`;
rmSync('swap-widget/widget', {recursive: true, force: true});
mkdirSync(target, {recursive: true});
const scripts = Object.keys(JSON.parse(readFileSync('node_modules/swap-widget/dist/sri.json', 'utf8')))
  // Pages load these alone.
  .filter(file => file === 'define.js' || file.startsWith('chunks/'));
for (const part of [...scripts, 'first-paint', 'licenses.txt']) {
  cpSync(`node_modules/swap-widget/dist/${part}`, `${target}/${part}`, {
    recursive: true,
    filter: path =>
      (!path.endsWith('.map') && !path.endsWith('.button.html') && !path.endsWith('.txt')) ||
      path.endsWith('/licenses.txt'),
  });
}
writeFileSync('swap-widget/widget/version.php', `<?php\nreturn '${version}';\n`);

/** The messages of a file: the English text, and its translation. */
function readMessages(file) {
  const text = readFileSync(file, 'utf8').replaceAll('"\n"', '');
  return [...text.matchAll(/^msgid (".+")\nmsgstr (".+")$/gm)].map(([, id, said]) => [
    JSON.parse(id),
    JSON.parse(said),
  ]);
}

const quoted = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const folder = 'swap-widget/languages';
for (const file of readdirSync(folder).filter(name => name.endsWith('.po'))) {
  const name = file.slice(0, -3);
  const locale = name.slice('swap-widget-'.length);
  const messages = readMessages(`${folder}/${file}`);
  // WordPress reads this format since 6.5.
  const lines = messages.map(([id, said]) => `${quoted(id)} => ${quoted(said)},`).join('\n');
  writeFileSync(`${folder}/${name}.l10n.php`, `<?php\nreturn array( 'messages' => array(\n${lines}\n) );\n`);
  // The block's script reads JSON.
  const entries = Object.fromEntries(messages.map(([id, said]) => [id, [said]]));
  writeFileSync(
    `${folder}/${name}-swap-widget-form-editor-script.json`,
    JSON.stringify({domain: 'messages', locale_data: {messages: {'': {lang: locale}, ...entries}}}),
  );
}
