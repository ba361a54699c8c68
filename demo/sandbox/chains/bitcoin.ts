/**
 * The Bitcoin chain of the sandbox: contracts that are paid by address, and what the service does with the payments.
 *
 * Real: every transaction, signature, fee and script (`bitcoin/`); the half-signed refund. Ours: the keys, made from
 * fixed words; the fee rate; and, as in the public form, that whoever pays or receives has an address only: the
 * service's key, the *delegate*, stands for them in the contract, and the service pays that address alone.
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
  /** The names of the solvers' keys. */
  readonly solvers: readonly string[];
  /** Where the chain's Esplora interface listens; 0 takes a free port. */
  readonly port: number;
  /** Real seconds from block to block; null where blocks come on demand. */
  readonly blockSeconds: number | null;
}

/** An hour of blocks, and half of it: the source must outlive the destination. */
const TIMELOCKS = {source: 6, destination: 3} as const;
const CONFIRMATIONS = 2;
const BITCOIN = 100_000_000n;
/** So many coins a party starts with: as many of its payments can wait for a block at once. */
const INITIAL_COINS = {coins: 40, of: BITCOIN};
const NOTHING: LegState = {filled: 0n, matchesTerms: false};

/** A contract of one leg. */
interface Contract {
  readonly htlc: Htlc;
  /** The script that pays into it, as hex. */
  readonly script: string;
  /** The secret key of the service in it. */
  readonly delegate: Uint8Array;
  readonly isSource: boolean;
  /** The solver of this leg, whose key is the other one in the contract. */
  readonly solver: Wallet;
  /** Pays to the address in the terms: the owner of a source leg, the recipient of a destination. */
  readonly payee: Uint8Array;
}

/** A payment into a contract, and what became of it. */
interface Payment extends Coin {
  readonly seenAt: Date;
  readonly spender?: ChainTransaction;
  /** What the spender shows, where it took the payment with the secret. */
  readonly secret?: string;
}

