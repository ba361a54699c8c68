/** Several RPCs for one chain: which one is used, and what two have to agree on. */
import {expect} from '../support/expect.js';
import type {Account, ChainAdapter, FundOptions, ReadDepositOptions} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {mismatch} from '../../src/chains/errors.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {withWitnesses} from '../../src/chains/witness.js';
import {hearSeveral} from '../../src/chains/witnesses.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {reportOf, type CheckResult, type Deal} from '../../src/domain/deposit.js';
import type {SwapError} from '../../src/domain/error.js';
import {Disagreement, type DepositOnChain, type PayoutOnChain} from '../../src/domain/evidence.js';
import {sampleDeal as bitcoinDeal} from '../support/bitcoin-deal.js';
import {connectLedger as connectEvm} from '../support/evm-account.js';
import {CONTRACT, ownDeal as evmDeal, TOKEN} from '../support/evm-deal.js';
import {LedgerWallet as EvmWallet} from '../support/evm-ledger.js';
import {faultOf, listen} from '../support/funding.js';
import {respond, type Answer} from '../support/json-rpc.js';
import {failed} from '../support/reports.js';
import {ownDeal as solanaDeal} from '../support/solana-deal.js';
import {LedgerWallet as SolanaWallet, SolanaLedger} from '../support/solana-ledger.js';
import {
  connectLedger as connectStarknet,
  CONTRACT as STARKNET_CONTRACT,
  ORDER_ID,
  sampleDeal as starknetDeal,
  TOKEN as STARKNET_TOKEN,
} from '../support/starknet-deal.js';
import {StarknetLedger} from '../support/starknet-ledger.js';

const timeouts = {...TIMEOUTS, read: 200, connect: 100, request: 100, receipt: 100, lag: 100, poll: 2};

/** Handles the requests to one URL. */
type Place = (path: string, init: RequestInit | undefined) => Promise<Response> | Response;

type State = 'unpaid' | 'held' | 'open' | 'back';

interface Family {
  readonly adapter: ChainAdapter;
  readonly deal: () => Deal;
  /** A node with this state, this many blocks after the payment. */
  readonly node: (state: State, blocks: number) => Promise<Place>;
  /** More blocks than a node of this chain may lag behind. */
  readonly hour: number;
  /** How many blocks a refund takes here. */
  readonly refundBlocks: number;
}

const jsonRpc =
  (answer: Answer): Place =>
  (_path, init) =>
    respond(init, answer);

const listener = () => listen().onWalletRequest;

/** A deal whose source chain is read at these URLs. */
function at<Of extends Deal>(deal: Of, [rpc, ...otherRpcs]: readonly string[]): Of {
  const own = structuredClone(deal);
  Object.assign(own.agreed.from.chain, {rpc, ...(otherRpcs.length && {otherRpcs})});
  return own;
}

async function walletOnEvm() {
  const wallet = new EvmWallet({chainId: 11155111, token: TOKEN, contract: CONTRACT, balance: 10n ** 8n});
  return {wallet, account: await connectEvm(evm, wallet)};
}

async function walletOnStarknet() {
  const options = {token: STARKNET_TOKEN, contract: STARKNET_CONTRACT, orderId: ORDER_ID, balance: 10n ** 8n};
  const ledger = new StarknetLedger(options);
  const close = ledger.serve();
  return {ledger, account: await connectStarknet(starknet, ledger), close};
}

async function walletOnSolana() {
  const ledger = new SolanaLedger();
  const close = ledger.serve();
  const deal = solanaDeal(ledger);
  const wallet = await solana.wallets.walletOf!(new SolanaWallet(ledger).standard);
  return {ledger, deal, account: await wallet.connect(), close};
}

const evm = createEvmAdapter(timeouts);
const solana = createSolanaAdapter(timeouts);
const starknet = createStarknetAdapter(timeouts);

