/** The chain as its JSON-RPC shows it: slots by commitment, and the status of transactions. */
import {RpcError} from '../../json-rpc.js';
import {
  CODE,
  bytesJson,
  commitmentOf,
  configAt,
  encodingOf,
  messageJson,
  metaJson,
  type Config,
  type Params,
} from './rpc-json.js';
import type {Commitment, Landed, SolanaChain} from './svm.js';

export class View {
  constructor(readonly chain: SolanaChain) {}

  inContext(value: unknown) {
    return {context: {slot: this.chain.slot('processed'), apiVersion: '3.0.0'}, value};
  }

  /** The slot of the requested commitment. @throws RpcError if the caller requires a later one (`minContextSlot`). */
  slotOf(config: Config, fallback: Commitment = 'finalized'): number {
    const slot = this.chain.slot(commitmentOf(config, fallback));
    const least = config['minContextSlot'];
    if (typeof least === 'number' && least > slot) {
      throw new RpcError(CODE.context, 'Minimum context slot has not been reached', {contextSlot: slot});
    }
    return slot;
  }

  /** The configuration at this parameter index, after checking its slot. */
  config(params: Params, place: number): Config {
    const config = configAt(params, place);
    this.slotOf(config);
    return config;
  }

  /** The slot for methods that require at least `confirmed`. */
  settledSlot(config: Config): number {
    if (config['commitment'] === 'processed') {
      throw new RpcError(CODE.params, 'Method does not support commitment below `confirmed`');
    }
    return this.slotOf(config);
  }

  status({slot, error}: Landed) {
    const depth = this.chain.slot('processed') - slot;
    const finalized = slot <= this.chain.slot('finalized');
    const confirmed = slot <= this.chain.slot('confirmed');
    return {
      slot,
      confirmations: finalized ? null : depth,
      err: error,
      status: error === null ? {Ok: null} : {Err: error},
      confirmationStatus: finalized ? 'finalized' : confirmed ? 'confirmed' : 'processed',
    };
  }

  transactionJson(landed: Landed, config: Config) {
    const {message, signature, wire, slot} = landed;
    const most = config['maxSupportedTransactionVersion'];
    if (message.version !== 'legacy' && typeof most !== 'number') {
      throw new RpcError(
        CODE.version,
        `Transaction version (${message.version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${message.version}`,
      );
    }
    const encoding = config['encoding'] ?? 'json';
    const transaction =
      encoding === 'json'
        ? messageJson(landed, signature)
        : bytesJson(wire, encodingOf(encoding, ['base58', 'base64']));
    return {
      slot,
      blockTime: this.chain.time(slot),
      transaction,
      meta: metaJson(landed),
      ...(most === undefined ? {} : {version: message.version}),
    };
  }
}
