/**
 * An EVM chain of the sandbox: a real node (`anvil.ts`) with our HTLC and test tokens on it.
 *
 * Real: contracts, signatures, allowances, gas, receipts, reorganizations. Ours: the keys of solvers and service,
 * derived from fixed names so that addresses are the same on each start; the tokens, which have no value; the clock.
 */
import {readFileSync} from 'node:fs';
import {AbiCoder, Interface, MaxUint256, Signature, getAddress, getCreateAddress, sha256} from 'ethers';
import {createSender, hex, keyOf, revertOf, type Anvil, type Receipt, type Sender, type Unsigned} from './anvil.js';
import {createEvmIndex} from './evm-index.js';
import {corruptions} from './evm-hostile.js';
import {RequestError, memoizeByTerms, type ChainLeg, type LocalAsset, type Terms} from './leg.js';

interface Artifact {
  abi: string[];
  bytecode: string;
}

const artifacts = JSON.parse(readFileSync(new URL('../contracts/artifacts.json', import.meta.url), 'utf8')) as {
  BatchAccount: Artifact;
  HTLC: Artifact;
  NativeHTLC: Artifact;
  OtherHTLC: Artifact;
  SanctionsList: Artifact;
  TestToken: Artifact;
};
const htlc = new Interface(artifacts.HTLC.abi);
const token = new Interface(artifacts.TestToken.abi);
const words = AbiCoder.defaultAbiCoder();
/** Where most mainnets have it. */
const SANCTIONS_ORACLE = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb';

export interface TokenPlan {
  readonly name: string;
  readonly title: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Whether an allowance has to be reset to 0 before it can change. */
  readonly approvesFromZeroOnly?: boolean;
}

export interface EvmOptions {
  readonly name: string;
  readonly chainId: number;
  readonly tokens: readonly TokenPlan[];
  readonly solvers: readonly string[];
  readonly node: Promise<Anvil>;
  /** Real seconds per block; null only mines with each transaction. */
  readonly blockSeconds: number | null;
}

/** An hour of 12-second blocks, and half of it: the source must outlive the destination. */
const TIMELOCKS = {source: 300, destination: 150} as const;
/** The service uses one gas limit for all deposits (published samples). */
const GAS_LIMIT = '0x493e0';
/** The initial balance of each token, in whole units, of solvers and of the payout account. */
const INITIAL_BALANCE = 10n ** 9n;

