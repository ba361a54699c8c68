import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '../support/expect.js';
import {Interface, getBytes, hexlify, sha256} from 'ethers';
import {newAddress} from '../support/evm-key.js';
import {sandbox, startSandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, balanceOf, placeOrder, type OrderRead} from './client.js';

const AMOUNT = 10_000_000n;
const isComplete = ({destination_swap}: OrderRead) => destination_swap.redeem_tx_hash !== '';
const isSettled = (order: OrderRead) => isComplete(order) && order.source_swap.redeem_tx_hash !== '';
const isFunded = ({source_swap}: OrderRead) => source_swap.initiate_tx_hash !== '';

describe('a swap in the sandbox', function () {
  this.timeout(30_000);
  const client = new SandboxClient(sandbox.url, sandbox.appId);

  async function expectSettled(id: string, owner: Person, recipient: string, to = TO_WBTC) {
    const order = await client.until(id, isSettled);
    const {source_swap: source, destination_swap: destination} = order;
    const chain = (await client.info()).chains[to.split(':')[0] ?? ''];
    if (!chain) throw new Error(`no chain for ${to}`);
    expect(await balanceOf(chain, to, recipient)).to.equal(BigInt(destination.amount));
    expect(await owner.balance(String(source['asset']))).to.equal(0n);
    expect(source['secret']).to.equal(destination['secret']);
    expect(sha256(`0x${String(source['secret'])}`).slice(2)).to.equal(source['secret_hash']);
    expect(source['filled_amount']).to.equal(source.amount);
    expect(destination['filled_amount']).to.equal(destination.amount);
    expect(source.current_confirmations).to.equal(1);
    for (const leg of [source, destination]) {
      expect(leg.initiate_tx_hash).to.match(/^0x[0-9a-f]{64}$/);
      expect(Number(leg.initiate_block_number)).to.be.greaterThan(0);
      expect(Number(leg['redeem_block_number'])).to.be.greaterThan(Number(leg.initiate_block_number));
      expect(Date.parse(String(leg['redeem_timestamp']))).to.be.at.least(Date.parse(String(leg['initiate_timestamp'])));
      expect(Date.parse(String(leg['initiate_timestamp']))).to.be.at.least(Date.parse(String(leg['created_at'])) - 1);
      expect(leg.refund_tx_hash).to.equal('');
    }
    return order;
  }

  it('settles by transaction: the recipient gets exactly the agreed amount', async () => {
    const owner = await Person.with(client, WBTC, AMOUNT);
    const {order_id, transaction, recipient} = await placeOrder(client, owner);
    await owner.approve(WBTC, AMOUNT);
    const hash = await owner.send(transaction.to, transaction.data);
    const order = await expectSettled(order_id, owner, recipient);
    expect(order.source_swap.initiate_tx_hash).to.equal(hash);
  });

  it('settles in the other direction, and between assets with different decimals', async () => {
    const from = 'ethereum_sepolia:usdc';
    const to = 'base_sepolia:cbbtc';
    const amount = 250_000_000n;
    const owner = await Person.with(client, from, amount);
    const {order_id, transaction, recipient} = await placeOrder(client, owner, {from, to, amount});
    await owner.approve(from, amount);
    await owner.send(transaction.to, transaction.data);
    await expectSettled(order_id, owner, recipient, to);
  });

  const forms: [string, (signature: string) => unknown][] = [
    ['hex', signature => signature],
    ['hex without a prefix', signature => signature.slice(2)],
    ['an array of hex', signature => [signature]],
    ['comma text', signature => split(signature).join(',')],
    ['an array of r, s, v', signature => split(signature)],
    ['{r, s, v}', signature => (([r, s, v]) => ({r, s, v}))(split(signature))],
  ];
  for (const [name, form] of forms) {
    it(`settles by a signature given as ${name}, without gas from the owner`, async () => {
      const owner = await Person.with(client, WBTC, AMOUNT);
      const {order_id, typed_data, recipient} = await placeOrder(client, owner);
      await owner.approve(WBTC, AMOUNT);
      const gas = await owner.rpc<string>('eth_getBalance', owner.address, 'latest');
      const {status, body} = await client.initiate(order_id, form(await owner.sign(typed_data)));
      expect(status, JSON.stringify(body)).to.equal(200);
      const order = await expectSettled(order_id, owner, recipient);
      expect(body).to.deep.equal({status: 'Ok', result: order.source_swap.initiate_tx_hash});
      expect(await owner.rpc('eth_getBalance', owner.address, 'latest')).to.equal(gas);
    });
  }

  it('cannot be initiated twice', async () => {
    const owner = await Person.with(client, WBTC, 2n * AMOUNT);
    const {order_id, typed_data} = await placeOrder(client, owner);
    await owner.approve(WBTC, 2n * AMOUNT);
    const signature = await owner.sign(typed_data);
    expect((await client.initiate(order_id, signature)).status).to.equal(200);
    const {status, body} = await client.initiate(order_id, signature);
    expect(status).to.equal(400);
    expect(body['error']).to.match(/already initiated/);
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
  });

  it('has a token whose allowance has to be reset to 0 before it can change', async () => {
    const asset = 'base_sepolia:usdt';
    const owner = await Person.with(client, asset, 50_000_000n);
    await owner.approve(asset, 20_000_000n);
    const refusal = await owner.approve(asset, 30_000_000n).catch((error: Error) => error.message);
    expect(refusal).to.match(/failed/);
    await owner.approve(asset, 0n);
    await owner.approve(asset, 30_000_000n);
  });

  it('pays each affiliate its stored amount exactly, once', async () => {
    const payee = newAddress();
    const fees = [
      {asset: 'base_sepolia:usdc', address: payee, fee: 10},
      {asset: 'ethereum_sepolia:cbbtc', address: payee, fee: 20},
    ];
    const owner = await Person.with(client, WBTC, 2n * AMOUNT);
    await owner.approve(WBTC, 2n * AMOUNT);
    const owed: Record<string, bigint> = {};
    for (let round = 0; round < 2; round++) {
      const {order_id, transaction} = await placeOrder(client, owner, {fees});
      await owner.send(transaction.to, transaction.data);
      const order = await client.until(order_id, isSettled);
      for (const {asset, amount} of order['affiliate_fees'] as {asset: string; amount: string}[]) {
        owed[asset] = (owed[asset] ?? 0n) + BigInt(amount);
      }
    }
    await client.control('payout', {});
    await client.control('payout', {});
    const {chains} = await client.info();
    for (const {asset} of fees) {
      const chain = chains[asset.split(':')[0] ?? ''];
      if (!chain) throw new Error(`no chain for ${asset}`);
      expect(await balanceOf(chain, asset, payee)).to.equal(owed[asset]);
    }
  });

  it('ignores a deposit of another amount', async () => {
    const owner = await Person.with(client, WBTC, AMOUNT);
    const {order_id, typed_data, transaction} = await placeOrder(client, owner);
    await owner.approve(WBTC, AMOUNT);
    const {redeemer, timelock, secretHash} = typed_data.message;
    const form = new Interface(['function initiate(address, uint256, uint256, bytes32)']);
    await owner.send(
      transaction.to,
      form.encodeFunctionData('initiate', [redeemer, timelock, AMOUNT - 1n, secretHash]),
    );
    const {source_swap} = await client.until(order_id, isFunded);
    expect(source_swap['filled_amount']).to.equal(String(AMOUNT - 1n));
    await pause(500);
    expect((await client.read(order_id)).destination_swap.initiate_tx_hash).to.equal('');
  });
});

