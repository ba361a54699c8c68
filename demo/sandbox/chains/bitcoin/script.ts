/**
 * Whether an input can spend its output. The only module that uses the script interpreter, bitcore-lib's port of
 * Bitcoin Core's.
 */
import {createRequire} from 'node:module';
import {schnorr} from '@noble/curves/secp256k1.js';
import {hex} from '@scure/base';
import {OP} from '@scure/btc-signer';
import {equalBytes, taprootTweakPubkey} from '@scure/btc-signer/utils.js';
import {
  kindOf,
  operations,
  pushesOf,
  witnessProgram,
  type Transaction,
  type TxInput,
  type TxOutput,
} from './transaction.js';

/** The interpreter's API, most of which is missing in its published types. */
interface Bitcore {
  Script: (new () => {set(parts: {chunks: object[]}): BitcoreScript}) & {
    Interpreter: (new () => {
      readonly stack: readonly unknown[];
      /** Why it failed. */
      readonly errstr: string;
      verify(
        scriptSig: BitcoreScript,
        scriptPubkey: BitcoreScript,
        transaction: BitcoreTransaction,
        input: number,
        flags: number,
        witness: Buffer[],
        satoshis: number,
      ): boolean;
    }) &
      Record<`SCRIPT_VERIFY_${Rule}`, number> & {
        computeTaprootMerkleRoot(control: Buffer, leaf: Buffer): Buffer;
        verifyTaprootCommitment(control: Buffer, program: Buffer, leaf: Buffer): boolean;
      };
  };
  crypto: {Schnorr: {verify(key: Buffer, message: Buffer, signature: {toBuffer(): Buffer}): boolean}};
  Transaction: (new (raw: Buffer) => BitcoreTransaction) & {
    Output: new (fields: {satoshis: number; script: BitcoreScript}) => object;
  };
}
interface BitcoreTransaction {
  readonly hash: string;
  readonly inputs: {output: object}[];
}
type BitcoreScript = object;

let loaded: Bitcore | undefined;

/** Loaded with the first payment, so that an unused chain never loads it. */
function interpreterLibrary(): Bitcore {
  // A CommonJS package, whose types are incomplete.
  return (loaded ??= corrected(createRequire(import.meta.url)('bitcore-lib') as Bitcore));
}

/**
 * Its arithmetic drops the leading zero byte of one taproot key in 256, and would reject that key's signatures. It only
 * uses these two functions.
 */
function corrected(bitcore: Bitcore): Bitcore {
  const {Interpreter} = bitcore.Script;
  bitcore.crypto.Schnorr.verify = (key, message, signature) =>
    isSchnorrSignature(signature.toBuffer().subarray(0, 64), message, key);
  Interpreter.verifyTaprootCommitment = (control, program, leaf) => {
    const [first = 0] = control;
    try {
      const root = Interpreter.computeTaprootMerkleRoot(control, leaf);
      const [key, parity] = taprootTweakPubkey(control.subarray(1, 33), root);
      return equalBytes(key, program) && parity === (first & 1);
    } catch {
      // Not a valid key.
      return false;
    }
  };
  return bitcore;
}

/** A cache of recent signature checks, like a node's: scripts run under several rules, in the mempool and in a block. */
const verified = new Map<string, boolean>();
const MAX_VERIFIED = 2_000;

function isSchnorrSignature(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  const id = [signature, message, key].map(bytes => hex.encode(bytes)).join(' ');
  let result = verified.get(id);
  if (result === undefined) {
    result = schnorr.verify(signature, message, key);
    if (verified.size === MAX_VERIFIED) verified.clear();
    verified.set(id, result);
  }
  return result;
}

const CONSENSUS = [
  'P2SH',
  'DERSIG',
  'NULLDUMMY',
  'CHECKLOCKTIMEVERIFY',
  'CHECKSEQUENCEVERIFY',
  'WITNESS',
  'TAPROOT',
] as const;

const POLICY = [
  'STRICTENC',
  'LOW_S',
  'MINIMALDATA',
  'MINIMALIF',
  'NULLFAIL',
  'CLEANSTACK',
  'CONST_SCRIPTCODE',
  'WITNESS_PUBKEYTYPE',
  'DISCOURAGE_UPGRADABLE_NOPS',
  'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM',
  'DISCOURAGE_UPGRADABLE_TAPROOT_VERSION',
  'DISCOURAGE_OP_SUCCESS',
  'DISCOURAGE_UPGRADABLE_PUBKEYTYPE',
] as const;

