/**
 * What a hostile service could return for a Starknet deposit. Each entry takes the honest answer and falsifies one
 * thing, so a test can prove that the widget checks the answer against the agreement.
 */
import type {Corruption, SourceAnswer, Terms} from '../leg.js';
import {hex, selectorOf, starknetKeccak} from './felts.js';

interface Transaction {
  to: string;
  selector: string;
  /** Redeemer, timelock, the halves of the amount, eight words of the secret's hash. */
  calldata: string[];
}

interface TypedData {
  domain: {name: string; version: string; chainId: string; revision: string};
  primaryType: string;
  types: Record<string, {name: string; type: string}[]>;
  message: {redeemer: string; amount: {low: string; high: string}; timelock: string; secretHash: number[]};
}

const ATTACKER = starknetKeccak('swap-widget sandbox: thief');
const EVERYTHING = hex(2n ** 128n - 1n);

function inCall(change: (transaction: Transaction) => Partial<Transaction>): Corruption {
  return answer => {
    const key = 'initiate_transaction' in answer ? 'initiate_transaction' : 'transaction';
    const transaction = answer[key] as Transaction;
    return {...answer, [key]: {...transaction, ...change(transaction)}};
  };
}

const inCalldata = (place: number, change: (felt: bigint) => bigint): Corruption =>
  inCall(({calldata}) => ({
    calldata: calldata.map((felt, index) => (index === place ? hex(change(BigInt(felt))) : felt)),
  }));

function inTypedData(change: (typedData: TypedData) => TypedData): Corruption {
  return answer => ({...answer, typed_data: answer['typed_data'] && change(answer['typed_data'] as TypedData)});
}

const inMessage = (change: (message: TypedData['message']) => object): Corruption =>
  inTypedData(data => ({...data, message: {...data.message, ...change(data.message)}}));

const inDomain = (change: Partial<TypedData['domain']>): Corruption =>
  inTypedData(data => ({...data, domain: {...data.domain, ...change}}));

const both =
  (...changes: Corruption[]): Corruption =>
  (answer: SourceAnswer, terms: Terms) =>
    changes.reduce((changed, change) => change(changed, terms), answer);

const moreInCall = inCalldata(2, low => low * 2n);
const moreInMessage = inMessage(({amount}) => ({amount: {...amount, low: hex(BigInt(amount.low) * 2n)}}));
const thiefInCall = inCalldata(0, () => ATTACKER);
const thiefInMessage = inMessage(() => ({redeemer: ATTACKER.toString()}));
const otherHashInCall = inCalldata(11, word => (word + 1n) % 2n ** 32n);
const otherHashInMessage = inMessage(({secretHash}) => ({
  secretHash: secretHash.map((word, index) => (index === 7 ? (word + 1) % 2 ** 32 : word)),
}));

export const corruptions: Readonly<Record<string, Corruption>> = {
  'amount-in-call': moreInCall,
  'amount-in-typed-data': moreInMessage,
  amount: both(moreInCall, moreInMessage),
  'high-amount': both(
    inCalldata(3, () => 1n),
    inMessage(({amount}) => ({amount: {...amount, high: '0x1'}})),
  ),
  'redeemer-in-call': thiefInCall,
  'redeemer-in-typed-data': thiefInMessage,
  redeemer: both(thiefInCall, thiefInMessage),
  'secret-hash-in-call': otherHashInCall,
  'secret-hash-in-typed-data': otherHashInMessage,
  'secret-hash': both(otherHashInCall, otherHashInMessage),
  // Libraries hash arrays of any length, and words of up to 128 bits.
  'seven-words': both(
    inCall(({calldata}) => ({calldata: calldata.slice(0, -1)})),
    inMessage(({secretHash}) => ({secretHash: secretHash.slice(0, -1)})),
  ),
  'word-out-of-range': both(
    inCalldata(11, word => word + 2n ** 32n),
    inMessage(({secretHash}) => ({
      secretHash: secretHash.map((word, index) => (index === 7 ? word + 2 ** 32 : word)),
    })),
  ),
  timelock: both(
    inCalldata(1, () => 2n ** 64n),
    inMessage(() => ({timelock: (2n ** 64n).toString()})),
  ),
  'chain-id': inDomain({chainId: 'SN_MAIN'}),
  contract: inCall(() => ({to: hex(ATTACKER)})),
  'domain-name': inDomain({name: 'Permit'}),
  'domain-version': inDomain({version: '7'}),
  // Revision 0 is hashed with Pedersen, and has another meaning.
  'domain-revision': inDomain({revision: '0'}),
  'extra-types': inTypedData(data => ({
    ...data,
    types: {
      ...data.types,
      Initiate: [...(data.types['Initiate'] ?? []), {name: 'spender', type: 'ContractAddress'}],
    },
    message: {...data.message, spender: hex(ATTACKER)} as TypedData['message'],
  })),
  'primary-type': inTypedData(data => ({
    ...data,
    primaryType: 'Permit',
    types: {...data.types, Permit: data.types['Initiate'] ?? []},
  })),
  'unknown-selector': inCall(() => ({selector: hex(selectorOf('upgrade'))})),
  // The result of treating a selector as a name and hashing it again.
  'selector-of-selector': inCall(({selector}) => ({selector: hex(starknetKeccak(selector))})),
  approve: inCall(() => ({
    selector: hex(selectorOf('approve')),
    calldata: [hex(ATTACKER), EVERYTHING, EVERYTHING],
  })),
  transfer: inCall(({calldata: [, , low = '0x0', high = '0x0']}) => ({
    selector: hex(selectorOf('transfer')),
    calldata: [hex(ATTACKER), low, high],
  })),
  'trailing-felts': inCall(({calldata}) => ({calldata: [...calldata, '0x0']})),
};
