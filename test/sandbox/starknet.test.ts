import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '../support/expect.js';
import {sha256} from 'ethers';
import {Account, CallData, RpcProvider, cairo, ec, hash, logger, num, stark, type Call, type TypedData} from 'starknet';
import {newAddress} from '../support/evm-key.js';
import {startSandbox} from '../support/sandbox.js';
import {
  Person,
  SandboxClient,
  TO_WBTC,
  WBTC,
  balanceOf,
  placeOrder,
  type OrderRead,
  type SandboxInfo,
} from './client.js';

// Silences the warning that there are too few transactions to estimate a tip.
logger.setLogLevel('ERROR');

const STARKNET = 'starknet_sepolia';
const ASSET = `${STARKNET}:wbtc`;
const AMOUNT = 10_000_000n;
const isSettled = ({source_swap, destination_swap}: OrderRead) =>
  destination_swap.redeem_tx_hash !== '' && source_swap.redeem_tx_hash !== '';
const isFunded = ({source_swap}: OrderRead) => source_swap.initiate_tx_hash !== '';

interface StarknetCall {
  readonly to: string;
  readonly selector: string;
  readonly calldata: string[];
}
interface Message {
  readonly redeemer: string;
  readonly timelock: string;
  readonly amount: {readonly low: string; readonly high: string};
  readonly secretHash: readonly number[];
}
interface StarknetAnswer {
  readonly order_id: string;
  readonly transaction: StarknetCall;
  readonly typed_data: TypedData;
  readonly recipient: string;
  readonly quote: {readonly destination: {readonly amount: string}};
}

// These tests count blocks and make reorganisations, so this file has its own chains.
let own: Awaited<ReturnType<typeof startSandbox>>;
let client: SandboxClient;
let chain: SandboxInfo['chains'][string];
before(async function () {
  this.timeout(20_000);
  own = await startSandbox();
  const found = (await new SandboxClient(own.url, own.appId).info()).chains[STARKNET];
  if (!found) throw new Error('there is no Starknet');
  chain = found;
});
beforeEach(() => {
  client = SandboxClient.forAppOfItsOwn(own);
});
after(() => own.close());

const contractOf = () => chain.assets[ASSET]?.contracts[0] ?? '';
const tokenOf = () => chain.assets[ASSET]?.token ?? '';

async function starknetBalance(address: string): Promise<bigint> {
  const provider = new RpcProvider({nodeUrl: chain.rpc});
  const call = {contractAddress: tokenOf(), entrypoint: 'balance_of', calldata: [address]};
  const [low = '0', high = '0'] = await provider.callContract(call);
  return BigInt(low) + (BigInt(high) << 128n);
}

/** A person with a key and a deployed account on Starknet. */
class StarknetPerson {
  private constructor(
    readonly account: Account,
    readonly address: string,
  ) {}

  static async with(amount: bigint): Promise<StarknetPerson> {
    const key = stark.randomAddress();
    const publicKey = ec.starkCurve.getStarkKey(key);
    const {accountClass: classHash} = chain as unknown as {accountClass: string};
    const address = hash.calculateContractAddressFromHash(publicKey, classHash, [publicKey], 0);
    const account = new Account({provider: {nodeUrl: chain.rpc}, address, signer: key});
    await account.deployAccount({classHash, constructorCalldata: [publicKey], addressSalt: publicKey}, {tip: 0n});
    await client.control('faucet', {asset: ASSET, address, amount: String(amount)});
    return new StarknetPerson(account, `0x${BigInt(address).toString(16).padStart(64, '0')}`);
  }

  async execute(...calls: Call[]): Promise<string> {
    const {transaction_hash} = await this.account.execute(calls, {tip: 0n});
    return transaction_hash;
  }

  approve(amount: bigint): Call {
    const calldata = CallData.compile({spender: contractOf(), amount: cairo.uint256(amount)});
    return {contractAddress: tokenOf(), entrypoint: 'approve', calldata};
  }

  async sign(typedData: TypedData): Promise<string[]> {
    return stark.formatSignature(await this.account.signMessage(typedData)).map(part => num.toHex(part));
  }

  async place(to = WBTC): Promise<StarknetAnswer> {
    const answer = await placeOrder(client, {address: this.address} as never, {from: ASSET, to, amount: AMOUNT});
    return answer as unknown as StarknetAnswer;
  }
}

/** The secret hash in the last eight words of the deposit's calldata. */
const hashIn = (calldata: readonly string[]) =>
  calldata
    .slice(4)
    .map(word => BigInt(word).toString(16).padStart(8, '0'))
    .join('');

