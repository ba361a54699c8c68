/** People with coins and a wallet on the sandbox's chains of the contract family, who order at its service and pay as the widget would. */
import {id} from 'ethers';
import {createStarknetWallet, type StarknetWallet} from '../../demo/wallets/starknet.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Deal, FundWay} from '../../src/domain/deposit.js';
import {connectLedger} from './evm-account.js';
import {KeyWallet} from './evm-key-wallet.js';
import {catalogueOf, createBuyer} from './funding.js';
import type {SandboxInfo, TestSandbox} from './sandbox.js';
import {findWallets} from './starknet-deal.js';
import './window.js';

export const evmAdapter = createEvmAdapter({...TIMEOUTS, poll: 20});
export const starknetAdapter = createStarknetAdapter({...TIMEOUTS, poll: 20});

export const nodesOf = ({chains}: SandboxInfo) =>
  new Map(Object.values(chains).map(({chainId, rpc: url}) => [chainId, url]));
const keyWallet = (key: string, info: SandboxInfo) => new KeyWallet(key, nodesOf(info), 11155111);

/** A person on Base, whose wallet is on another chain. */
export async function openEvmBuyer(place: TestSandbox, {appId = place.newAppId(), make = keyWallet} = {}) {
  const info = await place.info();
  const wallet = make(id(`buyer ${appId}`), info);
  const account = await connectLedger(evmAdapter, wallet);
  const catalogue = catalogueOf(info, ['evm', 'solana', 'starknet', 'bitcoin']);
  const buyer = createBuyer({place, appId, adapter: evmAdapter, account, catalogue});
  await place.faucet('base_sepolia:eth', account.address, 10n ** 18n);
  return {
    ...buyer,
    wallet,
    /** The wallet's prompts. */
    asked: wallet.windows,
    orderFrom: buyer.order,
    async order(to = 'ethereum_sepolia:wbtc', recipient = account.address) {
      const from = 'base_sepolia:wbtc';
      await place.faucet(from, account.address, 100_000n);
      return buyer.order({from, to, amount: 100_000n, recipient});
    },
    fund: (deal: Deal, way: FundWay) => buyer.fund(deal, {way, account}),
    left: () => buyer.balance('base_sepolia:wbtc'),
  };
}

const opened: StarknetWallet[] = [];

/** Removes the wallets of all buyers from the page. */
export function withdrawWallets(): void {
  for (const wallet of opened.splice(0)) wallet.withdraw();
}

/** A person on Starknet, whose account is not deployed yet. */
export async function openStarknetBuyer(place: TestSandbox, {appId = place.newAppId()} = {}) {
  const info = await place.info();
  const {
    chainId,
    rpc: node,
    accountClass,
  } = info.chains['starknet_sepolia'] as unknown as Record<'chainId' | 'rpc' | 'accountClass', string>;
  const asked: string[] = [];
  const wallet = createStarknetWallet({
    name: `Buyer ${appId.slice(0, 8)}`,
    id: appId.slice(0, 8),
    seedPhrase: `buyer ${appId}`,
    chains: [{chainId, rpc: node, name: 'Starknet Sepolia', accountClass}],
    approver: ({kind, title}) => {
      asked.push(`${kind}: ${title}`);
      return Promise.resolve(true);
    },
    storage: {getItem: () => null, setItem: () => undefined},
  });
  opened.push(wallet);
  const found = findWallets(starknetAdapter, () => () => undefined).find(({id}) => id === wallet.id);
  const account = await found!.connect();
  asked.length = 0;
  const catalogue = catalogueOf(info, ['evm', 'starknet']);
  const buyer = createBuyer({place, appId, adapter: starknetAdapter, account, catalogue});
  return {
    ...buyer,
    wallet,
    /** The wallet's prompts. */
    asked,
    async order() {
      const [from, recipient] = ['starknet_sepolia:wbtc', '0x00000000000000000000000000000000000f00d1'];
      await place.faucet(from, account.address, 100_000n);
      return buyer.order({from, to: 'base_sepolia:wbtc', amount: 100_000n, recipient});
    },
    fund: (deal: Deal, way: FundWay) => buyer.fund(deal, {way, account}),
    left: () => buyer.balance('starknet_sepolia:wbtc'),
  };
}