/** A script verification flag, by its name in Bitcoin Core. */
export type Rule = (typeof CONSENSUS)[number] | (typeof POLICY)[number] | 'SIGPUSHONLY';

/** Why a transaction cannot spend these outputs, as a node words it; undefined if it can. */
export function spendError(transaction: Transaction, prevouts: readonly TxOutput[]): string | undefined {
  const errorUnder = createInterpreter(transaction, prevouts);
  for (const index of transaction.inputs.keys()) {
    const error = errorUnder(index, [...CONSENSUS, ...POLICY]);
    if (error === undefined) continue;
    const isBroken = errorUnder(index, CONSENSUS) !== undefined;
    return isBroken ? `mandatory-script-verify-flag-failed (${error})` : `non-mandatory-script-verify-flag (${error})`;
  }
  return undefined;
}

/** Runs the scripts of a transaction's inputs; returns why one fails under these rules, or undefined. */
function createInterpreter(
  transaction: Transaction,
  prevouts: readonly TxOutput[],
): (index: number, rules: readonly Rule[]) => string | undefined {
  const bitcore = interpreterLibrary();
  const {Interpreter} = bitcore.Script;
  let opened: BitcoreTransaction | undefined;

  function open(): BitcoreTransaction {
    const tx = new bitcore.Transaction(Buffer.from(transaction.raw));
    if (tx.hash !== transaction.txid) throw new Error('the interpreter read another transaction');
    // All outputs are needed for each input: a taproot signature covers them (BIP 341).
    for (const [place, {amount, script}] of prevouts.entries()) {
      const input = tx.inputs[place];
      if (input) input.output = new bitcore.Transaction.Output({satoshis: Number(amount), script: opcodes(script)});
    }
    return tx;
  }

  return (index, rules) => {
    const input = transaction.inputs[index];
    const prevout = prevouts[index];
    if (!input || !prevout) throw new RangeError(`there is no input ${index}`);

    const run = (rules: readonly Rule[]): string | undefined => {
      const interpreter = new Interpreter();
      const flags = rules.reduce((sum, rule) => sum | Interpreter[`SCRIPT_VERIFY_${rule}`], 0);
      // The interpreter modifies the list.
      const witness = input.witness.map(item => Buffer.from(item));
      try {
        opened ??= open();
        const [scriptSig, script] = [opcodes(input.scriptSig), opcodes(prevout.script)];
        if (!interpreter.verify(scriptSig, script, opened, index, flags, witness, Number(prevout.amount))) {
          return nodeMessage(interpreter.errstr);
        }
      } catch {
        // The interpreter throws on what it cannot parse; such scripts are invalid.
        return 'unknown error';
      }
      stackLeft = interpreter.stack.length;
      return undefined;
    };
    let stackLeft = 0;

    const but = (...left: Rule[]) => rules.filter(rule => !left.includes(rule));
    // With LOW_S the interpreter skips the check for a defined hash type.
    const isStrict = rules.includes('LOW_S') && rules.includes('STRICTENC') && kindOf(prevout.script) !== 'tr';
    let error = isStrict ? run(but('CLEANSTACK', 'LOW_S')) : undefined;
    // The interpreter's check for a clean stack rejects valid witnesses. Witnesses are clean by consensus; others are
    // checked here.
    error ??= run(but('CLEANSTACK'));
    if (error === undefined && rules.includes('CLEANSTACK') && !spentByWitness(input, prevout) && stackLeft !== 1) {
      error = UNCLEAN;
    }
    return error;
  };
}

/**
 * A script as the interpreter's own type. Its parser only knows tapscript: it ends any other script at the first opcode
 * that is undefined there, although that is valid as long as it is not executed.
 */
function opcodes(script: Uint8Array): BitcoreScript {
  const chunks = operations(script).map(({code, data}) => {
    if (code === undefined) throw new Error('a push exceeds the script');
    return code > 0 && code <= OP.PUSHDATA4
      ? {opcodenum: code, buf: Buffer.from(data), len: data.length}
      : {opcodenum: code};
  });
  return new (interpreterLibrary().Script)().set({chunks});
}

function spentByWitness({scriptSig}: TxInput, {script}: TxOutput): boolean {
  return witnessProgram(redeemOf(script, scriptSig) ?? script) !== undefined;
}

/** The redeem script of a P2SH output (BIP 16). */
function redeemOf(script: Uint8Array, scriptSig: Uint8Array): Uint8Array | undefined {
  return kindOf(script) === 'sh' ? pushesOf(scriptSig)?.at(-1) : undefined;
}

