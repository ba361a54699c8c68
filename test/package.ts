/**
 * Installs the packed package alone into empty projects, as a partner would, and checks what comes of it: one package,
 * types that compile, bundlers that neither warn nor lose anything. `npm run test:package`; it needs the registry.
 */
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buildIfOutdated, DIST} from './support/dist.js';

const ENTRIES = ['swap-widget', 'swap-widget/define.js', 'swap-widget/core'];
const PAGE = `import 'swap-widget/define.js';
import {SwapWidget} from 'swap-widget';
import {createCatalogue} from 'swap-widget/core';
const widget: SwapWidget = document.createElement('swap-widget');
widget.addEventListener('swap-complete', event => { event.orderId.trim(); });
document.body.append(widget, String(createCatalogue));
`;
const ELEMENT = '<swap-widget base-url="https://the.service" theme="dark" ';

/** A page in each framework: its file, and the same with an attribute that is wrong. */
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
    page: `import 'swap-widget/${name}'; export const page = ${ELEMENT} ${listener}={event => event.orderId.trim()} />;`,
    check: 'tsc',
    options: {compilerOptions: {jsx, jsxImportSource}},
  })),
  {
    name: 'vue',
    packages: 'vue vue-tsc',
    file: 'Page.vue',
    page: `<script setup lang="ts">import 'swap-widget/vue';</script>
<template>${ELEMENT} @swap-complete="event => event.orderId.trim()" /></template>`,
    check: 'vue-tsc',
    options: {vueCompilerOptions: {strictTemplates: true}},
  },
  {
    name: 'svelte',
    packages: 'svelte svelte-check',
    file: 'Page.svelte',
    page: `<script lang="ts">import 'swap-widget/svelte';</script>
${ELEMENT} onswap-complete={event => event.orderId.trim()}></swap-widget>`,
    check: 'svelte-check --tsconfig tsconfig.json',
    options: {},
  },
];

let passed = 0;
let failed = 0;
const folder = mkdtempSync(join(tmpdir(), 'swap-widget-'));

function run(command: string, cwd: string): string {
  return execFileSync(command, {cwd, encoding: 'utf8', shell: true, stdio: 'pipe'});
}

function check(name: string, work: () => void) {
  try {
    work();
    passed += 1;
    console.log(`✓ ${name}`);
  } catch (error) {
    failed += 1;
    const {stdout = '', stderr = '', message} = error as Error & {stdout?: string; stderr?: string};
    console.log(`✗ ${name}\n${stdout || stderr || message}`);
  }
}

function mustBe(isSo: boolean, otherwise: string) {
  if (!isSo) throw new Error(otherwise);
}

/** Makes an empty project, installs the package in it, and with it the packages named. */
function project(name: string, packages = ''): string {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), JSON.stringify({name, private: true, type: 'module'}));
  const tarball = readdirSync(folder).find(file => file.endsWith('.tgz')) ?? '';
  run(`npm install --no-audit --no-fund --loglevel error ${join(folder, tarball)} ${packages}`, home);
  return home;
}

function configure(home: string, options: {compilerOptions?: object}, file: string) {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    ...options.compilerOptions,
  };
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({...options, compilerOptions, include: [file]}));
}

function sizeOf(path: string): number {
  const stat = statSync(path);
  return stat.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.size;
}

function checkAlone() {
  const home = project('alone');
  check('brings one package', () => {
    const packages = readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.'));
    mustBe(packages.join() === 'swap-widget', packages.join());
    console.log(`  ${(sizeOf(join(home, 'node_modules')) / 1e6).toFixed(1)} MB`);
  });
  for (const entry of ENTRIES) {
    check(`Node imports ${entry}`, () => run(`node --input-type=module --eval "await import('${entry}')"`, home));
  }
}

function checkTypes() {
  // Version 5 is the last that has the oldest of the three.
  const home = project('types', 'typescript@5.9');
  writeFileSync(join(home, 'page.ts'), PAGE);
  for (const [moduleResolution, module] of Object.entries({bundler: 'ESNext', node16: 'Node16', node10: 'ESNext'})) {
    check(`types compile by the resolution ${moduleResolution}`, () => {
      configure(home, {compilerOptions: {module, moduleResolution}}, 'page.ts');
      run('npx tsc', home);
    });
  }
}

function checkFrameworks() {
  for (const {name, packages, file, page, check: command, options} of FRAMEWORKS) {
    const home = project(name, `typescript@5.9 ${packages}`);
    configure(home, options, file);
    check(`types compile in ${name}, and tell what is wrong`, () => {
      writeFileSync(join(home, file), page);
      run(`npx ${command}`, home);
      writeFileSync(join(home, file), page.replace('theme="dark"', 'theme="beige"'));
      let said = '';
      try {
        run(`npx ${command}`, home);
      } catch (error) {
        said = (error as {stdout: string}).stdout;
      }
      mustBe(said.includes('beige'), 'A theme that is none compiles.');
    });
  }
}

function checkBundlers() {
  const bundlers = [
    ['vite', 'vite', 'vite build --outDir out'],
    [
      'webpack',
      'webpack webpack-cli',
      'webpack --mode production --entry ./page.js --output-path out --performance false',
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
      const empty = scripts.filter((_, index) => !code[index]?.trim());
      mustBe(scripts.length > 20 && !empty.length, `${String(scripts.length)} scripts; empty: ${empty.join()}`);
      for (const tag of ['swap-widget-review-view', 'swap-widget-deposit-view', 'swap-widget-value-amount']) {
        mustBe(
          code.some(text => text.includes(`${tag}"`) || text.includes(`${tag}'`)),
          `Nothing registers <${tag}>.`,
        );
      }
    });
  }
}

try {
  buildIfOutdated();
  run(`npm pack --silent --ignore-scripts --pack-destination ${folder}`, join(DIST, '..'));
  checkAlone();
  checkTypes();
  checkFrameworks();
  checkBundlers();
} finally {
  rmSync(folder, {recursive: true});
}
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed ? 1 : 0);
