/**
 * False claims that a service could make about a swap, and their required results. Each claim is a case on each family
 * that it concerns, with and without readable chains. If a case ends with money, the chains are read.
 */
import {isAct, type NodeSwap} from '../support/node-session.js';
import type {Fields, Json} from '../sandbox/client.js';
import {beginHostile, FAMILIES, holds, PAIRS} from './judge.js';
import {read, refusal, type Lie} from './man.js';
import {OTHERS} from './others.js';
import {THIEF} from './lies.js';
import {entriesIn, fundingIn} from '../support/shown.js';
import {
  AGREED,
  BY_SIGNATURE,
  claims,
  demand,
  deposit,
  ENDS,
  expire,
  isDone,
  isReadable,
  keptSignature,
  NOTHING,
  ON_CONTRACTS,
  orderOf,
  PAID,
  paidOnce,
  PAYER_ALONE,
  reads,
  takeBack,
  type Claim,
} from './scenes.js';
import {UNREADABLE} from './unreadable.js';

/** Places an order, and reads repeatedly whether another amount than agreed is due. */
async function isAllDue(swap: NodeSwap): Promise<string> {
  await swap.place();
  await reads(swap, () => swap.shownAddress?.amount !== AGREED.bitcoin, 2_000);
  const {amount} = swap.shownAddress ?? {};
  demand(amount === undefined || amount === AGREED.bitcoin, `${String(amount)} is shown as the exact amount`);
  return `${String(amount)} is due`;
}

/* -- signatures ------------------------------------------------------------------------------------------------------------ */

const SIGNATURES: readonly Claim[] = [
  ...claims(
    'a signature is rejected with a message, and still used',
    BY_SIGNATURE,
    async ({swap, man, family}) => {
      let signatures = 0;
      man.lie = {
        initiate: async ({pass}) => {
          signatures++;
          await pass();
          return refusal('gasless initiation is not available for this asset');
        },
      };
      await swap.place();
      for (let press = 0; press < 3; press++) await swap.session.pay('transaction');
      const isOn = await reads(swap, () => PAID.includes(swap.stage));
      await paidOnce(swap, family);
      demand(signatures > 0, 'no signature came');
      demand(isOn, `the payment is on the chain, and the page says ${swap.stage}`);
      return `${swap.stage}, paid once`;
    },
    {only: isReadable},
  ),
  ...claims(
    'no chain says whether another contract could use a signature that names none',
    ['starknet'],
    async ({swap, man, family}) => {
      let signatures = 0;
      man.lie = {initiate: ({pass}) => (signatures++, pass())};
      await swap.place();
      const isOn = await reads(swap, () => PAID.includes(swap.stage));
      await paidOnce(swap, family);
      demand(signatures === 0, 'it was given');
      demand(isOn, `the payment is on the chain, and the page says ${swap.stage}`);
      return `paid by a call, ${swap.stage}`;
    },
    {only: (_, rpc) => !rpc},
  ),
  ...claims(
    'a signature is rejected with a message, and used after the same order was paid by transaction',
    BY_SIGNATURE,
    async ({swap, man, family}) => {
      const {lie, use} = keptSignature();
      man.lie = lie;
      await swap.place();
      await swap.session.pay('transaction');
      await use();
      const isOn = await reads(swap, () => PAID.includes(swap.stage));
      await paidOnce(swap, family);
      demand(isOn, `it was paid by transaction, and the page says ${swap.stage}`);
      return `${swap.stage}, paid once`;
    },
    {only: isReadable},
  ),
  ...claims(
    'a signature is kept, and a new order’s approval would cover it',
    BY_SIGNATURE,
    async ({swap, man, family}) => {
      const {lie, use} = keptSignature();
      man.lie = lie;
      await swap.place();
      const first = swap.orderId;
      const {session} = swap;
      session.reset();
      await swap.review();
      const named = () => session.$journal.get().live.some(({orderId}) => orderId === first);
      demand(await holds(named, 2_000), 'the review does not say what the old signature may still take');
      await session.revoke(first);
      const {state} = session.$journal.get().revoking;
      demand(state === 'ready', `the allowance was not revoked: ${state} ${swap.describe()}`);
      await use();
      const {paid} = await swap.moved();
      demand(paid === 0n, `the signature took ${String(paid)} after it was revoked`);
      return `the review names it, and revoking stops it (${family})`;
    },
    {only: isReadable},
  ),
];