const FAMILIES: Readonly<Record<ChainFamily, Family>> = {
  evm: {
    adapter: evm,
    deal: evmDeal,
    hour: 300,
    refundBlocks: 1,
    async node(state, blocks) {
      const {wallet, account} = await walletOnEvm();
      const onWalletRequest = listener();
      wallet.allowance = 10n ** 8n;
      if (state !== 'unpaid') await evm.fund(evmDeal(), account, {way: 'transaction', onWalletRequest});
      else wallet.block += 1n;
      wallet.isLate = state === 'open' || state === 'back';
      if (state === 'back') await evm.back.refund!(evmDeal(), account, {onWalletRequest});
      wallet.block += BigInt(blocks);
      return jsonRpc((method, params) => wallet.answer(method, params));
    },
  },
  starknet: {
    adapter: starknet,
    deal: starknetDeal,
    hour: 120,
    refundBlocks: 1,
    async node(state, blocks) {
      const {ledger, account, close} = await walletOnStarknet();
      const onWalletRequest = listener();
      if (state !== 'unpaid') await starknet.fund(starknetDeal(), account, {way: 'transaction', onWalletRequest});
      else ledger.block += 1n;
      ledger.isLate = state === 'open' || state === 'back';
      if (state === 'back') await starknet.back.refund!(starknetDeal(), account, {onWalletRequest});
      close();
      ledger.block += BigInt(blocks);
      return jsonRpc((method, params) => ledger.answerRpc(method, params));
    },
  },
  solana: {
    adapter: solana,
    deal: () => solanaDeal(new SolanaLedger()),
    hour: 9_000,
    refundBlocks: 0,
    async node(state, blocks) {
      const {ledger, deal, account, close} = await walletOnSolana();
      const onWalletRequest = listener();
      const slot = ledger.slot;
      if (state !== 'unpaid') await solana.fund(deal, account, {way: 'transaction', onWalletRequest});
      const late = slot + BigInt(deal.order.source.timelock) + 1n;
      if (state === 'back') {
        ledger.slot = late;
        await solana.back.refund!(deal, account, {onWalletRequest});
      }
      close();
      ledger.slot = (state === 'open' || state === 'back' ? late : slot) + BigInt(blocks);
      return jsonRpc((method, params) => ledger.answer(method, params));
    },
  },
  bitcoin: {
    adapter: createBitcoinAdapter(timeouts),
    deal: bitcoinDeal,
    hour: 6,
    refundBlocks: 0,
    node(state, blocks) {
      const {address, amount} = bitcoinDeal().deposit;
      const {owner} = bitcoinDeal().agreed;
      const out = (to: string) => ({scriptpubkey_address: to, value: Number(amount)});
      const inBlock = (height: number) => ({confirmed: true, block_height: height, block_time: 1_700_000_000});
      const payment = {txid: 'a'.repeat(64), vin: [], vout: [out(address)], status: inBlock(101)};
      const witness = ['51'.repeat(64), '029000b275', 'c0'];
      const back = {
        txid: 'b'.repeat(64),
        vin: [{prevout: out(address), witness}],
        vout: [out(owner)],
        status: inBlock(102),
      };
      const all = {unpaid: [], held: [payment], open: [payment], back: [back, payment]}[state];
      const mempool_stats = {funded_txo_sum: 0, spent_txo_sum: 0};
      return Promise.resolve(path => {
        if (path === '/blocks/tip/height') return new Response(String(102 + blocks));
        if (path === '/blocks') return Response.json([{height: 102 + blocks, timestamp: 1_700_000_000}]);
        if (path === `/address/${address}`) {
          const [funded_txo_sum, spent_txo_sum] = [all.length && Number(amount), state === 'back' ? Number(amount) : 0];
          return Response.json({chain_stats: {funded_txo_sum, spent_txo_sum}, mempool_stats});
        }
        if (path === `/address/${address}/txs`) return Response.json(all);
        return new Response('Not found', {status: 404});
      });
    },
  },
};

