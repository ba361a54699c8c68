/**
 * Faults to inject. A fault belongs to an app id, so tests can run side by side against one sandbox.
 *
 * `POST /sandbox/faults {appId, <name>: true | {…options}, …}` adds faults; `appId: null` stands for requests without an
 * app id. Every fault has two optional limits: `on`, the endpoints that it affects (`quote`, `order`, `initiate`,
 * `read`), and `times`, the number of requests. `DELETE /sandbox/faults {appId}` removes them; without a body, all of
 * them. `GET /sandbox/faults` returns this table, with the options of each, and `GET /sandbox/faults/<app id>` what is active.
 */
import * as v from 'valibot';
import {RequestError} from './chains/leg.js';

export const ENDPOINTS = ['quote', 'order', 'initiate', 'read'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(600_000));
const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(600));
const bps = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9_000));
const amount = v.pipe(v.string(), v.regex(/^\d+$/, 'must be decimal digits'));

function fault<const Options extends v.ObjectEntries>(
  says: string,
  on: readonly Endpoint[],
  options: Options,
  times = Infinity,
) {
  return {says, on, options: v.strictObject(options), times};
}

/** All faults: what each does, the endpoints it affects by default, and its options. */
export const FAULTS = {
  slow: fault('The service answers late, after 3 seconds unless set otherwise.', ENDPOINTS, {
    ms: v.optional(milliseconds, 3_000),
  }),
  dropped: fault(
    'The connection drops before the request is processed, or after it, so that only the answer is lost.',
    ENDPOINTS,
    {
      when: v.optional(v.picklist(['before', 'after']), 'before'),
    },
  ),
  rateLimited: fault(
    'The service limits requests: it answers 429, with the seconds to wait in `Retry-After`.',
    ENDPOINTS,
    {
      retryAfter: v.optional(v.number(), 1),
    },
  ),
  serverError: fault('The service fails with a 5xx and an HTML page, as from a proxy in front of it.', ENDPOINTS, {
    status: v.optional(v.picklist([500, 502, 503, 522]), 500),
  }),
  unauthorized: fault('The service does not know the app id, and answers 401.', ENDPOINTS, {}),
  refused: fault('The service refuses the request, with a text of your choice.', ENDPOINTS, {
    status: v.optional(v.picklist([400, 403, 404, 409]), 400),
    text: v.optional(v.string(), 'insufficient liquidity'),
  }),
  errorWithOk: fault(
    'The service reports an error with HTTP 200: only the status in the answer is `Error`.',
    ENDPOINTS,
    {
      text: v.optional(v.string(), 'something went wrong'),
    },
  ),
  malformed: fault('The request is processed, but the answer is not JSON.', ENDPOINTS, {}),
  cut: fault('The request is processed, but the end of the answer is missing.', ENDPOINTS, {}),
  missingFields: fault(
    'The request is processed, but fields are missing from the answer: amount and order id unless set otherwise.',
    ENDPOINTS,
    {
      fields: v.optional(v.array(v.string()), ['amount', 'order_id']),
    },
  ),
  emptyQuotes: fault('There are no quotes.', ['quote'], {}),
  zeroQuotes: fault('All quotes are 0.', ['quote'], {}),
  worsePrice: fault('Quotes are worse than usual, by 2 % (200 basis points) unless set otherwise.', ['quote'], {
    bps: v.optional(bps, 200),
  }),
  amountOutOfRange: fault(
    'The service refuses the amount as out of its range: 50000 to 1000000 of the smallest unit unless set otherwise.',
    ['quote'],
    {
      min: v.optional(amount, '50000'),
      max: v.optional(amount, '1000000'),
    },
  ),
  noTypedData: fault(
    'New orders have nothing to sign (`typed_data: null`), so they are paid by a transaction.',
    ['order'],
    {},
  ),
  laterAnswer: fault(
    'New orders have the later format, v2, with `approval_transaction` and `initiate_transaction`.',
    ['order'],
    {},
  ),
  estimatedTime: fault(
    'Quotes say how long the swap will take, as in their later format: 20 minutes unless set otherwise.',
    ['quote'],
    {
      seconds: v.optional(v.number(), 1_200),
    },
  ),
  assetList: fault(
    'The service lists its assets, each with its minimum and maximum, at `GET /v2/assets`, and says at `GET /v2/policy` that every pair is open. Neither is in the specification.',
    ['quote'],
    {},
  ),
  hostile: fault('The service falsifies one part of the order.', ['order', 'read'], {kind: v.string()}),
  differs: fault('The service differs from the specification in one way, as one that others built might.', ENDPOINTS, {
    kind: v.string(),
  }),
  confirmations: fault(
    'New orders wait for 6 confirmations of the visitor’s payment unless set otherwise, instead of 2 on Bitcoin and 1 elsewhere.',
    ['order'],
    {
      required: v.optional(count, 6),
    },
  ),
  gaslessRefused: fault(
    'The service refuses the visitor’s signed payment: it does not send it to the chain.',
    ['initiate'],
    {},
  ),
  depositWindow: fault('New orders can be paid for 60 seconds unless set otherwise, instead of an hour.', ['order'], {
    seconds: v.optional(seconds, 60),
  }),
  noInstantRefund: fault(
    'New orders that are paid in bitcoin have no refund that is half signed from the start.',
    ['order'],
    {},
  ),
  lateBlock: fault(
    'The visitor’s payment is seen at once, but is in a block only 3 seconds later unless set otherwise.',
    ['order'],
    {
      seconds: v.optional(seconds, 3),
    },
  ),
  reorg: fault(
    'A reorganization removes the visitor’s next payment from its block, 1 second after it was seen unless set otherwise.',
    ['order'],
    {seconds: v.optional(seconds, 1)},
    1,
  ),
  solverGone: fault(
    'The solver is gone: it neither pays the recipient nor takes the visitor’s payment, which can be refunded after its timelock.',
    ['order'],
    {},
  ),
  ownerRefunds: fault('Nobody refunds a payment after its timelock: the visitor has to take it back.', ['order'], {}),
  serviceGone: fault(
    'The service does not hand the solver’s payment to the recipient; the solver takes it back after its timelock.',
    ['order'],
    {},
  ),
  payoutDropped: fault('The next weekly payout leaves out what swaps earned, for good.', [], {}, 1),
  payoutShort: fault(
    'The next weekly payout is 25 % (2500 basis points) short of what swaps earned unless set otherwise, for good.',
    [],
    {bps: v.optional(bps, 2_500)},
    1,
  ),
} as const;

