import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, hexToBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {depositAddress} from '../chains/bitcoin/htlc.js';
import type {Asset, AssetId, Chain, ChainFamily} from '../domain/asset.js';

/*
 * The test service's orders. Nobody has the keys in them, so what is paid to one can only be moved by its payer. All
 * hashes begin with `7e57`.
 */

/** The state of an order: the steps of a swap in order, and the two other ends. */
export type TestStep = 'placed' | 'seen' | 'confirmed' | 'locked' | 'complete' | 'refunded' | 'expired';

export interface TestOrder {
  readonly id: string;
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly from: AssetId;
  readonly to: AssetId;
  readonly owner: string;
  readonly recipient: string;
  /** In the smallest units, as digits. */
  readonly amount: string;
  readonly receive: string;
  readonly fees: readonly TestFee[];
  readonly secret: string;
  /** In the smallest unit. */
  filled: string;
  readonly at: Partial<Record<TestStep, number>>;
}

/** An affiliate fee, in the service's format. */
export interface TestFee {
  readonly asset: AssetId;
  readonly address: string;
  /** In basis points. */
  readonly fee: number;
  /** In the payout asset's smallest unit, as digits. */
  readonly amount: string;
}

export interface Sides {
  readonly from: Asset;
  readonly to: Asset;
  readonly price: (asset: Asset) => number;
}

/** How long a leg is locked, in seconds: a day at the source, two hours at the destination. */
const LOCKED = {source: 86_400, destination: 7_200};

/** A fictitious height: it only means that something is in a block. */
const BLOCK = 1_000_000;

export const PAYLOADS: Readonly<
  Record<ChainFamily, ((order: TestOrder, from: Asset) => Record<string, unknown>) | undefined>
> = {
  bitcoin: (order, {chain}) => ({to: bitcoinLeg(order, chain, 'source').swap_id, amount: order.amount}),

  evm(order, {chain, contracts: [contract = ''], versions, token}) {
    const {redeemer, timelock, hash} = termsOf(order, chain);
    const word = (text: string) => text.replace('0x', '').toLowerCase().padStart(64, '0');
    const amount = hex(BigInt(order.amount));
    // initiate(address,uint256,uint256,bytes32)
    const data = `0x97ffc7ae${[redeemer, hex(timelock), amount, hash].map(word).join('')}`;
    return {
      transaction: {
        to: contract,
        value: token === undefined ? amount : '0x0',
        data,
        gas_limit: '0x493e0',
        chain_id: chain.chainId,
      },
      typed_data: {
        domain: {
          name: 'HTLC',
          version: versions?.[contract] ?? '2',
          chainId: hex(chain.chainId ?? 0),
          verifyingContract: contract,
        },
        primaryType: 'Initiate',
        types: {
          EIP712Domain: fields('name string, version string, chainId uint256, verifyingContract address'),
          Initiate: fields('redeemer address, timelock uint256, amount uint256, secretHash bytes32'),
        },
        message: {redeemer, timelock: hex(timelock), amount, secretHash: `0x${hash}`},
      },
    };
  },

  // Its program is the same on mainnet.
  solana: undefined,

  starknet(order, {chain, contracts: [contract = '']}) {
    const {redeemer, timelock, hash} = termsOf(order, chain);
    const words = hash.match(/.{8}/g)?.map(word => parseInt(word, 16)) ?? [];
    const [high, low] = [BigInt(order.amount) >> 128n, BigInt.asUintN(128, BigInt(order.amount))].map(hex);
    return {
      transaction: {
        to: contract,
        // initiate
        selector: '0x2aed25fcd0101fcece997d93f9d0643dfa3fbd4118cae16bf7d6cd533577c28',
        calldata: [redeemer, hex(timelock), low, high, ...words.map(hex)],
      },
      typed_data: {
        domain: {chainId: 'SN_SEPOLIA', name: 'HTLC', revision: '1', version: '1'},
        primaryType: 'Initiate',
        types: {
          Initiate: fields('redeemer ContractAddress, amount u256, timelock u128, secretHash u128*'),
          StarknetDomain: fields('name shortstring, version shortstring, chainId shortstring, revision shortstring'),
        },
        message: {
          amount: {high, low},
          redeemer: String(BigInt(redeemer)),
          secretHash: words,
          timelock: String(timelock),
        },
      },
    };
  },
};

/** An order as JSON of the API (API, Order and Swap object). */
export function orderJson(order: TestOrder, {from, to, price}: Sides): Record<string, unknown> {
  const {at} = order;
  const source = legJson(order, from, 'source', price(from), {
    initiate: [at.seen, at.confirmed !== undefined],
    redeem: [at.complete, true],
    refund: [at.refunded, true],
  });
  const destination = legJson(order, to, 'destination', price(to), {
    initiate: [at.locked, true],
    redeem: [at.complete, true],
    refund: [undefined, true],
  });
  return {
    created_at: time(order.createdAt),
    ...(at.expired !== undefined && {deadline: time(at.expired)}),
    source_swap: source,
    destination_swap: destination,
    nonce: String(BigInt(`0x${order.id.slice(0, 15)}`)),
    order_id: order.id,
    affiliate_fees: order.fees,
    integrator: 'test service',
    version: 'v1',
  };
}

