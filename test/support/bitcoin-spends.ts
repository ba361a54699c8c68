/**
 * Thousands of transactions that spend coins of the sandbox's Bitcoin chain, most of them with one mutation, the same on
 * every run. A real node's result for each is stored in `bitcoin-node-results.json`, which `bitcoind.ts` writes.
 */
import {schnorr, secp256k1} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {utf8ToBytes} from '@noble/hashes/utils.js';
import {hex} from '@scure/base';
import {
  OutScript,
  RawTx,
  Script,
  TEST_NETWORK,
  TaprootControlBlock,
  Transaction,
  p2tr,
  p2wpkh,
  taprootNumsKey,
} from '@scure/btc-signer';
import {concatBytes, equalBytes, taprootTweakPrivKey} from '@scure/btc-signer/utils.js';
import {createBitcoinChain, type BitcoinChain, type Coin} from '../../demo/sandbox/chains/bitcoin/chain.js';
import {createRandom, type Random} from './random.js';

export interface Spend {
  readonly kind: Kind;
  readonly mutation: Mutation;
  readonly hex: string;
}

type Kind = 'wpkh' | 'wsh redeem' | 'wsh refund' | 'tr key' | 'tr redeem' | 'tr refund' | 'tr both';

const MUTATIONS = [
  'none',
  'flipped bit',
  'item missing',
  'item more',
  'item emptied',
  'items swapped',
  'item halved',
  'item longer',
  'other hash type',
  'annex',
  'amount changed',
  'target changed',
  'sequence changed',
  'version changed',
  'lock changed',
  'pays more than it has',
  'wrong secret',
  'wrong key',
  'high signature',
  'signed as undefined',
  'other control block',
  'script where none belongs',
  'input missing',
] as const;
type Mutation = (typeof MUTATIONS)[number];

/** The timelock of a refund, and the depth of its coin. */
const TIMELOCK = 4;
const DEPTH = 6;
const AMOUNT = 200_000n;
const FEE = 2_000n;
/** In the past, so that any node accepts the blocks. */
const TIME = Date.UTC(2025, 0, 1);
const NO_AUXILIARY = new Uint8Array(32);
const ALL = 1;

interface Key {
  readonly secret: Uint8Array;
  readonly full: Uint8Array;
  readonly short: Uint8Array;
}

interface Place {
  readonly kind: Kind;
  readonly script: Uint8Array;
  readonly coin: Coin;
  readonly sequence: number;
  sign(tx: Transaction, index: number, spent: readonly Place[], how: Signing): Uint8Array[];
  /** A control block of the same tree for another script. */
  readonly otherControl?: Uint8Array;
}

interface Signing {
  readonly hashType: number;
  readonly secret: Uint8Array;
  readonly stranger: Key | undefined;
  readonly isHigh: boolean;
}

/** The first key with this name whose x-only form starts with such a byte. */
function keyOf(name: string, begins: (first: number) => boolean): Key {
  for (let count = 0; ; count++) {
    const secret = sha256(utf8ToBytes(`${name} ${count}`));
    const short = schnorr.getPublicKey(secret);
    if (begins(short[0] ?? 0)) return {secret, short, full: secp256k1.getPublicKey(secret, true)};
  }
}

/** A chain with a coin for each way to spend, with ordinary keys and with keys that start with a zero byte. */
export async function createSpendingChain(): Promise<{chain: BitcoinChain; places: Place[]}> {
  const chain = createBitcoinChain({blockSeconds: null, now: () => TIME});
  const draws = [...scriptsFor('common', first => first > 0), ...scriptsFor('zero', first => first === 0)];
  const places: Place[] = [];
  for (const {script, ...rest} of draws) {
    const address = chain.addressOf(script) ?? '';
    const txid = await chain.fund(address, AMOUNT);
    const found = chain.utxosOf(script).find(coin => coin.txid === txid);
    if (!found) throw new Error(`${rest.kind} was not paid`);
    places.push({...rest, script, coin: found});
    chain.mine(1);
  }
  chain.mine(DEPTH - 1);
  return {chain, places};
}

