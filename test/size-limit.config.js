import {DIST, firstLoad, loadedFor, sharedByFamilies} from './support/dist.js';

const limit = (name, files, kilobytes) => ({
  name,
  path: files.map(file => `${DIST}/${file}`),
  gzip: true,
  limit: `${kilobytes} kB`,
});

/** The maximum download of a visitor of a partner's page: the current size, plus a margin. */
export default [
  // One file, which a page waits for. The baseline, an element with Lit and two fields, has half of that.
  limit('the form, with everything it loads at once', firstLoad('define.js'), 25.1),
  // Shared code for funding, checks and wallets, the Wallet Standard's registry, and the choice among several RPCs of a
  // chain. The comparison of their responses is only loaded if there are several.
  limit('what all families share', sharedByFamilies(), 9.15),
  // Half is the curve and the hash that verify a deposit address, a quarter bech32 and base58. 12.5 kB are wanted.
  limit('Bitcoin, without wallets', loadedFor('bitcoin'), 16.21),
  // Discovery (sats-connect), and the request format of each kind of wallet.
  limit('Bitcoin wallets', loadedFor('bitcoin wallets', 'bitcoin'), 7.5),
  // Half is the ABI coder and Keccak of ethers. 32 kB are wanted.
  limit('EVM chains', loadedFor('evm'), 30.3),
  // The tables that normalize ENS names (ENSIP-15), which do not compress.
  limit('ENS names', loadedFor('names', 'evm'), 27),
  // A third is Solana's own codecs, base58 and curve. 11.5 kB are wanted.
  limit('Solana, without adapters', loadedFor('solana'), 15.6),
  // The curve with which adapters sign themselves.
  limit('adapters of Solana wallets', loadedFor('solana adapters', 'solana'), 15.1),
  // Two thirds are starknet.js: typed data and the hashes.
  limit('Starknet', loadedFor('starknet'), 31.8),
  // A third is the words of eleven languages; of each family only what finds a payment and takes it back.
  limit('the rescue page', ['rescue.html'], 77),
];