export type FaultName = keyof typeof FAULTS;
export type FaultOptions<Name extends FaultName> = v.InferOutput<(typeof FAULTS)[Name]['options']>;

interface Active {
  /** As it was set. */
  readonly given: object;
  readonly options: unknown;
  readonly on: readonly Endpoint[];
  left: number;
}

/** An option of a fault, for a form: its type and its default. */
export interface OptionFacts {
  readonly type: 'number' | 'string' | 'array' | 'picklist';
  readonly choices?: readonly unknown[];
  readonly standard?: unknown;
}

/** A fault, for a form. */
export interface FaultFacts {
  readonly says: string;
  /** The endpoints that it affects by default. */
  readonly on: readonly Endpoint[];
  readonly options: Readonly<Record<string, OptionFacts>>;
}

export interface Faults {
  /** All faults, by name. */
  describe(): Readonly<Record<string, FaultFacts>>;
  set(body: Readonly<Record<string, unknown>>): void;
  /** The active faults of an app id, each with its options as they were set. */
  of(appId: string | null): Readonly<Record<string, object>>;
  clear(appId?: string | null): void;
  /** The options of a fault if it affects this request. Counts as one of its `times`. */
  take<Name extends FaultName>(name: Name, appId: string | null, endpoint: Endpoint): FaultOptions<Name> | undefined;
  /** The options of a fault if it currently affects orders of this app id. */
  holds<Name extends FaultName>(name: Name, appId: string | null): FaultOptions<Name> | undefined;
  /** The options of a fault if any app id has it: preflights carry none. */
  anywhere<Name extends FaultName>(name: Name): FaultOptions<Name> | undefined;
  /** Counts one use of a fault of an app id. */
  end(name: FaultName, appId: string | null): void;
}

const common = v.object({
  on: v.optional(v.union([v.picklist(ENDPOINTS), v.array(v.picklist(ENDPOINTS))])),
  times: v.optional(count),
});

