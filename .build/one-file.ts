/** One-file pages, with their styles and their script inlined. */
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** Their templates, by name. */
export const ONE_FILE_PAGES = {rescue: 'src/pages/rescue.html', demo: 'demo/embed/stackblitz/index.html'};

const STYLE = /<link rel="stylesheet" href="([\w-]+\.css)" \/>/g;
const SCRIPT = /<script type="module" src="[\w-]+\.[jt]s"><\/script>/;
const POLICY = '<meta charset="utf-8" />';

/**
 * A page of one file: its style sheets, its script with all imports, and a policy that allows nothing else to run. A
 * page only connects to the nodes that a visitor or a file names (`connect-src`).
 */
export function pageOf(file: string, code: string): string {
  const template = readFileSync(file, 'utf8');
  for (const place of [SCRIPT, POLICY]) {
    if (template.split(place).length !== 2) throw new Error(`${file} needs ${String(place)} once.`);
  }
  const script = `\n${forInline(code).trim()}\n`;
  const styles: string[] = [];
  return template
    .replace(STYLE, (_, sheet: string) => {
      const style = `\n${readFileSync(join(dirname(file), sheet), 'utf8').trim()}\n`;
      styles.push(style);
      return `<style>${style}</style>`;
    })
    .replace(SCRIPT, () => `<script type="module">${script}</script>`)
    .replace(POLICY, () => `${POLICY}\n    ${policyOf([script], styles)}`);
}

/** Escapes code that would end the script element, or hide its end. */
function forInline(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/gi, '\\x3C');
}

function policyOf(scripts: readonly string[], styles: readonly string[]): string {
  const hashes = (texts: readonly string[]) =>
    texts.map(text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ') || "'none'";
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes(styles)}`,
    'img-src data:',
    // Nodes: of chains anywhere, and on the visitor's own machine.
    'connect-src https: http://localhost:* http://127.0.0.1:*',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${scripts.some(text => text.includes('lit-html')) ? 'lit-html' : "'none'"}`,
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}" />`;
}