const initiation = ({transaction: {to, calldata}}: StarknetAnswer): Call => ({
  contractAddress: to,
  entrypoint: 'initiate',
  calldata,
});

async function evmBalance(asset: string, address: string): Promise<bigint> {
  const home = (await client.info()).chains[asset.split(':')[0] ?? ''];
  if (!home) throw new Error(`no chain for ${asset}`);
  return balanceOf(home, asset, address);
}

async function expectSettled(order: StarknetAnswer, owner: StarknetPerson, to: string): Promise<OrderRead> {
  const read = await client.until(order.order_id, isSettled);
  const {source_swap: source, destination_swap: destination} = read;
  expect(await evmBalance(to, order.recipient)).to.equal(BigInt(order.quote.destination.amount));
  expect(await starknetBalance(owner.address)).to.equal(0n);
  expect(source['secret']).to.equal(destination['secret']);
  expect(sha256(`0x${String(source['secret'])}`).slice(2)).to.equal(source['secret_hash']);
  expect(source['filled_amount']).to.equal(source.amount);
  expect(source.current_confirmations).to.equal(1);
  expect(source.initiate_tx_hash).to.match(/^0x[0-9a-f]{1,64}$/);
  expect(Number(source['redeem_block_number'])).to.be.greaterThan(Number(source.initiate_block_number));
  return read;
}

