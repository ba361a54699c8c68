/**
 * The sandbox's Bitcoin chain: contracts that are paid by address, and how the service handles the payments.
 *
 * Real: every transaction, signature, fee and script (`bitcoin/`); the half-signed refund. Ours: the keys, derived from
 * fixed names, and the fee rate. As in the public format, the person who pays or receives only has an address: the
 * service's key, the *delegate*, stands for them in the contract, and the service only pays to that address.
 */
import {hex} from '@scure/base';
import {Address, NETWORK, RawTx, TEST_NETWORK, p2tr} from '@scure/btc-signer';
import {readAddress} from './bitcoin/address.js';
import {BitcoinReject, createBitcoinChain, type ChainTransaction, type Coin, type TxOutput} from './bitcoin/chain.js';
import {serveEsplora} from './bitcoin/esplora.js';
import {createHtlc, secretOf, signTransaction, type Htlc, type Input} from './bitcoin/htlc.js';
import {createWallet, keysOf, usualFee, type FeeOf, type Wallet} from './bitcoin/wallet.js';
import {dustLimit} from './bitcoin/transaction.js';
import {RequestError, type ChainLeg, type Corruption, type LegState, type SeenTransaction, type Terms} from './leg.js';

export interface BitcoinOptions {
  readonly name: string;
  readonly solvers: readonly string[];
  /** The port of the chain's Esplora API; 0 takes a free one. */
  readonly port: number;
  /** Real seconds per block; null if blocks are only mined on demand. */
  readonly blockSeconds: number | null;
}

/** An hour of blocks, and half of it: the source must outlive the destination. */
const TIMELOCKS = {source: 6, destination: 3} as const;
const CONFIRMATIONS = 2;
const BITCOIN = 100_000_000n;
/** The initial coins of each wallet; their number is the number of unconfirmed payments it can have at a time. */
const INITIAL_COINS = {coins: 40, of: BITCOIN};
const NOTHING: LegState = {filled: 0n, matchesTerms: false};

interface Contract {
  readonly htlc: Htlc;
  /** The output script that pays to it, in hex. */
  readonly script: string;
  /** The service's private key in it. */
  readonly delegate: Uint8Array;
  readonly isSource: boolean;
  /** The solver of this leg, whose key is the other one. */
  readonly solver: Wallet;
  /** The output script of the address in the terms: the owner of a source leg, the recipient of a destination. */
  readonly payee: Uint8Array;
}

interface Payment extends Coin {
  readonly seenAt: Date;
  readonly spender?: ChainTransaction;
  /** The secret, if the payment was redeemed. */
  readonly secret?: string;
}

