/**
 * Small defects in a source, made by operators over its syntax tree. None is in types, comments, imports, or what is
 * said to people (the details of errors, the console).
 */
import {readFileSync} from 'node:fs';
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  /** What was done to the code, such as `boundary moved`. With the text it is done to, it says what the result is. */
  readonly operator: string;
  /** What is replaced: from and to this place in the text. It is an expression or a statement. */
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly is: string;
  readonly line: number;
  /** The name of the function around it, or of the constant. */
  readonly within: string;
  /** Whether it is reached as its file is loaded: only then, and even if that is during a test. */
  readonly isAtLoad: boolean;
  /** The code that is changed, on one line; for a number with what is around it. */
  readonly was: string;
}

export function mutantsOf(file: string, text = readFileSync(file, 'utf8')): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node) => {
    if (isSilent(node)) return;
    for (const [operator, is, place = node] of changesOf(node)) {
      const start = place.getStart();
      found.push({
        file,
        operator,
        start,
        end: place.end,
        is,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        within: nameAround(node),
        isAtLoad: !ts.findAncestor(node, ts.isFunctionLike),
        was: onOneLine((ts.isNumericLiteral(node) || ts.isBigIntLiteral(node) ? node.parent : place).getText()),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function withMutant(text: string, {start, end, is}: Mutant): string {
  return text.slice(0, start) + is + text.slice(end);
}

/** The text of a file in which each place of a defect calls `hit` with its numbers as it is reached. */
export function withHits(text: string, mutants: readonly (readonly [number: number, mutant: Mutant])[], hit: string) {
  const source = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true);
  const ranges = new Map<string, number[]>();
  for (const [number, {start, end}] of mutants) {
    const range = `${String(start)}-${String(end)}`;
    ranges.set(range, [...(ranges.get(range) ?? []), number]);
  }
  const calls = new Map<ts.Node, number[]>();
  const place = (node: ts.Node) => {
    const range = `${String(node.getStart())}-${String(node.end)}`;
    const numbers = ranges.get(range);
    ranges.delete(range);
    const whole = wholeChain(node);
    if (numbers) calls.set(whole, [...(calls.get(whole) ?? []), ...numbers]);
    ts.forEachChild(node, place);
  };
  place(source);
  const write = (node: ts.Node): string => {
    let [written, at] = ['', node.getStart()];
    ts.forEachChild(node, child => {
      written += text.slice(at, child.getStart()) + write(child);
      at = child.end;
    });
    written += text.slice(at, node.end);
    const numbers = calls.get(node);
    if (!numbers) return written;
    const call = `${hit}(${numbers.join()})`;
    if (ts.isStatement(node)) return `{${call};${written}}`;
    return ts.isSpreadAssignment(node) ? `...(${call},{}),${written}` : `(${call},${written})`;
  };
  return text.slice(0, source.getStart()) + write(source);
}

/** The expression that ends where the chain of accesses and calls does: one in the middle cannot be wrapped. */
function wholeChain(node: ts.Node): ts.Node {
  const {parent} = node as {parent: ts.Node | undefined};
  const isAccess =
    parent !== undefined &&
    (ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent) ||
      ts.isCallExpression(parent) ||
      ts.isNonNullExpression(parent)) &&
    (parent.expression === node || (parent as {name?: ts.Node}).name === node);
  return isAccess ? wholeChain(parent) : node;
}

/** What is not changed, with all that is in it. */
function isSilent(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isHeritageClause(node)) return true;
  if (ts.isNewExpression(node)) return /^(?:\w+\.)?(?!Swap)\w*Error$/.test(node.expression.getText());
  if (ts.isPropertyAssignment(node)) return /^(?:detail|message)$/.test(node.name.getText());
  if (ts.isCallExpression(node)) return node.expression.getText().startsWith('console.');
  return false;
}

type Change = readonly [operator: string, is: string, place?: ts.Node];

const SWAPPED: Readonly<Record<string, readonly [operator: string, is: string]>> = {
  '<': ['boundary moved', '<='],
  '<=': ['boundary moved', '<'],
  '>': ['boundary moved', '>='],
  '>=': ['boundary moved', '>'],
  '===': ['equality negated', '!=='],
  '!==': ['equality negated', '==='],
  '&&': ['and/or swapped', '||'],
  '||': ['and/or swapped', '&&'],
  '+': ['arithmetic swapped', '-'],
  '-': ['arithmetic swapped', '+'],
  '*': ['arithmetic swapped', '/'],
  '/': ['arithmetic swapped', '*'],
  '%': ['arithmetic swapped', '*'],
  '**': ['arithmetic swapped', '*'],
  '+=': ['arithmetic swapped', '-='],
  '-=': ['arithmetic swapped', '+='],
  '*=': ['arithmetic swapped', '/='],
};
const NAMES: Readonly<Record<string, readonly [operator: string, is: string]>> = {
  some: ['some/every swapped', 'every'],
  every: ['some/every swapped', 'some'],
  min: ['min/max swapped', 'max'],
  max: ['min/max swapped', 'min'],
};
const PREDICATED = /^(?:filter|find|findLast|findIndex|findLastIndex|some|every)$/;

/** The defects of one node, without those in its children. */
function changesOf(node: ts.Node): readonly Change[] {
  if (ts.isIfStatement(node)) return decided(node.expression);
  if (ts.isConditionalExpression(node)) return decided(node.condition);
  if (ts.isWhileStatement(node)) return [['made false', '(false)', node.expression]];
  if (ts.isForStatement(node)) return node.condition ? [['made false', '(false)', node.condition]] : [];
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return ofUnary(node);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return ofNumber(node);
  if (ts.isRegularExpressionLiteral(node)) return ofPattern(node.text);
  if (ts.isStringLiteral(node)) return isCompared(node) ? [['text emptied', "''"]] : [];
  if (ts.isSpreadAssignment(node)) return isSpread(node.expression) ? [['spread dropped', '...{}']] : [];
  if (ts.isExpressionStatement(node)) {
    const called = ts.isAwaitExpression(node.expression) || ts.isVoidExpression(node.expression);
    const call = called ? (node.expression as ts.AwaitExpression).expression : node.expression;
    // Without `super()`, or with more around it, a constructor fails for whoever calls it.
    if (!ts.isCallExpression(call) || call.expression.kind === ts.SyntaxKind.SuperKeyword) return [];
    return isSilent(call) || isAllOfIf(node) ? [] : [['call dropped', ';']];
  }
  if (ts.isReturnStatement(node)) {
    const isNothing = !node.expression || node.expression.getText() === 'undefined';
    return isNothing && !isAllOfIf(node) && !isLast(node) ? [['return dropped', ';']] : [];
  }
  return [];
}

function decided(condition: ts.Expression): readonly Change[] {
  return [
    ['made true', '(true)', condition],
    ['made false', '(false)', condition],
  ];
}

/** Whether both results of an expression are tried already: negating it would be found wherever one of these is. */
function isDecided(node: ts.Expression): boolean {
  const {parent} = node;
  if (ts.isParenthesizedExpression(parent)) return isDecided(parent);
  if (ts.isBinaryExpression(parent) && parent.left === node && isOfSpread(parent)) return true;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return ts.isArrowFunction(parent) && ts.isCallExpression(parent.parent) && isPredicate(parent, parent.parent);
}

function isPredicate(argument: ts.Expression, {expression, arguments: [first]}: ts.CallExpression): boolean {
  return argument === first && ts.isPropertyAccessExpression(expression) && PREDICATED.test(expression.name.text);
}

function ofBinary(node: ts.BinaryExpression): readonly Change[] {
  const {left, right, operatorToken} = node;
  const sign = operatorToken.getText();
  if (sign === '??') return right.getText() === 'undefined' ? [] : [['default dropped', `(${left.getText()})`]];
  const [operator, other] = Object.hasOwn(SWAPPED, sign) ? SWAPPED[sign]! : [];
  if (!operator || (sign.startsWith('+') && isText(node))) return [];
  // A text that is compared is emptied: what finds that, finds the opposite.
  const isWeaker = isDecided(node) || [left, right].some(side => ts.isStringLiteral(side) && isCompared(side));
  if (operator === 'equality negated' && isWeaker) return [];
  if (operator === 'and/or swapped' && isOfSpread(node)) return [];
  const changed = `${left.getText()} ${other!} ${right.getText()}`;
  // An assignment stays a statement; and whatever is inside keeps its order.
  const isAssignment = sign.endsWith('=') && operator === 'arithmetic swapped';
  return [[operator, isAssignment ? changed : `((${left.getText()}) ${other!} (${right.getText()}))`]];
}

/** Whether a sum puts together text. */
function isText(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node)) return isText(node.left) || isText(node.right);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function ofUnary(node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression): readonly Change[] {
  const {operator} = node;
  const text = node.operand.getText();
  if (operator === ts.SyntaxKind.ExclamationToken) return isDecided(node) ? [] : [['not dropped', `(${text})`]];
  if (operator === ts.SyntaxKind.PlusPlusToken) return [['arithmetic swapped', `${text}--`]];
  if (operator === ts.SyntaxKind.MinusMinusToken) return [['arithmetic swapped', `${text}++`]];
  return operator === ts.SyntaxKind.MinusToken ? [['arithmetic swapped', `(${text})`]] : [];
}

