import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '../support/expect.js';
import {sha256} from 'ethers';
import {startSandbox} from '../support/sandbox.js';
import {BTC, BitcoinPerson, FEE, mine, readWitness} from './bitcoin-person.js';
import {Person, SandboxClient, WBTC, balanceOf, placeOrder, type OrderRead} from './client.js';

const AMOUNT = 10_000_000n;
const TXID = /^[0-9a-f]{64}$/;
const isFunded = ({source_swap}: OrderRead) => source_swap.initiate_tx_hash !== '';
const isComplete = ({destination_swap}: OrderRead) => destination_swap.redeem_tx_hash !== '';
const isSettled = (order: OrderRead) => isComplete(order) && order.source_swap.redeem_tx_hash !== '';
const isRefunded = ({source_swap}: OrderRead) => source_swap.refund_tx_hash !== '';

// These tests count blocks, so this file has its own chains.
let own: Awaited<ReturnType<typeof startSandbox>>;
let client: SandboxClient;
before(async () => {
  own = await startSandbox();
});
beforeEach(() => {
  client = SandboxClient.forAppOfItsOwn(own);
});
after(() => own.close());

/** An order from BTC, with the recipient. */
async function placeFromBitcoin(owner: BitcoinPerson, {to = WBTC, amount = AMOUNT} = {}) {
  const placed = await placeOrder(client, owner as never, {from: BTC, to, amount});
  return placed as unknown as {order_id: string; to: string; amount: string; recipient: string};
}

async function evmBalance(asset: string, address: string): Promise<bigint> {
  const chain = (await client.info()).chains[asset.split(':')[0] ?? ''];
  if (!chain) throw new Error(`no chain for ${asset}`);
  return balanceOf(chain, asset, address);
}

describe('a swap from Bitcoin', () => {
  it('is seen while unconfirmed, and settles with the second block', async () => {
    const owner = await BitcoinPerson.with(client, AMOUNT + 50_000n);
    const {order_id, to: address, recipient} = await placeFromBitcoin(owner);
    const {txid} = await owner.pay(address, AMOUNT);
    const seen = (await client.until(order_id, isFunded)).source_swap;
    expect(seen.initiate_tx_hash).to.equal(txid);
    expect(seen.initiate_block_number).to.equal('0');
    expect(seen.current_confirmations).to.equal(0);
    expect(seen['filled_amount']).to.equal(String(AMOUNT));

    const height = await mine(client);
    const one = (await client.read(order_id)).source_swap;
    expect(one.initiate_tx_hash).to.equal(`${txid}:${height}`);
    expect(one.initiate_block_number).to.equal(String(height));
    expect(one.current_confirmations).to.equal(1);
    await pause(300);
    expect((await client.read(order_id)).destination_swap.initiate_tx_hash).to.equal('');

    await mine(client);
    const order = await client.until(order_id, isSettled);
    expect(order.source_swap.current_confirmations).to.equal(2);
    expect(await evmBalance(WBTC, recipient)).to.equal(BigInt(order.destination_swap.amount));
    const {vin, vout} = await owner.transaction(order.source_swap.redeem_tx_hash);
    expect(vin.map(({txid, witness}) => [txid, witness[1]])).to.deep.equal([[txid, order.source_swap['secret']]]);
    expect(sha256(`0x${String(order.source_swap['secret'])}`)).to.equal(
      `0x${String(order.source_swap['secret_hash'])}`,
    );
    expect(vout).to.have.lengthOf(1);
    expect(order.source_swap['redeem_block_number']).to.equal('0');
    const last = await mine(client);
    expect((await client.read(order_id)).source_swap['redeem_block_number']).to.equal(String(last));
    expect(await owner.coins(address)).to.deep.equal([]);
  });

  it('returns an underpayment in full when the rest has not come in time', async () => {
    await client.faults({depositWindow: {seconds: 2}});
    const owner = await BitcoinPerson.with(client, AMOUNT);
    const {order_id, to} = await placeFromBitcoin(owner);
    const {txid} = await owner.pay(to, AMOUNT - 1_000n);
    // Even after the timelock: the deposit window is longer if blocks are mined fast.
    await mine(client, 10);
    await pause(200);
    const waiting = (await client.read(order_id)).source_swap;
    expect(waiting.refund_tx_hash).to.equal('');
    const half = readWitness(String(waiting['instant_refund_tx']));

    const {source_swap, destination_swap} = await client.until(order_id, isRefunded);
    expect(destination_swap.initiate_tx_hash).to.equal('');
    // The solver pays the fee of the return.
    expect(await owner.balance()).to.equal(AMOUNT - 1_000n);
    const {vin, vout} = await owner.transaction(source_swap.refund_tx_hash);
    expect(vin.map(one => one.txid)[0]).to.equal(txid);
    expect(vin).to.have.lengthOf(2);
    expect(vout[0]).to.include({scriptpubkey_address: owner.address, value: Number(AMOUNT) - 1_000});
    const [first = '', second, script, proof] = vin[0]?.witness ?? [];
    expect([second, script, proof], 'the order’s half').to.deep.equal(half.slice(1));
    expect(first, 'the other half').to.match(/^[0-9a-f]{128}83$/);
    expect(first).to.not.equal(second);
  });

  /** Late payments: under which faults, how they are paid, and what that costs the owner in the end. */
  const returned: [string, object, (owner: BitcoinPerson, to: string, id: string) => Promise<unknown>, bigint][] = [
    [
      'that comes after it has settled',
      {},
      async (owner, to, id) => {
        await owner.pay(to, AMOUNT);
        await mine(client, 2);
        await client.until(id, isSettled);
        return owner.pay(to, AMOUNT);
      },
      AMOUNT + 2n * FEE,
    ],
    [
      'that comes late',
      {depositWindow: {seconds: 0.5}},
      async (owner, to) => {
        await pause(700);
        await owner.pay(to, AMOUNT);
        await pause(200);
        expect(await owner.balance(to), 'it is unconfirmed').to.equal(AMOUNT);
      },
      FEE,
    ],
  ];
  for (const [what, faults, act, costs] of returned) {
    it(`returns a payment in full ${what}`, async () => {
      await client.faults({...faults});
      const had = 2n * AMOUNT + 2n * FEE;
      const owner = await BitcoinPerson.with(client, had);
      const {order_id, to} = await placeFromBitcoin(owner);
      await act(owner, to, order_id);
      await mine(client);
      const {destination_swap} = await client.until(order_id, isRefunded);
      expect(await owner.balance()).to.equal(had - costs);
      expect(destination_swap.initiate_tx_hash !== '', 'it was served').to.equal(costs > AMOUNT);
    });
  }

  it('is refunded in full after its timelock without a solver, and not a block earlier', async () => {
    await client.faults({solverGone: true});
    const owner = await BitcoinPerson.with(client, AMOUNT + 1_000n);
    const {order_id, to} = await placeFromBitcoin(owner);
    const {txid} = await owner.pay(to, AMOUNT);
    await mine(client, 6);
    await pause(300);
    expect((await client.read(order_id)).source_swap.refund_tx_hash).to.equal('');
    await client.control('expire', {orderId: order_id});
    const {source_swap} = await client.until(order_id, isRefunded);
    expect(await owner.balance()).to.equal(AMOUNT);
    const {vin} = await owner.transaction(source_swap.refund_tx_hash);
    expect(vin[0]).to.include({txid, sequence: 6});
    expect(vin[0]?.witness).to.have.lengthOf(3);
    expect(source_swap['refund_block_number']).to.equal('0');
    const height = await mine(client);
    expect((await client.read(order_id)).source_swap['refund_block_number']).to.equal(String(height));
  });
});

