import {BaseWallet, Interface, SigningKey, Transaction, toBeHex} from 'ethers';
import type {Bundle} from './evm-ledger.js';
import {KeyWallet} from './evm-key-wallet.js';

const ACCOUNT = new Interface([
  'function execute((address to, uint256 value, bytes data)[] calls)',
  'function attempt((address to, uint256 value, bytes data)[] calls)',
]);

/** A wallet that accepts several calls in one request (EIP-5792): its account delegates them to a contract (EIP-7702). */
export class BatchWallet extends KeyWallet {
  /** Rearranges the calls that it was given. */
  arrange = (calls: Bundle['calls']): Bundle['calls'] => calls;
  /** Whether it continues after a failed call, and the transaction still succeeds. */
  isCareless = false;
  /** The transaction of each bundle, by its id. */
  readonly bundles = new Map<string, string>();

  constructor(
    readonly key: string,
    nodes: ReadonlyMap<number, string>,
    chainId: number,
    /** The contract on each chain. */
    readonly contracts: ReadonlyMap<number, string>,
  ) {
    super(key, nodes, chainId);
    const {request} = this;
    this.request = async call => {
      const [first] = call.params ?? [];
      switch (call.method) {
        case 'wallet_getCapabilities':
          return Object.fromEntries([...contracts.keys()].map(id => [toBeHex(id), {atomic: {status: 'ready'}}]));
        case 'wallet_sendCalls':
          this.windows.push(call.method);
          return this.#send(first as Bundle);
        case 'wallet_getCallsStatus': {
          const receipt = (await this.node('eth_getTransactionReceipt', this.bundles.get(String(first)))) as {
            status: string;
          } | null;
          // It reports success whatever the chain shows.
          return {version: '2.0.0', id: first, status: receipt ? 200 : 100, receipts: receipt ? [receipt] : []};
        }
        default:
          return request(call);
      }
    };
  }

  async #send({id, calls}: Bundle): Promise<{id: string}> {
    const signer = new BaseWallet(new SigningKey(this.key));
    const {address} = signer;
    const data = ACCOUNT.encodeFunctionData(this.isCareless ? 'attempt' : 'execute', [this.arrange(calls)]);
    const nonce = Number(await this.node('eth_getTransactionCount', address, 'pending'));
    const {chainId} = this;
    const change = {address: this.contracts.get(chainId) ?? '', nonce: nonce + 1, chainId};
    const price = BigInt((await this.node('eth_gasPrice')) as string) * 2n;
    const transaction = Transaction.from({
      ...{type: 4, chainId, nonce, to: address, data, gasLimit: 1_000_000n},
      ...{maxFeePerGas: price, maxPriorityFeePerGas: price},
      authorizationList: [signer.authorizeSync(change)],
    });
    transaction.signature = signer.signingKey.sign(transaction.unsignedHash);
    this.bundles.set(id, String(await this.node('eth_sendRawTransaction', transaction.serialized)));
    return {id};
  }
}
