import {expect} from '../support/expect.js';
import {until} from '../support/funding.js';
import {generateKeyPair, getAddressFromPublicKey, signBytes} from '@solana/kit';
import {Interface, MaxUint256} from 'ethers';
import {Account, CallData, cairo, ec, hash, logger, stark, type Call} from 'starknet';
import {newAddress} from '../support/evm-key.js';
import {createRandom} from '../support/random.js';
import {startSandbox} from '../support/sandbox.js';
import {BITCOIN, BTC, BitcoinPerson, mine} from './bitcoin-person.js';
import {
  Person,
  SandboxClient,
  TO_WBTC,
  WBTC,
  balanceOf,
  placeOrder,
  rpc,
  type OrderAnswer,
  type OrderRead,
  type SandboxInfo,
} from './client.js';

// Silences the warning that there are too few transactions to estimate a tip.
logger.setLogLevel('ERROR');

interface Entry {
  readonly asset: string;
  readonly address: string;
  readonly fee: number;
}
type Stored = Entry & {readonly amount: string};
interface Share {
  readonly asset: string;
  readonly address: string;
  readonly amount: string;
}
interface Week {
  readonly payouts: readonly (Share & {readonly tx_hash: string})[];
  readonly owed: readonly (Share & {readonly error: string})[];
}
/** A person who pays for orders with one asset. */
interface Payer {
  readonly address: string;
  pay(order: OrderAnswer): Promise<unknown>;
}
/** Prices in USD scaled by 10^8, by symbol. */
type Prices = Readonly<Record<string, bigint>>;

const USDC = 'base_sepolia:usdc';
const CBBTC = 'ethereum_sepolia:cbbtc';
const PAYOUTS = [USDC, 'base_sepolia:cbbtc', 'ethereum_sepolia:usdc', CBBTC] as const;
const ORDERS_OF_EACH = 6;
const ENTRIES = 4;
const PAYEES = 110;
const BPS = 10_000n;
/** The fee of the cheaper solver and the protocol, in basis points. */
const SOLVER_BPS = 30n;

const isComplete = ({destination_swap}: OrderRead) => destination_swap.redeem_tx_hash !== '';
const storedOf = (order: OrderRead) => order['affiliate_fees'] as unknown as readonly Stored[];
const chainOf = (asset: string) => asset.slice(0, asset.indexOf(':'));

