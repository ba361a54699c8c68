/**
 * The JSON-RPC of a Solana node, as far as wallets and pages use it, for one local chain.
 *
 * Real: methods, parameters, results and error codes; the preflight of transactions; signatures, and blockhashes that
 * expire. Ours: one state for every commitment, no votes, no subscriptions (there is no WebSocket;
 * poll `getSignatureStatuses`), and accounts are not parsed into JSON.
 */
import {getCompiledTransactionMessageDecoder, type Address} from '@solana/kit';
import type {RunningServer} from '../../http.js';
import {RpcError, serveJsonRpc} from '../../json-rpc.js';
import {errorMessage} from './errors.js';
import {SPL_TOKEN, bytesOf} from './htlc.js';
import {
  CODE,
  addressAt,
  bytesIn,
  commitmentOf,
  configAt,
  encodingOf,
  feeOf,
  listAt,
  numberAt,
  signatureAt,
  textAt,
  accountJson,
  accountsJson,
  outcomeJson,
  type Params,
} from './rpc-json.js';
import {InvalidTransaction, NotLanded, type SolanaChain} from './svm.js';
import {View} from './view.js';

const SLOTS_PER_EPOCH = 432_000;

const messages = getCompiledTransactionMessageDecoder();

type Method = (params: Params) => unknown;
type Methods = Readonly<Record<string, Method>>;

/** Serves the chain on this port, or on a free one if it is taken or 0. */
export function startSolanaRpc(chain: SolanaChain, port: number): Promise<RunningServer> {
  const methods = createMethods(chain);
  return serveJsonRpc(
    () => (name, params) => {
      const run = methods.get(name);
      if (!run) throw new RpcError(CODE.method, 'Method not found');
      if (!Array.isArray(params)) throw new RpcError(CODE.params, '`params` should be an array');
      return run(params);
    },
    port,
  );
}

function readTransaction(params: Params): Uint8Array {
  const config = configAt(params, 1);
  return bytesIn(textAt(params, 0), encodingOf(config['encoding'] ?? 'base58', ['base58', 'base64']));
}

