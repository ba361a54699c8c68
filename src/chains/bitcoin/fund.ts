import {deepFreeze, restOf, type Deal, type Funding, type TransferDeposit} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {Account, FundOptions} from '../adapter.js';
import {canonicalAddress} from '../checks.js';
import {codeReader, mismatch, paidAlready} from '../errors.js';
import {contextOf, fundOrder, requestWallet, requirePassed, unclearWithout, type FundingContext} from '../funding.js';
import type {Timeouts} from '../timeouts.js';
import {checkDeal} from './check.js';
import {readerOf, readSums} from './rpc.js';
import {connectorOf, faultOf, isOnNetwork, type Connector, type Fault, type Payment} from './wallets.js';

export {discoverWallets, walletFromProvider} from './wallets.js';

/**
 * The wallet selects coins and fee. Whose coins they are does not matter: a refund goes to the address in the order.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  timeouts: Timeouts,
): Promise<Funding> {
  const {deposit, agreed} = deal;
  const {chain} = agreed.from;
  if (deposit.how !== 'transfer') throw mismatch('call');
  const connector = connectorOf(account);
  const context = contextOf(deal, options, timeouts);
  let paid: bigint;
  return fundOrder<Payment>(options, {
    async requireWallet() {
      if (!(await isOnNetwork(connector, chain, account.address, timeouts, options.signal))) {
        throw new SwapError('wrong-network', {detail: chain.title});
      }
    },
    requireChecks: () => requirePassed(checkDeal(deal), context),
    async requirePayable() {
      paid = await readPaid(context, deposit);
      if (paid >= deposit.amount) throw new SwapError('wallet-unclear', {detail: 'The service says it is paid.'});
    },
    prepare: () =>
      Promise.resolve(
        deepFreeze(connector.payment(chain, deposit.address, restOf({amount: deposit.amount, filled: paid}))),
      ),
    async send(payment) {
      // More may have been paid than is known here, so nothing is.
      if ((await readPaid(context, deposit)) !== paid) {
        throw new SwapError('wallet-unclear', {detail: 'A payment came in the meantime.'});
      }
      return send(context, connector, payment);
    },
  });
}

/**
 * The amount paid so far, according to the chain or the service, whichever is higher. No part is paid twice.
 * @throws SwapError `wallet-unclear` (`field`: `paid`) if the chain shows all of it.
 */
async function readPaid(
  {deal: {agreed, order}, timeouts, signal}: FundingContext,
  {address, amount}: TransferDeposit,
): Promise<bigint> {
  const {chain} = agreed.from;
  const read = readerOf(chain, timeouts, signal);
  const {received} = (await (read && readSums(read, canonicalAddress(chain, address)).catch(() => undefined))) ?? {};
  signal?.throwIfAborted();
  if (received !== undefined && received >= amount) throw paidAlready('The chain shows the payment to this address.');
  const filled = order?.source.initiated ? order.source.filled : 0n;
  return received !== undefined && received > filled ? received : filled;
}

function send(context: FundingContext, connector: Connector, payment: Payment): Promise<string> {
  return requestWallet(context, 'send', {
    request: () => connector.send(payment),
    read(answer) {
      const hash = hashOf(answer);
      if (hash === undefined) throw unclearWithout();
      return {state: 'sent', hash, value: hash};
    },
    refusalOf,
  });
}

const refusalOf = codeReader<Fault>(faultOf, {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  invalid: 'wallet-failed',
  unauthorized: 'wallet-locked',
  'insufficient-funds': 'insufficient-funds',
  missing: 'wallet-missing',
});

function hashOf(answer: unknown): string | undefined {
  const text = typeof answer === 'string' ? answer : (answer as {readonly txid?: unknown} | null | undefined)?.txid;
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}