/** What a node says that denies the contract of a deal, by method: a result, or its own error. */
const DENIALS: Partial<Readonly<Record<string, Readonly<Record<string, object>>>>> = {
  evm: {eth_getCode: {result: '0x'}, eth_call: {error: {code: 3, message: 'execution reverted'}}},
  starknet: {
    starknet_getClassHashAt: {error: {code: 20, message: 'Contract not found'}},
    starknet_call: {error: {code: 40, message: 'Contract error', data: {revert_error: 'Entry point not found'}}},
  },
  solana: {getAccountInfo: {result: {context: {slot: 1}, value: null}}},
};

/** A node that says this instead, where it is asked for it. */
const saying =
  (instead: Readonly<Record<string, object>>, place: Place): Place =>
  (path, init) => {
    const {id, method} = JSON.parse(String(init?.body)) as {id: number; method: string};
    const said = instead[method];
    return said ? Response.json({jsonrpc: '2.0', id, ...said}) : place(path, init);
  };

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});
let worlds = 0;

/** Serves these at new URLs, and counts the requests to each. */
function serve(...places: readonly Place[]) {
  const world = String(++worlds);
  const urls = places.map((_, at) => `https://node-${String(at)}.world-${world}.test`);
  const asked = urls.map(() => 0);
  globalThis.fetch = async (input, init) => {
    const at = urls.findIndex(url => String(input).startsWith(url));
    asked[at]! += 1;
    init?.signal?.throwIfAborted();
    return places[at]!(String(input).slice(urls[at]!.length), init);
  };
  return {urls, asked};
}

const dead: Place = () => Promise.reject(new TypeError('Failed to fetch'));
const busy: Place = () => new Response('Too many requests', {status: 429});
const refusing: Place = () =>
  Response.json({jsonrpc: '2.0', id: 1, error: {code: -32005, message: 'limit exceeded'}}, {status: 429});
const barred: Place = () => new Response('<h1>Forbidden</h1>', {status: 403});

