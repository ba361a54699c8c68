/** What a wallet's error means, by family: the person's no, certainly nothing sent, or a question that stays open. */
import {expect} from '../support/expect.js';
import {
  WalletDisconnectedError,
  WalletNotConnectedError,
  WalletNotReadyError,
  WalletSendTransactionError,
  WalletSignTransactionError,
  WalletWindowClosedError,
} from '@solana/wallet-adapter-base';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {walletFrom} from '../../src/chains/solana/wallets.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {SwapErrorCode} from '../../src/domain/error.js';
import {sampleDeal} from '../support/bitcoin-deal.js';
import {closeLast, ON_EVM, ON_STARKNET, openAt} from '../support/dialects.js';
import type {LedgerWallet as EvmWallet} from '../support/evm-ledger.js';
import {errorOf, listen} from '../support/funding.js';
import {ownDeal} from '../support/solana-deal.js';
import {LedgerWallet, SolanaLedger} from '../support/solana-ledger.js';
import type {StarknetLedger} from '../support/starknet-ledger.js';

type Row = readonly [said: string, means: SwapErrorCode, error: unknown];

const NO = 'rejected';
const QUESTION = 'wallet-unclear';

const coded = (code: unknown, message = 'no', more: object = {}) => Object.assign(new Error(message), {code, ...more});
const inside = (code: unknown, message = 'no') =>
  coded(-32603, 'Internal JSON-RPC error.', {data: {originalError: {code, message}}});
const named = (name: string, message = 'no') => Object.assign(new Error(message), {name});
const status = (statusCode: number, statusText: string, message: string) =>
  Object.assign(named('TransportStatusError', message), {statusCode, statusText});

const DECLINED_ON_DEVICE = 'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)';
/** What a Ledger behind a wallet of any family says; `locked`, `blind`: what that is here. */
const onDevice = (locked: SwapErrorCode, blind: SwapErrorCode): readonly Row[] => [
  ['declined on a Ledger', NO, status(0x6985, 'CONDITIONS_OF_USE_NOT_SATISFIED', DECLINED_ON_DEVICE)],
  ['declined on a Ledger, by its message', NO, coded(-32603, DECLINED_ON_DEVICE)],
  ['declined on a Ledger, by its name', NO, named('UserRefusedOnDevice')],
  ['a locked Ledger', locked, named('LockedDeviceError')],
  ['a Ledger without blind signing', blind, named('EthAppPleaseEnableContractData')],
  [
    'a Ledger without blind signing, by its message',
    blind,
    new Error('Missing a parameter. Try enabling blind signature in the app'),
  ],
  ['a Ledger with another status', QUESTION, status(0x6f00, 'UNKNOWN_ERROR', 'Ledger device: UNKNOWN_ERROR (0x6f00)')],
];

/** The same in every family. */
const COMMON: readonly Row[] = [
  ['4001', NO, coded(4001)],
  ['4001 as text', NO, coded('4001')],
  ['4001 in another error', NO, inside(4001)],
  ['4001 as the cause', NO, new Error('could not sign', {cause: coded(4001)})],
  ['4001 in JSON as the message', NO, new Error('{"code":4001,"message":"User rejected the request."}')],
  ['4001 in JSON as the error', NO, '{"code":4001}'],
  ['4001 in cut JSON', QUESTION, new Error('{"code":4001,"message":"User rej')],
  ['4001 in a sentence', QUESTION, new Error('code 4001')],
  ['4001 and a unit', QUESTION, coded('4001ms')],
  ['a missing method', 'wallet-failed', coded(-32601)],
  ['an unsupported method', 'wallet-failed', coded(4200)],
  ['an error inside the wallet', QUESTION, coded(-32603, 'Internal JSON-RPC error.')],
  ['a closed port', QUESTION, new Error('Attempting to use a disconnected port object')],
  ['a no in another wallet’s words', QUESTION, new Error('User rejected the transaction')],
  ['a no among other words', QUESTION, new Error('Failed: User rejected the request. Or not.')],
  ['a word', QUESTION, new Error('cancelled')],
  ['a pending request', QUESTION, coded(-32002, 'Request already pending')],
  ['a disconnected chain', QUESTION, coded(4901, 'Chain disconnected')],
  ['nothing at all', QUESTION, undefined],
];