describe('a swap from Starknet', function () {
  this.timeout(30_000);

  it('is placed with a call and typed data in the documented format', async () => {
    const owner = await StarknetPerson.with(AMOUNT);
    const {order_id, transaction, typed_data} = await owner.place();
    const {source_swap: source} = await client.read(order_id);
    expect(source['initiator']).to.equal(owner.address);
    expect(source['redeemer']).to.match(/^0x[0-9a-f]{64}$/);
    expect(source['timelock']).to.equal(120);
    expect(BigInt(transaction.to)).to.equal(BigInt(contractOf()));
    expect(transaction.selector).to.equal(hash.getSelectorFromName('initiate'));
    expect(transaction.calldata).to.have.lengthOf(12);
    expect(hashIn(transaction.calldata)).to.equal(source['secret_hash']);
    expect(typed_data.domain).to.deep.equal({name: 'HTLC', version: '1', chainId: 'SN_SEPOLIA', revision: '1'});
    const message = typed_data.message as Message;
    expect(message.amount).to.deep.equal({low: `0x${AMOUNT.toString(16)}`, high: '0x0'});
    expect(message.secretHash.map(BigInt)).to.deep.equal(transaction.calldata.slice(4).map(BigInt));
    expect(message.redeemer).to.match(/^\d+$/);
    expect(message.timelock).to.equal('120');
  });

  for (const to of [WBTC, TO_WBTC]) {
    it(`settles by one transaction that also approves, to ${to}`, async () => {
      const owner = await StarknetPerson.with(AMOUNT);
      const order = await owner.place(to);
      const sent = await owner.execute(owner.approve(AMOUNT), initiation(order));
      const {source_swap} = await expectSettled(order, owner, to);
      expect(source_swap.initiate_tx_hash).to.equal(sent);
    });
  }

  const forms: [string, (signature: string[]) => unknown][] = [
    ['an array of hex', parts => parts],
    ['an array of decimals', parts => parts.map(part => BigInt(part).toString())],
    ['comma text', parts => parts.map(part => BigInt(part).toString()).join(',')],
    ['{r, s}', ([r, s]) => ({r, s})],
  ];
  for (const [name, form] of forms) {
    it(`settles by a signature given as ${name}, without a transaction from the owner`, async () => {
      const owner = await StarknetPerson.with(AMOUNT);
      const order = await owner.place();
      await owner.execute(owner.approve(AMOUNT));
      const nonce = await owner.account.getNonce();
      const {status, body} = await client.initiate(order.order_id, form(await owner.sign(order.typed_data)));
      expect(status, JSON.stringify(body)).to.equal(200);
      const {source_swap} = await expectSettled(order, owner, WBTC);
      expect(body['result']).to.equal(source_swap.initiate_tx_hash);
      expect(await owner.account.getNonce()).to.equal(nonce);
    });
  }

  it('rejects another account’s signature, another order’s signature, and a reused one', async () => {
    const [owner, stranger] = [await StarknetPerson.with(2n * AMOUNT), await StarknetPerson.with(0n + 1n)];
    await owner.execute(owner.approve(2n * AMOUNT));
    const [order, other] = [await owner.place(), await owner.place()];
    const refused = async (signature: unknown, why: RegExp) => {
      const {status, body} = await client.initiate(order.order_id, signature);
      expect([status, body['status']]).to.deep.equal([400, 'Error']);
      expect(body['error']).to.match(why);
    };
    await refused(await stranger.sign(order.typed_data), /^signature: not a signature of this order/);
    await refused(await owner.sign(other.typed_data), /^signature: not a signature of this order/);
    await refused('0x1234', /^signature: must be an array/);
    const signature = await owner.sign(order.typed_data);
    expect((await client.initiate(order.order_id, signature)).status).to.equal(200);
    await refused(signature, /already initiated/);
    expect(await starknetBalance(owner.address)).to.equal(AMOUNT);
  });

  it('includes an approval in the later format while the allowance is insufficient', async () => {
    await client.faults({laterAnswer: {times: 2}});
    const owner = await StarknetPerson.with(AMOUNT);
    const first = (await owner.place()) as unknown as {
      approval_transaction: StarknetCall;
      initiate_transaction: StarknetCall;
    };
    expect(first.approval_transaction.selector).to.equal(hash.getSelectorFromName('approve'));
    expect(BigInt(first.approval_transaction.to)).to.equal(BigInt(tokenOf()));
    expect(first.initiate_transaction.selector).to.equal(hash.getSelectorFromName('initiate'));
    await owner.execute(owner.approve(AMOUNT));
    const second = (await owner.place()) as unknown as {approval_transaction: unknown};
    expect(second.approval_transaction).to.equal(null);
  });

  it('is refunded by its owner after the timelock', async () => {
    await client.faults({solverGone: true});
    const owner = await StarknetPerson.with(AMOUNT);
    const order = await owner.place();
    await owner.execute(owner.approve(AMOUNT), initiation(order));
    const {source_swap} = await client.until(order.order_id, isFunded);
    const refund = {
      contractAddress: contractOf(),
      entrypoint: 'refund',
      calldata: [`0x${String(source_swap['swap_id'])}`],
    };
    const early = await owner.execute(refund).catch((error: Error) => error.message);
    expect(early).to.match(/HTLC: order not expired/);
    await client.control('expire', {orderId: order.order_id});
    const sent = await owner.execute(refund);
    const read = await client.read(order.order_id);
    expect(read.source_swap.refund_tx_hash).to.equal(sent);
    expect(await starknetBalance(owner.address)).to.equal(AMOUNT);
  });

  it('is refunded by the service if its owner does nothing', async () => {
    await client.faults({solverGone: true});
    const owner = await StarknetPerson.with(AMOUNT);
    const order = await owner.place();
    await owner.execute(owner.approve(AMOUNT), initiation(order));
    await client.until(order.order_id, isFunded);
    await client.control('mine', {chain: STARKNET, blocks: 150});
    await client.until(order.order_id, ({source_swap}) => source_swap.refund_tx_hash !== '');
    expect(await starknetBalance(owner.address)).to.equal(AMOUNT);
  });

  it('is unpaid again if a reorganisation removes the deposit', async () => {
    await client.faults({solverGone: true});
    const owner = await StarknetPerson.with(AMOUNT);
    const order = await owner.place();
    await owner.execute(owner.approve(AMOUNT), initiation(order));
    await client.until(order.order_id, isFunded);
    await client.control('reorg', {orderId: order.order_id});
    const {source_swap} = await client.read(order.order_id);
    expect([source_swap.initiate_tx_hash, source_swap['filled_amount']]).to.deep.equal(['', '0']);
    expect(await starknetBalance(owner.address)).to.equal(AMOUNT);
    await owner.execute(owner.approve(AMOUNT), initiation(order));
    expect((await client.until(order.order_id, isFunded))['source_swap']).to.include({filled_amount: String(AMOUNT)});
  });

  it('ignores a deposit of another amount', async () => {
    const owner = await StarknetPerson.with(AMOUNT);
    const order = await owner.place();
    const less = order.transaction.calldata.with(2, num.toHex(AMOUNT - 1n));
    await owner.execute(owner.approve(AMOUNT), {...initiation(order), calldata: less});
    const {source_swap, destination_swap} = await client.until(order.order_id, isFunded);
    expect(source_swap['filled_amount']).to.equal(String(AMOUNT - 1n));
    await pause(300);
    expect((await client.read(order.order_id)).destination_swap).to.deep.equal(destination_swap);
  });
});