/** Starts the chain with its parties' purses filled, and the interface that wallets read it by. */
export async function startBitcoinLeg(options: BitcoinOptions): Promise<ChainLeg> {
  const {name, blockSeconds} = options;
  const asset = `${name}:btc`;
  const chain = createBitcoinChain({blockSeconds});
  const solvers = options.solvers.map(role => createWallet(chain, role));
  const service = createWallet(chain, 'service');
  const faucet = createWallet(chain, 'faucet');

  const submit = (inputs: readonly Input[], outputs: readonly TxOutput[], payer: Wallet, feeOf?: FeeOf) =>
    Promise.resolve(chain.submit(payer.complete(inputs, outputs, feeOf).hex));

  async function genesis(): Promise<void> {
    const wallets = [...solvers, service, faucet];
    await chain.fund(service.address, BigInt(wallets.length * INITIAL_COINS.coins + 1) * INITIAL_COINS.of);
    chain.mine();
    const outputs = wallets.flatMap(({script}) =>
      Array<TxOutput>(INITIAL_COINS.coins).fill({script, amount: INITIAL_COINS.of}),
    );
    await submit([], outputs, service);
    chain.mine();
  }
  await genesis();
  const esplora = await serveEsplora(chain, options.port);

  const contracts = new WeakMap<Terms, Contract>();
  const delegateOf = (secretHash: string) => keysOf(`delegate of ${secretHash}`);

  /** Terms as an order holds them: a solver's key on the one side, somebody's address on the other. */
  function contractOf(terms: Terms): Contract {
    const known = contracts.get(terms);
    if (known) return known;
    const {secretHash, timelock, redeemer, initiator} = terms;
    const solver = solvers.find(({publicKey}) => publicKey === redeemer || publicKey === initiator);
    if (!solver) throw new Error('these terms name no solver');
    const isSource = solver.publicKey === redeemer;
    const payee = chain.scriptOf(isSource ? initiator : redeemer);
    if (!payee) throw new Error('these terms name no address');
    const delegate = delegateOf(secretHash);
    const keys = isSource
      ? {redeemer: solver.publicKey, initiator: delegate.publicKey}
      : {redeemer: delegate.publicKey, initiator: solver.publicKey};
    const htlc = createHtlc({secretHash, timelock, ...keys});
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
  /** When a transaction was first seen, also if the chain has lost it since and found it again. */
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
  /** Too little for an output of its own is not sent back. */
  const canReturn = ({payee}: Contract, {amount}: Coin) => amount >= dustLimit(payee);
  const returnable = (contract: Contract) =>
    contract.isSource ? unspent(contract).filter(coin => coin.block && canReturn(contract, coin)) : [];

  /** How often something touched a script, and how often something went of which nobody knows what it touched. */
  const touched = new Map<string, number>();
  let gone = 0;
  const count = (script: string) => touched.set(script, (touched.get(script) ?? 0) + 1);
  chain.on('transaction', txid => {
    const transaction = chain.transaction(txid);
    if (!transaction) gone++;
    for (const {script} of transaction?.outputs ?? []) count(hex.encode(script));
    for (const {prevout} of transaction?.inputs ?? []) if (prevout) count(hex.encode(prevout.script));
  });
  const changesOf = ({script}: Contract) => gone + (touched.get(script) ?? 0);
  /** While nothing changes, a leg stays as it was read. */
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

  /** The service's half of giving these payments back: each whole, to an output beside it, and no fee. */
  function halfRefund({htlc, delegate, payee}: Contract, payments: readonly Coin[]): string {
    return signTransaction(
      payments.map(coin => htlc.halfInstantRefund(coin, delegate)),
      payments.map(({amount}) => ({script: payee, amount})),
    ).hex;
  }
  const halves = new WeakMap<Contract, {of: string; hex: string}>();

  /** The same transaction with more for its fee: the inputs signed again, the first output as it was. */
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
    coin: asset,
    timelocks: TIMELOCKS,
    confirmations: CONFIRMATIONS,
    solvers: solvers.map(({publicKey}) => publicKey),
    corruptions,

    // The chain lives in this process: what is asked of it is always its newest answer.
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
      // The solver takes what was agreed, less the fee. More than that goes back, unless it is too little to be sent.
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
      // The payments, and what was paid from the same transactions since, wait again; all else is in the new blocks.
      const waiting = chain.mempool().map(txid => ({txid, raw: chain.transaction(txid)?.hex ?? ''}));
      for (const {txid} of payments) chain.dropFromMempool(txid);
      const dropped = waiting.filter(({txid}) => !chain.transaction(txid));
      chain.mine(count);
      for (const {raw} of dropped) {
        try {
          chain.submit(raw);
        } catch (error) {
          // A refund, say, whose time has not come on the new blocks: it is gone, as from any node.
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

/** All payments into a leg as one: from when, and in which block, they came to the amount agreed. */
function initiation(payments: readonly Payment[], amount: bigint): SeenTransaction {
  /** The one that makes the amount full, in this order; the last where none does. */
  const full = (ordered: readonly Payment[]) => {
    let sum = 0n;
    return ordered.find(payment => (sum += payment.amount) >= amount) ?? ordered.at(-1);
  };
  const height = ({block}: Payment) => block?.height ?? Number.MAX_SAFE_INTEGER;
  const block = full([...payments].sort((a, b) => height(a) - height(b)))?.block;
  // A leg's hash may be `<tx_hash>:<block_number>` on Bitcoin (API, Swap object), and in practice a list of them.
  const hashes = payments.map(({txid, block}) => (block ? `${txid}:${block.height}` : txid));
  return {
    hash: [...new Set(hashes)].join(','),
    block: block?.height ?? 0,
    at: full(payments)?.seenAt ?? new Date(),
  };
}

const {publicKey: attacker} = keysOf('thief');

/** An address of another contract than the order's. */
function inContract(change: Partial<Parameters<typeof createHtlc>[0]>): Corruption {
  return (answer, {redeemer, delegate = '', secretHash, timelock}) => ({
    ...answer,
    to: createHtlc({redeemer, initiator: delegate, secretHash, timelock, ...change}).address,
  });
}

/** What a hostile service might answer for a Bitcoin deposit, one lie at a time. */
const corruptions: Readonly<Record<string, Corruption>> = {
  address: answer => ({...answer, to: p2tr(hex.decode(attacker), undefined, TEST_NETWORK).address}),
  amount: answer => ({...answer, amount: String(2n * BigInt(String(answer['amount'])))}),
  network: answer => ({...answer, to: Address(NETWORK).encode(Address(TEST_NETWORK).decode(String(answer['to'])))}),
  redeemer: inContract({redeemer: attacker}),
  timelock: inContract({timelock: 0xffff}),
};
