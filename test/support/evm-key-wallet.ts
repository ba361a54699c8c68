import {toBeHex, TypedDataEncoder, Wallet as KeyPair} from 'ethers';

/**
 * A wallet that approves everything: an EIP-1193 provider with a real key, on real nodes. Reads go to the node of the
 * chain it is on; it signs what costs money itself.
 */
export class KeyWallet {
  readonly pair: KeyPair;
  readonly nodes: ReadonlyMap<number, string>;
  /** The requested methods for which a wallet would open a window. */
  readonly windows: string[] = [];
  chainId: number;

  constructor(key: string, nodes: ReadonlyMap<number, string>, chainId: number) {
    this.pair = new KeyPair(key);
    this.nodes = nodes;
    this.chainId = chainId;
  }

  request = async ({method, params = []}: {method: string; params?: readonly unknown[]}): Promise<unknown> => {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [this.pair.address];
      case 'wallet_switchEthereumChain':
        this.windows.push(method);
        this.chainId = Number((params[0] as {chainId: string}).chainId);
        return null;
      case 'eth_signTypedData_v4': {
        this.windows.push(method);
        const {domain, types, message} = JSON.parse(String(params[1])) as {
          domain: Record<string, unknown>;
          types: Record<string, {name: string; type: string}[]>;
          message: Record<string, unknown>;
        };
        const own = Object.fromEntries(Object.entries(types).filter(([name]) => name !== 'EIP712Domain'));
        return this.pair.signingKey.sign(TypedDataEncoder.hash(domain, own, message)).serialized;
      }
      case 'eth_sendTransaction': {
        this.windows.push(method);
        const {to, data, value} = params[0] as {to: string; data: string; value: string};
        const [gas, nonce, price] = (await Promise.all([
          this.node('eth_estimateGas', {from: this.pair.address, to, data, value}),
          this.node('eth_getTransactionCount', this.pair.address, 'pending'),
          this.node('eth_gasPrice'),
        ])) as [string, string, string];
        const raw = await this.pair.signTransaction({
          chainId: this.chainId,
          nonce: Number(nonce),
          to,
          data,
          value,
          gasLimit: (BigInt(gas) * 13n) / 10n,
          gasPrice: BigInt(price) * 2n,
        });
        return this.node('eth_sendRawTransaction', raw);
      }
      case 'eth_chainId':
        return toBeHex(this.chainId);
      default:
        return this.node(method, ...params);
    }
  };

  /** Queries the node of the chain that the wallet is on. */
  async node(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(this.nodes.get(this.chainId) ?? '', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
    });
    const {result, error} = (await response.json()) as {result?: unknown; error?: {message: string}};
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }
}
