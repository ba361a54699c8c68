/*
 * A payment that the page requests: at least a given amount of an asset, to its address. The visitor chooses what to
 * pay with. Loaded with the first one.
 */
import type {LitElement} from 'lit';
import type {ReadableAtom} from 'nanostores';
import {formatAmount, parseAmount} from '../domain/amount.js';
import {ownIds} from '../domain/catalogue.js';
import type {Asked} from '../domain/asked.js';
import type {Asset, AssetId} from '../domain/asset.js';
import {partnersOf, type LockedField} from '../domain/draft.js';
import {fault, SwapError, toSwapError} from '../domain/error.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import type {Order} from '../domain/order.js';
import type {SessionConfig, SwapSession} from '../session/session.js';
import {SHARED, type Shared} from './base/swap-element.js';

/** A page's payment request to a visitor. */
export interface PaymentRequest {
  /** The id of the asset that is to arrive. */
  readonly to: AssetId;
  /** The minimum that has to arrive: in the asset's smallest unit, or as decimal text in whole units. */
  readonly atLeast: bigint | string;
  /** The address to receive at. The visitor sees it in full, and has to confirm it. */
  readonly recipient: string;
  /** Cancels the request. An order that has been placed continues. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a requested payment did not arrive. */
export type PaymentRequestEnd =
  /** The visitor canceled, or closed the dialog, before there was an order. */
  | 'closed'
  /** The page requested another payment. */
  | 'superseded'
  /** The widget was removed from the page. */
  | 'removed'
  /** The order was not paid in time. */
  | 'expired'
  /** A check stopped the order before anything was paid. */
  | 'stopped'
  /** The payment was refunded to the visitor. */
  | 'refunded'
  /** Only the service says that it arrived: its chain could not be read, or does not show it. */
  | 'told';

/**
 * A requested payment did not arrive, or only the service says that it did. With an `orderId` an order was placed, and
 * may still continue; `order` is its last known state.
 */
export class PaymentRequestError extends Error {
  override get name() {
    return 'PaymentRequestError';
  }

  constructor(
    readonly reason: PaymentRequestEnd,
    readonly orderId: string | undefined,
    readonly order?: Order,
  ) {
    super(
      reason === 'told'
        ? 'Only the service says that the payment arrived. No chain shows it.'
        : `The payment that was asked for ended: ${reason}.`,
    );
  }
}

interface Widget extends LitElement {
  readonly [SHARED]: Shared;
  readonly variant?: string | undefined;
  open(): void;
}

/** How long a widget may be out of the document before it counts as removed: it may only have been moved. */
const MOVE_MS = 1_000;

interface Present {
  running?: Running | undefined;
  shown?: (Asked & {readonly to: AssetId; readonly recipient: string; readonly receive: string}) | undefined;
}

const createPresent = (): Present => ({});

/** The settings of a widget, with the page's request in place of its presets. */
export function withRequest(session: SwapSession, config: SessionConfig): SessionConfig {
  const {shown} = session.keep(createPresent);
  if (!shown) return config;
  const {to, recipient, receive, atLeast} = shown;
  const {recipient: _theirs, ...linked} = config.linked ?? {};
  const {amount: _amount, ...prefill} = config.prefill;
  const locked: readonly LockedField[] = [...(config.locked ?? []), 'to', 'recipient', 'amount', 'receive'];
  return {...config, linked, asked: {atLeast}, prefill: {...prefill, to, recipient, receive}, locked};
}

class Running {
  orderId: string | undefined;
  readonly order: Promise<Order>;
  resolve!: (order: Order) => void;
  reject!: (reason: unknown) => void;
  done: Promise<unknown> = Promise.resolve();

  constructor() {
    this.order = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // It may end before anything waits for it.
    this.order.catch(() => undefined);
  }