describe('affiliate fees in the sandbox', function () {
  this.timeout(120_000);
  // A payout pays all affiliates, and the payout account is emptied here, so this file has its own chains.
  let own: Awaited<ReturnType<typeof startSandbox>>;
  let client: SandboxClient;
  let info: SandboxInfo;
  before(async function () {
    this.timeout(30_000);
    own = await startSandbox();
    client = new SandboxClient(own.url, own.appId);
    info = await client.info();
    // Amounts are worked out from several answers, which have to be of one time.
    await client.control('prices', {moving: false});
  });
  after(() => own.close());

  const endWeek = () => client.control('payout', {}) as unknown as Promise<Week>;
  const homeOf = (asset: string) => info.chains[chainOf(asset)]!;
  const localAsset = (asset: string) => homeOf(asset).assets[asset]!;
  const balance = (asset: string, address: string) => balanceOf(homeOf(asset), asset, address);
  /** The prices of an order's legs when it was quoted: numbers with eight decimals. */
  const pricesIn = ({source_swap, destination_swap}: OrderRead): Prices =>
    Object.fromEntries(
      [source_swap, destination_swap].map(leg => [
        localAsset(String(leg['asset'])).symbol,
        BigInt(Math.round(Number(leg['asset_price']) * 1e8)),
      ]),
    );

  /** The prices of the payout assets. An order only shows those of its legs, so this places an order for these two. */
  async function payoutPrices(): Promise<Prices> {
    const quote = await client.bestQuote(USDC, CBBTC, 100_000_000n);
    const {order_id} = await client.order({
      source: {asset: USDC, owner: newAddress(), amount: quote.source.amount},
      destination: {asset: CBBTC, owner: newAddress(), amount: quote.destination.amount},
    });
    return pricesIn(await client.read(order_id));
  }

  /** The value of basis points of an amount, in the smallest unit of another asset, as an exact fraction. */
  function worth(amount: bigint, bps: bigint, from: string, to: string, prices: Prices) {
    const [a, b] = [localAsset(from), localAsset(to)];
    return {
      over: amount * bps * prices[a.symbol]! * 10n ** BigInt(b.decimals),
      under: BPS * prices[b.symbol]! * 10n ** BigInt(a.decimals),
    };
  }
  type Fraction = ReturnType<typeof worth>;
  const floor = ({over, under}: Fraction) => over / under;
  const ceiling = ({over, under}: Fraction) => over / under + (over % under > 0n ? 1n : 0n);

  /** Places an order and checks all of its amounts against the service's prices. */
  async function placeAndReckon(from: string, to: string, amount: bigint, owner: string, fees: readonly Entry[]) {
    const bps = fees.reduce((sum, {fee}) => sum + fee, 0);
    const without = await client.bestQuote(from, to, amount);
    const quote = await client.bestQuote(from, to, amount, bps);
    const answer = await client.order({
      source: {asset: from, owner, amount: quote.source.amount},
      destination: {asset: to, owner: newAddress(), amount: quote.destination.amount},
      affiliate_fees: fees,
    });
    const order = await client.read(answer.order_id);
    const prices = {...(await payoutPrices()), ...pricesIn(order)};

    const given = BigInt(without.destination.amount);
    expect(given, 'the amount without a fee').to.equal(floor(worth(amount, BPS - SOLVER_BPS, from, to, prices)));
    const charged = given - BigInt(quote.destination.amount);
    expect(charged, 'charged').to.equal(ceiling(worth(amount, BigInt(bps), from, to, prices)));
    expect(storedOf(order), 'stored').to.deep.equal(
      fees.map(fee => ({
        ...fee,
        amount: floor(worth(amount, BigInt(fee.fee), from, fee.asset, prices)).toString(),
      })),
    );
    return {answer, order};
  }

  async function evmPayer(asset: string, amount: bigint): Promise<Payer> {
    const person = await Person.with(client, asset, amount);
    if (localAsset(asset).token !== undefined) await person.approve(asset, MaxUint256);
    return {
      address: person.address,
      pay: ({transaction}) => person.send(transaction.to, transaction.data, BigInt(transaction.value)),
    };
  }

  async function bitcoinPayer(amount: bigint): Promise<Payer> {
    const person = await BitcoinPerson.with(client, amount);
    return {
      address: person.address,
      pay: order => {
        const {to, amount: due} = order as unknown as {to: string; amount: string};
        return person.pay(to, BigInt(due));
      },
    };
  }

  async function solanaPayer(asset: string, amount: bigint): Promise<Payer> {
    const {privateKey, publicKey} = await generateKeyPair();
    const address = await getAddressFromPublicKey(publicKey);
    await client.control('faucet', {asset, address, amount: String(amount)});
    return {
      address,
      async pay(order) {
        const {versioned_tx} = order as unknown as {versioned_tx: string};
        const wire = Uint8Array.from(versioned_tx.match(/../g) ?? [], byte => parseInt(byte, 16));
        wire.set(await signBytes(privateKey, wire.subarray(65)), 1);
        await rpc(homeOf(asset).rpc, 'sendTransaction', btoa(String.fromCharCode(...wire)), {encoding: 'base64'});
      },
    };
  }

  async function starknetPayer(asset: string, amount: bigint): Promise<Payer> {
    const key = stark.randomAddress();
    const publicKey = ec.starkCurve.getStarkKey(key);
    const {rpc: nodeUrl, accountClass: classHash} = homeOf(asset) as unknown as {rpc: string; accountClass: string};
    const address = hash.calculateContractAddressFromHash(publicKey, classHash, [publicKey], 0);
    const account = new Account({provider: {nodeUrl}, address, signer: key});
    await account.deployAccount({classHash, constructorCalldata: [publicKey], addressSalt: publicKey}, {tip: 0n});
    await client.control('faucet', {asset, address, amount: String(amount)});
    return {
      address,
      async pay(order) {
        const {to, calldata} = order.transaction as unknown as {to: string; calldata: string[]};
        const spend = CallData.compile({spender: to, amount: cairo.uint256(amount)});
        const calls: Call[] = [
          {contractAddress: localAsset(asset).token!, entrypoint: 'approve', calldata: spend},
          {contractAddress: to, entrypoint: 'initiate', calldata},
        ];
        await account.execute(calls, {tip: 0n});
      },
    };
  }

  it('add up when charged, stored and paid out: a hundred payees of swaps from every chain', async () => {
    const random = createRandom(5);
    const payees = Array.from({length: PAYEES}, newAddress);
    let named = 0;
    /** The minimum and maximum amount, and the payer. */
    const sources: [string, bigint, bigint, (asset: string, amount: bigint) => Promise<Payer>][] = [
      [BTC, 50_000n, 3_000_000n, (_, amount) => bitcoinPayer(amount)],
      ['solana_testnet:sol', 100_000_000n, 90_000_000_000n, solanaPayer],
      ['base_sepolia:eth', 5_000_000_000_000_000n, 2_000_000_000_000_000_000n, evmPayer],
      ['ethereum_sepolia:usdc', 15_000_000n, 90_000_000_000n, evmPayer],
      [TO_WBTC, 50_000n, 90_000_000n, evmPayer],
      ['starknet_sepolia:wbtc', 50_000n, 90_000_000n, starknetPayer],
    ];
    const plans = sources.map(([from, least, most, meet]) => ({
      from,
      payer: () => meet(from, most * BigInt(ORDERS_OF_EACH + 1)),
      orders: Array.from({length: ORDERS_OF_EACH}, () => ({
        amount: least + ((most - least) * BigInt(random.below(1e9))) / BigInt(1e9),
        fees: Array.from({length: ENTRIES}, () => ({
          asset: random.pick(PAYOUTS),
          address: payees[named++ % PAYEES]!,
          fee: 1 + random.below(200),
        })),
        to: random.pick([WBTC, 'base_sepolia:usdt', 'ethereum_sepolia:eth', CBBTC]),
      })),
    }));
    const owed = new Map<string, bigint>();
    const placed: string[] = [];
    const pay = async ({from, payer, orders}: (typeof plans)[number]) => {
      const {address: owner, pay} = await payer();
      for (const {to, amount, fees} of orders) {
        const {answer, order} = await placeAndReckon(from, to, amount, owner, fees);
        await pay(answer);
        placed.push(answer.order_id);
        for (const {asset, address, amount: sum} of storedOf(order)) {
          const key = `${asset} ${address}`;
          owed.set(key, (owed.get(key) ?? 0n) + BigInt(sum));
        }
      }
      if (chainOf(from) === BITCOIN) await mine(client, 2);
    };
    await Promise.all(plans.map(pay));
    // This order is not paid, so its payees earn nothing.
    const stranger = newAddress();
    await placeAndReckon(WBTC, TO_WBTC, 5_000_000n, newAddress(), [{asset: USDC, address: stranger, fee: 50}]);

    await Promise.all(placed.map(id => client.until(id, isComplete, 60_000)));
    const balances = () =>
      Promise.all([...owed.keys()].map(key => balance(...(key.split(' ') as [asset: string, address: string]))));
    expect([...new Set(await balances())], 'paid before the payout').to.deep.equal([0n]);
    const weeks = await Promise.all([endWeek(), endWeek()]);
    expect(weeks.flatMap(({owed: debts}) => debts)).to.deep.equal([]);
    const payouts = weeks.flatMap(each => each.payouts);
    expect(payouts).to.have.lengthOf(owed.size);
    expect(new Set(payouts.map(({address}) => address)).size).to.equal(PAYEES);
    expect(await endWeek()).to.deep.equal({payouts: [], owed: []});

    expect(await balances()).to.deep.equal([...owed.values()]);
    for (const {asset, address, amount} of payouts) {
      expect(BigInt(amount)).to.equal(owed.get(`${asset} ${address}`));
    }
    expect(await balance(USDC, stranger)).to.equal(0n);
    expect(placed).to.have.lengthOf(sources.length * ORDERS_OF_EACH);
  });

  it('stay owed if funds are insufficient, while others are paid, and are paid once later', async () => {
    const erc20 = new Interface(['function transfer(address, uint256) returns (bool)']);
    const owner = await Person.with(client, WBTC, 30_000_000n);
    await owner.approve(WBTC, MaxUint256);
    const complete = async (fees: Entry[]) => {
      const {order_id, transaction} = await placeOrder(client, owner, {fees});
      await owner.send(transaction.to, transaction.data);
      return storedOf(await client.until(order_id, isComplete)).map(({amount}) => BigInt(amount));
    };
    const [ann, bob] = [newAddress(), newAddress()];
    const fees = [
      {asset: USDC, address: ann, fee: 10},
      {asset: CBBTC, address: bob, fee: 20},
    ];

    // A payout reveals the payout account.
    await complete([{asset: USDC, address: newAddress(), fee: 1}]);
    const first = (await endWeek()).payouts[0]?.tx_hash;
    const node = homeOf(USDC).rpc;
    const {from: purse} = await rpc<{from: string}>(node, 'eth_getTransactionByHash', first);
    const {token: to} = localAsset(USDC);
    const all = await balance(USDC, purse);
    await rpc(node, 'anvil_impersonateAccount', purse);
    const data = erc20.encodeFunctionData('transfer', [newAddress(), all]);
    await rpc(node, 'eth_sendTransaction', {from: purse, to, data});
    // The node responds before the transfer is in a block.
    await until(
      () => balance(USDC, purse),
      left => left === 0n,
    );

    const [toAnn = 0n, toBob = 0n] = await complete(fees);
    const weeks = await Promise.all([endWeek(), endWeek()]);
    expect(weeks.flatMap(each => each.payouts).map(({address}) => address)).to.deep.equal([bob]);
    for (const {owed} of weeks) {
      expect(owed.map(({asset, address, amount}) => [asset, address, amount])).to.deep.equal([
        [USDC, ann, String(toAnn)],
      ]);
      expect(owed[0]?.error).to.match(/eth_estimateGas/);
    }
    expect([await balance(USDC, ann), await balance(CBBTC, bob)]).to.deep.equal([0n, toBob]);

    const [more = 0n] = await complete(fees.slice(0, 1));
    await client.control('faucet', {asset: USDC, address: purse, amount: String(all)});
    const {payouts, owed} = await endWeek();
    expect(owed).to.deep.equal([]);
    expect(payouts.map(({address, amount}) => [address, amount])).to.deep.equal([[ann, String(toAnn + more)]]);
    expect([await balance(USDC, ann), await balance(CBBTC, bob)]).to.deep.equal([toAnn + more, toBob]);
    expect(await endWeek()).to.deep.equal({payouts: [], owed: []});
  });

  it('stay paid if a reorganisation removes a deposit that the service sent', async () => {
    const owner = await Person.with(client, WBTC, 10_000_000n);
    await owner.approve(WBTC, MaxUint256);
    const ann = newAddress();
    const {order_id, typed_data} = await placeOrder(client, owner, {fees: [{asset: USDC, address: ann, fee: 10}]});
    await client.initiate(order_id, await owner.sign(typed_data));
    const order = await client.until(order_id, isComplete);
    await endWeek();
    const paid = await balance(USDC, ann);
    expect(paid).to.equal(BigInt(storedOf(order)[0]!.amount));
    await client.control('reorg', {orderId: order_id});
    expect((await client.read(order_id)).source_swap.initiate_tx_hash, 'the deposit').to.equal('');
    expect(await balance(USDC, ann)).to.equal(paid);
    expect(await endWeek()).to.deep.equal({payouts: [], owed: []});
  });
});