function scriptsFor(name: string, begins: (first: number) => boolean): Omit<Place, 'coin'>[] {
  const owner = keyOf(`${name} owner`, begins);
  const solver = keyOf(`${name} solver`, begins);
  const hash = sha256(SECRET);
  const wpkh = p2wpkh(owner.full, TEST_NETWORK);
  const tr = p2tr(owner.short, undefined, TEST_NETWORK);
  const either = Script.encode([
    ...['IF' as const, 'SHA256' as const, hash, 'EQUALVERIFY' as const, solver.full, 'ELSE' as const, TIMELOCK],
    ...['CHECKSEQUENCEVERIFY' as const, 'DROP' as const, owner.full, 'ENDIF' as const, 'CHECKSIG' as const],
  ]);
  const wsh = OutScript.encode({type: 'wsh', hash: sha256(either)});
  const redeem = Script.encode(['SHA256', hash, 'EQUALVERIFY', solver.short, 'CHECKSIG']);
  const refund = Script.encode([TIMELOCK, 'CHECKSEQUENCEVERIFY', 'DROP', owner.short, 'CHECKSIG']);
  const both = Script.encode([owner.short, 'CHECKSIG', solver.short, 'CHECKSIGADD', 2, 'NUMEQUAL']);
  const leaves = [redeem, refund, both].map(script => ({script}));
  const tree = p2tr(taprootNumsKey(), leaves, TEST_NETWORK, true);
  const controlOf = (script: Uint8Array) => {
    const leaf = tree.tapLeafScript?.find(([, leaf]) => equalBytes(leaf.subarray(0, -1), script));
    if (!leaf) throw new Error('no such leaf');
    return TaprootControlBlock.encode(leaf[0]);
  };

  const signer = ({stranger}: Signing, key: Key) => stranger ?? key;
  const v0 = (code: Uint8Array, key: Key) => (tx: Transaction, index: number, how: Signing) => {
    const message = tx.preimageWitnessV0(index, code, how.hashType, AMOUNT);
    const options = {prehash: false, lowS: !how.isHigh};
    let signature = secp256k1.sign(message, signer(how, key).secret, {...options, format: 'der'});
    if (how.isHigh) {
      const {r, s} = secp256k1.Signature.fromBytes(secp256k1.sign(message, signer(how, key).secret, options));
      const order = secp256k1.Point.CURVE().n;
      signature = new secp256k1.Signature(r, s > order / 2n ? s : order - s).toBytes('der');
    }
    return concatBytes(signature, Uint8Array.of(how.hashType));
  };
  const v1 =
    (key: Uint8Array, leaf?: Uint8Array) => (tx: Transaction, index: number, spent: readonly Place[], how: Signing) => {
      const scripts = spent.map(({script}) => script);
      const amounts = spent.map(() => AMOUNT);
      const version = leaf ? 0xc0 : undefined;
      const message = tx.preimageWitnessV1(index, scripts, how.hashType, amounts, undefined, leaf, version);
      const signature = schnorr.sign(message, how.stranger?.secret ?? key, NO_AUXILIARY);
      return how.hashType === 0 ? signature : concatBytes(signature, Uint8Array.of(how.hashType));
    };
  const withLeaf = (items: Uint8Array[], script: Uint8Array) => [...items, script, controlOf(script)];
  const keyCode = OutScript.encode({type: 'pkh', hash: wpkh.hash});
  const any = 0xfffffffd;
  return [
    {
      kind: 'wpkh',
      script: wpkh.script,
      sequence: any,
      sign: (tx, index, _, how) => [v0(keyCode, owner)(tx, index, how), signer(how, owner).full],
    },
    {
      kind: 'wsh redeem',
      script: wsh,
      sequence: any,
      sign: (tx, index, _, how) => [v0(either, solver)(tx, index, how), how.secret, Uint8Array.of(1), either],
    },
    {
      kind: 'wsh refund',
      script: wsh,
      sequence: TIMELOCK,
      sign: (tx, index, _, how) => [v0(either, owner)(tx, index, how), new Uint8Array(), either],
    },
    {
      kind: 'tr key',
      script: tr.script,
      sequence: any,
      sign: (...given) => [v1(taprootTweakPrivKey(owner.secret))(...given)],
    },
    {
      kind: 'tr redeem',
      script: tree.script,
      sequence: any,
      otherControl: controlOf(refund),
      sign: (...given) => withLeaf([v1(solver.secret, redeem)(...given), given[3].secret], redeem),
    },
    {
      kind: 'tr refund',
      script: tree.script,
      sequence: TIMELOCK,
      otherControl: controlOf(redeem),
      sign: (...given) => withLeaf([v1(owner.secret, refund)(...given)], refund),
    },
    {
      kind: 'tr both',
      script: tree.script,
      sequence: any,
      otherControl: controlOf(refund),
      sign: (...given) => withLeaf([v1(solver.secret, both)(...given), v1(owner.secret, both)(...given)], both),
    },
  ];
}

const SECRET = sha256(utf8ToBytes('what a redeem shows'));
const WRONG_SECRET = sha256(SECRET);
/** All six; taproot's default type is the absent byte. */
const HASH_TYPES = [1, 2, 3, 0x81, 0x82, 0x83] as const;

export function createSpends(places: readonly Place[], seed: number, count: number): Spend[] {
  const random = createRandom(seed);
  return Array.from({length: count}, () => {
    for (;;) {
      const spend = createSpend(places, random);
      // Some hash types are impossible in some transactions.
      if (spend) return spend;
    }
  });
}

