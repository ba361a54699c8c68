/**
 * The sandbox's Solana chain: a runtime in this process (`solana/svm.ts`) behind a node's JSON-RPC (`solana/rpc.ts`),
 * with our own HTLC programs, for SOL and for tokens, at the published programs' addresses.
 *
 * Real: the virtual machine and the program that runs in it, signatures, fees, rent, blockhashes that expire. Ours: the
 * keys of solvers and service, derived from fixed names; that there is one node; the clock.
 */
import {readFileSync} from 'node:fs';
import {address as toAddress, isAddress, type Address, type Instruction} from '@solana/kit';
import {RequestError, memoizeByTerms, type ChainLeg, type LegState, type SeenTransaction, type Terms} from './leg.js';
import {errorMessage} from './solana/errors.js';
import {corruptions} from './solana/hostile.js';
import {
  OTHER_PROGRAM,
  PROGRAM,
  SYSTEM_PROGRAM,
  TOKENS,
  TOKENS_PROGRAM,
  accountInstruction,
  bytesOf,
  mintData,
  mintInstructions,
  programCallsOf,
  initiateInstruction,
  signerFor,
  redeemInstruction,
  refundInstruction,
  swapAccountOf,
  swapOf,
  tokenOf,
  transactionOf,
  transferInstruction,
  unitLimitInstruction,
  type Signer,
} from './solana/htlc.js';
import {startSolanaRpc} from './solana/rpc.js';
import {NotLanded, SLOT_SECONDS, createSolanaChain, type Landed} from './solana/svm.js';

export interface SolanaOptions {
  readonly name: string;
  /** The chain's name in the Wallet Standard. */
  readonly walletChain: `solana:${string}`;
  readonly solvers: readonly string[];
  /** 0 takes a free one. */
  readonly port: number;
  /** How much faster than real time the clock runs; 0 only advances it with each transaction. */
  readonly speed: number;
}

/** An hour of 0.4-second slots, and half of it: the source must outlive the destination. */
const TIMELOCKS = {source: 9_000, destination: 4_500} as const;
/** The lifetime of a blockhash in slots: about a minute on public clusters. */
const BLOCKHASH_SLOTS = 150;
const SOL = 10n ** 9n;
/** The initial balance of each of the sandbox's keys. */
const INITIAL_BALANCE = 10n ** 8n * SOL;
/** The initial amount of each token, in the smallest unit, that each solver has. */
const INITIAL_TOKENS = 10n ** 16n;
/** A compute unit limit that is enough for all of our transactions. */
const UNITS = 200_000;

const [program, tokens] = ['htlc', 'tokens'].map(name =>
  readFileSync(new URL(`../contracts/solana/${name}.so`, import.meta.url)),
) as [Buffer, Buffer];

