/**
 * The sandbox's contracts: two kinds of account, a token, and the HTLC.
 *
 * Real: their interfaces, their errors, and the storage layout of the well-known contracts. The HTLC is the TypeScript
 * version of `contracts/starknet/htlc.cairo`; `test/cairo.ts` runs both and compares.
 */
import {createHash} from 'node:crypto';
import {
  fromWords,
  toU256,
  isSignature,
  isU128,
  isU256,
  messageHash,
  poseidon,
  selectorOf,
  shortText,
  fromU256,
} from './felts.js';
import {Panic, assert, defineClass, external, view, type Call, type Frame} from './machine.js';

const VALID = shortText('VALID');
const YES = [1n];
const SRC5 = 0x3f918d17e5ee77373b56385708f855659a07f75997f365cf87748628532a055n;
const SRC6 = 0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cdn;

/** The entry points of every account (SNIP-6): it validates and executes transactions, and verifies signatures. */
function accountEntries(faultOf: (frame: Frame, hash: bigint, signature: readonly bigint[]) => string | undefined) {
  const validate = (frame: Frame) => {
    assert(frame.caller === 0n, 'Account: invalid caller');
    const fault = faultOf(frame, frame.transaction.hash, frame.transaction.signature);
    if (fault !== undefined) throw new Panic(fault);
    return [VALID];
  };
  const isValidSignature = view(
    {hash: 'felt252', signature: 'Array<felt252>'},
    'felt252',
    (frame, {hash, signature}) => (faultOf(frame, hash, signature) === undefined ? [VALID] : [0n]),
  );
  return {
    validate,
    entries: {
      __validate__: external({calls: 'Array<Call>'}, validate, 'felt252'),
      __execute__: external({calls: 'Array<Call>'}, (frame, {calls}) => {
        assert(frame.caller === 0n, 'Account: invalid caller');
        const answers = calls.map(({to, selector, calldata}: Call) => frame.call(to, selector, calldata));
        return [BigInt(answers.length), ...answers.flatMap(answer => [BigInt(answer.length), ...answer])];
      }),
      is_valid_signature: isValidSignature,
      isValidSignature,
      supports_interface: view({interface_id: 'felt252'}, 'bool', (_, {interface_id}) => [
        interface_id === SRC5 || interface_id === SRC6 ? 1n : 0n,
      ]),
    },
  };
}

const publicKeyOf = (frame: Frame) => frame.read(1, 'Account_public_key')[0] ?? 0n;

const plain = accountEntries((frame, hash, [r, s, ...more]) => {
  const isOwn = r !== undefined && s !== undefined && !more.length && isSignature(hash, publicKeyOf(frame), r, s);
  return isOwn ? undefined : 'Account: invalid signature';
});

/**
 * An account with one key and signatures `[r, s]`. Its class hash is that of OpenZeppelin's account on development
 * nodes, so a key has the same address here.
 */
export const account = defineClass({
  title: 'account',
  hash: 0x61dac032f228abef9c6626f995015233097ae253a7f72d68552db02f2971b8fn,
  isAccount: true,
  construct: external({public_key: 'felt252'}, (frame, {public_key}) => {
    frame.write([public_key], 'Account_public_key');
  }),
  entries: {
    ...plain.entries,
    __validate_deploy__: external(
      {class_hash: 'felt252', contract_address_salt: 'felt252', public_key: 'felt252'},
      plain.validate,
      'felt252',
    ),
    get_public_key: view({}, 'felt252', frame => [publicKeyOf(frame)]),
  },
});

type Signed = readonly [key: bigint, r: bigint, s: bigint];

/** Reads a signature of Argent's account: a list of signers, or the older format, two felts of each. */
function readSigned(signature: readonly bigint[], keys: readonly bigint[]): Signed[] {
  const isOlder = signature.length === 2 || signature.length === 4;
  const [count, ...list] = isOlder ? [BigInt(signature.length / 2), ...signature] : signature;
  const size = isOlder ? 2 : 4;
  const signed = Array.from({length: list.length / size}, (_, index): Signed => {
    const part = list.slice(index * size, (index + 1) * size);
    const [kind = 0n, key = 0n, r = 0n, s = 0n] = isOlder ? [0n, keys[index], ...part] : part;
    assert(kind === 0n && key !== 0n, 'argent/undeserializable');
    return [key, r, s];
  });
  assert(count === BigInt(signed.length) && list.length === signed.length * size, 'argent/undeserializable');
  return signed;
}

