import {sha256} from 'ethers';
import {expect} from '../support/expect.js';
import {newAddress} from '../support/evm-key.js';
import {startSandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, balanceOf, placeOrder, type OrderRead} from './client.js';

const AMOUNT = 10_000_000n;
const isComplete = ({destination_swap}: OrderRead) => destination_swap.redeem_tx_hash !== '';
const isSettled = (order: OrderRead) => isComplete(order) && order.source_swap.redeem_tx_hash !== '';
const isFunded = ({source_swap}: OrderRead) => source_swap.initiate_tx_hash !== '';
const isRefunded = ({source_swap}: OrderRead) => source_swap.refund_tx_hash !== '';

// These tests count blocks, cause reorganizations and pay affiliates, so this file has its own chains.
let own: Awaited<ReturnType<typeof startSandbox>>;
let client: SandboxClient;
before(async () => {
  own = await startSandbox();
});
beforeEach(() => {
  client = SandboxClient.forAppOfItsOwn(own);
});
after(() => own.close());

const chainOf = async (asset: string) => (await client.info()).chains[asset.slice(0, asset.indexOf(':'))]!;
const balance = async (asset: string, address: string) => balanceOf(await chainOf(asset), asset, address);
const mine = (asset: string, blocks: number) =>
  client.control('mine', {chain: asset.slice(0, asset.indexOf(':')), blocks});

/** The recipient has exactly the agreed amount, and the order shows how it got there. */
async function expectSettled(id: string, recipient: string, to = TO_WBTC): Promise<OrderRead> {
  const order = await client.until(id, isSettled);
  const {source_swap: source, destination_swap: destination} = order;
  expect(await balance(to, recipient)).to.equal(BigInt(destination.amount));
  expect(source['secret']).to.equal(destination['secret']);
  expect(sha256(`0x${String(source['secret'])}`).slice(2)).to.equal(source['secret_hash']);
  expect(source.current_confirmations).to.equal(1);
  for (const leg of [source, destination]) {
    const at = (name: string) => Date.parse(String(leg[`${name}_timestamp`]));
    expect(leg['filled_amount']).to.equal(leg.amount);
    expect(Number(leg.initiate_block_number)).to.be.greaterThan(0);
    expect(Number(leg['redeem_block_number'])).to.be.greaterThan(Number(leg.initiate_block_number));
    expect(at('redeem')).to.be.at.least(at('initiate'));
    expect(at('initiate')).to.be.at.least(Date.parse(String(leg['created_at'])) - 1);
    expect(leg.refund_tx_hash).to.equal('');
  }
  return order;
}

describe('a swap in the sandbox', () => {
  it('pays a native coin by a transaction whose value is the amount, and accepts no signature for it', async () => {
    const [from, amount] = ['base_sepolia:eth', 10n ** 17n];
    const owner = await Person.with(client, from, 3n * amount);
    const {order_id, transaction, typed_data, recipient} = await placeOrder(client, owner, {from, amount});
    expect(typed_data).to.equal(null);
    expect(BigInt(transaction.value)).to.equal(amount);
    const {status, body} = await client.initiate(order_id, `0x${'11'.repeat(65)}`);
    expect([status, body['error']]).to.deep.equal([400, `${from} is not supported for initiations`]);
    for (const value of [amount - 1n, amount + 1n]) {
      const refusal = await owner.send(transaction.to, transaction.data, value).catch((error: Error) => error.message);
      expect(refusal).to.match(/failed/);
    }
    await owner.send(transaction.to, transaction.data, amount);
    await expectSettled(order_id, recipient);
  });

  it('settles by a signature, once, without gas from the owner', async () => {
    const owner = await Person.with(client, WBTC, 2n * AMOUNT);
    const {order_id, typed_data, recipient} = await placeOrder(client, owner);
    await owner.approve(WBTC, 2n * AMOUNT);
    const gas = await owner.rpc<string>('eth_getBalance', owner.address, 'latest');
    const signature = await owner.sign(typed_data);
    const {status, body} = await client.initiate(order_id, signature);
    expect(status, JSON.stringify(body)).to.equal(200);
    const again = await client.initiate(order_id, signature);
    expect(again.status).to.equal(400);
    expect(again.body['error']).to.match(/already initiated/);
    const order = await expectSettled(order_id, recipient);
    expect(body).to.deep.equal({status: 'Ok', result: order.source_swap.initiate_tx_hash});
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
    expect(await owner.rpc('eth_getBalance', owner.address, 'latest')).to.equal(gas);
  });

  it('pays each affiliate its stored amount exactly, once, also if a reorganization removes the deposit later', async () => {
    const payee = newAddress();
    const fees = [
      {asset: 'base_sepolia:usdc', address: payee, fee: 10},
      {asset: 'ethereum_sepolia:cbbtc', address: payee, fee: 20},
    ];
    const owner = await Person.with(client, WBTC, 2n * AMOUNT);
    await owner.approve(WBTC, 2n * AMOUNT);
    const owed: Record<string, bigint> = {};
    const placed: string[] = [];
    for (let round = 0; round < 2; round++) {
      const {order_id, typed_data} = await placeOrder(client, owner, {fees});
      await client.initiate(order_id, await owner.sign(typed_data));
      const order = await client.until(order_id, isSettled);
      placed.push(order_id);
      for (const {asset, amount} of order['affiliate_fees'] as {asset: string; amount: string}[]) {
        owed[asset] = (owed[asset] ?? 0n) + BigInt(amount);
      }
    }
    const expectPaid = async () => {
      await client.control('payout', {});
      for (const {asset} of fees) expect(await balance(asset, payee)).to.equal(owed[asset]);
    };
    await expectPaid();
    await expectPaid();
    await client.control('reorg', {orderId: placed[1]});
    expect(isFunded(await client.read(placed[1]!))).to.equal(false);
    await expectPaid();
  });

  it('is refunded on both legs if the destination is not redeemed', async () => {
    await client.faults({serviceGone: true});
    const owner = await Person.with(client, WBTC, AMOUNT);
    await owner.approve(WBTC, AMOUNT);
    const unpaid = await placeOrder(client, owner);
    const solver = String((await client.read(unpaid.order_id)).destination_swap['initiator']);
    const solverHad = await balance(TO_WBTC, solver);
    const {order_id, recipient, transaction} = await placeOrder(client, owner);
    await owner.send(transaction.to, transaction.data);
    await client.until(order_id, order => order.destination_swap.initiate_tx_hash !== '');
    await mine(TO_WBTC, 151);
    const back = await client.until(order_id, order => order.destination_swap.refund_tx_hash !== '');
    expect(back.destination_swap['secret']).to.equal('');
    await mine(WBTC, 600);
    await client.until(order_id, isRefunded);
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
    expect(await balance(TO_WBTC, recipient)).to.equal(0n);
    expect(await balance(TO_WBTC, solver)).to.equal(solverHad);
  });
});
