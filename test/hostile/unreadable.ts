/**
 * A service that lies while a chain read fails or is slow, once or from then on; and one that withdraws its claims.
 * Afterwards the page, its list and its storage match the chains.
 */
import type {AssetId, ChainFamily} from '../../src/domain/asset.js';
import {LONGEST_WAIT_MS} from '../../src/domain/evidence.js';
import {chainName, MemoryStorage, type NodeWorld} from '../support/node-session.js';
import {entriesIn, shownIn, storyIn} from '../support/shown.js';
import {FAMILIES, holds, PAIRS} from './judge.js';
import {read, type Lie} from './man.js';
import {
  BY_SIGNATURE,
  demand,
  deposit,
  ENDS,
  expire,
  fakeHash,
  isReadable,
  keptSignature,
  ON_CONTRACTS,
  paidOnce,
  PAID,
  PAYER_ALONE,
  PAYS_OUT,
  reads,
  takeBack,
  type Claim,
} from './scenes.js';
import {beginTold, Told} from './told.js';
import type {Deed} from './watch.js';

const HOUR_MS = 3_600_000;
/** More requests than reading both chains takes. */
const MOST_READS = 8;
const SLOW_MS = 6_000;

type End = 'complete' | 'refunded';

/** A claimed end that was never read before: another invented hash for each number. */
function claimOf(end: End, number: number): Lie {
  const invented = (asset: unknown) => {
    const digits = (0xab00 + number).toString(16).repeat(16);
    if (String(asset).startsWith('solana')) return `${String.fromCharCode(65 + (number % 8))}${'5'.repeat(86)}`;
    return fakeHash({chain: String(asset)}).replace(/[0-9a-f]{64}$/, digits);
  };
  const isDone = (
    leg: Parameters<NonNullable<Lie['read']>>[0]['source_swap'],
    deed: 'redeem' | 'refund' | 'initiate',
  ) => Object.assign(leg, {[`${deed}_tx_hash`]: invented(leg['chain']), [`${deed}_block_number`]: '7'});
  return read(({source_swap, destination_swap}) => {
    if (end === 'refunded') {
      isDone(source_swap, 'refund');
      return;
    }
    isDone(destination_swap, 'initiate');
    isDone(destination_swap, 'redeem');
    isDone(source_swap, 'redeem');
  });
}

/** A paid order on which only its payer will act. */
async function paid(
  world: NodeWorld,
  family: ChainFamily,
  options: {readonly rpc: boolean; readonly pair?: (typeof PAIRS)[ChainFamily] | undefined},
): Promise<Told> {
  const told = new Told(await beginTold(world, family, options));
  const {swap, man} = told;
  await swap.client.faults(PAYER_ALONE);
  await deposit(swap, man);
  told.truth = new Set<Deed>(['paid in']);
  const isSeen = () => PAID.includes(swap.stage) && (!isReadable(family, options.rpc) || storyIn(swap.session)?.isHeld);
  demand(await reads(swap, isSeen), `the payment is not seen. ${swap.describe()}`);
  told.listen();
  return told;
}

const entryOf = ({swap, orderId}: Told) => entriesIn(swap.session).find(entry => entry.orderId === orderId);
const nodeOf = (asset: AssetId) => ({chain: chainName(asset)});
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

/** A lie while both chains are slow, withdrawn before they respond. */
async function answerLate(told: Told): Promise<number> {
  const {nodes} = told;
  for (const end of ends) {
    const at = Date.now();
    nodes.suffer({times: 2, late: SLOW_MS});
    await told.tell(`${end}, while the chains are slow`, claimOf(end, 20 + ends.indexOf(end)), {waits: false});
    isUnderWay(told, 'told of it,');
    await told.tell('the truth', {}, {waits: false});
    await holds(() => Date.now() > at + SLOW_MS + 500, SLOW_MS + 1_000);
    isUnderWay(told, 'it was taken back, and');
  }
  return ends.length;
}

/** A lie about an order in the list, while one read fails. */
async function failInTheList(told: Told): Promise<number> {
  const {swap, nodes, orderId} = told;
  const look = async (what: string, lie: Lie) => {
    await told.tell(what, lie);
    swap.session.openOrder(orderId);
    swap.session.reset();
    await nodes.quiet(400);
  };
  swap.session.reset();
  for (const end of ends) {
    nodes.suffer({from: 0, times: 1});
    await look(`${end}, in the list, while a read fails`, claimOf(end, 30 + ends.indexOf(end)));
    nodes.suffer();
    await look('the truth, in the list', {});
    const {stage} = entryOf(told) ?? {};
    told.demand(PAID.slice(0, 3).includes(stage ?? ''), `it was taken back, and the list says ${String(stage)}`);
  }
  swap.session.openOrder(orderId);
  await nodes.quiet();
  return ends.length;
}

