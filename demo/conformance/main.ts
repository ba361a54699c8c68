/**
 * `swap-widget-conformance <base-url>`: tests a service from outside against the specification. Prints a table, and
 * ends with 1 if there is a difference. `--help` lists the options.
 */
import {writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {conform, PAIRS, type Report} from './conform.js';
import type {ConformOptions, Pair} from './run.js';
import {suggest} from './suggest.js';

const HELP = `Usage: swap-widget-conformance <base-url> [options]

Tests a swap service from outside: every field, envelope, error and header, the deposits of
orders on test networks, and what orders say of themselves. Nothing is ever paid.

  --app-id <hex>             the app id that is sent
  --app-id-header <name>     the header that carries it (service-app-id)
  --suggest                  prints the attributes that a page sets for this service
  --read-only                places no order
  --pair <from,to,amount>    a pair to swap instead of the published test assets; repeatable
  --owner <family=address>   an address for orders (bitcoin, evm, solana, starknet); repeatable
  --fee-asset <asset>        what affiliate fees are paid out in (base_sepolia:usdc)
  --block-seconds <chain=s>  seconds between two blocks, where others than usual; repeatable
  --order <id>               reads an order that exists; repeatable
  --follow <seconds>         follows those orders until they are over
  --patience <seconds>       how long an answer may take (10; orders and signatures 45)
  --pause <ms>               between two requests (200)
  --json <file>              writes the report`;

const {values, positionals} = readArguments();
const {pair: pairs = [], owner: owners = [], order: orders = [], 'block-seconds': blockSeconds = []} = values;
const [baseUrl] = positionals;
if (values.help || !baseUrl || !URL.canParse(baseUrl)) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}

if (values.suggest) {
  console.log(await suggest(optionsFor(baseUrl)));
  process.exit();
}
const report = await conform(optionsFor(baseUrl));
console.log(tableOf(report));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.checks.some(({outcome}) => outcome === 'differs') ? 1 : 0;

function readArguments() {
  const text = {type: 'string'} as const;
  const many = {type: 'string', multiple: true} as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: {type: 'boolean', default: false},
        suggest: {type: 'boolean', default: false},
        'read-only': {type: 'boolean', default: false},
        'app-id': text,
        'app-id-header': {...text, default: 'service-app-id'},
        'fee-asset': {...text, default: 'base_sepolia:usdc'},
        follow: {...text, default: '0'},
        patience: text,
        pause: {...text, default: '200'},
        json: text,
        pair: many,
        owner: many,
        order: many,
        'block-seconds': many,
      },
    });
  } catch (error) {
    console.log(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
}

function optionsFor(baseUrl: string): ConformOptions {
  const named = (given: readonly string[]) => given.map(one => one.split('=') as [string, string]);
  const patience = values.patience === undefined ? undefined : Number(values.patience);
  return {
    baseUrl,
    appId: values['app-id'],
    appIdHeader: values['app-id-header'],
    readOnly: values['read-only'],
    pairs: pairs.length ? pairs.map(readPair) : PAIRS,
    owners: Object.fromEntries(named(owners)),
    blockSeconds: Object.fromEntries(named(blockSeconds).map(([chain, time]) => [chain, Number(time)])),
    feeAsset: values['fee-asset'],
    orders,
    follow: Number(values.follow),
    patience: {read: patience ?? 10, write: patience ?? 45},
    pause: Number(values.pause),
  };
}

function readPair(given: string): Pair {
  const [from = '', to = '', amount = ''] = given.split(',');
  return {from, to, amount};
}

function tableOf({service, requests, checks, notes}: Report): string {
  const signs = {same: '✓', differs: '✗', unverified: '?', untested: '·'} as const;
  const width = Math.max(...checks.map(({id}) => id.length));
  const lines = checks.flatMap(({id, says, by, outcome, found}) => [
    `${signs[outcome]} ${id.padEnd(width)}  ${says}${by === 'specification' ? '' : ` (${by})`}`,
    ...found.flatMap(({at, expected, found, request}) => [
      `    ${at}: expected ${expected}, found ${found}`,
      `      ${request}`,
    ]),
  ]);
  const count = (wanted: keyof typeof signs) => String(checks.filter(({outcome}) => outcome === wanted).length);
  const unverified = checks.some(({outcome}) => outcome === 'unverified') ? `, ${count('unverified')} unverified` : '';
  return [
    `${service}: ${String(requests.length)} requests\n`,
    ...lines,
    ...(notes.length ? ['\nLeft open by the specification, or not in it:', ...notes.map(note => `- ${note}`)] : []),
    `\n${count('same')} as specified, ${count('differs')} different${unverified}, ${count('untested')} not tested`,
  ].join('\n');
}
