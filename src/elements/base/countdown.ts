import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {property} from 'lit/decorators.js';
import type {SwapSession} from '../../session/session.js';
import {register} from './swap-element.js';
import {LatePart} from './words.js';

/** A value derived from the time, in milliseconds since 1970. It may also use the time of the last read of the order. */
export type OfTime<T> = (now: number) => T;

/** When time passes, but no value that the host read changes, nothing renders. */
export class TimeReader implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #session: () => SwapSession;
  readonly #read = new Map<OfTime<unknown>, unknown>();
  #stops: readonly (() => void)[] = [];

  constructor(host: ReactiveControllerHost, session: () => SwapSession) {
    this.#host = host;
    this.#session = session;
    host.addController(this);
  }

  read<T extends string | number | boolean>(of: OfTime<T>): T {
    const value = of(this.#session().$now.get());
    this.#read.set(of, value);
    return value;
  }

  hostConnected() {
    const {$now, $order} = this.#session();
    const look = () => {
      for (const [of, value] of this.#read) {
        if (of($now.get()) !== value) {
          this.#host.requestUpdate();
          return;
        }
      }
    };
    this.#stops = [$now.listen(look), $order.listen(look)];
    // Time has passed while it was not on the page.
    look();
  }

  hostDisconnected() {
    this.#stops.forEach(stop => stop());
  }

  hostUpdate() {
    this.#read.clear();
  }
}

/**
 * A text that changes with the time, so that nothing else renders every second.
 *
 * @tag swap-widget-countdown
 */
export class Countdown extends LatePart {
  @property({attribute: false}) text: OfTime<string> = () => '';

  readonly #time = new TimeReader(this, () => this.session);

  /** It is part of the sentence around it. */
  protected override createRenderRoot() {
    return this;
  }

  override render() {
    return this.#time.read(this.text);
  }
}

register({'swap-widget-countdown': Countdown});
