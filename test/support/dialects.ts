/** The dialects of the contract family, each with a ledger, a wallet and the published deal, for a common test suite. */
import {Interface} from 'ethers';
import {selector} from 'starknet';
import type {Account, CheckOptions, FundOptions, ReadDepositOptions} from '../../src/chains/adapter.js';
import {evmDialect} from '../../src/chains/evm/dialect.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {starknetDialect} from '../../src/chains/starknet/dialect.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {TokenHtlc} from '../../src/chains/token-htlc/adapter.js';
import type {AnyDialect, KeptOrder, Terms} from '../../src/chains/token-htlc/dialect.js';
import type {FundWay} from '../../src/domain/deposit.js';
import {connectLedger as connectEvm} from './evm-account.js';
import * as evm from './evm-deal.js';
import {COIN, LedgerWallet, OWNER as EVM_OWNER} from './evm-ledger.js';
import {listen} from './funding.js';
import type {HtlcLedger} from './htlc-ledger.js';
import * as starknet from './starknet-deal.js';
import {OWNER as STARKNET_OWNER, StarknetLedger, STRANGER as STARKNET_STRANGER} from './starknet-ledger.js';

export const BALANCE = 10n ** 8n;
export const SHORT = {...TIMEOUTS, read: 100, connect: 300, request: 200, receipt: 400, lag: 400, poll: 2};

/** A deal that a test can change. Its payload has its dialect's form; all of them have typed data. */
export type OpenDeal = evm.OpenDeal;

export interface Place {
  readonly name: string;
  readonly dialect: AnyDialect;
  readonly adapter: TokenHtlc;
  readonly contract: string;
  readonly token: string;
  readonly coin?: string;
  readonly owner: string;
  readonly stranger: string;
  readonly reads: boolean;
  /** Whether an approval goes with its payment, in one transaction. */
  readonly batches: boolean;
  /** Whether the outcome of a transaction is known while it is unconfirmed. */
  readonly foretells: boolean;
  deal(): OpenDeal;
  open(): {readonly ledger: HtlcLedger; connect(): Promise<Account>; close(): void};
  recall(deal: OpenDeal, change: Partial<Terms>): void;
  retype(deal: OpenDeal, change: Partial<Terms>): void;
  move(deal: OpenDeal, contract: string): void;
  readonly others: Readonly<Record<string, (deal: OpenDeal) => void>>;
  typeElsewhere(deal: OpenDeal): void;
}

const forms = new Interface([
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
]);

const transactionOf = (deal: OpenDeal) => deal.deposit.payload.transaction;
const callOf = (deal: OpenDeal) => (deal as unknown as starknet.OpenDeal).deposit.payload.call;
const messageOf = (deal: OpenDeal) => deal.deposit.payload.typedData.message as Record<string, unknown>;
const domainOf = (deal: OpenDeal) => deal.deposit.payload.typedData.domain as Record<string, unknown>;
const hex = (value: bigint) => `0x${value.toString(16)}`;
const halves = (amount: bigint) => [amount % 2n ** 128n, amount / 2n ** 128n].map(hex) as [string, string];
const wordsOf = (digits: string) => (digits.match(/.{8}/g) ?? []).map(word => `0x${word}`);
const termsOf = (dialect: AnyDialect, deal: OpenDeal) => dialect.terms(deal.deposit.payload)!;

const evmAdapter = createEvmAdapter(SHORT);
const starknetAdapter = createStarknetAdapter(SHORT);

export const ON_EVM: Place = {
  name: 'an EVM chain',
  dialect: evmDialect,
  adapter: evmAdapter,
  contract: evm.CONTRACT,
  token: evm.TOKEN,
  coin: COIN,
  owner: EVM_OWNER,
  stranger: evm.STRANGER,
  reads: true,
  batches: false,
  foretells: false,
  deal: () => evm.ownDeal(),
  open() {
    const ledger = new LedgerWallet({chainId: 11155111, token: evm.TOKEN, contract: evm.CONTRACT, balance: BALANCE});
    return {ledger, connect: () => connectEvm(evmAdapter, ledger), close: () => undefined};
  },
  recall(deal, change) {
    const {redeemer, timelock, amount, secretHash} = {...termsOf(evmDialect, deal), ...change};
    transactionOf(deal).data = forms.encodeFunctionData('initiate', [redeemer, timelock, amount, `0x${secretHash}`]);
  },
  retype(deal, {redeemer, timelock, amount, secretHash}) {
    Object.assign(messageOf(deal), {
      ...(redeemer !== undefined && {redeemer}),
      ...(timelock !== undefined && {timelock: hex(timelock)}),
      ...(amount !== undefined && {amount: hex(amount)}),
      ...(secretHash !== undefined && {secretHash: `0x${secretHash}`}),
    });
  },
  move(deal, contract) {
    transactionOf(deal).to = contract;
    domainOf(deal)['verifyingContract'] = contract;
  },
  others: {
    'an approval': deal =>
      (transactionOf(deal).data = forms.encodeFunctionData('approve', [evm.STRANGER, 2n ** 256n - 1n])),
    'a transfer': deal => (transactionOf(deal).data = forms.encodeFunctionData('transfer', [evm.STRANGER, 50_000n])),
    nothing: deal => (transactionOf(deal).data = '0x'),
  },
  typeElsewhere: deal => (domainOf(deal)['chainId'] = '0x1'),
};

