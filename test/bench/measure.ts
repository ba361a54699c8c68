/** What was measured: figures, their table, and their JSON. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {dirname, join} from 'node:path';
import type {Contestant} from './ground.js';
import {GOALS, type Goal} from './goals.js';

/** The groups, in the order of the table. */
export const GROUPS = ['form', 'flow', 'page', 'memory', 'start'] as const;
export type Group = (typeof GROUPS)[number];

export type Unit = 'ms' | 's' | 'kB' | 'MB' | '';

/** One measure: the figures of each run, of the widget and of the floors where these have it. */
export interface Measure extends Partial<Record<Contestant, readonly number[]>> {
  /** `group.what`; a goal has the same name. */
  readonly id: string;
  readonly what: string;
  readonly unit: Unit;
  readonly widget: readonly number[];
  /** What the widget's figure is made of. */
  readonly of?: Readonly<Record<string, number>>;
}

/** A measure as it is written down: medians. */
export interface Result extends Partial<Record<Contestant, number>> {
  readonly id: string;
  readonly what: string;
  readonly unit: Unit;
  readonly widget: number;
  /** The widget's to the Lit floor's. */
  readonly ratio?: number;
  readonly goal?: Goal & {readonly met: boolean};
  /** The lowest and the highest of the widget's runs, where they differ. */
  readonly spread?: readonly [number, number];
  readonly of?: Readonly<Record<string, number>>;
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
  readonly runs: {readonly all: number; readonly disturbed: number};
  readonly results: readonly Result[];
}

export const RESULTS = join(import.meta.dirname, 'results.json');

export function resultOf({id, what, unit, widget, lit, vanilla, of}: Measure): Result {
  const own = median(widget);
  const floor = lit && median(lit);
  // Of what should not be there at all, a ratio says nothing.
  const ratio = floor && !id.endsWith('.shift') ? own / floor : undefined;
  const goal = GOALS[id];
  const held = goal && {figure: own, ratio: ratio ?? NaN, over: own - (floor ?? NaN)}[goal.of];
  const spread = [Math.min(...widget), Math.max(...widget)] as const;
  return {
    id,
    what,
    unit,
    widget: round(own),
    ...(floor !== undefined && {lit: round(floor)}),
    ...(vanilla && {vanilla: round(median(vanilla))}),
    ...(ratio !== undefined && {ratio: round(ratio)}),
    ...(goal && {goal: {...goal, most: round(goal.most), met: (held ?? NaN) <= goal.most}}),
    ...(spread[0] !== spread[1] && {spread: [round(spread[0]), round(spread[1])] as const}),
    ...(of && {of}),
  };
}

export function reportOf(measures: readonly Measure[], runs: Report['runs'], browser: string): Report {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {processors: cpus().length, model: cpus()[0]?.model ?? '', node: process.version, browser},
    runs: {all: runs.all, disturbed: runs.disturbed},
    results: measures.map(resultOf),
  };
}

/** Writes a report, and the folder it lies in. */
export function save(report: Report, path: string): void {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
}

/** The results as lines for a terminal. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(result => [
    result.what,
    figure(result.widget, result.unit),
    result.lit === undefined ? '' : figure(result.lit, result.unit),
    result.vanilla === undefined ? '' : figure(result.vanilla, result.unit),
    result.ratio === undefined ? '' : `${result.ratio.toFixed(2)}×`,
    goalText(result),
    result.goal ? (result.goal.met ? '✓' : '✗') : '',
  ]);
  const all = [['', 'widget', 'Lit floor', 'no library', 'ratio', 'goal', ''], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map(row => row[column]!.length)));
  return all
    .map(row =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A figure with its unit. */
export function figure(value: number, unit: Unit): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 && unit !== 'kB' ? 1 : 2;
  return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}

/** What a result is held against. */
export function goalText({goal, unit}: Pick<Result, 'goal' | 'unit'>): string {
  switch (goal?.of) {
    case 'figure':
      return `≤ ${figure(goal.most, unit)}`;
    case 'ratio':
      return `≤ ${String(goal.most)}×`;
    case 'over':
      return `≤ floor + ${figure(goal.most, unit)}`;
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

/** Takes one piece after the other. What could not be measured is said, and the rest goes on. */
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
