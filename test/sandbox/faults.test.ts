import {expect} from '../support/expect.js';
import {sandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, placeOrder} from './client.js';

const QUOTE = `/v2/quote?from=${WBTC}&to=${TO_WBTC}&from_amount=10000000`;
const ADDRESS = /^0x[0-9a-f]{40}$/;

describe('faults', () => {
  let client: SandboxClient;
  let owner: Person;
  before(async () => {
    owner = await Person.with(new SandboxClient(sandbox.url, sandbox.appId), WBTC, 100_000_000n);
  });
  // A new app id for each test, so that faults do not affect others.
  beforeEach(() => {
    client = SandboxClient.forAppOfItsOwn(sandbox);
  });

  const lost = (asking: Promise<unknown>) =>
    asking.then(
      () => false,
      (error: unknown) => error instanceof TypeError,
    );

  it('only affect the app id that set them, until they are removed', async () => {
    const other = SandboxClient.forAppOfItsOwn(sandbox);
    await client.faults({refused: {text: 'no quotes available'}});
    const refused = await client.ask(QUOTE);
    expect(refused.status).to.equal(400);
    expect(refused.body).to.deep.equal({status: 'Error', error: 'no quotes available'});
    expect((await other.ask(QUOTE)).status).to.equal(200);
    await other.faults({zeroQuotes: true});
    // In chunks: a request with a body of unknown length is not one without a body.
    await client.ask('/sandbox/faults', {method: 'DELETE', body: {appId: client.appId}, chunked: true});
    expect((await client.ask(QUOTE)).status).to.equal(200);
    expect((await other.ask(QUOTE)).text).to.contain('"amount":"0"');
  });

  it('are listed for one app id as long as they are active, as they were set', async () => {
    const list = async (of = client) => (await client.ask(`/sandbox/faults/${of.appId}`)).body;
    expect(await list()).to.deep.equal({});
    await client.faults({refused: {text: 'no', times: 1}, slow: true});
    expect(await list()).to.deep.equal({refused: {text: 'no', times: 1}, slow: {}});
    expect(await list(SandboxClient.forAppOfItsOwn(sandbox))).to.deep.equal({});
    await client.ask(QUOTE);
    expect(await list()).to.deep.equal({slow: {}});
  });

  it('are removed for every app id by a DELETE without a body', async () => {
    const other = SandboxClient.forAppOfItsOwn(sandbox);
    for (const one of [client, other]) await one.faults({refused: true});
    expect((await client.ask('/sandbox/faults', {method: 'DELETE'})).body).to.deep.equal({status: 'Ok'});
    for (const one of [client, other]) expect((await one.ask(QUOTE)).status).to.equal(200);
  });

  it('can be limited to an endpoint and to a number of requests', async () => {
    await client.faults({serverError: {on: 'quote', times: 2}});
    const statuses = [];
    for (let time = 0; time < 3; time++) {
      statuses.push((await client.ask(`/v2/orders/${'0'.repeat(64)}`)).status, (await client.ask(QUOTE)).status);
    }
    expect(statuses).to.deep.equal([404, 500, 404, 500, 404, 200]);
  });

  it('delay responses', async () => {
    await client.faults({slow: {ms: 300}});
    const start = performance.now();
    expect((await client.ask(QUOTE)).status).to.equal(200);
    expect(performance.now() - start).to.be.at.least(290);
  });

  it('lose the response to an accepted signature', async () => {
    const {order_id, typed_data} = await placeOrder(client, owner);
    await owner.approve(WBTC, 10_000_000n);
    await client.faults({dropped: {when: 'after', on: 'initiate', times: 1}});
    expect(await lost(client.initiate(order_id, await owner.sign(typed_data)))).to.equal(true);
    await client.until(order_id, ({destination_swap}) => destination_swap.redeem_tx_hash !== '');
  });

  it('give a worse price, which can be ordered', async () => {
    const destination = async () => BigInt((await client.bestQuote(WBTC, TO_WBTC, 10_000_000n)).destination.amount);
    const fair = await destination();
    await client.faults({worsePrice: {bps: 1_000}});
    const worse = await destination();
    expect(worse < (fair * 91n) / 100n && worse > (fair * 89n) / 100n, `${worse} of ${fair}`).to.equal(true);
    expect((await placeOrder(client, owner)).quote.destination.amount).to.equal(String(worse));
  });

  it('return an order in the later format', async () => {
    await client.faults({laterAnswer: true});
    const order = (await placeOrder(client, owner)) as unknown as Record<string, {to: string}>;
    expect(order).not.to.have.property('transaction');
    expect(order['initiate_transaction']?.to).to.match(ADDRESS);
    expect(order['approval_transaction']?.to).to.equal(owner.asset(WBTC).token?.toLowerCase());
    expect((await client.read(String(order['order_id'])))['version']).to.equal('v2');
  });

  it('show a deposit long before its block', async () => {
    await client.faults({lateBlock: {seconds: 1}});
    const {order_id, transaction} = await placeOrder(client, owner);
    await owner.approve(WBTC, 10_000_000n);
    await owner.send(transaction.to, transaction.data);
    const early = await client.until(order_id, ({source_swap}) => source_swap.initiate_tx_hash !== '');
    expect(early.source_swap.initiate_block_number).to.equal('0');
    expect(early.source_swap.current_confirmations).to.equal(0);
    expect(early.destination_swap.initiate_tx_hash).to.equal('');
    const settled = await client.until(order_id, ({destination_swap}) => destination_swap.redeem_tx_hash !== '');
    expect(Number(settled.source_swap.initiate_block_number)).to.be.greaterThan(0);
  });
});
