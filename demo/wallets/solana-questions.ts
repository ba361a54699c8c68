import {
  getBase58Decoder,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import {formatAmount} from '../../src/domain/amount.js';
import type {Fact, Question} from './gate.js';
import type {SolanaChain} from './solana.js';

/** The part of a question that says what is asked. */
type Wording = Pick<Question, 'title' | 'text' | 'facts'>;

const SYSTEM = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Anchor's names of a swap program's instructions, in hex. */
const INITIATE = '053f7b71994b940e';
const REFUND = '0260b7fb3fd02e2e';

/** One instruction. */
interface Call {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** A transaction as a wallet has to know it before it signs. */
export interface Readable {
  readonly version: 'legacy' | 0;
  /** What is signed. */
  readonly message: Uint8Array;
  readonly signers: readonly string[];
  readonly calls: readonly Call[];
}

/**
 * Takes a transaction apart.
 * @throws Error for what is no transaction, or one of which nobody can tell what it does without asking the chain.
 */
export function readTransaction(bytes: Uint8Array): Readable {
  const {messageBytes, signatures} = getTransactionDecoder().decode(bytes);
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (compiled.version === 1) throw new Error('This wallet does not sign transactions of version 1.');
  if ('addressTableLookups' in compiled && compiled.addressTableLookups.length) {
    throw new Error('This wallet does not sign what looks accounts up in a table.');
  }
  const {version, staticAccounts, instructions} = compiled;
  const accountAt = (index: number) => staticAccounts[index] ?? '';
  return {
    version,
    message: Uint8Array.from(messageBytes),
    signers: Object.keys(signatures),
    calls: instructions.map(({programAddressIndex, accountIndices = [], data = new Uint8Array()}) => ({
      program: accountAt(programAddressIndex),
      accounts: accountIndices.map(accountAt),
      data: Uint8Array.from(data),
    })),
  };
}

/** Puts a transaction into words: the deed where there is one that can be told, and every instruction beside it. */
export function wordTransaction({calls, signers}: Readable, account: string, chain: SolanaChain, fee: bigint): Wording {
  const deeds = calls.filter(({program}) => program !== COMPUTE_BUDGET);
  const [only] = deeds;
  const wording = (deeds.length === 1 && only && wordCall(only)) || {
    title: deeds.length === 1 ? 'Call a program' : `Carry out ${String(deeds.length)} instructions`,
    text: 'This wallet cannot tell what it does.',
    facts: deeds.flatMap(factsOf),
  };
  return {
    ...wording,
    facts: [
      ...wording.facts,
      {label: 'From', value: account, exact: true},
      ...(signers[0] === account ? [] : [{label: 'Fee paid by', value: signers[0] ?? '', exact: true}]),
      {label: 'Network', value: chain.name},
      {label: 'Network fee', value: `at most ${formatAmount(fee, 9)} SOL`},
    ],
  };
}

function wordCall({program, accounts, data}: Call): Wording | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const name = hexOf(data.subarray(0, 8));
  const [first = '', second = ''] = accounts;
  if (name === INITIATE && data.length === 88 && accounts.length === 3) {
    const sol = formatAmount(view.getBigUint64(8, true), 9);
    return {
      title: `Pay ${sol} SOL into a swap`,
      text: `A program keeps it. If the swap comes to nothing, you get it back after ${String(view.getBigUint64(16, true))} slots.`,
      facts: [
        {label: 'Program', value: program, exact: true},
        {label: 'Kept in', value: first, exact: true},
        {label: 'Other side', value: getBase58Decoder().decode(data.subarray(24, 56)), exact: true},
        {label: 'Secret hash', value: hexOf(data.subarray(56)), exact: true},
      ],
    };
  }
  if (name === REFUND && data.length === 8 && accounts.length === 2) {
    return {
      title: 'Take back what was paid into a swap',
      text: 'The program pays it to the one who paid it in.',
      facts: [
        {label: 'Program', value: program, exact: true},
        {label: 'Kept in', value: first, exact: true},
        {label: 'Paid to', value: second, exact: true},
      ],
    };
  }
  // The system program's transfer: its number, then the amount.
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === 2) {
    return {
      title: `Send ${formatAmount(view.getBigUint64(4, true), 9)} SOL`,
      text: 'It goes to the recipient at once.',
      facts: [{label: 'Recipient', value: second, exact: true}],
    };
  }
  return undefined;
}

function factsOf({program, accounts, data}: Call): Fact[] {
  return [
    {label: 'Program', value: program, exact: true},
    {label: 'Accounts', value: accounts.join('\n'), exact: true},
    {label: 'Data', value: hexOf(data), exact: true},
  ];
}

/** What is signed, as nodes take it to tell its fee. */
export function messageText({message}: Readable): string {
  return getBase64Decoder().decode(message);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
