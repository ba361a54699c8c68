import {createCatalogue} from '../../src/domain/catalogue.js';
import {causeOf, paymentUri, surplusOf, type CheckResult} from '../../src/domain/deposit.js';
import {expect} from '../support/expect.js';
import {assetOf, WBTC} from '../support/swap.js';

describe('A deposit', () => {
  it('to a Bitcoin address is a link for wallets, in whole coins; other chains have none', () => {
    const btc = assetOf(
      'bitcoin:btc',
      createCatalogue({families: ['bitcoin', 'evm'], assets: ['bitcoin:btc', 'base:cbbtc']}),
    );
    expect(paymentUri(btc, 'bc1qpayee', 12_345n)).to.equal('bitcoin:bc1qpayee?amount=0.00012345');
    expect(paymentUri(WBTC, 'bc1qpayee', 12_345n)).to.equal(undefined);
  });

  it('is overpaid by what exceeds the amount', () => {
    expect([9n, 10n, 12n].map(filled => surplusOf({amount: 10n, filled}))).to.deep.equal([0n, 0n, 2n]);
  });

  it('is stopped by what differs, else by the call, else by the first failure, else by what is unverified', () => {
    const unread: CheckResult = {name: 'secret', outcome: 'failed', found: '0x1'};
    const call: CheckResult = {name: 'call', outcome: 'failed'};
    const differs: CheckResult = {name: 'amount', outcome: 'failed', expected: '1', found: '2'};
    const unknown: CheckResult = {name: 'contract', outcome: 'unverified'};
    const passed: CheckResult = {name: 'chain', outcome: 'passed', expected: 'Base', found: 'Base'};
    const results = [passed, unknown, unread, call, differs];
    for (const cause of [differs, call, unread, unknown]) {
      expect(causeOf({results})).to.equal(cause);
      results.splice(results.indexOf(cause), 1);
    }
    expect(causeOf({results})).to.equal(undefined);
  });
});
