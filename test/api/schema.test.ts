import {expect} from '../support/expect.js';
import {errorOf} from '../support/funding.js';
import {createSwapApi} from '../../src/api/settings.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {EvmPayload, EvmTransaction} from '../../src/domain/deposit.js';
import {isOrderId} from '../../src/domain/order.js';
import {scriptedFetch} from '../support/fetch.js';
import {samples} from '../support/samples.js';
import {anAgreement, aRequest, NOON, ORDER_ID, PAYER, SOLVER, WBTC} from '../support/swap.js';

type Path = readonly (string | number)[];
type Json = Record<string, unknown>;

const answering = (result: unknown) =>
  createSwapApi({
    baseUrl: 'https://service.test',
    fetch: scriptedFetch({body: {status: 'Ok', result}}).fetch,
  });

const agreedOn = (family: ChainFamily) => anAgreement({from: {...WBTC, chain: {...WBTC.chain, family}}});

/** Longer than anything in a response, and a number that JSON would round. */
const long = 'a'.repeat(200_000);
const past = (longest: number) => 'a'.repeat(longest + 1);
const ABOVE = 2 ** 53;

const readQuote = (result: unknown) => answering(result).quote(aRequest());
const place = (result: unknown, family: ChainFamily = 'evm') => answering(result).createOrder(agreedOn(family));
const readOrder = (result: unknown) => {
  const id = String((result as Json | null)?.['order_id'] ?? '');
  return answering(result).readOrder(isOrderId(id) ? id : ORDER_ID);
};

