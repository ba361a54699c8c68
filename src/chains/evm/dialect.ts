import {id as hashOf, keccak256} from 'ethers';
import type {Chain} from '../../domain/asset.js';
import {deepFreeze, type Deal, type EvmPayload, type EvmTransaction, type TypedData} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {writeJson} from '../../domain/json.js';
import type {Account} from '../adapter.js';
import {resultOf} from '../checks.js';
import {codeReader} from '../errors.js';
import {requestWallet, type FundingContext} from '../funding.js';
import {hex} from '../rpc.js';
import type {ContractDialect, Dialect, Purse} from '../token-htlc/dialect.js';
import {readNumber} from '../typed-data.js';
import {encode} from './abi.js';
import {addressIn, callsStateIn, chainIdIn, hashIn, NO_SIGNATURE, signatureIn} from './answers.js';
import {bundleOf, canBundle} from './calls.js';
import {
  addressText,
  COIN,
  decodeInitiate,
  encodeApprove,
  encodeInitiate,
  encodeRefund,
  idsOf,
  isEvmAddress,
  wordOf,
  type EvmCall,
} from './htlc.js';
import {nodeOf} from './node.js';
import {
  ask,
  coinOf,
  faultOf,
  isAnswer,
  isUncovered,
  readerOf,
  readThrough,
  type Fault,
  type Provider,
  type Read,
} from './rpc.js';
import {bringToChain, providers} from './wallets.js';

/** API, EVM `typed_data`. The package has its descriptors for wallets (`.build/erc7730.ts`). */
const FORM = {
  // The domain versions of the public contracts: the specification's sample has 2, later ones have 3. Which of them a
  // contract has is with its pin, where it is known (`Asset.versions`).
  domain: {name: ['HTLC'], version: ['2', '3']},
  domainType: 'EIP712Domain',
  types: {
    EIP712Domain: [
      {name: 'name', type: 'string'},
      {name: 'version', type: 'string'},
      {name: 'chainId', type: 'uint256'},
      {name: 'verifyingContract', type: 'address'},
    ],
    Initiate: [
      {name: 'redeemer', type: 'address'},
      {name: 'timelock', type: 'uint256'},
      {name: 'amount', type: 'uint256'},
      {name: 'secretHash', type: 'bytes32'},
    ],
  },
};

export const evmContracts: ContractDialect<EvmPayload, EvmCall> = {
  family: 'evm',
  isContract: isEvmAddress,
  address: addressText,
  hash: wordOf,
  id: text => wordOf(`0x${text.replace(/^0x/i, '')}`),
  ids: ({chainId = 0}, payer, contract, terms) => idsOf(chainId, payer, contract, terms),

  payload({deposit}) {
    if (deposit.how !== 'wallet' || deposit.payload.family !== 'evm') return undefined;
    // A deal from the journal is trusted no more than one from the service.
    const {to, data, value} = (deposit.payload.transaction as EvmTransaction | null) ?? {};
    return typeof to === 'string' && typeof data === 'string' && typeof value === 'bigint'
      ? deposit.payload
      : undefined;
  },
  contract: ({transaction}) => transaction.to,
  terms: ({transaction}) => decodeInitiate(transaction.data),
  deposit(leg, to, {chainId = 0}) {
    const transaction = {to, value: 0n, data: encodeInitiate(leg), gasLimit: 0n, chainId};
    return {how: 'wallet', ways: ['transaction'], payload: {family: 'evm', transaction}};
  },

  refundCall: (contract, id) => ({to: contract, data: encodeRefund(id)}),
  sender(deal, account, context) {
    const {chain} = deal.agreed.from;
    const provider = providers.get(account);
    const read = readThrough(provider, context.timeouts, context.signal);
    return {
      node: nodeOf(read),
      address: async () => addressIn(await read('eth_accounts')),
      moveToChain: () => bringToChain(provider, chain, context),
      transaction: (from, [call]) => call && makeTransaction(chain, from, call),
      send: (kind, transaction) =>
        requestWallet(context, kind, {
          request: () => ask(provider, 'eth_sendTransaction', [transaction]),
          read: answer => hashIn(kind, answer),
          refusalOf,
        }),
    };
  },
  async node(chain, {account, signal}, timeouts) {
    const read = await readerOf(chain, providers.find(account), timeouts, signal);
    return read && nodeOf(read);
  },
  isAnswer,
};

