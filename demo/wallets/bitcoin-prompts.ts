/** The prompts of a Bitcoin development wallet. */
import {TEST_NETWORK, type Transaction} from '@scure/btc-signer';
import {formatAmount} from '../../src/domain/amount.js';
import type {Draft, Keys, Recipient} from './bitcoin-coins.js';
import type {Description, Fact} from './prompt.js';

const DECIMALS = 8;

export function describePayment({fee, feeRate}: Draft, recipients: readonly Recipient[], {payment}: Keys): Description {
  return {
    title: `Send ${format(total(recipients))}`,
    text: recipients.length === 1 ? 'To one address. The fee is extra.' : 'The fee is extra.',
    facts: [
      ...recipients.flatMap(({address, amount}): Fact[] => [
        {label: 'To', value: address, exact: true},
        ...(recipients.length === 1 ? [] : [{label: 'Amount', value: format(amount)}]),
      ]),
      {label: 'Fee', value: `${format(fee)}, ${String(feeRate)} sat/vB`},
      {label: 'From', value: payment.address, exact: true},
    ],
  };
}

/** Describes a transaction built by the page, by its outputs. */
export function describePsbt(transaction: Transaction, {payment, ordinals}: Keys, send: boolean): Description {
  const own = [payment.address, ordinals.address];
  const outputs = Array.from({length: transaction.outputsLength}, (_, index) => ({
    address: transaction.getOutputAddress(index, TEST_NETWORK) ?? 'an output without an address',
    amount: transaction.getOutput(index).amount ?? 0n,
  }));
  const leaving = outputs.filter(({address}) => !own.includes(address));
  return {
    title: `Sign a transaction that sends ${format(total(leaving))}`,
    text: send ? 'The wallet broadcasts it at once.' : 'The signed transaction goes back to the page.',
    facts: outputs.flatMap(({address, amount}): Fact[] => [
      {label: own.includes(address) ? 'Back to you' : 'To', value: address, exact: true},
      {label: 'Amount', value: format(amount)},
    ]),
  };
}

function total(recipients: readonly Recipient[]): bigint {
  return recipients.reduce((sum, {amount}) => sum + amount, 0n);
}

function format(amount: bigint): string {
  return `${formatAmount(amount, DECIMALS)} BTC`;
}
