/**
 * How orders of the minimal service are paid: by what is deployed on the sandbox's chains a second time, none of which
 * the widget knows. `plain` is what somebody builds who has only read the specification; `own` goes through an entry
 * point or a program that is this service's own.
 */
import {address as toAddress} from '@solana/kit';
import {Interface} from 'ethers';
import {RequestError, type ChainLeg, type LegState, type SourceAnswer, type Terms} from '../sandbox/chains/leg.js';
import {signerFor, transactionOf, transferInstruction} from '../sandbox/chains/solana/htlc.js';
import {hex, selectorOf} from '../sandbox/chains/starknet/felts.js';

export type Kind = 'plain' | 'own';

export interface Leg {
  /** The fields of a swap object that never change. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The confirmations that a payment needs. */
  readonly required: number;
  readonly answer: SourceAnswer;
  state(): Promise<LegState>;
  confirmations(state: LegState): number;
  initiate(): Promise<string>;
  redeem(secret: string): Promise<string>;
  sign(signature: unknown): Promise<string>;
  /** On a source of bitcoin: its half-signed refund. */
  readonly instantRefund?: () => string;
}

const DEPOSIT = new Interface([
  'function deposit(bytes32 secretHash, address redeemer, uint256 amount, uint256 timelock)',
]);

/** A destination: paid through the chain's usual contract, by the sandbox's solver. */
export function openDestination(chain: ChainLeg, agreed: Terms): Leg {
  const delegate = chain.delegateOf?.(agreed.secretHash);
  const terms: Terms = {...agreed, ...(delegate !== undefined && {delegate})};
  const {initiateSigned} = chain;
  return {
    fields: fieldsOf(chain, terms),
    required: 0,
    answer: {},
    async state() {
      await chain.sync();
      return chain.stateOf(terms);
    },
    confirmations: ({initiated}) => (initiated?.block ? chain.height() - initiated.block + 1 : 0),
    initiate: () => chain.initiate(terms),
    redeem: secret => chain.redeem(terms, secret),
    sign(signature) {
      if (!initiateSigned) throw new RequestError('There is nothing to sign.');
      return initiateSigned(terms, signature);
    },
  };
}

function fieldsOf({name, swapId}: ChainLeg, terms: Terms) {
  const {asset, initiator, redeemer, delegate, timelock, amount, secretHash} = terms;
  return {
    swap_id: swapId(terms),
    chain: name,
    asset,
    initiator,
    redeemer,
    ...(delegate !== undefined && {delegate}),
    timelock,
    amount: String(amount),
    asset_price: 1,
    secret_hash: secretHash,
  };
}

/** A source: paid into the other contract of its chain. */
export async function openSource(chain: ChainLeg, agreed: Terms, kind: Kind): Promise<Leg> {
  const {confirmations: required = 1} = chain;
  if (chain.family === 'solana' && kind === 'plain') return {...(await byTransfer(chain, agreed)), required};
  const {instantRefund} = chain;
  const terms = {...agreed, contract: chain.others[agreed.asset] ?? ''};
  return {
    ...openDestination(chain, terms),
    required,
    answer: answerOf(chain, terms, kind),
    ...(instantRefund && {instantRefund: () => instantRefund(terms)}),
  };
}

function answerOf(chain: ChainLeg, terms: Terms, kind: Kind): SourceAnswer {
  const answer = chain.source(terms);
  const transaction = answer['transaction'] as object | undefined;
  switch (chain.family) {
    case 'evm': {
      // The call is this contract's own, the typed data is the specification's.
      const {secretHash, redeemer, amount, timelock} = terms;
      const data = DEPOSIT.encodeFunctionData('deposit', [`0x${secretHash}`, redeemer, amount, timelock]);
      return {...answer, transaction: {...transaction, data}, ...(kind === 'own' && {typed_data: null})};
    }
    case 'starknet': {
      if (kind === 'plain') return answer;
      return {...answer, transaction: {...transaction, selector: hex(selectorOf('deposit'))}, typed_data: null};
    }
    default:
      return answer;
  }
}

/** SOL, sent by the system program to an address of the order's own. */
async function byTransfer(chain: ChainLeg, terms: Terms): Promise<Leg> {
  const {initiator, amount, secretHash} = terms;
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await fetch(String(chain.facts['rpc']), {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
    });
    return ((await response.json()) as {result: T}).result;
  };
  const purse = signerFor(`an order of ${secretHash}`).address;
  const {value: latest} = await ask<{value: {blockhash: string}}>('getLatestBlockhash', {commitment: 'finalized'});
  const payer = toAddress(initiator);
  const wire = transactionOf(payer, [transferInstruction(payer, purse, amount)], latest.blockhash);
  let initiated: LegState['initiated'];
  const leg = openDestination(chain, terms);
  return {
    ...leg,
    fields: {...leg.fields, swap_id: purse},
    answer: {versioned_tx: Buffer.from(wire).toString('hex')},
    async state() {
      const by = {commitment: 'confirmed'};
      const {value} = await ask<{value: number}>('getBalance', purse, by);
      const [first] = value ? await ask<{signature: string; slot: number}[]>('getSignaturesForAddress', purse, by) : [];
      if (first) initiated ??= {hash: first.signature, block: first.slot, at: new Date()};
      return {filled: BigInt(value), matchesTerms: BigInt(value) >= amount, ...(initiated && {initiated})};
    },
    // The service has the address's key: nothing is left to be done.
    redeem: () => Promise.resolve(''),
  };
}

/** All fields of a swap object but those of its order. */
export function fieldsAt({fields, required, confirmations, instantRefund}: Leg, state: LegState) {
  const steps = Object.entries({initiate: state.initiated, redeem: state.redeemed, refund: state.refunded});
  const happened = steps.flatMap(([step, seen]) => [
    [`${step}_tx_hash`, seen?.hash ?? ''],
    [`${step}_block_number`, String(seen?.block ?? 0)],
    [`${step}_timestamp`, seen?.at.toISOString() ?? null],
  ]);
  return {
    ...fields,
    ...(instantRefund && {instant_refund_tx: instantRefund()}),
    filled_amount: String(state.filled),
    required_confirmations: required,
    current_confirmations: Math.min(confirmations(state), required),
    ...(Object.fromEntries(happened) as Record<string, string | null>),
  };
}

/** What a site vouches for with `contracts`. Bitcoin has nothing to name, and neither has a transfer of SOL. */
export function contractsIn(chains: readonly ChainLeg[], kind: Kind): string {
  const named = chains.flatMap(({family, others}) => {
    if (family === 'bitcoin') return [];
    const entry = family === 'starknet' && kind === 'own' ? '.deposit' : '';
    return Object.entries(others).map(([asset, address]) => `${asset} ${address}${entry}`);
  });
  return named.join(', ');
}