export const evmDialect: Dialect<EvmPayload, EvmCall> = {
  ...evmContracts,
  keys: async () => (await import('./keys.js')).isKeyOf,
  callName: ({transaction}) => /^0x[0-9a-f]{8}/i.exec(transaction.data)?.[0],
  hasOtherIds({typedData}) {
    const {version} = (typedData?.domain ?? {}) as {readonly version?: unknown};
    return version !== undefined && version !== '2' && version !== '3';
  },
  checkChain({agreed}, {transaction}, signed) {
    const {chain} = agreed.from;
    const ids = [transaction.chainId, ...(signed ? [readNumber(signed.domain['chainId'])] : [])].map(Number);
    const at = ids.findIndex(id => id !== chain.chainId);
    if (at < 0) return {outcome: 'passed', expected: chain.title, found: chain.title};
    const found = Number.isNaN(ids[at]) ? undefined : `chain ${String(ids[at])}`;
    return resultOf(false, chain.title, found, ['agreed', at ? 'signature' : 'payment']);
  },

  form: FORM,
  signedTerms({message}) {
    const [timelock, amount] = [readNumber(message['timelock']), readNumber(message['amount'])];
    const {redeemer, secretHash} = message;
    if (typeof redeemer !== 'string' || typeof secretHash !== 'string') return undefined;
    if (timelock === undefined || amount === undefined) return undefined;
    return {redeemer: addressText(redeemer), timelock, amount, secretHash: secretHash.slice(2).toLowerCase()};
  },
  signedContract({domain: {verifyingContract: contract}}) {
    return typeof contract === 'string' ? contract : '';
  },
  strangeValue: typedData =>
    (readNumber(typedData.domain['chainId']) === undefined && 'chainId') ||
    (['timelock', 'amount'].some(name => readNumber(typedData.message[name]) === undefined) && 'message') ||
    // An invalid value, such as a hash that is too short, has no digest.
    (!digestOf(typedData) && 'message'),

  approveCall: (token, spender, amount) => ({to: token, data: encodeApprove(spender, amount)}),
  paymentCall: ({transaction: {to, data, value}}) => ({to, data, value}),
  purse,
  isOnChain: async (account, {chainId}, timeouts, signal) =>
    chainIdIn(await readThrough(providers.get(account), timeouts, signal)('eth_chainId')) === chainId,
  canBundle: (account, chain, timeouts) => canBundle(providers.get(account), account.address, chain, timeouts),
  readCalls: async (id, account, timeouts, signal) =>
    callsStateIn(await readThrough(providers.get(account), timeouts, signal)('wallet_getCallsStatus', id)),
  isUncovered,
  coin: {address: COIN, of: coinOf, value: ({transaction}) => transaction.value},
};

/** EIP-712. Only typed data with the specification's types is signed. */
export function digestOf({domain, message}: TypedData): string {
  const domainHash = structHash('EIP712Domain', [
    hashOf(String(domain['name'])),
    hashOf(String(domain['version'])),
    readNumber(domain['chainId']),
    domain['verifyingContract'],
  ]);
  const messageHash = structHash('Initiate', [
    message['redeemer'],
    readNumber(message['timelock']),
    readNumber(message['amount']),
    message['secretHash'],
  ]);
  return keccak256(`0x1901${domainHash.slice(2)}${messageHash.slice(2)}`);
}

/** EIP-712, `hashStruct`. Texts are hashed already. */
function structHash(name: keyof typeof FORM.types, values: readonly unknown[]): string {
  const fields = FORM.types[name];
  const type = hashOf(`${name}(${fields.map(field => `${field.type} ${field.name}`).join()})`);
  const types = fields.map(field => (field.type === 'string' ? 'bytes32' : (field.type as 'address')));
  return keccak256(encode(['bytes32', ...types], [type, ...values]));
}

async function purse(deal: Deal, account: Account, context: FundingContext): Promise<Purse<EvmCall>> {
  const provider = providers.get(account);
  return {
    ...(await evmContracts.sender(deal, account, context)),
    reads: true,
    batches: false,
    bundle: bundleOf(context, provider, refusalOf),
    sign: typedData => sign(context, provider, readThrough(provider, context.timeouts, context.signal), typedData),
  };
}

/** Requests a signature; falls back if the account cannot give one, which the specification cannot handle. */
function sign(context: FundingContext, provider: Provider, read: Read, typedData: TypedData) {
  const {owner} = context.deal.agreed;
  return requestWallet<{signature: string} | {fallback: string}>(context, 'sign', {
    request: () => ask(provider, 'eth_signTypedData_v4', [owner, writeJson(typedData)]),
    async read(answer) {
      const signature = signatureIn(answer);
      // There is none, so it has no effect.
      if (signature === NO_SIGNATURE) return {state: 'refused', value: {fallback: NO_SIGNATURE}};
      if (await isForeign(read, owner, digestOf(typedData), signature)) {
        // It has not left this page, so it has no effect.
        await context.onWalletRequest({kind: 'sign', state: 'refused'});
        throw new SwapError('wrong-account', {detail: 'The signature is not the account’s own.'});
      }
      return {state: 'signed', value: {signature}};
    },
    refusalOf,
  });
}

/**
 * Whether a signature is certainly not the owner's, by the key that made it. Contract accounts have other signatures
 * (ERC-1271), so theirs pass, as does a signature that cannot be checked.
 */
async function isForeign(read: Read, owner: string, digest: string, signature: string): Promise<boolean> {
  if (signature.length !== 132) return false;
  try {
    const {signerOf} = await import('./keys.js');
    return signerOf(digest, signature) !== addressText(owner) && !(await nodeOf(read).hasCode(owner));
  } catch {
    return false;
  }
}

/** The wallet sets nonce, gas and fee itself: the service's gas limit is a constant that is not always enough. */
function makeTransaction({chainId}: Chain, from: string, {to, data, value = 0n}: EvmCall) {
  return deepFreeze({from, to, data, value: hex(value), chainId: hex(chainId ?? 0)});
}

/**
 * The meaning of a wallet's error if it certainly sent nothing. A pending request may still be answered, and some nodes
 * return `reverted` for a transaction that they accepted, so those stay unclear.
 */
const refusalOf = codeReader<Fault>(faultOf, {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  failed: 'wallet-failed',
  unauthorized: 'wallet-locked',
  'insufficient-funds': 'insufficient-funds',
  pending: undefined,
  reverted: undefined,
});