/** @param kinds - The values of `kind`, for the faults that have one. */
export function createFaults(kinds: Readonly<Record<'hostile' | 'differs', readonly string[]>>): Faults {
  const active = new Map<string | null, Map<FaultName, Active>>();
  const find = (name: FaultName, appId: string | null) => active.get(appId)?.get(name);

  function read(name: string, given: unknown): [FaultName, Active] | undefined {
    if (!isFault(name)) throw new RequestError(`${name}: no such fault. There are ${Object.keys(FAULTS).join(', ')}`);
    if (given === false) return undefined;
    const all = given === true ? {} : given;
    if (typeof all !== 'object' || all === null)
      throw new RequestError(`${name}: must be true or an object of options`);
    const {on, times, ...options} = all as Record<string, unknown>;
    const limits = check(common, {on, times}, name);
    const checked = check<v.GenericSchema>(FAULTS[name].options, options, name);
    if (hasKinds(name) && !kinds[name].includes(options['kind'] as string))
      throw new RequestError(`${name}.kind: must be one of ${kinds[name].join(', ')}`);
    const endpoints = limits.on === undefined ? FAULTS[name].on : [limits.on].flat();
    return [name, {given: all, options: checked, on: endpoints, left: limits.times ?? FAULTS[name].times}];
  }

  function use(appId: string | null, name: FaultName, fault: Active): void {
    fault.left--;
    if (fault.left <= 0) active.get(appId)?.delete(name);
  }

  return {
    describe: () =>
      Object.fromEntries(
        Object.entries(FAULTS).map(([name, {says, on, options}]) => [
          name,
          {says, on, options: describeOptions(options.entries, hasKinds(name) ? {kind: kinds[name]} : {})},
        ]),
      ),
    set({appId, ...names}) {
      if (appId !== null && !isAppId(appId))
        throw new RequestError('appId: must be 64 lowercase hex characters, or null');
      const read_ = Object.entries(names).map(([name, options]) => [name, read(name, options)] as const);
      const own = active.get(appId) ?? new Map<FaultName, Active>();
      for (const [name, fault] of read_) {
        if (fault) own.set(...fault);
        else own.delete(name as FaultName);
      }
      active.set(appId, own);
    },
    of: appId => Object.fromEntries([...(active.get(appId) ?? [])].map(([name, {given}]) => [name, given])),
    clear(appId) {
      if (appId === undefined) active.clear();
      else active.delete(appId);
    },
    take<Name extends FaultName>(name: Name, appId: string | null, endpoint: Endpoint) {
      const fault = find(name, appId);
      if (!fault?.on.includes(endpoint)) return undefined;
      use(appId, name, fault);
      return fault.options as FaultOptions<Name>;
    },
    holds<Name extends FaultName>(name: Name, appId: string | null) {
      return find(name, appId)?.options as FaultOptions<Name> | undefined;
    },
    anywhere(name) {
      return [...active.keys()].map(appId => find(name, appId)).find(fault => fault)?.options as never;
    },
    end(name, appId) {
      const fault = find(name, appId);
      if (fault) use(appId, name, fault);
    },
  };
}

function describeOptions(
  entries: v.ObjectEntries,
  choices: Readonly<Record<string, readonly string[]>>,
): Record<string, OptionFacts> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, given]) => {
      // Optional schemas wrap the actual one.
      const {wrapped = given, default: standard} = given as {wrapped?: v.GenericSchema; default?: unknown};
      const {type, options} = wrapped as {type: OptionFacts['type']; options?: readonly unknown[]};
      const chosen = choices[name];
      return [
        name,
        {
          type: chosen ? 'picklist' : type,
          ...((chosen ?? options) && {choices: chosen ?? options}),
          ...(standard !== undefined && {standard}),
        },
      ];
    }),
  );
}

export function isAppId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

const hasKinds = (name: string) => name === 'hostile' || name === 'differs';

function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

/** Parses a value. @throws RequestError that names the first invalid field. */
export function check<Schema extends v.GenericSchema>(schema: Schema, value: unknown, at = ''): v.InferOutput<Schema> {
  const checked = v.safeParse(schema, value, {abortEarly: true});
  if (checked.success) return checked.output;
  const [issue] = checked.issues;
  const inside = issue.path?.reduce(
    (path, {key}) => (typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key)),
    at,
  );
  const field = inside || at || 'body';
  const missing = issue.received === 'undefined';
  throw new RequestError(`${field}: ${missing ? 'is missing' : issue.message}`);
}
