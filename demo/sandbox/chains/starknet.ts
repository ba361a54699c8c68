/**
 * The sandbox's Starknet chain: a ledger in this process (`starknet/chain.ts`) with our swap contract and token, behind
 * JSON-RPC.
 *
 * Real: accounts, their signatures and nonces, calldata, typed data, events, receipts, reverts, reorganizations, a
 * node's JSON-RPC. Ours: contracts are TypeScript instead of Cairo (`test/cairo.ts` runs both and compares), the keys of
 * solvers and service, the clock, and that no fee is charged.
 */
import {grindKey} from '@scure/starknet';
import {keyOf} from './anvil.js';
import type {TokenPlan} from './evm.js';
import {
  RequestError,
  memoizeByTerms,
  type ChainLeg,
  type LegState,
  type LocalAsset,
  type SeenTransaction,
  type Terms,
} from './leg.js';
import {Chain, eventKey, deploySender, type Emitted, type Receipt, type Sender} from './starknet/chain.js';
import {account, argentAccount, htlc, orderId, otherHtlc, readOrder, token} from './starknet/contracts.js';
import {
  PRIME,
  addressText,
  fromWords,
  toU256,
  hex,
  isAddress,
  readFelt,
  selectorOf,
  shortText,
  toWords,
} from './starknet/felts.js';
import {corruptions} from './starknet/hostile.js';
import {Panic, type Call} from './starknet/machine.js';
import {serveRpc} from './starknet/rpc.js';

export interface StarknetOptions {
  readonly name: string;
  /** The chain's id as text: `SN_SEPOLIA`. */
  readonly chainId: string;
  readonly tokens: readonly TokenPlan[];
  readonly solvers: readonly string[];
  /** 0 takes a free one. */
  readonly port: number;
  /** Real seconds per block; null only mines with each transaction. */
  readonly blockSeconds: number | null;
}

/** An hour of 30-second blocks, and half of it: the source must outlive the destination. */
const TIMELOCKS = {source: 120, destination: 60} as const;
/** The address of the fee token on every public network. */
const STRK = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
/** The initial balance of each token, in whole units, of solvers and service. */
const INITIAL_BALANCE = 10n ** 9n;
const NOTHING: LegState = {filled: 0n, matchesTerms: false};
const EVERYTHING = toU256(2n ** 256n - 1n);
/** The maximum length of a signature, longer than any wallet's. */
const MAX_SIGNATURE = 1_000;