for (const [name, family] of Object.entries(FAMILIES)) {
  const open = (...places: readonly Place[]) => {
    const {urls, asked} = serve(...places);
    const deal = at(family.deal(), urls);
    return {
      deal,
      asked,
      read: (options: ReadDepositOptions = {}) => family.adapter.readDeposit(deal, options),
    };
  };
  /** A claimed end, so that one is looked for. */
  const ends = {evm: `0x${'1'.repeat(64)}`, starknet: '0x1', solana: '5'.repeat(87), bitcoin: 'b'.repeat(64)}[name]!;

  describe(`several RPCs for a chain: ${name}`, () => {
    it('only use the first while the swap has not ended', async () => {
      const {read, asked} = open(await family.node('held', 10), await family.node('held', 10));
      expect(await read({mustShow: true})).to.include({state: 'seen', isHeld: true});
      expect(asked[0]).to.be.above(0);
      expect(asked[1]).to.equal(0);
    });

    for (const [what, place] of [
      ['is dead', dead],
      ['answers 429', busy],
      ['rejects with a custom error', refusing],
      ['answers 403 with a page', barred],
    ] as const) {
      it(`continue with the next if the first ${what}, and stay there`, async () => {
        const {deal, read, asked} = open(place, await family.node('held', 10));
        expect(await read()).to.include({state: 'seen', isHeld: true});
        const before = asked[0];
        expect(before).to.equal(1);
        expect(await read()).to.include({state: 'seen', isHeld: true});
        const account = {family: deal.agreed.from.chain.family, address: deal.agreed.owner, wallet: {}, watch() {}};
        await family.adapter.means.balance(deal.agreed.from, account as never);
        expect(asked[0]).to.equal(before);
      });
    }

    it('do not report an absence from one that is an hour behind', async () => {
      const {read, asked} = open(await family.node('unpaid', 0), await family.node('held', family.hour));
      expect(await read({mustShow: true})).to.include({state: 'seen', isHeld: true});
      const before = asked[0];
      await read({mustShow: true});
      expect(asked[0], 'it rests').to.equal(before);
    });

    it('do not report an absence from two that are an hour behind, if a third is not', async () => {
      const late = await family.node('unpaid', 0);
      const {read} = open(late, await family.node('held', family.hour), late);
      expect(await read({mustShow: true})).to.include({state: 'seen', isHeld: true});
    });

    it('do not report an absence from only one', async () => {
      const {read} = open(await family.node('unpaid', 10), dead);
      expect(await faultOf(read({mustShow: true}))).not.to.be.instanceOf(Disagreement);
    });

    it('report an absence if two agree', async () => {
      const {read} = open(await family.node('unpaid', 10), await family.node('unpaid', 11));
      expect((await read({mustShow: true})).state).to.be.oneOf(['none', 'expired']);
    });

    it('report a contradiction of two on the second read, and believe two of three', async () => {
      const lying = await family.node('unpaid', 10);
      const honest = await family.node('held', 10);
      const two = open(lying, honest);
      expect(await faultOf(two.read({mustShow: true})), 'it may not have seen it yet').not.to.be.instanceOf(
        Disagreement,
      );
      expect(await faultOf(two.read({mustShow: true}))).to.be.instanceOf(Disagreement);
      const three = open(lying, honest, honest);
      expect(await three.read({mustShow: true})).to.include({state: 'seen', isHeld: true});
    });

    it('report an end only if two agree', async () => {
      const back = await family.node('back', 10);
      const held = await family.node('open', 10 + family.refundBlocks);
      const agreed = open(back, await family.node('back', 11));
      expect((await agreed.read({ends: [ends]})).end).to.include({how: 'refunded'});
      expect('refund' in family.adapter.back, 'by a contract, not the service').to.equal(name !== 'bitcoin');

      const alone = await open(back, dead).read({ends: [ends]});
      expect(alone).to.include({state: 'seen'});
      expect(alone).not.to.have.any.keys('end', 'isHeld', 'isRefundOpen');

      const lies = open(back, held);
      expect(await faultOf(lies.read({ends: [ends]}))).not.to.be.instanceOf(Disagreement);
      expect(await faultOf(lies.read({ends: [ends]}))).to.be.instanceOf(Disagreement);
    });

    if (family.adapter.back.refund) {
      it('report a refund as open only if two agree', async () => {
        const yes = await family.node('open', 10);
        expect((await open(yes, await family.node('open', 10)).read()).isRefundOpen).to.be.true;
        const alone = await open(yes, busy).read();
        expect(alone).to.include({state: 'seen', isHeld: true});
        expect(alone).not.to.have.property('isRefundOpen');
      });
    }

    const denials = DENIALS[name];
    if (denials) {
      const check = ({deal}: ReturnType<typeof open>) => family.adapter.check(deal, {});
      const nodes = async () => {
        const honest = await family.node('unpaid', 10);
        return {honest, lying: saying(denials, honest)};
      };

      it('fail a deal by what they show only if two agree, and accuse nobody before', async () => {
        const {honest, lying} = await nodes();
        expect(failed(await check(open(lying, lying)))).to.include('code');
        expect(failed(await check(open(honest, lying)))).not.to.include('code');
        expect(failed(await check(open(lying, honest, honest)))).not.to.include('code');
        expect(failed(await check(open(lying, honest, lying)))).to.include('code');
        for (const other of [honest, dead, busy]) {
          const {code, field} = (await faultOf(check(open(lying, other)))) as SwapError;
          expect({code, field}).to.deep.equal({code: 'unreadable', field: 'rpc'});
        }
      });

      it('fail a deal by the word of one if it is the only one, or if the deal is wrong anyway', async () => {
        const {honest, lying} = await nodes();
        expect(failed(await check(open(lying)))).to.include('code');
        expect(failed(await check(open(dead, dead)))).not.to.include('code');
        const wrong = open(lying, honest);
        (wrong.deal.agreed as {amount: bigint}).amount += 1n;
        expect(failed(await check(wrong))).to.include('amount');
      });
    }

    it('are not needed: a single one is believed', async () => {
      expect((await open(await family.node('unpaid', 0)).read({mustShow: true})).state).to.be.oneOf([
        'none',
        'expired',
      ]);
      expect((await open(await family.node('back', 10)).read({ends: [ends]})).end).to.include({how: 'refunded'});
      expect(await faultOf(open(busy).read())).to.be.an('error');
    });

    it('report the lowest height, and none if one may not be of the same chain', async () => {
      const heightOf = async (...blocks: readonly (number | Place)[]) => {
        const nodes = blocks.map(one => (typeof one === 'number' ? family.node('held', one) : Promise.resolve(one)));
        const {chain} = open(...(await Promise.all<Place>(nodes))).deal.agreed.from;
        return family.adapter.readHeight(chain, {});
      };
      const height = (await heightOf(0))!;
      expect(height).to.be.a('bigint');
      expect(await heightOf(1, 0)).to.equal(height);
      expect(await heightOf(1, 2, 1)).to.equal(height + 1n);
      for (const apart of [[0, family.hour], [family.hour, 0, 0], [0, dead], [dead, dead], [barred]])
        expect(await heightOf(...apart)).to.equal(undefined);
    });

    it('report the time of the newest block, and none unless all do', async () => {
      const timeOf = (...places: readonly Place[]) =>
        family.adapter.readTime(open(...places).deal.agreed.from.chain, {});
      const node = await family.node('held', 0);
      const time = await timeOf(node);
      expect(new Date(time!).getUTCFullYear()).to.be.within(2020, 2100);
      expect(await timeOf(node, node)).to.equal(time);
      for (const apart of [[node, dead], [dead, dead], [barred]]) expect(await timeOf(...apart)).to.equal(undefined);
    });
  });
}

