/**
 * A service that reports real transactions: any hash on a chain may be claimed to be an order's payment, payout, or
 * refund. These belong to others, and to other swaps of the payer and the recipient.
 */
import {createSandbox} from '../../demo/wallets/sandbox.js';
import type {AssetId, ChainFamily} from '../../src/domain/asset.js';
import {holds} from '../support/limits.js';
import type {NodeWorld} from '../support/node-session.js';
import {chainName} from '../support/parties.js';
import {entriesIn, fundingIn, shownIn, storyIn} from '../support/shown.js';
import {FAMILIES} from './judge.js';
import {asPaidBack, asPaidIn, asPaidOut, asTaken, plain, type Known} from './named.js';
import {
  demand,
  expire,
  isReadable,
  ON_CONTRACTS,
  PAID,
  PAYER_ALONE,
  PAYS_OUT,
  reads,
  takeBack,
  type Claim,
} from './scenes.js';
import {beginTold, Told} from './told.js';
import type {Deed} from './watch.js';

interface Past {
  readonly source: Known[];
  readonly destination: Known[];
}

/** Small amounts by family: on Bitcoin, the smallest worth spending. */
const LITTLE: Readonly<Record<ChainFamily, readonly bigint[]>> = {
  bitcoin: [600n],
  evm: [600n, 1n],
  solana: [2_000_000n],
  starknet: [600n, 1n],
};

/** An order of a person whose chains have many other transactions. */
class Eventful extends Told {
  readonly past: Past = {source: [], destination: []};

  /** Sends somebody money, as anybody may. */
  async give(asset: AssetId, address: string, amount: bigint, what: string): Promise<Known> {
    const hash = await this.swap.give(asset, amount, address);
    if (asset.startsWith('bitcoin')) await this.world.mine('bitcoin_testnet', 1);
    return {what, hash};
  }

  async earlierSwap(): Promise<void> {
    const {swap, man, past, world} = this;
    await swap.place();
    if ('bumpFee' in swap.payer) await swap.pay();
    let order = await this.truly();
    const isOver = await holds(async () => {
      if (swap.options.to.startsWith('bitcoin')) await world.mine('bitcoin_testnet', 1);
      order = await this.truly();
      return order.destination_swap.redeem_tx_hash !== '' && order.source_swap['redeem_tx_hash'] !== '';
    }, 20_000);
    demand(isOver, `the earlier swap did not end. ${swap.describe()}`);
    const {source_swap: source, destination_swap: destination} = order;
    const [paid, taken] = [source.initiate_tx_hash, source.redeem_tx_hash].map(plain);
    past.source.push({what: 'an earlier payment of the payer', hash: paid ?? ''});
    past.source.push({what: 'an earlier swap’s redeem by the solver', hash: taken ?? ''});
    past.destination.push({what: 'the solver’s earlier payment', hash: plain(destination.initiate_tx_hash)});
    past.destination.push({
      what: 'the payout of an earlier swap',
      hash: plain(destination.redeem_tx_hash),
      secret: destination['secret'] ?? '',
    });
    const approval = swap.calls.find(({params, result}) => result !== undefined && /095ea7b3/.test(text(params)));
    if (approval) past.source.push({what: 'an approval', hash: String(approval.result)});
    swap.session.reset();
    man.lie = {};
  }

  async earlierRefund(): Promise<void> {
    const {swap, man, past} = this;
    await this.faults({solverGone: true});
    await swap.place();
    if ('bumpFee' in swap.payer) await swap.pay();
    await holds(async () => (await this.truly()).source_swap.initiate_tx_hash !== '', 10_000);
    await expire(swap, man);
    // As anybody may; for as long again as the timelock it leaves that to the owner.
    const owners = Number((await this.truly()).source_swap['timelock']) + 1;
    for (let left = owners; left > 0 && !('bumpFee' in swap.payer); left -= 1_000) {
      await this.world.mine(chainName(swap.options.from), Math.min(left, 1_000));
    }
    const isBack = await holds(async () => (await this.truly()).source_swap.refund_tx_hash !== '', 15_000);
    demand(isBack, `the earlier swap was not paid back. ${swap.describe()}`);
    const {source_swap: source} = await this.truly();
    past.source.push({what: 'an earlier refund to the payer', hash: plain(source.refund_tx_hash)});
    swap.session.reset();
  }

  faults(faults: Record<string, unknown>): Promise<void> {
    return createSandbox(this.world.url).setFaults(this.swap.client.appId, faults);
  }

