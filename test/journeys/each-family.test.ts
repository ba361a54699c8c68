/** A whole swap from each family, to another one each, with a lie that stops it; and a refund. */
import {TEST_NETWORK, p2tr, utils} from '@scure/btc-signer';
import {endCrossings} from '../support/crossing.js';
import {startSandbox} from '../support/sandbox.js';
import {expectRefund, IS_REFUNDED, itSwaps, TWO_PAYMENTS, TWO_SIDES, UNSIGNED, type Way} from '../support/ways.js';

const BTC = 'bitcoin_testnet:btc';
const BASE_WBTC = 'base_sepolia:wbtc';
const SOL = 'solana_testnet:sol';
const STARKNET_WBTC = 'starknet_sepolia:wbtc';

const WAYS: readonly Way[] = [
  {
    way: 'from an EVM chain by signature, to a taproot address',
    from: BASE_WBTC,
    to: BTC,
    recipient: p2tr(utils.pubSchnorr(utils.randomPrivateKeyBytes()), undefined, TEST_NETWORK).address ?? '',
    asked: ['connect', 'send', 'sign'],
    requests: ['approve sent', 'sign signed', 'initiate sent'],
    lie: ['redeemer-in-typed-data', TWO_PAYMENTS],
  },
  {
    way: 'from Starknet by transaction, to an address typed with spaces',
    from: STARKNET_WBTC,
    to: SOL,
    typed: address => ` ${address}\n`,
    faults: UNSIGNED,
    asked: ['connect', 'send'],
    requests: ['send sent'],
    lie: ['redeemer', TWO_SIDES],
  },
  {
    way: 'from Solana by a transaction that the page sends, to an undeployed account, without leading zeros',
    from: SOL,
    to: STARKNET_WBTC,
    amount: '5',
    typed: address => `0x${BigInt(address).toString(16).toUpperCase()}`,
    asked: ['connect', 'send'],
    requests: ['send sent'],
    lie: ['redeemer', TWO_SIDES],
  },
  {
    way: 'from Bitcoin by a payment to the address',
    from: BTC,
    to: BASE_WBTC,
    pay: crossing => crossing.send(),
    asked: [],
    requests: [],
    lie: ['address', TWO_SIDES],
  },
];

afterEach(endCrossings);

describe('A swap', () => WAYS.forEach(itSwaps));

describe('A payment', () => {
  it(`on an EVM chain by signature ${IS_REFUNDED}`, async () => {
    // Its clock is moved.
    const sandbox = await startSandbox();
    try {
      await expectRefund(sandbox, {from: BASE_WBTC, to: STARKNET_WBTC}, 0n);
    } finally {
      await sandbox.close();
    }
  });
});
