/**
 * What a hostile service could return for an EVM deposit. Each entry takes the honest answer and falsifies one thing, so
 * a test can prove that the widget checks the answer against the agreement.
 */
import {Interface} from 'ethers';
import {addressOf} from './anvil.js';
import type {Corruption, SourceAnswer, Terms} from './leg.js';

interface Transaction {
  to: string;
  value: string;
  data: string;
  gas_limit: string;
  chain_id: number;
}

interface TypedData {
  domain: {name: string; version: string; chainId: string; verifyingContract: string};
  primaryType: string;
  types: Record<string, {name: string; type: string}[]>;
  message: {redeemer: string; timelock: string; amount: string; secretHash: string};
}

const forms = new Interface([
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
]);

const attacker = () => addressOf('thief').toLowerCase();

type Arguments = [redeemer: string, timelock: bigint, amount: bigint, secretHash: string];

function inTransaction(change: (transaction: Transaction) => Partial<Transaction>): Corruption {
  return answer => {
    const key = 'initiate_transaction' in answer ? 'initiate_transaction' : 'transaction';
    const transaction = answer[key] as Transaction;
    return {...answer, [key]: {...transaction, ...change(transaction)}};
  };
}

function inCall(change: (...args: Arguments) => Arguments): Corruption {
  return inTransaction(({data}) => ({
    data: forms.encodeFunctionData(
      'initiate',
      change(...([...forms.decodeFunctionData('initiate', data)] as Arguments)),
    ),
  }));
}

function inTypedData(change: (typedData: TypedData) => TypedData): Corruption {
  return answer => ({...answer, typed_data: answer['typed_data'] && change(answer['typed_data'] as TypedData)});
}

const inMessage = (change: (message: TypedData['message']) => Partial<TypedData['message']>) =>
  inTypedData(typedData => ({...typedData, message: {...typedData.message, ...change(typedData.message)}}));

const inDomain = (change: Partial<TypedData['domain']>) =>
  inTypedData(typedData => ({...typedData, domain: {...typedData.domain, ...change}}));

const both =
  (...changes: Corruption[]): Corruption =>
  (answer: SourceAnswer, terms: Terms) =>
    changes.reduce((changed, change) => change(changed, terms), answer);

const moreInCall = inCall((redeemer, timelock, amount, secretHash) => [redeemer, timelock, amount * 2n, secretHash]);
const moreInMessage = inMessage(({amount}) => ({amount: `0x${(BigInt(amount) * 2n).toString(16)}`}));
const thiefInCall = inCall((_, timelock, amount, secretHash) => [attacker(), timelock, amount, secretHash]);
const thiefInMessage = inMessage(() => ({redeemer: attacker()}));
const OTHER_CHAIN = 1;

export const corruptions: Readonly<Record<string, Corruption>> = {
  'amount-in-call': moreInCall,
  'amount-in-typed-data': moreInMessage,
  amount: both(moreInCall, moreInMessage),
  'redeemer-in-call': thiefInCall,
  'redeemer-in-typed-data': thiefInMessage,
  redeemer: both(thiefInCall, thiefInMessage),
  'secret-hash-in-typed-data': inMessage(() => ({secretHash: `0x${'5a'.repeat(32)}`})),
  timelock: both(
    inCall((redeemer, _, amount, secretHash) => [redeemer, 2n ** 64n, amount, secretHash]),
    inMessage(() => ({timelock: '0x10000000000000000'})),
  ),
  'chain-id': both(
    inTransaction(() => ({chain_id: OTHER_CHAIN})),
    inDomain({chainId: `0x${OTHER_CHAIN.toString(16)}`}),
  ),
  contract: (answer, terms) =>
    both(
      inTransaction(() => ({to: attacker()})),
      inDomain({verifyingContract: attacker()}),
    )(answer, terms),
  value: inTransaction(() => ({value: '0xde0b6b3a7640000'})),
  'domain-name': inDomain({name: 'Permit2'}),
  'domain-version': inDomain({version: '7'}),
  'extra-types': inTypedData(typedData => ({
    ...typedData,
    types: {
      ...typedData.types,
      Initiate: [...(typedData.types['Initiate'] ?? []), {name: 'spender', type: 'address'}],
      Permit: [{name: 'spender', type: 'address'}],
    },
    message: {...typedData.message, spender: attacker()} as TypedData['message'],
  })),
  'primary-type': inTypedData(typedData => ({
    ...typedData,
    primaryType: 'Permit',
    types: {...typedData.types, Permit: typedData.types['Initiate'] ?? []},
  })),
  approve: inTransaction(() => ({data: forms.encodeFunctionData('approve', [attacker(), 2n ** 256n - 1n])})),
  transfer: inTransaction(({data}) => {
    const [, , amount] = forms.decodeFunctionData('initiate', data) as unknown as Arguments;
    return {data: forms.encodeFunctionData('transfer', [attacker(), amount])};
  }),
  'trailing-bytes': inTransaction(({data}) => ({data: `${data}${'00'.repeat(32)}`})),
};
