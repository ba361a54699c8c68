import {createRequire} from 'node:module';

/** ESLint and its plugins are among the tools that `npm run lint` installs. */
const require = createRequire(new URL('../node_modules/.cache/swap-widget/checks/of.cjs', import.meta.url));
const js = require('@eslint/js');
const {configs: lit} = require('eslint-plugin-lit');
const {default: litA11y} = require('eslint-plugin-lit-a11y');
const {configs: wc} = require('eslint-plugin-wc');
const {defineConfig} = require('eslint/config');
const globals = require('globals');
const ts = require('typescript-eslint');

/** Packages and directives that insert markup or style attributes, which strict policies forbid. */
const UNSAFE_DIRECTIVES = {
  regex: '^lit/directives/(style-map|unsafe-html|unsafe-svg|unsafe-mathml)\\.js$|^lit/static-html\\.js$',
  message: 'A strict content security policy of the page would break it.',
};

/** The one-file pages, the mock service and the program for servers stand apart: nothing of the widget imports them. */
const PROGRAMS = {
  regex: '/(pages|server|testing)(/|\\.js$)',
  message: 'Programs for servers and pages stand apart from the widget.',
};

/** Imports go downwards only: elements → session → api and chains → domain. */
function floor(folder, {may, ...restrictions}) {
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            UNSAFE_DIRECTIVES,
            PROGRAMS,
            ...Object.entries(restrictions).map(([kind, regex]) => ({
              regex,
              allowTypeImports: kind === 'values',
              message: `${folder} may import ${may}.`,
            })),
          ],
        },
      ],
    },
  };
}

/** What only a page has. Below the elements it is passed in, so that everything there runs in Node. */
const PAGE = ['window', 'document', 'navigator', 'location', 'localStorage', 'sessionStorage', 'customElements'];

function withoutGlobals(files, ...names) {
  return {files, rules: {'no-restricted-globals': ['error', ...names]}};
}

export default defineConfig(
  // The frameworks whose types these extend are not installed here: `npm run test:package` compiles them.
  {ignores: ['**/dist/', 'src/frameworks/', 'demo/embed/*/', 'test/bench/*.js']},
  js.configs.recommended,
  ts.configs.strict,
  {
    languageOptions: {
      globals: {...globals.browser, ...globals.node},
    },
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', {ignoreRestSiblings: true}],
      eqeqeq: ['error', 'always', {null: 'ignore'}],
      'no-warning-comments': ['error', {terms: ['todo', 'fixme', 'xxx'], location: 'anywhere'}],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
          message: 'Trusted Types of the page would break it: draw with a Lit template.',
        },
        {
          selector:
            'TaggedTemplateExpression[tag.name=/^(html|svg)$/] > TemplateLiteral > TemplateElement[value.raw=/\\sstyle\\s*=|<style|\\.(inner|outer)HTML/]',
          message: 'A strict style policy of the page would break it: use `static styles` and custom properties.',
        },
        {
          selector:
            'TaggedTemplateExpression[tag.name=css] TemplateElement[value.raw=/@(media|container)[^{]*(width|height|size)/]',
          message: 'The widths and heights that styles ask for have names in `style/layout.ts`.',
        },
        {
          selector: 'MemberExpression[object.name=/^(it|describe|test)$/][property.name=/^(only|skip|todo)$/]',
          message: 'A test that does not run says nothing.',
        },
      ],
    },
  },
  {files: ['src/**/*.ts'], ...lit['flat/recommended']},
  {
    files: ['src/**/*.ts'],
    ...wc['flat/best-practice'],
    settings: {
      wc: {
        elementBaseClasses: [
          'LitElement',
          'SwapElement',
          'LatePart',
          'SwapView',
          'OrderView',
          'ProgressView',
          'SwapPicker',
        ],
      },
    },
  },
  // All our base classes have Lit's whole lifecycle.
  {files: ['src/**/*.ts'], rules: {'wc/guard-super-call': 'off'}},
  {files: ['src/**/*.ts'], plugins: {'lit-a11y': litA11y}, rules: litA11y.configs.recommended.rules},

  floor('domain', {may: 'nothing but itself', all: '/(api|chains|session|elements|locales)/|/events\\.js$|^(?!\\.)'}),
  floor('api', {may: 'the domain and the schema library', all: '^(?!\\./|\\.\\./domain/|valibot$)'}),
  floor('chains', {
    may: 'the domain and libraries of its family',
    all: '/(api|session|elements|locales)/|/events\\.js$|^(nanostores|lit|@lit/)',
  }),
  floor('session', {
    may: 'the API, the adapter interface, the domain, stores, schemas and hashes',
    all: '/chains/(?!adapter\\.js$)|/(elements|locales)/|/events\\.js$|^(?!\\.|nanostores$|valibot$|@noble/hashes/)',
  }),
  floor('locales', {may: 'types of the domain', all: '/(api|chains|session|elements)/|/events\\.js$|^(?!\\.)'}),
  floor('elements', {
    may: 'the session, the domain, locales, events, and types of API and chains',
    all: '/chains/(?!adapter\\.js$)|^(ethers|mipd|valibot)',
    values: '/(api|chains)/',
  }),
  floor('pages', {
    may: 'the domain, the chains and the words of languages, and no package',
    all: '/(api|session|elements)/|/events\\.js$|^(?!\\.)',
  }),
  floor('testing', {
    may: 'the domain and the chains',
    all: '/(api|session|elements|locales)/|/events\\.js$|^(nanostores|lit|@lit/)',
  }),
  {
    // Where a widget is assembled: the settings create its API, the element passes on the table of families.
    files: ['src/elements/settings/*.ts', 'src/elements/swap-widget.ts', 'src/elements/swap-status.ts'],
    rules: {'@typescript-eslint/no-restricted-imports': ['error', {patterns: [UNSAFE_DIRECTIVES, PROGRAMS]}]},
  },
  // Two accesses to the network: the service, and the partner's RPCs.
  {
    files: ['src/**/*.ts'],
    ignores: ['src/api/**', 'src/chains/**/rpc.ts'],
    rules: {'no-restricted-globals': ['error', 'fetch']},
  },
  {
    // Whatever a page's scripts add to prototypes.
    files: ['src/{domain,api,chains,session,elements}/**/*.ts'],
    ignores: ['src/domain/json.ts'],
    rules: {'no-restricted-properties': ['error', {object: 'JSON', property: 'stringify', message: 'Use writeJson.'}]},
  },
  withoutGlobals(['src/{domain,session}/**/*.ts'], 'fetch', ...PAGE),
  withoutGlobals(['src/api/**/*.ts'], ...PAGE),

  // Chai's assertions are expressions, and a test knows its values, or fails because of them.
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