/* -- ids and addresses -------------------------------------------------------------------------------------------------------- */

const IDS: readonly Claim[] = [
  ...claims('a new order gets the id of an earlier one that is paid', FAMILIES, async ({swap, man}) => {
    await deposit(swap, man);
    await swap.until('complete');
    const first = swap.orderId;
    const entry = () => entriesIn(swap.session).find(({orderId}) => orderId === first);
    const text = () =>
      JSON.stringify(entry(), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    const before = entry();
    demand(before, 'the first order is not in the journal');
    const acts = swap.acts.length;
    man.lie = {order: result => ({...result, order_id: first})};
    swap.session.reset();
    await swap.review();
    await swap.session.placeOrder();
    demand(
      JSON.stringify(before.placedAt) === JSON.stringify(entry()?.placedAt),
      `the first entry was overwritten: ${text().slice(0, 80)}`,
    );
    demand(swap.acts.length === acts, 'the wallet was asked for the second order');
    return 'refused, the first entry stays';
  }),
  ...claims('an order shows the address of an earlier one whose secret is public', ['bitcoin'], async ({swap, man}) => {
    await deposit(swap, man);
    await swap.until('complete');
    const {result} = man.truths.find(({endpoint}) => endpoint === 'order') ?? {};
    const old = await swap.client.read(man.orderIds[0] ?? '');
    const address = String((result as Fields)['to']);
    man.lie = {
      order: placed => ({...placed, to: address}),
      read: order => {
        for (const leg of ['source_swap', 'destination_swap'] as const) {
          const {redeemer, initiator} = order[leg];
          Object.assign(
            order[leg],
            old[leg],
            NOTHING,
            leg === 'destination_swap'
              ? {redeemer, amount: order[leg]['amount']}
              : {initiator, amount: order[leg]['amount']},
          );
        }
      },
    };
    swap.session.reset();
    await swap.review();
    await swap.session.placeOrder();
    demand(!(await holds(() => swap.shownAddress, 3_000)), 'the old address is shown again');
    return 'it is not shown';
  }),
];

/* -- before and after a payment -------------------------------------------------------------------------------------------------- */

const BEFORE: readonly Claim[] = [
  ...claims(
    'complete, before anybody paid',
    FAMILIES,
    async ({swap, man}) => {
      man.lie = ENDS['complete'] ?? {};
      await swap.place().catch(() => undefined);
      await reads(swap, () => swap.stage === 'complete', 3_000);
      demand(
        swap.stage !== 'complete' && !swap.tab.told().includes('complete'),
        `the page says complete. ${swap.describe()} ${JSON.stringify(fundingIn(swap.session).walletRequests)}`,
      );
      return undefined;
    },
    {answers: ({kind}) => kind === 'connect'},
  ),
  ...claims('complete, before the displayed address was paid', ['bitcoin'], async ({swap, man}) => {
    await swap.place();
    await swap.when(() => swap.shownAddress, 'no address was shown');
    man.lie = ENDS['complete'] ?? {};
    await reads(swap, () => swap.stage === 'complete', 3_000);
    demand(
      swap.stage !== 'complete' && !swap.tab.told().includes('complete'),
      `the page says complete. ${swap.describe()} ${JSON.stringify(fundingIn(swap.session).walletRequests)}`,
    );
    return undefined;
  }),
  ...claims('half of the amount, before anybody paid', ['bitcoin'], async ({swap, man}) => {
    man.lie = read(({source_swap}) => void Object.assign(source_swap, {filled_amount: '50000'}));
    return isAllDue(swap);
  }),
  ...claims(
    'half of the amount by a nonexistent transaction, before anybody paid',
    ['bitcoin'],
    async ({swap, man}) => {
      man.lie = read(({source_swap}) => void Object.assign(isDone(source_swap, 'initiate'), {filled_amount: '50000'}));
      return isAllDue(swap);
    },
    {only: (_, rpc) => rpc},
  ),
];

const AFTER: readonly Claim[] = [
  ...claims(
    'half of a full payment arrived',
    ['bitcoin'],
    async ({swap, man}) => {
      await swap.client.faults({solverGone: true});
      man.lie = read(({source_swap}) => void Object.assign(source_swap, {filled_amount: '50000'}));
      await deposit(swap, man);
      // Until it reads, the page shows the state before the payment.
      await reads(swap, () => swap.shownAddress?.amount !== AGREED.bitcoin);
      await reads(swap, () => swap.shownAddress, 2_000);
      demand(!swap.shownAddress, `${String(swap.shownAddress?.amount)} more are asked for`);
      demand(PAID.includes(swap.stage), `the page says ${swap.stage}`);
      return undefined;
    },
    {only: (_, rpc) => rpc},
  ),
  ...claims(
    'a payment left the chain again',
    ['bitcoin'],
    async ({swap, man}) => {
      await swap.client.faults({solverGone: true});
      await deposit(swap, man);
      await reads(swap, () => PAID.includes(swap.stage));
      man.lie = ENDS['nothing was paid'] ?? {};
      await reads(swap, () => !PAID.includes(swap.stage), 3_000);
      demand(!swap.shownAddress && PAID.includes(swap.stage), `the page says ${swap.stage}`);
      return undefined;
    },
    {only: (_, rpc) => rpc},
  ),
  ...claims(
    'a payment is never reported',
    FAMILIES,
    async ({swap, man}) => {
      await swap.client.faults({solverGone: true});
      man.lie = ENDS['nothing was paid'] ?? {};
      await deposit(swap, man);
      const isOn = await reads(swap, () => PAID.includes(swap.stage) && orderOf(swap)?.source.initiated?.onChain);
      demand(isOn, `the chain has the payment, and the page says ${swap.stage}`);
      for (const {host} of swap.tabs) host.ahead = 3 * 3_600_000;
      await reads(swap, () => swap.stage === 'expired', 3_000);
      demand(swap.stage !== 'expired', 'after its time the page says expired');
      return undefined;
    },
    {only: isReadable},
  ),
  ...claims(
    'a payment is never reported, and no chain can be read',
    ['solana', 'starknet'],
    async ({swap, man}) => {
      await swap.client.faults({solverGone: true});
      man.lie = ENDS['nothing was paid'] ?? {};
      await deposit(swap, man);
      await reads(swap, () => swap.stage !== 'funding', 3_000);
      demand(swap.stage === 'funding', `the page says ${swap.stage}`);
      demand(!orderOf(swap)?.source.initiated?.onChain, 'something is said to be on a chain that was not read');
      return undefined;
    },
    {only: (_, rpc) => !rpc},
  ),
  ...(['recipient', 'amount', 'fees'] as const).flatMap(what =>
    claims(`other ${what} after the payment`, FAMILIES, async ({swap, man}) => {
      await swap.client.faults({solverGone: true});
      await deposit(swap, man);
      await reads(swap, () => PAID.includes(swap.stage));
      man.lie = read(order => {
        const {destination_swap: leg} = order;
        if (what === 'recipient') leg['redeemer'] = THIEF.evm;
        if (what === 'amount') leg['amount'] = String(BigInt(String(leg['amount'])) / 2n);
        if (what === 'fees')
          order['affiliate_fees'] = [{asset: 'base_sepolia:usdc', address: THIEF.evm, fee: 500, amount: '1'}] as Json;
      });
      const isSaid = () => swap.tab.told().includes('error order-changed');
      demand(await reads(swap, isSaid), 'nothing is said');
      const {changed} = entriesIn(swap.session).find(({orderId}) => orderId === swap.orderId) ?? {};
      demand(changed, 'it is not kept');
      return 'said and kept';
    }),
  ),
];

const PAYOUTS: readonly Claim[] = (['before', 'after'] as const).flatMap(when =>
  claims(
    `complete, with the payout of an earlier swap to the same recipient, ${when} the payment`,
    FAMILIES,
    async ({swap, man}) => {
      await deposit(swap, man);
      await swap.until('complete');
      const {destination_swap: earlier} = await swap.client.read(man.orderIds[0] ?? '');
      await swap.client.faults({solverGone: true});
      const lie = read(({destination_swap}) => {
        const {initiate_tx_hash, redeem_tx_hash, redeem_block_number, secret} = earlier;
        Object.assign(destination_swap, {initiate_tx_hash, redeem_tx_hash, redeem_block_number, secret});
      });
      const heard = swap.tab.events.length;
      // With another clock, a swap from minutes ago may be a current one.
      swap.tab.host.ahead = 24 * 3_600_000;
      swap.session.reset();
      if (when === 'before') {
        man.lie = lie;
        await swap.place();
      } else {
        await deposit(swap, man);
        man.lie = lie;
      }
      const isSaid = () => swap.tab.events.slice(heard).some(({type}) => type === 'complete');
      await reads(swap, isSaid, 4_000);
      demand(!isSaid(), `the page says ${swap.stage}: ${swap.tab.told().slice(heard).join(', ')}`);
      return undefined;
    },
    {only: (_, rpc) => rpc},
  ),
);

/* -- the refund that the contract would pay ------------------------------------------------------------------------------------------ */

const REFUNDS: readonly Claim[] = [
  ...Object.entries(ENDS).flatMap(([end, lie]) =>
    claims(
      `${end}, reported after a payment and after the timelock`,
      ON_CONTRACTS,
      async ({swap, man, family}) => {
        await swap.client.faults(PAYER_ALONE);
        await deposit(swap, man);
        await reads(swap, () => PAID.includes(swap.stage));
        man.lie = lie;
        await reads(swap, () => !PAID.includes(swap.stage) || swap.stage === 'complete', 1_500);
        await expire(swap, man);
        return takeBack({swap, family});
      },
      {isAlone: true, only: isReadable},
    ),
  ),
  ...claims(
    'nothing: the service is gone, and the page is reloaded',
    ON_CONTRACTS,
    async ({swap, man, family}) => {
      await swap.client.faults(PAYER_ALONE);
      await deposit(swap, man);
      man.lie = ENDS['nothing: the service is gone'] ?? {};
      await expire(swap, man);
      swap.reload();
      return takeBack({swap, family});
    },
    {isAlone: true, only: isReadable},
  ),
  ...claims(
    'another deposit’s id',
    ON_CONTRACTS,
    async ({swap, man, family, world}) => {
      const other = await beginHostile(world, family);
      await other.swap.client.faults(PAYER_ALONE);
      await deposit(other.swap, other.man);
      const {source_swap: theirs} = await other.swap.client.read(other.man.orderIds[0] ?? '');
      other.swap.end();
      await swap.client.faults(PAYER_ALONE);
      man.lie = read(({source_swap}) => void Object.assign(source_swap, {swap_id: theirs['swap_id']}));
      await deposit(swap, man);
      await expire(swap, man);
      const before = swap.calls.length;
      const end = await takeBack({swap, family});
      const asked = JSON.stringify(
        swap.calls
          .slice(before)
          .filter(isAct)
          .map(({params}) => params),
      );
      demand(
        !asked.includes(String(theirs['swap_id']).replace(/^0x0*/, '')),
        'the wallet is asked to refund the other’s deposit',
      );
      return end;
    },
    {isAlone: true, only: isReadable},
  ),
  ...claims(
    'typed data of another generation of contracts, paid by transaction',
    ['evm'],
    async ({swap, man, family}) => {
      await swap.client.faults(PAYER_ALONE);
      man.lie = {
        order: result => void Object.assign((result['typed_data'] as {domain: Fields}).domain, {version: '3'}),
      };
      await deposit(swap, man);
      await expire(swap, man);
      return takeBack({swap, family});
    },
    {isAlone: true, way: 'transaction'},
  ),
  ...claims(
    'hashes of a megabyte',
    FAMILIES,
    async ({swap, man, family}) => {
      await swap.client.faults(PAYER_ALONE);
      await deposit(swap, man);
      await reads(swap, () => PAID.includes(swap.stage));
      man.lie = read(({source_swap}) => void Object.assign(source_swap, {initiate_tx_hash: 'ab'.repeat(500_000)}));
      await reads(swap, () => false, 2_000);
      const {storage} = swap.browser;
      const size = Array.from(
        {length: storage?.length ?? 0},
        (_, at) => storage?.getItem(storage.key(at) ?? '') ?? '',
      ).join('').length;
      demand(size < 100_000, `${String(size)} characters are kept`);
      if (family === 'bitcoin') return `${String(size)} characters are kept`;
      await expire(swap, man);
      return takeBack({swap, family});
    },
    {isAlone: true, only: isReadable},
  ),
];

/* -- time, and what is accepted by design -------------------------------------------------------------------------- */

const TIMES: readonly Claim[] = ['2160000', '1000000000000'].flatMap(seconds =>
  claims(`Retry-After of ${seconds} seconds`, ['evm'], async ({swap, man}) => {
    await swap.place();
    man.lie = {instead: () => refusal('too many requests', 429, {'retry-after': seconds})};
    const before = man.requests.length;
    swap.session.refresh();
    await new Promise(resolve => setTimeout(resolve, 4_000));
    const count = man.requests.length - before;
    const longest = Math.max(0, ...swap.tab.host.timers);
    demand(count <= 8, `${String(count)} requests in four seconds`);
    demand(longest <= 2 ** 31 - 1, `a timer of ${String(longest)} ms, which fires at once`);
    return `${String(count)} requests in four seconds`;
  }),
);

/** A thief's redeemer and secret in all responses: only a partner who knows the redeemers can detect it. */
const thiefEverywhere = (): Lie => {
  const hash = '5a'.repeat(32);
  const redeemer = THIEF.evm.slice(2);
  return {
    order: result => {
      const transaction = result['transaction'] as Fields;
      const data = String(transaction['data']);
      transaction['data'] = `${data.slice(0, 34)}${redeemer}${data.slice(74, 202)}${hash}`;
      Object.assign((result['typed_data'] as Fields)['message'] as Fields, {
        redeemer: THIEF.evm,
        secretHash: `0x${hash}`,
      });
    },
    read: ({source_swap, destination_swap}) => {
      Object.assign(source_swap, {redeemer: THIEF.evm, secret_hash: hash});
      Object.assign(destination_swap, {secret_hash: hash});
    },
  };
};

const BY_DESIGN: readonly Claim[] = claims(
  'a thief’s redeemer and secret in all responses, if the partner set the redeemers',
  ['evm'],
  async ({swap, man}) => {
    man.lie = thiefEverywhere();
    await swap.place().catch(() => undefined);
    demand(!swap.acts.length, `the wallet was asked: ${swap.acts.map(({method}) => method).join(', ')}`);
    return undefined;
  },
  // A redeemer other than the thief.
  {policy: {unverified: 'ask', redeemers: {[PAIRS.evm.from]: [`0x${'11'.repeat(20)}`]}}},
);

/** All claims. */
export const CLAIMS: readonly Claim[] = [
  ...SIGNATURES,
  ...IDS,
  ...BEFORE,
  ...AFTER,
  ...PAYOUTS,
  ...TIMES,
  ...BY_DESIGN,
  ...REFUNDS,
  ...OTHERS,
  ...UNREADABLE,
];