export async function startEvmLeg(options: EvmOptions): Promise<ChainLeg> {
  const {name, chainId, blockSeconds} = options;
  const anvil = await options.node;
  const {rpc} = anvil;
  const sender = (role: string) => createSender(rpc, chainId, keyOf(role));
  const maker = sender('maker');
  const service = sender('service');
  // Affiliates are paid from a separate key: a reorganization that removes a deposit also removes later transactions of
  // its sender, and the service sends the deposits that owners sign for.
  const payoutSender = sender('affiliate purse');
  const solvers = options.solvers.map(sender);
  const senderOf = (address: string) => solvers.find(solver => solver.address === address) ?? service;

  const assets: Record<string, LocalAsset> = {};
  /** An asset's token (none for the native coin), and the contract that holds its deposits. */
  const deployments: Record<string, {token?: string; contract: string}> = {};
  const others: Record<string, string> = {};
  const coin = `${name}:eth`;
  /** The implementation that accounts can delegate to (EIP-7702). */
  let batchAccount = '';

  const refused = (error: unknown) => revertOf(error, [htlc, token]);
  const send = async (from: Sender, to: string, contract: Interface, method: string, args: unknown[], value = 0n) =>
    from.send({to, value, data: contract.encodeFunctionData(method, args)});
  const call = async (to: string, contract: Interface, method: string, args: unknown[]) =>
    contract.decodeFunctionResult(
      method,
      await rpc<string>('eth_call', {to, data: contract.encodeFunctionData(method, args)}, 'latest'),
    );

  /** Deploys the contracts, and gives each role what it needs: in two blocks, since approvals need the tokens. */
  async function genesis(): Promise<void> {
    const founding: Unsigned[] = [];
    const byMaker = (data: string, to?: string) => {
      const nonce = founding.length;
      founding.push({from: maker.address, nonce, data, ...(to === undefined ? {} : {to})});
      return getCreateAddress({from: maker.address, nonce});
    };
    const deploy = ({bytecode}: Artifact, contract: Interface, args: unknown[]) =>
      byMaker(bytecode + contract.encodeDeploy(args).slice(2));
    const approvals: string[][] = [];
    for (const plan of options.tokens) {
      const {title, symbol, decimals, approvesFromZeroOnly = false} = plan;
      const address = deploy(artifacts.TestToken, token, [title, symbol, decimals, approvesFromZeroOnly]);
      const contract = deploy(artifacts.HTLC, htlc, [address]);
      const stock = INITIAL_BALANCE * 10n ** BigInt(decimals);
      for (const party of [payoutSender, ...solvers]) {
        byMaker(token.encodeFunctionData('mint', [party.address, stock]), address);
      }
      approvals.push([address, token.encodeFunctionData('approve', [contract, MaxUint256])]);
      assets[`${name}:${plan.name}`] = {symbol, decimals, token: address, contracts: [contract]};
      deployments[`${name}:${plan.name}`] = {token: address, contract};
    }
    const contract = deploy(artifacts.NativeHTLC, new Interface(artifacts.NativeHTLC.abi), []);
    assets[coin] = {symbol: 'ETH', decimals: 18, contracts: [contract]};
    deployments[coin] = {contract};
    batchAccount = deploy(artifacts.BatchAccount, new Interface(artifacts.BatchAccount.abi), []);
    for (const [asset, {token: home}] of Object.entries(assets)) {
      if (home !== undefined) others[asset] = deploy(artifacts.OtherHTLC, htlc, [home]);
    }
    const list = deploy(artifacts.SanctionsList, new Interface(artifacts.SanctionsList.abi), []);
    const approved = solvers.flatMap(({address: from}) =>
      approvals.map(([to = '', data = ''], nonce) => ({from, nonce, to, data})),
    );
    const parties = [maker, service, payoutSender, ...solvers];
    await anvil.found(
      parties.map(({address}) => address),
      [founding, approved],
    );
    await rpc('anvil_setCode', SANCTIONS_ORACLE, await rpc<string>('eth_getCode', list, 'latest'));
  }

  try {
    await genesis();
  } catch (error) {
    await anvil.close();
    throw error;
  }

  const homeOf = (asset: string) => {
    const found = deployments[asset];
    if (!found) throw new RequestError(`Asset '${asset}' not found`);
    return found;
  };
  const contractOf = (terms: Terms) => terms.contract ?? homeOf(terms.asset).contract;
  // Published order id of generation "2".
  const swapId = memoizeByTerms(({secretHash, initiator}) =>
    sha256(words.encode(['uint256', 'bytes32', 'address'], [chainId, `0x${secretHash}`, initiator])),
  );
  const initiateArgs = (terms: Terms) => [terms.redeemer, terms.timelock, terms.amount, `0x${terms.secretHash}`];
  /** The value of the transaction that locks the terms' amount. */
  const coinsOf = (terms: Terms) => (terms.asset === coin ? terms.amount : 0n);
  const hashOf = ({transactionHash}: Receipt) => transactionHash;

  const index = createEvmIndex(rpc, htlc, [
    ...Object.values(deployments).map(({contract}) => contract),
    ...Object.values(others),
  ]);
  await index.sync();
  let replacing = 0;

  const transaction = (to: string, data: string, value = 0n) => ({
    to: to.toLowerCase(),
    value: hex(value),
    data,
    gas_limit: GAS_LIMIT,
    chain_id: chainId,
  });
  const initiation = (terms: Terms) =>
    transaction(contractOf(terms), htlc.encodeFunctionData('initiate', initiateArgs(terms)), coinsOf(terms));
  const typedData = (terms: Terms) => ({
    domain: {
      name: 'HTLC',
      version: '2',
      chainId: hex(chainId),
      verifyingContract: contractOf(terms).toLowerCase(),
    },
    primaryType: 'Initiate',
    types: {
      EIP712Domain: [
        {name: 'name', type: 'string'},
        {name: 'version', type: 'string'},
        {name: 'chainId', type: 'uint256'},
        {name: 'verifyingContract', type: 'address'},
      ],
      Initiate: [
        {name: 'redeemer', type: 'address'},
        {name: 'timelock', type: 'uint256'},
        {name: 'amount', type: 'uint256'},
        {name: 'secretHash', type: 'bytes32'},
      ],
    },
    message: {
      redeemer: terms.redeemer.toLowerCase(),
      timelock: hex(terms.timelock),
      amount: hex(terms.amount),
      secretHash: `0x${terms.secretHash}`,
    },
  });
  const allowanceOf = async (owner: string, home: string, contract: string) => {
    const [allowance] = await call(home, token, 'allowance', [owner, contract]);
    return allowance as bigint;
  };

  return {
    name,
    family: 'evm',
    facts: {chainId, rpc: anvil.url, batchAccount},
    blockSeconds,
    assets,
    others,
    coin,
    timelocks: TIMELOCKS,
    solvers: solvers.map(({address}) => address),
    corruptions,

    sync: index.sync,
    height: index.height,
    stateOf: terms => index.stateOf(contractOf(terms), swapId(terms), terms),

    readAddress(text) {
      try {
        const address = getAddress(text);
        // ethers also accepts addresses without a prefix, and ICAP addresses.
        if (!/^0x/.test(text)) return {problem: 'not a valid EVM address'};
        return BigInt(address) === 0n ? {problem: 'the zero address owns nothing'} : {address};
      } catch {
        return {problem: 'not a valid EVM address'};
      }
    },
    swapId: terms => swapId(terms).slice(2),
    // The native coin cannot be moved by signature: there is no typed data and no allowance for it.
    source: terms => ({
      transaction: initiation(terms),
      typed_data: terms.asset === coin ? null : typedData(terms),
    }),
    async laterSource(terms) {
      const {token: home, contract} = homeOf(terms.asset);
      const needsApproval = home !== undefined && (await allowanceOf(terms.initiator, home, contract)) < terms.amount;
      return {
        approval_transaction: needsApproval
          ? transaction(home, token.encodeFunctionData('approve', [contract, MaxUint256]))
          : null,
        initiate_transaction: initiation(terms),
        typed_data: terms.asset === coin ? null : typedData(terms),
      };
    },
    async initiateSigned(terms, signature) {
      if (terms.asset === coin) throw new RequestError(`${coin} is not supported for initiations`);
      const args = [terms.initiator, ...initiateArgs(terms), readSignature(signature)];
      try {
        return hashOf(await send(service, contractOf(terms), htlc, 'initiateWithSignature', args));
      } catch (error) {
        throw new RequestError(initiateError(refused(error), terms, contractOf(terms)) ?? String(error));
      }
    },

    initiate: async terms =>
      hashOf(
        await send(senderOf(terms.initiator), contractOf(terms), htlc, 'initiate', initiateArgs(terms), coinsOf(terms)),
      ),
    redeem: async (terms, secret) =>
      hashOf(await send(senderOf(terms.redeemer), contractOf(terms), htlc, 'redeem', [swapId(terms), `0x${secret}`])),
    refund: async terms =>
      hashOf(await send(senderOf(terms.initiator), contractOf(terms), htlc, 'refund', [swapId(terms)])),

    async mine(blocks) {
      await rpc('anvil_mine', hex(blocks));
    },
    async tick(awaited) {
      if (awaited && !replacing) await rpc('evm_mine');
    },
    async faucet(asset, address, amount) {
      const {token: home} = homeOf(asset);
      return hashOf(
        home === undefined
          ? await maker.send({to: address, value: amount})
          : await send(maker, home, token, 'mint', [address, amount]),
      );
    },
    async payout(asset, address, amount) {
      const {token: home} = homeOf(asset);
      return hashOf(
        home === undefined
          ? await payoutSender.send({to: address, value: amount})
          : await send(payoutSender, home, token, 'transfer', [address, amount]),
      );
    },

    async reorg(terms) {
      replacing++;
      try {
        await index.reorgWithout(contractOf(terms), swapId(terms));
      } finally {
        replacing--;
      }
    },
    stopped: anvil.stopped,
    close: anvil.close,
  };
}