describe('a payout read from several RPCs', () => {
  const asset = {...evmDeal().agreed.from};
  const PAID: PayoutOnChain = {amount: 5n, loose: 0n, earlier: 0n, hashes: ['0x1'], block: 90n, secret: 'ab'};
  const NOTHING: PayoutOnChain = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};

  /** An adapter whose RPCs return these payouts, at these heights. */
  function open(...told: readonly (readonly [PayoutOnChain | Error, number])[]) {
    const urls = told.map((_, at) => `https://payout-${String(at)}.${String(++worlds)}.test`);
    const of = (rpc: string | undefined) => told[urls.indexOf(rpc ?? '')]!;
    const inner = {
      back: {},
      readPayout({chain: {rpc}}: typeof asset) {
        const [answer] = of(rpc);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    } as unknown as ChainAdapter;
    const adapter = withWitnesses(
      inner,
      chain => chain,
      {readHeight: ({rpc}) => Promise.resolve(BigInt(of(rpc)[1])), readTime: () => Promise.resolve(0)},
      timeouts,
    );
    const [rpc, ...otherRpcs] = urls;
    const chain = {...asset.chain, rpc: rpc!, otherRpcs};
    return () => adapter.readPayout({...asset, chain}, `to ${urls.join()}`, ['0x1'], {});
  }

  it('is believed from two, with the block that both know', async () => {
    expect(await open([PAID, 100], [{...PAID, block: 91n}, 100])()).to.deep.equal({...PAID, block: 91n});
    const {block: _, ...loose} = PAID;
    expect(await open([PAID, 100], [loose, 100])()).to.deep.equal(loose);
  });

  it('is neither believed nor denied from one alone', async () => {
    for (const said of [PAID, NOTHING])
      expect(await faultOf(open([said, 100], [new Error('dead'), 0])())).to.be.an('error');
  });

  it('is not denied because of one that is an hour behind', async () => {
    const read = open([NOTHING, 100], [PAID, 400], [PAID, 400]);
    expect(await read()).to.deep.equal(PAID);
    const two = open([NOTHING, 100], [PAID, 400]);
    for (let look = 0; look < 3; look++) expect(await faultOf(two())).not.to.be.instanceOf(Disagreement);
  });

  it('is awaited from one that is a block behind, and then contradicted', async () => {
    const told: [PayoutOnChain, number][] = [
      [NOTHING, 99],
      [PAID, 100],
    ];
    const read = open(...told);
    for (let look = 0; look < 3; look++) expect(await faultOf(read())).not.to.be.instanceOf(Disagreement);
    told[0]![1] = 100;
    expect(await faultOf(read())).to.be.instanceOf(Disagreement);
    told[0]![0] = PAID;
    expect(await read()).to.deep.equal(PAID);
  });

  it('is awaited until the next block if it is unconfirmed', async () => {
    const {block: _, ...loose} = PAID;
    const told: [PayoutOnChain, number][] = [
      [NOTHING, 100],
      [loose, 100],
    ];
    const read = open(...told);
    for (let look = 0; look < 3; look++) expect(await faultOf(read())).not.to.be.instanceOf(Disagreement);
    told[0]![1] = told[1]![1] = 101;
    expect(await faultOf(read())).to.be.instanceOf(Disagreement);
  });
});