  /** Transfers that anybody could have made. */
  async transfers(when: 'before' | 'after'): Promise<void> {
    const {swap, past, world} = this;
    const {from, to} = swap.options;
    const {deal} = shownIn(swap.session) ?? {};
    const expected = deal?.agreed.receive ?? 1_000_000n;
    const family = world.chainOf(to).family;
    const out = [...(when === 'before' ? LITTLE[family] : LITTLE[family].slice(0, 1)), expected, 9n * expected];
    for (const amount of out) {
      const isEnough = amount >= expected;
      const known = await this.give(to, swap.recipient, amount, `${String(amount)} to the recipient ${when} the order`);
      past.destination.push({...known, isEnough});
    }
    for (const amount of when === 'before' ? [swap.amount, 2_000_000n] : [swap.amount]) {
      past.source.push(
        await this.give(from, swap.payer.account, amount, `${String(amount)} to the payer ${when} the order`),
      );
    }
  }
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));

const NOT_PAID = ['awaiting-deposit', 'funding', 'expired', 'refunding', 'stopped'];

/** Nothing is paid, and each transaction is reported as the payment. */
async function tellOfPayment(stage: Eventful, isRead: boolean): Promise<number> {
  const {swap, past} = stage;
  const all = [...past.source, ...past.destination.slice(0, 1)];
  for (const known of all) {
    await stage.tell(`${known.what} as the payment`, asPaidIn(known));
    const story = storyIn(swap.session);
    stage.demand(
      !isRead || NOT_PAID.includes(swap.stage),
      `the page says ${swap.stage} (${String(story?.paidIn.certainty)})`,
    );
    await stage.tell(`${known.what} as the payment, and as the payout`, {
      read: order => {
        asPaidIn(known).read(order);
        asPaidOut(past.destination.at(-1) ?? known).read(order);
      },
    });
    stage.demand(
      !isRead || !['complete', 'settling'].includes(swap.stage),
      `the page says ${swap.stage} before anybody paid (${String(story?.paidOut.certainty)})`,
    );
  }
  return 2 * all.length;
}

/** It is paid and held by its contract. Each transaction is reported as the payout, the refund, and the redeem. */
async function tellOfEnds(
  stage: Eventful,
  {isSourceRead, isTargetRead, most = Infinity}: {isSourceRead: boolean; isTargetRead: boolean; most?: number},
): Promise<number> {
  const {swap, past} = stage;
  const entry = () => entriesIn(swap.session).find(({orderId}) => orderId === stage.orderId);
  const outs = [...past.destination, ...past.source.slice(0, 2)].slice(-most);
  const backs = [...past.source, ...past.destination.slice(-2)].slice(-most);
  const stays = (what: string) => {
    const {stage: at, isHeld, paidBack} = storyIn(swap.session) ?? {};
    if (!isSourceRead) return;
    stage.demand(isHeld === true, `${what}: it is not said to be held`);
    stage.demand(at !== 'refunded', `${what}: the page says refunded (${String(paidBack?.certainty)})`);
    if (ON_CONTRACTS.some(family => family === swap.world.chainOf(swap.options.from).family)) {
      stage.demand(entry()?.isHeld === true, `${what}: the list does not have it as held`);
    }
  };
  for (const known of outs) {
    await stage.tell(`${known.what} as the payout`, asPaidOut(known));
    const {stage: at, witness, paidOut} = storyIn(swap.session) ?? {};
    const how = `the page says ${String(at)} (${String(paidOut?.certainty)}, ${String(witness)})`;
    stage.demand(at !== 'complete' || !isTargetRead || known.isEnough === true, how);
    stays('as the payout');
  }
  for (const known of backs) {
    await stage.tell(`${known.what} as the refund`, asPaidBack(known));
    stays('as the refund');
  }
  for (const known of backs.slice(-3)) {
    await stage.tell(`${known.what} as what took it`, asTaken(known));
    stays('as what took it');
  }
  return outs.length + backs.length + Math.min(3, backs.length);
}

/** The order is read for the list while it is not displayed, and then displayed again. */
async function throughTheList(stage: Eventful, known: Known, isTargetRead: boolean): Promise<void> {
  const {swap, nodes} = stage;
  const {orderId} = stage;
  swap.session.reset();
  for (const lie of [asPaidOut(known), asPaidBack(known)]) {
    await stage.tell(`${known.what}, in the list`, lie);
    // Leaving an order reads the others.
    swap.session.openJournal();
    swap.session.openOrder(orderId);
    swap.session.reset();
    await nodes.quiet(300);
    const {stage: at} = entriesIn(swap.session).find(entry => entry.orderId === orderId) ?? {};
    stage.demand(at !== 'complete' || !isTargetRead || known.isEnough === true, `the list says ${String(at)}`);
  }
  swap.session.openOrder(orderId);
  await nodes.quiet();
}

