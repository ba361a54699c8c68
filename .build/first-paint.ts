/** The server-rendered form, rendered from the sources themselves. */
import {readdirSync} from 'node:fs';
import {basename, resolve} from 'node:path';
import {runnerImport} from 'vite';
import type * as FirstPaint from '../src/first-paint.js';
import {PAIR} from './embed-page.js';
import {words} from './messages.js';
import {tightTemplates} from './templates.js';

/** The content of `dist/first-paint/`: the form and the button in each language, and the hashes of their styles for a policy. */
export async function firstPaints(): Promise<Readonly<Record<string, string>>> {
  // Minified like the scripts, so that the static form does not differ from the live one.
  const {apply: _, ...tight} = tightTemplates();
  const {module} = await runnerImport<typeof FirstPaint>(resolve('src/first-paint.ts'), {
    configFile: false,
    logLevel: 'error',
    plugins: [words(), tight],
  });
  const {firstPaint, firstPaintStyles} = module;
  const languages = readdirSync('src/locales').filter(file => file.endsWith('.json'));
  return Object.fromEntries<string>([
    ...languages
      .map(file => basename(file, '.json'))
      .flatMap((lang): [string, string][] => [
        [`${lang}.html`, firstPaint({...PAIR, lang})],
        [`${lang}.button.html`, firstPaint({lang, variant: 'button'})],
      ]),
    ['style-src.txt', firstPaintStyles.join(' ')],
  ]);
}
