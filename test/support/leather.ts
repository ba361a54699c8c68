/**
 * A Bitcoin wallet with the manners of Leather 6.73.4, as an extension puts it on a page: three methods, without
 * `getInfo`, `wallet_getAccount` and `wallet_getNetwork`; what it refuses it throws; its window opens whenever it is
 * asked for addresses; it is on the main network until a request names another; amounts are text; there are no events;
 * and its picture has a type that browsers do not show.
 */
import type {BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import {createWallet, type WalletSettings} from '../../demo/wallets/index.js';
import {register} from './bitcoin-providers.js';

const ID = 'LeatherProvider';

interface Params {
  readonly network?: 'mainnet' | 'testnet4';
  readonly recipients?: readonly {readonly address: string; readonly amount: unknown}[];
}

export function createLeather(settings: WalletSettings): BitcoinWallet {
  const wallet = createWallet('bitcoin', settings);
  const {provider, withdraw: withdrawKeys} = wallet;
  withdrawKeys();

  const methods: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
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
    async request(method: string, params: Params = {}): Promise<unknown> {
      const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
      const answer = (await known?.(params)) ?? fault(-32601, `"${method}" is not supported.`);
      // oxlint-disable-next-line typescript/only-throw-error -- it throws the answer itself
      if (typeof answer === 'object' && 'error' in answer) throw answer;
      return answer;
    },
  };
  const icon = `data:image/svg;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;
  const withdraw = register(ID, leather, {name: settings.name, icon});
  return Object.defineProperties(wallet, {
    id: {value: ID},
    provider: {value: leather},
    withdraw: {value: withdraw},
  });
}

const fault = (code: number, message: string) => ({jsonrpc: '2.0', id: '1', error: {code, message}});