/** A node's message for the interpreter's error, if it is a common one. */
function nodeMessage(error: string): string {
  const name = error.replace('SCRIPT_ERR_', '');
  return Object.entries(MESSAGES).find(([, names]) => names.includes(name))?.[0] ?? 'unknown error';
}

const UNCLEAN = 'Stack size must be exactly one after execution';

const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  // A witness that leaves more than one item.
  [UNCLEAN]: ['EVAL_FALSE'],
  'Script evaluated without error but finished with a false/empty top stack element': [
    'EVAL_FALSE_IN_STACK',
    'EVAL_FALSE_NO_RESULT',
    'EVAL_FALSE_IN_P2SH_STACK',
    'EVAL_FALSE_NO_P2SH_STACK',
  ],
  'Script failed an OP_EQUALVERIFY operation': ['EQUALVERIFY'],
  'Operation not valid with the current stack size': ['INVALID_STACK_OPERATION'],
  'Locktime requirement not satisfied': ['UNSATISFIED_LOCKTIME'],
  'Signature hash type missing or not understood': ['SIG_HASHTYPE'],
  'Non-canonical DER signature': ['SIG_DER_INVALID_FORMAT'],
  'Non-canonical signature: S value is unnecessarily high': ['SIG_DER_HIGH_S'],
  'OP_IF/NOTIF argument must be minimal': ['MINIMALIF'],
  'Signature must be zero for failed CHECK(MULTI)SIG operation': ['NULLFAIL', 'SIG_NULLFAIL'],
  'Witness program was passed an empty witness': ['WITNESS_PROGRAM_WITNESS_EMPTY'],
  'Witness program hash mismatch': ['WITNESS_PROGRAM_MISMATCH'],
  'Witness requires empty scriptSig': ['WITNESS_MALLEATED'],
  'Invalid Schnorr signature size': ['SCHNORR_SIG_SIZE'],
  'Invalid Schnorr signature hash type': ['SCHNORR_SIG_HASHTYPE'],
  // Without a name, too.
  'Invalid Schnorr signature': ['SCHNORR_SIG', ''],
  'Invalid Taproot control block size': ['TAPROOT_WRONG_CONTROL_SIZE'],
};

const MAX_WITNESS_SCRIPT = 3_600;
const MAX_WITNESS_ITEMS = 100;
const MAX_WITNESS_ITEM = 80;
const TAPSCRIPT = 0xc0;
const ANNEX = 0x50;

/** Why a transaction's inputs are non-standard, so that nodes do not relay it; undefined if they are standard. */
export function nonStandardSpend({inputs}: Transaction, prevouts: readonly TxOutput[]): string | undefined {
  const spends = inputs.map(({scriptSig, witness}, place) => {
    const script = prevouts[place]?.script ?? new Uint8Array();
    return {script, witness, redeem: redeemOf(script, scriptSig)};
  });
  const isUnusual = ({script, redeem}: (typeof spends)[number]) => {
    const kind = kindOf(script);
    return kind === 'sh' ? !redeem : kind === 'unknown' || kind === 'witness';
  };
  if (spends.some(isUnusual)) return 'bad-txns-nonstandard-inputs';
  const isOdd = ({script, witness, redeem}: (typeof spends)[number]) =>
    witness.length > 0 && isNonStandardWitness(redeem ?? script, witness, redeem !== undefined);
  return spends.some(isOdd) ? 'bad-witness-nonstandard' : undefined;
}

function isNonStandardWitness(script: Uint8Array, witness: readonly Uint8Array[], nested: boolean): boolean {
  const last = witness.at(-1) ?? new Uint8Array();
  const isLarge = (item: Uint8Array) => item.length > MAX_WITNESS_ITEM;
  switch (kindOf(script)) {
    case 'wpkh':
    case 'witness':
      return false;
    case 'wsh': {
      const items = witness.slice(0, -1);
      return last.length > MAX_WITNESS_SCRIPT || items.length > MAX_WITNESS_ITEMS || items.some(isLarge);
    }
    case 'tr': {
      // Nested taproot has no meaning yet, and a single item is a key path spend.
      if (nested || witness.length === 1) return false;
      const [control] = last;
      if (control === undefined || control === ANNEX) return true;
      return (control & 0xfe) === TAPSCRIPT && witness.slice(0, -2).some(isLarge);
    }
    default:
      return true;
  }
}
