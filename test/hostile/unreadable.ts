/**
 * A service that lies while a chain read fails, whichever it is, and then tells the truth; and two tabs that have read
 * different states of a chain. Afterwards the page, its list and its storage match the chains.
 */
import type {ChainFamily} from '../../src/domain/asset.js';
import type {NodeWorld} from '../support/node-session.js';
import type {Fields} from '../sandbox/client.js';
import {TestStorage} from '../support/storage.js';
import {entriesIn, storyIn} from '../support/shown.js';
import {FAMILIES, PAIRS} from './judge.js';
import {read, type Lie} from './man.js';
import {asPaidBack, asPaidOut, asTaken, inventedHash} from './named.js';
import {demand, deposit, expire, PAID, PAYER_ALONE, PAYS_OUT, reads, takeBack, type Claim} from './scenes.js';
import {beginTold, Told} from './told.js';
import type {Deed} from './watch.js';

/** More requests than reading both chains takes. */
const MOST_READS = 8;

type End = 'complete' | 'refunded';

/** A claimed end that was never read before: another invented hash for each number. */
const claimOf = (end: End, number: number): Lie =>
  read(order => {
    const by = ({chain}: Fields) => ({what: end, hash: inventedHash(chain, number)});
    if (end === 'refunded') return asPaidBack(by(order.source_swap)).read(order);
    asPaidOut(by(order.destination_swap)).read(order);
    asTaken(by(order.source_swap)).read(order);
  });

/** A paid order on which only its payer will act. */
async function paid(world: NodeWorld, family: ChainFamily, pair: (typeof PAIRS)[ChainFamily]): Promise<Told> {
  const told = new Told(...(await beginTold(world, family, {rpc: true, pair})));
  const {swap, man} = told;
  await swap.client.faults(PAYER_ALONE);
  await deposit(swap, man);
  told.truth = new Set<Deed>(['paid in']);
  const isSeen = () => PAID.includes(swap.stage) && storyIn(swap.session)?.isHeld;
  demand(await reads(swap, isSeen), `the payment is not seen. ${swap.describe()}`);
  told.listen();
  return told;
}

const entryOf = ({swap, orderId}: Told) => entriesIn(swap.session).find(entry => entry.orderId === orderId);
const ends: readonly End[] = ['complete', 'refunded'];

/** Expects no end in the page, the list, and the storage. */
function isUnderWay(told: Told, when: string): void {
  const {swap} = told;
  const entry = entryOf(told);
  told.demand(PAID.slice(0, 3).includes(swap.stage), `${when} the page says ${swap.stage}`);
  told.demand(PAID.slice(0, 3).includes(entry?.stage ?? ''), `${when} the list says ${String(entry?.stage)}`);
  told.demand(!entry?.paidOut && !entry?.paidBack, `${when} an end is kept`);
}

/** A lie in one response while one read fails, each in turn. */
async function failOnce(told: Told): Promise<number> {
  const {nodes} = told;
  for (let at = 0; at < MOST_READS; at++) {
    const end = ends[at % 2] ?? 'complete';
    nodes.suffer({from: at, times: 1});
    await told.tell(`${end}, while read ${String(at)} fails`, claimOf(end, at));
    isUnderWay(told, 'told of it,');
    await told.tell('the truth', {});
    isUnderWay(told, 'it was taken back, and');
  }
  return MOST_READS;
}

/** More writes than two tabs need for one swap. */
const MOST_WRITES = 300;

/** Two tabs have read different states of a chain, as one was offline: they do not overwrite each other endlessly. */
async function readApart(told: Told): Promise<number> {
  const {swap, man} = told;
  const first = swap.tab;
  swap.open().session.openOrder(told.orderId);
  told.listen();
  demand(await reads(swap, () => storyIn(swap.session)?.isHeld), `the second tab does not see it. ${swap.describe()}`);
  first.host.online$.set(false);
  first.host.visible$.set(false);
  let writes = 0;
  const {storage} = swap.browser;
  if (storage instanceof TestStorage)
    storage.onWrite = () => {
      if (++writes > MOST_WRITES) throw new RangeError('too many changes');
    };
  told.truth = new Set<Deed>(['paid in', 'paid back']);
  await expire(swap, man);
  await swap.connect();
  await takeBack({swap, family: 'evm'});
  told.demand(await reads(swap, () => swap.stage === 'refunded'), `the page says ${swap.stage}`);
  told.demand(writes <= MOST_WRITES, 'the tabs write without end');
  const {paidBack, isHeld} = entryOf(told) ?? {};
  told.demand(paidBack && !isHeld, 'it is not kept that the money is back');
  return 1;
}

/** Cases with paid orders, by the pair that is swapped: from its family, and told of the other one’s chain, too. */
const unreadable = (
  name: string,
  work: (told: Told) => Promise<number>,
  pairs: typeof PAYS_OUT,
  isAlone = false,
): Claim[] =>
  FAMILIES.flatMap(family => {
    const pair = pairs[family];
    return pair
      ? {
          name,
          family,
          rpc: true,
          isAlone: isAlone || family === 'bitcoin',
          async run(world) {
            const told = await paid(world, pairs === PAYS_OUT ? 'evm' : family, pair);
            try {
              return told.verdict(await work(told));
            } finally {
              told.end();
            }
          },
        }
      : [];
  });

export const UNREADABLE: readonly Claim[] = [
  ...unreadable('an end, reported once while any one read fails', failOnce, PAIRS),
  ...unreadable('an end, reported once while any one read fails, paid out on this chain', failOnce, PAYS_OUT),
  ...unreadable('two tabs that read at different times', readApart, {evm: PAIRS.evm}, true),
];