export async function startStarknetLeg(options: StarknetOptions): Promise<ChainLeg> {
  const {name, blockSeconds} = options;
  const chainId = shortText(options.chainId);
  const chain = new Chain({chainId, onDemand: blockSeconds === null});
  const sender = (role: string) => deploySender(chain, grindKey(keyOf(role).slice(2)));
  const maker = sender('maker');
  const service = sender('service');
  const solvers = options.solvers.map(sender);
  const senderOf = (address: string) => solvers.find(one => one.address === BigInt(address)) ?? service;

  const tokenData = (title: string, symbol: string, decimals: number) => [
    shortText(title),
    shortText(symbol),
    BigInt(decimals),
    maker.address,
  ];
  const call = (to: bigint, entry: string, calldata: readonly bigint[]): Call => ({
    to,
    selector: selectorOf(entry),
    calldata,
  });

  const assets: Record<string, LocalAsset> = {};
  const deployments: Record<string, {token: bigint; contract: bigint}> = {};
  const others: Record<string, string> = {};
  chain.deployAtGenesis(token, tokenData('Starknet Token', 'STRK', 18), STRK);
  for (const {name: asset, title, symbol, decimals} of options.tokens) {
    const address = chain.deployAtGenesis(token, tokenData(title, symbol, decimals));
    const contract = chain.deployAtGenesis(htlc, [address]);
    const initialBalance = toU256(INITIAL_BALANCE * 10n ** BigInt(decimals));
    for (const party of [service, ...solvers]) {
      chain.callAtGenesis(call(address, 'mint', [party.address, ...initialBalance]), maker.address);
    }
    for (const solver of solvers) {
      chain.callAtGenesis(call(address, 'approve', [contract, ...EVERYTHING]), solver.address);
    }
    assets[`${name}:${asset}`] = {symbol, decimals, token: addressText(address), contracts: [addressText(contract)]};
    deployments[`${name}:${asset}`] = {token: address, contract};
    others[`${name}:${asset}`] = addressText(chain.deployAtGenesis(otherHtlc, [address]));
  }
  chain.mine();
  const server = await serveRpc(chain, options.port);

  const homeOf = (asset: string) => {
    const found = deployments[asset];
    if (!found) throw new RequestError(`Asset '${asset}' not found`);
    return found;
  };
  const contractOf = (terms: Terms) => BigInt(terms.contract ?? homeOf(terms.asset).contract);
  const swapId = memoizeByTerms(({secretHash, initiator}) => orderId(chainId, toWords(secretHash), BigInt(initiator)));
  const eventKeys = memoizeByTerms(terms =>
    ['Initiated', 'Redeemed', 'Refunded'].map(name => eventKey(contractOf(terms), name, swapId(terms))),
  );
  const depositOf = (terms: Terms) => ({
    redeemer: BigInt(terms.redeemer),
    timelock: BigInt(terms.timelock),
    amount: terms.amount,
    secret_hash: toWords(terms.secretHash),
  });
  const initiateCalldata = (terms: Terms) => {
    const {redeemer, timelock, amount, secret_hash} = depositOf(terms);
    return [redeemer, timelock, ...toU256(amount), ...secret_hash];
  };

  /** Sends a call; resolves once it is in a block. */
  async function send(from: Sender, to: bigint, entry: string, calldata: readonly bigint[]): Promise<string> {
    const {hash} = from.send([call(to, entry, calldata)]);
    await chain.settled(hash);
    return hex(hash);
  }

  const seenTransaction = ({hash, block, at}: Receipt): SeenTransaction => ({
    hash: hex(hash),
    block: block > chain.height ? 0 : block,
    at,
  });

  /** Caches the state of a leg for its events and how many of them are in blocks. */
  const states = new WeakMap<Terms, {found: readonly (Emitted | undefined)[]; sealed: number; state: LegState}>();

  const written = ({to, selector, calldata}: Call) => ({
    to: hex(to),
    selector: hex(selector),
    calldata: calldata.map(hex),
  });
  const initiation = (terms: Terms) => written(call(contractOf(terms), 'initiate', initiateCalldata(terms)));
  const typedData = (terms: Terms) => {
    const {redeemer, timelock, amount, secret_hash} = depositOf(terms);
    const [low, high] = toU256(amount);
    return {
      domain: {name: 'HTLC', version: '1', chainId: options.chainId, revision: '1'},
      primaryType: 'Initiate',
      types: {
        StarknetDomain: ['name', 'version', 'chainId', 'revision'].map(field => ({name: field, type: 'shortstring'})),
        Initiate: [
          {name: 'redeemer', type: 'ContractAddress'},
          {name: 'amount', type: 'u256'},
          {name: 'timelock', type: 'u128'},
          {name: 'secretHash', type: 'u128*'},
        ],
      },
      message: {
        redeemer: redeemer.toString(),
        amount: {low: hex(low), high: hex(high)},
        timelock: timelock.toString(),
        secretHash: secret_hash.map(Number),
      },
    };
  };
  const readU256 = (to: bigint, entry: string, calldata: readonly bigint[]) => {
    const [low = 0n, high = 0n] = chain.call(call(to, entry, calldata), 'pre_confirmed');
    return low + (high << 128n);
  };

  function initiateError({reason}: Panic, terms: Terms): string {
    const {token: held, contract} = homeOf(terms.asset);
    const owner = BigInt(terms.initiator);
    switch (reason) {
      case 'HTLC: invalid signature':
      case 'argent/invalid-signature-length':
      case 'argent/undeserializable':
        return `signature: not a signature of this order's typed data by ${terms.initiator}`;
      case 'HTLC: duplicate order':
        return 'Invalid swap request : the order is already initiated';
      case 'CONTRACT_NOT_DEPLOYED':
      case 'ENTRYPOINT_NOT_FOUND':
        return `source.owner: ${terms.initiator} is not a deployed account, so no signature can be its own`;
      case 'ERC20: insufficient allowance': {
        const allowed = readU256(held, 'allowance', [owner, contract]);
        return `source.owner: insufficient allowance, ${addressText(contract)} may move ${allowed} of the ${terms.amount} needed`;
      }
      case 'ERC20: insufficient balance':
        return `source.owner: insufficient balance, ${readU256(held, 'balance_of', [owner])} of the ${terms.amount} needed`;
      default:
        return `Invalid swap request : ${reason}`;
    }
  }

  return {
    name,
    family: 'starknet',
    facts: {
      chainId: hex(chainId),
      rpc: server.url,
      // The classes that wallets deploy their accounts with.
      accountClass: hex(account.hash),
      guardedAccountClass: hex(argentAccount.hash),
    },
    blockSeconds,
    assets,
    others,
    coin: `${name}:strk`,
    timelocks: TIMELOCKS,
    solvers: solvers.map(({address}) => addressText(address)),
    corruptions,

    // The ledger is in this process, so its state is always current.
    sync: () => Promise.resolve(),
    height: () => chain.height,
    stateOf(terms) {
      const found = eventKeys(terms).map(key => chain.eventsOf(key)[0]);
      const [initiated, redeemed, refunded] = found;
      if (!initiated) return NOTHING;
      const known = states.get(terms);
      const sealed = found.filter(event => event && event.receipt.block <= chain.height).length;
      if (known?.sealed === sealed && known.found.every((event, place) => event === found[place])) return known.state;
      const order = readOrder(chain.call(call(contractOf(terms), 'get_order', [swapId(terms)]), 'pre_confirmed'));
      const agreed = depositOf(terms);
      // After eight words of the hash and the secret's length come its eight words.
      const secret = redeemed?.event.data.slice(9) ?? [];
      const state = {
        filled: order.amount,
        matchesTerms:
          order.amount === agreed.amount && order.redeemer === agreed.redeemer && order.timelock === agreed.timelock,
        initiated: seenTransaction(initiated.receipt),
        ...(redeemed && {redeemed: {...seenTransaction(redeemed.receipt), secret: fromWords(secret)}}),
        ...(refunded && {refunded: seenTransaction(refunded.receipt)}),
      };
      states.set(terms, {found, sealed, state});
      return state;
    },

    readAddress(text) {
      const felt = readFelt(text);
      if (felt === undefined) return {problem: 'not a valid Starknet address'};
      if (felt === 0n) return {problem: 'the zero address owns nothing'};
      return isAddress(felt) ? {address: addressText(felt)} : {problem: 'not a valid Starknet address'};
    },
    swapId: terms => swapId(terms).toString(16),
    source: terms => ({transaction: initiation(terms), typed_data: typedData(terms)}),
    laterSource(terms) {
      const {token: held, contract} = homeOf(terms.asset);
      const approval = written(call(held, 'approve', [contract, ...toU256(terms.amount)]));
      const allowed = readU256(held, 'allowance', [BigInt(terms.initiator), contract]);
      return Promise.resolve({
        approval_transaction: allowed >= terms.amount ? null : approval,
        initiate_transaction: initiation(terms),
        typed_data: typedData(terms),
      });
    },
    async initiateSigned(terms, given) {
      const signature = readSignature(given);
      const calldata = [BigInt(terms.initiator), ...initiateCalldata(terms), BigInt(signature.length), ...signature];
      try {
        return await send(service, contractOf(terms), 'initiate_with_signature', calldata);
      } catch (error) {
        throw error instanceof Panic ? new RequestError(initiateError(error, terms)) : error;
      }
    },

    initiate: terms => send(senderOf(terms.initiator), contractOf(terms), 'initiate', initiateCalldata(terms)),
    redeem: (terms, secret) =>
      send(senderOf(terms.redeemer), contractOf(terms), 'redeem', [swapId(terms), 8n, ...toWords(secret)]),
    refund: terms => send(senderOf(terms.initiator), contractOf(terms), 'refund', [swapId(terms)]),

    mine(blocks) {
      chain.mine(blocks);
      return Promise.resolve();
    },
    tick(awaited) {
      if (awaited || chain.next.length > 0) chain.mine();
      return Promise.resolve();
    },
    faucet: (asset, address, amount) =>
      send(maker, asset === `${name}:strk` ? STRK : homeOf(asset).token, 'mint', [BigInt(address), ...toU256(amount)]),
    payout: (asset, address, amount) =>
      send(service, homeOf(asset).token, 'transfer', [BigInt(address), ...toU256(amount)]),

    reorg(terms) {
      const [deposit] = chain.eventsOf(eventKeys(terms)[0] ?? '');
      if (deposit) chain.reorgWithout(deposit.receipt.hash);
      return Promise.resolve();
    },
    close: server.close,
  };
}

/**
 * A signature in any of the formats that clients send: an array of felts in hex or decimal, comma-separated text, or
 * {r, s}. Its length depends on the account, so any length is accepted.
 */
function readSignature(given: unknown): bigint[] {
  const isPair = typeof given === 'object' && given !== null && 'r' in given && 's' in given;
  const parts = typeof given === 'string' ? given.split(',') : isPair ? [given.r, given.s] : given;
  if (Array.isArray(parts) && parts.length >= 2 && parts.length <= MAX_SIGNATURE) {
    const felts = parts.map(readPart);
    if (felts.every(felt => felt !== undefined)) return felts;
  }
  throw new RequestError('signature: must be an array of felts as hex or decimal text, comma text or {r, s}');
}

function readPart(part: unknown): bigint | undefined {
  if (typeof part !== 'string') return undefined;
  const text = part.trim();
  const felt = /^\d{1,76}$/.test(text) ? BigInt(text) : readFelt(text);
  return felt !== undefined && felt < PRIME ? felt : undefined;
}