function ofCall(node: ts.CallExpression): readonly Change[] {
  const {expression, arguments: given} = node;
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const {name} = expression;
  const isMath = expression.expression.getText() === 'Math';
  const isSwapped = isMath ? /^(?:min|max)$/.test(name.text) : /^(?:some|every)$/.test(name.text);
  const changes: Change[] = isSwapped ? [[...NAMES[name.text]!, name]] : [];
  const [first] = given;
  if (!first || !PREDICATED.test(name.text)) return changes;
  if (ts.isArrowFunction(first)) return ts.isBlock(first.body) ? changes : [...changes, ...decided(first.body)];
  return ts.isIdentifier(first)
    ? [...changes, ['made true', '() => true', first], ['made false', '() => false', first]]
    : changes;
}

/** From here on a number is a measure: nobody depends on its last digit. */
const MEASURE = 1000n;

function ofNumber(node: ts.NumericLiteral | ts.BigIntLiteral): readonly Change[] {
  const big = ts.isBigIntLiteral(node) ? 'n' : '';
  const isName =
    (ts.isPropertyAssignment(node.parent) || ts.isPropertyAccessExpression(node.parent)) &&
    (node.parent.name as ts.Node) === node;
  if (isName || !/^(?:\d+|0x[0-9a-f]+)n?$/i.test(node.text)) return [];
  const value = BigInt(node.text.replace(/n$/, ''));
  const [more, less] = value < MEASURE ? [value + 1n, value - 1n] : [value * 2n, value / 2n];
  const raised: Change = ['number raised', String(more) + big];
  return value === 0n ? [raised] : [raised, ['number lowered', String(less) + big]];
}