describe('a swap to Bitcoin', () => {
  /** A person with WBTC, and their funded order for this recipient. */
  async function funded(recipient: string) {
    const owner = await Person.with(client, WBTC, AMOUNT);
    const quote = await client.bestQuote(WBTC, BTC, AMOUNT);
    const order = await client.order({
      source: {asset: WBTC, owner: owner.address, amount: quote.source.amount},
      destination: {asset: BTC, owner: recipient, amount: quote.destination.amount},
    });
    await owner.approve(WBTC, AMOUNT);
    await owner.send(order.transaction.to, order.transaction.data);
    return {owner, ...order};
  }

  it('is complete while unconfirmed, with exactly the amount', async () => {
    const recipient = await BitcoinPerson.new(client);
    const {order_id, owner} = await funded(recipient.address);
    const {source_swap, destination_swap} = await client.until(order_id, isSettled);
    expect(destination_swap.initiate_tx_hash).to.match(TXID);
    expect(destination_swap.redeem_tx_hash).to.match(TXID);
    expect(destination_swap).to.include({
      initiate_block_number: '0',
      redeem_block_number: '0',
      redeemer: recipient.address,
      filled_amount: destination_swap.amount,
      timelock: 3,
      required_confirmations: 0,
    });
    expect(destination_swap['initiator']).to.match(TXID);
    expect(destination_swap['delegate']).to.match(TXID).and.not.equal(destination_swap['initiator']);
    expect(destination_swap).to.not.have.property('instant_refund_tx');
    expect(source_swap).to.not.have.any.keys('delegate', 'instant_refund_tx');
    expect(await recipient.balance()).to.equal(BigInt(destination_swap.amount));
    expect(await owner.balance(WBTC)).to.equal(0n);
    const {vin} = await recipient.transaction(destination_swap.redeem_tx_hash);
    expect(vin[0]?.txid).to.equal(destination_swap.initiate_tx_hash);
    expect(vin[0]?.witness[1]).to.equal(source_swap['secret']);
    const height = await mine(client);
    const after_ = (await client.read(order_id)).destination_swap;
    expect(after_['redeem_block_number']).to.equal(String(height));
    expect(after_.initiate_tx_hash).to.equal(`${destination_swap.initiate_tx_hash}:${height}`);
  });
});
