/** The documents' site: VitePress, with its search. `node --import tsx demo/build.ts documents` builds it. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {sitePages, slugOf, writeSources} from '../../documents.ts';
import also from './also.json';

const {homepage} = JSON.parse(readFileSync('package.json', 'utf8'));
const site = `${homepage}docs/`;
const srcDir = join(process.cwd(), 'node_modules/.cache/swap-widget/pages');
writeSources(srcDir, site);

const groups = sitePages();
const pages = new Map(Object.values(groups).flatMap(pages => pages.map(page => [`${page.name}.md`, page])));
const HOME = {
  title: 'Swap widget: swaps across chains, in one element',
  summary:
    'One custom element that lets a site’s visitors swap assets across Bitcoin, EVM chains, Solana and Starknet.',
};

/** The words of a section, with those that readers use instead. */
function searched(source, env, markdown) {
  const name = env.relativePath.replace(/\.md$/, '');
  return markdown.render(source, env).replace(/<h\d id="([^"]+)"[^]*?<\/h\d>/g, (heading, id) => {
    const words = also[heading.startsWith('<h1') ? name : `${name}#${id}`];
    return words ? `${heading}<p>${words}</p>` : heading;
  });
}

export default {
  lang: 'en',
  title: 'Swap widget',
  titleTemplate: ':title: swap widget',
  srcDir,
  srcExclude: ['public/**'],
  cacheDir: join(srcDir, '../pages-cache'),
  base: '/docs/',
  head: [['link', {rel: 'icon', href: 'data:,'}]],
  sitemap: {hostname: site},
  markdown: {
    anchor: {slugify: slugOf},
    theme: {light: 'github-light-high-contrast', dark: 'github-dark-high-contrast'},
  },
  transformPageData: ({relativePath}) => ({description: (pages.get(relativePath) ?? HOME).summary}),
  transformHead: ({pageData: {relativePath}, page, title, description}) => {
    if (page === '404.md') return [];
    const url = site + relativePath.replace(/(?:^index)?\.md$/, match => (match === '.md' ? '.html' : ''));
    const named = pages.has(relativePath)
      ? [['link', {rel: 'alternate', type: 'text/markdown', href: site + relativePath}]]
      : [];
    const shared = {type: 'website', url, title, description, image: `${site}shared.png`};
    return [
      ['link', {rel: 'canonical', href: url}],
      ...named,
      ...Object.entries(shared).map(([name, content]) => ['meta', {property: `og:${name}`, content}]),
      ['meta', {name: 'twitter:card', content: 'summary_large_image'}],
    ];
  },
  themeConfig: {
    nav: [{text: 'Playground', link: '../', target: '_self'}],
    sidebar: Object.entries(groups).map(([text, pages]) => ({
      text,
      items: pages.map(({name, title}) => ({text: title, link: `/${name}.html`})),
    })),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: searched,
        miniSearch: {
          searchOptions: {
            // What is for those who work on the widget comes after what is for those who use it. It runs in the page.
            boostDocument: id =>
              /\/(?:contributing|inside|chains|tests|sandbox|minimal-service|changelog)\./.test(id) ? 0.25 : 1,
          },
        },
      },
    },
  },
};