const argent = accountEntries((frame, hash, signature) => {
  const keys = ['_signer', '_guardian'].map(variable => frame.read(1, variable)[0] ?? 0n);
  const signed = readSigned(signature, keys);
  assert(signed.length === (keys[1] ? 2 : 1), 'argent/invalid-signature-length');
  const wrong = signed.findIndex(([key, r, s], index) => key !== keys[index] || !isSignature(hash, key, r, s));
  return ['argent/invalid-owner-sig', 'argent/invalid-guardian-sig'][wrong];
});
const ARGENT_SIGNERS = {owner: 'Signer', guardian: 'Option<Signer>'} as const;

/**
 * Argent's account 0.4.0, which its wallet deploys, with its class hash, so that the same key has the same address
 * here. With a guardian, both sign: a client that truncates signatures to two felts cannot pay from it. Not here:
 * other kinds of keys than Starknet's, sessions, escapes, upgrades, the account's own events.
 */
export const argentAccount = defineClass({
  title: "Argent's account",
  hash: 0x36078334509b514626504edc9fb252328d1a240e4e948bef8d0c08dff45927fn,
  isAccount: true,
  construct: external(ARGENT_SIGNERS, (frame, {owner, guardian}) => {
    frame.write([owner], '_signer');
    frame.write([guardian ?? 0n], '_guardian');
  }),
  entries: {
    ...argent.entries,
    __validate_deploy__: external(
      {class_hash: 'felt252', contract_address_salt: 'felt252', ...ARGENT_SIGNERS},
      argent.validate,
      'felt252',
    ),
  },
});

const amountAt = (frame: Frame, variable: string, ...keys: bigint[]) => {
  const [low = 0n, high = 0n] = frame.read(2, variable, ...keys);
  return fromU256(low, high);
};

function move(frame: Frame, from: bigint, to: bigint, amount: bigint): void {
  assert(to !== 0n, 'ERC20: transfer to 0');
  const held = amountAt(frame, 'ERC20_balances', from);
  assert(held >= amount, 'ERC20: insufficient balance');
  frame.write(toU256(held - amount), 'ERC20_balances', from);
  frame.write(toU256(amountAt(frame, 'ERC20_balances', to) + amount), 'ERC20_balances', to);
  frame.emit('Transfer', [from, to], toU256(amount));
}

const balanceOf = view({account: 'address'}, 'u256', (frame, {account: holder}) =>
  toU256(amountAt(frame, 'ERC20_balances', holder)),
);
const totalSupply = view({}, 'u256', frame => toU256(amountAt(frame, 'ERC20_total_supply')));
const transferFrom = external(
  {sender: 'address', recipient: 'address', amount: 'u256'},
  (frame, {sender, recipient, amount}) => {
    const allowed = amountAt(frame, 'ERC20_allowances', sender, frame.caller);
    assert(allowed >= amount, 'ERC20: insufficient allowance');
    // An unlimited allowance does not decrease.
    if (isU256(allowed + 1n)) frame.write(toU256(allowed - amount), 'ERC20_allowances', sender, frame.caller);
    move(frame, sender, recipient, amount);
    return YES;
  },
  'bool',
);

/** An ordinary ERC-20 that its deployer can mint. Names are short strings, as in Starknet's first tokens. */
export const token = defineClass({
  title: 'token',
  events: {
    Transfer: {keys: {from: 'address', to: 'address'}, data: {value: 'u256'}},
    Approval: {keys: {owner: 'address', spender: 'address'}, data: {value: 'u256'}},
  },
  construct: external(
    {name: 'felt252', symbol: 'felt252', decimals: 'u8', minter: 'address'},
    (frame, {name, symbol, decimals, minter}) => {
      frame.write([name], 'ERC20_name');
      frame.write([symbol], 'ERC20_symbol');
      frame.write([decimals], 'ERC20_decimals');
      frame.write([minter], 'minter');
    },
  ),
  entries: {
    name: view({}, 'felt252', frame => frame.read(1, 'ERC20_name')),
    symbol: view({}, 'felt252', frame => frame.read(1, 'ERC20_symbol')),
    decimals: view({}, 'u8', frame => frame.read(1, 'ERC20_decimals')),
    total_supply: totalSupply,
    totalSupply,
    balance_of: balanceOf,
    balanceOf,
    allowance: view({owner: 'address', spender: 'address'}, 'u256', (frame, {owner, spender}) =>
      toU256(amountAt(frame, 'ERC20_allowances', owner, spender)),
    ),
    approve: external(
      {spender: 'address', amount: 'u256'},
      (frame, {spender, amount}) => {
        assert(spender !== 0n, 'ERC20: approve to 0');
        frame.write(toU256(amount), 'ERC20_allowances', frame.caller, spender);
        frame.emit('Approval', [frame.caller, spender], toU256(amount));
        return YES;
      },
      'bool',
    ),
    transfer: external(
      {recipient: 'address', amount: 'u256'},
      (frame, {recipient, amount}) => {
        move(frame, frame.caller, recipient, amount);
        return YES;
      },
      'bool',
    ),
    transfer_from: transferFrom,
    transferFrom,
    mint: external({recipient: 'address', amount: 'u256'}, (frame, {recipient, amount}) => {
      assert(frame.caller === frame.read(1, 'minter')[0], 'only the maker may mint');
      assert(recipient !== 0n, 'ERC20: mint to 0');
      const supply = amountAt(frame, 'ERC20_total_supply') + amount;
      assert(isU256(supply), 'u256_add Overflow');
      frame.write(toU256(supply), 'ERC20_total_supply');
      frame.write(toU256(amountAt(frame, 'ERC20_balances', recipient) + amount), 'ERC20_balances', recipient);
      frame.emit('Transfer', [0n, recipient], toU256(amount));
    }),
  },
});