describe('a wallet is asked for nothing while two RPCs disagree', () => {
  const payWith = async (instead: Readonly<Record<string, object>>, second: (node: Place, lying: Place) => Place) => {
    const {ledger, deal, account, close} = await walletOnSolana();
    close();
    const node = jsonRpc((method, params) => ledger.answer(method, params));
    const lying = saying(instead, node);
    const {urls} = serve(lying, second(node, lying));
    const {updates, onWalletRequest} = listen();
    const fund = solana.fund(at(deal, urls), account, {way: 'transaction', onWalletRequest});
    const {code, field} = (await faultOf(fund)) as SwapError;
    expect(updates).to.deep.equal([]);
    return [code, field];
  };
  const reverts = {simulateTransaction: {result: {value: {err: {InstructionError: [0, {Custom: 6_000}]}, logs: []}}}};

  for (const [what, instead, agreed] of [
    ['whether the contract is there', DENIALS['solana']!, ['deposit-mismatch', 'code']],
    ['whether the payment would revert', reverts, ['funding-reverted', undefined]],
  ] as const) {
    it(what, async () => {
      expect(await payWith(instead, node => node)).to.deep.equal(['unreadable', 'rpc']);
      expect(await payWith(instead, () => dead)).to.deep.equal(['unreadable', 'rpc']);
      expect(await payWith(instead, (_, lying) => lying)).to.deep.equal(agreed);
    });
  }

  it('what a payment to an unknown contract costs: on EVM chains by the wallet and a node', async () => {
    const cost = (gas: string) => ({eth_estimateGas: {result: gas}});
    const silent = () => {
      throw new Error('no estimate');
    };
    for (const [node, wanted, mine] of [
      [saying(cost('0x1'), await FAMILIES.evm.node('unpaid', 10)), 'unreadable rpc', () => '0xffffff'],
      [saying(cost('0xffffff'), await FAMILIES.evm.node('unpaid', 10)), 'deposit-mismatch value', () => '0xffffff'],
      [saying(cost('0xffffff'), await FAMILIES.evm.node('unpaid', 10)), 'unreadable rpc', silent],
      [dead, 'unreadable rpc', () => '0xffffff'],
    ] as const) {
      const {wallet, account} = await walletOnEvm();
      const deal = at(evmDeal(), serve(node).urls);
      deal.agreed.from.contracts = [];
      deal.policy.unverified = 'ask';
      wallet.allowance = deal.agreed.amount;
      wallet.instead.set('eth_estimateGas', mine);
      const {onWalletRequest, updates} = listen();
      const options = {way: 'transaction', onWalletRequest, confirm: () => Promise.resolve()} as const;
      const {code, field} = (await faultOf(evm.fund(deal, account, options))) as SwapError;
      expect(`${code} ${String(field)}`).to.equal(wanted);
      expect(updates).to.deep.equal([]);
    }
  });

  it('whether the contract is there: on EVM chains the wallet alone is not believed either', async () => {
    const {wallet, account} = await walletOnEvm();
    const honest = await FAMILIES.evm.node('unpaid', 10);
    const deal = at(evmDeal(), serve(honest, honest).urls);
    wallet.hasCode = false;
    const {onWalletRequest, updates} = listen();
    for (const ask of [
      () => evm.fund(deal, account, {way: 'transaction', onWalletRequest}),
      () => evm.back.refund!(deal, account, {onWalletRequest}),
    ]) {
      const {code, field} = (await faultOf(ask())) as SwapError;
      expect([code, field]).to.deep.equal(['unreadable', 'rpc']);
    }
    expect(updates).to.deep.equal([]);
  });
});