  end(reason: PaymentRequestEnd, order?: Order) {
    this.reject(new PaymentRequestError(reason, this.orderId, order));
  }
}

/** One at a time. @throws SwapError `config` that names the invalid field of the request (`request.atLeast`). */
export async function request(widget: Widget, asked: PaymentRequest): Promise<Order> {
  const {to: id, atLeast: least, recipient, signal} = readRequest(asked);
  signal?.throwIfAborted();
  widget[SHARED].begin?.();
  const session = await first(widget[SHARED].$session, value => value);
  const config = await first(session.$settings, ({config: read, fault: refused}) => {
    if (refused) throw refused;
    return read;
  });
  if (config.paused) throw new SwapError('paused');
  const to = config.catalogue.find(ownIds(ALL_KNOWN).asset(id), 'to');
  if (!to) throw fault('request.to', `“${id}” cannot be received here.`);
  const atLeast = typeof least === 'bigint' ? least : parseAmount(least, to.decimals);
  if (typeof atLeast === 'string' || atLeast <= 0n) throw fault('request.atLeast', `“${String(least)}” is no amount.`);
  const present = session.keep(createPresent);
  while (present.running) {
    present.running.end('superseded');
    await present.running.done;
  }
  signal?.throwIfAborted();
  if (session.$stage.get() === 'ordering') throw new SwapError('held', {detail: 'another order is being placed'});
  const now = new Running();
  present.running = now;
  const order = run(widget, session, now, {to, atLeast, recipient}, signal);
  now.done = order.catch(() => undefined);
  return order;
}

/** A request from a page, which may not have been type-checked. */
function readRequest(asked: PaymentRequest | undefined): PaymentRequest {
  const {to, atLeast, recipient, signal}: {readonly [Field in keyof PaymentRequest]?: unknown} = asked ?? {};
  if (typeof to !== 'string') throw fault('request.to', 'A request needs the id of an asset, as text.');
  if (typeof atLeast !== 'bigint' && typeof atLeast !== 'string') {
    throw fault('request.atLeast', 'Write it as text in whole units (“25.5”), or as a bigint in the smallest unit.');
  }
  if (typeof recipient !== 'string' || !recipient.trim())
    throw fault('request.recipient', 'A request needs an address, as text.');
  if (signal != null && typeof (signal as Partial<AbortSignal>).throwIfAborted !== 'function') {
    throw fault('request.signal', 'It is not an AbortSignal.');
  }
  return {
    to: to as AssetId,
    atLeast,
    recipient: recipient.trim(),
    signal: (signal ?? undefined) as AbortSignal | undefined,
  };
}

async function run(
  widget: Widget,
  session: SwapSession,
  now: Running,
  {to, atLeast, recipient}: {readonly to: Asset; readonly atLeast: bigint; readonly recipient: string},
  signal: AbortSignal | undefined,
): Promise<Order> {
  const over = new AbortController();
  const asking = new AbortController();
  const before = session.$form.get().draft;
  const present = session.keep(createPresent);
  const leave = async () => {
    asking.abort();
    if (!present.shown) return;
    present.shown = undefined;
    widget[SHARED].readSettings?.();
    await widget.updateComplete;
    session.edit(before);
  };
  signal?.addEventListener('abort', () => now.reject(signal.reason), {signal: over.signal});
  session.reset({keep: true});
  try {
    present.shown = {to: to.id, atLeast, recipient, receive: formatAmount(atLeast, to.decimals)};
    widget[SHARED].readSettings?.();
    await widget.updateComplete;
    if (!session.$form.get().draft.from) chooseFrom(session, to);
    if (widget.variant === 'button') widget.open();
    followVisitor(widget, session, now, asking.signal);
    followOrder(widget, session, now, leave, over.signal);
    return await now.order;
  } finally {
    over.abort();
    if (session.$view.get() === 'review') session.back();
    await leave();
    present.running = undefined;
  }
}

/** Listens for the end of the order, once there is one, and for the removal of the widget. */
function followOrder(
  widget: Widget,
  session: SwapSession,
  now: Running,
  leave: () => Promise<void>,
  signal: AbortSignal,
) {
  const removal = {
    hostDisconnected() {
      setTimeout(() => {
        if (!widget.isConnected) now.end('removed');
      }, MOVE_MS);
    },
  };
  widget.addController(removal);
  // It may have been removed already.
  removal.hostDisconnected();
  const stops = [
    () => widget.removeController(removal),
    session.listen(event => {
      if (event.type === 'order' && session.keep(createPresent).shown) now.orderId = event.orderId;
      if (now.orderId === undefined || !('orderId' in event) || event.orderId !== now.orderId) return;
      if (event.type === 'complete' && event.witness === 'chain') now.resolve(event.order);
      // If the chain can be read, it was waited for.
      else if (event.type === 'complete') now.end('told', event.order);
      else if (event.type === 'refund') now.end('refunded', event.order);
      else if (event.type === 'status' && (event.stage === 'expired' || event.stage === 'stopped'))
        now.end(event.stage, event.order);
      else if (event.type === 'error' && event.error.code === 'deposit-mismatch') now.reject(event.error);
    }),
    session.$view.listen(view => {
      // Once there is an order, everything is as with any other swap.
      if (view === 'order' && now.orderId !== undefined) void leave();
    }),
  ];
  signal.addEventListener('abort', () => stops.forEach(stop => stop()));
}

/** What is picked of a store's value, as soon as that is something. Rejects if picking throws. */
function first<Value, Part>($store: ReadableAtom<Value>, pick: (value: Value) => Part | undefined): Promise<Part> {
  return new Promise((resolve, reject) => {
    const stop = $store.listen(look);
    look($store.get());
    function look(value: Value) {
      try {
        const part = pick(value);
        if (part === undefined) return;
        resolve(part);
      } catch (error) {
        reject(toSwapError(error, 'config'));
      }
      stop();
    }
  });
}

/** Chooses another source asset if the current one is the requested asset itself. */
function chooseFrom(session: SwapSession, to: Asset) {
  const {catalogue} = session.$settings.get().config ?? {};
  const [from] = catalogue ? partnersOf(to, catalogue, 'from') : [];
  if (from) session.edit({from: from.id});
}

/** Ends the request if the visitor cancels it, by button or by closing the dialog, or if nobody could correct its address. */
function followVisitor(widget: Widget, {$form}: SwapSession, now: Running, signal: AbortSignal) {
  const {renderRoot, variant} = widget;
  const close = () => {
    if (now.orderId === undefined) now.end('closed');
  };
  renderRoot.addEventListener('decline', close, {signal});
  renderRoot.addEventListener(
    'launch',
    ({target}) => {
      if (variant === 'button' && !(target as Element).hasAttribute('open')) close();
    },
    {signal},
  );
  const stop = $form.listen(({problem}) => {
    if (problem?.field !== 'recipient' || problem.remedy !== 'correct') return;
    now.reject(fault('request.recipient', 'Not an address on this network, or one that cannot receive.'));
  });
  signal.addEventListener('abort', stop);
}
