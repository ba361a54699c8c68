/** The Solana family against everything that the sandbox's service can falsify. */
import {corruptions} from '../../demo/sandbox/chains/solana/hostile.js';
import {createSolanaWallet} from '../../demo/wallets/solana.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {expect} from '../support/expect.js';
import {catalogueOf, codeOf, createBuyer} from '../support/funding.js';
import {SandboxClient} from '../sandbox/client.js';
import {sandbox} from '../support/sandbox.js';
import '../support/window.js';

const adapter = createSolanaAdapter({...TIMEOUTS, poll: 20});
const COIN = 'solana_testnet:sol';
const TOKEN = 'solana_testnet:usdc';
const TO = 'base_sepolia:wbtc';
const RECIPIENT = '0x00000000000000000000000000000000000f00d1';
const AMOUNT = 5_000_000_000n;

async function openBuyer(from: string) {
  const client = SandboxClient.forAppOfItsOwn(sandbox);
  const {appId} = client;
  const info = await client.info();
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
  for (const asset of new Set([COIN, from])) await client.faucet(asset, account.address, 3n * AMOUNT);
  const catalogue = catalogueOf(info, ['bitcoin', 'evm', 'solana']);
  const buyer = createBuyer({client, adapter, account, catalogue});
  return {
    ...buyer,
    asked,
    order: () => buyer.order({from, to: TO, amount: AMOUNT, recipient: RECIPIENT}),
  };
}

describe('a hostile service on Solana', () => {
  // Which checks see each of them is told in `solana-check`.
  for (const from of [COIN, TOKEN])
    for (const kind of [...Object.keys(corruptions), 'recipient', 'destination-amount', 'secret-hash']) {
      it(`is paid by no wallet: ${kind}, of ${from}`, async () => {
        const buyer = await openBuyer(from);
        await buyer.client.faults({hostile: {kind}});
        const deal = await buyer.order();
        expect(await codeOf(buyer.fund(deal, {way: 'transaction'}))).to.equal('deposit-mismatch');
        expect(buyer.updates).to.deep.equal([]);
        expect(buyer.asked).to.deep.equal([]);
      });
    }
});