/** Expects that the page has moved back from an end, and reports it. */
async function hasMovedBack(told: Told, from: End, why: string): Promise<void> {
  const {swap} = told;
  await reads(swap, () => swap.stage !== from, 4_000);
  const {movedBackFrom} = shownIn(swap.session) ?? {};
  told.demand(swap.stage !== from, `${why}, and the page says ${swap.stage}`);
  told.demand(
    movedBackFrom === from,
    `${why}, and the page does not say that it moved back (${String(movedBackFrom)})`,
  );
  told.demand(entryOf(told)?.stage !== from, `${why}, and the list says ${String(entryOf(told)?.stage)}`);
}

/** Lets time pass for the tabs, and reads the displayed order again. */
async function pass(told: Told, milliseconds: number): Promise<void> {
  const {swap, nodes} = told;
  for (const {host} of swap.tabs) host.passed += milliseconds;
  swap.session.refresh();
  await nodes.quiet(300);
}

/** All chain reads fail from now on: a minute later it is the service's word, until a chain can be read again. */
async function failFromThenOn(told: Told): Promise<number> {
  const {swap, nodes} = told;
  const {to} = swap.options;
  const isEnd = () => swap.stage === 'complete';
  nodes.suffer(nodeOf(to));
  await told.tell('complete, which cannot be read', claimOf('complete', 40));
  isUnderWay(told, 'at once,');
  await pass(told, LONGEST_WAIT_MS + 1_000);
  told.demand(await reads(swap, isEnd, 4_000), `a minute later the page says ${swap.stage}`);
  told.demand(storyIn(swap.session)?.witness === 'service', 'nobody is named for it');
  await told.tell('the truth, while nothing can be read', {});
  await hasMovedBack(told, 'complete', 'it was taken back');
  await told.tell('complete again, which cannot be read', claimOf('complete', 40));
  await pass(told, LONGEST_WAIT_MS + 1_000);
  told.demand(await reads(swap, isEnd, 4_000), `told again the page says ${swap.stage}`);
  nodes.suffer();
  await told.tell('complete, which can be read again', claimOf('complete', 40));
  await hasMovedBack(told, 'complete', 'its chain denies it');
  await told.tell('the truth', {});
  isUnderWay(told, 'in the end');
  return 2;
}

/** Money that was last seen in the contract is not refunded because its chain does not respond. */
async function failAfterHeld(told: Told): Promise<number> {
  const {swap, nodes} = told;
  nodes.suffer(nodeOf(swap.options.from));
  await told.tell('refunded, which cannot be read', claimOf('refunded', 40));
  isUnderWay(told, 'at once,');
  await pass(told, LONGEST_WAIT_MS + 1_000);
  isUnderWay(told, 'a minute later');
  nodes.suffer();
  await told.tell('refunded, which can be read again', claimOf('refunded', 40));
  isUnderWay(told, 'its chain denies it, and');
  return 1;
}

/** No chain can be read: an end is reported, and withdrawn, also after a reload. */
async function takeBackWords(told: Told, family: ChainFamily): Promise<number> {
  const {swap} = told;
  // An EVM wallet reads its own chain.
  const possible = ends.filter(end => end === 'complete' || !isReadable(family, false));
  for (const end of possible) {
    for (const later of ['the truth', 'nothing was paid'] as const) {
      const lie = claimOf(end, 50);
      await told.tell(end, lie);
      told.demand(await reads(swap, () => swap.stage === end, 4_000), `the page says ${swap.stage}`);
      await told.tell(later, later === 'the truth' ? {} : (ENDS[later] ?? {}));
      await hasMovedBack(told, end, `${later} was told`);
      await told.tell(`${end} again`, lie);
      await reads(swap, () => swap.stage === end, 4_000);
      swap.reload();
      told.listen();
      await told.tell(later, later === 'the truth' ? {} : (ENDS[later] ?? {}));
      await reads(swap, () => swap.stage !== end, 4_000);
      told.demand(swap.stage !== end, `after a reload the page says ${swap.stage}`);
      told.demand(entryOf(told)?.stage !== end, `after a reload the list says ${String(entryOf(told)?.stage)}`);
    }
  }
  return 4 * possible.length;
}

