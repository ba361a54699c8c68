import {chunksOf, DIST, firstLoad} from './support/dist.js';

const paths = files => files.map(file => `${DIST}/${file}`);

/** What a visitor of a partner's page downloads at most. */
export default [
  {name: 'the form, with everything it loads at once', path: paths(firstLoad('define.js')), gzip: true, limit: '30 kB'},
  {
    name: 'EVM chains',
    path: paths(chunksOf(source => source.startsWith('src/chains/evm/'))),
    gzip: true,
    limit: '35 kB',
  },
];
