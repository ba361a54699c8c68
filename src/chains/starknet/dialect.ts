import {typedData as snip12} from 'starknet';
import {deepFreeze, type Deal, type StarknetPayload, type TypedData} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {Account} from '../adapter.js';
import {resultOf, textsOf} from '../checks.js';
import {codeReader, tryRead} from '../errors.js';
import {requestWallet, sentIn, type FundingContext} from '../funding.js';
import {hex} from '../rpc.js';
import type {ContractDialect, Dialect, Purse, Terms} from '../token-htlc/dialect.js';
import {hasKeys, readNumber} from '../typed-data.js';
import {
  addressText,
  approveCall,
  decodeInitiate,
  encodeInitiate,
  idsOf,
  initiateCall,
  isAnswer,
  isContractAddress,
  isEntryOf,
  joinAmount,
  joinHash,
  readFelt,
  refundCall,
  walletCall,
  type NamedCall,
} from './htlc.js';
import {nodeOf} from './node.js';
import {chainIdOf, faultOf, readChainId, readerOf, type Fault} from './rpc.js';
import {bringToChain, connectors, currentAddress, isOnChain} from './wallets.js';

/** API, Starknet `typed_data`. */
const FORM = {
  domain: {
    name: ['HTLC'],
    // As in the specification, and as the number that a contract reads from that character.
    version: ['1', '0x31'],
    // SNIP-12 has one revision for these types. Libraries accept it as text or as a number.
    revision: ['1', 1],
  },
  domainType: 'StarknetDomain',
  types: {
    StarknetDomain: [
      {name: 'name', type: 'shortstring'},
      {name: 'version', type: 'shortstring'},
      {name: 'chainId', type: 'shortstring'},
      {name: 'revision', type: 'shortstring'},
    ],
    Initiate: [
      {name: 'redeemer', type: 'ContractAddress'},
      {name: 'amount', type: 'u256'},
      {name: 'timelock', type: 'u128'},
      {name: 'secretHash', type: 'u128*'},
    ],
  },
};

/** A number in canonical form; `undefined` if it is not a felt, for which a node returns an error. */
const feltText = (text: string) => {
  const felt = readFelt(text);
  return felt === undefined ? undefined : hex(felt);
};

export const starknetContracts: ContractDialect<StarknetPayload, NamedCall> = {
  family: 'starknet',
  isContract: isContractAddress,
  address: addressText,
  hash: feltText,
  id(text) {
    const id = feltText(`0x${text.replace(/^0x/i, '')}`);
    return id === '0x0' ? undefined : id;
  },
  ids: (chain, payer, contract, terms) => idsOf(chainIdOf(chain), payer, contract, terms),

  payload({deposit}) {
    if (deposit.how !== 'wallet' || deposit.payload.family !== 'starknet') return undefined;
    // A deal from the journal is trusted no more than one from the service.
    const {to, selector} = (deposit.payload.call as StarknetPayload['call'] | null | undefined) ?? {};
    return typeof to === 'string' && typeof selector === 'string' ? deposit.payload : undefined;
  },
  contract: ({call}) => call.to,
  terms: ({call}, entry) => decodeInitiate(call, entry),
  deposit: (leg, contract) => ({
    how: 'wallet',
    ways: ['transaction'],
    payload: {family: 'starknet', call: encodeInitiate(leg, contract)},
  }),

  refundCall,
  /** A wallet cannot read: only the chain's own `rpc` is queried. */
  async sender(deal, account, context) {
    const {chain} = deal.agreed.from;
    const {timeouts, signal} = context;
    const connector = connectors.get(account);
    const read = await tryRead(() => readerOf(chain, timeouts, signal));
    return {
      node: read && nodeOf(read),
      address: () => currentAddress(connector, timeouts, signal),
      moveToChain: () => bringToChain(connector, chain, context),
      transaction: (_, calls) => deepFreeze([...calls]),
      send: (kind, transaction) =>
        requestWallet(context, kind, {
          request: () =>
            connector.request('wallet_addInvokeTransaction', {
              calls: (transaction as readonly NamedCall[]).map(walletCall),
            }),
          read: answer => sentIn(kind, answer, () => true),
          refusalOf,
        }),
    };
  },
  async node(chain, {signal}, timeouts) {
    const read = await readerOf(chain, timeouts, signal);
    return read && nodeOf(read);
  },
  isAnswer,
  // The first generation has no view of its orders.
  isMute: error => faultOf(error) === 'no-entry-point',
};

