/** People who pay for orders on chains where a deposit is a contract call: EVM chains, Solana and Starknet. */
import {ed25519} from '@noble/curves/ed25519.js';
import {getAddressDecoder, type Instruction} from '@solana/kit';
import {Interface} from 'ethers';
import {Account, CallData, RpcProvider, cairo, ec, hash, logger, num, stark, type Call} from 'starknet';
import {refundInstruction, swapOf, transactionOf} from '../../demo/sandbox/chains/solana/htlc.js';
import {Person, rpc, type OrderAnswer, type OrderRead, type SandboxClient} from './client.js';

// Silences the warning that there are too few transactions to estimate a tip.
logger.setLogLevel('ERROR');

export interface Payer {
  readonly address: string;
  /** Pays for an order, by default the amount that it says; returns the transaction. */
  deposit(order: OrderAnswer, amount?: bigint): Promise<string>;
  /** Refunds the deposit with its contract. */
  refund(order: OrderRead): Promise<string>;
  /** The balance of the asset, plus the fees paid in it. */
  balance(): Promise<bigint>;
  /** Whether the chain's node knows a transaction. */
  knows(hash: string): Promise<boolean>;
}

/** A chain to pay from. */
export interface Source {
  readonly asset: string;
  readonly amount: bigint;
  readonly timelock: number;
  /** The contract's error for an early refund. */
  readonly early: RegExp;
  meet(client: SandboxClient, lots?: bigint): Promise<Payer>;
}

const chainOf = async (client: SandboxClient, asset: string) =>
  (await client.info()).chains[asset.slice(0, asset.indexOf(':'))]!;

const htlc = new Interface(['function initiate(address, uint256, uint256, bytes32)']);

const EVM: Source = {
  asset: 'base_sepolia:wbtc',
  amount: 10_000_000n,
  timelock: 300,
  early: /failed/,
  async meet(client, lots = 1n) {
    const {asset} = EVM;
    const person = await Person.with(client, asset, lots * EVM.amount);
    return {
      address: person.address,
      async deposit({transaction, typed_data}, amount = EVM.amount) {
        await person.approve(asset, amount);
        const {redeemer, timelock, secretHash} = typed_data.message;
        return person.send(
          transaction.to,
          htlc.encodeFunctionData('initiate', [redeemer, timelock, amount, secretHash]),
        );
      },
      refund: ({source_swap}) => person.refund(asset, String(source_swap['swap_id'])),
      balance: () => person.balance(asset),
      knows: async transaction => (await person.rpc('eth_getTransactionReceipt', transaction)) !== null,
    };
  },
};

const FEE = 5_000n;

const SOLANA: Source = {
  asset: 'solana_testnet:sol',
  amount: 1_000_000_000n,
  timelock: 9_000,
  early: /custom program error: 0x1773/,
  async meet(client, lots = 1n) {
    const secret = ed25519.utils.randomSecretKey();
    const address = getAddressDecoder().decode(ed25519.getPublicKey(secret));
    // More than is paid: an account with less than its rent would be rejected.
    await client.control('faucet', {asset: SOLANA.asset, address, amount: String(2n * lots * SOLANA.amount)});
    const ask = async <T>(method: string, ...params: unknown[]) =>
      rpc<T>((await chainOf(client, SOLANA.asset)).rpc, method, ...params);
    const sent: string[] = [];
    /** Which of these transactions the chain knows. */
    const known = async (signatures: readonly string[]) => {
      const config = {searchTransactionHistory: true};
      const {value} = await ask<{value: unknown[]}>('getSignatureStatuses', signatures, config);
      return signatures.filter((_, at) => value[at] !== null);
    };
    const send = async (wire: Uint8Array) => {
      wire.set(ed25519.sign(wire.subarray(65), secret), 1);
      const config = {encoding: 'base64', preflightCommitment: 'processed'};
      const signature = await ask<string>('sendTransaction', Buffer.from(wire).toString('base64'), config);
      sent.push(signature);
      return signature;
    };
    const call = async (instruction: Instruction) => {
      const {value} = await ask<{value: {blockhash: string}}>('getLatestBlockhash');
      return send(transactionOf(address, [instruction], value.blockhash));
    };
    return {
      address,
      deposit(order, amount = SOLANA.amount) {
        const wire = Buffer.from((order as unknown as {versioned_tx: string}).versioned_tx, 'hex');
        // The amount is followed by timelock, redeemer and hash.
        wire.writeBigUInt64LE(amount, wire.length - 80);
        return send(Uint8Array.from(wire));
      },
      refund: ({source_swap: {initiator, redeemer, amount, secret_hash: secretHash}}) =>
        call(
          refundInstruction(
            swapOf({
              ...{asset: SOLANA.asset, timelock: SOLANA.timelock, amount: BigInt(amount)},
              ...{initiator: String(initiator), redeemer: String(redeemer), secretHash: String(secretHash)},
            }),
          ),
        ),
      async balance() {
        const fees = FEE * BigInt((await known([...new Set(sent)])).length);
        return BigInt((await ask<{value: number}>('getBalance', address)).value) + fees - lots * SOLANA.amount;
      },
      knows: async signature => (await known([signature])).length > 0,
    };
  },
};

const STARKNET: Source = {
  asset: 'starknet_sepolia:wbtc',
  amount: 10_000_000n,
  timelock: 120,
  early: /HTLC: order not expired/,
  async meet(client, lots = 1n) {
    const chain = await chainOf(client, STARKNET.asset);
    const {token = '', contracts} = chain.assets[STARKNET.asset]!;
    const [contract] = contracts;
    const {accountClass: classHash} = chain as unknown as {accountClass: string};
    const key = stark.randomAddress();
    const publicKey = ec.starkCurve.getStarkKey(key);
    const address = hash.calculateContractAddressFromHash(publicKey, classHash, [publicKey], 0);
    const provider = new RpcProvider({nodeUrl: chain.rpc});
    const account = new Account({provider, address, signer: key});
    await account.deployAccount({classHash, constructorCalldata: [publicKey], addressSalt: publicKey}, {tip: 0n});
    await client.control('faucet', {asset: STARKNET.asset, address, amount: String(lots * STARKNET.amount)});
    const execute = async (...calls: Call[]) => (await account.execute(calls, {tip: 0n})).transaction_hash;
    return {
      address: `0x${BigInt(address).toString(16).padStart(64, '0')}`,
      deposit(order, amount = STARKNET.amount) {
        const {calldata} = order.transaction as unknown as {calldata: string[]};
        const spend = CallData.compile({spender: contract, amount: cairo.uint256(amount)});
        return execute(
          {contractAddress: token, entrypoint: 'approve', calldata: spend},
          {contractAddress: contract, entrypoint: 'initiate', calldata: calldata.with(2, num.toHex(amount))},
        );
      },
      refund: ({source_swap}) =>
        execute({contractAddress: contract, entrypoint: 'refund', calldata: [`0x${String(source_swap['swap_id'])}`]}),
      async balance() {
        const call = {contractAddress: token, entrypoint: 'balance_of', calldata: [address]};
        return BigInt((await provider.callContract(call))[0] ?? 0);
      },
      knows: transaction =>
        provider.getTransactionReceipt(transaction).then(
          () => true,
          () => false,
        ),
    };
  },
};

export const SOURCES: readonly Source[] = [EVM, SOLANA, STARKNET];
