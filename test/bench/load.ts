/** The sandbox under load: a thousand swaps, some at once, each quoted, placed, paid by transaction and tracked. */
import {setTimeout as pause} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {startSandbox} from '../../demo/sandbox/sandbox.js';
import {Person, placeOrder, SandboxClient, WBTC} from '../sandbox/client.js';
import {familyOf, memoryOf} from './machine.js';
import type {Measure} from './measure.js';

const SWAPS = 1_000;
/** People who swap side by side, one swap after the other. */
const PEOPLE = 8;
const AMOUNT = 1_000_000n;

export async function measureLoad(): Promise<Measure[]> {
  const sandbox = await startSandbox();
  try {
    const client = new SandboxClient(sandbox.url, sandbox.appId);
    const people: Person[] = [];
    for (let place = 0; place < PEOPLE; place++) {
      const person = await Person.with(client, WBTC, BigInt(SWAPS) * AMOUNT);
      await person.approve(WBTC, BigInt(SWAPS) * AMOUNT);
      people.push(person);
    }
    await swapOnce(client, people[0]!);
    const before = memory();
    const began = performance.now();
    const times: number[] = [];
    let left = SWAPS;
    await Promise.all(
      people.map(async person => {
        while (left-- > 0) {
          const begun = performance.now();
          await swapOnce(client, person);
          times.push((performance.now() - begun) / 1_000);
        }
      }),
    );
    const seconds = (performance.now() - began) / 1_000;
    const after = memory();
    const figure = (id: string, what: string, unit: Measure['unit'], value: number): Measure => ({
      id: `load.${id}`,
      what,
      unit,
      widget: [value],
    });
    return [
      figure('rate', `swaps a second, ${String(PEOPLE)} at once`, '', SWAPS / seconds),
      {...figure('time', 'one swap, from its price to its end', 's', 0), widget: times},
      figure('heap', 'the service and three chains, before', 'MB', before.heap),
      figure('heap-after', `… after ${SWAPS.toLocaleString('en')} swaps`, 'MB', after.heap),
      figure('nodes', 'both EVM nodes, before', 'MB', before.nodes),
      figure('nodes-after', `… after ${SWAPS.toLocaleString('en')} swaps`, 'MB', after.nodes),
    ];
  } finally {
    await sandbox.close();
  }
}

async function swapOnce(client: SandboxClient, person: Person): Promise<void> {
  const {order_id, transaction} = await placeOrder(client, person, {amount: AMOUNT});
  await person.send(transaction.to, transaction.data);
  for (;;) {
    const {destination_swap} = await client.read(order_id);
    if (destination_swap.redeem_tx_hash !== '') return;
    await pause(50);
  }
}

/** The memory in MB of this process after garbage collection, and of its child processes. */
function memory(): {readonly heap: number; readonly nodes: number} {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const {heapUsed, external} = process.memoryUsage();
  const children = new Map(familyOf(process.pid));
  children.delete(process.pid);
  return {heap: (heapUsed + external) / 1e6, nodes: memoryOf(children)};
}