describe('a swap to Starknet', function () {
  this.timeout(30_000);

  for (const from of [WBTC, TO_WBTC]) {
    it(`pays exactly the agreed amount from ${from}, also to an account that is not deployed`, async () => {
      const owner = await Person.with(client, from, AMOUNT);
      const recipient = stark.randomAddress();
      const quote = await client.bestQuote(from, ASSET, AMOUNT);
      const {order_id, transaction} = await client.order({
        source: {asset: from, owner: owner.address, amount: quote.source.amount},
        destination: {asset: ASSET, owner: recipient, amount: quote.destination.amount},
      });
      await owner.approve(from, AMOUNT);
      await owner.send(transaction.to, transaction.data);
      const order = await client.until(order_id, isSettled);
      expect(await starknetBalance(recipient)).to.equal(BigInt(quote.destination.amount));
      expect(await owner.balance(from)).to.equal(0n);
      const {destination_swap} = order;
      expect(BigInt(String(destination_swap['redeemer']))).to.equal(BigInt(recipient));
      expect(destination_swap['timelock']).to.equal(60);
    });
  }

  it('rejects an address of another family', async () => {
    const quote = await client.bestQuote(WBTC, ASSET, AMOUNT);
    const body = (owner: string) => ({
      source: {asset: WBTC, owner: newAddress(), amount: quote.source.amount},
      destination: {asset: ASSET, owner, amount: quote.destination.amount},
    });
    for (const wrong of ['tb1qxyz', '0x0', 'So11111111111111111111111111111111111111112', `0x${'f'.repeat(64)}`]) {
      const {status, body: answer} = await client.ask('/v2/orders', {method: 'POST', body: body(wrong)});
      expect(status).to.equal(400);
      expect(answer['error']).to.match(/^destination.owner: Invalid address format/);
    }
  });
});

describe('a hostile service on Starknet', function () {
  this.timeout(30_000);

  const lies: Record<string, (lie: StarknetAnswer, honest: StarknetAnswer, secretHash: string) => boolean> = {
    amount: ({transaction}) => BigInt(transaction.calldata[2] ?? 0) === 2n * AMOUNT,
    'high-amount': ({transaction}) => transaction.calldata[3] === '0x1',
    'redeemer-in-call': ({transaction}, honest) => transaction.calldata[0] !== honest.transaction.calldata[0],
    'redeemer-in-typed-data': ({typed_data}, honest) =>
      (typed_data.message as Message).redeemer !== (honest.typed_data.message as Message).redeemer,
    'secret-hash': ({transaction}, _, secretHash) => hashIn(transaction.calldata) !== secretHash,
    'seven-words': ({transaction, typed_data}) =>
      transaction.calldata.length === 11 && (typed_data.message as Message).secretHash.length === 7,
    'word-out-of-range': ({typed_data}) => (typed_data.message as Message).secretHash.some(word => word >= 2 ** 32),
    timelock: ({typed_data}) => (typed_data.message as Message).timelock === String(2n ** 64n),
    'chain-id': ({typed_data}) => typed_data.domain.chainId === 'SN_MAIN',
    contract: ({transaction}) => BigInt(transaction.to) !== BigInt(contractOf()),
    'domain-name': ({typed_data}) => typed_data.domain.name === 'Permit',
    'domain-version': ({typed_data}) => typed_data.domain.version === '7',
    'domain-revision': ({typed_data}) => typed_data.domain.revision === '0',
    'primary-type': ({typed_data}) => typed_data.primaryType === 'Permit',
    'unknown-selector': ({transaction}) => transaction.selector === hash.getSelectorFromName('upgrade'),
    'selector-of-selector': ({transaction}, honest) =>
      transaction.selector === hash.getSelectorFromName(honest.transaction.selector),
    approve: ({transaction}) => transaction.selector === hash.getSelectorFromName('approve'),
    transfer: ({transaction}) => transaction.selector === hash.getSelectorFromName('transfer'),
    'trailing-felts': ({transaction}) => transaction.calldata.length === 13,
  };
  for (const [kind, isLie] of Object.entries(lies)) {
    it(`can falsify ${kind}, once`, async () => {
      const owner = {place: StarknetPerson.prototype.place, address: stark.randomAddress()};
      await client.faults({hostile: {kind}});
      const lie = await owner.place();
      await client.faults({hostile: false});
      const {source_swap} = await client.read(lie.order_id);
      const honest = await owner.place();
      const agreed = String(source_swap['secret_hash']);
      expect(isLie(lie, honest, agreed)).to.equal(true);
      expect(isLie(honest, honest, String((await client.read(honest.order_id)).source_swap['secret_hash']))).to.equal(
        false,
      );
    });
  }
});
