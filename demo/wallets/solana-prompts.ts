import {
  getBase58Decoder,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import type {IdentifierString} from '@wallet-standard/base';
import {formatAmount} from '../../src/domain/amount.js';
import type {Description, Fact} from './prompt.js';

export interface SolanaChain {
  /** The cluster's name in the Wallet Standard: `solana:devnet`. */
  readonly chain: IdentifierString;
  readonly rpc: string;
  readonly name: string;
}

const SYSTEM = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Anchor's discriminators of the swap program's instructions, in hex. */
const INITIATE = '053f7b71994b940e';
const REFUND = '0260b7fb3fd02e2e';

interface Instruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

export interface ParsedTransaction {
  readonly version: 'legacy' | 0;
  readonly message: Uint8Array;
  readonly signers: readonly string[];
  readonly calls: readonly Instruction[];
}

/**
 * Parses a transaction.
 * @throws Error for bytes that are not a transaction, or one whose accounts are only known to the chain.
 */
export function readTransaction(bytes: Uint8Array): ParsedTransaction {
  const {messageBytes, signatures} = getTransactionDecoder().decode(bytes);
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (compiled.version === 1) throw new Error('This wallet does not sign transactions of version 1.');
  if ('addressTableLookups' in compiled && compiled.addressTableLookups.length) {
    throw new Error('This wallet does not sign transactions that use address lookup tables.');
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

/** Describes a transaction: by what it does if it is a single known instruction, otherwise by its instructions. */
export function describeTransaction(
  {calls, signers}: ParsedTransaction,
  account: string,
  chain: SolanaChain,
  fee: bigint,
): Description {
  const instructions = calls.filter(({program}) => program !== COMPUTE_BUDGET);
  const [only] = instructions;
  const description = (instructions.length === 1 && only && describeCall(only)) || {
    title: instructions.length === 1 ? 'Call a program' : `Run ${String(instructions.length)} instructions`,
    text: 'This wallet does not know what it does.',
    facts: instructions.flatMap(factsOf),
  };
  return {
    ...description,
    facts: [
      ...description.facts,
      {label: 'From', value: account, exact: true},
      ...(signers[0] === account ? [] : [{label: 'Fee paid by', value: signers[0] ?? '', exact: true}]),
      {label: 'Network', value: chain.name},
      {label: 'Network fee', value: `at most ${formatAmount(fee, 9)} SOL`},
    ],
  };
}

function describeCall({program, accounts, data}: Instruction): Description | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const name = hexOf(data.subarray(0, 8));
  const [first = '', second = ''] = accounts;
  if (name === INITIATE && data.length === 88 && accounts.length === 3) {
    const sol = formatAmount(view.getBigUint64(8, true), 9);
    return {
      title: `Pay ${sol} SOL into a swap`,
      text: `A program holds it. If the swap does not complete, you can get it back after ${String(view.getBigUint64(16, true))} slots.`,
      facts: [
        {label: 'Program', value: program, exact: true},
        {label: 'Held in', value: first, exact: true},
        {label: 'Redeemer', value: getBase58Decoder().decode(data.subarray(24, 56)), exact: true},
        {label: 'Secret hash', value: hexOf(data.subarray(56)), exact: true},
      ],
    };
  }
  if (name === INITIATE && data.length > 88 && accounts.length === 9) {
    return {
      title: `Pay a token into a swap`,
      text: `A program holds it. If the swap does not complete, you can get it back after ${String(view.getBigUint64(8, true))} slots.`,
      facts: [
        {label: 'Program', value: program, exact: true},
        {label: 'Token', value: accounts[5] ?? '', exact: true},
        {label: 'Amount', value: `${String(view.getBigUint64(80, true))} of its smallest units`},
        {label: 'Held in', value: second, exact: true},
        {label: 'Redeemer', value: getBase58Decoder().decode(data.subarray(16, 48)), exact: true},
        {label: 'Secret hash', value: hexOf(data.subarray(48, 80)), exact: true},
      ],
    };
  }
  if (name === REFUND && data.length === 8 && [2, 6].includes(accounts.length)) {
    const [held, owner] = accounts.length === 2 ? [first, second] : [second, accounts[3] ?? ''];
    return {
      title: 'Refund a swap',
      text: 'The program returns the amount to the account that paid it.',
      facts: [
        {label: 'Program', value: program, exact: true},
        {label: 'Held in', value: held, exact: true},
        {label: 'Paid to', value: owner, exact: true},
      ],
    };
  }
  // A transfer by the system program: its index, then the amount.
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === 2) {
    return {
      title: `Send ${formatAmount(view.getBigUint64(4, true), 9)} SOL`,
      text: 'The recipient gets it at once.',
      facts: [{label: 'Recipient', value: second, exact: true}],
    };
  }
  return undefined;
}

function factsOf({program, accounts, data}: Instruction): Fact[] {
  return [
    {label: 'Program', value: program, exact: true},
    {label: 'Accounts', value: accounts.join('\n'), exact: true},
    {label: 'Data', value: hexOf(data), exact: true},
  ];
}

/** The message in base64, as nodes expect it to estimate its fee. */
export function messageText({message}: ParsedTransaction): string {
  return getBase64Decoder().decode(message);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