describe('a swap that does not complete', function () {
  this.timeout(60_000);
  let own: Awaited<ReturnType<typeof startSandbox>>;
  let client: SandboxClient;
  before(async () => {
    own = await startSandbox();
  });
  beforeEach(() => {
    client = SandboxClient.forAppOfItsOwn(own);
  });
  after(() => own.close());

  async function funded(amount = AMOUNT) {
    const owner = await Person.with(client, WBTC, amount);
    const placed = await placeOrder(client, owner, {amount});
    await owner.approve(WBTC, amount);
    await owner.send(placed.transaction.to, placed.transaction.data);
    return {owner, ...placed};
  }

  it('is refunded by its owner after the timelock, and not a block earlier', async () => {
    await client.faults({solverGone: true});
    const {owner, order_id} = await funded();
    const {source_swap} = await client.until(order_id, isFunded);
    const swapId = String(source_swap['swap_id']);
    const start = Number(source_swap.initiate_block_number);
    const height = Number(await owner.rpc<string>('eth_blockNumber'));
    // A refund is possible in the block after the timelock; this one is one block too early.
    await client.control('mine', {chain: 'base_sepolia', blocks: start + 300 - height - 1});
    const early = await owner.refund(WBTC, swapId).catch((error: Error) => error.message);
    expect(early).to.match(/failed/);
    const hash = await owner.refund(WBTC, swapId);
    const after = await client.until(order_id, order => order.source_swap.refund_tx_hash !== '');
    expect(after.source_swap.refund_tx_hash).to.equal(hash);
    expect(Number(after.source_swap['refund_block_number'])).to.equal(start + 301);
    expect(after.destination_swap.initiate_tx_hash).to.equal('');
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
  });

  it('is refunded without its owner later', async () => {
    await client.faults({solverGone: true});
    const {owner, order_id} = await funded();
    await client.until(order_id, isFunded);
    await client.control('expire', {orderId: order_id});
    await pause(400);
    expect((await client.read(order_id)).source_swap.refund_tx_hash, 'only the owner can refund at first').to.equal('');
    await client.control('mine', {chain: 'base_sepolia', blocks: 20});
    await client.until(order_id, order => order.source_swap.refund_tx_hash !== '');
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
  });

  it('is left to its owner where nobody else may refund it', async () => {
    await client.faults({solverGone: true, ownerRefunds: true});
    const {owner, order_id} = await funded();
    const {source_swap} = await client.until(order_id, isFunded);
    await client.control('expire', {orderId: order_id});
    await client.control('mine', {chain: 'base_sepolia', blocks: 40});
    await pause(400);
    expect((await client.read(order_id)).source_swap.refund_tx_hash).to.equal('');
    await owner.refund(WBTC, String(source_swap['swap_id']));
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
  });

  it('is refunded on both legs if the destination is not redeemed', async () => {
    await client.faults({serviceGone: true});
    const chain = (await client.info()).chains['ethereum_sepolia'];
    if (!chain) throw new Error('no destination chain');
    const unpaid = await placeOrder(client, new Person(chain));
    const solver = String((await client.read(unpaid.order_id)).destination_swap['initiator']);
    const solverHad = await balanceOf(chain, TO_WBTC, solver);
    const {owner, order_id, recipient} = await funded();
    await client.until(order_id, order => order.destination_swap.initiate_tx_hash !== '');
    await client.control('mine', {chain: 'ethereum_sepolia', blocks: 151});
    const back = await client.until(order_id, order => order.destination_swap.refund_tx_hash !== '');
    expect(back.destination_swap['secret']).to.equal('');
    await client.control('mine', {chain: 'base_sepolia', blocks: 330});
    await client.until(order_id, order => order.source_swap.refund_tx_hash !== '');
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
    expect(await balanceOf(chain, TO_WBTC, recipient)).to.equal(0n);
    expect(await balanceOf(chain, TO_WBTC, solver)).to.equal(solverHad);
  });

  it('continues when the solver is back', async () => {
    await client.faults({solverGone: true});
    const {order_id} = await funded();
    await client.until(order_id, isFunded);
    await pause(300);
    expect((await client.read(order_id)).destination_swap.initiate_tx_hash).to.equal('');
    await client.faults({solverGone: false});
    await client.until(order_id, isSettled);
  });

  it('is unfunded again if a reorganisation removes its deposit, and settles when it is paid again', async () => {
    await client.faults({reorg: {seconds: 0.5}});
    const {owner, order_id, transaction} = await funded();
    const seen = await client.until(order_id, isFunded);
    expect(seen.source_swap.current_confirmations).to.equal(1);
    const lost = await client.until(order_id, order => !isFunded(order));
    expect(lost.source_swap['filled_amount']).to.equal('0');
    expect(lost.source_swap.initiate_block_number).to.equal('0');
    expect(lost.source_swap.current_confirmations).to.equal(0);
    expect(lost.source_swap['initiate_timestamp']).to.equal(null);
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
    await owner.send(transaction.to, transaction.data);
    await client.until(order_id, isSettled);
    expect(await owner.balance(WBTC)).to.equal(0n);
  });

  it('keeps other transactions of replaced blocks', async () => {
    await client.faults({solverGone: true});
    const {owner, order_id} = await funded();
    const other = await Person.with(client, WBTC, 777n);
    await client.until(order_id, isFunded);
    await client.control('reorg', {orderId: order_id});
    expect(isFunded(await client.read(order_id))).to.equal(false);
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
    expect(await other.balance(WBTC)).to.equal(777n);
  });

  it('can remove an old deposit by a reorganisation, with everything else in the same blocks', async () => {
    const chain = 'base_sepolia';
    const before = await Person.with(client, WBTC, 555n);
    await client.faults({solverGone: true});
    const {owner, order_id, transaction} = await funded();
    await client.until(order_id, isFunded);
    await client.control('mine', {chain, blocks: 100});
    const other = await Person.with(client, WBTC, 777n);
    const approval = await other.approve(WBTC, 1n);
    const {blockNumber} = await other.rpc<{blockNumber: string}>('eth_getTransactionReceipt', approval);
    const {height} = await client.control('mine', {chain, blocks: 100});
    await client.control('reorg', {orderId: order_id});
    expect(isFunded(await client.read(order_id))).to.equal(false);
    expect(await owner.balance(WBTC)).to.equal(AMOUNT);
    expect([await before.balance(WBTC), await other.balance(WBTC)]).to.deep.equal([555n, 777n]);
    const again = await other.rpc<{blockNumber: string; status: string}>('eth_getTransactionReceipt', approval);
    expect([again.blockNumber, again.status]).to.deep.equal([blockNumber, '0x1']);
    expect(Number(await owner.rpc<string>('eth_blockNumber'))).to.be.at.least(Number(height));
    await client.faults({solverGone: false});
    await owner.send(transaction.to, transaction.data);
    await client.until(order_id, isSettled);
  });

  it('can remove a deposit by a reorganisation while others send', async () => {
    await client.faults({solverGone: true});
    const {order_id} = await funded();
    const other = await Person.with(client, WBTC, 777n);
    await client.until(order_id, isFunded);
    let ends = false;
    const sending = (async () => {
      while (!ends) await client.control('faucet', {asset: WBTC, address: other.address, amount: '1'});
    })();
    try {
      await client.control('reorg', {orderId: order_id});
    } finally {
      ends = true;
      await sending;
    }
    expect(isFunded(await client.read(order_id))).to.equal(false);
  });

  it('waits for the required confirmations, and counts them', async () => {
    await client.faults({confirmations: {required: 3}});
    const {order_id} = await funded();
    const one = await client.until(order_id, isFunded);
    expect(one.source_swap['required_confirmations']).to.equal(3);
    expect(one.source_swap.current_confirmations).to.equal(1);
    await client.control('mine', {chain: 'base_sepolia', blocks: 1});
    await pause(300);
    const two = await client.read(order_id);
    expect(two.source_swap.current_confirmations).to.equal(2);
    expect(two.destination_swap.initiate_tx_hash).to.equal('');
    await client.control('mine', {chain: 'base_sepolia', blocks: 1});
    await client.until(order_id, isSettled);
  });
});

function split(signature: string): [string, string, number] {
  const bytes = getBytes(signature);
  return [hexlify(bytes.slice(0, 32)), hexlify(bytes.slice(32, 64)), bytes[64] ?? 0];
}
