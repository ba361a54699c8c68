import type {WalletRequestKind} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {ChainAdapter, DiscoverOptions, Foresight, ReadOptions, Wallet} from '../adapter.js';
import {tryRead} from '../errors.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {tokenHtlc} from '../token-htlc/adapter.js';
import {readName} from '../wallet.js';
import {withWitnesses, type WithoutHead} from '../witness.js';
import {evmDialect} from './dialect.js';
import {canOpen, loadLibrary, whenHandedIn} from './elsewhere.js';
import {addressText, isEvmAddress} from './htlc.js';
import {coinOf, readerOf, readHeight, readTime, type Read} from './rpc.js';
import {bringToChain, discoverWallets, listToken, providers, walletFromProvider, walletOf} from './wallets.js';

/** More gas than a payment into a swap contract uses. The gas price may double before the prompt. */
const PAYMENT_GAS = 300_000n;

/** The gas that transactions usually use, measured with the sandbox's contracts and rounded up: an estimate, no limit. */
const USUAL_GAS: Partial<Readonly<Record<WalletRequestKind, bigint>>> = {
  revoke: 50_000n,
  approve: 50_000n,
  send: 180_000n,
};

async function gasPrice(read: Read): Promise<bigint> {
  return BigInt((await read('eth_gasPrice')) as string);
}

function usualGas({plan, isBundle = false}: Foresight): bigint {
  const kinds = isBundle ? (['approve', ...plan] as const) : plan;
  return kinds.reduce((sum, kind) => sum + (USUAL_GAS[kind] ?? 0n), 0n);
}

const WALLETCONNECT_ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"%3E%3Crect width="40" height="40" fill="%233b99fc"/%3E%3Cpath fill="none" stroke="%23fff" stroke-width="3" d="M9 17c6-6 16-6 22 0M7 21l6 6 7-7 7 7 6-6"/%3E%3C/svg%3E';

/** The entry for wallets on other devices. The library for them is only loaded when this is chosen. */
function walletElsewhere(elsewhere: NonNullable<DiscoverOptions['elsewhere']>, timeouts: Timeouts): Wallet {
  const facts = {id: 'walletconnect', key: 'walletconnect', name: 'WalletConnect', icon: WALLETCONNECT_ICON};
  return Object.freeze({
    ...facts,
    family: 'evm',
    isElsewhere: true,
    async connect({silent = false, signal, onWindow} = {}) {
      if (silent) throw new SwapError('wallet-locked');
      const {connectElsewhere, nameElsewhere} = await loadLibrary();
      const provider = await connectElsewhere(elsewhere, onWindow, signal);
      const name = nameElsewhere(provider);
      const wallet =
        name === undefined
          ? walletFromProvider(provider, timeouts)
          : walletOf({...facts, name: readName(name) || facts.name}, provider, timeouts);
      return wallet.connect({silent: true, ...(signal && {signal})});
    },
  } satisfies Wallet);
}

/** A chain is only read from the partner's RPC, or else through the wallet while that is on the chain. */
export function createEvmAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  const reader = (chain: Parameters<typeof readerOf>[0], {account, signal}: ReadOptions) =>
    readerOf(chain, providers.find(account), timeouts, signal);

  const shared = tokenHtlc(evmDialect, timeouts);
  const adapter: WithoutHead = {
    ...shared,
    addresses: {
      ...shared.addresses,
      isAddress: (_, text) => isEvmAddress(text),
      withChecksum: addressText,
      isName: text => /\.eth$/i.test(text),
      namesOn: ({test}) => (test ? 'ethereum_sepolia' : 'ethereum'),
      async readName(text, chain, home, {signal}) {
        try {
          const ens = await import('./ens.js');
          return await ens.readName(text, chain, home, timeouts, signal);
        } catch {
          return {name: text, fault: 'unread'};
        }
      },
      isListed: async (chain, address, {signal}) =>
        (await import('./screening.js')).isListed(chain, address, timeouts, signal),
      isContract: (chain, address, options) =>
        tryRead(async () => {
          const read = await reader(chain, options);
          const code = read && (await read('eth_getCode', address, 'latest'));
          // EIP-7702: an account with a key that delegates its calls to a contract.
          return typeof code === 'string' && /^0x/.test(code) ? !/^0x(?:ef0100[0-9a-f]{40})?$/i.test(code) : undefined;
        }),
    },
    wallets: {
      discover(found, {signal, elsewhere}) {
        discoverWallets(found, timeouts, signal);
        if (signal.aborted || !elsewhere || !canOpen()) return;
        whenHandedIn(() => found(walletElsewhere(elsewhere, timeouts)), signal);
      },
      walletOf: given => walletFromProvider(given, timeouts),
      list: (asset, account) => listToken(asset, account, timeouts),
      moveTo(chain, account, {onMove = () => undefined}) {
        const provider = providers.get(account);
        return bringToChain(provider, chain, {timeouts, signal: undefined, onMove});
      },
    },
    means: {
      ...shared.means,
      async reserve({chain, token}, account, options = {}) {
        if (token !== undefined) return 0n;
        const read = await tryRead(() => reader(chain, {...options, account}));
        return read ? (await gasPrice(read)) * PAYMENT_GAS * 2n : 0n;
      },
      async foresee(asset, amount, account, options = {}) {
        const foresight = await shared.means.foresee?.(asset, amount, account, options);
        const {chain} = asset;
        const gas = foresight && usualGas(foresight);
        if (!gas || !chain.rpc) return foresight;
        const price = await tryRead(async () => {
          const read = await reader(chain, {...options, account});
          return read && gasPrice(read);
        });
        return price ? {...foresight, fee: {amount: price * gas, coin: coinOf(chain)}} : foresight;
      },
    },
  };

  return withWitnesses(adapter, reader, {readHeight, readTime}, timeouts);
}
