/** What becomes of the form with each fact. */
import {expect} from '../../support/expect.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import type {Draft} from '../../../src/domain/draft.js';
import {
  accept,
  isTouched,
  NOTHING_KNOWN,
  yesKey,
  type Form,
  type FormFact,
  type FormPage,
} from '../../../src/domain/form/form.js';
import {OTHER_WBTC, USDC, WBTC} from '../../support/swap.js';

const ids = [WBTC.id, OTHER_WBTC.id, USDC.id];
const catalogue = createCatalogue({families: ['evm'], assets: ids});
const PAIR = {from: WBTC.id, to: OTHER_WBTC.id};

const page = (
  more: Partial<FormPage> = {},
  fills: 'all' | 'untyped' | 'none' = 'untyped',
  left?: Partial<Draft>,
): FormFact => {
  return {about: 'page', page: {catalogue, prefill: PAIR, paused: false, ...more}, fills, left};
};
const typed = (change: Partial<Draft>): FormFact => ({about: 'typed', change});
const after = (...facts: readonly FormFact[]): Form => facts.reduce(accept, NOTHING_KNOWN);
const draftOf = (...facts: readonly FormFact[]): Partial<Draft> => {
  const entries = Object.entries(after(...facts).draft).filter(([, text]) => text !== '');
  return Object.fromEntries(entries);
};

describe('What the page sets', () => {
  it('fills the form, with the pair that comes first if it names none, and with an only choice', () => {
    expect(draftOf(page({prefill: {...PAIR, amount: '1'}}))).to.deep.equal({...PAIR, amount: '1'});
    expect(draftOf(page({prefill: {}}))).to.deep.equal(PAIR);
    expect(draftOf(page({prefill: {to: WBTC.id}}))).to.deep.equal({to: WBTC.id});
    const one = {from: WBTC.id, to: USDC.id};
    for (const some of [
      {assets: [WBTC.id, USDC.id]},
      {assets: ids, pairs: 'base_sepolia:wbtc > *:usdc, *:usdc > ethereum_sepolia:wbtc'},
    ])
      for (const prefill of [{from: one.from}, {to: one.to}])
        expect(draftOf(page({catalogue: createCatalogue({families: ['evm'], ...some}), prefill}))).to.deep.equal(one);
    expect(draftOf(page({prefill: {from: 'gone:btc', to: USDC.id}}))).to.deep.equal({to: USDC.id});
    const some = createCatalogue({assets: [WBTC.id, USDC.id], toAssets: [WBTC.id]});
    const first = {from: USDC.id, to: WBTC.id};
    expect(draftOf(page({catalogue: some, prefill: {}})), 'the first that has a pair').to.deep.equal(first);
  });

  it('leaves what was typed, both amounts if one was, and all else as the last visit left it', () => {
    const before = [page({prefill: {...PAIR, amount: '1', recipient: 'a'}}), typed({receive: '5'})];
    const again = page({prefill: {...PAIR, amount: '2', recipient: 'b'}});
    expect(draftOf(...before, again)).to.deep.equal({...PAIR, receive: '5', recipient: 'b'});
    expect(draftOf(page(), typed({receive: '5'}), again)).to.deep.equal({...PAIR, receive: '5', recipient: 'b'});
    const other = page({prefill: {...PAIR, to: USDC.id}});
    expect(draftOf(page(), typed({from: USDC.id}), other), 'one asset on both sides').to.deep.equal({to: USDC.id});
    expect(draftOf(page(), typed({recipient: 'c'}), again)).to.deep.equal({...PAIR, amount: '2', recipient: 'c'});
    const left = page({}, 'untyped', {...PAIR, amount: '3'});
    expect(draftOf(left)).to.deep.equal({...PAIR, amount: '3'});
    // What belongs to another pair than the one that was typed is not taken over.
    expect(draftOf(page(), typed({to: USDC.id}), left)).to.deep.equal({...PAIR, to: USDC.id});
  });

  it('fills nothing, or everything, where it says so', () => {
    const before = [page(), typed({amount: '1', recipient: 'a'})];
    const again = {prefill: {...PAIR, amount: '2'}};
    expect(draftOf(...before, page(again, 'none'))).to.deep.equal({...PAIR, amount: '1', recipient: 'a'});
    expect(draftOf(...before, page(again, 'all'))).to.deep.equal({...PAIR, amount: '2', recipient: 'a'});
    expect([after(...before), after(...before, page(again, 'all')), after(page())].map(isTouched)).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(isTouched(after(...before, page(again)))).to.equal(true);
  });

  it('stays in locked fields, but for an amount that is found for what shall arrive', () => {
    const locked = page({prefill: {...PAIR, amount: '1'}, locked: ['from', 'amount', 'recipient']});
    expect(draftOf(locked, typed({from: USDC.id, amount: '2', recipient: 'a'}))).to.deep.equal({...PAIR, amount: '1'});
    const found = page({prefill: {...PAIR, receive: '1'}, locked: ['amount', 'receive']});
    expect(draftOf(found, typed({amount: '2', receive: '1'}))).to.deep.equal({...PAIR, amount: '2', receive: '1'});
  });

  it('offers an asset on a side, and no pair of one asset', () => {
    const oneWay = createCatalogue({families: ['evm'], assets: ids, toAssets: [USDC.id, OTHER_WBTC.id]});
    expect(draftOf(page({catalogue: oneWay}), typed({to: WBTC.id}))).to.deep.equal({from: OTHER_WBTC.id});
    const locked = page({locked: ['from']});
    expect(draftOf(locked, typed({to: WBTC.id}))).to.deep.equal(PAIR);
    expect(draftOf(page({locked: ['to']}), typed({from: OTHER_WBTC.id}))).to.deep.equal(PAIR);
  });
});

