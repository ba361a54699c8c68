import type {KnownAssets} from '../asset.js';
import {asset, chain, CBBTC, COMMON, OF_USDC, OF_WBTC, TEST_USDC, TEST_WBTC, USDC, WBTC} from './common.js';

const testnet = {test: true} as const;
const evm = (chainId: number) => ({chainId});
/** Not on the operator's list any more (2026-09). */
const GONE = {isGone: true} as const;
const testEvm = (chainId: number) => ({chainId, ...testnet});

/** Further ones, on chains that only this file has. */
const NATIVE = '0xE413743B51f3cC8b3ac24addf50D18fa138cB0Bb';
const TEST_USDT = '0x917cfef972d667dC0FeC76806cB5623585B81493';
const TEST_CBBTC = '0x8656d38352CD90ca55881eBd0AF6822839b435A8';
const ARBITRUM_WBTC = '0xb5AE9785349186069C48794a763DB39EC756B1cF';
const ARBITRUM_USDC = '0x8E12d730756457B99ce6E6AbFd60eBe751dA169B';
const ARBITRUM_SEED = '0xFBD30cB9313fe580031A7E0258693E1cec002803';
/** For mainnet the public sources name two programs for tokens (2026-11), so there only a page can name one. */
const TEST_TOKENS = 'gdnvdMCHJgnidtU7SL8RkRshHPvDJU1pdfZEpoLvqdU';

const coin = (symbol: string, title: string) => ({symbol, title, decimals: 18});
const USDT = {symbol: 'USDT', title: 'Tether', decimals: 6};
const IBTC = {symbol: 'iBTC', title: 'iBTC', decimals: 8};
const SEED = coin('SEED', 'Seed');