/** A pattern with one of its anchors or quantifiers loosened. */
function ofPattern(literal: string): readonly Change[] {
  const changes: Change[] = [];
  let inClass = false;
  for (let at = 1; at < literal.lastIndexOf('/'); at++) {
    const [sign, before] = [literal[at]!, literal[at - 1]!];
    const put = (operator: string, length: number, is: string) =>
      changes.push([operator, (literal.slice(0, at) + is + literal.slice(at + length)).replace(/^\/\//, '/(?:)/')]);
    if (sign === '\\') at++;
    else if (inClass) inClass = sign !== ']';
    else if (sign === '[') inClass = true;
    else if (sign === '^') put('start loosened', 1, '');
    else if (sign === '$') put('end loosened', 1, '');
    else if (sign === '+' && before !== '(') put('fewer allowed', 1, '*');
    const [count, least, comma, most] = (!inClass && /^\{(\d+)(,?)(\d*)\}/.exec(literal.slice(at))) || [];
    if (count === undefined || least === undefined) continue;
    if (Number(least)) put('fewer allowed', count.length, `{${String(Number(least) - 1)},${comma ? most! : least}}`);
    if (most) put('more allowed', count.length, `{${least},${String(Number(most) + 1)}}`);
    else if (!comma) put('more allowed', count.length, `{${least},}`);
  }
  return changes;
}

function isCompared(node: ts.StringLiteral): boolean {
  const {parent} = node;
  if (node.text === '') return false;
  if (ts.isCaseClause(parent)) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()) && !isDecided(parent);
}

function isSpread(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isSpread(node.expression);
  return ts.isConditionalExpression(node) || (ts.isBinaryExpression(node) && isOfSpread(node));
}

/** Whether this is `condition && object` in a spread: dropping that is stronger than changing the condition. */
function isOfSpread({operatorToken, parent}: ts.BinaryExpression): boolean {
  const isAnd = operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  return isAnd && ts.isParenthesizedExpression(parent) && ts.isSpreadAssignment(parent.parent);
}

/** Whether a statement is all that an `if` does: without it, the `if` does what it does where it is never true. */
function isAllOfIf(node: ts.Statement): boolean {
  const around = ts.isBlock(node.parent) && node.parent.statements.length === 1 ? node.parent : node;
  return ts.isIfStatement(around.parent) && around.parent.thenStatement === around && !around.parent.elseStatement;
}

/** Whether a function ends after this statement anyway. */
function isLast(node: ts.Node): boolean {
  const {parent} = node;
  if (ts.isBlock(parent))
    return parent.statements.at(-1) === node && (ts.isFunctionLike(parent.parent) || isLast(parent));
  return (ts.isIfStatement(parent) || ts.isTryStatement(parent) || ts.isCatchClause(parent)) && isLast(parent);
}

/** The name of the function around a node, or of the constant. */
function nameAround(node: ts.Node): string {
  let constant = '';
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const {name} = at as {name?: ts.Node};
    if (!name || !ts.isIdentifier(name)) continue;
    if (ts.isFunctionLike(at)) return name.text;
    const {initializer} = at as {initializer?: ts.Node};
    if (initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))) return name.text;
    if (ts.isVariableDeclaration(at)) constant = name.text;
  }
  return constant;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