describe('What is typed', () => {
  it('is one of the two amounts; the other follows from it', () => {
    expect(draftOf(page(), typed({amount: '1'}), typed({receive: '2'}))).to.deep.equal({...PAIR, receive: '2'});
    expect(draftOf(page(), typed({receive: '2'}), typed({amount: '1'}))).to.deep.equal({...PAIR, amount: '1'});
    const found = [page(), typed({receive: '2'}), typed({amount: '1', receive: '2'})];
    expect(draftOf(...found)).to.deep.equal({...PAIR, amount: '1', receive: '2'});
    // An amount was found for this minimum and this pair.
    for (const change of [{receive: '3'}, {to: USDC.id}, {from: USDC.id}])
      expect(after(...found, typed(change)).draft.amount, JSON.stringify(change)).to.equal('');
    expect(after(...found, typed({recipient: 'a'})).draft.amount).to.equal('1');
    expect(draftOf(page(), typed({amount: '1,5'}))).to.deep.equal({...PAIR, amount: '1.5'});
  });

  it('is the other side’s asset: then the two sides change places', () => {
    expect(draftOf(page(), typed({from: OTHER_WBTC.id}))).to.deep.equal({from: OTHER_WBTC.id, to: WBTC.id});
    expect(draftOf(page(), typed({to: WBTC.id}))).to.deep.equal({from: OTHER_WBTC.id, to: WBTC.id});
  });

  it('is turned round with a minimum as the amount, and without the recipient, if both are offered so', () => {
    const before = [page(), typed({receive: '2', recipient: 'a'})];
    expect(draftOf(...before, {about: 'turned'})).to.deep.equal({from: OTHER_WBTC.id, to: WBTC.id, amount: '2'});
    expect(draftOf(page(), typed({amount: '1'}), {about: 'turned'})).to.deep.equal({
      from: OTHER_WBTC.id,
      to: WBTC.id,
      amount: '1',
    });
    const oneWay = createCatalogue({families: ['evm'], assets: ids, toAssets: [OTHER_WBTC.id]});
    expect(draftOf(page({catalogue: oneWay}), {about: 'turned'})).to.deep.equal(PAIR);
  });

  it('is read as it was meant once that code is there, what was typed before, too', () => {
    const tidy: FormFact = {about: 'tidy', tidy: draft => ({...draft, recipient: draft.recipient.trim()})};
    const messy = [page(), typed({recipient: ' a '})];
    expect(draftOf(...messy, tidy)).to.deep.equal({...PAIR, recipient: 'a'});
    expect(draftOf(page(), tidy, typed({recipient: ' b '}))).to.deep.equal({...PAIR, recipient: 'b'});
  });

  it('is the same object as long as it says the same', () => {
    const form = after(page(), typed({amount: '1'}));
    for (const fact of [
      typed({amount: '1'}),
      typed({}),
      page({prefill: {...PAIR, amount: '9'}}),
      {about: 'floor'} as const,
    ])
      expect(accept(form, fact).draft, fact.about).to.equal(form.draft);
  });
});

describe('A yes', () => {
  it('is to one address for one asset, or to the cost of one pair', () => {
    const form = after(page());
    const other = after(page(), typed({to: USDC.id}));
    const keys = [form, other].flatMap(one => [
      yesKey(one, 'recipient', 'a'),
      yesKey(one, 'refundAddress', 'a'),
      yesKey(one, 'recipient', 'b'),
      yesKey(one, 'cost'),
    ]);
    // What is paid is the same in both, and so is a refund's address.
    expect(new Set(keys).size).to.equal(keys.length - 1);
    const yes = accept(form, {about: 'yes', to: yesKey(form, 'recipient', 'a')});
    expect(yes.yes).to.deep.equal({[yesKey(form, 'recipient', 'a')]: 0});
    expect(accept(yes, {about: 'yes', to: yesKey(form, 'cost'), bps: 600}).yes).to.include({
      [yesKey(form, 'cost')]: 600,
    });
  });
});

describe('Another pair', () => {
  it('has its own best offer; what else changes leaves the chosen one', () => {
    const chosen: FormFact = {about: 'solver', solverId: 'small'};
    expect(after(page(), chosen, typed({to: USDC.id})).solverId).to.equal(undefined);
    expect(after(page(), chosen, typed({from: USDC.id})).solverId).to.equal(undefined);
    expect(after(page(), chosen, typed({amount: '1'})).solverId).to.equal('small');
  });
});
