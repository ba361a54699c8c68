/** What the chains show of a swap, laid over what its service tells. */
import {expect} from '../support/expect.js';
import {witnessed} from '../../src/domain/witness.js';
import {aChainEvent, aLeg, anOrder} from '../support/swap.js';

const told = aChainEvent(90_249n);

describe('an order as its service tells it', () => {
  const source = aLeg({filled: 50_000n, initiated: told, redeemed: told, refunded: told});
  const order = anOrder({source});

  it('is neither redeemed nor refunded while the contract holds the money', () => {
    const shown = witnessed(order, {deposit: {state: 'seen', amount: 50_000n, isHeld: true}});
    expect(shown.source.redeemed).to.equal(undefined);
    expect(shown.source.refunded).to.equal(undefined);
    expect(shown.source.initiated?.onChain).to.equal(true);
  });

  it('may be both where the contract holds it no more, or where the chain cannot be read', () => {
    const empty = witnessed(order, {deposit: {state: 'seen', amount: 50_000n, isHeld: false}});
    expect([empty.source.redeemed, empty.source.refunded]).to.deep.equal([told, told]);
    expect(witnessed(order, {deposit: {state: 'unknown'}})).to.equal(order);
    expect(witnessed(order, {})).to.equal(order);
  });

  it('is as large as the chain shows it', () => {
    const shown = witnessed(order, {deposit: {state: 'seen', amount: 20_000n, isHeld: true}});
    expect(shown.source.filled).to.equal(20_000n);
  });

  it('asks for all of it where a part is told of that the chain does not have', () => {
    const part = anOrder({source: aLeg({filled: 20_000n, initiated: told})});
    const shown = witnessed(part, {deposit: {state: 'none'}});
    expect(shown.source.filled).to.equal(0n);
    expect(shown.source.initiated).to.equal(undefined);
  });

  it('is not paid out, and not paid back, where the chain shows nothing of it', () => {
    const done = anOrder({source, destination: aLeg({redeemed: told})});
    const shown = witnessed(done, {payout: {amount: 0n}, refund: {amount: 0n}});
    expect(shown.destination.redeemed).to.equal(undefined);
    expect(shown.source.refunded).to.equal(undefined);
  });

  it('is paid out as the chain shows it, in its block and with its secret', () => {
    const done = anOrder({destination: aLeg({redeemed: told})});
    const shown = witnessed(done, {payout: {amount: 49_850n, block: 7n, secret: '5e'}});
    expect(shown.destination.redeemed).to.deep.equal({...told, block: 7n, onChain: true});
    expect(shown.destination.secret).to.equal('5e');
  });

  it('came back by the payer’s own transaction where the service names none', () => {
    const shown = witnessed(anOrder(), {refund: {amount: 50_000n, block: 8n}}, ['0xmine']);
    expect(shown.source.refunded).to.deep.equal({hashes: ['0xmine'], block: 8n, onChain: true});
  });
});
