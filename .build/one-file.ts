/** One-file pages, with their styles and their script inlined. */
import {hash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {tightCss} from './templates.js';

/** Their templates, by name. */
export const ONE_FILE_PAGES = {rescue: 'src/pages/rescue.html', demo: 'demo/embed/stackblitz/index.html'};

/**
 * A page of one file: its style sheets, its script with all imports, and a policy that allows nothing else to run. A
 * page only connects to the nodes that a visitor or a file names (`connect-src`).
 */
export function pageOf(file: string, code: string): string {
  const hashes = {script: '', style: ''};
  const inline = (kind: keyof typeof hashes, start: string, text: string) => {
    hashes[kind] += ` 'sha256-${hash('sha256', text, 'base64')}'`;
    return `<${start}>${text}</${kind}>`;
  };
  const css = (sheet: string) => tightCss(readFileSync(join(dirname(file), sheet), 'utf8'));
  const page = readFileSync(file, 'utf8')
    .replaceAll(/<link rel="stylesheet" href="([\w-]+\.css)" \/>/g, (_, sheet: string) =>
      inline('style', 'style', css(sheet)),
    )
    // Code that would end the script element, or hide its end, is escaped.
    .replace(/<script type="module" src="[\w-]+\.[jt]s"><\/script>/, () =>
      inline('script', 'script type="module"', `\n${code.replaceAll(/<(?=\/script|!--)/gi, '\\x3C').trim()}\n`),
    );
  const policy = [
    "default-src 'none'",
    `script-src${hashes.script}`,
    `style-src${hashes.style || " 'none'"}`,
    'img-src data:',
    // Nodes: of chains anywhere, and on the visitor's own machine.
    'connect-src https: http://localhost:* http://127.0.0.1:*',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${code.includes('lit-html') ? 'lit-html' : "'none'"}`,
  ].join('; ');
  const start = '<meta charset="utf-8" />';
  if (!hashes.script || !page.includes(start)) throw new Error(`${file} needs one script, and ${start}`);
  return page.replace(start, `${start}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
}
