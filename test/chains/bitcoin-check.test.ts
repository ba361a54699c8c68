import {expect} from '../support/expect.js';
import {secp256k1} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, hexToBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {p2pkh, p2sh, p2tr, p2wpkh, Script, TEST_NETWORK} from '@scure/btc-signer';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {depositAddress} from '../../src/chains/bitcoin/htlc.js';
import type {CheckName, CheckReport} from '../../src/domain/deposit.js';
import {MAIN, sampleDeal, STRANGER, TEST, type OpenDeal} from '../support/bitcoin-deal.js';
import {doubted, failed, unverified} from '../support/reports.js';

const adapter = createBitcoinAdapter();
const check = (deal: OpenDeal) => adapter.check(deal, {});
const outcomes = ({results}: CheckReport) => results.map(({name, outcome}) => `${name} ${outcome}`);

/** Addresses that BIP 173 and BIP 350 list as valid, and older ones of both networks. */
const ADDRESSES = {
  'P2PKH, main': '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  'P2SH, main': '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  'P2WPKH, main': 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
  'P2WSH, main': 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  'P2TR, main': 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  'P2PKH, test': 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  'P2PKH with another first letter, test': 'n2eMqTT929pb1RDNuqEnxdaLau1rxy3efi',
  'P2SH, test': '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
  'P2WPKH, test': 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  'P2WSH, test': 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  'P2TR, test': 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
};

