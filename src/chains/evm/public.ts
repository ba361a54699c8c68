/* Written by test/support/evm-chains.ts, which has it from viem. */
import type {Coin} from '../../domain/asset.js';

/** What a wallet that does not know a chain has to be told of it. */
export interface PublicChain {
  readonly coin: Coin;
  /** For the wallet that asks for one, and for nobody else: the widget asks no address that the partner did not name. */
  readonly rpc?: string;
  readonly explorer?: string;
}

/** The catalogue's chains of this family, by chain id. */
export const PUBLIC: Readonly<Partial<Record<number, PublicChain>>> = {
  1: {coin: {name: 'Ether', symbol: 'ETH', decimals: 18}, explorer: 'https://etherscan.io'},
  56: {coin: {name: 'BNB', symbol: 'BNB', decimals: 18}, explorer: 'https://bscscan.com'},
  97: {
    coin: {name: 'BNB', symbol: 'tBNB', decimals: 18},
    rpc: 'https://data-seed-prebsc-1-s1.bnbchain.org:8545',
    explorer: 'https://testnet.bscscan.com',
  },
  130: {
    coin: {name: 'Ether', symbol: 'ETH', decimals: 18},
    rpc: 'https://mainnet.unichain.org/',
    explorer: 'https://uniscan.xyz',
  },
  143: {
    coin: {name: 'Monad', symbol: 'MON', decimals: 18},
    rpc: 'https://rpc.monad.xyz',
    explorer: 'https://monadscan.com',
  },
  999: {
    coin: {name: 'HYPE', symbol: 'HYPE', decimals: 18},
    rpc: 'https://rpc.hyperliquid.xyz/evm',
    explorer: 'https://hyperevmscan.io',
  },
  1116: {
    coin: {name: 'Core', symbol: 'CORE', decimals: 18},
    rpc: 'https://rpc.coredao.org',
    explorer: 'https://scan.coredao.org',
  },
  3637: {
    coin: {name: 'Bitcoin', symbol: 'BTC', decimals: 18},
    rpc: 'https://rpc.botanixlabs.com',
    explorer: 'https://botanixscan.io',
  },
  4326: {
    coin: {name: 'Ether', symbol: 'ETH', decimals: 18},
    rpc: 'https://mainnet.megaeth.com/rpc',
    explorer: 'https://mega.etherscan.io',
  },
  5115: {
    coin: {name: 'cBTC', symbol: 'cBTC', decimals: 18},
    rpc: 'https://rpc.testnet.citrea.xyz',
    explorer: 'https://explorer.testnet.citrea.xyz',
  },
  8453: {
    coin: {name: 'Ether', symbol: 'ETH', decimals: 18},
    rpc: 'https://mainnet.base.org',
    explorer: 'https://basescan.org',
  },
  10143: {
    coin: {name: 'Testnet MON Token', symbol: 'MON', decimals: 18},
    rpc: 'https://testnet-rpc.monad.xyz',
    explorer: 'https://testnet.monadexplorer.com',
  },
  42161: {
    coin: {name: 'Ether', symbol: 'ETH', decimals: 18},
    rpc: 'https://arb1.arbitrum.io/rpc',
    explorer: 'https://arbiscan.io',
  },
  80094: {
    coin: {name: 'BERA Token', symbol: 'BERA', decimals: 18},
    rpc: 'https://rpc.berachain.com',
    explorer: 'https://berascan.com',
  },
  84532: {
    coin: {name: 'Sepolia Ether', symbol: 'ETH', decimals: 18},
    rpc: 'https://sepolia.base.org',
    explorer: 'https://sepolia.basescan.org',
  },
  421614: {
    coin: {name: 'Arbitrum Sepolia Ether', symbol: 'ETH', decimals: 18},
    rpc: 'https://sepolia-rollup.arbitrum.io/rpc',
    explorer: 'https://sepolia.arbiscan.io',
  },
  11155111: {coin: {name: 'Sepolia Ether', symbol: 'ETH', decimals: 18}, explorer: 'https://sepolia.etherscan.io'},
  21000000: {coin: {name: 'Bitcorn', symbol: 'BTCN', decimals: 18}, explorer: 'https://cornscan.io'},
};
