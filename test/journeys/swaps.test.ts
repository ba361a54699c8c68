/** A swap by each other way to pay than those of `each-family.test.ts`: the happy path, and a lying service. */
import {expect} from '@open-wc/testing';
import {createWallet, type WalletSettings} from '../../demo/wallets/index.js';
import {createStarknetWallet} from '../../demo/wallets/starknet.js';
import {beginCrossing, endCrossings} from '../support/crossing.js';
import {itSwaps, TWO_PAYMENTS, TWO_SIDES, UNSIGNED, type Way} from '../support/ways.js';

const BTC = 'bitcoin_testnet:btc';
const BASE_WBTC = 'base_sepolia:wbtc';
const ETHEREUM_WBTC = 'ethereum_sepolia:wbtc';
const SOL = 'solana_testnet:sol';
const STARKNET_WBTC = 'starknet_sepolia:wbtc';

/** A wallet that accepts approval and payment at once; its account delegates its calls (EIP-5792, EIP-7702). */
const batching = (settings: WalletSettings) => createWallet('evm', {...settings, batches: true});

/** A Starknet account with a guardian, whose signature has nine parts. */
function guarded({name, id, seedPhrase, state, approver}: WalletSettings) {
  const home = state.chains['starknet_sepolia'];
  if (home?.family !== 'starknet') throw new Error('The sandbox has no Starknet.');
  const {chainId, rpc, accountClass, guardedAccountClass} = home;
  const chains = [{chainId, rpc, name: 'Starknet Sepolia', accountClass, guardedAccountClass}];
  return createStarknetWallet({name, id, seedPhrase, chains, guarded: true, ...(approver && {approver})});
}

const WAYS: readonly Way[] = [
  {
    way: 'from an EVM chain by transaction, to another one',
    from: ETHEREUM_WBTC,
    to: BASE_WBTC,
    faults: UNSIGNED,
    asked: ['connect', 'switch', 'send', 'send'],
    requests: ['approve sent', 'send sent'],
    lie: ['redeemer', TWO_SIDES],
  },
  {
    way: 'from an EVM chain by approval and payment in one request',
    from: BASE_WBTC,
    to: ETHEREUM_WBTC,
    payer: batching,
    asked: ['connect', 'send'],
    requests: ['send sent'],
    lie: ['redeemer-in-call', TWO_PAYMENTS],
  },
  {
    way: 'from Starknet by a signature that includes a guardian’s',
    from: STARKNET_WBTC,
    to: ETHEREUM_WBTC,
    payer: guarded,
    asked: ['connect', 'send', 'sign'],
    requests: ['approve sent', 'sign signed', 'initiate sent'],
    lie: ['redeemer-in-call', TWO_PAYMENTS],
  },
  {
    way: 'from Solana by a transaction that the wallet sends',
    from: SOL,
    to: BASE_WBTC,
    amount: '5',
    withoutRpc: true,
    asked: ['connect', 'send'],
    requests: ['send sent'],
    lie: ['redeemer', TWO_SIDES],
  },
  {
    way: 'from Bitcoin by a wallet in the page, listed above paying without one',
    from: BTC,
    to: SOL,
    async pay(crossing) {
      await crossing.press(/^Connect a wallet to pay from$/);
      await crossing.untilSays('Without a wallet Pay to an address');
      await crossing.expectAccessible();
      await crossing.press(/^Pay to an address/);
      await crossing.untilAddress();
      await crossing.press(/^Connect a wallet to pay from$/);
      await crossing.chooseWallet();
      await crossing.press(/^Pay with payer/);
    },
    asked: ['connect', 'send'],
    requests: ['send sent'],
    // No wallet is chosen before the address is shown.
    lie: ['recipient', 'This isn’t the swap you agreed to'],
  },
];

describe('A swap', () => {
  afterEach(endCrossings);

  WAYS.forEach(itSwaps);

  it('prompts once as announced, continues after a reload during the prompt, and never prompts twice', async () => {
    let answer: (yes: boolean) => void = () => {};
    const crossing = await beginCrossing({
      from: BASE_WBTC,
      to: ETHEREUM_WBTC,
      payer: batching,
      answer: () => new Promise(resolve => (answer = resolve)),
    });
    await crossing.review();
    await crossing.untilSays('Your wallet will ask you once');
    await crossing.press(/^Details$/);
    await crossing.untilSays('Allow and pay 0.01 WBTC');
    await crossing.expectAccessible();
    await crossing.next(/^Place swap$/);
    await crossing.untilAsked('send');
    await crossing.untilSays('One confirmation for both.');
    await crossing.expectAccessible();
    await crossing.reload();
    await crossing.untilSays('Your wallet request is open in another tab');
    answer(true);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
    expect(crossing.walletRequests()).to.have.length(1);
  });

  it('sends what the service’s dialect names: further fields, and a signature of nine numbers as one text', async () => {
    const sent: Record<string, unknown> = {};
    const crossing = await beginCrossing({
      from: STARKNET_WBTC,
      to: BASE_WBTC,
      payer: guarded,
      widget: {
        service: '{"fields": ["solver_id", "nonce", "slippage"], "signature": "comma-hex"}',
        fetch: (input: RequestInfo | URL, init?: RequestInit) => {
          if (init?.method) Object.assign(sent, JSON.parse(String(init.body)));
          return fetch(input, init);
        },
      },
    });
    await crossing.place();
    await crossing.expectSwapped();
    expect(sent['signature']).to.match(/^0x[\da-f]+(?:,0x[\da-f]+){8}$/);
    expect(sent).to.include({slippage: 0}).and.include.keys('solver_id', 'nonce');
  });
});