describe('a permission', () => {
  for (const [name, open, call, none] of [
    ['evm', openEvm, 'eth_call', `0x${'0'.repeat(64)}`],
    ['starknet', openStarknet, 'starknet_call', ['0x0', '0x0']],
  ] as const)
    it(`is taken back by the word of two: ${name}`, async () => {
      for (const [places, isSent, wanted] of [
        [(honest: Place) => [honest, honest], true, 'sent'],
        [(_: Place, lying: Place) => [lying, lying], false, 'nothing'],
        [(honest: Place, lying: Place) => [lying, honest], true, 'sent'],
        [(honest: Place, lying: Place) => [lying, honest], false, 'approval-failed'],
        [() => [dead, dead], true, 'approval-failed'],
      ] as const) {
        const {adapter, ledger, account, deal: agreed, node} = await open();
        ledger.allowance = 10n ** 8n;
        const told = saying({[call]: {result: none}}, node);
        if (wanted === 'nothing') ledger.allowance = 0n;
        if (!isSent) ledger.when('send', () => `0x0${'1'.repeat(63)}`);
        const deal = at(agreed, serve(...places(node, told)).urls);
        const revoking = adapter.back.revoke!(deal, account, {onWalletRequest: listener()});
        const outcome = await revoking.then(
          hash => (hash ? 'sent' : 'nothing'),
          (error: unknown) => (error as SwapError).code,
        );
        expect(outcome).to.equal(wanted);
      }
    });

  async function openEvm() {
    const {wallet: ledger, account} = await walletOnEvm();
    const node = jsonRpc((method, params) => ledger.answer(method, params));
    return {adapter: evm, ledger, account, deal: evmDeal() as Deal, node};
  }

  async function openStarknet() {
    const {ledger, account} = await walletOnStarknet();
    const node = jsonRpc((method, params) => ledger.answerRpc(method, params));
    return {adapter: starknet, ledger, account, deal: starknetDeal() as Deal, node};
  }
});

const AT = ['https://first.test', 'https://second.test'];

describe('a payment that only its token shows to have left', () => {
  it('is believed of one node, as it only keeps the payer from paying again', async () => {
    const GONE = {state: 'unknown', isTaken: true} as const;
    const heard = (...answers: readonly DepositOnChain[]) => {
      const readDeposit = ({agreed}: Deal) => Promise.resolve(answers[AT.indexOf(agreed.from.chain.rpc ?? '')]!);
      const several = hearSeveral({...evm, readDeposit, readHeight: () => Promise.resolve(1n)}, 100);
      return several.readDeposit(at(evmDeal(), AT), {mustShow: true});
    };
    expect(await heard(GONE, {state: 'none'})).to.deep.equal(GONE);
    expect(await heard({state: 'unknown'}, GONE)).to.deep.equal(GONE);
    expect(await heard({state: 'none'}, {state: 'none'})).to.deep.equal({state: 'none'});
    expect(await heard({state: 'unknown'}, {state: 'unknown'})).to.deep.equal({state: 'unknown'});
    const notYet = {state: 'unknown', isTaken: false} as const;
    expect(await heard(notYet, {state: 'unknown'})).to.deep.equal(notYet);
    expect(await heard({...notYet, spent: ['0x1']}, {state: 'unknown'}), 'by one word').to.deep.equal(notYet);
  });
});