describe('Bitcoin addresses', () => {
  for (const [type, address] of Object.entries(ADDRESSES)) {
    it(`are accepted as ${type}, and only on that network`, () => {
      const test = type.endsWith('test');
      expect(adapter.addresses.isAddress(test ? TEST : MAIN, address)).to.be.true;
      expect(adapter.addresses.isAddress(test ? MAIN : TEST, address)).to.be.false;
      // One changed letter, or two swapped ones, give another checksum.
      for (let place = 0; place < address.length; place++) {
        for (const letter of 'qQ1z') {
          const typo = address.slice(0, place) + letter + address.slice(place + 1);
          if (typo !== address) expect(adapter.addresses.isAddress(test ? TEST : MAIN, typo), typo).to.be.false;
        }
      }
    });
  }

  for (const [why, text] of [
    // BIP 350's own list of invalid addresses.
    ['another prefix', 'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut'],
    ['the older checksum on version 1', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['the older checksum on version 2', 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf'],
    ['the older checksum on version 16', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL'],
    ['the newer checksum on version 0', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
    ['the newer checksum on version 0, test', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47'],
    ['a letter that is not in bech32', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
    ['version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R'],
    ['a program of 1 byte', 'bc1pw5dgrnzv'],
    ['a program of 41 bytes', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav'],
    ['a program of 16 bytes in version 0', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
    ['mixed case', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq'],
    ['more than four bits of padding', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf'],
    ['padding that is not zero', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j'],
    ['nothing after the prefix', 'bc1gmk9yu'],
    // BIP 350 lists these as valid, but their versions are unused: anyone can spend what is sent there.
    ['version 1 of 40 bytes', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
    ['version 16', 'BC1SW50QGDZ25J'],
    ['version 2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
    ['version 1 of 2 bytes', 'bc1pfeessrawgf'],
    ['a private key', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
    ['a regtest address', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
    ['space around it', ' 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['a line break after it', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0\n'],
    ['a payment link', 'bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['an EVM address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['nothing', ''],
  ] as const) {
    it(`are rejected with ${why}`, () => {
      expect(adapter.addresses.isAddress(MAIN, text)).to.be.false;
      expect(adapter.addresses.isAddress(TEST, text)).to.be.false;
    });
  }

  it('are equal in capitals if bech32, and never if base58', () => {
    const {'P2WPKH, main': segwit, 'P2PKH, main': older} = ADDRESSES;
    expect(adapter.addresses.isSameAddress(segwit, segwit.toLowerCase())).to.be.true;
    expect(adapter.addresses.isSameAddress(segwit, `${segwit.slice(0, -1)}t`)).to.be.false;
    expect(adapter.addresses.isSameAddress(older, older)).to.be.true;
    expect(adapter.addresses.isSameAddress(older, older.toLowerCase())).to.be.false;
  });
});

describe('a deposit address', () => {
  const {secretHash, redeemer, delegate = '', timelock} = sampleDeal().order.source;
  const terms = {secretHash, redeemer, delegate, timelock};

  it('is the published one for the published terms', () => {
    expect(depositAddress(TEST, terms)).to.equal(sampleDeal().deposit.address);
    expect(depositAddress(MAIN, terms)).to.match(/^bc1p/);
  });

  it('cannot be spent by a key: its internal key is a point without a known private key, tweaked by a public number', () => {
    const {Point} = secp256k1;
    const unknown = Point.fromHex('0250929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0');
    const moved = unknown.add(Point.BASE.multiply(Point.Fn.fromBytes(sha256(utf8ToBytes('GardenHTLC')))));
    // H of BIP 341: the hash of the generator, as a point.
    expect(unknown.toHex(true).slice(2)).to.equal(bytesToHex(sha256(Point.BASE.toBytes(false))));
    for (const blocks of [1, 16, 17, 127, 128, 144, 255, 256, 32_767, 32_768, 65_535]) {
      const [hash, taker, giver] = [secretHash, redeemer, delegate].map(hexToBytes) as Keys;
      const tree = [
        {script: Script.encode(['SHA256', hash, 'EQUALVERIFY', taker, 'CHECKSIG'])},
        [
          {script: Script.encode([blocks, 'CHECKSEQUENCEVERIFY', 'DROP', giver, 'CHECKSIG'])},
          {script: Script.encode([giver, 'CHECKSIG', taker, 'CHECKSIGADD', 2, 'NUMEQUAL'])},
        ],
      ];
      const output = p2tr(moved.toBytes(true).slice(1), tree as Parameters<typeof p2tr>[1], TEST_NETWORK, true);
      expect(depositAddress(TEST, {...terms, timelock: blocks}), String(blocks)).to.equal(output.address);
    }
  });

  for (const [what, change] of [
    ['a key that is not on the curve', {redeemer: 'ff'.repeat(32)}],
    ['an address instead of a key', {delegate: 'tb1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3sjrh4gd'}],
    ['a key with its parity', {redeemer: `02${redeemer}`}],
    ['a hash too short', {secretHash: secretHash.slice(2)}],
    ['no timelock', {timelock: 0}],
    ['a timelock beyond 16 bits', {timelock: 65_536}],
    ['half a block', {timelock: 0.5}],
  ] as const) {
    it(`is not derived from ${what}`, () => {
      expect(depositAddress(TEST, {...terms, ...change})).to.be.undefined;
    });
  }
});

/** The address of the known script for these terms, where the deposit and the order have it. */
function derive({deposit, order: {source}}: OpenDeal, chain = TEST): void {
  const {secretHash, redeemer, delegate = '', timelock} = source;
  deposit.address = source.swapId = depositAddress(chain, {secretHash, redeemer, delegate, timelock}) ?? '';
}

/** An order of which nothing is paid yet. */
function unpay({order: {source, destination}}: OpenDeal): void {
  for (const leg of [source, destination]) Reflect.deleteProperty(leg, 'initiated');
  source.secret = destination.secret = '';
}

type Keys = [Uint8Array, Uint8Array, Uint8Array];

const OTHER_KEY = bytesToHex(secp256k1.Point.BASE.multiply(5n).toBytes(true).slice(1));

/** What a service may do that has another script than the known one. */
const OTHER_SCRIPTS = [
  'another address, also in the order',
  'another redeemer',
  'another delegate',
  'no delegate',
  'redeemer and delegate swapped',
  'a longer timelock',
];

/** One lie each, and exactly the checks that must detect it. */
const LIES: readonly (readonly [lie: string, seen: readonly CheckName[], tell: (deal: OpenDeal) => void])[] = [
  ['a larger amount', ['amount'], ({deposit}) => (deposit.amount = 50_001n)],
  ['a smaller amount', ['amount'], ({deposit}) => (deposit.amount = 49_999n)],
  ['an order with another amount', ['amount', 'order'], ({order}) => (order.source.amount = 500_000n)],
  [
    'another amount everywhere',
    ['amount', 'order'],
    ({deposit, order}) => (deposit.amount = order.source.amount = 500_000n),
  ],
  ['another address', ['script'], ({deposit}) => (deposit.address = STRANGER)],
  [
    'another address, also in the order',
    ['script'],
    ({deposit, order}) => (deposit.address = order.source.swapId = STRANGER),
  ],
  ['an order with another address', ['script'], ({order}) => (order.source.swapId = STRANGER)],
  ['a mainnet address', ['chain', 'script'], ({deposit}) => (deposit.address = ADDRESSES['P2TR, main'])],
  ['the same contract on mainnet', ['chain', 'script'], deal => derive(deal, MAIN)],
  ['no address at all', ['chain', 'script'], ({deposit}) => (deposit.address = 'pay me')],
  ['an address with a typo', ['chain', 'script'], ({deposit}) => (deposit.address = deposit.address.replace('9', '8'))],
  ['another redeemer', ['script'], ({order}) => (order.source.redeemer = OTHER_KEY)],
  ['another delegate', ['script'], ({order}) => (order.source.delegate = OTHER_KEY)],
  ['no delegate', ['script'], ({order}) => delete order.source.delegate],
  [
    'redeemer and delegate swapped',
    ['script'],
    ({order: {source}}) => ([source.redeemer, source.delegate] = [source.delegate ?? '', source.redeemer]),
  ],
  ['a longer timelock', ['script'], ({order}) => (order.source.timelock = 145)],
  [
    'an endless timelock, also in the address',
    ['script'],
    deal => {
      deal.order.source.timelock = 65_535;
      derive(deal);
    },
  ],
  ['another secret in the source leg', ['script', 'secret'], ({order}) => (order.source.secretHash = '5a'.repeat(32))],
  ['a secret with another hash', ['secret'], ({order}) => (order.source.secret = '5a'.repeat(32))],
  [
    'a destination that is locked longer',
    ['timelock'],
    deal => {
      unpay(deal);
      deal.order.destination.timelock = 144 * 300 + 1;
    },
  ],
  ['another secret in the destination leg', ['secret'], ({order}) => (order.destination.secretHash = '5a'.repeat(32))],
  ['an order with another id', ['order'], ({order}) => (order.id = 'f00d')],
  ['an order from another asset', ['order'], ({order}) => (order.source.asset = 'bitcoin_testnet:runes')],
  ['an order on another chain', ['order'], ({order}) => (order.source.chain = 'bitcoin')],
  ['an order to another asset', ['order'], ({order}) => (order.destination.asset = 'base_sepolia:usdc')],
  ['an order to another chain', ['order'], ({order}) => (order.destination.chain = 'base')],
  ['an order that pays less', ['order'], ({order}) => (order.destination.amount = 49_849n)],
  ['an order that pays more', ['order'], ({order}) => (order.destination.amount = 49_851n)],
  [
    'an order that pays another',
    ['order'],
    ({order}) => (order.destination.redeemer = '0x4444444444444444444444444444444444444444'),
  ],
  ['a refund to another', ['refund'], ({order}) => (order.source.initiator = STRANGER)],
  [
    'a refund to another network',
    ['refund'],
    ({agreed, order}) => (agreed.owner = order.source.initiator = ADDRESSES['P2PKH, main']),
  ],
];

/** Parts that are missing or of another type: none may pass, none may throw. */
const WRECKS: readonly (readonly [string, (deal: OpenDeal) => void])[] = [
  ['an address that is a number', ({deposit}) => (deposit.address = 5 as never)],
  ['an amount that is text', ({deposit}) => (deposit.amount = '50000' as never)],
  ['an empty leg', ({order}) => (order.source = null as never)],
  ['keys that are objects', ({order}) => (order.source.redeemer = {} as never)],
  ['an empty leg id', ({order}) => (order.source.swapId = undefined as never)],
  ['a payload for a wallet', deal => (deal.deposit = {how: 'wallet', ways: ['transaction'], payload: {}} as never)],
];

describe('check of a Bitcoin deal', () => {
  it('passes the published sample in every point but the one that cannot be known once it is paid', async () => {
    const unpaid = sampleDeal();
    unpay(unpaid);
    expect(outcomes(await check(unpaid))).to.include('timelock passed');
    const report = await check(sampleDeal());
    expect(report.outcome).to.equal('passed');
    expect(outcomes(report)).to.deep.equal([
      'amount passed',
      'chain passed',
      'script passed',
      'order passed',
      'secret passed',
      'timelock unchecked',
      'refund passed',
    ]);
  });

  it('leaves unchecked what only the order can show, until it can be read', async () => {
    const deal = sampleDeal();
    Reflect.deleteProperty(deal, 'order');
    const report = await check(deal);
    expect(report.outcome).to.equal('passed');
    expect(outcomes(report)).to.deep.equal([
      'amount passed',
      'chain passed',
      'script unchecked',
      'order unchecked',
      'secret unchecked',
      'timelock unchecked',
      'refund unchecked',
    ]);
    deal.deposit.amount++;
    deal.deposit.address = ADDRESSES['P2PKH, main'];
    expect(failed(await check(deal))).to.deep.equal(['amount', 'chain']);
  });

  it('shows both sides as text for the screen, and says where each is from', async () => {
    const deal = sampleDeal();
    const {address} = deal.deposit;
    deal.deposit.amount = 500_000n;
    deal.deposit.address = ADDRESSES['P2PKH, main'];
    const {results} = await check(deal);
    const line = (name: string, expected: string, found: string, sides: readonly string[]) =>
      ({name, outcome: 'failed', expected, found, sides}) as const;
    expect(results.slice(0, 3)).to.deep.equal([
      line('amount', '0.0005 BTC', '0.005 BTC', ['agreed', 'payment']),
      // Neither address can be copied and paid.
      line('chain', 'Bitcoin Testnet', '1BvBMSEYst…7xJaNVN2', ['agreed', 'payment']),
      line('script', '1BvBMSEYst…7xJaNVN2', `${address.slice(0, 10)}…${address.slice(-8)}`, ['payment', 'order']),
    ]);
  });

  for (const [lie, seen, tell] of LIES) {
    it(`detects ${lie}`, async () => {
      const deal = sampleDeal();
      tell(deal);
      const report = await check(deal);
      expect(doubted(report)).to.deep.equal(seen);
      // Another script than the known one may be a service's own. Nobody is asked about anything else.
      expect(report.outcome).to.equal(OTHER_SCRIPTS.includes(lie) ? 'unverified' : 'failed');
      deal.policy.unverified = 'stop';
      expect((await check(deal)).outcome).to.equal('failed');
      // It may be asked about, or stopped: nobody can copy and pay what a result says.
      const addresses: readonly unknown[] = [deal.deposit.address, deal.order.source?.swapId];
      for (const address of addresses) {
        if (typeof address !== 'string' || address.length < 20) continue;
        expect(JSON.stringify(report.results)).not.to.include(address);
      }
    });
  }

  it('takes a key in place of an address if that follows from it, asks about one from which none follows', async () => {
    const full = secp256k1.Point.BASE.multiply(7n).toBytes(true);
    const xOnly = full.slice(1);
    const texts = [bytesToHex(full), bytesToHex(xOnly), `0x${bytesToHex(full).toUpperCase()}`];
    const own = [
      p2wpkh(full, TEST_NETWORK),
      p2tr(xOnly, undefined, TEST_NETWORK),
      p2pkh(full, TEST_NETWORK),
      p2sh(p2wpkh(full, TEST_NETWORK), TEST_NETWORK),
    ];
    for (const [at, {address}] of own.entries()) {
      for (const key of texts) {
        const deal = sampleDeal();
        deal.agreed.owner = address!;
        deal.order.source.initiator = key;
        expect(doubted(await check(deal)), `${String(at)} ${key}`).to.deep.equal([]);
        deal.order.source.initiator = OTHER_KEY;
        // A P2SH may be of any script.
        expect(doubted(await check(deal)), `${String(at)} other`).to.deep.equal(['refund']);
        expect(failed(await check(deal))).to.deep.equal(at === 3 ? [] : ['refund']);
      }
    }
    const deal = sampleDeal();
    deal.agreed.owner = ADDRESSES['P2WSH, test'];
    deal.order.source.initiator = OTHER_KEY;
    expect(unverified(await check(deal))).to.deep.equal(['refund']);
    deal.order.source.initiator = bytesToHex(full);
    expect(unverified(await check(deal))).to.deep.equal(['refund']);
    // What is no point is no key.
    deal.order.source.initiator = 'ff'.repeat(32);
    expect(failed(await check(deal))).to.deep.equal(['refund']);
  });

  for (const [wreck, make] of WRECKS) {
    it(`fails, and does not throw, on ${wreck}`, async () => {
      const deal = sampleDeal();
      make(deal);
      expect((await check(deal)).outcome).to.equal('failed');
    });
  }

  it('stops at another script where the partner names redeemers: it may have any', async () => {
    const deal = sampleDeal();
    const {source} = deal.order;
    Object.assign(deal.policy, {redeemers: {[deal.agreed.from.id]: [source.redeemer]}});
    expect(failed(await check(deal))).to.deep.equal([]);
    Reflect.deleteProperty(source, 'delegate');
    expect(failed(await check(deal))).to.include('redeemer');
  });

  it('asks about the order of timelocks in another script, whose unit it does not know', async () => {
    const deal = sampleDeal();
    unpay(deal);
    deal.order.destination.timelock = 144 * 300 + 1;
    expect(failed(await check(deal))).to.deep.equal(['timelock']);
    deal.order.source.redeemer = OTHER_KEY;
    expect(unverified(await check(deal))).to.deep.equal(['script', 'timelock']);
    expect(failed(await check(deal))).to.deep.equal([]);
  });

  it('takes no key in place of a recipient on another chain', async () => {
    // As base58, these begin like a P2SH.
    for (const recipient of ['2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF', '3'.repeat(44)]) {
      const deal = sampleDeal();
      deal.agreed.recipient = recipient;
      deal.agreed.to = {...deal.agreed.to, chain: {...deal.agreed.to.chain, family: 'solana'}};
      deal.order.destination.redeemer = OTHER_KEY;
      expect(failed(await check(deal))).to.deep.equal(['order']);
    }
  });

  it('treats an address in capitals as equal', async () => {
    const deal = sampleDeal();
    deal.deposit.address = deal.deposit.address.toUpperCase();
    deal.order.source.initiator = deal.order.source.initiator.toUpperCase();
    deal.order.destination.redeemer = deal.order.destination.redeemer.toLowerCase();
    expect(failed(await check(deal))).to.deep.equal([]);
  });
});