/** Loaded with the settings. Decimals are those of each asset on its own chain: USDC has 6 on one and 18 on another. */
export const ALL_KNOWN: KnownAssets = {
  chains: [
    ...COMMON.chains,
    chain('arbitrum_sepolia', 'evm', 'Arbitrum Sepolia', 0.25, 'https://sepolia.arbiscan.io', testEvm(421614)),
    chain('citrea_testnet', 'evm', 'Citrea Testnet', 2, 'https://explorer.testnet.citrea.xyz', testEvm(5115)),
    chain('monad_testnet', 'evm', 'Monad Testnet', 0.4, 'https://testnet.monadexplorer.com', testEvm(10143)),
    chain('bnbchain_testnet', 'evm', 'BNB Chain Testnet', 0.75, 'https://testnet.bscscan.com', testEvm(97)),
    chain('arbitrum', 'evm', 'Arbitrum', 0.25, 'https://arbiscan.io', evm(42161)),
    chain('unichain', 'evm', 'Unichain', 1, 'https://uniscan.xyz', evm(130)),
    chain('bnbchain', 'evm', 'BNB Chain', 0.75, 'https://bscscan.com', evm(56)),
    chain('bera', 'evm', 'Berachain', 2, 'https://berascan.com', evm(80094)),
    chain('hyperevm', 'evm', 'HyperEVM', 1, 'https://hyperevmscan.io', evm(999)),
    chain('monad', 'evm', 'Monad', 0.4, 'https://monadscan.com', evm(143)),
    chain('megaeth', 'evm', 'MegaETH', 1, 'https://mega.etherscan.io', evm(4326)),
    chain('core', 'evm', 'Core', 3, 'https://scan.coredao.org', evm(1116)),
    chain('corn', 'evm', 'Corn', 0.25, 'https://cornscan.io', evm(21000000)),
    chain('botanix', 'evm', 'Botanix', 5, 'https://botanixscan.io', evm(3637)),
  ],
  assets: [
    ...COMMON.assets,
    asset('base_sepolia:usdt', USDT, '0xeaE7721d779276eb0f5837e2fE260118724a2Ba4', TEST_USDT),
    asset(
      'base_sepolia:ibtc',
      IBTC,
      '0x0b0D554D9573bAe1a7556d220847f45182918B28',
      '0x46F1Ba9C9d89C34F9dbC4085F6B1f9965c589ca1',
    ),
    asset('ethereum_sepolia:eth', coin('ETH', 'Ether'), '', '0x006caa2c35c9f4df23dbf4985616ef2a8829bf22'),
    asset('arbitrum_sepolia:wbtc', WBTC, '0x1c287717c886794ac9f5DF3987195431Ceb3456E', ARBITRUM_WBTC),
    asset('arbitrum_sepolia:usdc', USDC, '0xC90Ad772eCc10a52a681ceDAE6EbBD3470A0c829', ARBITRUM_USDC),
    asset(
      'arbitrum_sepolia:ibtc',
      IBTC,
      '0x685437f025c5f33A94818408C286bc1F023201Fc',
      '0x7e8c18fa79bd4014cfCf49294Bf315139eD39f45',
    ),
    asset('arbitrum_sepolia:seed', SEED, '0x432B43764548c3E47eA65aAdeB91D75C84DBcC2c', ARBITRUM_SEED),
    asset('citrea_testnet:cbtc', coin('cBTC', 'Citrea Bitcoin'), '', NATIVE),
    asset(
      'citrea_testnet:wcbtc',
      coin('WCBTC', 'Wrapped Citrea Bitcoin'),
      '0x8d0c9d1c17aE5e40ffF9bE350f57840E9E66Cd93',
      '0xD8e99df8cf77E7383c2f2a84bC6384b2DF88CAd3',
    ),
    asset('citrea_testnet:wbtc', WBTC, '0x3edA22460259b29433704dda71cc921F528165Ea', TEST_WBTC),
    asset('citrea_testnet:cbbtc', CBBTC, '0xeAa998aF280a62Ae08BaE4f9fa59C9b30e6BD306', TEST_CBBTC),
    asset('citrea_testnet:usdc', USDC, '0xCdA8661fDA031deFCc9BdD88C0e12669Cac47Fb0', TEST_USDC),
    asset('citrea_testnet:usdt', USDT, '0xF5cFE09b852Ddb164cF6Db419B9c11aAb5F30cb6', TEST_USDT),
    asset('monad_testnet:cbbtc', CBBTC, '0x6b6303fAb8eC7232b4f2a7b9fa58E5216F608fcb', TEST_CBBTC),
    asset('monad_testnet:usdc', USDC, '0xf817257fed379853cDe0fa4F97AB987181B1E5Ea', TEST_USDC),
    asset('solana_testnet:usdc', USDC, '5JbWjyLdYKTuykpq2itWbdRcZkhK3hs6fiH62pkmLYZi', TEST_TOKENS),
    asset('solana_testnet:cbbtc', CBBTC, 'CL8C4gsaEQyWPxL4Zn7dcnZ8LKvPYqHmv4ipMax4cDUL', TEST_TOKENS),
    asset('bnbchain_testnet:wbtc', WBTC, '0x39f3294352208905fc6ebf033954E6c6455CdB4C', TEST_WBTC),
    asset('ethereum:eth', coin('ETH', 'Ether'), '', NATIVE),
    asset(
      'ethereum:seed',
      SEED,
      '0x5eed99d066a8CaF10f3E4327c1b3D8b673485eED',
      '0xCE511De667885f92B8c36fcfC79C3B5bEb875463',
    ),
    asset('arbitrum:wbtc', WBTC, '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f', `${ARBITRUM_WBTC}@3`),
    asset('arbitrum:usdc', {...USDC, ...GONE}, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', ARBITRUM_USDC),
    asset('arbitrum:seed', SEED, '0x86f65121804D2Cdbef79F9f072D4e0c2eEbABC08', ARBITRUM_SEED),
    asset('unichain:wbtc', {...WBTC, ...GONE}, '0x927B51f251480a681271180DA4de28D44EC4AfB8', OF_WBTC),
    asset('unichain:usdc', {...USDC, ...GONE}, '0x078D782b760474a361dDA0AF3839290b0EF57AD6', OF_USDC),
    asset(
      'bnbchain:btcb',
      coin('BTCB', 'Binance Bitcoin'),
      '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
      '0xe74784E5A45528fDEcB257477DD6bd31c8ef0761@3',
    ),
    asset(
      'bnbchain:usdc',
      {...USDC, ...GONE, decimals: 18},
      '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
      `${OF_USDC}@3`,
    ),
    asset('bnbchain:bnb', coin('BNB', 'BNB'), '', NATIVE),
    asset(
      'bera:lbtc',
      {symbol: 'LBTC', title: 'Lombard Bitcoin', decimals: 8, ...GONE},
      '0xecAc9C5F704e954931349Da37F60E39f515c11c1',
      '0x84A396920d8B8CA2e69bD9503Bc1B2f73f1b8b33',
    ),
    asset(
      'hyperevm:ubtc',
      {symbol: 'uBTC', title: 'Unit Bitcoin', decimals: 8},
      '0x9FDBdA0A5e284c32744D2f17Ee5c74B284993463',
      '0xDC74a45e86DEdf1fF7c6dac77e0c2F082f9E4F72',
    ),
    asset('monad:mon', {...coin('MON', 'Monad'), ...GONE}, '', NATIVE),
    asset('monad:usdc', {...USDC, ...GONE}, '0x754704Bc059F8C67012fEd69BC8A327a5aafb603', OF_USDC),
    asset(
      'megaeth:btc.b',
      {symbol: 'BTC.b', title: 'Bitcoin', decimals: 8, ...GONE},
      '0xB0F70C0bD6FD87dbEb7C10dC692a2a6106817072',
      '0x52b4d144059CB17724D352034b15A8eaE2F29FA7',
    ),
    asset('core:wbtc', {...WBTC, ...GONE}, '0x5832f53d147b3d6Cd4578B9CBD62425C7ea9d0Bd', OF_WBTC),
    asset('corn:btcn', {...coin('BTCN', 'Bitcorn'), ...GONE}, '', NATIVE),
    asset('botanix:btc', {...coin('BTC', 'Botanix Bitcoin'), ...GONE}, '', NATIVE),
  ],
};