/** The service rejected a signature and kept it; then it reports a nonexistent payment once. */
async function keepSignature(world: NodeWorld, family: ChainFamily, rpc: boolean): Promise<string> {
  const told = new Told(await beginTold(world, family, {rpc, way: 'signature'}));
  const {swap, man, nodes} = told;
  try {
    await swap.client.faults(PAYER_ALONE);
    const {lie, use} = keptSignature();
    man.lie = lie;
    await swap.place();
    told.listen();
    const isNamed = () => swap.session.$journal.get().live.some(({orderId}) => orderId === told.orderId);
    told.demand(await holds(isNamed, 4_000), 'the signature is not named');
    const invented = read(({source_swap: leg}) => {
      Object.assign(leg, {
        initiate_tx_hash: fakeHash(leg),
        initiate_block_number: '7',
        filled_amount: leg['amount'],
        current_confirmations: 1,
      });
    });
    for (const [at, refusing] of [
      [0, lie],
      [1, lie],
      [2, lie],
    ] as const) {
      nodes.suffer({...nodeOf(swap.options.from), from: at, times: 1});
      await told.tell(`an invented payment, while read ${String(at)} fails`, {...refusing, ...invented});
      if (isReadable(family, rpc)) {
        told.demand(await reads(swap, isNamed, 4_000), 'its chain was read, and the signature is not named');
      }
      await told.tell('the truth', refusing);
      told.demand(await reads(swap, isNamed, 4_000), 'it was taken back, and the signature is not named');
    }
    nodes.suffer();
    await pass(told, 2 * HOUR_MS);
    told.demand(await holds(isNamed, 4_000), 'two hours later the signature is not named');
    swap.reload();
    told.listen();
    await told.tell('the truth', lie);
    told.demand(await holds(isNamed, 4_000), 'after a reload the signature is not named');
    await use();
    man.lie = {};
    told.truth = new Set<Deed>(['paid in']);
    await reads(swap, () => storyIn(swap.session)?.paidIn.certainty !== 'none');
    await paidOnce(swap, family);
    return told.verdict(4);
  } finally {
    told.end();
  }
}

/** More writes than two tabs need for one swap. */
const MOST_WRITES = 300;

/** Two tabs have read different states of a chain, as one was offline: they do not overwrite each other endlessly. */
async function readApart(told: Told, family: ChainFamily): Promise<number> {
  const {swap, man} = told;
  const first = swap.tab;
  swap.secondTab().session.openOrder(told.orderId);
  told.listen();
  demand(await reads(swap, () => storyIn(swap.session)?.isHeld), `the second tab does not see it. ${swap.describe()}`);
  first.host.online$.set(false);
  first.host.visible$.set(false);
  let writes = 0;
  const {storage} = swap.browser;
  if (storage instanceof MemoryStorage)
    storage.onChange = () => {
      if (++writes > MOST_WRITES) throw new RangeError('too many changes');
    };
  told.truth = new Set<Deed>(['paid in', 'paid back']);
  await expire(swap, man);
  await swap.connect();
  await takeBack({swap, family});
  told.demand(await reads(swap, () => swap.stage === 'refunded'), `the page says ${swap.stage}`);
  told.demand(writes <= MOST_WRITES, 'the tabs write without end');
  const {paidBack, isHeld} = entryOf(told) ?? {};
  told.demand(paidBack && !isHeld, 'it is not kept that the money is back');
  return 1;
}

type Work = (told: Told) => Promise<number>;

/** Cases with paid orders. */
function unreadable(
  name: string,
  work: Work,
  {
    rpc,
    pairs = PAIRS,
    of = FAMILIES,
    isAlone = false,
  }: {rpc: boolean; pairs?: typeof PAYS_OUT; of?: readonly ChainFamily[]; isAlone?: boolean},
): Claim[] {
  return of.flatMap(family => {
    const pair = pairs[family];
    if (!pair) return [];
    return {
      name,
      family,
      rpc,
      isAlone: isAlone || family === 'bitcoin',
      async run(world) {
        const told = await paid(world, pairs === PAIRS ? family : 'evm', {rpc, pair});
        try {
          return told.verdict(await work(told));
        } finally {
          told.end();
        }
      },
    } satisfies Claim;
  });
}

export const UNREADABLE: readonly Claim[] = [
  ...unreadable('an end, reported once while any one read fails', failOnce, {rpc: true}),
  ...unreadable('an end, reported once while any one read fails, paid out on this chain', failOnce, {
    rpc: true,
    pairs: PAYS_OUT,
  }),
  ...unreadable('an end, reported while the chains are slow', answerLate, {rpc: true}),
  ...unreadable('an end, reported for the list while a read fails', failInTheList, {rpc: true}),
  ...unreadable('complete, reported when nothing can be read any more, and withdrawn', failFromThenOn, {rpc: true}),
  ...unreadable(
    'complete, reported when nothing can be read any more, and withdrawn, paid out on this chain',
    failFromThenOn,
    {
      rpc: true,
      pairs: PAYS_OUT,
    },
  ),
  ...unreadable('refunded, reported when nothing can be read any more', failAfterHeld, {rpc: true}),
  ...FAMILIES.flatMap(family =>
    unreadable('an end, reported and withdrawn', told => takeBackWords(told, family), {rpc: false, of: [family]}),
  ),
  ...ON_CONTRACTS.flatMap(family =>
    unreadable('two tabs that read at different times', told => readApart(told, family), {
      rpc: true,
      of: [family],
      isAlone: true,
    }),
  ),
  ...BY_SIGNATURE.flatMap(family =>
    [true, false]
      .filter(rpc => isReadable(family, rpc))
      .map(rpc => ({
        name: 'a signature is rejected and kept, and a payment reported once',
        family,
        rpc,
        run: (world: NodeWorld) => keepSignature(world, family, rpc),
      })),
  ),
];
