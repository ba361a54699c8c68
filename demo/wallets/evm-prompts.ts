import {Interface, MaxUint256, type TransactionDescription} from 'ethers';
import {formatAmount} from '../../src/domain/amount.js';
import type {Rpc, TransactionRequest, TypedData} from './evm-requests.js';
import {createToken, factsOf, UNKNOWN_TOKEN, type Description, type Fact, type Token} from './prompt.js';

export interface EvmChain {
  readonly chainId: number;
  readonly rpc: string;
  readonly name: string;
  /** The symbol of the native coin; ETH by default. */
  readonly coin?: string;
  /** The contract that the wallet's accounts delegate to (EIP-7702); without one they make one call at a time. */
  readonly batchAccount?: string;
}

/** The calls that the wallet can describe: those of a token and those of an HTLC contract. */
const CALLS = new Interface([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
  'function refund(bytes32 orderID)',
]);

const READS = new Interface([
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function token() view returns (address)',
]);

/** Describes a transaction. The token it pays is read from the chain. */
export async function describeTransaction(
  request: TransactionRequest,
  chain: EvmChain,
  rpc: Rpc,
  fee: bigint,
): Promise<Description> {
  const description = await describeOne(request, chain, rpc);
  return {...description, facts: [...description.facts, ...factsOfSending(request.from, chain, fee)]};
}

export async function describeBundle(
  requests: readonly TransactionRequest[],
  chain: EvmChain,
  rpc: Rpc,
  fee: bigint,
): Promise<Description> {
  const all = await Promise.all(requests.map(request => describeOne(request, chain, rpc)));
  return {
    title: all.map(({title}) => title).join(', then '),
    text: `All of it, or nothing. ${all.at(-1)?.text ?? ''}`,
    facts: [...all.flatMap(({facts}) => facts), ...factsOfSending(requests[0]?.from ?? '', chain, fee)],
  };
}

async function describeOne(request: TransactionRequest, chain: EvmChain, rpc: Rpc): Promise<Description> {
  const {to, value, data} = request;
  const call = data === '0x' ? null : readCall(data);
  return call && to && value === 0n
    ? describeCall(call, to, rpc)
    : describeOther(request, chain, call?.name ?? undefined);
}

function factsOfSending(from: string, chain: EvmChain, fee: bigint): Fact[] {
  return [
    {label: 'From', value: from, exact: true},
    {label: 'Network', value: chain.name},
    {label: 'Network fee', value: `at most ${formatFee(fee)} ${coinSymbol(chain)}`},
  ];
}

async function describeCall(call: TransactionDescription, to: string, rpc: Rpc): Promise<Description> {
  switch (call.name) {
    case 'approve': {
      const [spender, amount] = call.args as unknown as [string, bigint];
      const token = await readToken(to, rpc);
      const facts: Fact[] = [
        {label: 'To spender', value: spender, exact: true},
        {label: 'Token', value: to, exact: true},
      ];
      if (amount === 0n) {
        return {title: `Revoke the allowance of ${token.symbol}`, text: 'The spender can take nothing more.', facts};
      }
      if (amount === MaxUint256) {
        const text = 'The spender can take all of it that you have, now or later.';
        return {title: `Allow any amount of ${token.symbol}`, text, facts};
      }
      const text = 'The spender can take this amount and no more. Nothing is paid yet.';
      return {title: `Allow ${token.format(amount)}`, text, facts};
    }
    case 'transfer': {
      const [recipient, amount] = call.args as unknown as [string, bigint];
      const token = await readToken(to, rpc);
      return {
        title: `Send ${token.format(amount)}`,
        text: 'The recipient gets it at once.',
        facts: [
          {label: 'Recipient', value: recipient, exact: true},
          {label: 'Token', value: to, exact: true},
        ],
      };
    }
    case 'initiate': {
      const [redeemer, timelock, amount, secretHash] = call.args as unknown as [string, bigint, bigint, string];
      const token = await readTokenOf(to, rpc);
      return {
        title: `Pay ${token.format(amount)} into a swap`,
        text: `A contract holds it. If the swap does not complete, you can get it back after ${String(timelock)} blocks.`,
        facts: [
          {label: 'Contract', value: to, exact: true},
          {label: 'Redeemer', value: redeemer, exact: true},
          {label: 'Secret hash', value: secretHash, exact: true},
        ],
      };
    }
    default: {
      const [orderId] = call.args as unknown as [string];
      return {
        title: 'Refund a swap',
        text: 'The contract returns the amount to the account that paid it.',
        facts: [
          {label: 'Contract', value: to, exact: true},
          {label: 'Swap', value: orderId, exact: true},
        ],
      };
    }
  }
}

