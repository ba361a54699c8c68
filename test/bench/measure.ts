/** The results: figures, their table, and their JSON. */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {dirname, join} from 'node:path';
import type {Contestant} from './ground.js';
import {GOALS, type Goal} from './goals.js';

export const GROUPS = ['form', 'feel', 'flow', 'memory', 'visitor'] as const;
export type Group = (typeof GROUPS)[number];

export type Unit = 'ms' | 'kB' | 'MB' | '';

/** One measure: the figure of each run, for the widget, and for the baseline if it has it. */
export interface Measure extends Partial<Record<Contestant, readonly number[]>> {
  /** `group.what`; a goal has the same name. */
  readonly id: string;
  readonly what: string;
  readonly unit: Unit;
  readonly widget: readonly number[];
}

/** A measure as it is stored: medians. */
export interface Result extends Partial<Record<Contestant, number>> {
  readonly id: string;
  readonly what: string;
  readonly unit: Unit;
  readonly widget: number;
  /** The widget's to the Lit baseline's. */
  readonly ratio?: number;
  readonly goal?: Goal & {readonly met: boolean};
  /** The lowest and the highest of the widget's runs, if they differ. */
  readonly spread?: readonly [number, number];
}

export interface Report {
  /** The day, as `2026-01-31`. */
  readonly date: string;
  readonly machine: {
    readonly processors: number;
    readonly model: string;
    readonly node: string;
    readonly browser: string;
  };
  readonly results: readonly Result[];
}

export type Reports = Partial<Record<Group, Report>>;
export const RESULTS = join(import.meta.dirname, 'results.json');

function resultOf({id, what, unit, widget, lit}: Measure): Result {
  const own = median(widget);
  const baseline = lit && median(lit);
  const ratio = baseline ? own / baseline : undefined;
  const goal = GOALS[id];
  const held = goal && {figure: own, ratio: ratio ?? NaN, over: own - (baseline ?? NaN)}[goal.of];
  const spread = [Math.min(...widget), Math.max(...widget)] as const;
  return {
    id,
    what,
    unit,
    widget: round(own),
    ...(baseline !== undefined && {lit: round(baseline)}),
    ...(ratio !== undefined && {ratio: round(ratio)}),
    ...(goal && {goal: {...goal, most: round(goal.most), met: (held ?? NaN) <= goal.most}}),
    ...(spread[0] !== spread[1] && {spread: [round(spread[0]), round(spread[1])] as const}),
  };
}

export function reportOf(measures: readonly Measure[], browser: string): Report {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {processors: cpus().length, model: cpus()[0]?.model ?? '', node: process.version, browser},
    results: measures.map(resultOf),
  };
}

/** Writes reports, and creates their folder. Reports of other groups are kept. */
export function save(reports: Reports, path: string): void {
  mkdirSync(dirname(path), {recursive: true});
  const all = {...readReports(path), ...reports};
  const sorted = Object.fromEntries(GROUPS.flatMap(group => (all[group] ? [[group, all[group]]] : [])));
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** The reports in a file; none if it does not exist. */
export function readReports(path = RESULTS): Reports {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Reports) : {};
}

const HEAD = ['', 'widget', 'baseline', 'ratio', 'goal'] as const;

function rowOf(result: Result): string[] {
  const {what, widget, lit, ratio, goal, unit} = result;
  return [
    what,
    figure(widget, unit),
    lit === undefined ? '' : figure(lit, unit),
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    goal ? `${goalText(result)} ${goal.met ? '✓' : '✗'}` : '',
  ];
}

/** The results as lines for a terminal. */
export function tableOf(results: readonly Result[]): string {
  const rows = [[...HEAD], ...results.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!);
  return rows.map(row => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** The results as a table in Markdown, without columns that are empty. */
export function markdownOf(results: readonly Result[]): string {
  const rows = results.map(rowOf);
  const used = HEAD.map((_, column) => column).filter(column => rows.some(row => row[column]));
  const line = (row: readonly string[]) => `| ${used.map(column => row[column]).join(' | ')} |`;
  return [HEAD, HEAD.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map(line).join('\n');
}

function figure(value: number, unit: Unit): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 && unit !== 'kB' ? 1 : 2;
  return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}

function goalText({goal, unit}: Pick<Result, 'goal' | 'unit'>): string {
  switch (goal?.of) {
    case 'figure':
      return `≤ ${figure(goal.most, unit)}`;
    case 'ratio':
      return `≤ ${String(goal.most)}×`;
    case 'over':
      return `≤ +${figure(goal.most, unit)}`;
    case undefined:
      return '';
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** Runs the measurements one after the other. A failed one is reported, and the others continue. */
export async function gather(...pieces: readonly (() => Measure[] | Promise<Measure[]>)[]): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const piece of pieces) {
    try {
      measures.push(...(await piece()));
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
  return measures;
}
