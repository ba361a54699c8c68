import type {Account, Foresight} from '../chains/adapter.js';
import type {Agreement, FundWay} from '../domain/deposit.js';
import type {SessionCore} from './shared.js';

/** The requests to a wallet, unless a family has others. */
const ONE_PAYMENT: Foresight = {moves: false, plan: ['send']};

/** `undefined` if it cannot be read. `way`: the one that the visitor chose, if any. Never rejects. */
export async function readForesight(
  {adapter}: Pick<SessionCore, 'adapter'>,
  {from, amount}: Pick<Agreement, 'from' | 'amount'>,
  payer: Account,
  way: FundWay | undefined,
): Promise<Foresight | undefined> {
  try {
    const {means} = await adapter(from.chain.family);
    return means.foresee ? await means.foresee(from, amount, payer, {way}) : ONE_PAYMENT;
  } catch {
    return undefined;
  }
}
