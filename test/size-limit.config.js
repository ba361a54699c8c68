import {chunksOf, DIST, firstLoad, isOfEvm, isOfNames} from './support/dist.js';

const paths = files => files.map(file => `${DIST}/${file}`);

/** The chunks that hold a family's own sources. */
const family = (name, leaveOut = () => false) =>
  paths(chunksOf(source => source.startsWith(`src/chains/${name}/`) && !leaveOut(source)));
/** What is loaded only for whoever pays from a wallet in the page. */
const isOfWallets = source => /\/(?:fund|wallets)\.ts$/.test(source);
/** What is loaded only where a page brings an adapter of wallet-adapter. */
const isOfAdapters = source => source.endsWith('/versioned.ts');

/** What a visitor of a partner's page downloads at most. The form is one file. */
export default [
  {name: 'the form, with everything it loads at once', path: paths(firstLoad('define.js')), gzip: true, limit: '24 kB'},
  {name: 'EVM chains', path: paths(chunksOf(isOfEvm)), gzip: true, limit: '35 kB'},
  {name: 'names of Ethereum', path: paths(chunksOf(isOfNames)), gzip: true, limit: '29 kB'},
  {name: 'Bitcoin, without wallets', path: family('bitcoin', isOfWallets), gzip: true, limit: '20 kB'},
  {name: 'Solana, without adapters', path: family('solana', isOfAdapters), gzip: true, limit: '14 kB'},
  {name: 'Starknet, with starknet.js', path: family('starknet'), gzip: true, limit: '75 kB'},
];
