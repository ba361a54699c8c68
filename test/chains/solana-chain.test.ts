/** The Solana family against everything that the sandbox's service can falsify. */
import {corruptions} from '../../demo/sandbox/chains/solana/hostile.js';
import {createSolanaWallet} from '../../demo/wallets/solana.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckName} from '../../src/domain/deposit.js';
import {expect} from '../support/expect.js';
import {catalogueOf, codeOf, createBuyer} from '../support/funding.js';
import {sandbox} from '../support/sandbox.js';
import '../support/window.js';

const adapter = createSolanaAdapter({...TIMEOUTS, poll: 20});
const COIN = 'solana_testnet:sol';
const TOKEN = 'solana_testnet:usdc';
const TO = 'base_sepolia:wbtc';
const RECIPIENT = '0x00000000000000000000000000000000000f00d1';
const AMOUNT = 5_000_000_000n;

/** A person with coins, a wallet, and their own faults of the service. */
async function openBuyer(appId: string, from: string) {
  const info = await sandbox.info();
  const asked: string[] = [];
  const wallet = createSolanaWallet({
    name: `Buyer ${appId.slice(0, 8)}`,
    seedPhrase: `buyer ${appId}`,
    chains: [{chain: 'solana:devnet', rpc: info.chains['solana_testnet']!.rpc, name: 'Solana Devnet'}],
    approver: ({kind}) => {
      asked.push(kind);
      return Promise.resolve(true);
    },
    storage: {getItem: () => null, setItem: () => undefined},
  });
  const account = await (await adapter.wallets.walletOf!(wallet.standard)).connect();
  wallet.withdraw();
  asked.length = 0;
  for (const asset of new Set([COIN, from])) await sandbox.faucet(asset, account.address, 3n * AMOUNT);
  const catalogue = catalogueOf(info, ['bitcoin', 'evm', 'solana']);
  const buyer = createBuyer({place: sandbox, appId, adapter, account, catalogue});
  return {
    ...buyer,
    asked,
    order: () => buyer.order({from, to: TO, amount: AMOUNT, recipient: RECIPIENT}),
  };
}

/** The lies of the sandbox's hostile service, and the checks that detect them. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  amount: ['amount'],
  redeemer: ['order'],
  'secret-hash-in-call': ['secret'],
  timelock: ['call', 'order'],
  initiator: ['call'],
  'fee-payer': ['call'],
  contract: ['contract'],
  'swap-account': ['call'],
  'system-program': ['call'],
  'extra-transfer': ['amount', 'contract', 'code', 'call', 'order', 'secret'],
  'extra-deposit': ['amount', 'contract', 'code', 'call', 'order', 'secret'],
  transfer: ['call'],
  'priority-fee': ['value'],
  'durable-nonce': ['amount', 'contract', 'code', 'call', 'order', 'secret'],
  'lookup-table': ['call'],
  'trailing-bytes': ['amount', 'call', 'order', 'secret'],
  token: ['contract', 'token'],
  mint: ['contract', 'token', 'call'],
  authority: ['contract', 'token', 'call'],
  vault: ['contract', 'token', 'call'],
  'own-tokens': ['contract', 'token', 'call'],
  sponsor: ['contract', 'token', 'call'],
  'token-program': ['contract', 'token', 'call'],
  ...Object.fromEntries(
    ['transfer', 'approval', 'authority', 'closing'].map(what => [
      `token-${what}`,
      ['amount', 'contract', 'code', 'call', 'order', 'secret'] as const,
    ]),
  ),
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['secret'],
};

/** What differs if a token is to be paid, whose program is the same for all of them. */
const OF_TOKENS: Readonly<Record<string, readonly CheckName[]>> = {
  token: ['token'],
  mint: ['token', 'call'],
  ...Object.fromEntries(
    ['authority', 'vault', 'own-tokens', 'sponsor', 'token-program'].map(what => [what, ['call'] as const]),
  ),
  transfer: ['amount', 'contract', 'call', 'order', 'secret'],
};

describe('a hostile service on Solana', () => {
  it('has no other lies than those tested here', () => {
    expect(Object.keys(LIES)).to.include.members(Object.keys(corruptions));
  });

  for (const [from, kind, seen] of [COIN, TOKEN].flatMap(asset =>
    Object.entries({...LIES, ...(asset === TOKEN && OF_TOKENS)}).map(lie => [asset, ...lie] as const),
  )) {
    it(`is detected: ${kind}, of ${from}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(appId, from);
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.filter(({outcome}) => outcome === 'failed').map(({name}) => name)).to.deep.equal(seen);
      expect(await codeOf(buyer.fund(deal, {way: 'transaction'}))).to.equal('deposit-mismatch');
      expect(buyer.updates).to.deep.equal([]);
      expect(buyer.asked).to.deep.equal([]);
    });
  }
});
