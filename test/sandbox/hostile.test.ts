import {request} from 'node:http';
import {expect} from '../support/expect.js';
import {newAddress} from '../support/evm-key.js';
import {sandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, placeOrder, type Answer} from './client.js';

const MAX_BODY_BYTES = 65_536;
const AMOUNT = 6_000_000n;

describe('a hostile client', function () {
  this.timeout(20_000);
  const client = new SandboxClient(sandbox.url, sandbox.appId);
  const owner = newAddress();
  const recipient = newAddress();
  const post = (body: unknown) => client.ask('/v2/orders', {method: 'POST', body});
  const quoted = async (bps = 0) => {
    const {source, destination} = await client.bestQuote(WBTC, TO_WBTC, AMOUNT, bps);
    return {
      source: {asset: WBTC, owner, amount: source.amount},
      destination: {asset: TO_WBTC, owner: recipient, amount: destination.amount},
    };
  };
  /** An error in the API's format, never a crash. */
  const expectRefused = ({status, body}: Answer, error: RegExp, what: string, wanted = 400) => {
    expect(status, what).to.equal(wanted);
    expect(body['status'], what).to.equal('Error');
    expect(body['error'], what).to.match(error);
  };

  it('can send at most 64 kB to any endpoint with a body', async () => {
    const large = {note: 'x'.repeat(MAX_BODY_BYTES)};
    for (const [path, method] of [
      ['/v2/orders', 'POST'],
      [`/v2/orders/${'0'.repeat(64)}?action=initiate`, 'PATCH'],
      ['/sandbox/faucet', 'POST'],
      ['/sandbox/payout', 'POST'],
      ['/sandbox/faults', 'DELETE'],
    ] as const) {
      for (const chunked of [false, true]) {
        expectRefused(
          await client.ask(path, {method, body: large, chunked}),
          /^body: must be at most 65536 bytes$/,
          `${method} ${path}`,
          413,
        );
      }
    }
    const order = {...(await quoted()), note: ''};
    const note = 'x'.repeat(MAX_BODY_BYTES - JSON.stringify(order).length);
    expect((await post({...order, note})).status).to.equal(200);
    expect((await client.ask('/v2/orders', {method: 'POST', body: {...order, note}, chunked: true})).status).to.equal(
      200,
    );
    expect((await post({...order, note: `${note}x`})).status).to.equal(413);
  });

  it('can disconnect in the middle of a body without an error', async () => {
    const complaints: unknown[] = [];
    const {error} = console;
    console.error = (...complaint) => complaints.push(complaint);
    try {
      for (const headers of [{'content-length': 100}, {'transfer-encoding': 'chunked'}]) {
        const asked = request(`${sandbox.url}/v2/orders`, {
          method: 'POST',
          headers: {...headers, 'content-type': 'application/json'},
        });
        asked.write('{"source":');
        // Its beginning was received once another request was answered.
        await new Promise(resolve => asked.once('socket', socket => socket.once('connect', resolve)));
        await client.info();
        asked.on('error', () => {}).destroy();
        await client.info();
      }
      await client.info();
    } finally {
      console.error = error;
    }
    expect(complaints).to.deep.equal([]);
  });

  it('gets an error for a body that is not an object, however deeply nested', async () => {
    for (const body of ['null', '0', '"x"', '[]', '[[]]', `${'['.repeat(30_000)}${']'.repeat(30_000)}`]) {
      expectRefused(await post(body), /^(body|source): /, body.slice(0, 20));
    }
    for (const body of ['', '{', '['.repeat(60_000), '\u0000']) {
      expectRefused(await post(body), /^body: must be JSON$/, body.slice(0, 20));
    }
  });

  it('has no effect with unknown fields, or with names on Object.prototype', async () => {
    const order = JSON.stringify(await quoted());
    const extra =
      '"__proto__":{"affiliate_fees":[{"fee":1}],"solver_id":"x"},"constructor":{"prototype":{"source":1}},"toString":1,"order_id":"mine","secret":"00","timelock":1,"version":"v9","integrator":"me"';
    const {status, body} = await post(`{${extra},${order.slice(1)}`);
    expect(status).to.equal(200);
    const {order_id} = body['result'] as {order_id: string};
    const read = await client.read(order_id);
    expect(read['affiliate_fees']).to.deep.equal([]);
    expect([read['version'], read['integrator']]).to.deep.equal(['v1', 'sandbox']);
    expect([read.source_swap['timelock'], read.source_swap['secret']]).to.deep.equal([300, '']);
    expectRefused(await post('{"__proto__":{"source":{},"destination":{}}}'), /^source: is missing$/, 'inherited');
  });

  it('gets an error for values that are not text', async () => {
    const order = await quoted();
    const {source} = order;
    const {amount} = source;
    const wrong: unknown[] = [Number(amount), [amount], {amount}, null, true, ` ${amount}`, `0${amount}`, `+${amount}`];
    wrong.push(`${amount}.0`, '6e6', '0x5b8d80', '-1', '', '９', '9'.repeat(79), `${amount}\n`);
    for (const value of wrong) {
      const answer = await post({...order, source: {...source, amount: value}});
      expectRefused(answer, /^source\.amount: must be /, `amount ${JSON.stringify(value)}`);
    }
    for (const value of [1, [], {}, null, true, '']) {
      const said = JSON.stringify(value);
      expectRefused(await post({...order, source: {...source, owner: value}}), /^source\.owner: /, `owner ${said}`);
      expectRefused(await post({...order, source: {...source, asset: value}}), /^source\.asset: /, `asset ${said}`);
      expectRefused(await post({...order, source: value}), /^source/, `source ${said}`);
      expectRefused(await post({...order, solver_id: value}), /^solver_id: /, `solver ${said}`);
    }
    for (const asset of ['constructor', '__proto__', 'base_sepolia:__proto__', 'hasOwnProperty', `${WBTC} `]) {
      expectRefused(await post({...order, source: {...source, asset}}), /^source\.asset: Asset .* not found$/, asset);
    }
  });

  it('gets the last of two fields with the same name, consistently', async () => {
    const {source, destination} = await quoted();
    const two = `{"asset":"${WBTC}","owner":"${recipient}","amount":"1","owner":"${owner}","amount":"${source.amount}"}`;
    const {status, body} = await post(`{"source":${two},"destination":${JSON.stringify(destination)}}`);
    expect(status).to.equal(200);
    const {source_swap} = await client.read((body['result'] as {order_id: string}).order_id);
    expect([source_swap['initiator'], source_swap.amount]).to.deep.equal([owner, source.amount]);
  });

  it('finds no order by names on Object.prototype or other invalid ids', async () => {
    for (const id of ['__proto__', 'constructor', 'toString', '%00', '%E0%A4%A', 'x'.repeat(8_000), '..%2f..', '*']) {
      expectRefused(await client.ask(`/v2/orders/${id}`), /order not found$/, id.slice(0, 20), 404);
    }
    expectRefused(
      await client.ask(`/v2/orders/${'0'.repeat(64)}`, {method: 'POST'}),
      /no such endpoint$/,
      'another method',
      404,
    );
  });

  it('initiates nothing with an invalid signature', async () => {
    const person = await Person.with(client, WBTC, AMOUNT);
    const {order_id, typed_data} = await placeOrder(client, person, {amount: AMOUNT});
    await person.approve(WBTC, AMOUNT);
    const good = await person.sign(typed_data);
    const bad: unknown[] = [
      ...[0, 1, true, [], {}, 'x', '0x', good.slice(4), `${good}0`, `0x${'ff'.repeat(20_000)}`],
      ...[[[good]], [good, good], [null, null, null], Array.from({length: 5_000}, () => '1')],
      ...[
        {r: {}, s: [], v: {}},
        {r: '9'.repeat(20_000), s: '1', v: 27},
        {r: '0x1', s: '0x1', v: 99},
      ],
      {['__proto__']: {r: good}, r: -1, s: 1.5, v: 'x'},
    ];
    for (const signature of bad) {
      const answer = await client.initiate(order_id, signature);
      expectRefused(answer, /^signature: /, JSON.stringify(signature).slice(0, 60));
    }
    expect((await client.read(order_id)).source_swap.initiate_tx_hash).to.equal('');
    expect((await client.initiate(order_id, good)).status).to.equal(200);
  });
});