/** Everything: before and after the payment, after a reload, for a stranger, in the list, and after the timelock. */
async function allOfIt(world: NodeWorld, family: ChainFamily, rpc: boolean): Promise<string> {
  const stage = new Eventful(...(await beginTold(world, family, {rpc})));
  const {swap, man, owner} = stage;
  const isSourceRead = isReadable(family, rpc);
  const onContract = ON_CONTRACTS.some(one => one === family);
  try {
    await stage.earlierSwap();
    await stage.earlierRefund();
    await stage.transfers('before');
    await stage.faults(PAYER_ALONE);
    owner.refuses = !('bumpFee' in swap.payer);
    await swap.place().catch(() => undefined);
    stage.listen();
    let count = await tellOfPayment(stage, isSourceRead);
    owner.refuses = false;
    await stage.tell('the truth', {});
    const isPayable = 'bumpFee' in swap.payer ? swap.shownAddress : /awaiting-deposit|funding/.test(swap.stage);
    stage.demand(!isSourceRead || isPayable, `it cannot be paid any more: ${swap.describe()}`);
    if (!isPayable) {
      // A payment that only the service can report was reported, and is gone.
      swap.session.reset();
      await swap.place();
      stage.listen();
    }
    if (fundingIn(swap.session).unclear) await swap.session.answer(false);
    // The page may see the payment before the service does.
    stage.truth = new Set<Deed>(['paid in']);
    await swap.pay();
    demand(
      await holds(async () => (await stage.truly()).source_swap.initiate_tx_hash !== '', 10_000),
      `the payment did not get to the chain. ${swap.describe()} ${stage.said.join('; ')}`,
    );
    await reads(swap, () => PAID.includes(swap.stage));
    await stage.transfers('after');
    stage.past.source.push({
      what: 'the payment itself',
      hash: plain((await stage.truly()).source_swap.initiate_tx_hash),
    });
    swap.stranger().session.openOrder(stage.orderId);
    stage.listen();
    count += await tellOfEnds(stage, {isSourceRead, isTargetRead: rpc});
    swap.reload();
    stage.listen();
    await stage.tell('the truth', {});
    count += await tellOfEnds(stage, {isSourceRead, isTargetRead: rpc, most: 3});
    await throughTheList(stage, stage.past.destination[0]!, rpc);
    const back = stage.past.source.find(({what}) => what.includes('refund')) ?? stage.past.source[0]!;
    await expire(swap, man);
    if (onContract && isSourceRead) {
      const isOffered = await holdsAt(stage, back);
      stage.demand(isOffered, `no refund among ${String(storyIn(swap.session)?.actions)} (${swap.stage})`);
      man.lie = asPaidOut(stage.past.destination.at(-1)!);
      stage.truth = new Set<Deed>(['paid in', 'paid back']);
      await takeBack({swap, family}).catch((error: unknown) => stage.demand(false, String(error)));
    }
    return stage.verdict(count);
  } finally {
    stage.end();
  }
}

/** After the timelock: whatever is reported, the refund remains available. */
async function holdsAt(stage: Eventful, back: Known): Promise<boolean> {
  const {swap} = stage;
  for (const {host} of swap.tabs) host.ahead = 40 * 24 * 3_600_000;
  const hasRefund = () => storyIn(swap.session)?.actions.includes('refund') === true;
  let isSo = true;
  for (const lie of [asPaidBack(back), asPaidOut(stage.past.destination.at(-1)!), {}]) {
    await stage.tell('an end, past the timelock', lie);
    isSo = (await reads(swap, hasRefund, 4_000)) && isSo;
  }
  return isSo;
}

async function payoutsOn(world: NodeWorld, family: ChainFamily, rpc: boolean): Promise<string> {
  const stage = new Eventful(...(await beginTold(world, 'evm', {rpc, pair: PAYS_OUT[family]})));
  const {swap} = stage;
  try {
    await stage.earlierSwap();
    await stage.transfers('before');
    await stage.faults(PAYER_ALONE);
    await swap.place();
    // The wallet has paid: the page may see that before the service does.
    stage.truth = new Set<Deed>(['paid in']);
    stage.listen();
    demand(
      await holds(async () => (await stage.truly()).source_swap.initiate_tx_hash !== '', 10_000),
      `the payment did not get to the chain. ${swap.describe()}`,
    );
    await reads(swap, () => PAID.includes(swap.stage));
    await stage.transfers('after');
    swap.stranger().session.openOrder(stage.orderId);
    stage.listen();
    const count = await tellOfEnds(stage, {isSourceRead: true, isTargetRead: rpc});
    await throughTheList(stage, stage.past.destination[0]!, rpc);
    return stage.verdict(count);
  } finally {
    stage.end();
  }
}

const both = [true, false];

export const OTHERS: readonly Claim[] = [
  ...FAMILIES.flatMap(family =>
    both.map(rpc => ({
      name: 'others’ real transactions, as anything',
      family,
      rpc,
      isAlone: true,
      run: (world: NodeWorld) => allOfIt(world, family, rpc),
    })),
  ),
  ...(Object.keys(PAYS_OUT) as ChainFamily[]).flatMap(family =>
    both.map(rpc => ({
      name: 'others’ real transactions, as the payout on this chain',
      family,
      rpc,
      isAlone: family === 'bitcoin',
      run: (world: NodeWorld) => payoutsOn(world, family, rpc),
    })),
  ),
];
