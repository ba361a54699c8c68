import {deepEqual, equal} from 'node:assert/strict';
import {createInterpreter} from '../../demo/sandbox/chains/bitcoin/script.js';
import {BitcoinReject, checkTransaction} from '../../demo/sandbox/chains/bitcoin/transaction.js';
import {assetTests, scriptTests, transactionTests, type Vector} from '../support/bitcoin-vectors.js';

/** The vectors with another result than in Bitcoin Core. */
function disagreements(vectors: readonly Vector[], whole: boolean): string[] {
  return vectors.flatMap(vector => {
    const error = errorOf(vector, whole);
    if ((error === undefined) === vector.spends) return [];
    return `${vector.name}: ${error ?? 'spends'}`;
  });
}

function errorOf({transaction, prevouts, inputs, rules}: Vector, whole: boolean): string | undefined {
  const tx = transaction();
  try {
    if (whole) checkTransaction(tx);
  } catch (error) {
    if (error instanceof BitcoinReject) return error.message;
    throw error;
  }
  const errorUnder = createInterpreter(tx, prevouts);
  for (const index of inputs) {
    const error = errorUnder(index, rules);
    if (error !== undefined) return error;
  }
  return undefined;
}

describe('the script rules of the sandbox’s Bitcoin chain', () => {
  const files: [string, readonly Vector[], number, boolean][] = [
    ['script_tests.json', scriptTests(), 1189, false],
    ['tx_valid.json', transactionTests('tx_valid'), 50, true],
    ['tx_invalid.json', transactionTests('tx_invalid'), 39, true],
    ['script_assets_test.json', assetTests(), 3735, false],
  ];
  for (const [file, vectors, count, whole] of files) {
    it(`match Bitcoin Core in all ${count} vectors of its ${file}`, () => {
      equal(vectors.length, count);
      deepEqual(disagreements(vectors, whole), []);
    });
  }
});