/**
 * A signature in any of the formats that clients send: hex text, comma-separated text, an array, or {r, s, v}. A
 * contract account (ERC-1271) can have signatures of any length, so hex of any length is accepted.
 */
function readSignature(given: unknown): string {
  const parts = typeof given === 'string' ? given.split(',').map(part => part.trim()) : given;
  try {
    if (Array.isArray(parts)) {
      const [first, s, v] = parts as unknown[];
      if (parts.length === 1 && typeof first === 'string') {
        const text = first.startsWith('0x') ? first : `0x${first}`;
        if (/^0x([0-9a-f]{2}){64,}$/i.test(text)) return text;
      }
      if (parts.length === 3) return serialize(first, s, v);
    } else if (typeof parts === 'object' && parts !== null) {
      const {r, s, v, yParity} = parts as Record<string, unknown>;
      return serialize(r, s, v ?? yParity);
    }
  } catch {
    // Reported below.
  }
  throw new RequestError('signature: must be a 65-byte EIP-712 signature as hex, comma text, array or {r, s, v}');
}

function serialize(r: unknown, s: unknown, v: unknown): string {
  const word = (value: unknown) =>
    `0x${BigInt(value as string)
      .toString(16)
      .padStart(64, '0')}`;
  const parity = Number(v);
  return Signature.from({r: word(r), s: word(s), v: parity < 27 ? parity + 27 : parity}).serialized;
}

function initiateError(revert: ReturnType<typeof revertOf>, terms: Terms, contract: string): string | undefined {
  switch (revert?.name) {
    case 'HTLC__InvalidInitiatorSignature':
      return `signature: not a signature of this order's typed data by ${terms.initiator}`;
    case 'HTLC__DuplicateOrder':
      return 'Invalid swap request : the order is already initiated';
    case 'ERC20InsufficientAllowance':
      return `source.owner: insufficient allowance, ${contract} may move ${String(revert.args[1])} of the ${terms.amount} needed`;
    case 'ERC20InsufficientBalance':
      return `source.owner: insufficient balance, ${String(revert.args[1])} of the ${terms.amount} needed`;
    default:
      return revert && `Invalid swap request : ${revert.name}`;
  }
}
