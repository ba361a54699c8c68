/**
 * Compiles the sandbox's Solana programs: `node --import tsx demo/sandbox/contracts/solana/build.ts`.
 *
 * The results, `htlc.so` and `tokens.so`, are committed, so that running them needs no compiler. The build is
 * reproducible: the same clang produces the same bytes, and a file holds the clang's version and a hash of its sources.
 * With `--check` nothing is written; the exit code says whether the committed files match the sources. Without that
 * clang, the check only compares the hash.
 */
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {link} from './link.js';

const here = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const PROGRAMS = ['htlc', 'tokens'] as const;
type Program = (typeof PROGRAMS)[number];
const artifactOf = (name: Program) => here(`${name}.so`);
const COMPILER = 'clang-19';
const FLAGS = [
  ...['-target', 'bpf', '-mcpu=v2', '-O2', '-std=c11', '-Wall', '-Wextra', '-Werror'],
  // There is no C library, and the same memory is read as bytes and as words.
  ...['-ffreestanding', '-fno-builtin', '-fno-strict-aliasing', '-fno-ident'],
  // Stack frames have 4 kB in this machine; clang assumes the Linux kernel's 512 bytes.
  ...['-mllvm', '-bpf-stack-size=4096'],
];

/** A hash of all that an artifact is made from, which is stored in it. */
function recipe(name: Program): string {
  const read = (file: string) => readFileSync(here(file), 'utf8').replaceAll('\r\n', '\n');
  const hash = createHash('sha256');
  for (const part of [...[`${name}.c`, 'machine.h', 'link.ts'].map(read), FLAGS.join(' ')])
    hash.update(part).update('\0');
  return `sources ${hash.digest('hex')}`;
}

/** The compiler's version; `undefined` if it is not installed. */
function compilerVersion(): string | undefined {
  const {status, stdout} = spawnSync(COMPILER, ['--version'], {encoding: 'utf8'});
  return status === 0 ? /version (\S+)/.exec(stdout)?.[1] : undefined;
}

/** Compiles and links a program with the installed clang, which has this version. */
function build(name: Program, version: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const object = join(folder, `${name}.o`);
  try {
    const {status, stderr} = spawnSync(COMPILER, [...FLAGS, '-c', here(`${name}.c`), '-o', object], {encoding: 'utf8'});
    if (status !== 0) throw new Error(stderr);
    return link(readFileSync(object), `${name}.c, clang ${version}, ${recipe(name)}`);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

/** Whether the committed artifacts match the sources, and in words how that was determined. */
export function check(): {good: boolean; says: string} {
  const found = PROGRAMS.map(checkOne);
  return {good: found.every(({good}) => good), says: found.map(({says}) => says).join('\n')};
}

function checkOne(name: Program): {good: boolean; says: string} {
  const artifact = readFileSync(artifactOf(name));
  const outdated = `${name}.so is out of date: node --import tsx demo/sandbox/contracts/solana/build.ts`;
  if (!artifact.includes(recipe(name))) return {good: false, says: outdated};
  const version = compilerVersion();
  const madeWith = /clang (\S+),/.exec(artifact.toString('latin1'))?.[1] ?? 'of unknown version';
  if (version !== madeWith) {
    return {
      good: true,
      says: `${name}.so has the hash of the sources; not rebuilt, as clang ${madeWith} is not installed`,
    };
  }
  const good = build(name, version).equals(artifact);
  return {good, says: good ? `${name}.so matches the sources, rebuilt with clang ${version}` : outdated};
}

/** Builds the programs, or with `--check` says whether that is needed. @throws Error if the compiler is missing. */
export function main(args: readonly string[]): void {
  if (args.includes('--check')) {
    const {good, says} = check();
    console.log(says);
    process.exitCode ||= good ? 0 : 1;
  } else {
    const version = compilerVersion();
    if (!version) throw new Error(`${COMPILER} is not installed`);
    for (const name of PROGRAMS) {
      writeFileSync(artifactOf(name), build(name, version));
      console.log(`wrote ${artifactOf(name)}`);
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv);