const U256_TYPE = '"u256"("low":"u128","high":"u128")';
const INITIATE_TYPE = `"Initiate"("redeemer":"ContractAddress","amount":"u256","timelock":"u128","secretHash":"u128*")${U256_TYPE}`;

/** The typed data's domain. Version "1" is hashed as the number 1: see `messageHash`. */
const domain = (chainId: bigint) => ({name: 'HTLC', version: 1n, chainId});

export interface Deposit {
  readonly redeemer: bigint;
  readonly timelock: bigint;
  readonly amount: bigint;
  readonly secret_hash: readonly bigint[];
}

/** What the owner signs for an order (API, Starknet typed data). */
export function initiateHash(chainId: bigint, initiator: bigint, deposit: Deposit): bigint {
  const {redeemer, timelock, amount, secret_hash} = deposit;
  const amountHash = poseidon([selectorOf(U256_TYPE), ...toU256(amount)]);
  const struct = poseidon([selectorOf(INITIATE_TYPE), redeemer, amountHash, timelock, poseidon(secret_hash)]);
  return messageHash(domain(chainId), initiator, struct);
}

/** The order id of the published first generation: an initiator can lock one order per secret. */
export const orderId = (chainId: bigint, secretHash: readonly bigint[], initiator: bigint): bigint =>
  poseidon([chainId, ...secretHash, initiator]);

/** An order as `get_order` returns it: six fields, the last with two felts. */
export interface StoredOrder {
  readonly fulfilledAt: bigint;
  readonly initiator: bigint;
  readonly redeemer: bigint;
  readonly initiatedAt: bigint;
  readonly timelock: bigint;
  readonly amount: bigint;
}

export function readOrder([
  fulfilledAt = 0n,
  initiator = 0n,
  redeemer = 0n,
  initiatedAt = 0n,
  timelock = 0n,
  low = 0n,
  high = 0n,
]: readonly bigint[]): StoredOrder {
  return {fulfilledAt, initiator, redeemer, initiatedAt, timelock, amount: fromU256(low, high)};
}

function lock(frame: Frame, payer: bigint, initiator: bigint, deposit: Deposit): void {
  const {redeemer, timelock, amount, secret_hash} = deposit;
  assert(redeemer !== 0n, 'HTLC: zero address redeemer');
  assert(initiator !== 0n, 'HTLC: zero address initiator');
  assert(initiator !== redeemer, 'HTLC: same initiator & redeemer');
  assert(timelock > 0n, 'HTLC: zero timelock');
  assert(amount > 0n, 'HTLC: zero amount');
  const id = orderId(frame.chainId, secret_hash, initiator);
  // The only protection against replay: the typed data has neither nonce nor deadline.
  assert(readOrder(frame.read(7, 'orders', id)).timelock === 0n, 'HTLC: duplicate order');
  frame.write([0n, initiator, redeemer, BigInt(frame.block.number), timelock, ...toU256(amount)], 'orders', id);
  frame.emit('Initiated', [id], [...secret_hash, ...toU256(amount)]);
  frame.call(tokenOf(frame), selectorOf('transfer_from'), [payer, frame.self, ...toU256(amount)]);
}

const tokenOf = (frame: Frame) => frame.read(1, 'token')[0] ?? 0n;

