/**
 * False claims that a service could make about a swap, of which only the chains can tell what they led to. Each is a case
 * on each family that it concerns. What a session makes of any other is told in `domain/evidence` and `session/order`.
 */
import {holds} from '../support/limits.js';
import {isAct} from '../support/node-session.js';
import {beginHostile} from './judge.js';
import {read, refusal} from './man.js';
import {OTHERS} from './others.js';
import {
  BY_SIGNATURE,
  claims,
  demand,
  deposit,
  ENDS,
  expire,
  isReadable,
  keptSignature,
  ON_CONTRACTS,
  PAID,
  paidOnce,
  PAYER_ALONE,
  reads,
  takeBack,
  type Claim,
} from './scenes.js';
import {UNREADABLE} from './unreadable.js';

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
];

export const CLAIMS: readonly Claim[] = [...SIGNATURES, ...REFUNDS, ...OTHERS, ...UNREADABLE];