/** Starts the chain with funded wallets, and its Esplora API. */
export async function startBitcoinLeg(options: BitcoinOptions): Promise<ChainLeg> {
  const {name, blockSeconds} = options;
  const asset = `${name}:btc`;
  const walletOf = (role: string) => createWallet({utxosOf: script => chain.utxosOf(script)}, role);
  const solvers = options.solvers.map(walletOf);
  const service = walletOf('service');
  const faucet = walletOf('faucet');
  const chain = createBitcoinChain({
    blockSeconds,
    gifts: [...solvers, service, faucet].map(({script}) =>
      Array<TxOutput>(INITIAL_COINS.coins).fill({script, amount: INITIAL_COINS.of}),
    ),
  });

  const submit = (inputs: readonly Input[], outputs: readonly TxOutput[], payer: Wallet, feeOf?: FeeOf) =>
    Promise.resolve(chain.submit(payer.complete(inputs, outputs, feeOf).hex));

  const esplora = await serveEsplora(chain, options.port);

  const contracts = new WeakMap<Terms, Contract>();
  const delegateOf = (secretHash: string) => keysOf(`delegate of ${secretHash}`);

  function contractOf(terms: Terms): Contract {
    const known = contracts.get(terms);
    if (known) return known;
    const {secretHash, timelock, redeemer, initiator, contract: isOther} = terms;
    const solver = solvers.find(({publicKey}) => publicKey === redeemer || publicKey === initiator);
    if (!solver) throw new Error('these terms name no solver');
    const isSource = solver.publicKey === redeemer;
    const payee = chain.scriptOf(isSource ? initiator : redeemer);
    if (!payee) throw new Error('these terms name no address');
    const delegate = delegateOf(secretHash);
    const keys = isSource
      ? {redeemer: solver.publicKey, initiator: delegate.publicKey}
      : {redeemer: delegate.publicKey, initiator: solver.publicKey};
    const htlc = createHtlc({secretHash, timelock, isOther: isOther !== undefined, ...keys});
    const contract = {
      htlc,
      script: hex.encode(htlc.script),
      delegate: delegate.key,
      isSource,
      solver,
      payee,
    };
    contracts.set(terms, contract);
    return contract;
  }

  const firstSeen = new Map<string, Date>();
  function seenAt(txid: string): Date {
    const at = firstSeen.get(txid) ?? chain.transaction(txid)?.seenAt ?? new Date();
    firstSeen.set(txid, at);
    return at;
  }

  function paymentsInto({htlc}: Contract): Payment[] {
    return chain
      .outputsTo(htlc.script)
      .map(coin => {
        const spend = chain.spenderOf(coin);
        const spender = spend && chain.transaction(spend.txid);
        const secret = spend && spender && secretOf(spender.inputs[spend.vin]?.witness ?? []);
        return {...coin, seenAt: seenAt(coin.txid), ...(spender && {spender}), ...(secret && {secret})};
      })
      .sort((a, b) => a.seenAt.getTime() - b.seenAt.getTime());
  }

  const unspent = (contract: Contract) => paymentsInto(contract).filter(({spender}) => !spender);
  const canReturn = ({payee}: Contract, {amount}: Coin) => amount >= dustLimit(payee);
  const returnable = (contract: Contract) =>
    contract.isSource ? unspent(contract).filter(coin => coin.block && canReturn(contract, coin)) : [];

  /** Counts changes per script, and removed transactions whose scripts are unknown. */
  const touched = new Map<string, number>();
  let gone = 0;
  const count = (script: string) => touched.set(script, (touched.get(script) ?? 0) + 1);
  chain.onTransaction(txid => {
    const transaction = chain.transaction(txid);
    if (!transaction) gone++;
    for (const {script} of transaction?.outputs ?? []) count(hex.encode(script));
    for (const {prevout} of transaction?.inputs ?? []) if (prevout) count(hex.encode(prevout.script));
  });
  const changesOf = ({script}: Contract) => gone + (touched.get(script) ?? 0);
  /** Caches the state of a leg until something changes. */
  const states = new WeakMap<Contract, {at: number; state: LegState}>();

  function stateOf(terms: Terms): LegState {
    const contract = contractOf(terms);
    const known = states.get(contract);
    const at = changesOf(contract);
    if (known?.at === at) return known.state;
    const state = readState(contract, terms.amount);
    states.set(contract, {at, state});
    return state;
  }

  function readState(contract: Contract, amount: bigint): LegState {
    const payments = paymentsInto(contract);
    if (payments.length === 0) return NOTHING;
    const taken = payments.find(({secret}) => secret !== undefined);
    const returned = payments.filter(({spender, secret}) => spender && secret === undefined);
    const filled = total(payments);
    return {
      filled,
      matchesTerms: filled >= amount,
      initiated: initiation(payments, amount),
      ...(taken?.spender && {redeemed: {...newestOf([taken.spender]), secret: taken.secret ?? ''}}),
      ...(returned.length > 0 && {refunded: newestOf(returned.flatMap(({spender}) => spender ?? []))}),
      returnable: total(returnable(contract)),
    };
  }

  function newestOf(transactions: readonly ChainTransaction[]): SeenTransaction {
    const blocks = transactions.map(({block}) => block?.height ?? 0);
    const last = transactions.map(({txid}) => seenAt(txid).getTime());
    return {
      hash: [...new Set(transactions.map(({txid}) => txid))].join(','),
      block: blocks.includes(0) ? 0 : Math.max(...blocks),
      at: new Date(Math.max(...last)),
    };
  }

  const source = (terms: Terms) => ({to: contractOf(terms).htlc.address, amount: terms.amount.toString()});

  /** The half-signed transaction that returns these payments: each in full, to an output at the same index, without a fee. */
  function halfRefund({htlc, delegate, payee}: Contract, payments: readonly Coin[]): string {
    return signTransaction(
      payments.map(coin => htlc.halfInstantRefund(coin, delegate)),
      payments.map(({amount}) => ({script: payee, amount})),
    ).hex;
  }
  const halves = new WeakMap<Contract, {of: string; hex: string}>();

  /** The same transaction with a higher fee: inputs signed again, the first output unchanged. */
  function replaceByFee(sent: ChainTransaction, payer: Wallet, withdrawn: boolean, unlock: (coin: Coin) => Input) {
    const inputs = sent.inputs.map(({txid, vout, prevout}) => {
      if (!prevout) throw new Error('a coinbase is not replaced');
      const coin = {txid, vout, ...prevout, coinbase: false};
      return isPaidTo(coin, payer.script) ? payer.spend(coin) : unlock(coin);
    });
    return submit(inputs, withdrawn ? [] : sent.outputs.slice(0, 1), payer, vsize => sent.fee + usualFee(vsize));
  }

  return {
    name,
    family: 'bitcoin',
    facts: {network: 'testnet', rpc: esplora.url},
    blockSeconds,
    assets: {[asset]: {symbol: 'BTC', decimals: 8, contracts: []}},
    others: {[asset]: 'other script'},
    coin: asset,
    timelocks: TIMELOCKS,
    confirmations: CONFIRMATIONS,
    solvers: solvers.map(({publicKey}) => publicKey),
    corruptions,

    // The chain is in this process, so its state is always current.
    sync: async () => {},
    height: () => chain.tip().height,
    stateOf,

    readAddress,
    delegateOf: secretHash => delegateOf(secretHash).publicKey,
    swapId: terms => contractOf(terms).htlc.address,
    source,
    laterSource: terms => Promise.resolve(source(terms)),

    initiate(terms) {
      const {htlc, solver} = contractOf(terms);
      return submit([], [{script: htlc.script, amount: terms.amount}], solver);
    },

    redeem(terms, secret) {
      const contract = contractOf(terms);
      const {htlc, isSource, solver, delegate, payee} = contract;
      const there = unspent(contract);
      const settled = there.filter(({block}) => block);
      const coins = total(settled) >= terms.amount ? settled : there;
      const inputs = coins.map(coin => htlc.redeem(coin, isSource ? solver.key : delegate, hex.decode(secret)));
      if (!isSource) return submit(inputs, [{script: payee, amount: terms.amount}], service);
      // The solver takes the agreed amount, less the fee. A surplus is returned unless it is dust.
      const surplus = total(coins) - terms.amount;
      return submit(inputs, surplus >= dustLimit(payee) ? [{script: payee, amount: surplus}] : [], solver);
    },

    refund(terms) {
      const contract = contractOf(terms);
      const {htlc, isSource, solver, delegate, payee} = contract;
      const next = chain.tip().height + 1;
      const coins = unspent(contract).filter(({block}) => block && next - block.height >= terms.timelock);
      if (coins.length === 0) throw new Error('no payment is past its timelock');
      const inputs = coins.map(coin => htlc.refund(coin, isSource ? delegate : solver.key));
      return isSource ? submit(inputs, [{script: payee, amount: total(coins)}], service) : submit(inputs, [], solver);
    },

    returnDeposit(terms) {
      const contract = contractOf(terms);
      const coins = returnable(contract);
      const {outputs, witnesses = []} = RawTx.decode(hex.decode(halfRefund(contract, coins)));
      const inputs = coins.map((coin, place) =>
        contract.htlc.completeInstantRefund(coin, contract.solver.key, witnesses[place] ?? []),
      );
      return submit(inputs, outputs, contract.solver);
    },

    instantRefund(terms) {
      const contract = contractOf(terms);
      const coins = paymentsInto(contract).filter(coin => canReturn(contract, coin));
      if (coins.length === 0) return '';
      const of = coins.map(({txid, vout}) => `${txid}:${vout}`).join();
      const known = halves.get(contract);
      if (known?.of === of) return known.hex;
      const made = halfRefund(contract, coins);
      halves.set(contract, {of, hex: made});
      return made;
    },

    mine(blocks) {
      chain.mine(blocks);
      return Promise.resolve();
    },

    async faucet(_asset, address, amount) {
      const script = chain.scriptOf(address);
      if (!script) throw new RequestError('address: Invalid address format');
      try {
        return await submit([], [{script, amount}], faucet);
      } catch (error) {
        throw new RequestError(`amount: ${error instanceof Error ? error.message : String(error)}`);
      }
    },

    reorg(terms) {
      const payments = paymentsInto(contractOf(terms));
      const first = Math.min(...payments.flatMap(({block}) => block?.height ?? []));
      if (first === Infinity) return Promise.resolve();
      const count = chain.tip().height - first + 1;
      chain.disconnect(count);
      // The payments and their descendants are unconfirmed again; everything else is in the new blocks.
      const waiting = chain.mempool().map(txid => ({txid, raw: chain.transaction(txid)?.hex ?? ''}));
      for (const {txid} of payments) chain.dropFromMempool(txid);
      const dropped = waiting.filter(({txid}) => !chain.transaction(txid));
      chain.mine(count);
      for (const {raw} of dropped) {
        try {
          chain.submit(raw);
        } catch (error) {
          // For example a refund whose timelock is not over on the new blocks: nodes drop it.
          if (!(error instanceof BitcoinReject)) throw error;
        }
      }
      return Promise.resolve();
    },

    replace(terms, withdrawn) {
      const contract = contractOf(terms);
      const {htlc, isSource, delegate} = contract;
      const payments = paymentsInto(contract);
      if (isSource) {
        const sent = payments.flatMap(({block, txid}) => (block ? [] : (chain.transaction(txid) ?? [])));
        const own = sent.find(({inputs}) => inputs.every(({prevout}) => prevout && isPaidTo(prevout, faucet.script)));
        if (!own) throw new RequestError('orderId: no deposit of the faucet waits for a block', 409);
        return replaceByFee(own, faucet, withdrawn, faucet.spend);
      }
      const taken = payments.find(({spender, secret}) => secret !== undefined && spender && !spender.block);
      if (!taken?.spender) throw new RequestError('orderId: no redeem waits for a block', 409);
      if (withdrawn) throw new RequestError('withdrawn: the recipient is paid in any case', 409);
      const secret = hex.decode(taken.secret ?? '');
      return replaceByFee(taken.spender, service, false, coin => htlc.redeem(coin, delegate, secret));
    },

    async close() {
      chain.close();
      await esplora.close();
    },
  };
}

