import {setTimeout as pause} from 'node:timers/promises';
import {sha256} from 'ethers';
import {createSwapApi} from '../../src/api/settings.js';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import {createFeeLedger} from '../../src/domain/fee-ledger.js';
import {checkPayouts} from '../../src/server.js';
import {expect} from '../support/expect.js';
import {newAddress} from '../support/evm-key.js';
import {startSandbox} from '../support/sandbox.js';
import {balanceOf, chainName} from '../support/parties.js';
import {Person, SandboxClient, TO_WBTC, WBTC, placeOrder, type OrderRead} from './client.js';

const AMOUNT = 10_000_000n;
const FEE_ASSETS = ['base_sepolia:usdc', 'ethereum_sepolia:cbbtc'] as const;
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

const balance = async (asset: string, address: string) => balanceOf(await client.info(), asset, address);
const mine = (asset: string, blocks: number) => client.mine(chainName(asset), blocks);

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
    expect(await balance(WBTC, owner.address)).to.equal(AMOUNT);
    expect(await owner.rpc('eth_getBalance', owner.address, 'latest')).to.equal(gas);
  });

  async function earn(fees: {asset: string; address: string; fee: number}[]) {
    const owner = await Person.with(client, WBTC, AMOUNT);
    await owner.approve(WBTC, AMOUNT);
    const {order_id: orderId, typed_data} = await placeOrder(client, owner, {fees});
    await client.initiate(orderId, await owner.sign(typed_data));
    return {orderId, fees: (await client.until(orderId, isSettled))['affiliate_fees']};
  }

  it('pays affiliates in weeks that a back end can check on two chains, also a dropped one and a short one', async () => {
    const payee = newAddress();
    const api = createSwapApi({baseUrl: own.url, appId: client.appId});
    const ledger = createFeeLedger();
    // Before any test that reorganizes a chain: its blocks are then dated ahead.
    for (const [week, faults] of [{}, {payoutDropped: true}, {payoutShort: {bps: 2_500}}, {}].entries()) {
      // Services and pages write addresses in upper and lower case.
      const address = week % 2 ? payee.toLowerCase() : payee;
      const {orderId} = await earn(FEE_ASSETS.map(asset => ({asset, address, fee: 10})));
      ledger.add({orderId, agreed: {affiliateFees: FEE_ASSETS.map(asset => ({asset, address, bps: 10}))}});
      await ledger.reconcile(id => api.readOrder(id));
      // Blocks that are made in one second are dated by the next ones.
      const last = Math.max(...ledger.fees.map(({completedAt = 0}) => completedAt));
      while (Date.now() <= last) await pause(20);
      await client.faults(faults);
      await client.control('payout', {});
    }
    const info = await client.info();
    const {assets, chains} = settingsOf(info);
    const {weeks} = await checkPayouts({
      fees: ledger.fees,
      rpc: Object.fromEntries(Object.entries(chains).map(([name, {rpc = ''}]) => [name, rpc])),
      assets: assets.filter(({id}) => FEE_ASSETS.some(asset => asset === id)),
      weekEnds: info.clock.weekEnds,
      graceHours: 0,
    });
    for (const id of FEE_ASSETS) {
      const own = weeks.filter(({asset}) => asset === id);
      expect(own.map(({verdict}) => verdict)).to.deep.equal(['paid', 'missing', 'short', 'paid']);
      expect(own.map(({owed}) => owed)).to.deep.equal(
        ledger.fees.filter(({asset}) => asset === id).map(({amount}) => amount),
      );
      expect(own[2]!.paid).to.equal((own[2]!.owed * 7_500n) / 10_000n);
      expect(own.reduce((sum, {paid}) => sum + (paid ?? 0n), 0n)).to.equal(await balance(id, payee));
    }
  });

  it('pays each affiliate its stored amount exactly, once, also if a reorganization removes the deposit later', async () => {
    const payee = newAddress();
    const owed: Record<string, bigint> = {};
    const earned = FEE_ASSETS.map((asset, at) => ({asset, address: payee, fee: 10 * (at + 1)}));
    const [one, {orderId, fees}] = [await earn(earned), await earn(earned)];
    for (const {asset, amount} of [one.fees, fees].flat() as {asset: string; amount: string}[])
      owed[asset] = (owed[asset] ?? 0n) + BigInt(amount);
    const expectPaid = async () => {
      await client.control('payout', {});
      for (const asset of FEE_ASSETS) expect(await balance(asset, payee)).to.equal(owed[asset]);
    };
    await expectPaid();
    await expectPaid();
    await client.control('reorg', {orderId});
    expect(isFunded(await client.read(orderId))).to.equal(false);
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
    expect(await balance(WBTC, owner.address)).to.equal(AMOUNT);
    expect(await balance(TO_WBTC, recipient)).to.equal(0n);
    expect(await balance(TO_WBTC, solver)).to.equal(solverHad);
  });
});