describe('a Solana payment whose blockhash no node knows any more, and several RPCs', () => {
  it('accuses nobody by the word of one of them', async () => {
    const late = saying({isBlockhashValid: {result: {value: false}}}, await FAMILIES.solana.node('unpaid', 10));
    const lying = saying(DENIALS['solana']!, late);
    const heard = (...places: readonly Place[]) =>
      solana.check(at(FAMILIES.solana.deal(), serve(...places).urls), {}).then(failed, ({code}: SwapError) => code);
    expect(await heard(lying, late)).to.equal('unreadable');
    expect(await heard(late, lying)).to.deep.equal([]);
    expect(await heard(lying, lying)).to.deep.equal(['code']);
  });
});

describe('a check that fails by reading a chain', () => {
  /** What comes of a deal if two nodes show this of it: the failed checks, or the code of the error. */
  const heard = async (...results: readonly CheckResult[][]) => {
    const checkAt = ({agreed, policy}: Deal) =>
      Promise.resolve(reportOf(results[AT.indexOf(agreed.from.chain.rpc ?? '')] ?? [], policy));
    const several = hearSeveral({...evm, check: checkAt, readHeight: () => Promise.resolve(1n)}, 100);
    const deal = at(evmDeal(), AT.slice(0, results.length));
    return several.check(deal, {}).then(failed, ({code, field}: SwapError) => `${code} ${String(field)}`);
  };
  const read = {isRead: true} as const;
  const FAILED: readonly CheckResult[] = [
    {name: 'contract', outcome: 'failed', allowed: {token: TOKEN, symbol: 'USDC'}, ...read},
    {name: 'chain', outcome: 'failed', ...read},
    {name: 'call', outcome: 'failed', ...read},
  ];

  it('accuses nobody by the word of one node, whatever it read, and stops by that of two', async () => {
    for (const result of FAILED) {
      const {name} = result;
      expect(await heard([result], [{name, outcome: 'passed'}]), name).to.equal('unreadable rpc');
      expect(await heard([{name, outcome: 'passed'}], [result]), 'one is enough to pass').to.deep.equal([]);
      expect(await heard([result], [result]), name).to.deep.equal([name]);
      expect(await heard([result], [{name, outcome: 'unchecked', isRead: false}]), name).to.equal('unreadable rpc');
    }
  });

  it('ends a payment by the word of two alone, even where both fall silent meanwhile', async () => {
    const silent = {name: 'chain', outcome: 'failed', isRead: false} as const;
    const ends = async (first: CheckResult, then: CheckResult) => {
      const fund = () => Promise.reject(mismatch('chain', reportOf([first])));
      const check = () => Promise.resolve(reportOf([then]));
      const several = hearSeveral({...evm, fund, check, readHeight: () => Promise.resolve(1n)}, 100);
      return ((await faultOf(several.fund(at(evmDeal(), AT), {} as Account, {} as FundOptions))) as SwapError).code;
    };
    const wrong = {...silent, isRead: true};
    expect(await ends(wrong, silent)).to.equal('unreadable');
    expect(await ends(wrong, wrong)).to.equal('deposit-mismatch');
    expect(await ends(silent, silent), 'nothing unread is paid').to.equal('deposit-mismatch');
    expect(await ends(silent, {name: 'chain', outcome: 'passed'})).to.equal('unreadable');
  });

  it('is asked of the next node where one did not answer', async () => {
    const unread = {name: 'code', outcome: 'unchecked', isRead: false} as const;
    const wrong = {name: 'code', outcome: 'failed', ...read} as const;
    expect(await heard([unread], [wrong])).to.equal('unreadable rpc');
    expect(await heard([{name: 'code', outcome: 'unchecked'}], [wrong])).to.deep.equal([]);
    expect(await heard([unread], [unread])).to.deep.equal([]);
  });
});