function total(coins: readonly {amount: bigint}[]): bigint {
  return coins.reduce((sum, {amount}) => sum + amount, 0n);
}

function isPaidTo({script}: {script: Uint8Array}, other: Uint8Array): boolean {
  return hex.encode(script) === hex.encode(other);
}

/** All payments into a leg as one: when, and in which block, they reached the agreed amount. */
function initiation(payments: readonly Payment[], amount: bigint): SeenTransaction {
  /** The payment that completes the amount, in this order; otherwise the last one. */
  const full = (ordered: readonly Payment[]) => {
    let sum = 0n;
    return ordered.find(payment => (sum += payment.amount) >= amount) ?? ordered.at(-1);
  };
  const height = ({block}: Payment) => block?.height ?? Number.MAX_SAFE_INTEGER;
  const block = full([...payments].sort((a, b) => height(a) - height(b)))?.block;
  // On Bitcoin a leg's hash can be `<tx_hash>:<block_number>` (API, Swap object), and in practice a list of them.
  const hashes = payments.map(({txid, block}) => (block ? `${txid}:${block.height}` : txid));
  return {
    hash: [...new Set(hashes)].join(','),
    block: block?.height ?? 0,
    at: full(payments)?.seenAt ?? new Date(),
  };
}

const {publicKey: attacker} = keysOf('thief');

/** The address of a contract that differs from the order's. */
function inContract(change: Partial<Parameters<typeof createHtlc>[0]>): Corruption {
  return (answer, {redeemer, delegate = '', secretHash, timelock}) => ({
    ...answer,
    to: createHtlc({redeemer, initiator: delegate, secretHash, timelock, ...change}).address,
  });
}

/** What a hostile service could return for a Bitcoin deposit, each with one falsification. */
export const corruptions: Readonly<Record<string, Corruption>> = {
  address: answer => ({...answer, to: p2tr(hex.decode(attacker), undefined, TEST_NETWORK).address}),
  amount: answer => ({...answer, amount: String(2n * BigInt(String(answer['amount'])))}),
  network: answer => ({...answer, to: Address(NETWORK).encode(Address(TEST_NETWORK).decode(String(answer['to'])))}),
  redeemer: inContract({redeemer: attacker}),
  timelock: inContract({timelock: 0xffff}),
};