export const ON_STARKNET: Place = {
  name: 'Starknet',
  dialect: starknetDialect,
  adapter: starknetAdapter,
  contract: starknet.CONTRACT,
  token: starknetDialect.address(starknet.TOKEN),
  owner: STARKNET_OWNER,
  stranger: STARKNET_STRANGER,
  reads: false,
  batches: true,
  foretells: true,
  deal: () => starknet.sampleDeal() as unknown as OpenDeal,
  open() {
    const ledger = new StarknetLedger({token: starknet.TOKEN, contract: starknet.CONTRACT, balance: BALANCE});
    const close = ledger.serve();
    return {ledger, connect: () => starknet.connectLedger(starknetAdapter, ledger), close};
  },
  recall(deal, change) {
    const {redeemer, timelock, amount, secretHash} = {...termsOf(starknetDialect, deal), ...change};
    callOf(deal).calldata = [redeemer, hex(timelock), ...halves(amount), ...wordsOf(secretHash)];
  },
  retype(deal, {redeemer, timelock, amount, secretHash}) {
    const [low, high] = halves(amount ?? 0n);
    Object.assign(messageOf(deal), {
      ...(redeemer !== undefined && {redeemer: String(BigInt(redeemer))}),
      ...(timelock !== undefined && {timelock: String(timelock)}),
      ...(amount !== undefined && {amount: {low, high}}),
      ...(secretHash !== undefined && {secretHash: wordsOf(secretHash).map(Number)}),
    });
  },
  move: (deal, contract) => (callOf(deal).to = contract),
  others: {
    'an approval': deal => (callOf(deal).selector = selector.getSelectorFromName('approve')),
    'a transfer': deal => (callOf(deal).selector = selector.getSelectorFromName('transfer')),
    nothing: deal => (callOf(deal).calldata = []),
  },
  typeElsewhere: deal => (domainOf(deal)['chainId'] = 'SN_MAIN'),
};

export const PLACES: readonly Place[] = [ON_EVM, ON_STARKNET];

let close = (): void => undefined;

export function closeLast(): void {
  close();
  close = () => undefined;
}

/** A wallet on a ledger with the published deal, and its reports. Only the last one that was opened responds. */
export async function openAt(place: Place) {
  closeLast();
  const {adapter, dialect} = place;
  const opened = place.open();
  const {ledger} = opened;
  ({close} = opened);
  const account = await opened.connect();
  ledger.forget();
  const deal = place.deal();
  const heard = listen();
  const {onPlan, onFallback, onMove, onWalletRequest} = heard;
  const terms = dialect.terms(deal.deposit.payload)!;
  const listening = {account, onPlan, onFallback, onMove, onWalletRequest};
  return {
    ...heard,
    ledger,
    account,
    deal,
    terms,
    fund: (way: FundWay, more: Partial<FundOptions> = {}, payer: Account = account) =>
      adapter.fund(deal, payer, {way, ...listening, ...more}),
    refund: (of: OpenDeal = deal) => adapter.back.refund!(of, account, listening),
    revoke: () => adapter.back.revoke!(deal, account, listening),
    check: (more: Partial<CheckOptions> = {}, of: OpenDeal = deal) => adapter.check(of, {account, ...more}),
    read: (hash?: string, more: Partial<ReadDepositOptions> & {of?: OpenDeal} = {}) =>
      adapter.readDeposit(more.of ?? deal, {account, hash, ...more}),
    /** Gives the contract a record that nobody paid here: of the agreed order, except for some terms. */
    keep: (id: string, other: Partial<KeptOrder> = {}) => {
      const {secretHash: _, ...kept} = terms;
      ledger.orders.set(id, {initiator: place.owner, ...kept, block: 100n, isHeld: true, ...other});
    },
    /** Removes every way to read the chain. */
    blind() {
      Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    },
  };
}

export type Opened = Awaited<ReturnType<typeof openAt>>;
