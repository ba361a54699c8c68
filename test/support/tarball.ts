/** The packed package in empty projects, as a partner would install it. */
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const ENTRIES = ['swap-widget', 'swap-widget/define.js', 'swap-widget/core', 'swap-widget/first-paint'];

/** A page that uses the package, in TypeScript. */
export const PAGE = `import 'swap-widget/define.js';
import {SwapWidget} from 'swap-widget';
import {createCatalogue} from 'swap-widget/core';
const widget: SwapWidget = document.createElement('swap-widget');
widget.addEventListener('swap-complete', event => { event.orderId.trim(); });
document.body.append(widget, String(createCatalogue));
`;

let passed = 0;
let failed = 0;
const folder = mkdtempSync(join(tmpdir(), 'swap-widget-'));
process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export function run(command: string, cwd: string): string {
  return execFileSync(command, {cwd, encoding: 'utf8', shell: true, stdio: 'pipe'});
}

export function check(name: string, work: () => void) {
  try {
    work();
    passed += 1;
    console.log(`✓ ${name}`);
  } catch (error) {
    failed += 1;
    const {stdout = '', stderr = '', message} = error as Error & {stdout?: string; stderr?: string};
    console.log(`✗ ${name}\n${[stdout, stderr].filter(Boolean).join('\n') || message}`);
  }
}

export function mustBe(isSo: boolean, otherwise: string) {
  if (!isSo) throw new Error(otherwise);
}

export function result(): {line: string; isGood: boolean} {
  return {line: `${String(passed)} passed, ${String(failed)} failed`, isGood: !failed};
}

export function pack(root: string): string {
  run(`npm pack --silent --pack-destination ${folder}`, root);
  return tarball();
}

function tarball(): string {
  return join(folder, readdirSync(folder).find(file => file.endsWith('.tgz')) ?? '');
}

/** Creates an empty project, and installs the package and the named packages. */
export function project(name: string, packages = ''): string {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), JSON.stringify({name, private: true, type: 'module'}));
  run(`npm install --no-audit --no-fund --loglevel error ${tarball()} ${packages}`, home);
  return home;
}

export function configure(home: string, options: {compilerOptions?: object}, file: string) {
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

export function sizeOf(path: string): number {
  const stat = statSync(path);
  return stat.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.size;
}

/** The package in a project that has nothing else. */
export function checkAlone() {
  const home = project('alone');
  check('brings one package', () => {
    const packages = readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.'));
    mustBe(packages.join() === 'swap-widget', packages.join());
    console.log(`  ${(sizeOf(join(home, 'node_modules')) / 1e6).toFixed(1)} MB`);
  });
  check('Node draws the form', () => {
    const draw = "import('swap-widget/first-paint').then(m => console.log(m.firstPaint({lang: 'de'})))";
    mustBe(run(`node --eval "${draw}"`, home).includes('Du zahlst'), 'It is not there.');
  });
  for (const entry of ENTRIES) {
    check(`Node imports ${entry}`, () => run(`node --input-type=module --eval "await import('${entry}')"`, home));
  }
}

/** A partner's server, in TypeScript. */
const SERVER = `import {firstPaint, firstPaintStyles, type FirstPaintSettings} from 'swap-widget/first-paint';
const settings: FirstPaintSettings = {from: 'bitcoin:btc', to: 'base:usdc', lang: 'de'};
export const page: string = firstPaint(settings) + firstPaintStyles.join(' ');
// @ts-expect-error -- The language is a text.
firstPaint({lang: 1});
`;

/** A page of a strict project, with each module resolution of the compiler. */
export function checkTypes() {
  // Version 5 is the last one that supports the oldest of the three.
  const home = project('types', 'typescript@5.9');
  writeFileSync(join(home, 'page.ts'), PAGE + SERVER);
  for (const [moduleResolution, module] of Object.entries({bundler: 'ESNext', node16: 'Node16', node10: 'ESNext'})) {
    check(`types compile by the resolution ${moduleResolution}`, () => {
      configure(home, {compilerOptions: {module, moduleResolution}}, 'page.ts');
      run('npx tsc', home);
    });
  }
}
