import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '../support/expect.js';
import {startSandbox} from '../support/sandbox.js';
import {BTC, BitcoinPerson, FEE, mine, readWitness} from './bitcoin-person.js';
import {SandboxClient, WBTC, placeOrder, type OrderRead} from './client.js';

const AMOUNT = 10_000_000n;
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

async function placeFromBitcoin(owner: BitcoinPerson) {
  const placed = await placeOrder(client, owner as never, {from: BTC, to: WBTC, amount: AMOUNT});
  return placed as unknown as {order_id: string; to: string};
}

describe('a swap from Bitcoin', () => {
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
});
