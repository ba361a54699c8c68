import {DIST, firstLoad, loadedFor, sharedByFamilies} from './support/dist.js';

const limit = (name, files, kilobytes) => ({
  name,
  path: files.map(file => `${DIST}/${file}`),
  gzip: true,
  limit: `${kilobytes} kB`,
});

/** What a visitor of a partner's page downloads at most: what was reached, and a little. */
export default [
  // One file, which a page waits for. Its floor, an element with Lit and two fields, has half of it.
  limit('the form, with everything it loads at once', firstLoad('define.js'), 24),
  // Funding, checks and wallets, as far as they are the same everywhere, the Wallet Standard's registry, and which of several
  // addresses of a chain is asked. What compares their answers loads where several are named.
  limit('what all families share', sharedByFamilies(), 7.7),
  // Half is the curve and the hash that show whose a deposit address is, a quarter bech32 and base58.
  limit('Bitcoin, without wallets', loadedFor('bitcoin'), 12.5),
  // What finds them (sats-connect), and each kind of wallet’s own way of being asked.
  limit('Bitcoin wallets', loadedFor('bitcoin wallets', 'bitcoin'), 7.5),
  // Three fifths are the ABI coder, typed data and Keccak of ethers.
  limit('EVM chains', loadedFor('evm'), 27.3),
  // The tables by which names are normalised (ENSIP-15), which do not compress.
  limit('names of Ethereum', loadedFor('names', 'evm'), 26.7),
  // A third is Solana's own codecs, base58 and curve.
  limit('Solana, without adapters', loadedFor('solana'), 12.6),
  // The curve that adapters sign by themselves with.
  limit('adapters of Solana wallets', loadedFor('solana adapters', 'solana'), 15.7),
  // Two thirds are starknet.js: typed data and the hashes.
  limit('Starknet', loadedFor('starknet'), 29.3),
  // All families, three of them with wallets, and eleven languages in one page, which no other page loads.
  limit('the rescue page', ['rescue.html'], 132),
];
