/** The responses of wallets' own servers that a payment needs, from the sandbox's chains. */
import {p2wpkh, TEST_NETWORK} from '@scure/btc-signer';
import {getBytes, HDNodeWallet} from 'ethers';
import type {SandboxState} from '../../demo/wallets/sandbox.js';
import type {Answer} from './browser.js';

export type BackEnd = (state: SandboxState) => Answer;

/** Leather's: prices, and the coins of a descriptor with an extended key, whose first address is the account's. */
export const LEATHER_COINS: BackEnd =
  ({chains}) =>
  async path => {
    const {pathname, searchParams} = new URL(path, 'http://leather');
    const [, what, descriptor = ''] = /^\/(\w+)\/(.+)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (what === 'market') return Response.json({format: 'map', data: {BTC: {price: 100_000, change24h: 0}}});
    if (what === 'transactions') return Response.json({meta: {page: 1, totalPages: 1}, data: []});
    if (what !== 'utxos') throw new Error(`${path} is not played.`);

    const [, key] = /^wpkh\((\w+)\)$/.exec(descriptor) ?? [];
    const chain = searchParams.get('network') === 'testnet4' && chains['bitcoin_testnet'];
    if (key === undefined || !chain) return Response.json([]);
    const {publicKey} = HDNodeWallet.fromExtendedKey(key).derivePath('0/0');
    const {address} = p2wpkh(getBytes(publicKey), TEST_NETWORK);
    const coins = (await (await fetch(`${chain.rpc}/address/${address}/utxo`)).json()) as Coin[];
    return Response.json(
      coins.map(({txid, vout, value, status: {block_height: height}}) => {
        return {txid, vout, value: String(value), address, path: "m/84'/1'/0'/0/0", height};
      }),
    );
  };

/** Argent's: the fee of each transaction, and neither warnings nor a simulation. */
export const ARGENT_REVIEWS: BackEnd =
  () =>
  (path, {body}) => {
    if (path !== '/transactions/v2/review/starknet' || body === undefined) throw new Error(`${path} is not played.`);
    const {transactions} = JSON.parse(body) as {transactions: readonly unknown[]};
    const fee = {
      overallFee: '900000000000000',
      gasPrice: '30000000000000',
      gasUsage: '30',
      unit: 'FRI',
      maxAmount: '60',
      maxPricePerUnit: '60000000000000',
      token: {address: STRK, unknown: false, type: 'ERC20'},
    };
    return Promise.resolve(
      Response.json({
        transactions: transactions.map(() => ({simulation: {feeEstimation: fee, feeEstimations: [fee]}})),
      }),
    );
  };
/** The token of fees on every Starknet network. */
const STRK = '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly value: number;
  /** With a height once it is confirmed. */
  readonly status: {readonly block_height?: number};
}
