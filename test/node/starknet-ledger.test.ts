import {deepEqual, equal, ok, rejects} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {
  Account,
  CallData,
  Contract,
  RpcProvider,
  cairo,
  ec,
  hash,
  logger,
  num,
  selector,
  stark,
  type Call,
  type Signature,
  type TypedData,
} from 'starknet';
import {startStarknetLeg, type StarknetOptions} from '../../demo/sandbox/chains/starknet.js';
import {hex, toWords} from '../../demo/sandbox/chains/starknet/felts.js';
import type {ChainLeg, Terms} from '../../demo/sandbox/chains/leg.js';
import {createHash, randomBytes} from 'node:crypto';

// Silences the warning that there are too few transactions to estimate a tip.
logger.setLogLevel('ERROR');

const ASSET = 'starknet_sepolia:wbtc';
const OPTIONS: StarknetOptions = {
  name: 'starknet_sepolia',
  chainId: 'SN_SEPOLIA',
  tokens: [{name: 'wbtc', title: 'Wrapped Bitcoin', symbol: 'WBTC', decimals: 8}],
  solvers: ['solver 2', 'solver 1'],
  port: 0,
  blockSeconds: null,
};
const ONE = 10n ** 8n;
const urlOf = (leg: ChainLeg) => String(leg.facts['rpc']);
const accountAt = (leg: ChainLeg, address: string, signer: string) =>
  new Account({provider: {nodeUrl: urlOf(leg)}, address, signer});

interface StarknetAnswer {
  transaction: {to: string; selector: string; calldata: string[]};
  typed_data: TypedData;
}

const sha256 = (bytes: string) => createHash('sha256').update(bytes, 'hex').digest('hex');

/** A person with an account, deployed by its own transaction. */
class Person {
  readonly provider: RpcProvider;

  constructor(
    readonly leg: ChainLeg,
    readonly account: Account,
  ) {
    this.provider = new RpcProvider({nodeUrl: urlOf(leg)});
  }

  static async with(leg: ChainLeg, amount: bigint): Promise<Person> {
    const key = stark.randomAddress();
    const publicKey = ec.starkCurve.getStarkKey(key);
    const classHash = String(leg.facts['accountClass']);
    const address = hash.calculateContractAddressFromHash(publicKey, classHash, [publicKey], 0);
    const account = accountAt(leg, address, key);
    const deployed = await account.deployAccount({
      classHash,
      constructorCalldata: [publicKey],
      addressSalt: publicKey,
    });
    equal(BigInt(deployed.contract_address), BigInt(address));
    const person = new Person(leg, account);
    ok((await person.settled(deployed.transaction_hash)).isSuccess());
    if (amount) await leg.faucet(ASSET, address, amount);
    return person;
  }

  get address(): string {
    const read = this.leg.readAddress(this.account.address);
    return 'address' in read ? read.address : '';
  }

  async execute(...calls: Call[]) {
    const {transaction_hash} = await this.account.execute(calls, {tip: 0n});
    return this.settled(transaction_hash);
  }

  /** The receipt of a transaction. */
  async settled(transactionHash: string) {
    await this.provider.waitForTransaction(transactionHash, {retryInterval: 10});
    const receipt = await this.provider.getTransactionReceipt(transactionHash);
    const {transaction_hash: hash_, block_number: block} = receipt.value as unknown as {
      transaction_hash: string;
      block_number: number;
    };
    return Object.assign(receipt, {hash: hash_, block});
  }

  approval(amount: bigint): Call {
    const {token = '', contracts} = this.leg.assets[ASSET] ?? {contracts: []};
    return {
      contractAddress: token,
      entrypoint: 'approve',
      calldata: CallData.compile({spender: contracts[0] ?? '', amount: cairo.uint256(amount)}),
    };
  }

  async balance(of = this.address): Promise<bigint> {
    const [low = '0', high = '0'] = await this.provider.callContract({
      contractAddress: this.leg.assets[ASSET]?.token ?? '',
      entrypoint: 'balanceOf',
      calldata: [of],
    });
    return BigInt(low) + (BigInt(high) << 128n);
  }