type Deed = 'initiate' | 'redeem' | 'refund';

function legJson(
  order: TestOrder,
  {id, chain}: Asset,
  side: keyof typeof LOCKED,
  price: number,
  deeds: Readonly<Record<Deed, readonly [at: number | undefined, isInBlock: boolean]>>,
): Record<string, unknown> {
  const isSource = side === 'source';
  const [paid, isConfirmed] = deeds.initiate;
  const events = (Object.keys(deeds) as Deed[]).flatMap(deed => {
    const [at, isInBlock] = deeds[deed];
    const hash = `${chain.family === 'evm' || chain.family === 'starknet' ? '0x' : ''}${madeUp(order.id, side, deed)}`;
    return [
      [`${deed}_tx_hash`, at === undefined ? '' : hash],
      [`${deed}_block_number`, String(at !== undefined && isInBlock ? BLOCK : 0)],
      [`${deed}_timestamp`, at === undefined ? null : time(at)],
    ] as const;
  });
  return {
    created_at: time(order.createdAt),
    chain: chain.name,
    asset: id,
    ...(chain.family === 'bitcoin' ? bitcoinLeg(order, chain, side) : otherLeg(order, chain, side)),
    ...(isSource ? {initiator: order.owner} : {redeemer: order.recipient}),
    timelock: lockOf(chain, side),
    amount: isSource ? order.amount : order.receive,
    filled_amount: isSource ? order.filled : paid === undefined ? '0' : order.receive,
    asset_price: price,
    secret_hash: hashOf(order),
    secret: order.at.complete === undefined ? '' : order.secret,
    required_confirmations: isSource ? 1 : 0,
    current_confirmations: isSource && paid !== undefined && isConfirmed ? 1 : 0,
    ...Object.fromEntries(events),
  };
}

/** A leg on Bitcoin: its keys, and the address that derives from them and its other terms, as in the widget. */
function bitcoinLeg(order: TestOrder, chain: Chain, side: keyof typeof LOCKED) {
  const secretHash = hashOf(order);
  const timelock = lockOf(chain, side);
  // About half of all texts are points on the curve. Nobody knows the private key of such a point.
  for (let at = 0; ; at++) {
    const [taker, giver] = ['taker', 'giver'].map(who => bytesToHex(sha256(utf8ToBytes(`${SEED} ${who} ${at}`))));
    const terms = {secretHash, redeemer: taker ?? '', delegate: giver ?? '', timelock};
    // Always a testnet address, whatever a page's settings for the chain.
    const swap_id = depositAddress({test: true}, terms);
    if (swap_id !== undefined) return {swap_id, initiator: taker, redeemer: taker, delegate: giver};
  }
}

function otherLeg(order: TestOrder, chain: Chain, side: string) {
  return {swap_id: madeUp(order.id, side), initiator: nobody(chain), redeemer: nobody(chain)};
}

function termsOf(order: TestOrder, chain: Chain) {
  return {redeemer: nobody(chain), timelock: lockOf(chain, 'source'), hash: hashOf(order)};
}

/** An address without an owner, in its chain's format. */
function nobody({family}: Chain): string {
  const digits = bytesToHex(sha256(utf8ToBytes(`${SEED} nobody`)));
  switch (family) {
    case 'evm':
      return `0x${digits.slice(0, 40)}`;
    case 'starknet':
      // Below the field's prime, which begins with 08.
      return `0x0${digits.slice(0, 62)}`;
    case 'solana':
      // The system program.
      return '11111111111111111111111111111111';
    case 'bitcoin':
      return digits;
  }
}

const SEED = 'swap-widget test service';

function lockOf({blockSeconds}: Chain, side: keyof typeof LOCKED): number {
  return Math.round(LOCKED[side] / blockSeconds);
}

function hashOf({secret}: TestOrder): string {
  return bytesToHex(sha256(hexToBytes(secret)));
}

/** A hash that is recognizably fictitious. */
export function madeUp(...of: readonly string[]): string {
  return `7e57${bytesToHex(sha256(utf8ToBytes(of.join(' ')))).slice(4)}`;
}

function fields(text: string): readonly {name: string; type: string}[] {
  return text.split(', ').map(field => {
    const [name = '', type = ''] = field.split(' ');
    return {name, type};
  });
}

function hex(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

function time(at: number): string {
  return new Date(at).toISOString();
}
