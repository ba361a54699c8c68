/** Defects that nothing can detect, each with its reason. */
import type {Mutant} from './generate.js';

/** `was`: the code that is changed, as `npm run test:mutants` prints it. */
interface Equivalent {
  readonly file: string;
  readonly within: string;
  readonly was: string;
  readonly operator: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/chains/bitcoin/fund.ts',
    within: 'readPaid',
    was: 'received > filled',
    operator: 'boundary moved',
    why: 'Of two equal amounts either is the higher one.',
  },
  {
    file: 'src/chains/token-htlc/fund.ts',
    within: 'fateOf',
    was: 'allowed > deal.agreed.amount',
    operator: 'boundary moved',
    why: 'It is only asked about an allowance that is not exactly the amount.',
  },
  {
    file: 'src/server/transfers.ts',
    within: 'readTransfers',
    was: 'height < lowest',
    operator: 'boundary moved',
    why: 'Of two equal heights either is the lower one.',
  },
  {
    file: 'src/server/evm-transfers.ts',
    within: 'readAll',
    was: 'most < last',
    operator: 'boundary moved',
    why: 'Where both are equal, either is the end.',
  },
  {
    file: 'src/server/evm-transfers.ts',
    within: 'readAll',
    was: 'less > FEWEST_BLOCKS',
    operator: 'boundary moved',
    why: 'Where both are equal, either is the size.',
  },
  {
    file: 'src/chains/solana/witness.ts',
    within: 'coinsOf',
    was: 'before = 0',
    operator: 'number raised',
    why: 'Who is not in the transaction got nothing either way: less than nothing is nothing.',
  },
  {
    file: 'src/domain/stage.ts',
    within: 'stageOf',
    was: 'PROGRESS[record.stage] > PROGRESS.funding',
    operator: 'boundary moved',
    why: 'An order whose stored stage is funding is at funding either way.',
  },
];

export const keyOf = ({file, within, was, operator}: Omit<Equivalent, 'why'>) =>
  [file, within, was, operator].join(' · ');
const keys = new Set(EQUIVALENT.map(keyOf));

export function isEquivalent(mutant: Mutant): boolean {
  return keys.has(keyOf(mutant));
}
