import {deepEqual, equal, ok} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {BitcoinReject} from '../../demo/sandbox/chains/bitcoin/chain.js';
import {IS_MANY} from '../support/draws.js';
import {createSpendingChain, createSpends} from '../support/bitcoin-spends.js';
import {ACCEPTED, RESULTS, digestOf, type NodeResults} from '../support/bitcoind.js';

const stored = JSON.parse(readFileSync(RESULTS, 'utf8')) as NodeResults;
const {chain, places} = await createSpendingChain();
const {count, sha256} = IS_MANY ? stored : stored.first;
const spends = createSpends(places, stored.seed, count);
const ours = spends.map(({hex}) => reasonOf(hex));
const theirs = Array.from({length: count}, (_, place) => {
  const result = stored.results.charAt(place);
  return result === ACCEPTED ? undefined : stored.reasons[result.charCodeAt(0) - 97];
});

/** Why the chain rejects a transaction; undefined if it accepts it. */
function reasonOf(transaction: string): string | undefined {
  try {
    chain.dropFromMempool(chain.submit(transaction));
    return undefined;
  } catch (error) {
    if (error instanceof BitcoinReject) return error.reason;
    throw error;
  }
}

describe('the sandbox’s Bitcoin chain, compared with a real node', () => {
  it('is tested with the same transactions', () => {
    equal(digestOf(spends), sha256);
    equal(stored.results.length, stored.count);
  });

  it('accepts and rejects the same spends', () => {
    const other = spends.flatMap(({kind, mutation}, place) => {
      const [mine, node] = [ours[place], theirs[place]];
      return (mine === undefined) === (node === undefined)
        ? []
        : `${kind}, ${mutation}: ${mine ?? 'taken'}, not ${node ?? 'taken'}`;
    });
    deepEqual(other, []);
  });

  it('is tested with valid and invalid spends of every kind', () => {
    for (const kind of new Set(spends.map(spend => spend.kind))) {
      const results = theirs.filter((_, place) => spends[place]?.kind === kind);
      ok(results.filter(reason => reason === undefined).length > count / 60, kind);
      ok(results.filter(reason => reason !== undefined).length > count / 15, kind);
    }
  });

  it('gives the same reasons, in an older node’s wording', () => {
    const other = ours.flatMap((mine, place) => {
      const node = theirs[place];
      return mine === undefined || node === undefined || inOlderWords(node).includes(withoutKind(mine))
        ? []
        : `${mine}, not ${node}`;
    });
    deepEqual([...new Set(other)], []);
  });
});

/** Newer nodes no longer say whether a script rule is mandatory. */
const withoutKind = (reason: string) =>
  reason.replace(/^(non-mandatory|mandatory|mempool)-script-verify-flag(-failed)?/, 'script');

/** The older wordings of a newer node's reason. */
function inOlderWords(reason: string): string[] {
  if (reason === 'missing-inputs') return ['bad-txns-inputs-missingorspent'];
  if (reason.startsWith('bad-witness-')) return ['bad-witness-nonstandard'];
  const script = withoutKind(reason);
  // The interpreter does not distinguish malformed from invalid signatures.
  const isForm = script.startsWith('script (Invalid Schnorr signature ');
  return isForm ? [script, 'script (Invalid Schnorr signature)', 'script (unknown error)'] : [script];
}