function createSpend(places: readonly Place[], random: Random): Spend | undefined {
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const place = one(places);
  const mutation = one([...MUTATIONS, 'none', 'none', 'none', 'none'] as const);
  const others = random.below(3) === 0 ? [one(places.filter(({coin}) => coin.txid !== place.coin.txid))] : [];
  const spent = random.below(2) === 0 ? [place, ...others] : [...others, place];
  const stranger = places.indexOf(place);

  const target = one(places).script;
  const has = AMOUNT * BigInt(spent.length);
  const parts = BigInt(1 + random.below(3));
  const paid = mutation === 'pays more than it has' ? has + BigInt(random.below(2)) : has - FEE;
  const tx = new Transaction({
    ...{allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true, allowUnknownVersion: true},
    version: 2,
    lockTime: one([0, 0, 0, 100]),
  });
  for (const {coin, script, sequence} of spent) {
    tx.addInput({txid: coin.txid, index: coin.vout, sequence, witnessUtxo: {script, amount: AMOUNT}});
  }
  for (let part = 0n; part < parts; part++) {
    tx.addOutput({script: target, amount: part === 0n ? paid - (paid / parts) * (parts - 1n) : paid / parts});
  }

  const isTaproot = place.kind.startsWith('tr');
  const index = spent.indexOf(place);
  const how: Signing = {
    hashType:
      mutation === 'signed as undefined'
        ? one([4, 0x41, 0x80, 0xff])
        : one(isTaproot ? [0, ...HASH_TYPES] : HASH_TYPES),
    secret: mutation === 'wrong secret' ? WRONG_SECRET : SECRET,
    stranger: mutation === 'wrong key' ? keyOf(`stranger ${stranger % 3}`, () => true) : undefined,
    isHigh: mutation === 'high signature',
  };
  let witnesses: Uint8Array[][];
  try {
    witnesses = spent.map((each, vin) => each.sign(tx, vin, spent, each === place ? how : {...how, ...RIGHT}));
  } catch {
    return undefined;
  }
  const raw = RawTx.decode(tx.unsignedTx) as Raw;
  raw.segwitFlag = true;
  raw.witnesses = witnesses;
  mutate(raw, index, mutation, place, random);
  try {
    return {kind: place.kind, mutation, hex: hex.encode(RawTx.encode(raw))};
  } catch {
    return undefined;
  }
}

const RIGHT: Signing = {hashType: ALL, secret: SECRET, stranger: undefined, isHigh: false};

interface Raw {
  version: number;
  segwitFlag: boolean;
  inputs: {txid: Uint8Array; index: number; finalScriptSig: Uint8Array; sequence: number}[];
  outputs: {amount: bigint; script: Uint8Array}[];
  witnesses: Uint8Array[][];
  lockTime: number;
}

function mutate(raw: Raw, index: number, mutation: Mutation, {otherControl}: Place, random: Random): void {
  const witness = raw.witnesses[index] ?? [];
  const input = raw.inputs[index];
  const [output] = raw.outputs;
  const at = random.below(witness.length);
  const item = Uint8Array.from(witness[at] ?? []);
  if (!input || !output) return;
  switch (mutation) {
    case 'flipped bit': {
      const byte = random.below(item.length || 1);
      if (item.length) item[byte] = (item[byte] ?? 0) ^ (1 << random.below(8));
      witness[at] = item;
      break;
    }
    case 'item missing':
      witness.splice(at, 1);
      break;
    case 'item more':
      witness.splice(at, 0, Uint8Array.of(random.below(256)));
      break;
    case 'item emptied':
      witness[at] = new Uint8Array();
      break;
    case 'items swapped': {
      const other = random.below(witness.length);
      witness[at] = witness[other] ?? item;
      witness[other] = item;
      break;
    }
    case 'item halved':
      witness[at] = item.subarray(0, item.length >> 1);
      break;
    case 'item longer':
      witness[at] = concatBytes(item, Uint8Array.of(random.below(256)));
      break;
    case 'other hash type': {
      const signature = Uint8Array.from(witness[0] ?? []);
      const type = random.pick([0, ...HASH_TYPES]);
      witness[0] = signature.length === 64 ? concatBytes(signature, Uint8Array.of(type)) : signature;
      if (signature.length !== 64) signature[signature.length - 1] = type;
      break;
    }
    case 'annex':
      witness.push(Uint8Array.of(0x50, random.below(256)));
      break;
    case 'amount changed':
      output.amount -= 1n;
      break;
    case 'target changed':
      output.script = OutScript.encode({type: 'wpkh', hash: new Uint8Array(20).fill(random.below(256))});
      break;
    case 'sequence changed':
      input.sequence = random.pick([
        0,
        1,
        TIMELOCK - 1,
        TIMELOCK,
        DEPTH + 20,
        0xffffffff,
        0xfffffffe,
        0x400000,
        0x400004,
      ]);
      break;
    case 'version changed':
      raw.version = random.pick([1, 0, -1, 4]);
      break;
    case 'lock changed':
      raw.lockTime = random.pick([0, 1, 200, 10_000, 1_700_000_000, 1_900_000_000]);
      break;
    case 'other control block':
      if (otherControl) witness[witness.length - 1] = otherControl;
      break;
    case 'script where none belongs':
      input.finalScriptSig = Uint8Array.of(0x51);
      break;
    case 'input missing':
      input.index += 7;
      break;
    case 'none':
    case 'pays more than it has':
    case 'wrong secret':
    case 'wrong key':
    case 'high signature':
    case 'signed as undefined':
      break;
  }
}
