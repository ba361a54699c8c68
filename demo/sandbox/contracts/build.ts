/**
 * Compiles the sandbox's contracts into `artifacts.json`: `npm run build:contracts`.
 *
 * The result is committed, so that neither the sandbox nor the tests need a compiler. The build is
 * reproducible: an exact compiler, an exact OpenZeppelin, fixed settings and no metadata hash.
 * With `--check` nothing is written; the exit code says whether the committed file matches the sources.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';
import {main as buildSolana} from './solana/build.js';

const CONTRACTS = ['BatchAccount', 'HTLC', 'NativeHTLC', 'OtherHTLC', 'SanctionsList', 'TestToken'] as const;
const SOURCES = ['HashTimeLock', ...CONTRACTS];
const ARTIFACTS = fileURLToPath(new URL('./artifacts.json', import.meta.url));

interface Compiler {
  version(): string;
  compile(input: string, callbacks: {import(path: string): {contents: string} | {error: string}}): string;
}

interface Output {
  errors?: {severity: 'error' | 'warning' | 'info'; formattedMessage: string}[];
  contracts: Record<string, Record<string, {abi: unknown[]; evm: {bytecode: {object: string}}}>>;
}

const require = createRequire(import.meta.url);
const solc = require('solc') as Compiler;

const sources = Object.fromEntries(
  SOURCES.map(name => [
    `${name}.sol`,
    {content: readFileSync(new URL(`./${name}.sol`, import.meta.url), 'utf8').replaceAll('\r\n', '\n')},
  ]),
);

const output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources,
      settings: {
        evmVersion: 'prague',
        optimizer: {enabled: true, runs: 200},
        metadata: {bytecodeHash: 'none', appendCBOR: false},
        outputSelection: {'*': {'*': ['abi', 'evm.bytecode.object']}},
      },
    }),
    {
      import(path) {
        try {
          return {contents: readFileSync(require.resolve(path), 'utf8').replaceAll('\r\n', '\n')};
        } catch {
          return {error: `${path} is not installed`};
        }
      },
    },
  ),
) as Output;

const problems = (output.errors ?? []).filter(({severity}) => severity !== 'info');
for (const {formattedMessage} of problems) console.error(formattedMessage);
if (problems.length > 0) process.exit(1);

const openzeppelin = require('@openzeppelin/contracts/package.json') as {version: string};
const artifacts = JSON.stringify(
  {
    compiler: solc.version(),
    openzeppelin: openzeppelin.version,
    ...Object.fromEntries(
      CONTRACTS.map(name => {
        const contract = output.contracts[`${name}.sol`]?.[name];
        if (!contract) throw new Error(`${name} is missing from the compiler's output`);
        return [name, {abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}`}];
      }),
    ),
  },
  null,
  1,
);

if (process.argv.includes('--check')) {
  const same = readFileSync(ARTIFACTS, 'utf8') === `${artifacts}\n`;
  console.log(same ? 'artifacts.json matches the sources' : 'artifacts.json is out of date: npm run build:contracts');
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(ARTIFACTS, `${artifacts}\n`);
  console.log(`wrote ${ARTIFACTS}`);
}

// The Solana program has its own compiler.
buildSolana(process.argv);
