/** What a Bitcoin development wallet asks, in plain words. */
import {TEST_NETWORK, type Transaction} from '@scure/btc-signer';
import {formatAmount} from '../../src/domain/amount.js';
import type {Draft, Keys, Recipient} from './bitcoin-coins.js';
import type {Fact} from './gate.js';

const DECIMALS = 8;

/** A question in words, and what it says field by field. */
interface Wording {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly Fact[];
}

/** What a payment does and costs. */
export function wordPayment({fee, feeRate}: Draft, recipients: readonly Recipient[], {payment}: Keys): Wording {
  return {
    title: `Send ${write(total(recipients))}`,
    text: recipients.length === 1 ? 'To one address. The fee comes on top.' : 'The fee comes on top.',
    facts: [
      ...recipients.flatMap(({address, amount}): Fact[] => [
        {label: 'To', value: address, exact: true},
        ...(recipients.length === 1 ? [] : [{label: 'Amount', value: write(amount)}]),
      ]),
      {label: 'Fee', value: `${write(fee)}, ${String(feeRate)} sat/vB`},
      {label: 'From', value: payment.address, exact: true},
    ],
  };
}

/** What a transaction of a page's own making does, as far as its outputs tell. */
export function wordPsbt(transaction: Transaction, {payment, ordinals}: Keys, send: boolean): Wording {
  const own = [payment.address, ordinals.address];
  const outputs = Array.from({length: transaction.outputsLength}, (_, index) => ({
    address: transaction.getOutputAddress(index, TEST_NETWORK) ?? 'an output without an address',
    amount: transaction.getOutput(index).amount ?? 0n,
  }));
  const leaving = outputs.filter(({address}) => !own.includes(address));
  return {
    title: `Sign a transaction that sends ${write(total(leaving))}`,
    text: send ? 'The wallet sends it at once.' : 'The page gets it back, signed.',
    facts: outputs.flatMap(({address, amount}): Fact[] => [
      {label: own.includes(address) ? 'Back to you' : 'To', value: address, exact: true},
      {label: 'Amount', value: write(amount)},
    ]),
  };
}

function total(recipients: readonly Recipient[]): bigint {
  return recipients.reduce((sum, {amount}) => sum + amount, 0n);
}

function write(amount: bigint): string {
  return `${formatAmount(amount, DECIMALS)} BTC`;
}
