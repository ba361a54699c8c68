/** `swap-widget-conformance` as it is in the package: a program in one file. */
import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Report} from '../../demo/conformance/conform.js';
import {DIST} from '../support/dist.js';
import {newAppId, SandboxClient} from '../sandbox/client.js';
import {sandbox} from '../support/sandbox.js';

const PROGRAM = join(DIST, 'bin/conformance.js');

function run(...args: string[]): Promise<{code: number; output: string}> {
  return new Promise(done => {
    execFile(process.execPath, [PROGRAM, ...args], (error, output) => {
      done({code: error ? Number(error.code) : 0, output});
    });
  });
}

describe('swap-widget-conformance', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  after(() => rmSync(folder, {recursive: true}));

  it('is one file of less than 64 kB, with its libraries, that needs nothing but Node', () => {
    const text = readFileSync(PROGRAM, 'utf8');
    ok(text.startsWith('#!/usr/bin/env node\n'));
    ok(statSync(PROGRAM).size < 64_000, String(statSync(PROGRAM).size));
    deepEqual(
      [...text.matchAll(/from\s*"([^"]+)"/g)].map(([, name = '']) => name).filter(name => !name.startsWith('node:')),
      [],
    );
  });

  it('exits with 0 if nothing differs, and writes the report', async () => {
    const file = join(folder, 'report.json');
    const {code, output} = await run(sandbox.url, '--app-id', newAppId(), '--pause', '0', '--json', file);
    match(output, /\n\d+ as specified, 0 different, 1 not tested\n$/);
    equal(code, 0);
    const {service, checks} = JSON.parse(readFileSync(file, 'utf8')) as Report;
    equal(service, sandbox.url);
    deepEqual([...new Set(checks.map(({outcome}) => outcome))].sort(), ['same', 'untested']);
  });

  it('exits with 1 if something differs, and reports what and where', async () => {
    const client = SandboxClient.forAppOfItsOwn(sandbox);
    const {appId} = client;
    await client.faults({differs: {kind: 'quote-amount-number'}});
    const {code, output} = await run(`${sandbox.url}/`, '--app-id', appId, '--pause', '0', '--read-only');
    match(
      output,
      /✗ quote\.fields .*\n {4}result\[0\]\.destination\.amount: expected an amount in .*, found the number \d+\n/,
    );
    equal(code, 1);
  });

  it('prints its usage for invalid arguments', async () => {
    for (const args of [[], ['nowhere'], [sandbox.url, '--no-such-thing']]) {
      const {code, output} = await run(...args);
      equal(code, 2);
      match(output, /^(?:Unknown option.*\n\n|)?Usage: /s);
    }
  });
});
