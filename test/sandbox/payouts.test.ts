/** Earnings from swaps, compared with the sandbox's weekly payouts on its chains. */
import {setTimeout as pause} from 'node:timers/promises';
import {addressOf} from '../../demo/sandbox/chains/anvil.js';
import {createSwapApi} from '../../src/api/settings.js';
import type {AssetId, AssetSettings} from '../../src/domain/asset.js';
import type {SwapError} from '../../src/domain/error.js';
import {createFeeLedger, type FeeLedger} from '../../src/domain/fee-ledger.js';
import {checkPayouts, type CheckPayoutsOptions, type PayoutWeek} from '../../src/server.js';
import {expect} from '../support/expect.js';
import {newAddress} from '../support/evm-key.js';
import {startSandbox} from '../support/sandbox.js';
import {Person, SandboxClient, WBTC, balanceOf, placeOrder, type OrderRead, type SandboxInfo} from './client.js';

const USDC = 'base_sepolia:usdc';
const CBBTC = 'ethereum_sepolia:cbbtc';
const PURSE = addressOf('affiliate purse');
const AMOUNT = 10_000_000n;
const FEE = {orderId: '1', isComplete: true, completedAt: 0, asset: 'base:usdc', address: PURSE, amount: 1n} as const;
const isComplete = ({destination_swap, source_swap}: OrderRead) =>
  destination_swap.redeem_tx_hash !== '' && source_swap.redeem_tx_hash !== '';

// It ends weeks for everybody, so this file has its own chains.
let own: Awaited<ReturnType<typeof startSandbox>>;
let info: SandboxInfo & {clock: {weekEnds: number[]}};
before(async () => {
  own = await startSandbox();
});
after(() => own.close());

/** A partner: an app, a payee, a ledger. */
class Partner {
  readonly client = SandboxClient.forAppOfItsOwn(own);
  readonly payee = newAddress();
  readonly ledger: FeeLedger = createFeeLedger();
  readonly #api = createSwapApi({baseUrl: own.url, appId: this.client.appId});
  #swaps = 0;

  /** A swap that earns fees, as reported to the page. */
  async earn(assets: readonly string[] = [USDC, CBBTC]) {
    const owner = await Person.with(this.client, WBTC, AMOUNT);
    await owner.approve(WBTC, AMOUNT);
    // Services and pages write addresses in upper and lower case.
    const address = this.#swaps++ % 2 ? this.payee.toLowerCase() : this.payee;
    const fees = assets.map((asset, at) => ({asset, address, fee: 10 + at}));
    const {order_id: orderId, typed_data} = await placeOrder(this.client, owner, {fees});
    await this.client.initiate(orderId, await owner.sign(typed_data));
    await this.client.until(orderId, isComplete);
    const affiliateFees = fees.map(({asset, fee}) => ({asset: asset as AssetId, address, bps: fee}));
    this.ledger.add({orderId, agreed: {affiliateFees}});
    await this.ledger.reconcile(id => this.#api.readOrder(id));
  }

  async endWeek(faults: Record<string, unknown> = {}) {
    // Blocks that are made in one second are dated by the next ones.
    const last = Math.max(...this.ledger.fees.map(({completedAt = 0}) => completedAt));
    while (Date.now() <= last) await pause(20);
    await this.client.faults(faults);
    await this.client.control('payout', {});
    info = (await this.client.info()) as typeof info;
  }

  /** A week with one swap. */
  async week(faults: Record<string, unknown> = {}, assets?: readonly string[]) {
    await this.earn(assets);
    await this.endWeek(faults);
  }

  check() {
    return checkPayouts({
      fees: this.ledger.fees,
      rpc: Object.fromEntries(['base_sepolia', 'ethereum_sepolia'].map(name => [name, info.chains[name]!.rpc])),
      assets: [USDC, CBBTC].map((id): AssetSettings => {
        const {token, decimals} = assetOf(id);
        return {id: id as AssetId, token: token!, decimals};
      }),
      weekEnds: info.clock.weekEnds,
      graceHours: 0,
    });
  }

  /** What it received of an asset. */
  balance(asset: string) {
    return balanceOf(info.chains[asset.split(':')[0]!]!, asset, this.payee);
  }
}

function assetOf(id: string) {
  return info.chains[id.split(':')[0]!]!.assets[id]!;
}

const told = (weeks: readonly PayoutWeek[], asset: string) =>
  weeks.filter(week => week.asset === asset).map(({verdict}) => verdict);
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

describe('a dropped payout and a short one among five weeks', () => {
  let partner: Partner;
  let weeks: readonly PayoutWeek[];
  before(async () => {
    partner = new Partner();
    for (const faults of [{}, {}, {payoutDropped: true}, {payoutShort: {bps: 2_500}}, {}]) await partner.week(faults);
    ({weeks} = await partner.check());
  });

  it('are both reported, on two chains', () => {
    for (const asset of [USDC, CBBTC]) {
      expect(told(weeks, asset)).to.deep.equal(['paid', 'paid', 'missing', 'short', 'paid']);
    }
  });

  it('are reported with the missing amount, as the payee’s balance confirms', async () => {
    for (const asset of [USDC, CBBTC]) {
      const own = weeks.filter(week => week.asset === asset);
      const [, , dropped, short] = own;
      expect(dropped!.difference).to.equal(-dropped!.owed);
      expect(short!.paid).to.equal((short!.owed * 7_500n) / 10_000n);
      expect(short!.difference).to.equal(short!.paid! - short!.owed);
      expect(sum(own.map(({paid}) => paid ?? 0n))).to.equal(await partner.balance(asset));
      expect(sum(own.map(({owed}) => owed))).to.equal(
        sum(partner.ledger.fees.filter(fee => fee.asset === asset).map(({amount}) => amount ?? 0n)),
      );
      expect(own.every(({owed}) => owed > 0n)).to.equal(true);
    }
  });
});

describe('an invalid option', () => {
  const cases: [string, Partial<CheckPayoutsOptions>][] = [
    ['fees', {fees: {} as never}],
    ['rpc', {rpc: undefined as never}],
    ['weekEnds', {weekEnds: [2, 1]}],
    ['weekEnds', {weekEnds: NaN}],
    ['graceHours', {graceHours: -1}],
    ['payers.base', {payers: {base: 'nobody'}}],
    ['payers.base', {payers: {base: []}}],
    ['payers.bse', {payers: {bse: PURSE}}],
    ['assets', {fees: [{...FEE, asset: 'base:nothing'}]}],
  ];
  it('is reported by name', async () => {
    for (const [field, options] of cases) {
      const refused = await checkPayouts({fees: [], rpc: {}, ...options}).catch((error: unknown) => error as SwapError);
      expect(refused, field).to.include({code: 'config'});
      expect((refused as SwapError).field).to.match(new RegExp(`^${field}`));
    }
  });
});
