/**
 * Several calls as one request (EIP-5792), executed as one transaction of the account's own: it delegates them to a
 * contract (EIP-7702), and is upgraded for that with the first of them.
 */
import {Interface, Transaction, getAddress, toQuantity, type BaseWallet} from 'ethers';
import {describeBundle, type EvmChain} from './evm-prompts.js';
import {
  DUPLICATE_ID,
  ProviderRpcError,
  UNKNOWN_ID,
  UNSUPPORTED_CAPABILITY,
  UNSUPPORTED_CHAIN,
  estimateGas,
  readFees,
  type BundleRequest,
  type Rpc,
} from './evm-requests.js';
import type {WalletCore} from './wallet-core.js';

const ACCOUNT = new Interface(['function execute((address to, uint256 value, bytes data)[] calls)']);

/** The code of a delegating account (EIP-7702). */
const HANDS_ON = '0xef0100';

/** The gas of an account's upgrade, in addition to its calls (EIP-7702). */
const CHANGE_GAS = 60_000n;

interface Surroundings {
  /** A network that supports it, and its contract for that. */
  accountOn(chainId: number): {readonly chain: EvmChain; readonly rpc: Rpc; readonly contract: string} | undefined;
  signerOf(address: string): BaseWallet;
  readonly prompt: WalletCore['prompt'];
  lock<T>(chain: EvmChain, address: string, work: () => Promise<T>): Promise<T>;
}

export function createBundles({accountOn, signerOf, prompt, lock}: Surroundings) {
  const sent = new Map<string, {readonly chainId: number; readonly hash: string}>();

  const isReady = async (rpc: Rpc, address: string, contract: string) =>
    String(await rpc('eth_getCode', [address, 'latest'])).toLowerCase() ===
    `${HANDS_ON}${contract.slice(2).toLowerCase()}`;

  return {
    async capabilities(address: string, chainIds: readonly number[]): Promise<Record<string, unknown>> {
      const {address: own} = signerOf(address);
      const all = chainIds.map(async chainId => {
        const on = accountOn(chainId);
        if (!on) return [];
        const status = (await isReady(on.rpc, own, on.contract)) ? 'supported' : 'ready';
        return [[toQuantity(chainId), {atomic: {status}}] as const];
      });
      return Object.fromEntries((await Promise.all(all)).flat());
    },

    async send(request: BundleRequest): Promise<{id: string}> {
      const {chainId, calls, capabilities = {}, id = toQuantity(BigInt(Date.now()))} = request;
      const by = signerOf(request.from);
      const on = accountOn(chainId);
      if (!on) throw new ProviderRpcError(UNSUPPORTED_CHAIN, `It cannot be done on chain ${String(chainId)}.`);
      const wanted = Object.entries(capabilities).find(([, {optional}]) => optional !== true);
      if (wanted) throw new ProviderRpcError(UNSUPPORTED_CAPABILITY, `This wallet has no ${wanted[0]}.`);
      if (sent.has(id)) throw new ProviderRpcError(DUPLICATE_ID, 'There are calls with this id.');
      const {chain, rpc, contract} = on;
      const data = ACCOUNT.encodeFunctionData('execute', [calls]);
      const itself = {from: by.address, to: by.address, value: 0n, data};
      const isChanged = await isReady(rpc, by.address, contract);
      // Calls that would revert are an error here, before the prompt.
      const code = isChanged ? undefined : String(await rpc('eth_getCode', [contract, 'latest']));
      const gasLimit = (await estimateGas(itself, rpc, code)) + (isChanged ? 0n : CHANGE_GAS);
      const fees = await readFees(rpc);
      const each = calls.map(call => ({...call, from: by.address, gas: undefined, chainId}));
      const description = await describeBundle(each, chain, rpc, gasLimit * fees.maxFeePerGas);
      await prompt({kind: 'send', ...description});
      const hash = await lock(chain, by.address, async () => {
        const nonce = Number(await rpc('eth_getTransactionCount', [by.address, 'pending']));
        // Its own transaction uses a nonce before the account's upgrade.
        const authorizationList = isChanged
          ? []
          : [by.authorizeSync({address: getAddress(contract), nonce: nonce + 1, chainId})];
        const transaction = Transaction.from({
          type: isChanged ? 2 : 4,
          ...(isChanged ? {} : {authorizationList}),
          ...{chainId, nonce, to: by.address, value: 0n, data, gasLimit, ...fees},
        });
        transaction.signature = by.signingKey.sign(transaction.unsignedHash);
        return String(await rpc('eth_sendRawTransaction', [transaction.serialized]));
      });
      sent.set(id, {chainId, hash});
      return {id};
    },

    async status(id: string): Promise<unknown> {
      const calls = sent.get(id);
      const on = calls && accountOn(calls.chainId);
      if (!on) throw new ProviderRpcError(UNKNOWN_ID, 'There are no calls with this id.');
      const receipt = (await on.rpc('eth_getTransactionReceipt', [calls.hash])) as {status: string} | null;
      return {
        version: '2.0.0',
        id,
        chainId: toQuantity(calls.chainId),
        status: !receipt ? 100 : Number(receipt.status) ? 200 : 500,
        atomic: true,
        ...(receipt && {receipts: [receipt]}),
      };
    },
  };
}