/** Runs work on a transaction; invalid bytes become an RPC error. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidTransaction) throw new RpcError(CODE.params, error.message);
    throw error;
  }
}

function blockMethods(view: View): Methods {
  const {chain} = view;
  return {
    getHealth: () => 'ok',
    getVersion: () => ({'solana-core': '3.0.0', 'feature-set': 0}),
    getGenesisHash: () => chain.genesisHash,
    getSlot: params => view.slotOf(configAt(params, 0)),
    getBlockHeight: params => chain.height(view.slotOf(configAt(params, 0))),
    getEpochInfo(params) {
      const slot = view.slotOf(configAt(params, 0));
      return {
        absoluteSlot: slot,
        blockHeight: chain.height(slot),
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
      };
    },
    getBlockTime(params) {
      const slot = numberAt(params, 0);
      if (slot > chain.slot('confirmed')) throw new RpcError(CODE.block, `Block not available for slot ${slot}`);
      return chain.time(slot);
    },
  };
}

function feeMethods(view: View): Methods {
  const {chain} = view;
  return {
    getLatestBlockhash(params) {
      const config = view.config(params, 0);
      return view.inContext(chain.latestBlockhash(commitmentOf(config)));
    },
    isBlockhashValid(params) {
      const config = view.config(params, 1);
      return view.inContext(chain.isBlockhashValid(textAt(params, 0), commitmentOf(config)));
    },
    getFeeForMessage(params) {
      const config = view.config(params, 1);
      let message;
      try {
        message = messages.decode(bytesIn(textAt(params, 0), 'base64'));
      } catch {
        throw new RpcError(CODE.params, 'Invalid params: failed to deserialize a message');
      }
      if (!chain.isBlockhashValid(message.lifetimeToken, commitmentOf(config))) return view.inContext(null);
      return view.inContext(feeOf(message));
    },
    getRecentPrioritizationFees: () => [],
    getMinimumBalanceForRentExemption: params => chain.rent(numberAt(params, 0)),
  };
}

function accountMethods(view: View): Methods {
  const {chain} = view;
  return {
    getBalance(params) {
      view.slotOf(configAt(params, 1));
      return view.inContext(chain.account(addressAt(params, 0))?.lamports ?? 0n);
    },
    getAccountInfo(params) {
      const config = view.config(params, 1);
      const account = chain.account(addressAt(params, 0));
      return view.inContext(account ? accountJson(account, config) : null);
    },
    getMultipleAccounts(params) {
      const config = view.config(params, 1);
      const accounts = listAt(params, 0).map((_, index, list) => chain.account(addressAt(list, index)));
      return view.inContext(
        accounts.map(account => (account ? accountJson(account, {encoding: 'base64', ...config}) : null)),
      );
    },
    getTokenAccountsByOwner(params) {
      const config = view.config(params, 2);
      const owner = addressAt(params, 0);
      const mint = configAt(params, 1)['mint'];
      const isOf = (data: Uint8Array, at: number, address: Address) =>
        Buffer.from(data.subarray(at, at + 32)).equals(bytesOf(address));
      const found = chain
        .programAccounts(SPL_TOKEN)
        .map(account => ({account, data: Uint8Array.from(account.data)}))
        .filter(({data}) => data.length === 165 && isOf(data, 0, addressAt([mint], 0)) && isOf(data, 32, owner))
        .map(({account}) => ({pubkey: account.address, account: accountJson(account, config)}));
      return view.inContext(found);
    },
    getProgramAccounts(params) {
      const config = view.config(params, 1);
      return chain
        .programAccounts(addressAt(params, 0))
        .map(account => ({pubkey: account.address, account: accountJson(account, config)}));
    },
  };
}

function sendMethods(view: View): Methods {
  const {chain} = view;
  return {
    simulateTransaction(params) {
      const config = view.config(params, 1);
      const signatures = config['sigVerify'] === true;
      const replaced = config['replaceRecentBlockhash'] === true;
      if (signatures && replaced) {
        throw new RpcError(CODE.params, 'sigVerify may not be used with replaceRecentBlockhash');
      }
      const wire = readTransaction(params);
      const blockhash = replaced ? 'any' : commitmentOf(config);
      const trial = attempt(() => chain.simulate(wire, {signatures, blockhash}));
      if (trial.error === 'SignatureFailure') {
        throw new RpcError(CODE.signature, 'Transaction signature verification failure');
      }
      return view.inContext({
        ...outcomeJson(trial),
        accounts: accountsJson(trial, config['accounts']),
        replacementBlockhash: replaced ? chain.latestBlockhash(commitmentOf(config)) : null,
      });
    },
    sendTransaction(params) {
      const config = configAt(params, 1);
      const asked = {...config, commitment: config['preflightCommitment']};
      view.slotOf(asked);
      const trial = config['skipPreflight'] === true ? 'none' : commitmentOf(asked);
      const wire = readTransaction(params);
      try {
        return attempt(() => chain.send(wire, trial));
      } catch (error) {
        if (!(error instanceof NotLanded)) throw error;
        const {outcome} = error;
        if (outcome.error === 'SignatureFailure') {
          throw new RpcError(CODE.signature, 'Transaction signature verification failure');
        }
        throw new RpcError(
          CODE.preflight,
          `Transaction simulation failed: ${errorMessage(outcome.error)}`,
          outcomeJson(outcome),
        );
      }
    },
  };
}

function historyMethods(view: View): Methods {
  const {chain} = view;
  return {
    getSignatureStatuses(params) {
      // Without its transaction history, a node keeps signatures for twice the lifetime of blockhashes.
      const oldest =
        configAt(params, 1)['searchTransactionHistory'] === true
          ? 0
          : chain.slot('processed') - 2 * chain.blockhashSlots;
      return view.inContext(
        listAt(params, 0).map((_, index, list) => {
          const landed = chain.find(signatureAt(list, index));
          return landed && landed.slot >= oldest ? view.status(landed) : null;
        }),
      );
    },
    getSignaturesForAddress(params) {
      const config = configAt(params, 1);
      const newest = view.settledSlot(config);
      const list = chain
        .naming(addressAt(params, 0))
        .filter(({slot}) => slot <= newest)
        .reverse();
      const place = (key: 'before' | 'until', absent: number) => {
        const found = list.findIndex(({signature}) => signature === config[key]);
        return found < 0 ? absent : found;
      };
      const limit = typeof config['limit'] === 'number' ? config['limit'] : 1_000;
      return list
        .slice(place('before', -1) + 1, place('until', list.length))
        .slice(0, limit)
        .map(landed => ({
          signature: landed.signature,
          slot: landed.slot,
          err: landed.error,
          memo: null,
          blockTime: chain.time(landed.slot),
          confirmationStatus: view.status(landed).confirmationStatus,
        }));
    },
    getTransaction(params) {
      const config = typeof params[1] === 'string' ? {encoding: params[1]} : configAt(params, 1);
      const newest = view.settledSlot(config);
      const landed = chain.find(signatureAt(params, 0));
      return landed && landed.slot <= newest ? view.transactionJson(landed, config) : null;
    },
  };
}

function createMethods(chain: SolanaChain): Map<string, Method> {
  const view = new View(chain);
  return new Map(
    Object.entries({
      ...blockMethods(view),
      ...feeMethods(view),
      ...accountMethods(view),
      ...sendMethods(view),
      ...historyMethods(view),
    }),
  );
}