const TABLES: Readonly<Record<ChainFamily, readonly Row[]>> = {
  evm: [
    ...COMMON,
    ...onDevice('wallet-locked', 'wallet-failed'),
    ['EIP-1193’s text', NO, new Error('User rejected the request.')],
    ['EIP-1193’s text, thrown as it is', NO, 'User rejected the request.'],
    ['MetaMask’s text', NO, inside(-32603, 'MetaMask Tx Signature: User denied transaction signature.')],
    [
      'MetaMask’s text for typed data',
      NO,
      new Error('MetaMask Typed Message Signature: User denied message signature.'),
    ],
    ['WalletConnect’s 5000', NO, coded(5000, 'User rejected.')],
    ['WalletConnect’s 5001', NO, coded(5001, 'User rejected chains.')],
    ['WalletConnect’s 5002', NO, coded(5002, 'User rejected methods.')],
    ['WalletConnect’s text', NO, new Error('User rejected methods.')],
    ['WalletConnect’s 5101', 'wallet-failed', coded(5101, 'Unsupported methods.')],
    ['WalletConnect’s 8000, a request that expired', QUESTION, coded(8000, 'Request expired.')],
    ['ethers’ code', NO, coded('ACTION_REJECTED', 'user rejected action (action="sendTransaction")')],
    ['EIP-1193’s text beside another code', QUESTION, coded(-32005, 'User rejected the request.')],
    ['a request denied by user', QUESTION, coded(-32603, 'Request denied by user')],
    ['an unauthorized account', 'wallet-locked', coded(4100, 'Not authorized')],
    ['invalid parameters', 'wallet-failed', coded(-32602, 'Invalid params')],
    ['invalid parameters, said by a node', QUESTION, inside(-32602, 'Invalid params')],
    ['no coins for gas', 'insufficient-funds', coded(-32000, 'gas required exceeds allowance (0)')],
    ['no coins for gas, said by a node', 'insufficient-funds', inside(-32000, 'gas required exceeds allowance (0)')],
    ['too much gas', QUESTION, coded(-32000, 'gas required exceeds allowance (30000000)')],
    ['too few coins', 'insufficient-funds', coded(-32000, 'insufficient funds for gas * price + value')],
    [
      'too few coins, with numbers',
      'insufficient-funds',
      inside(-32000, 'insufficient funds for gas * price + value: address 0xAa have 1 want 2'),
    ],
    ['too few coins of somebody', QUESTION, new Error('The pool has insufficient funds')],
    ['a rejection by a node', QUESTION, coded(-32003, 'Transaction rejected')],
    ['a revert', QUESTION, coded(3, 'execution reverted')],
  ],
  starknet: [
    ...COMMON,
    ...onDevice('wallet-failed', 'wallet-failed'),
    ['113', NO, coded(113, 'An error occurred (USER_REFUSED_OP)')],
    ['113 as text', NO, coded('113')],
    ['113 in another error', NO, coded(163, 'failed', {data: {code: 113}})],
    ['113’s message', NO, new Error('An error occurred (USER_REFUSED_OP)')],
    ['113’s name', NO, new Error('USER_REFUSED_OP')],
    ['what Argent X said of every failure', QUESTION, new Error('User abort')],
    ['what Braavos said of payments, too', QUESTION, new Error('Execute failed')],
    ['an unsupported version', 'wallet-failed', coded(162, 'An error occurred (API_VERSION_NOT_SUPPORTED)')],
    ['too few coins', 'insufficient-funds', coded(54, 'Account balance is smaller')],
    ['a contract that reverts', 'funding-reverted', coded(41, 'Transaction execution error')],
    ['an unknown error', QUESTION, coded(163, 'An error occurred (UNKNOWN_ERROR)')],
    ['an invalid request', QUESTION, coded(114, 'An error occurred (INVALID_REQUEST_PAYLOAD)')],
    ['a rejection by a node', QUESTION, coded(55, 'Account validation failed')],
  ],
  solana: [
    ...COMMON,
    ...onDevice('wallet-locked', 'wallet-failed'),
    ['Phantom’s text, by wallet-adapter', NO, new WalletSignTransactionError('User rejected the request.')],
    ['4001 by wallet-adapter', NO, new WalletSendTransactionError('Unexpected error', coded(4001))],
    ['a closed window', NO, new WalletWindowClosedError()],
    ['Backpack’s text', NO, new Error('Approval Denied: Popup Closed.')],
    ['a denial of something', QUESTION, new Error('Approval Denied by the network')],
    ['no connection', 'wallet-locked', new WalletNotConnectedError()],
    ['a lost connection', 'wallet-locked', new WalletDisconnectedError()],
    ['no wallet', 'wallet-missing', new WalletNotReadyError()],
    ['an unauthorized account', 'wallet-locked', coded(4100)],
    ['invalid parameters', 'wallet-failed', coded(-32602)],
    [
      'too few lamports, said by the chain',
      QUESTION,
      new WalletSendTransactionError('insufficient lamports 1, need 2'),
    ],
    ['a transaction that a node rejected', QUESTION, coded(-32003, 'Transaction rejected')],
  ],
  bitcoin: [
    ...COMMON,
    ...onDevice('wallet-locked', 'wallet-failed'),
    ['sats-connect’s -32000', NO, coded(-32000, 'User rejected request')],
    ['-32000 as text', NO, coded('-32000')],
    ['-32000 of a node', QUESTION, inside(-32000, 'bad-txns-inputs-missingorspent')],
    ['sats-connect’s -32001', 'wallet-failed', coded(-32001, 'Not supported')],
    ['sats-connect’s -32002', 'wallet-locked', coded(-32002, 'Access denied')],
    ['invalid parameters', 'wallet-failed', coded(-32602, 'Invalid params')],
    ['an unauthorized account', 'wallet-locked', coded(4100)],
    ['too few coins', 'insufficient-funds', coded(-32603, 'Insufficient balance')],
    ['too few coins of somebody', QUESTION, coded(-32603, 'The relay has insufficient funds')],
    ['too low a fee', QUESTION, coded(-32603, 'insufficient fee, rejecting replacement')],
  ],
};

