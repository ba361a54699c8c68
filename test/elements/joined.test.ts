import {expect} from '@open-wc/testing';
import {joined} from '../../src/elements/settings/joined.js';
import {listenToConsole} from '../support/console.js';
import {open} from '../support/show.js';

type Given = Parameters<typeof joined>[0];

const CONTRACTS = {'base:usdc': ['0x2']};
const PAYOUT = {service: {payout: ['*:usdc', '*:cbbtc', 'base:eth']}};

describe('An old name', () => {
  for (const [name, old, now] of [
    ['app-id-header', {appIdHeader: 'x-id'}, {service: {header: 'x-id'}}],
    ['order-fields', {orderFields: 'solver_id'}, {service: {fields: ['solver_id']}}],
    ['signatureFormat', {signatureFormat: 'comma'}, {service: {signature: 'comma'}}],
    ['exclude-assets', {excludeAssets: 'a:b, c:*', assets: 'a:*'}, {assets: ['a:*', '-a:b', '-c:*']}],
    ['no-journal', {noJournal: true, storage: 'session'}, {storage: 'none'}],
    ['policy.requirePins', {policy: {requirePins: true} as object, unverified: 'ask'}, {unverified: 'stop'}],
    [
      'policy.contracts',
      {policy: {contracts: CONTRACTS} as object, contracts: 'a:b 0x1'},
      {contracts: 'a:b 0x1, base:usdc 0x2'},
    ],
    ['policy.payoutAssets', {policy: {payoutAssets: ['base:eth']} as object}, PAYOUT],
  ] as const satisfies readonly [string, Given, Given][]) {
    it(`${name} is read as a part of ${Object.keys(now).join()}, which the console says once`, async () => {
      const said = await listenToConsole('warn', () => {
        expect(joined(old)).to.deep.include(now);
        joined(old);
      });
      expect(said).to.have.length(1);
      expect(said[0]).to.include(`${name}: `).and.include(Object.keys(now)[0]);
    });
  }

  it('gives way to the new one, and where none is used nothing is said', async () => {
    expect(
      joined({appIdHeader: 'x-old', orderFields: 'solver_id', service: '{"header": "x-new"}'}).service,
    ).to.deep.equal({
      header: 'x-new',
      fields: ['solver_id'],
    });
    const settings = {service: '{}', assets: 'a:b', storage: 'local', unverified: 'ask', contracts: ''} as const;
    expect(
      await listenToConsole('warn', () => expect(joined({...settings, noJournal: false})).to.deep.equal(settings)),
    ).to.deep.equal([]);
  });
});

describe('A misspelt attribute', () => {
  it('is named in the console, once, with the one that was meant; what is not ours is left alone', async () => {
    const {widget} = await open();
    const said = await listenToConsole('warn', async () => {
      for (const name of ['affilate-fees', 'form', 'baseurl', 'data-from', 'class', 'role', 'slot', 'v-if'])
        widget.setAttribute(name, '');
      for (const amount of ['1', '2']) {
        widget.amount = amount;
        await widget.updateComplete;
      }
    });
    const meant = said.map(line => /(\S+): no such attribute\. Did you mean (\S+)\?/.exec(line)?.slice(1));
    expect(meant).to.deep.equal([
      ['affilate-fees', 'affiliate-fees'],
      ['form', 'from'],
      ['baseurl', 'base-url'],
    ]);
  });
});
