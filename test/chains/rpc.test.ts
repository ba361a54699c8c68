/** A chain's RPCs: one request, which is used first, and whether it is that chain's. */
import {askInTurn, askNode, openChain, rest, rpcsOf, withoutFirst} from '../../src/chains/rpc.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Chain} from '../../src/domain/asset.js';
import {expect} from '../support/expect.js';

const CHAIN: Chain = {name: 'base', family: 'evm', title: 'Base', test: false, blockSeconds: 2};

let count = 0;
/** URLs that no other test uses: which of them rest is remembered. */
const newUrls = (...names: readonly string[]) => names.map(name => `https://${name}-${String((count += 1))}.example`);
const namesOf = (urls: readonly string[]) => urls.map(url => /\/(\w+)-/.exec(url)?.[1]).join(' ');
const withRpcs = ([rpc, ...otherRpcs]: readonly string[]) => ({...CHAIN, rpc: rpc!, otherRpcs});

const withCode = (code: number) => Object.assign(new Error(`code ${String(code)}`), {code});
const failureOf = (work: Promise<unknown>) =>
  work.then(
    value => expect.fail(`It succeeded: ${String(value)}`),
    (failure: unknown) => failure,
  );

describe('A request to a node', () => {
  const {fetch} = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  const respond = (body: unknown, status = 200) => {
    const sent: Parameters<typeof globalThis.fetch>[] = [];
    globalThis.fetch = (...given) => {
      sent.push(given);
      return Promise.resolve(Response.json(body, {status}));
    };
    return sent;
  };
  const ask = (signal?: AbortSignal, errorOf?: (error: unknown) => Error) =>
    askNode('https://node.example', 'eth_call', [{to: '0x1'}, 'latest'], {...TIMEOUTS, read: 20}, signal, errorOf);

  it('is JSON-RPC 2.0, sends no cookies, and ends with its signal', async () => {
    const sent = respond({result: '0x5'});
    const {signal} = new AbortController();
    expect(await ask(signal)).to.equal('0x5');
    const [[url, {body, ...init} = {}] = []] = sent;
    expect(url).to.equal('https://node.example');
    expect(JSON.parse(String(body))).to.deep.equal({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{to: '0x1'}, 'latest'],
    });
    expect(init).to.deep.equal({
      method: 'POST',
      headers: {'content-type': 'application/json'},
      credentials: 'omit',
      signal,
    });
  });

  it('fails with the node’s own error, whatever the status, and as its family reads it', async () => {
    for (const status of [200, 500]) {
      respond({error: {code: -32000, message: 'busy'}, result: '0x5'}, status);
      expect(await failureOf(ask())).to.deep.equal({code: -32000, message: 'busy'});
    }
    const read = await failureOf(ask(undefined, error => new Error('read', {cause: error})));
    expect(read).to.include({message: 'read'});
  });

  it('takes an empty error as none, and an empty result as one', async () => {
    respond({error: null, result: null});
    expect(await ask()).to.equal(null);
  });

  it('fails with the status where there is no error, though there is a result', async () => {
    respond({result: '0x5'}, 503);
    expect(await failureOf(ask())).to.include({message: 'eth_call: 503'});
  });

  it('is waited for only so long', async () => {
    globalThis.fetch = () => new Promise(() => undefined);
    expect(await failureOf(ask())).to.include({code: 'timeout'});
  });
});

