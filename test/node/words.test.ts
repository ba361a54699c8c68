import {deepEqual, match, ok} from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DIST, firstLoad, scripts} from '../support/dist.js';
import {compile, type MessageFile} from '../../.build/messages.js';

const read = (file: string) => readFileSync(join(DIST, file), 'utf8');

const LANGUAGES = readdirSync('src/locales').flatMap(file => /^(\w+)\.json$/.exec(file)?.[1] ?? []);

const fileOf = (message: string): MessageFile => ({form: {it: message}, errors: {}, order: {}});

describe('the words', () => {
  it('have different names for the recipient of the site’s fee and the exchange partner', () => {
    for (const [language, partner] of [
      ['en', /partner/i],
      ['de', /partner/i],
      ['fr', /partenaire/i],
    ] as const) {
      const {order} = JSON.parse(readFileSync(`src/locales/${language}.json`, 'utf8')) as {
        order: Record<'partnerFee' | 'partnerFeeIncluded' | 'feesMore' | 'exchangePartner', string>;
      };
      match(order.exchangePartner, partner);
      for (const name of ['partnerFee', 'partnerFeeIncluded', 'feesMore'] as const)
        ok(!partner.test(order[name]), `${language}: ${order[name]}`);
    }
  });

  it('tell an entry of “Your swaps” in the order in which it is shown', () => {
    for (const language of LANGUAGES) {
      const {order} = JSON.parse(readFileSync(`src/locales/${language}.json`, 'utf8')) as {
        order: Record<string, string>;
      };
      const values = order['listed']?.match(/(?<=\{)\w+(?=\})/g);
      deepEqual(values, ['paid', 'received', 'network', 'other', 'state', 'time'], language);
    }
  });
});

describe('a message', () => {
  async function say(language: string, message: string, values: object): Promise<string> {
    const url = `data:text/javascript,${encodeURIComponent(compile(fileOf(message), 'form', language))}`;
    const module = (await import(url)) as {default: {it: string | ((values: object) => string)}};
    const {it: said} = module.default;
    return typeof said === 'string' ? said : said(values);
  }

  it('formats numbers and plurals as its language does, with the digits 0 to 9', async () => {
    const days = '{n, plural, =0 {none} one {# day} other {# days}}';
    deepEqual(await Promise.all([0, 1, 2, 50_000].map(n => say('en', days, {n}))), [
      'none',
      '1 day',
      '2 days',
      '50,000 days',
    ]);
    const arabic = '{n, plural, zero{z#} one{o#} two{t#} few{f#} many{m#} other{x#}}';
    deepEqual(await Promise.all([0, 1, 2, 3, 11, 100].map(n => say('ar', arabic, {n}))), [
      'z0',
      'o1',
      't2',
      'f3',
      'm11',
      'x100',
    ]);
    deepEqual(await say('de', '{n, number}', {n: 1234}), '1.234');
    deepEqual(await say('fr', '{n, plural, one{# jour} other{# jours}}', {n: 0}), '0 jour');
  });

  it('selects by keyword, and treats code-like content as text', async () => {
    deepEqual(await say('en', '{kind, select, a {one} b {two} other {many}}', {kind: 'b'}), 'two');
    deepEqual(await say('en', '`$ {x}` \\ <b>', {x: '${1}'}), '`$ ${1}` \\ <b>');
  });
});

describe('the words of the package', () => {
  it('are only English in the first load; each other language has two chunks of its own', () => {
    const file = (language: string, part: 'form' | 'late') => {
      const {form, order} = JSON.parse(readFileSync(`src/locales/${language}.json`, 'utf8')) as Record<
        'form' | 'order',
        Record<string, string>
      >;
      const text = part === 'form' ? form['priceAppears'] : order['placeSwap'];
      return scripts().filter(script => read(script).includes(text ?? '?'));
    };
    deepEqual(file('en', 'form'), firstLoad('define.js'));
    ok(!firstLoad('define.js').includes(file('en', 'late')[0] ?? ''));
    for (const language of ['de', 'ar', 'ja']) {
      const chunks = [...file(language, 'form'), ...file(language, 'late')];
      deepEqual([chunks.length, new Set(chunks).size], [2, 2], language);
    }
  });
});