/** Describes a payment of coins, an unknown call, or the creation of a contract. */
function describeOther({to, value, data}: TransactionRequest, chain: EvmChain, name?: string): Description {
  const coins = `${formatAmount(value, 18)} ${coinSymbol(chain)}`;
  const facts: Fact[] = [
    ...(to ? [{label: data === '0x' ? 'Recipient' : 'Contract', value: to, exact: true}] : []),
    ...(value > 0n && data !== '0x' ? [{label: 'Value', value: coins}] : []),
    ...(name ? [{label: 'Call', value: name}] : []),
    ...(data === '0x' ? [] : [{label: 'Data', value: data, exact: true}]),
  ];
  if (!to) return {title: 'Create a contract', text: 'This wallet does not know what the contract does.', facts};
  if (data === '0x') return {title: `Send ${coins}`, text: 'The recipient gets it at once.', facts};
  return {title: 'Call a contract', text: 'This wallet does not know what the call does.', facts};
}

export async function describeTypedData(
  data: TypedData,
  account: string,
  chain: EvmChain,
  rpc: Rpc,
): Promise<Description> {
  const facts: Fact[] = [
    ...factsOf(data.message),
    ...factsOf(data.domain, 'domain'),
    {label: 'Signer', value: account, exact: true},
    {label: 'Network', value: chain.name},
  ];
  const {verifyingContract: contract} = data.domain;
  const {amount, timelock} = data.message;
  if (data.domain['name'] === 'HTLC' && data.primaryType === 'Initiate' && isText(contract) && isNumeric(amount)) {
    const token = await readTokenOf(contract, rpc);
    return {
      title: `Pay ${token.format(BigInt(amount))} by signature`,
      text:
        'Anyone who has the signature can move it into the swap contract. ' +
        (isNumeric(timelock)
          ? `If the swap does not complete, you can get it back after ${String(BigInt(timelock))} blocks.`
          : ''),
      facts,
    };
  }
  return {title: `Sign “${data.primaryType}”`, text: 'This wallet does not know what the signature allows.', facts};
}

async function readToken(token: string, rpc: Rpc): Promise<Token> {
  try {
    const [symbol, decimals] = (await Promise.all([read(token, 'symbol', rpc), read(token, 'decimals', rpc)])) as [
      string,
      bigint,
    ];
    return createToken(symbol, Number(decimals));
  } catch {
    return UNKNOWN_TOKEN;
  }
}

async function readTokenOf(contract: string, rpc: Rpc): Promise<Token> {
  const token = await read(contract, 'token', rpc).catch(() => undefined);
  return readToken(typeof token === 'string' ? token : contract, rpc);
}

async function read(to: string, name: 'symbol' | 'decimals' | 'token', rpc: Rpc): Promise<unknown> {
  const answer = await rpc('eth_call', [{to, data: READS.encodeFunctionData(name)}, 'latest']);
  return READS.decodeFunctionResult(name, String(answer))[0] as unknown;
}

function readCall(data: string): TransactionDescription | null {
  try {
    return CALLS.parseTransaction({data});
  } catch {
    // The selector is known, but the arguments do not decode.
    return null;
  }
}

/** A fee in coins, rounded up to nine decimals. */
function formatFee(fee: bigint): string {
  return formatAmount((fee + 999_999_999n) / 1_000_000_000n, 9);
}

function coinSymbol(chain: EvmChain): string {
  return chain.coin ?? 'ETH';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a value of typed data is a whole number: decimal text, hex text or a number. */
function isNumeric(value: unknown): value is string | number {
  return Number.isSafeInteger(value) || (isText(value) && /^(?:0x[0-9a-f]+|\d+)$/i.test(value));
}