describe('The RPCs of a chain', () => {
  const {now} = performance;
  let time = performance.now();
  beforeEach(() => {
    performance.now = () => time;
  });
  afterEach(() => {
    performance.now = now;
  });

  it('are none if none is named, and come in their order', () => {
    const {rpc, otherRpcs} = withRpcs(newUrls('a', 'b', 'c'));
    expect(rpcsOf(CHAIN)).to.deep.equal([]);
    expect(rpcsOf({otherRpcs})).to.deep.equal([]);
    expect(rpcsOf({rpc})).to.deep.equal([rpc]);
    expect(rpcsOf({rpc, otherRpcs})).to.deep.equal([rpc, ...otherRpcs]);
  });

  it('come last for a minute after a failure, for five if they lag behind', () => {
    for (const [why, minutes] of [
      ['failed', 1],
      ['behind', 5],
    ] as const) {
      const chain = withRpcs(newUrls('a', 'b', 'c'));
      rest(chain.rpc, why);
      expect(namesOf(rpcsOf(chain))).to.equal('b c a');
      time += minutes * 60_000 - 1;
      expect(namesOf(rpcsOf(chain))).to.equal('b c a');
      time += 1;
      expect(namesOf(rpcsOf(chain))).to.equal('a b c');
    }
  });

  it('are asked in turn until one answers; those that failed come last for a while', async () => {
    const urls = newUrls('a', 'b', 'c');
    const asked: string[] = [];
    const answer = await askInTurn(urls, url => {
      asked.push(url);
      return url === urls[0] ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('here');
    });
    expect(answer).to.equal('here');
    expect(namesOf(asked)).to.equal('a b');
    expect(namesOf(rpcsOf(withRpcs(urls)))).to.equal('b c a');
    const others = withoutFirst(withRpcs(urls));
    expect(others && namesOf(rpcsOf(others)), 'without the one in use').to.equal('c a');
    expect(withoutFirst(withRpcs(urls.slice(0, 1)))).to.equal(undefined);
  });

  it('keep the only one that is asked in its place, though it failed', async () => {
    const urls = newUrls('a', 'b');
    const failure = new TypeError('Failed to fetch');
    expect(await failureOf(askInTurn(urls.slice(0, 1), () => Promise.reject(failure)))).to.equal(failure);
    expect(namesOf(rpcsOf(withRpcs(urls)))).to.equal('a b');
  });

  const askAll = async (failures: readonly unknown[], signal?: AbortSignal) => {
    const urls = newUrls(...failures.map(() => 'a'));
    const failureAt = (url: string): Error => failures[urls.indexOf(url)] as Error;
    let asked = 0;
    const failure = await failureOf(
      askInTurn(
        urls,
        url => {
          asked += 1;
          return Promise.reject(failureAt(url));
        },
        signal,
      ),
    );
    return {asked, failure};
  };

  it('are asked no further once the chain itself has answered: a revert, or an unknown object', async () => {
    const verdicts = [1, 3, 40, 99].map(withCode);
    for (const verdict of [...verdicts, {error: withCode(3)}, new Error('execution Reverted'), 'VM reverted'])
      expect(await askAll([verdict, new Error('other')])).to.deep.equal({asked: 1, failure: verdict});
    for (const refusal of [0, 100, 429, -32000].map(withCode))
      expect(await askAll([refusal, new Error('other')])).to.deep.equal({asked: 2, failure: refusal});
    expect(await askAll([new Error('irreverted'), new Error('other')])).to.include({asked: 2});
  });

  it('are asked no further once nobody waits', async () => {
    const failure = new Error('first');
    expect(await askAll([failure, withCode(429)], AbortSignal.abort())).to.deep.equal({asked: 1, failure});
    const open = await askAll([failure, withCode(429)], new AbortController().signal);
    expect(open).to.include({asked: 2});
  });

  it('fail with the first error that a node sent, else with the first', async () => {
    const [silent, late, busy] = [new TypeError('Failed to fetch'), new Error('late'), withCode(429)];
    expect((await askAll([silent, busy, withCode(503)])).failure).to.equal(busy);
    expect((await askAll([silent, late])).failure).to.equal(silent);
  });
});

describe('A chain', () => {
  /** Opens a chain at nodes that are of these chains; an error: none responds there. */
  const open = (nodes: Readonly<Record<string, string | Error>>, signal?: AbortSignal) => {
    const urls = newUrls(...Object.keys(nodes));
    const asked: string[] = [];
    const ask = (url: string, method: string, params: unknown) => {
      const name = namesOf([url]);
      asked.push(`${name} ${method}${params ? ` ${String(params)}` : ''}`);
      const node = nodes[name]!;
      return node instanceof Error ? Promise.reject(node) : Promise.resolve(method === 'id' ? node : name);
    };
    const isIt = async (read: (method: string, params: unknown) => Promise<unknown>) => (await read('id', '')) === 'it';
    const opening = openChain(urls.length ? withRpcs(urls) : CHAIN, ask, isIt, signal);
    return {urls, asked, opening};
  };

  it('is open where an RPC of its own answers; each is confirmed once', async () => {
    const {opening, asked} = open({a: 'it', b: 'it'});
    const read = (await opening)!;
    expect(await read('get', 1)).to.equal('a');
    expect(await read('get', 2)).to.equal('a');
    expect(asked).to.deep.equal(['a id', 'a get 1', 'a get 2']);
  });

  it('is never read from an RPC of another chain', async () => {
    const {opening, asked, urls} = open({a: 'other', b: 'it'});
    const read = (await opening)!;
    expect(await read('get', 1)).to.equal('b');
    expect(asked).to.deep.equal(['a id', 'b id', 'b get 1']);
    expect(namesOf(rpcsOf(withRpcs(urls)))).to.equal('b a');
  });

  it('is not open without an RPC, or where all are of other chains', async () => {
    for (const nodes of [{}, {a: 'other'}, {a: 'other', b: 'other'}])
      expect(await open(nodes).opening).to.equal(undefined);
  });

  it('fails to open where none responds, though others are of other chains', async () => {
    const silent = new TypeError('Failed to fetch');
    for (const nodes of [{a: silent}, {a: 'other', b: silent}, {a: silent, b: 'other'}])
      expect(await failureOf(open(nodes).opening)).to.equal(silent);
  });

  it('is asked of no further RPC once nobody waits', async () => {
    const silent = new TypeError('Failed to fetch');
    const {opening, asked} = open({a: silent, b: 'it'}, AbortSignal.abort());
    expect(await failureOf(opening)).to.equal(silent);
    expect(asked).to.deep.equal(['a id']);

    const leave = new AbortController();
    const nodes: Record<string, string | Error> = {a: 'it', b: 'it'};
    const later = open(nodes, leave.signal);
    const read = (await later.opening)!;
    nodes['a'] = silent;
    leave.abort();
    expect(await failureOf(read('get', 1))).to.equal(silent);
    expect(later.asked).to.deep.equal(['a id', 'a get 1']);
  });
});