export const starknetDialect: Dialect<StarknetPayload, NamedCall> = {
  ...starknetContracts,
  isEntry: ({call}, entry) => isEntryOf(call, entry),
  callName: ({call}) => call.selector,
  /** The call names no chain. It goes to the wallet's own, which is checked before the prompt. */
  checkChain({agreed}, _, signed) {
    const {chain} = agreed.from;
    if (!signed) return {outcome: 'unchecked', ...textsOf(chain.title, undefined)};
    const id = signed.domain['chainId'];
    const isSame = readChainId(id) === chainIdOf(chain);
    const found = isSame ? chain.title : typeof id === 'string' ? id : undefined;
    return resultOf(isSame, chain.title, found, ['agreed', 'signature']);
  },

  form: FORM,
  signedTerms,
  strangeValue: typedData =>
    (!hasKeys(typedData.message['amount'] as object, ['low', 'high']) && 'amount') ||
    // Libraries do not check the number of words of the hash; seven words would make another message.
    (!signedTerms(typedData) && 'message') ||
    // What the library cannot hash, no wallet can sign with it.
    (!digestOf(typedData) && 'message'),

  approveCall,
  paymentCall: ({call}, entry) => initiateCall(call, entry),
  purse,
  isOnChain: (account, chain, timeouts, signal) => isOnChain(connectors.get(account), chain, timeouts, signal),
};

function signedTerms({message}: TypedData): Terms | undefined {
  const {low, high} = (message['amount'] ?? {}) as Readonly<Record<string, unknown>>;
  const words = message['secretHash'];
  const redeemer = readNumber(message['redeemer']);
  const timelock = readNumber(message['timelock']);
  const amount = joinAmount(readNumber(low), readNumber(high));
  const secretHash = Array.isArray(words) ? joinHash(words.map(readNumber)) : undefined;
  if (redeemer === undefined || timelock === undefined || amount === undefined || secretHash === undefined) {
    return undefined;
  }
  return {redeemer: addressText(hex(redeemer)), timelock, amount, secretHash};
}

/**
 * The hash of the typed data that an account signs (SNIP-12). Libraries do not agree on it, since one treats the short
 * string "1" as a number (starknet.js #1039), so no signature is judged by it.
 */
export function digestOf(typedData: TypedData, account: bigint | string = 1n): string {
  return snip12.getMessageHash(typedData as Parameters<typeof snip12.getMessageHash>[0], account);
}

async function purse(deal: Deal, account: Account, context: FundingContext): Promise<Purse<NamedCall>> {
  const connector = connectors.get(account);
  return {
    ...(await starknetContracts.sender(deal, account, context)),
    reads: false,
    batches: true,
    deployment: () => connector.request('wallet_deploymentData'),
    /**
     * The signature as the wallet returned it, of any length: accounts are contracts, and some require more than two
     * numbers. The service checks whether it is the account's own.
     */
    async sign(typedData) {
      const signature = await requestWallet(context, 'sign', {
        request: () => connector.request('wallet_signTypedData', typedData),
        read(answer) {
          if (!Array.isArray(answer) || answer.length < 2 || !answer.every(isNumeric)) {
            throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
          }
          return {state: 'signed', value: answer as readonly unknown[]};
        },
        refusalOf,
      });
      return {signature};
    },
  };
}

/** Wallets return a signature's numbers in hex or decimal, some with leading zeros. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value);
}

const refusalOf = codeReader<Fault>(faultOf, {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  'insufficient-funds': 'insufficient-funds',
  reverted: 'funding-reverted',
  'no-contract': undefined,
  'no-entry-point': undefined,
  'no-transaction': undefined,
});