  /** The terms of an order of this person, with its secret. */
  order(change: Partial<Terms> = {}): Terms & {readonly secret: string} {
    const secret = randomBytes(32).toString('hex');
    const redeemer = this.leg.solvers[0] ?? '';
    return {
      asset: ASSET,
      initiator: this.address,
      redeemer,
      timelock: 120,
      amount: ONE,
      secretHash: sha256(secret),
      secret,
      ...change,
    };
  }
}

const answerOf = (leg: ChainLeg, terms: Terms) => leg.source(terms) as unknown as StarknetAnswer;

function initiation(leg: ChainLeg, terms: Terms): Call {
  const {to, calldata} = answerOf(leg, terms).transaction;
  return {contractAddress: to, entrypoint: 'initiate', calldata};
}

const published = JSON.parse(
  readFileSync(new URL('../support/samples/starknet-order.json', import.meta.url), 'utf8'),
) as {result: StarknetAnswer};

describe('the Starknet ledger', () => {
  let leg: ChainLeg;
  before(async () => {
    leg = await startStarknetLeg(OPTIONS);
  });
  after(() => leg.close());

  it('answers in the published format', () => {
    const {transaction, typed_data} = answerOf(leg, {
      asset: ASSET,
      initiator: '0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933',
      redeemer: '0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205',
      timelock: 2880,
      amount: 50_000n,
      secretHash: 'e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a',
    });
    deepEqual(typed_data, published.result.typed_data);
    deepEqual(transaction, {...published.result.transaction, to: hex(BigInt(leg.assets[ASSET]?.contracts[0] ?? 0))});
  });

  it('works with starknet.js: a multicall of approval and payment, results and events by the ABI', async () => {
    const person = await Person.with(leg, ONE);
    const terms = person.order();
    const receipt = await person.execute(person.approval(ONE), initiation(leg, terms));
    ok(receipt.isSuccess());
    equal(await person.balance(), 0n);
    const {matchesTerms, filled, initiated} = leg.stateOf(terms);
    deepEqual({matchesTerms, filled}, {matchesTerms: true, filled: ONE});
    deepEqual([initiated?.hash, initiated?.block], [receipt.hash, receipt.block]);
    const address = leg.assets[ASSET]?.contracts[0] ?? '';
    const {abi} = await person.provider.getClassAt(address);
    const order = await person.provider.callContract({
      contractAddress: address,
      entrypoint: 'get_order',
      calldata: [`0x${leg.swapId(terms)}`],
    });
    deepEqual(new CallData(abi).parse('get_order', order), {
      fulfilled_at: 0n,
      initiator: BigInt(terms.initiator),
      redeemer: BigInt(terms.redeemer),
      initiated_at: BigInt(leg.height()),
      timelock: 120n,
      amount: ONE,
    });
    const [event] = new Contract({abi, address}).parseEvents(receipt);
    deepEqual(event?.['swap_widget::Initiated'], {
      order_id: BigInt(`0x${leg.swapId(terms)}`),
      secret_hash: toWords(terms.secretHash),
      amount: ONE,
    });
    const found = await person.provider.getEvents({
      address,
      keys: [[selector.getSelectorFromName('Initiated')], [`0x${leg.swapId(terms)}`]],
      from_block: {block_number: 0},
      to_block: 'latest',
      chunk_size: 10,
    });
    deepEqual(
      found.events.map(({transaction_hash}) => transaction_hash),
      [receipt.hash],
    );
  });

  it('initiates by its owner’s signature in each of its forms, and by none twice', async () => {
    const forms: ((signature: string[]) => unknown)[] = [
      parts => parts,
      parts => parts.map(part => BigInt(part).toString()),
      parts => parts.map(part => BigInt(part).toString()).join(','),
      ([r, s]) => ({r, s}),
    ];
    for (const form of forms) {
      const person = await Person.with(leg, ONE);
      ok((await person.execute(person.approval(ONE))).isSuccess());
      const terms = person.order();
      const signature = form(hexOf(await person.account.signMessage(answerOf(leg, terms).typed_data)));
      const sent = await leg.initiateSigned?.(terms, signature);
      equal(leg.stateOf(terms).initiated?.hash, sent);
      ok(leg.stateOf(terms).matchesTerms);
      equal(await person.balance(), 0n);
      await rejects(Promise.resolve(leg.initiateSigned?.(terms, signature)), /already initiated/);
    }
  });
});

const hexOf = (signature: Signature) => stark.formatSignature(signature).map(part => num.toHex(part));
