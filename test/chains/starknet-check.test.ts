/** What the checks detect only on Starknet; what holds for the contract family is in `token-htlc-check.test.ts`. */
import {expect} from '../support/expect.js';
import {selector} from 'starknet';
import {SELECTORS} from '../../src/chains/starknet/htlc.js';
import type {CheckName, CheckReport} from '../../src/domain/deposit.js';
import {closeLast, ON_STARKNET, openAt} from '../support/dialects.js';
import {failed, unchecked} from '../support/reports.js';
import {CONTRACT, type OpenDeal} from '../support/starknet-deal.js';
import {WalletError, type StarknetLedger} from '../support/starknet-ledger.js';

const U32 = 2 ** 32;

const callOf = ({deposit}: OpenDeal) => deposit.payload.call;
const messageOf = ({deposit}: OpenDeal) => deposit.payload.typedData.message as Record<string, unknown>;
const domainOf = ({deposit}: OpenDeal) => deposit.payload.typedData.domain as Record<string, unknown>;
const setCall = (deal: OpenDeal, at: number, value: string) => (callOf(deal).calldata[at] = value);

afterEach(closeLast);

async function check(
  tell: (deal: OpenDeal) => unknown,
  spoil: (ledger: StarknetLedger) => unknown = () => undefined,
): Promise<CheckReport> {
  const {deal, ledger, check} = await openAt(ON_STARKNET);
  tell(deal as unknown as OpenDeal);
  spoil(ledger as StarknetLedger);
  return check();
}

const CALL: readonly CheckName[] = ['amount', 'call', 'same', 'order', 'secret'];

/** One lie each, and exactly the checks that must detect it. */
const LIES: readonly (readonly [lie: string, seen: readonly CheckName[], tell: (deal: OpenDeal) => unknown])[] = [
  ['2^128 times the amount in the call', ['amount', 'same'], deal => setCall(deal, 3, '0x1')],
  ['more in its upper half', ['amount', 'same'], deal => (messageOf(deal)['amount'] = {low: '0xc350', high: '0x1'})],
  ['a redeemer above all addresses', CALL, deal => setCall(deal, 0, `0x${'7'.padEnd(63, 'f')}f`)],
  ['a word too large in the call', CALL, deal => setCall(deal, 11, `0x${U32.toString(16)}`)],
  ['seven words in the call', CALL, deal => callOf(deal).calldata.pop()],
  ['a number after the call', CALL, deal => callOf(deal).calldata.push('0x1')],
  ['a length before the words', CALL, deal => callOf(deal).calldata.splice(4, 0, '0x8')],
  ['text in the call', CALL, deal => setCall(deal, 2, '50000')],
  ['a name instead of the selector', CALL, deal => (callOf(deal).selector = 'initiate')],
  [
    'a selector that was hashed twice',
    CALL,
    deal => (callOf(deal).selector = selector.getSelectorFromName(SELECTORS.initiate)),
  ],
];

/** Typed data in an unknown form, and what the report says about it. It is not signed. */
const STRANGE: readonly (readonly [what: string, found: string, tell: (deal: OpenDeal) => unknown])[] = [
  ['the old revision', 'revision 0', deal => (domainOf(deal)['revision'] = '0')],
  ['no chain', 'domain', deal => delete domainOf(deal)['chainId']],
  ['half an amount', 'amount', deal => (messageOf(deal)['amount'] = {low: '0xc350'})],
  [
    'an amount with a third part',
    'amount',
    deal => (messageOf(deal)['amount'] = {low: '0xc350', high: '0x0', more: '0x1'}),
  ],
  ['a word too large', 'message', deal => ((messageOf(deal)['secretHash'] as number[])[7] = U32)],
  ['seven words', 'message', deal => (messageOf(deal)['secretHash'] as number[]).pop()],
  ['nine words', 'message', deal => (messageOf(deal)['secretHash'] as number[]).push(1)],
  [
    'the format of a later contract, which it contains, with its texts as numbers',
    'version 0x32',
    deal => {
      Object.assign(domainOf(deal), {version: '0x32', revision: '0x1'});
      messageOf(deal)['verifyingContract'] = CONTRACT;
      deal.deposit.payload.typedData.types['Initiate']?.push({name: 'verifyingContract', type: 'ContractAddress'});
    },
  ],
  ['nothing in its place', 'amount', deal => Object.assign(messageOf(deal), {amount: 5, secretHash: null})],
];

describe('checking a deal on Starknet', () => {
  for (const [lie, seen, tell] of LIES) {
    it(`detects ${lie}`, async () => {
      expect(failed(await check(tell))).to.deep.equal(seen);
    });
  }

  for (const [what, found, tell] of STRANGE) {
    it(`accepts the call alone beside typed data with ${what}`, async () => {
      const {outcome, results} = await check(tell);
      expect(outcome).to.equal('passed');
      // Only typed data contains the chain; the wallet is switched there before it is prompted.
      expect(results.filter(result => result.outcome === 'unchecked')).to.deep.equal([
        {name: 'chain', outcome: 'unchecked', expected: 'Starknet Sepolia'},
        {name: 'same', outcome: 'unchecked', found},
        {name: 'typed-data', outcome: 'unchecked', expected: 'HTLC, Initiate', found},
      ]);
    });
  }

  it('leaves the token unchecked if a first-generation contract cannot return it', async () => {
    for (const fault of [
      new WalletError(21, 'Requested entrypoint does not exist in the contract'),
      new WalletError(40, 'Contract error', {revert_error: "0x454e54525950… ('ENTRYPOINT_NOT_FOUND')"}),
    ]) {
      const report = await check(
        () => undefined,
        ledger => ledger.instead.set('token', () => Promise.reject(fault)),
      );
      expect(unchecked(report)).to.deep.equal(['token']);
    }
  });

  it('accepts what libraries and services write differently with the same meaning', async () => {
    for (const tell of [
      (deal: OpenDeal) => (domainOf(deal)['chainId'] = '0x534e5f5345504f4c4941'),
      (deal: OpenDeal) => (domainOf(deal)['version'] = '0x31'),
      (deal: OpenDeal) => (domainOf(deal)['revision'] = 1),
      (deal: OpenDeal) => (messageOf(deal)['timelock'] = '0xb40'),
      (deal: OpenDeal) =>
        (messageOf(deal)['secretHash'] = (messageOf(deal)['secretHash'] as number[]).map(word => String(word))),
      (deal: OpenDeal) => (deal.order.source.redeemer = deal.order.source.redeemer.replace('0x0', '0x')),
      (deal: OpenDeal) => (deal.agreed.owner = deal.agreed.owner.replace('0x00', '0x').toUpperCase().replace('X', 'x')),
      (deal: OpenDeal) => (callOf(deal).selector = callOf(deal).selector.replace('0x', '0x0')),
    ]) {
      expect(failed(await check(tell)), tell.toString()).to.deep.equal([]);
    }
  });

  it('fails, and does not throw, on an invalid call', async () => {
    for (const call of [
      {},
      {selector: 5, calldata: 5, to: 5},
      {selector: SELECTORS.initiate, calldata: null, to: CONTRACT},
    ]) {
      expect(failed(await check(deal => (deal.deposit.payload.call = call as never)))).to.include('call');
    }
  });
});
