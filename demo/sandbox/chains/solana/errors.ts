/** The errors of Solana's runtime: as JSON for JSON-RPC, and as messages of nodes. */
import type {FailedTransactionMetadata} from 'litesvm';

/** `"BlockhashNotFound"`, or `{"InstructionError": [0, {"Custom": 6002}]}`. */
export type TransactionError = string | Readonly<Record<string, unknown>>;

/** The messages that clients look for. The others are shown by name. */
const MESSAGES: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
};

/** The library numbers the errors. Only its text, which is that of the runtime, has their names. */
const nameIn = (text: string) => /\berr(?:or)?: (\w+)/.exec(text)?.[1] ?? 'SanitizeFailure';

export function readError(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  const name = nameIn(String(failed));
  if (typeof error === 'number') return name;
  if ('accountIndex' in error) return {[name]: {account_index: error.accountIndex}};
  if (!('err' in error)) return {[name]: error.index};
  const cause = error.err();
  const isCustom = typeof cause !== 'number' && 'code' in cause;
  return {[name]: [error.index, isCustom ? {Custom: cause.code} : nameIn(String(error))]};
}

/** The error's message, as nodes append it to “Transaction simulation failed: ”. */
export function errorMessage(error: TransactionError): string {
  if (typeof error === 'string') return MESSAGES[error] ?? error;
  const [[name, detail] = ['', undefined]] = Object.entries(error);
  if (name !== 'InstructionError') return name;
  const [index, cause] = detail as [number, TransactionError];
  const custom = typeof cause === 'string' ? undefined : (cause['Custom'] as number | undefined);
  const words = custom === undefined ? errorMessage(cause) : `custom program error: 0x${custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${words}`;
}
