/**
 * Installs only the packed package in empty projects, as a partner would, and checks the result: one package, types
 * that compile, tests that run, bundlers that neither warn nor drop anything. `npm run test:package`; it needs the
 * registry.
 */
import {copyFileSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {buildIfOutdated, DIST} from './support/dist.js';
import {EXAMPLES} from './support/examples.js';
import {check, checkAlone, checkTypes, configure, mustBe, pack, PAGE, project, result, run} from './support/tarball.js';

const ELEMENT = '<swap-widget base-url="https://the.service" theme="dark" ';
const STATUS = '<swap-status base-url="https://the.service" theme="dark" order-id="1" rpc="base https://the.node" ';

/** Binds attributes with URLs: vue-tsc takes text after "//" in a template for a comment, and skips the tag. */
const bound = (tag: string) => tag.replace(/([\w-]+)="[^"]*\/\/[^"]*"/g, ':$1="address"');

/** A page in each framework: its file, and the same with an invalid attribute. */
const FRAMEWORKS: readonly {
  readonly name: string;
  readonly packages: string;
  readonly file: string;
  readonly page: string;
  readonly check: string;
  readonly options: object;
}[] = [
  ...(
    [
      ['react', 'react@19 @types/react@19', 'onswap-complete', 'react-jsx', 'react'],
      ['solid', 'solid-js', 'on:swap-complete', 'preserve', 'solid-js'],
    ] as const
  ).map(([name, packages, listener, jsx, jsxImportSource]) => ({
    name,
    packages,
    file: 'page.tsx',
    page: `import 'swap-widget/${name}'; import 'swap-widget/status.js';
export const page = ${ELEMENT} ${listener}={event => event.orderId.trim()} />;
export const order = ${STATUS} ${listener}={event => event.orderId.trim()} />;`,
    check: 'tsc',
    options: {compilerOptions: {jsx, jsxImportSource}},
  })),
  {
    name: 'react-18',
    packages: 'react@18 @types/react@18',
    file: 'page.tsx',
    page: `import {Swap} from 'swap-widget/react';
export const page = <Swap baseUrl="https://the.service" assets={['bitcoin:btc']} className="swap" theme="dark" noHeader
  onSwapComplete={event => event.orderId.trim()} ref={widget => widget?.reset()} />;
export const order = <Swap theme="dark" />;`,
    check: 'tsc',
    options: {compilerOptions: {jsx: 'react-jsx', jsxImportSource: 'react'}},
  },
  {
    name: 'vue',
    packages: 'vue vue-tsc',
    file: 'Page.vue',
    page: `<script setup lang="ts">import 'swap-widget/vue'; const address = 'https://the.service';</script>
<template>${bound(ELEMENT)} @swap-complete="event => event.orderId.trim()" />
${bound(STATUS)} @swap-complete="event => event.orderId.trim()" /></template>`,
    check: 'vue-tsc',
    options: {vueCompilerOptions: {strictTemplates: true}},
  },
  {
    name: 'svelte',
    packages: 'svelte svelte-check',
    file: 'Page.svelte',
    page: `<script lang="ts">import 'swap-widget/svelte';</script>
${ELEMENT} onswap-complete={event => event.orderId.trim()}></swap-widget>
${STATUS} onswap-complete={event => event.orderId.trim()}></swap-status>`,
    check: 'svelte-check --tsconfig tsconfig.json',
    options: {},
  },
];

function checkFrameworks() {
  for (const {name, packages, file, page, check: command, options} of FRAMEWORKS) {
    const home = project(name, `typescript@5.9 ${packages}`);
    configure(home, options, file);
    check(`types compile in ${name}, and tell what is wrong`, () => {
      writeFileSync(join(home, file), page);
      run(`npx ${command}`, home);
      writeFileSync(join(home, file), page.replaceAll('theme="dark"', 'theme="beige"'));
      let said = '';
      try {
        run(`npx ${command}`, home);
      } catch (error) {
        said = (error as {stdout: string}).stdout;
      }
      mustBe(said.split('beige').length > 2, 'A theme that is none compiles.');
    });
  }
}

/** The React component without a document. */
function checkServer() {
  for (const version of ['18', '19']) {
    const home = project(`react-${version}-on-a-server`, `react@${version} react-dom@${version}`);
    writeFileSync(
      join(home, 'page.js'),
      `import {createElement} from 'react';
import {renderToString} from 'react-dom/server';
import {Swap} from 'swap-widget/react';
const props = {baseUrl: 'https://the.service', noHeader: true, paused: false, assets: ['bitcoin:btc'], className: 'swap', onSwapComplete() {}};
console.log(renderToString(createElement(Swap, props)));`,
    );
    check(`React ${version} writes the element on a server`, () => {
      const said = run('node page.js', home).trim();
      const parts = /^<swap-widget (.*)><\/swap-widget>$/.exec(said)?.[1]?.split(' ').sort().join(' ');
      mustBe(parts === 'base-url="https://the.service" class="swap" no-header=""', said);
    });
  }
}

/** A partner's tests: without a browser, in emulated ones. */
function checkTestRunners() {
  for (const environment of ['jsdom', 'happy-dom']) {
    const home = project(environment, `vitest ${environment}`);
    copyFileSync(join(EXAMPLES, 'swap.test.js'), join(home, 'swap.test.js'));
    check(`a test in ${environment} shows a price, and swaps`, () => {
      run(`npx vitest run --environment ${environment}`, home);
    });
  }
}

function checkBundlers() {
  const bundlers = [
    ['vite', 'vite', 'vite build --outDir out'],
    [
      'webpack',
      'webpack webpack-cli',
      'webpack --mode production --entry ./page.js --output-path out --no-performance',
    ],
    ['esbuild', 'esbuild', 'esbuild page.js --bundle --splitting --format=esm --outdir=out'],
    ['parcel', 'parcel', 'parcel build index.html --dist-dir out --no-cache'],
  ] as const;
  for (const [name, packages, command] of bundlers) {
    const home = project(name, packages);
    writeFileSync(join(home, 'page.js'), PAGE.replace(': SwapWidget', ''));
    writeFileSync(join(home, 'index.html'), '<!doctype html><script type="module" src="./page.js"></script>');
    check(`${name} builds a page without a warning, and loses nothing`, () => {
      const output = run(`npx ${command} 2>&1`, home);
      mustBe(!/warning|\(!\)/i.test(output), output);
      const scripts = readdirSync(join(home, 'out'), {recursive: true, encoding: 'utf8'}).filter(file =>
        file.endsWith('.js'),
      );
      const code = scripts.map(file => readFileSync(join(home, 'out', file), 'utf8'));
      mustBe(scripts.length > 20, `${String(scripts.length)} scripts`);
      if (name === 'esbuild') loseNothing(home, command);
      else {
        const empty = scripts.filter((_, index) => !code[index]?.trim());
        mustBe(!empty.length, `empty: ${empty.join()}`);
      }
      for (const tag of ['swap-widget-review-view', 'swap-widget-deposit-view', 'swap-widget-value-amount']) {
        mustBe(
          code.some(text => text.includes(`${tag}"`) || text.includes(`${tag}'`)),
          `Nothing registers <${tag}>.`,
        );
      }
    });
  }
}

/**
 * What esbuild omits because of the package's `sideEffects`. A file from which it writes nothing either way only
 * re-exports others, or has functions that nobody calls; the result may be an empty script.
 */
function loseNothing(home: string, command: string) {
  const leftOut = (option: string) => {
    run(`npx ${command} ${option} --metafile=meta.json 2>&1`, home);
    const {inputs, outputs} = JSON.parse(readFileSync(join(home, 'meta.json'), 'utf8')) as Metafile;
    const written = new Set(
      Object.values(outputs).flatMap(output =>
        Object.entries(output.inputs).flatMap(([file, {bytesInOutput}]) => (bytesInOutput ? [file] : [])),
      ),
    );
    return Object.keys(inputs).filter(file => !written.has(file));
  };
  const anyway = leftOut('--ignore-annotations');
  const lost = leftOut('').filter(file => !anyway.includes(file));
  mustBe(!lost.length, `left out: ${lost.join()}`);
}

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, {readonly inputs: Record<string, {readonly bytesInOutput: number}>}>>;
}

buildIfOutdated();
pack(join(DIST, '..'));
checkAlone();
checkTypes();
checkFrameworks();
checkServer();
checkTestRunners();
checkBundlers();
console.log(`\n${result().line}`);
process.exit(result().isGood ? 0 : 1);
