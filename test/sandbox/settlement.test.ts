import {setTimeout as pause} from 'node:timers/promises';
import {sha256} from 'ethers';
import {expect} from '../support/expect.js';
import {newAddress} from '../support/evm-key.js';
import {startSandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, balanceOf, placeOrder, type OrderRead} from './client.js';
import {SOURCES, type Payer, type Source} from './payers.js';

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

/** Nothing happens to the destination for a while. */
async function expectUnserved(id: string) {
  await pause(300);
  expect((await client.read(id)).destination_swap.initiate_tx_hash).to.equal('');
}

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

function swapsFrom({asset, amount, timelock, early, meet}: Source) {
  async function placed(lots?: bigint) {
    const owner = await meet(client, lots);
    return {owner, ...(await placeOrder(client, owner as unknown as Person, {from: asset, amount}))};
  }
  /** A paid order that is not served. */
  async function stuck(faults: Record<string, unknown> = {solverGone: true}) {
    await client.faults(faults);
    const {owner, ...order} = await placed();
    const sent = await owner.deposit(order);
    return {owner, ...order, sent, paid: await client.until(order.order_id, isFunded)};
  }

  it('settles by transaction', async () => {
    const {owner, ...order} = await placed();
    const transaction = await owner.deposit(order);
    const {source_swap} = await expectSettled(order.order_id, order.recipient);
    expect(source_swap.initiate_tx_hash).to.equal(transaction);
    expect(source_swap).to.include({initiator: owner.address, timelock, amount: String(amount)});
    expect(await owner.balance()).to.equal(0n);
  });

  it('is refunded by its owner after the timelock, and not a block earlier', async () => {
    const {owner, order_id, paid} = await stuck();
    const begun = Number(paid.source_swap.initiate_block_number);
    const {height} = await chainOf(asset);
    // A refund is possible in the block after the timelock; this one is one block too early.
    for (let left = begun + timelock - height - 1; left > 0; left -= 1_000) await mine(asset, Math.min(left, 1_000));
    const refusal = await owner.refund(paid).catch((error: Error) => error.message);
    expect(refusal).to.match(early);
    await client.control('expire', {orderId: order_id});
    const refund = await owner.refund(paid);
    const {source_swap, destination_swap} = await client.until(order_id, isRefunded);
    expect(source_swap.refund_tx_hash).to.equal(refund);
    expect(Number(source_swap['refund_block_number'])).to.equal(begun + timelock + 1);
    expect(destination_swap.initiate_tx_hash).to.equal('');
    expect(await owner.balance()).to.equal(amount);
  });

  it('waits for the required confirmations, and counts them', async () => {
    const {order_id, paid} = await stuck({confirmations: {required: 3}});
    expect(paid.source_swap).to.include({required_confirmations: 3, current_confirmations: 1});
    await mine(asset, 1);
    expect((await client.read(order_id)).source_swap.current_confirmations).to.equal(2);
    await expectUnserved(order_id);
    await mine(asset, 1);
    await client.until(order_id, isSettled);
  });
}

describe('a swap in the sandbox', () => {
  for (const source of SOURCES) describe(`from ${source.asset}`, () => swapsFrom(source));

  const [evm] = SOURCES as [Source];
  /** A person with WBTC, and their order that is paid by transaction. */
  async function funded(payer?: Payer) {
    const owner = payer ?? (await evm.meet(client));
    const placed = await placeOrder(client, owner as unknown as Person);
    await owner.deposit(placed);
    return {owner, ...placed};
  }

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
    const owner = await evm.meet(client);
    const unpaid = await placeOrder(client, owner as unknown as Person);
    const solver = String((await client.read(unpaid.order_id)).destination_swap['initiator']);
    const solverHad = await balance(TO_WBTC, solver);
    const {order_id, recipient} = await funded(owner);
    await client.until(order_id, order => order.destination_swap.initiate_tx_hash !== '');
    await mine(TO_WBTC, 151);
    const back = await client.until(order_id, order => order.destination_swap.refund_tx_hash !== '');
    expect(back.destination_swap['secret']).to.equal('');
    await mine(WBTC, 600);
    await client.until(order_id, isRefunded);
    expect(await owner.balance()).to.equal(AMOUNT);
    expect(await balance(TO_WBTC, recipient)).to.equal(0n);
    expect(await balance(TO_WBTC, solver)).to.equal(solverHad);
  });
});
