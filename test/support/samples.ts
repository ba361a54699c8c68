/**
 * Responses of a live service, as published by its operator: for each family of source chains the quote, the order, and
 * the order read back. They have two inconsistencies: the Bitcoin order has `50000`, but `500000` when read back, and
 * the ids of the Starknet legs lack leading zeros.
 */
import bitcoinOrder from './samples/bitcoin-order.json';
import bitcoinQuote from './samples/bitcoin-quote.json';
import bitcoinStatus from './samples/bitcoin-status.json';
import evmOrder from './samples/evm-order.json';
import evmQuote from './samples/evm-quote.json';
import evmStatus from './samples/evm-status.json';
import solanaOrder from './samples/solana-order.json';
import solanaQuote from './samples/solana-quote.json';
import solanaStatus from './samples/solana-status.json';
import starknetOrder from './samples/starknet-order.json';
import starknetQuote from './samples/starknet-quote.json';
import starknetStatus from './samples/starknet-status.json';

interface Sample {
  readonly status: string;
  readonly result: unknown;
}

interface Samples {
  readonly quote: Sample;
  readonly order: Sample;
  readonly status: Sample;
}

export const samples: Readonly<Record<'bitcoin' | 'evm' | 'solana' | 'starknet', Samples>> = {
  bitcoin: {quote: bitcoinQuote, order: bitcoinOrder, status: bitcoinStatus},
  evm: {quote: evmQuote, order: evmOrder, status: evmStatus},
  solana: {quote: solanaQuote, order: solanaOrder, status: solanaStatus},
  starknet: {quote: starknetQuote, order: starknetOrder, status: starknetStatus},
};