const adapters = {
  solana: createSolanaAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100, poll: 2}),
  bitcoin: createBitcoinAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100}),
};

/** Pays with a wallet that throws this when it is asked to; resolves with the error, and what was written down. */
const PAY: Readonly<
  Record<ChainFamily, Readonly<Record<string, (error: unknown) => Promise<[SwapErrorCode, string[]]>>>>
> = {
  evm: {
    send: error => payByHtlc('evm', 'transaction', 'eth_sendTransaction', error),
    sign: error => payByHtlc('evm', 'signature', 'eth_signTypedData_v4', error),
  },
  starknet: {
    send: error => payByHtlc('starknet', 'transaction', 'wallet_addInvokeTransaction', error),
    sign: error => payByHtlc('starknet', 'signature', 'wallet_signTypedData', error),
  },
  solana: {
    sign: error => payOnSolana('sign', error),
    send: error => payOnSolana('send', error),
  },
  bitcoin: {
    async send(error) {
      const addresses = [{address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', purpose: 'payment'}];
      const answers: Readonly<Record<string, unknown>> = {
        wallet_connect: {addresses},
        wallet_getAccount: {addresses},
        wallet_getNetwork: {bitcoin: {name: 'Testnet4'}},
      };
      const provider = {
        request(method: string) {
          if (method === 'sendTransfer') throw error as Error;
          return Promise.resolve({result: answers[method]});
        },
      };
      const account = await (await adapters.bitcoin.wallets.walletOf!(provider)).connect();
      const {updates, onWalletRequest} = listen();
      const fault = await errorOf(adapters.bitcoin.fund(sampleDeal(), account, {way: 'transaction', onWalletRequest}));
      return [fault.code, updates];
    },
  },
};

async function payOnSolana(kind: 'sign' | 'send', error: unknown): Promise<[SwapErrorCode, string[]]> {
  const ledger = new SolanaLedger();
  const stop = ledger.serve();
  try {
    const wallet = new LedgerWallet(ledger, {});
    const account = await walletFrom(wallet.standard).connect();
    const deal = ownDeal(ledger);
    // Without a node the wallet sends by itself.
    if (kind === 'send') Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    wallet.instead.set(kind, () => {
      throw error as Error;
    });
    const {updates, onWalletRequest} = listen();
    const fault = await errorOf(adapters.solana.fund(deal, account, {way: 'transaction', onWalletRequest}));
    return [fault.code, updates];
  } finally {
    stop();
  }
}

async function payByHtlc(
  family: 'evm' | 'starknet',
  way: 'transaction' | 'signature',
  method: string,
  error: unknown,
): Promise<[SwapErrorCode, string[]]> {
  const {ledger, fund, updates} = await openAt(family === 'evm' ? ON_EVM : ON_STARKNET);
  const wallet = ledger as EvmWallet | StarknetLedger;
  wallet.allowance = 10n ** 8n;
  wallet.instead.set(method, () => {
    throw error as Error;
  });
  return [(await errorOf(fund(way))).code, updates];
}

afterEach(closeLast);

for (const [family, table] of Object.entries(TABLES) as [ChainFamily, readonly Row[]][]) {
  describe(`what ${family} wallets say`, () => {
    for (const [kind, pay] of Object.entries(PAY[family])) {
      for (const [said, usual, error] of table) {
        // There the page sends, and only what was signed.
        const unsent = said === 'a pending request' ? 'wallet-locked' : 'wallet-failed';
        const means = family === 'solana' && kind === 'sign' && usual === QUESTION ? unsent : usual;
        it(`asked to ${kind}: ${said} is ${means}`, async () => {
          const [code, updates] = await pay(error);
          expect(code).to.equal(means);
          const states = updates.map(update => update.split(' ')[1]);
          expect(states).to.deep.equal(['asking', ...(means === QUESTION ? [] : ['refused'])]);
        });
      }
    }
  });
}
