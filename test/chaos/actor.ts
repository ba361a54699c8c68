/** What a person on a page and one without have in common: what goes wrong for them, and what they have seen. */
import {PAGE_FAULTS, NODE_FAULTS, WALLET_FAULTS, type Injection, type Plan, type Step} from './plan.js';

export class Actor {
  readonly log: string[] = [];
  /** The faults so far. */
  readonly happened: Injection[] = [];
  protected readonly began = Date.now();
  readonly #left: Injection[];

  constructor(
    readonly plan: Plan,
    /** A number that decides between variants of a fault, from 0 to 1. */
    protected readonly variant: number,
  ) {
    this.#left = plan.faults.filter(({fault}) => fault in {...WALLET_FAULTS, ...PAGE_FAULTS, ...NODE_FAULTS});
  }

  say(text: string): void {
    this.log.push(`${String(Date.now() - this.began).padStart(6)} ms  ${text}`);
  }

  note(fault: Injection): void {
    this.happened.push(fault);
    this.say(`-- ${fault.fault} at ${fault.step}`);
  }

  /** Takes the fault that is due at this step. */
  protected due<Fault extends string>(step: Step, table: Readonly<Record<Fault, unknown>>) {
    const at = this.#left.findIndex(one => one.step === step && one.fault in table);
    const [next] = at < 0 ? [] : this.#left.splice(at, 1);
    if (next) this.note(next);
    return next as (Injection & {readonly fault: Fault}) | undefined;
  }
}
