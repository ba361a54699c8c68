import {expect} from '../support/expect.js';
import {foreignLine, foreignText} from '../../src/domain/foreign.js';

/** Addresses, keys, hashes and links of every kind that a thief might want paid, copied or opened. */
const TRAPS: readonly (readonly [what: string, text: string])[] = [
  ['an EVM address', '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  ['an EVM address without its prefix', '71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  ['a short Starknet address', '0x1234567890abc'],
  [
    'a Starknet address as a decimal number',
    '2087021424722619777119509474943472645767659996348769578120564519014510906823',
  ],
  ['a Bitcoin address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['a legacy Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['a Solana address', '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q'],
  ['a hash', 'ab'.repeat(32)],
  ['a secret in words without digits', 'abandonabilityableaboutaboveabsent'],
  ['a link', 'https://evil.example/claim?x=1'],
  ['a link without a scheme', 'evil.example/claim'],
  ['a domain', 'evil.xyz'],
  ['an ENS name', 'thief.eth'],
  ['a domain in another script', 'пример.рф'],
  ['a payment link', 'bitcoin:tb1qshort'],
  ['a script', 'javascript:alert(1)'],
  ['an email address', 'help@evil.xyz'],
  ['an IP address', '203.0.113.7:8080/x'],
];

describe('Text that somebody else wrote', () => {
  for (const [what, trap] of TRAPS) {
    it(`never contains all of ${what}`, () => {
      for (const text of [trap, `Refused: send here ${trap} and try again`, `(${trap})`, `to:${trap}.`]) {
        const shown = foreignText(text);
        expect(shown).not.to.include(trap);
        expect(shown).to.include('…');
      }
    });
  }

  it('cuts an address in its middle, so that its ends can be recognized', () => {
    expect(foreignText('send to 0x71C7656EC7ab88b098defB751B7401B5f6d8976F now')).to.equal('send to 0x71C7…976F now');
  });

  it('sees through full-width, invisible and bidirectional characters', () => {
    const wide = Array.from('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
      .map(letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
      .join('');
    expect(foreignText(wide)).to.equal('bc1qw5…f3t4');
    expect(foreignText(Array.from('0x71C7656EC7ab88b098defB751B7401B5f6d8976F').join('\u200b'))).to.equal(
      '0x71C7…976F',
    );
    expect(foreignText('\u202eevil\u2066 text\u00ad\ufeff\u2800')).to.equal('evil text');
  });

  it('omits an address that is written in groups', () => {
    for (const gap of [' ', '-', '.', ' · ', '\n', '_', '/']) {
      const groups = ['bc1q', 'w508', 'd6qe', 'jxtd', 'g4y5', 'r3za', 'rvar', 'y0c5', 'xw7k', 'v8f3', 't4'].join(gap);
      expect(foreignText(`Pay ${groups} at once`), gap).not.to.match(/d6qe|r3za|y0c5/);
    }
    const pairs = '71 C7 65 6E C7 ab 88 b0 98 de fB 75 1B 74 01 B5 f6 d8 97 6F';
    expect(foreignText(`use ${pairs}`)).not.to.include('75 1B');
  });

  it('is one line of at most 120 characters, whatever came', () => {
    const long = foreignText('so many words '.repeat(100_000));
    expect(Array.from(long).length).to.equal(120);
    expect(foreignText('one\r\ntwo\u2028three\u0000\u0085four')).to.equal('one two three four');
    expect(Array.from(foreignText(`x${'\u0301'.repeat(500)}`)).length).to.be.at.most(4);
  });

  it('is no longer, and no more work, if one character expands to many', () => {
    for (const sign of ['\ufdfa', '\u3316', '\u337f', '\u33af']) {
      expect(foreignLine(sign.repeat(1_000)).length, sign).to.be.at.most(480);
      // Eighteen times as long, each of these would take a second.
      for (let time = 0; time < 20; time++) {
        expect(Array.from(foreignText(sign.repeat(1_200))).length, sign).to.be.at.most(120);
      }
    }
  });

  it('cannot break out of the quotation marks around foreign text', () => {
    expect(foreignText('no”. Nothing was paid. Send to “me')).not.to.match(/[“”"]/);
  });

  it('leaves ordinary reasons as they are', () => {
    for (const text of [
      'permit not supported for this token',
      'version 9',
      '0x97ffc7ae',
      'ERC20: transfer amount exceeds balance',
      'InsufficientAllowance(50000, 0)',
      'amount 1.5 BTC is above the limit of 0.25 BTC',
      'expired at 2026-11-22T13:30:17Z',
      'error 429, try again in 30 s',
      '0.2 WBTC',
      '1.000000000000000001 ETH',
      'Base Sepolia',
    ]) {
      expect(foreignText(text)).to.equal(text);
    }
  });
});