function changed(sample: unknown, path: Path, value?: unknown): unknown {
  const copy: unknown = structuredClone(sample);
  const parent = path.slice(0, -1).reduce((at, key) => at[key] as Json, copy as Json);
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

describe('a quote on the wire', () => {
  const published: readonly [family: ChainFamily, source: [string, bigint, string, string], received: bigint][] = [
    ['bitcoin', ['bitcoin_testnet:btc', 50_000n, '0.00050000', '58.8200'], 49_850n],
    ['evm', ['ethereum_sepolia:wbtc', 50_000n, '0.00050000', '58.8700'], 49_850n],
    ['solana', ['solana_testnet:sol', 354_608_265n, '0.35460826', '57.1238'], 48_515n],
    ['starknet', ['starknet_sepolia:wbtc', 50_000n, '0.00050000', '58.8800'], 49_850n],
  ];
  for (const [family, [asset, amount, display, value], received] of published) {
    it(`is read as published for ${family}`, async () => {
      const [quote, ...others] = await readQuote(samples[family].quote.result);
      expect(others).to.deep.equal([]);
      expect(quote?.source).to.deep.equal({asset, amount, display, value});
      expect(quote?.destination.amount).to.equal(received);
      expect(quote?.solverId).to.equal('0x9dd9c2d208b07bf9a4ef9ca311f36d7185749635');
    });
  }

  const sample = samples.evm.quote.result;

  it('may have unknown fields, amounts as numbers, and no solver or value', async () => {
    const wire = [
      {
        source: {asset: 'a:b', amount: 7, display: '0.7', value: 1.5, extra: {}},
        destination: {asset: 'c:d', amount: '6', display: '6'},
        slippage: 30,
      },
    ];
    expect(await readQuote(wire)).to.deep.equal([
      {
        source: {asset: 'a:b', amount: 7n, display: '0.7', value: '1.5'},
        destination: {asset: 'c:d', amount: 6n, display: '6', value: ''},
        solverId: '',
      },
    ]);
  });

  it('may have an estimated time, which is ignored if unreadable', async () => {
    const [quote] = samples.evm.quote.result as readonly Json[];
    const estimateOf = async (estimated_time: unknown) => (await readQuote([{...quote, estimated_time}]))[0];
    expect((await estimateOf(1_200))?.estimatedSeconds).to.equal(1_200);
    expect((await estimateOf('90.5'))?.estimatedSeconds).to.equal(90.5);
    for (const odd of [undefined, null, 0, -5, NaN, 'soon', '', {}, 1e9, [60]]) {
      expect(await estimateOf(odd), String(odd)).not.to.have.property('estimatedSeconds');
    }
  });

  it('is read without an unreadable offer, as long as there is another', async () => {
    const [offer] = sample as readonly unknown[];
    const broken = changed(offer, ['destination', 'amount'], '1e3');
    const readable = await readQuote([offer]);
    expect(await readQuote([broken, offer, null])).to.deep.equal(readable);
    expect((await errorOf(readQuote([broken, null]))).code).to.equal('unreadable');
  });

  for (const result of [undefined, null, {}, 'x', 7]) {
    it(`cannot be ${JSON.stringify(result) || 'nothing'}`, async () => {
      const {code, field} = await errorOf(readQuote(result));
      expect({code, field}).to.deep.equal({code: 'unreadable', field: 'result'});
    });
  }
});

describe('the list of assets on the wire', () => {
  const limits = async (result: unknown) => (await answering(result).readOffered?.())?.limits;

  it('has the minimum and maximum of each readable asset', async () => {
    const entry = (id: unknown, min_amount: unknown, max_amount: unknown) => ({id, min_amount, max_amount, icon: ''});
    const list = [
      entry('base_sepolia:WBTC', '50000', 1_000_000),
      entry('base_sepolia:usdc', '20', '10'),
      entry('base_sepolia:eth', '0', '0'),
      entry('base_sepolia:cbbtc', '7', '7'),
      entry('base_sepolia:ibtc', '0.5', '1'),
      entry('somewhere', '1', '2'),
      entry('base:usdc', '0', '9'),
      null,
      'x',
    ];
    expect(await limits(list)).to.deep.equal({
      'base_sepolia:wbtc': {min: 50_000n, max: 1_000_000n},
      'base_sepolia:cbbtc': {min: 7n, max: 7n},
      'base:usdc': {min: 0n, max: 9n},
    });
    expect(await limits([])).to.deep.equal({});
    expect((await errorOf(limits({assets: []}))).code).to.equal('unreadable');
  });
});

describe('a new order on the wire', () => {
  it('is read as published for bitcoin: an address to pay to', async () => {
    expect(await place(samples.bitcoin.order.result, 'bitcoin')).to.deep.equal({
      orderId: 'f8a12d1320fce93c5888b6014abeb5f5de85ecc8c0eef8133f3da03822592121',
      deposit: {
        how: 'transfer',
        address: 'tb1ptt49v22dcst7mquwfsmcu2t56xjg07whtcgufvhjuj5zu89y6q0qn8fvfp',
        amount: 50_000n,
      },
    });
  });

  it('is read as published for evm: a transaction, and typed data unchanged', async () => {
    const {orderId, deposit} = await place(samples.evm.order.result);
    const wire = samples.evm.order.result as {transaction: {data: string}; typed_data: unknown};
    expect(orderId).to.equal(ORDER_ID);
    expect(deposit).to.deep.equal({
      how: 'wallet',
      ways: ['signature', 'transaction'],
      payload: {
        family: 'evm',
        transaction: {
          to: '0x88e1032252c712681a3659986f452e910d2134d8',
          value: 0n,
          data: wire.transaction.data,
          gasLimit: 300_000n,
          chainId: 11155111,
        },
        typedData: wire.typed_data,
      },
    });
  });

  it('is read as published for solana: a transaction as text', async () => {
    const {deposit} = await place(samples.solana.order.result, 'solana');
    const {versioned_tx} = samples.solana.order.result as {versioned_tx: string};
    expect(deposit).to.deep.equal({
      how: 'wallet',
      ways: ['transaction'],
      payload: {family: 'solana', transaction: versioned_tx},
    });
  });

  it('is read as published for starknet: a call, and typed data unchanged', async () => {
    const {deposit} = await place(samples.starknet.order.result, 'starknet');
    const wire = samples.starknet.order.result as {transaction: Json; typed_data: unknown};
    const {to, selector, calldata} = wire.transaction;
    expect(deposit).to.deep.equal({
      how: 'wallet',
      ways: ['signature', 'transaction'],
      payload: {family: 'starknet', call: {to, selector, calldata}, typedData: wire.typed_data},
    });
  });

  const evm = samples.evm.order.result as Json;
  const starknet = samples.starknet.order.result as Json;

  for (const [family, sample] of [
    ['evm', evm],
    ['starknet', starknet],
  ] as const) {
    it(`of a later generation is read for ${family}: another field name, no typed data`, async () => {
      const {transaction, typed_data: _left, ...rest} = sample;
      const later = {...rest, initiate_transaction: transaction, approval_transaction: null, typed_data: null};
      const before = (await place(sample, family)).deposit;
      const {deposit} = await place(later, family);
      if (deposit.how !== 'wallet' || before.how !== 'wallet') return expect.fail(deposit.how);
      expect(deposit.ways).to.deep.equal(['transaction']);
      const {typedData: _none, ...payload} = before.payload as EvmPayload;
      expect(deposit.payload).to.deep.equal(payload);
    });
  }

  it('keeps a prepared approval', async () => {
    const {deposit} = await place({...evm, approval_transaction: evm['transaction']});
    const {payload} = deposit as {payload: EvmPayload};
    expect(payload.approval).to.deep.equal(payload.transaction);
  });

  const transactionWith = async (fields: Json) => {
    const {deposit} = await place({...evm, transaction: {...(evm['transaction'] as Json), ...fields}});
    return (deposit as {payload: EvmPayload}).payload.transaction;
  };

  const spelled: readonly [what: string, fields: Json, read: Partial<EvmTransaction>][] = [
    ['a value as a number', {value: 12}, {value: 12n}],
    ['0x for no value', {value: '0x'}, {value: 0n}],
    ['0 for no value', {value: '0'}, {value: 0n}],
    ['empty text for no value', {value: ''}, {value: 0n}],
    ['null for no value', {value: null}, {value: 0n}],
    ['no value', {value: undefined}, {value: 0n}],
    ['a gas limit as a number', {gas_limit: 300_000}, {gasLimit: 300_000n}],
    ['a gas limit in decimal digits', {gas_limit: '300000'}, {gasLimit: 300_000n}],
    ['null for a gas limit', {gas_limit: null}, {gasLimit: 0n}],
    ['words for a gas limit', {gas_limit: 'much'}, {gasLimit: 0n}],
    ['no gas limit', {gas_limit: undefined}, {gasLimit: 0n}],
    ['a chain id in decimal digits', {chain_id: '84532'}, {chainId: 84_532}],
    ['a chain id in hex', {chain_id: '0x14a34'}, {chainId: 84_532}],
  ];
  for (const [what, fields, read] of spelled) {
    it(`may have ${what}`, async () => {
      expect(await transactionWith(fields)).to.include(read);
    });
  }

  const without: readonly [family: 'evm' | 'starknet', name: string, value: unknown][] = (
    ['evm', 'starknet'] as const
  ).flatMap(family => [
    [family, 'initiate_transaction', null] as const,
    [family, 'initiate_transaction', {hash: '0x1'}] as const,
    [family, 'approval_transaction', {spender: '0x1'}] as const,
    [family, 'approval_transaction', 'none'] as const,
    [family, 'deadline', 'soon'] as const,
  ]);
  for (const [family, name, value] of without) {
    it(`is the same on ${family} beside ${name} ${JSON.stringify(value)}`, async () => {
      const sample = family === 'evm' ? evm : starknet;
      expect(await place({...sample, [name]: value}, family)).to.deep.equal(await place(sample, family));
    });
  }

  for (const [family, sample] of [
    ['evm', evm],
    ['starknet', starknet],
  ] as const) {
    it(`is read on ${family} if the unused field name holds null, or nothing readable`, async () => {
      const {transaction, ...rest} = sample;
      const expected = await place(sample, family);
      for (const unused of [null, '', {hash: '0x1'}]) {
        expect(await place({...rest, initiate_transaction: transaction, transaction: unused}, family)).to.deep.equal(
          expected,
        );
      }
    });

    const data = sample['typed_data'] as Json;
    for (const [what, typed_data] of [
      ['null', null],
      ['text', 'x'],
      ['empty', {}],
      ['without a domain', {...data, domain: undefined}],
      ['with null for its message', {...data, message: null}],
      ['with a number for its primary type', {...data, primaryType: 7}],
      ['with a type that is text', {...data, types: {...(data['types'] as Json), Initiate: 'x'}}],
      ['with a field without a type', {...data, types: {Initiate: [{name: 'redeemer'}]}}],
    ] as const) {
      it(`is only payable by transaction on ${family} if the typed data is ${what}`, async () => {
        const {deposit} = await place({...sample, typed_data}, family);
        if (deposit.how !== 'wallet') return expect.fail(deposit.how);
        expect(deposit.ways).to.deep.equal(['transaction']);
        expect(deposit.payload).not.to.have.property('typedData');
      });
    }
  }

  it('for another chain family is not accepted', async () => {
    const {code, field} = await errorOf(place(samples.solana.order.result, 'evm'));
    expect({code, field}).to.deep.equal({code: 'unreadable', field: 'transaction'});
  });
});

describe('an order on the wire', () => {
  it('is read as published for bitcoin: complete, with block and hashes', async () => {
    const order = await readOrder(samples.bitcoin.status.result);
    expect(order.createdAt).to.equal(Date.UTC(2025, 6, 9, 4, 38, 18, 632));
    expect(order.source.initiated).to.deep.equal({
      hashes: ['66e11d4099b9351f2b4981b921c2822af5665406968a4896d5b7a2083d56183a'],
      block: 90_249n,
    });
    expect(order.source.redeemed?.block).to.equal(90_259n);
    expect(order.source.refunded).to.equal(undefined);
    expect(order.source).to.deep.include({
      delegate: '8f716d079bd4a6cb5c47a24cd22c352ffb50089e4461043cfe3b1f0f9082eec8',
      timelock: 144,
      amount: 500_000n,
      filled: 500_000n,
      confirmations: {current: 1, required: 1},
    });
    expect(order.destination.redeemed?.hashes[0]).to.match(/^0x[0-9a-f]{64}$/);
    expect(order.source).to.include({createdAt: order.createdAt, assetPrice: 108_468});
    expect(order.source.instantRefundTx).to.match(/^0200000000010[0-9a-f]+$/);
    expect(order.destination).not.to.have.property('instantRefundTx');
    expect(order.source.secret).to.match(/^[0-9a-f]{64}$/);
    expect(order.source.secret).to.equal(order.destination.secret);
  });

  it('is read as published for evm: nothing paid yet', async () => {
    const order = await readOrder(samples.evm.status.result);
    const unpaid = {
      createdAt: Date.UTC(2025, 6, 11, 14, 48, 19, 354),
      assetPrice: 118_000,
      secretHash: '61d22856ce12bc3693df0cd4967d404400449f61810080c52638fd805b379723',
      secret: '',
      filled: 0n,
    };
    expect(order).to.deep.equal({
      id: ORDER_ID,
      createdAt: Date.UTC(2025, 6, 11, 14, 48, 19, 354),
      source: {
        swapId: '30facc712b6eaa7a2453dba968da223d180322f224285db2820a8cdd7125147a',
        chain: 'ethereum_sepolia',
        asset: 'ethereum_sepolia:wbtc',
        initiator: PAYER,
        redeemer: SOLVER,
        timelock: 7_200,
        amount: 50_000n,
        confirmations: {current: 0, required: 1},
        ...unpaid,
      },
      destination: {
        swapId: 'tb1p57lque52sgj9juntnwz7s0sgpapwmh0tzck3n9lz0sw2h3nnfx4qk924vj',
        chain: 'bitcoin_testnet',
        asset: 'bitcoin_testnet:btc',
        initiator: '460f2e8ff81fc4e0a8e6ce7796704e3829e3e3eedb8db9390bdc51f4f04cf0a6',
        redeemer: 'tb1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3sjrh4gd',
        delegate: 'bc182774238a970984da3727d8acdc8c93c23f85167afd7d58db73ef9e81b9b0',
        timelock: 12,
        amount: 49_850n,
        confirmations: {current: 0, required: 0},
        ...unpaid,
      },
      nonce: '6010738665599915909',
      affiliateFees: [],
      integrator: 'test_integrator',
      version: 'v1',
    });
  });

  it('is read as published for solana: a nonce too large for a number', async () => {
    const order = await readOrder(samples.solana.status.result);
    expect(order.nonce).to.equal('18331192702570975643');
    expect(order.source.amount).to.equal(354_608_265n);
  });

  it('is read as published for starknet: an id without its leading zeros', async () => {
    const order = await readOrder(samples.starknet.status.result);
    expect(order.source.swapId).to.have.length(63);
    expect(order.source.timelock).to.equal(2_880);
  });

  const sample = samples.evm.status.result as Json;

  it('may have any version, unknown fields, and no optional ones', async () => {
    const {nonce: _n, integrator: _i, version: _v, affiliate_fees: _a, ...bare} = sample;
    const order = await readOrder({...bare, deadline: 5});
    expect(order).to.include({nonce: '', version: ''});
    expect(order).not.to.have.property('affiliateFees');
    expect(order).not.to.have.property('integrator');
    expect((await readOrder({...sample, version: 'v2'})).version).to.equal('v2');
  });

  const deadlines: readonly [what: string, value: unknown, read: number | undefined][] = [
    ['seconds since 1970', NOON / 1000, NOON],
    ['seconds as text', String(NOON / 1000), NOON],
    ['milliseconds', NOON, NOON],
    ['a time', '2026-11-21T14:00:00.000Z', NOON],
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    ['a duration', 3_600, undefined],
    ['a time before the order', '2020-01-01T00:00:00Z', undefined],
    ['words', 'soon', undefined],
    ['empty text', '', undefined],
    ['an object', {}, undefined],
    ['an impossible time', 1e300, undefined],
    ['more milliseconds than a date can have', 999_999_999_999_999, undefined],
  ];
  for (const [what, value, read] of deadlines) {
    it(`may have an undocumented deadline: ${what}`, async () => {
      expect((await readOrder({...sample, deadline: value})).deadline).to.equal(read);
    });
  }

  const fee = {asset: 'base:usdc', address: PAYER, fee: 10};
  const read = {asset: 'base:usdc', address: PAYER, bps: 10};
  const fees: readonly [what: string, value: unknown, read: unknown][] = [
    ['with their amounts', [{...fee, amount: '1234'}], [{...read, amount: 1_234n}]],
    ['with amounts as numbers', [{...fee, amount: 1_234}], [{...read, amount: 1_234n}]],
    ['without their amounts', [fee, {...fee, amount: null}, {...fee, amount: 'some'}], [read, read, read]],
    ['with the share in text', [{...fee, fee: '10'}], [read]],
    [
      'without the share',
      [{asset: 'base:usdc', address: PAYER, amount: '12'}],
      [{...read, bps: undefined, amount: 12n}],
    ],
    ['without the payee', [{asset: 'base:usdc', fee: 10, address: ''}], [{asset: 'base:usdc', bps: 10}]],
    ['as text', ['base:usdc:30', fee], [{}, read]],
    ['in an unknown format', [{}, null, 7, [], {asset: 7, fee: 1.5}], [{}, {}, {}, {}, {}]],
    ['none', [], []],
    ['null', null, undefined],
    ['as an object', {}, undefined],
    ['left out', undefined, undefined],
  ];
  for (const [what, value, expected] of fees) {
    it(`may have its affiliate fees ${what}`, async () => {
      const {affiliateFees} = await readOrder({...sample, affiliate_fees: value});
      expect(affiliateFees).to.deep.equal(
        (expected as readonly Json[] | undefined)?.map(entry =>
          Object.fromEntries(Object.entries(entry).filter(([, part]) => part !== undefined)),
        ),
      );
    });
  }

  const onSource = (fields: Json) =>
    readOrder({...sample, source_swap: {...(sample['source_swap'] as Json), ...fields}}).then(({source}) => source);

  const deeds: readonly [what: string, fields: Json, deed: unknown][] = [
    ['nothing', {initiate_tx_hash: ''}, undefined],
    ['null', {initiate_tx_hash: null}, undefined],
    ['blank text', {initiate_tx_hash: '  '}, undefined],
    ['an empty list', {initiate_tx_hash: ',:5,'}, undefined],
    ['only a block', {initiate_tx_hash: ':5', initiate_block_number: '5'}, undefined],
    ['only a prefix', {initiate_tx_hash: '0x'}, undefined],
    ['zeros for a hash', {initiate_tx_hash: `0x${'0'.repeat(64)}`}, undefined],
    ['a dash', {initiate_tx_hash: '-'}, undefined],
    ['a hash between blanks', {initiate_tx_hash: ' 0xaa : 5 '}, {hashes: ['0xaa']}],
    ['a hash', {initiate_tx_hash: '0xaa'}, {hashes: ['0xaa']}],
    ['a hash and null for its block', {initiate_tx_hash: '0xaa', initiate_block_number: null}, {hashes: ['0xaa']}],
    ['a hash in a block', {initiate_tx_hash: '0xaa', initiate_block_number: '7'}, {hashes: ['0xaa'], block: 7n}],
    ['a block as a number', {initiate_tx_hash: '0xaa', initiate_block_number: 7}, {hashes: ['0xaa'], block: 7n}],
    ['a hash with its block', {initiate_tx_hash: 'aa:90249'}, {hashes: ['aa'], block: 90_249n}],
    ['a hash with block 0', {initiate_tx_hash: 'aa:0'}, {hashes: ['aa']}],
    ['a hash with a malformed block', {initiate_tx_hash: 'aa:9x'}, {hashes: ['aa']}],
    ['both blocks', {initiate_tx_hash: 'aa:5', initiate_block_number: '7'}, {hashes: ['aa'], block: 7n}],
    ['several deposits', {initiate_tx_hash: 'aa:5, bb:6 ,cc:7'}, {hashes: ['aa', 'bb', 'cc'], block: 7n}],
    ['several deposits, the last one unconfirmed', {initiate_tx_hash: 'aa:5,bb'}, {hashes: ['aa', 'bb']}],
    ['a block without a hash', {initiate_block_number: '7'}, undefined],
    [
      'too many deposits: the first of them, and the block of the last',
      {initiate_tx_hash: Array.from({length: 300}, (_, at) => `a${String(at)}:${String(at + 1)}`).join()},
      {hashes: Array.from({length: 50}, (_, at) => `a${String(at)}`), block: 300n},
    ],
    ['a time', {initiate_tx_hash: 'aa', initiate_timestamp: '2026-11-21T14:00:00.000001Z'}, {hashes: ['aa'], at: NOON}],
  ];
  for (const [what, fields, deed] of deeds) {
    it(`has its payment from ${what}`, async () => {
      expect((await onSource(fields)).initiated).to.deep.equal(deed);
    });
  }

  it('distinguishes redeemed from refunded', async () => {
    const leg = await onSource({redeem_tx_hash: 'aa', redeem_block_number: '1', refund_tx_hash: 'bb:2'});
    expect(leg.redeemed).to.deep.equal({hashes: ['aa'], block: 1n});
    expect(leg.refunded).to.deep.equal({hashes: ['bb'], block: 2n});
    expect(leg.initiated).to.equal(undefined);
  });

  for (const redeemed of ['', ' ', '\n', ':5', ' : 5 ', ',', '0x', '0x0', '0'.repeat(64)]) {
    it(`is not complete with “${redeemed}” as the hash of the redeem transaction`, async () => {
      const {destination} = await readOrder(changed(sample, ['destination_swap', 'redeem_tx_hash'], redeemed));
      expect(destination).not.to.have.property('redeemed');
    });
  }

  it('has secret and secret hash in lower case without a prefix', async () => {
    for (const text of ['AB'.repeat(32), `0x${'ab'.repeat(32)}`, `0X${'Ab'.repeat(32)}`]) {
      const leg = await onSource({secret_hash: text, secret: text});
      expect(leg).to.include({secretHash: 'ab'.repeat(32), secret: 'ab'.repeat(32)});
    }
  });

  const zones: readonly [text: string, at: number][] = [
    ['2026-11-21T14:00:00.000Z', NOON],
    ['2026-11-21T14:00:00.123456789Z', NOON + 123],
    ['2026-11-21T14:00:00', NOON],
    ['2026-11-21T14:00:00.123', NOON + 123],
    ['2026-11-21T14:00', NOON],
    ['2026-11-21 14:00:00', NOON],
    ['2026-11-21 14:00:00 UTC', NOON],
    ['2026-11-21T16:30:00+02:30', NOON],
    ['2026-11-21 09:00:00.000001-0500', NOON],
    ['2026-11-21 14:00:00+00', NOON],
  ];
  for (const [text, at] of zones) {
    it(`has the time “${text}” in UTC, unless it has another zone`, async () => {
      const order = await readOrder({...sample, created_at: text});
      expect(order.createdAt).to.equal(at);
      const leg = await onSource({created_at: text, initiate_tx_hash: 'aa', initiate_timestamp: text});
      expect(leg).to.deep.include({createdAt: at, initiated: {hashes: ['aa'], at}});
    });
  }

  it('has all fields of a leg in the specification', async () => {
    expect(await onSource({asset_price: 118_123.5, instant_refund_tx: '0200ab'})).to.include({
      createdAt: Date.UTC(2025, 6, 11, 14, 48, 19, 354),
      assetPrice: 118_123.5,
      instantRefundTx: '0200ab',
    });
    expect(await onSource({asset_price: '0.25'})).to.include({assetPrice: 0.25});
  });

  const spelled: readonly [what: string, fields: Json, read: Json][] = [
    ['null for the amount paid, before a payment', {filled_amount: null}, {filled: 0n}],
    ['empty text for the amount paid', {filled_amount: ''}, {filled: 0n}],
    ['no amount paid', {filled_amount: undefined}, {filled: 0n}],
    ['a payment without an amount', {filled_amount: null, initiate_tx_hash: 'aa'}, {filled: 50_000n}],
    ['a number for the amount paid', {filled_amount: 12, initiate_tx_hash: 'aa'}, {filled: 12n}],
    ['half the amount paid, and no payment', {filled_amount: '25000'}, {filled: 0n}],
    [
      'the whole amount paid, and only a block of its payment',
      {filled_amount: '50000', initiate_tx_hash: ':5'},
      {filled: 0n},
    ],
    ['no secret hash yet', {secret_hash: ''}, {secretHash: ''}],
    ['null for the secret hash', {secret_hash: null}, {secretHash: ''}],
    ['null for the secret', {secret: null}, {secret: ''}],
    ['an invalid secret', {secret: 7}, {secret: ''}],
    ['a timelock as text', {timelock: '7200'}, {timelock: 7_200}],
    [
      'confirmations as text',
      {required_confirmations: '2', current_confirmations: '1'},
      {confirmations: {current: 1, required: 2}},
    ],
    [
      'null for confirmations',
      {required_confirmations: null, current_confirmations: null},
      {confirmations: {current: 0, required: 1}},
    ],
    [
      'odd confirmations',
      {required_confirmations: -1, current_confirmations: 0.5},
      {confirmations: {current: 0, required: 1}},
    ],
  ];
  for (const [what, fields, leg] of spelled) {
    it(`may have ${what}`, async () => {
      expect(await onSource(fields)).to.deep.include(leg);
    });
  }

  const informative: readonly [field: string, key: string][] = [
    ['created_at', 'createdAt'],
    ['asset_price', 'assetPrice'],
    ['instant_refund_tx', 'instantRefundTx'],
    ['delegate', 'delegate'],
  ];
  for (const [field, key] of informative) {
    const odd = field === 'delegate' ? [undefined, null] : [undefined, null, '', {}, [], true, -1];
    for (const value of odd) {
      it(`has no ${key} if ${field} is ${JSON.stringify(value)}`, async () => {
        expect(await onSource({[field]: value})).not.to.have.property(key);
      });
    }
  }
  for (const deed of ['initiate', 'redeem', 'refund']) {
    for (const value of ['', null, undefined, 'x', '-1', {}, 1.5, 'soon']) {
      it(`has ${deed} without block and time if those are ${JSON.stringify(value)}`, async () => {
        const leg = await onSource({
          [`${deed}_tx_hash`]: '0xaa',
          [`${deed}_block_number`]: value,
          [`${deed}_timestamp`]: value,
        });
        expect([leg.initiated, leg.redeemed, leg.refunded].filter(Boolean)).to.deep.equal([{hashes: ['0xaa']}]);
      });
    }
  }

  it('may have a number as its nonce, if JSON can represent it', async () => {
    expect((await readOrder({...sample, nonce: 1_752_245_299_000})).nonce).to.equal('1752245299000');
    expect((await readOrder({...sample, nonce: 2 ** 60})).nonce).to.equal('');
  });

  for (const result of [undefined, null, [], 'x', 7]) {
    it(`cannot be ${JSON.stringify(result) || 'nothing'}`, async () => {
      const error = await errorOf(readOrder(result));
      expect(error.code).to.equal('unreadable');
    });
  }
});

describe('an excessively long response', () => {
  it('is read without an excessively long optional field', async () => {
    const sample = samples.bitcoin.status.result as Json;
    const source = {...(sample['source_swap'] as Json), secret: long, instant_refund_tx: long, asset_price: long};
    const fees = [{asset: 'base:usdc', address: long, fee: 10}];
    const order = await readOrder({
      ...sample,
      source_swap: source,
      nonce: long,
      integrator: long,
      version: long,
      affiliate_fees: fees,
    });
    expect(order.source.secret).to.equal('');
    expect(order.source).not.to.have.any.keys('instantRefundTx', 'assetPrice');
    expect(order).to.deep.include({nonce: '', version: '', affiliateFees: [{asset: 'base:usdc', bps: 10}]});
    expect(order).not.to.have.property('integrator');

    const many = await readOrder({...sample, affiliate_fees: Array<unknown>(301).fill({})});
    expect(many).not.to.have.property('affiliateFees');

    const [offer] = samples.evm.quote.result as [Json];
    const priced = {...(offer['source'] as Json), value: long};
    const [quote] = await readQuote([{...offer, source: priced, solver_id: long, estimated_time: `1.${long}`}]);
    expect(quote).to.deep.include({solverId: ''});
    expect(quote?.source.value).to.equal('');
    expect(quote).not.to.have.property('estimatedSeconds');
  });

  for (const family of ['evm', 'starknet'] as const) {
    it(`is only payable by transaction on ${family} if it is the typed data`, async () => {
      const sample = samples[family].order.result as Json;
      const data = sample['typed_data'] as {domain: Json; types: Json; message: Json};
      for (const typed_data of [
        {...data, message: {...data.message, note: long}},
        {...data, domain: {...data.domain, [long]: 1}},
        {...data, types: {...data.types, Other: Array<unknown>(1_000).fill({name: 'a', type: 'b'})}},
        {...data, primaryType: long},
      ]) {
        const {deposit} = await place({...sample, typed_data}, family);
        expect(deposit).to.deep.include({how: 'wallet', ways: ['transaction']});
      }
    });
  }
});

describe('a number beyond JSON’s exact integers', () => {
  it('is omitted in an optional field', async () => {
    const sample = samples.evm.status.result as Json;
    const source = {
      ...(sample['source_swap'] as Json),
      initiate_tx_hash: '0xaa',
      initiate_block_number: ABOVE,
      current_confirmations: ABOVE,
    };
    const order = await readOrder({
      ...sample,
      source_swap: source,
      affiliate_fees: [{asset: 'base:usdc', fee: ABOVE, amount: ABOVE}],
    });
    expect(order.source.initiated).to.deep.equal({hashes: ['0xaa']});
    expect(order.source.confirmations.current).to.equal(0);
    expect(order.affiliateFees).to.deep.equal([{asset: 'base:usdc'}]);
    const offered = await answering([{id: 'base:usdc', min_amount: 1, max_amount: ABOVE}]).readOffered?.();
    expect(offered?.limits).to.deep.equal({});
  });

  it('is never signed: typed data with it is omitted', async () => {
    for (const family of ['evm', 'starknet'] as const) {
      const sample = samples[family].order.result as Json;
      for (const amount of [ABOVE, -ABOVE, {low: 1, high: [1e30]}]) {
        const typed_data = changed(sample['typed_data'], ['message', 'amount'], amount);
        const {deposit} = await place({...sample, typed_data}, family);
        expect(deposit).to.deep.include({how: 'wallet', ways: ['transaction']});
      }
    }
  });
});

describe('a response that cannot be read', () => {
  const TEXT = [undefined, null, 7];
  const ADDRESS = [...TEXT, past(256), long];
  const rounded = [ABOVE, ABOVE + 2, 1e21, 1e300];
  const COUNT = [undefined, null, '', '-1', '0.5', '1e3', '0x10', 'NaN', 'x', -1, 1.5, {}, '9'.repeat(79), ...rounded];
  const HASH = [past(256), `aa,${past(256)}:5`, long];

  type Kind = 'quote' | 'status' | ChainFamily;
  const FIELDS: readonly (readonly [kind: Kind, path: Path, values: readonly unknown[]])[] = [
    ...(['source', 'destination'] as const).flatMap(side => [
      ['quote', [0, side], [undefined, null, 'x', 7, []]] as const,
      ['quote', [0, side, 'asset'], [undefined, null, '', 'wbtc', 'a:b:c', 'a b:c', 7, `base:${long}`]] as const,
      ['quote', [0, side, 'amount'], COUNT] as const,
      ['quote', [0, side, 'display'], [undefined, null, 5, past(128), long]] as const,
    ]),
    ['evm', ['order_id'], [...TEXT, '', '.', '..', 'a b', 'a\n', 'ä', 'x'.repeat(129), long]],
    ['evm', ['transaction'], [undefined, null, '0x']],
    ['evm', ['transaction', 'to'], ADDRESS],
    // Digits without a prefix are ambiguous.
    ['evm', ['transaction', 'value'], ['12', '0xzz', -1, 1.5, {}, `0x${long}`, ...rounded]],
    ['evm', ['transaction', 'data'], [...TEXT, past(4_000), long]],
    ['evm', ['transaction', 'chain_id'], [undefined, null, 'base', 1.5, -1, ...rounded]],
    ['bitcoin', ['to'], ['', ...ADDRESS]],
    ['bitcoin', ['amount'], [undefined, null, '', '-1', '0.5', ...rounded]],
    ['solana', ['versioned_tx'], [...TEXT, '', past(4_000), long]],
    ['starknet', ['transaction'], [undefined, null]],
    ['starknet', ['transaction', 'to'], [undefined, 7, past(256), long]],
    ['starknet', ['transaction', 'selector'], [undefined, 7, past(256), long]],
    ['starknet', ['transaction', 'calldata'], [undefined, '0x1', [1], Array(65).fill('0x1'), [past(80)]]],
    [
      'status',
      ['created_at'],
      [undefined, null, '', 'yesterday', '2025-07-01', '7', 7, `2026-11-21T14:00:00.${'1'.repeat(200)}Z`],
    ],
    ['status', ['order_id'], [null, '', 7, '..', 'a b', 'ä']],
    ...(['source_swap', 'destination_swap'] as const).flatMap(leg => [
      ['status', [leg], [undefined, null, 'x']] as const,
      ['status', [leg, 'chain'], [...TEXT, past(128), long]] as const,
      ['status', [leg, 'asset'], [...TEXT, '', 'wbtc']] as const,
      ...['swap_id', 'initiator', 'redeemer'].map(field => ['status', [leg, field], ADDRESS] as const),
      ['status', [leg, 'delegate'], [7, {}, past(256), long]] as const,
      ['status', [leg, 'timelock'], [undefined, null, '', '7200 blocks', -1, 1.5, ...rounded]] as const,
      ['status', [leg, 'filled_amount'], ['-1', '0.5', 1.5, {}, ...rounded]] as const,
      ['status', [leg, 'amount'], COUNT] as const,
      [
        'status',
        [leg, 'secret_hash'],
        [7, 'zz'.repeat(32), 'ab'.repeat(31), `0x0x${'ab'.repeat(32)}`, `${' '.repeat(300)}${'ab'.repeat(32)}`, long],
      ] as const,
      ['status', [leg, 'initiate_tx_hash'], [7, {}, ['aa'], ...HASH]] as const,
      ['status', [leg, 'redeem_tx_hash'], [7, true, ...HASH]] as const,
      ['status', [leg, 'refund_tx_hash'], [7, [], ...HASH]] as const,
    ]),
  ];
  for (const [kind, path, values] of FIELDS) {
    const field = path.join('.');
    it(`is reported briefly, by its field: ${field} (${kind})`, async () => {
      for (const value of values) {
        const error = await errorOf(
          kind === 'quote'
            ? readQuote(changed(samples.evm.quote.result, path, value))
            : kind === 'status'
              ? readOrder(changed(samples.evm.status.result, path, value))
              : place(changed(samples[kind].order.result, path, value), kind),
        );
        const what = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 20);
        expect(error.code, what).to.equal('unreadable');
        // An empty list lacks the object's first field.
        expect(error.field === field || error.field?.startsWith(`${field}.`), what).to.equal(true);
        expect(error.message.length).to.be.below(500);
      }
    });
  }
});