function openOrder(frame: Frame, id: bigint): StoredOrder {
  const order = readOrder(frame.read(7, 'orders', id));
  assert(order.timelock !== 0n, 'HTLC: order not initiated');
  assert(order.fulfilledAt === 0n, 'HTLC: order fulfilled');
  return order;
}

function pay(frame: Frame, id: bigint, to: bigint, amount: bigint): void {
  frame.write([BigInt(frame.block.number)], 'orders', id);
  frame.call(tokenOf(frame), selectorOf('transfer'), [to, ...toU256(amount)]);
}

const DEPOSIT = {redeemer: 'address', timelock: 'u128', amount: 'u256', secret_hash: '[u32; 8]'} as const;

/** Holds one token until a secret is revealed or a number of blocks has passed. */
const HTLC = {
  title: 'HTLC',
  structs: {
    Order: {
      fulfilled_at: 'u128',
      initiator: 'address',
      redeemer: 'address',
      initiated_at: 'u128',
      timelock: 'u128',
      amount: 'u256',
    },
  },
  events: {
    Initiated: {keys: {order_id: 'felt252'}, data: {secret_hash: '[u32; 8]', amount: 'u256'}},
    Redeemed: {keys: {order_id: 'felt252'}, data: {secret_hash: '[u32; 8]', secret: 'Array<u32>'}},
    Refunded: {keys: {order_id: 'felt252'}, data: {}},
  },
  construct: external({token: 'address'}, (frame, {token: held}) => {
    frame.write([held], 'token');
  }),
  entries: {
    token: view({}, 'address', frame => [tokenOf(frame)]),
    get_order: view({order_id: 'felt252'}, 'Order', (frame, {order_id}) => frame.read(7, 'orders', order_id)),
    /** Locks the caller's tokens, which it has approved for this contract. */
    initiate: external(DEPOSIT, (frame, deposit) => {
      lock(frame, frame.caller, frame.caller, deposit);
    }),
    /** Locks the caller's tokens on behalf of another account, which gets them on a refund. */
    initiate_on_behalf: external({initiator: 'address', ...DEPOSIT}, (frame, {initiator, ...deposit}) => {
      lock(frame, frame.caller, initiator, deposit);
    }),
    /** Locks the signer's tokens. The signer's account gets the whole signature, regardless of its length. */
    initiate_with_signature: external(
      {initiator: 'address', ...DEPOSIT, signature: 'Array<felt252>'},
      (frame, {initiator, signature, ...deposit}) => {
        const hash = initiateHash(frame.chainId, initiator, deposit);
        const given = [hash, BigInt(signature.length), ...signature];
        const [answer] = frame.call(initiator, selectorOf('is_valid_signature'), given);
        assert(answer === VALID || answer === 1n, 'HTLC: invalid signature');
        lock(frame, initiator, initiator, deposit);
      },
    ),
    /** Pays the redeemer. Anyone can call it with the secret: 32 bytes whose SHA-256 is the order's secret hash. */
    redeem: external({order_id: 'felt252', secret: 'Array<u32>'}, (frame, {order_id, secret}) => {
      const order = openOrder(frame, order_id);
      assert(secret.length === 8, 'HTLC: incorrect secret');
      const digest = createHash('sha256').update(fromWords(secret), 'hex').digest();
      const secretHash = Array.from({length: 8}, (_, word) => BigInt(digest.readUInt32BE(word * 4)));
      // The id commits to the hash, so the hash does not have to be stored.
      assert(orderId(frame.chainId, secretHash, order.initiator) === order_id, 'HTLC: incorrect secret');
      frame.emit('Redeemed', [order_id], [...secretHash, 8n, ...secret]);
      pay(frame, order_id, order.redeemer, order.amount);
    }),
    /** Refunds the initiator once the timelock is over. Anyone can call it. */
    refund: external({order_id: 'felt252'}, (frame, {order_id}) => {
      const order = openOrder(frame, order_id);
      const end = order.initiatedAt + order.timelock;
      assert(isU128(end), 'u128_add Overflow');
      assert(end < BigInt(frame.block.number), 'HTLC: order not expired');
      frame.emit('Refunded', [order_id], []);
      pay(frame, order_id, order.initiator, order.amount);
    }),
  },
} satisfies Parameters<typeof defineClass>[0];

export const htlc = defineClass(HTLC);

/** The same with a second name for its entry point, as of a service that was built from the specification alone. */
export const otherHtlc = defineClass({
  ...HTLC,
  title: 'Other HTLC',
  entries: {...HTLC.entries, deposit: HTLC.entries.initiate},
});

export const CLASSES = new Map([account, argentAccount, token, htlc, otherHtlc].map(one => [one.hash, one]));
