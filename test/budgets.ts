/**
 * How large the code is, beside how large it may be: a step of `npm run verify`. `most` is what a change may not exceed;
 * it only ever comes down, towards `goal`. Text that a program writes does not count.
 */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import ts from 'typescript';

interface Budget {
  readonly what: string;
  readonly is: number;
  readonly most: number;
  readonly goal: number;
}

interface Source {
  readonly path: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
}

const WRITTEN_BY_A_PROGRAM = /^\/[/*] (?:Written|Generated) by /;
const LONG_FUNCTION = 80;
const LONG_FILE = 400;

const {stdout} = spawnSync('git', ['ls-files', '*.ts'], {encoding: 'utf8'});
const sources = stdout.split('\n').flatMap((path): readonly Source[] => {
  if (!path || path.endsWith('.d.ts')) return [];
  const text = readFileSync(path, 'utf8');
  if (WRITTEN_BY_A_PROGRAM.test(text)) return [];
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return [{path, lines: text.split('\n').length - 1, tree}];
});

const under = (...folders: readonly string[]) => sources.filter(({path}) => folders.some(one => path.startsWith(one)));
const linesOf = (some: readonly Source[]) => some.reduce((sum, {lines}) => sum + lines, 0);

const programs = under('src/server/', 'src/pages/', 'src/testing/');
const src = under('src/');
const widget = src.filter(source => !programs.includes(source));

function nodesIn(tree: ts.Node, isWanted: (node: ts.Node) => boolean): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    if (isWanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function count(some: readonly Source[], isWanted: (node: ts.Node, tree: ts.SourceFile) => boolean): number {
  return some.reduce((sum, {tree}) => sum + nodesIn(tree, node => isWanted(node, tree)).length, 0);
}

function isLongFunction(node: ts.Node, tree: ts.SourceFile): boolean {
  if (!ts.isFunctionLike(node)) return false;
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  return lineOf(node.end) - lineOf(node.getStart(tree)) + 1 > LONG_FUNCTION;
}

function isStore(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /^(?:atom|computed)$/.test(node.expression.getText());
}

/** A map or set that is empty at first, held by the module: state that no session owns. */
function isMapOfModule(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node) || !ts.isSourceFile(node.parent.parent.parent)) return false;
  const {initializer} = node;
  const isMap =
    initializer && ts.isNewExpression(initializer) && /^(?:Weak)?(?:Map|Set)$/.test(initializer.expression.getText());
  return Boolean(isMap && !initializer.arguments?.length);
}

/** A name that an entry exports; it exports nothing without naming it. */
function isExported(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node) && !node.exportClause) throw new Error('An entry names what it exports.');
  const isOwn =
    ts.isFunctionDeclaration(node) && node.modifiers?.some(({kind}) => kind === ts.SyntaxKind.ExportKeyword);
  return ts.isExportSpecifier(node) || Boolean(isOwn);
}

const budgets: readonly Budget[] = [
  {what: 'lines of the widget', is: linesOf(widget), most: 38_599, goal: 30_000},
  {what: 'lines of src/server, pages, testing', is: linesOf(programs), most: 2_832, goal: 3_000},
  {what: 'lines of tests', is: linesOf(under('test/')), most: 67_577, goal: 50_000},
  {what: 'lines of the demo', is: linesOf(under('demo/')), most: 22_415, goal: 21_000},
  {what: 'lines of the build', is: linesOf(under('.build/', 'vite.config.ts')), most: 672, goal: 500},
  {what: 'functions over 80 lines in src', is: count(src, isLongFunction), most: 0, goal: 0},
  {what: 'files over 400 lines in src', is: src.filter(({lines}) => lines > LONG_FILE).length, most: 5, goal: 5},
  {what: 'stores: atom and computed', is: count(src, isStore), most: 26, goal: 25},
  {what: 'maps at module level in src', is: count(src, isMapOfModule), most: 8, goal: 8},
  {what: 'names that core exports', is: count(under('src/core.ts'), isExported), most: 30, goal: 30},
];

console.log(`${'budget'.padEnd(38)}${'now'.padStart(8)}${'most'.padStart(8)}${'goal'.padStart(8)}`);
for (const {what, is, most, goal} of budgets) {
  console.log(`${what.padEnd(38)}${[is, most, goal].map(number => String(number).padStart(8)).join('')}`);
  if (is <= most) continue;
  console.error(`${what}: ${String(is)}, and no more than ${String(most)} are allowed`);
  process.exitCode = 1;
}
