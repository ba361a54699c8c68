import {expect} from '../support/expect.js';
import {sandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, balanceOf, placeOrder, type OrderRead} from './client.js';

const COIN = 'base_sepolia:eth';
const AMOUNT = 10n ** 17n;
const isSettled = ({source_swap, destination_swap}: OrderRead) =>
  destination_swap.redeem_tx_hash !== '' && source_swap.redeem_tx_hash !== '';

describe('a native coin in the sandbox', function () {
  this.timeout(30_000);
  const client = new SandboxClient(sandbox.url, sandbox.appId);

  it('is paid by a transaction with value, without typed data or approval', async () => {
    const owner = await Person.with(client, COIN, AMOUNT);
    const {order_id, transaction, typed_data, recipient} = await placeOrder(client, owner, {
      from: COIN,
      amount: AMOUNT,
    });
    expect(typed_data).to.equal(null);
    expect(BigInt(transaction.value)).to.equal(AMOUNT);
    const {status, body} = await client.initiate(order_id, `0x${'11'.repeat(65)}`);
    expect([status, body['error']]).to.deep.equal([400, `${COIN} is not supported for initiations`]);
    await owner.send(transaction.to, transaction.data, AMOUNT);
    const order = await client.until(order_id, isSettled);
    const {chains} = await client.info();
    const received = await balanceOf(chains['ethereum_sepolia']!, TO_WBTC, recipient);
    expect(received).to.equal(BigInt(order.destination_swap.amount));
    expect(order.source_swap['filled_amount']).to.equal(String(AMOUNT));
  });

  it('is rejected by its contract if the value is not the amount of the call', async () => {
    const owner = await Person.with(client, COIN, AMOUNT * 3n);
    const {transaction} = await placeOrder(client, owner, {from: COIN, amount: AMOUNT});
    for (const value of [AMOUNT - 1n, AMOUNT + 1n]) {
      const refusal = await owner.send(transaction.to, transaction.data, value).catch((error: Error) => error.message);
      expect(refusal).to.match(/failed/);
    }
  });

  it('arrives in full', async () => {
    const owner = await Person.with(client, WBTC, 10_000_000n);
    const to = 'ethereum_sepolia:eth';
    const {order_id, transaction, recipient} = await placeOrder(client, owner, {from: WBTC, to, amount: 10_000_000n});
    await owner.approve(WBTC, 10_000_000n);
    await owner.send(transaction.to, transaction.data);
    const {destination_swap} = await client.until(order_id, isSettled);
    const {chains} = await client.info();
    expect(await balanceOf(chains['ethereum_sepolia']!, to, recipient)).to.equal(BigInt(destination_swap.amount));
  });
});
