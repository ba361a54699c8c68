import {expect} from '@open-wc/testing';
import {SwapCompleteEvent, SwapErrorEvent} from '../../src/events.js';
import {SwapError} from '../../src/domain/error.js';
import {readOrder} from '../../src/api/schema.js';
import {samples} from '../support/samples.js';

describe('An event as JSON', () => {
  it('has everything of a published order, amounts and blocks as decimal text', () => {
    const wire = samples.bitcoin.status.result as Record<string, unknown>;
    const order = readOrder({
      ...wire,
      affiliate_fees: [{asset: 'base:usdc', address: '0x1', fee: 30, amount: '18446744073709551617'}, 'odd'],
    });
    const event = new SwapCompleteEvent(order.id, order, 'chain');
    const json = JSON.parse(JSON.stringify(event)) as {order: Record<string, unknown>};
    expect(json).to.include({type: 'swap-complete', orderId: order.id, witness: 'chain'});
    expect(json).not.to.have.property('again');
    expect(json.order['affiliateFees']).to.deep.equal([
      {asset: 'base:usdc', address: '0x1', bps: 30, amount: '18446744073709551617'},
      {},
    ]);
    expect(json.order['source']).to.deep.include({
      createdAt: order.createdAt,
      assetPrice: 108_468,
      amount: '500000',
      filled: '500000',
      initiated: {hashes: order.source.initiated?.hashes, block: '90249'},
      confirmations: {current: 1, required: 1},
    });
    expect(json.order['source']).to.have.property('instantRefundTx');
  });

  it('has the code, field and detail of an error', () => {
    const error = new SwapError('fees-changed', {field: 'affiliate_fees', detail: 'sent: …'});
    expect(JSON.parse(JSON.stringify(new SwapErrorEvent(error, undefined, 'an order')))).to.deep.equal({
      type: 'swap-error',
      code: 'fees-changed',
      field: 'affiliate_fees',
      detail: 'sent: …',
      orderId: 'an order',
    });
  });
});