export async function startSolanaLeg(options: SolanaOptions): Promise<ChainLeg> {
  const {name, walletChain, speed, port} = options;
  const slotSeconds = speed > 0 ? SLOT_SECONDS / speed : null;
  const solvers = options.solvers.map(signerFor);
  const service = signerFor('service');
  const faucet = signerFor('faucet');
  const signerWith = (address: string) => solvers.find(solver => solver.address === address) ?? service;
  const asset = `${name}:sol`;

  const chain = createSolanaChain({
    slotSeconds,
    // A person needs the same minute, no matter how fast the slots are.
    blockhashSlots: BLOCKHASH_SLOTS * Math.max(1, speed),
    accounts: new Map([service, faucet, ...solvers].map(({address}) => [address, INITIAL_BALANCE])),
    programs: new Map([
      [PROGRAM, program],
      [OTHER_PROGRAM, program],
      [TOKENS_PROGRAM, tokens],
    ]),
    mints: new Map(Object.values(TOKENS).map(({token, decimals}) => [token, mintData(faucet.address, decimals)])),
  });

  let sent = 0;
  function send(from: Signer, ...instructions: readonly Instruction[]): string {
    // Identical transactions in one slot would be the same transaction. The unit limit, which is free, makes them differ.
    const limit = unitLimitInstruction(UNITS + (sent++ % UNITS));
    try {
      return chain.send(from.sign([limit, ...instructions], chain.latestBlockhash('processed').blockhash), 'processed');
    } catch (error) {
      if (!(error instanceof NotLanded)) throw error;
      throw new RequestError(`Solana transaction refused : ${errorMessage(error.outcome.error)}`);
    }
  }
  const give = (from: Signer, to: Address, amount: bigint) => send(from, transferInstruction(from.address, to, amount));
  const mint = (to: Address, token: Address, amount: bigint) =>
    send(faucet, ...mintInstructions(faucet.address, to, token, amount));
  for (const {address} of solvers) for (const {token} of Object.values(TOKENS)) mint(address, token, INITIAL_TOKENS);
  /** Before tokens are paid out to it, an address gets an account for them. */
  const placeFor = (payer: Signer, owner: string, {asset: of}: Terms) => {
    const token = tokenOf(of);
    return token ? [accountInstruction(payer.address, toAddress(owner), token)] : [];
  };

  const rpc = await startSolanaRpc(chain, port);

  const programOf = ({contract}: Terms) => (contract === undefined ? undefined : toAddress(contract));
  const accountOf = memoizeByTerms(terms => swapAccountOf(swapOf(terms), programOf(terms)));
  const seenTransaction = ({signature, slot, at}: Landed): SeenTransaction => ({hash: signature, block: slot, at});

  /** Caches the state of a leg for the transactions that name the swap's account. */
  const states = new WeakMap<Terms, {from: readonly Landed[]; count: number; state: LegState}>();
  function stateOf(terms: Terms): LegState {
    const from = chain.naming(accountOf(terms));
    const known = states.get(terms);
    if (known?.from === from && known.count === from.length) return known.state;
    const state = readState(terms, from);
    states.set(terms, {from, count: from.length, state});
    return state;
  }

  /** The state of a swap: its first deposit and how that ended. A later deposit is another swap. */
  function readState(terms: Terms, naming: readonly Landed[]): LegState {
    const account = accountOf(terms);
    let state: LegState = {filled: 0n, matchesTerms: false};
    for (const landed of naming) {
      for (const deed of programCallsOf(landed)) {
        if (deed.swapAccount !== account || state.redeemed || state.refunded) continue;
        const seen = seenTransaction(landed);
        if (deed.name === 'initiate') {
          const matchesTerms =
            deed.amount === terms.amount &&
            deed.redeemer === terms.redeemer &&
            deed.token === tokenOf(terms.asset) &&
            deed.expiresInSlots === BigInt(terms.timelock);
          state = {filled: deed.amount, matchesTerms: matchesTerms, initiated: seen};
        } else if (deed.name === 'redeem') {
          state = {...state, redeemed: {...seen, secret: deed.secret}};
        } else {
          state = {...state, refunded: seen};
        }
      }
    }
    return state;
  }

  const initiation = (terms: Terms) =>
    Buffer.from(
      transactionOf(
        toAddress(terms.initiator),
        [initiateInstruction(swapOf(terms), programOf(terms))],
        chain.latestBlockhash('finalized').blockhash,
      ),
    );
  /** Runs synchronous work so that an error becomes a rejection. */
  const soon = async (work: () => string): Promise<string> => Promise.resolve(work());

  return {
    name,
    family: 'solana',
    facts: {rpc: rpc.url, walletChain, genesisHash: chain.genesisHash, program: PROGRAM},
    blockSeconds: slotSeconds,
    assets: {
      [asset]: {symbol: 'SOL', decimals: 9, contracts: [PROGRAM]},
      ...Object.fromEntries(
        Object.entries(TOKENS).map(([key, token]) => [`${name}:${key}`, {...token, contracts: [TOKENS_PROGRAM]}]),
      ),
    },
    others: {[asset]: OTHER_PROGRAM},
    coin: asset,
    timelocks: TIMELOCKS,
    solvers: solvers.map(({address}) => address),
    corruptions,

    // The chain is in this process, so its state is always current.
    sync: () => Promise.resolve(),
    // Transactions in the current slot have no confirmation yet.
    height: () => chain.slot('confirmed'),
    stateOf,

    readAddress(text) {
      if (!isAddress(text)) return {problem: 'not a valid Solana address'};
      return text === SYSTEM_PROGRAM ? {problem: 'the system program owns nothing'} : {address: text};
    },
    // How the published ids are derived is not known; the swap account's address is as specific.
    swapId: terms => Buffer.from(bytesOf(accountOf(terms))).toString('hex'),
    source: terms => ({versioned_tx: initiation(terms).toString('hex')}),
    laterSource: terms =>
      Promise.resolve({versioned_tx: initiation(terms).toString('base64'), versioned_tx_gasless: null}),

    initiate: terms =>
      soon(() => send(signerWith(terms.initiator), initiateInstruction(swapOf(terms), programOf(terms)))),
    redeem: (terms, secret) =>
      soon(() => {
        const by = signerWith(terms.redeemer);
        const redeem = redeemInstruction(swapOf(terms), secret, programOf(terms));
        return send(by, ...placeFor(by, terms.redeemer, terms), redeem);
      }),
    refund: terms =>
      soon(() => {
        const by = signerWith(terms.initiator);
        const refund = refundInstruction(swapOf(terms), programOf(terms));
        return send(by, ...placeFor(by, terms.initiator, terms), refund);
      }),

    mine(slots) {
      chain.mine(slots);
      return Promise.resolve();
    },
    faucet: (of, to, amount) =>
      soon(() => {
        const token = tokenOf(of);
        return token ? mint(toAddress(to), token, amount) : give(faucet, toAddress(to), amount);
      }),
    reorg(terms) {
      const deposit = stateOf(terms).initiated;
      if (deposit) chain.reorgWithout(deposit.hash);
      return Promise.resolve();
    },
    close: rpc.close,
  };
}
