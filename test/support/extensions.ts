/** Development wallets that behave like these extensions, as observed in a test (demo/docs/wallets.md). */
import type {BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import type {EvmWallet} from '../../demo/wallets/evm.js';
import {createWallet, type WalletSettings} from '../../demo/wallets/index.js';
import {register} from './bitcoin-providers.js';

const LEATHER = 'LeatherProvider';

interface LeatherParams {
  readonly network?: 'mainnet' | 'testnet4';
  readonly recipients?: readonly {readonly address: string; readonly amount: unknown}[];
}

/**
 * Leather 6.73.4: two methods, without `getInfo`, `wallet_getAccount` and `wallet_getNetwork`; it throws its refusals;
 * its window opens with every request for addresses; it is on mainnet until a request names another network; amounts
 * are text; there are no events; and its icon has a media type that browsers do not show.
 */
export function createLeather(settings: WalletSettings): BitcoinWallet {
  const wallet = createWallet('bitcoin', settings);
  const {provider, withdraw: withdrawKeys} = wallet;
  withdrawKeys();

  const methods: Readonly<Record<string, (params: LeatherParams) => Promise<unknown>>> = {
    async getAddresses({network = 'mainnet'}) {
      const own = wallet.network;
      wallet.forget();
      wallet.useNetwork(network === 'mainnet' ? 'Mainnet' : 'Testnet4');
      try {
        const answer = await provider.request('getAddresses', {purposes: ['payment', 'ordinals']});
        if ('error' in answer) return answer;
        const {addresses} = answer.result as {addresses: readonly {address: string; addressType: string}[]};
        return {
          ...answer,
          result: {addresses: addresses.map(({address, addressType: type}) => ({symbol: 'BTC', type, address}))},
        };
      } finally {
        wallet.useNetwork(own);
      }
    },
    async sendTransfer({network = 'mainnet', recipients = []}) {
      const isText = recipients.every(({amount}) => typeof amount === 'string' && /^\d+$/.test(amount));
      if (network === 'mainnet' || !isText) return fault(-32602, 'Invalid parameters');
      return provider.request('sendTransfer', {
        recipients: recipients.map(({address, amount}) => ({address, amount: Number(amount)})),
      });
    },
  };

  const leather = {
    isLeather: true,
    async request(method: string, params: LeatherParams = {}): Promise<unknown> {
      const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
      const answer = (await known?.(params)) ?? fault(-32601, `"${method}" is not supported.`);
      // oxlint-disable-next-line typescript/only-throw-error -- it throws the answer itself
      if (typeof answer === 'object' && 'error' in answer) throw answer;
      return answer;
    },
  };
  const icon = `data:image/svg;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;
  const withdraw = register(LEATHER, leather, {name: settings.name, icon});
  return Object.defineProperties(wallet, {
    id: {value: LEATHER},
    provider: {value: leather},
    withdraw: {value: withdraw},
  });
}

/** JSON-RPC's form of an error. */
const fault = (code: number, message: string) => ({jsonrpc: '2.0', id: '1', error: {code, message}});

/**
 * Taho 0.66.0, which only knows its first chain: for another one its error is 4901, not 4902; it adds none without an
 * explorer, and rejects that on its own; and it returns its chain's id in decimal.
 */
export function createTaho({state, ...settings}: WalletSettings): EvmWallet {
  const known = Object.entries(state.chains).filter(([, {family}]) => family === 'evm');
  const wallet = createWallet('evm', {...settings, state: {chains: Object.fromEntries(known.slice(0, 1))}});
  const {provider} = wallet;
  const request = provider.request.bind(provider);
  const refuse = (code: number) => Object.assign(new Error('The Provider does not do that.'), {code});
  provider.request = async call => {
    const [wanted] = (call.params ?? []) as readonly {readonly blockExplorerUrls?: readonly string[]}[];
    if (call.method === 'wallet_addEthereumChain' && !wanted?.blockExplorerUrls?.length) throw refuse(4001);
    try {
      const answer = await request(call);
      return call.method === 'eth_chainId' ? String(Number(answer)) : answer;
    } catch (error) {
      throw (error as {code?: unknown}).code === 4902 ? refuse(4901) : error;
    }
  };
  return wallet;
}
