/** People with coins and a wallet on the sandbox's chains of the contract family, who order at its service and pay as the widget would. */
import {id} from 'ethers';
import {createEvmWallet} from '../../demo/wallets/evm.js';
import type {Approver} from '../../demo/wallets/prompt.js';
import {evmChains} from '../../demo/wallets/sandbox.js';
import {createStarknetWallet} from '../../demo/wallets/starknet.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Deal, FundWay} from '../../src/domain/deposit.js';
import {SandboxClient} from '../sandbox/client.js';
import {catalogueOf, createBuyer} from './funding.js';
import {sandbox} from './sandbox.js';
import {findWallets} from './starknet-deal.js';
import './window.js';

export const evmAdapter = createEvmAdapter({...TIMEOUTS, poll: 20});
export const starknetAdapter = createStarknetAdapter({...TIMEOUTS, poll: 20});

const opened: {withdraw(): void}[] = [];

export function withdrawWallets(): void {
  for (const wallet of opened.splice(0)) wallet.withdraw();
}

const storage = {getItem: () => null, setItem: () => undefined};

/** A person on Base, whose wallet is on another chain. */
export async function openEvmBuyer(on = sandbox, approver: Approver = () => Promise.resolve(true)) {
  const client = SandboxClient.forAppOfItsOwn(on);
  const info = await client.info();
  const privateKey = id(`buyer ${client.appId}`);
  const chains = evmChains(info)
    .map(([name, {chainId, rpc}]) => ({chainId, rpc, name}))
    .sort((one, other) => other.chainId - one.chainId);
  const wallet = createEvmWallet({name: 'Buyer', rdns: client.appId, privateKey, chains, approver, storage});
  opened.push(wallet);
  const account = await (await evmAdapter.wallets.walletOf!(wallet.provider)).connect();
  const catalogue = catalogueOf(info, ['evm', 'solana', 'starknet', 'bitcoin']);
  const buyer = createBuyer({client, adapter: evmAdapter, account, catalogue});
  await client.faucet('base_sepolia:eth', account.address, 10n ** 18n);
  return {
    ...buyer,
    wallet,
    privateKey,
    rpc: String(info.chains['base_sepolia']?.rpc),
    async order(to = 'ethereum_sepolia:wbtc', recipient = account.address) {
      const from = 'base_sepolia:wbtc';
      await client.faucet(from, account.address, 100_000n);
      return buyer.order({from, to, amount: 100_000n, recipient});
    },
    fund: (deal: Deal, way: FundWay) => buyer.fund(deal, {way, account}),
    left: () => buyer.balance('base_sepolia:wbtc'),
  };
}

/** A person on Starknet, whose account is not deployed yet. */
export async function openStarknetBuyer() {
  const client = SandboxClient.forAppOfItsOwn(sandbox);
  const {appId} = client;
  const info = await client.info();
  const {
    chainId,
    rpc: node,
    accountClass,
  } = info.chains['starknet_sepolia'] as unknown as Record<'chainId' | 'rpc' | 'accountClass', string>;
  const wallet = createStarknetWallet({
    name: `Buyer ${appId.slice(0, 8)}`,
    id: appId.slice(0, 8),
    seedPhrase: `buyer ${appId}`,
    chains: [{chainId, rpc: node, name: 'Starknet Sepolia', accountClass}],
    approver: () => Promise.resolve(true),
    storage,
  });
  opened.push(wallet);
  const found = findWallets(starknetAdapter, () => () => undefined).find(({id}) => id === wallet.id);
  const account = await found!.connect();
  const catalogue = catalogueOf(info, ['evm', 'starknet']);
  const buyer = createBuyer({client, adapter: starknetAdapter, account, catalogue});
  return {
    ...buyer,
    async order() {
      const [from, recipient] = ['starknet_sepolia:wbtc', '0x00000000000000000000000000000000000f00d1'];
      await client.faucet(from, account.address, 100_000n);
      return buyer.order({from, to: 'base_sepolia:wbtc', amount: 100_000n, recipient});
    },
    fund: (deal: Deal, way: FundWay) => buyer.fund(deal, {way, account}),
    left: () => buyer.balance('starknet_sepolia:wbtc'),
  };
}
