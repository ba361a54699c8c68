import {Interface, MaxUint256, type TransactionDescription} from 'ethers';
import {formatAmount} from '../../src/domain/amount.js';
import type {Rpc, TransactionRequest, TypedData} from './evm-requests.js';
import type {EvmChain} from './evm.js';
import type {Fact, Question} from './gate.js';

/** The part of a question that says what is asked. */
export type Wording = Pick<Question, 'title' | 'text' | 'facts'>;

/** The calls a wallet can tell in plain words: those of a token, and those of a hash-time-locked swap contract. */
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

/** Puts a transaction into words; what it pays is read from the chain. */
export async function wordTransaction(
  request: TransactionRequest,
  chain: EvmChain,
  rpc: Rpc,
  fee: bigint,
): Promise<Wording> {
  const {from, to, value, data} = request;
  const call = data === '0x' ? null : readCall(data);
  const wording =
    call && to && value === 0n ? await wordCall(call, to, rpc) : wordOther(request, chain, call?.name ?? undefined);
  return {
    ...wording,
    facts: [
      ...wording.facts,
      {label: 'From', value: from, exact: true},
      {label: 'Network', value: chain.name},
      {label: 'Network fee', value: `at most ${writeFee(fee)} ${coinOf(chain)}`},
    ],
  };
}

async function wordCall(call: TransactionDescription, to: string, rpc: Rpc): Promise<Wording> {
  switch (call.name) {
    case 'approve': {
      const [spender, amount] = call.args as unknown as [string, bigint];
      const token = await readToken(to, rpc);
      const facts: Fact[] = [
        {label: 'To spender', value: spender, exact: true},
        {label: 'Token', value: to, exact: true},
      ];
      if (amount === 0n) {
        return {title: `Take back the allowance of ${token.symbol}`, text: 'The spender may take nothing more.', facts};
      }
      if (amount === MaxUint256) {
        const text = 'The spender may take all you have of it, now and later.';
        return {title: `Allow any amount of ${token.symbol}`, text, facts};
      }
      const text = 'The spender may take this amount, nothing more. Nothing is paid yet.';
      return {title: `Allow ${token.write(amount)}`, text, facts};
    }
    case 'transfer': {
      const [recipient, amount] = call.args as unknown as [string, bigint];
      const token = await readToken(to, rpc);
      return {
        title: `Send ${token.write(amount)}`,
        text: 'It goes to the recipient at once.',
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
        title: `Pay ${token.write(amount)} into a swap`,
        text: `A contract keeps it. If the swap comes to nothing, you get it back after ${String(timelock)} blocks.`,
        facts: [
          {label: 'Contract', value: to, exact: true},
          {label: 'Other side', value: redeemer, exact: true},
          {label: 'Secret hash', value: secretHash, exact: true},
        ],
      };
    }
    default: {
      const [orderId] = call.args as unknown as [string];
      return {
        title: 'Take back what was paid into a swap',
        text: 'The contract pays it to the one who paid it in.',
        facts: [
          {label: 'Contract', value: to, exact: true},
          {label: 'Swap', value: orderId, exact: true},
        ],
      };
    }
  }
}

/** A payment of coins, a call nobody knows, or a new contract. */
function wordOther({to, value, data}: TransactionRequest, chain: EvmChain, name?: string): Wording {
  const coins = `${formatAmount(value, 18)} ${coinOf(chain)}`;
  const facts: Fact[] = [
    ...(to ? [{label: data === '0x' ? 'Recipient' : 'Contract', value: to, exact: true}] : []),
    ...(value > 0n && data !== '0x' ? [{label: 'Coins sent along', value: coins}] : []),
    ...(name ? [{label: 'Call', value: name}] : []),
    ...(data === '0x' ? [] : [{label: 'Data', value: data, exact: true}]),
  ];
  if (!to) return {title: 'Create a contract', text: 'This wallet cannot tell what the contract does.', facts};
  if (data === '0x') return {title: `Send ${coins}`, text: 'It goes to the recipient at once.', facts};
  return {title: 'Call a contract', text: 'This wallet cannot tell what the call does.', facts};
}

/** Puts typed data into words, and shows all of it field by field. */
export async function wordTypedData(data: TypedData, account: string, chain: EvmChain, rpc: Rpc): Promise<Wording> {
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
      title: `Pay ${token.write(BigInt(amount))} by signature`,
      text:
        'Whoever holds the signature can move it into the swap contract. ' +
        (isNumeric(timelock)
          ? `If the swap comes to nothing, you get it back after ${String(BigInt(timelock))} blocks.`
          : ''),
      facts,
    };
  }
  return {title: `Sign “${data.primaryType}”`, text: 'This wallet cannot tell what the signature allows.', facts};
}

/** Every value of typed data with the way to it, the nested ones too. */
function factsOf(value: unknown, label = ''): Fact[] {
  if (typeof value !== 'object' || value === null) {
    const text = String(value);
    return [{label, value: text, exact: text.startsWith('0x')}];
  }
  return Object.entries(value).flatMap(([key, item]) => factsOf(item, label ? `${label}.${key}` : key));
}

interface TokenWords {
  readonly symbol: string;
  write(amount: bigint): string;
}

/** What a token calls itself. One that does not say is written in its smallest unit. */
async function readToken(token: string, rpc: Rpc): Promise<TokenWords> {
  try {
    const [symbol, decimals] = (await Promise.all([read(token, 'symbol', rpc), read(token, 'decimals', rpc)])) as [
      string,
      bigint,
    ];
    return {symbol, write: amount => `${formatAmount(amount, Number(decimals))} ${symbol}`};
  } catch {
    return {symbol: 'a token', write: amount => `${String(amount)} units of a token`};
  }
}

/** The token that a swap contract takes. */
async function readTokenOf(contract: string, rpc: Rpc): Promise<TokenWords> {
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
    // The selector is known and what follows it is not what belongs there.
    return null;
  }
}

/** A fee in coins, rounded up to nine decimals: nobody reads the others. */
function writeFee(fee: bigint): string {
  return formatAmount((fee + 999_999_999n) / 1_000_000_000n, 9);
}

function coinOf(chain: EvmChain): string {
  return chain.coin ?? 'ETH';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a value of typed data is a whole number: decimal text, hex text or a number. */
function isNumeric(value: unknown): value is string | number {
  return Number.isSafeInteger(value) || (isText(value) && /^(?:0x[0-9a-f]+|\d+)$/i.test(value));
}
