/** Every state once: what it says, that it is accessible, and that it fits. */
import {expect} from '@open-wc/testing';
import {setViewport} from '@web/test-runner-commands';
import type {FakeSessionWidget} from '../support/fake-session.js';
import {layoutFaults} from '../support/layout.js';
import {waitUntil, type WidgetPage} from '../support/page.js';
import {show} from '../support/show.js';
import {CHOICES, STATES} from '../support/states.js';

/** A text that each state must show. */
const SAYS: Readonly<Record<keyof typeof STATES, string>> = {
  'form-empty': 'Choose what to receive',
  'form-no-amount': 'Enter an amount',
  'form-quoting-slow': 'This is taking longer than usual. Cancel',
  'form-quoting': 'Getting a price',
  'form-quoted': 'New price in 0:24',
  'form-not-connected': 'No wallet connected',
  'form-several-quotes': '3 quotes',
  'form-not-enough': 'Not enough WBTC: you have 0.4218.',
  'form-nothing-there': 'You don’t have enough',
  'form-receive': '1 WBTC = 0.994013 WBTC',
  'form-receive-raised': 'To receive 0.0994 WBTC, you now pay 0.1 WBTC instead of 0.0995 WBTC.',
  'form-receive-unclear': 'Do you mean 1,500 or 1.5?',
  'form-receive-looked-for': 'Calculating the amount',
  'form-offline': 'You’re offline. The price will be back as soon as you’re online again.',
  'form-offline-at-first': 'No price right now',
  'form-cost-high': 'This swap costs $560.00, 8.60% of what you pay.',
  'form-partner-fee': 'Including a site fee of 0.30%',
  'form-too-many-decimals': 'WBTC has at most 8 decimals',
  'form-not-an-address': 'Not an address on Ethereum Sepolia. Check every character.',
  'form-transfer': 'Refund address Connect Your own wallet, not an exchange account',
  'form-two-coins': '1 BTC = 64,734 USDC',
  'form-refund-empty': 'Enter a refund address',
  'form-refund-bad': 'Refund address Connect Not an address on Bitcoin Testnet. Check every character.',
  'form-refund-of-other-network': 'This is an address on Bitcoin, not on Bitcoin Testnet.',
  'form-wallet-on-other-network': 'Your wallet is on Bitcoin. Switch it to Bitcoin Testnet, then connect it again.',
  'form-refund-confirm': 'Filled in by this site. Is it yours?',
  'form-amount-unclear': 'Do you mean 1,000 or 1? Use 1,000 WBTC Use 1 WBTC',
  'form-fee-kept': '0.0002 ETH is kept for the network fee.',
  'form-fee-missing': 'Keep 0.0002 ETH for the network fee.',
  'form-a-contract': 'This is a contract: anything sent to it is lost',
  'form-recipient-given': 'Filled in by this site. Should your money go there?',
  'form-recipient-other': 'This isn’t your connected wallet. Should your money go there?',
  'form-recipient-lookalike':
    'This only looks like an address you used before. This isn’t your connected wallet. Should your money go there?',
  'form-refund-lookalike': 'Scammers create such addresses. You used: tb1q',
  'form-smart-account':
    'Your account on Base Sepolia is a smart account. Do you control this address on Ethereum Sepolia too?',
  'form-recipient-contract': 'This is a contract, perhaps an exchange’s.',
  'form-recipient-name': 'alice.eth points to this address on Ethereum Sepolia. Should your money go there?',
  'form-name-without-address': 'alice.eth has no address on Ethereum Sepolia. Enter the address itself.',
  'form-name-unread': 'Ethereum gave no clear answer for alice.eth.',
  'form-usual-amounts': 'Usually between 0.0005 and 0.09 WBTC.',
  'form-estimate': 'Time about 19 min',
  'form-service-error': 'The swap service isn’t answering. Trying again in 8 s. No money was sent.',
  'form-amount-range': 'At most 0.05 WBTC per swap',
  'form-amount-refused': 'This amount is too small or too large. Enter another amount.',
  review: 'You receive about 0.0994013 WBTC At least 0.0989043 WBTC (0.50% tolerance) $6,473.42',
  'review-several-quotes': 'Time Usually about 1 min Quote from solver-south one of 3 quotes',
  'review-wallet-asks':
    'Your wallet will ask you 3 times Switch to Base Sepolia Allow 0.1 WBTC Sign with Harbor (free)',
  'review-own-recipient': 'Your wallet will ask you once Confirm in Harbor Receive at 0x71C7…976F',
  'review-lookalike': 'Scammers create such addresses. You used: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'review-wallet-asks-at-once': 'Your wallet will ask you once Allow and pay 0.1 WBTC',
  'review-two-payees': 'Cost $38.98',
  'review-price-moved': 'Before 0.0994013 WBTC Now 0.0990909 WBTC You get 0.31% less',
  'review-estimate': 'Time about 3 h',
  'review-placing-slow': 'Placing your swap This is taking longer than usual.',
  'review-placing': 'Placing your swap',
  'review-refused': 'No money was sent.',
  'review-refused-because':
    'The swap service reported an error. It says: “no solver takes this order at the moment”. No money was sent.',
  'review-live-signature':
    '0.1 WBTC could still be taken for an earlier swap. The swap service has your signature for that payment and 1 other. Open that swap to make the payment yourself, or cancel the permission to spend your WBTC.',
  'review-revoking': 'You declined in your wallet. The permission may still be in place.',
  'review-revoked': 'The permission is canceled. If you continue',
  'deposit-signature-live': 'It could still use what you signed.',
  'checks-failed-signature-live': 'We won’t ask your wallet again.',
  'expired-signature-live': 'Connect a wallet to cancel the permission',
  'review-transfer': 'Refund address tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  'deposit-address':
    'After 2 confirmations, your WBTC is sent to 0x5aAe…eAed. You can close this page: your swap is saved in this browser.',
  'deposit-address-checking': 'Checking the address',
  'deposit-address-unread': 'You’re offline. No money was sent.',
  'deposit-address-offline': 'You’re offline.',
  'deposit-address-partly':
    'The swap service says that 0.004 of 0.01 BTC arrived. Check your wallet first: if it sent the full amount, don’t send any more. Send the remaining 0.006 BTC ',
  'deposit-address-partly-on-chain': '0.004 of 0.01 BTC arrived. Send the remaining 0.006 BTC to the same address by ',
  'deposit-address-denied':
    'The swap service says a payment came. Bitcoin Testnet doesn’t show it. Don’t send less because of that.',
  'deposit-locked-for-days':
    'If the swap fails, you can take your money back in about 24 days or sooner. Priority fee, at most 0.0004 SOL',
  'deposit-address-soon': 'Less than 9 minutes left. A payment that comes later isn’t swapped',
  'deposit-address-last': 'Don’t start a payment now.',
  'deposit-address-gone': 'Pay again only if your wallet says it didn’t go out.',
  'deposit-address-over': 'Don’t send anything to its address any more.',
  'deposit-address-connected': 'Pay with Harbor Open in a wallet app',
  'deposit-address-by-wallet': 'Confirm in Harbor',
  'checks-failed-address': 'The address isn’t shown. Don’t pay for this swap.',
  'deposit-sign': 'Free: the swap service pays the network fee.',
  'deposit-reopened': 'nothing more. Your wallet shows you the network fee.',
  'deposit-reopening': 'Checking the payment Nothing is signed yet',
  'deposit-fees': 'Site fee 0.10% 6.5124 USDC USDC on Base Sepolia to 0x5a2f…91c4',
  'deposit-fees-more': 'The swap service says 0.70% instead of 0.30%.',
  'deposit-address-fees': 'Site fee 0.20% 13.0248 USDC',
  'deposit-send': 'Waiting for Harbor',
  'deposit-offline': 'You’re offline. No money was sent.',
  'deposit-move': 'Switch to Base Sepolia Your wallet is on another network. Switching is free.',
  'deposit-move-refused': 'Your wallet didn’t switch networks. No money was sent. Try again, or cancel this swap.',
  'deposit-moved': 'Waiting for Harbor',
  'deposit-elsewhere': 'Your wallet request is open in another tab Answer there.',
  'deposit-out-of-date': 'The time to pay has run out. No money was sent. Start again with a new price.',
  'deposit-approval-first': 'The swap may take exactly this amount, nothing more.',
  'deposit-after-approval': 'Step 2 of 2',
  'deposit-at-once':
    'Allow and pay 0.1 WBTC One confirmation for both. The swap may take exactly this amount, nothing more.',
  'deposit-rejected': 'You declined in your wallet. No money was sent.',
  'deposit-wallet-failed': 'Your wallet couldn’t do this. No money was sent. Try again, or use another wallet.',
  'deposit-empty':
    'The transaction went through, but nothing was paid. A call inside your account failed, so your money stayed there. You can pay again.',
  'deposit-allowance-used': 'Another swap used the permission, or it changed.',
  'deposit-signature-refused': 'It says: “permit not supported for this token”.',
  'deposit-unsigned':
    'What you would sign is in a format we don’t recognize (version 9), so we won’t ask you to sign it.',
  'deposit-unclear': 'Did you confirm the payment in your wallet?',
  'deposit-unclear-unread': 'Connect the wallet you paid with, and this page will check Base Sepolia.',
  'deposit-unclear-signature': 'Checking Base Sepolia…',
  'deposit-sign-unanswered':
    'Your wallet didn’t give a clear answer. Your signature never left this page, so no money was sent.',
  'deposit-overdue': 'Your payment didn’t arrive The time to pay has run out.',
  'deposit-overdue-unread': 'Nothing came? Take your money back',
  'deposit-overdue-signature': 'Your signature wasn’t used The time to pay has run out',
  'progress-changed': 'The swap service changed this swap after you paid.',
  'journal-full': 'This browser’s storage is full, so 3 finished swaps were removed.',
  'deposit-not-connected': 'Connect a wallet',
  'checks-failed': 'You agreed to 0.1 WBTC In the payment 0.2 WBTC',
  'checks-unverified': 'This payment couldn’t be verified, so this site doesn’t allow it. Your wallet wasn’t asked.',
  'checks-unverified-address':
    'The address isn’t shown. Don’t pay for this swap. We can’t check who can spend from the',
  'checks-unread':
    'The payment couldn’t be checked here. Your wallet wasn’t asked. No money moved. Only the site can fix it',
  'checks-other-allowed': 'This contract has your permission to take your USDC. Cancel the permission',
  question: 'nobody can get it back for you: 0.1 WBTC The contract isn’t one that this site has named.',
  'question-address': 'nobody can get it back for you: 0.01 BTC We can’t check who can spend from the address.',
  'question-transfer': 'nobody can get it back for you: 2.5 SOL The money goes straight to an address.',
  'question-again': '0.1 WBTC can be lost now. A contract that isn’t verified has your permission to take it.',
  'deposit-unverified': 'Once you allow it, 0.1 WBTC can be lost. The contract that may take it isn’t verified.',
  'deposit-unverified-allowed': '0.1 WBTC can be lost now.',
  'deposit-taken': 'The permission was used, but not for this payment. The contract may have taken your money.',
  'deposit-address-unverified': '4 checks passed, 2 not verified',
  'canceled-allowed': 'You canceled this swap. 0.1 WBTC can be lost now.',
  'progress-unverified': 'Reported by the swap service:',
  'refunding-unverified': 'Only the swap service can refund you',
  'complete-unverified': 'According to the swap service.',
  'complete-unverified-receipt': 'Verified before payment Not fully, and you chose to pay',
  'progress-sent': 'Payment sent',
  'progress-deposit-seen': 'Waiting for a block',
  'progress-confirming': '1 of 3 confirmations',
  'progress-in-time': '12 minutes so far Usually 20–30 min',
  'progress-settling': 'Your WBTC is on its way',
  'progress-payout-denied': 'The swap service says you were paid. Ethereum Sepolia doesn’t show it. It counts once',
  'progress-payout-denied-less': 'It shows only 0.005 WBTC, or older money that isn’t from this swap.',
  'progress-disputed':
    'The servers this page asks about Ethereum Sepolia don’t agree. Nothing is decided until two of them agree. This page keeps',
  'progress-taken-back': 'The swap isn’t done after all. Only the swap service said so.',
  'progress-bad-connection': 'You’re offline. This is the last update we have.',
  'progress-moved-back': 'Your payment is no longer in a block.',
  'progress-address-unconfirmed': 'With a low network fee this can take hours',
  'progress-address-confirming': '1 of 2 confirmations',
  'progress-address-reorganised': 'Your payment is no longer in a block.',
  'progress-address-overpaid': 'You sent 0.002 BTC too much. It comes back to your refund address, tb1qw5…jzsx.',
  'complete-overpaid': '0.002 BTC comes back to tb1qw5…jzsx',
  'refunding-late': 'The payment came too late',
  'refunding-too-little': 'You get back at tb1qw5…jzsx 0.004 BTC',
  'refunded-too-little': 'You got back 0.004 BTC',
  canceled: 'You canceled this swap. No money was sent.',
  'canceled-address': 'This page keeps looking. If your payment arrives, the swap goes on.',
  'expired-address': 'Don’t send anything to its address any more.',
  'complete-fees': 'Site fee 0.20% 13.0248 USDC USDC on Ethereum Sepolia to 0x8e01…77ab You received',
  complete: 'You received 0.0994013 WBTC to 0x5aAe…eAed According to the swap service.',
  'complete-untied':
    'Only the swap service says that this is your swap’s money. Ethereum Sepolia shows 0.0994013 WBTC for the recipient',
  'complete-unseen': 'According to the swap service. Ethereum Sepolia New swap Nothing came? Take your money back',
  'complete-asked-again': 'You received 0.0994013 WBTC to 0x5aAe…eAed According to the swap service. Ethereum Sepolia',
  'complete-held':
    'Your payment wasn’t collected. You received 0.0994013 WBTC, but the contract on Base Sepolia still holds what you paid. You can take that back too, until the exchange partner collects it.',
  'complete-to-wallet': 'Add WBTC to Harbor',
  'complete-less': 'Less than agreed. You received 0.08 WBTC instead of at least 0.0989043.',
  'refunding-held': 'Done, says the swap service The contract still holds your money.',
  'refunding-told': 'Refund on its way Reported by the swap service: 0xeeee…eeee',
  'refunded-unseen': 'Nothing came? Take your money back',
  'expired-read': 'No payment arrived by',
  'expired-unseen': 'Nothing came? Take your money back Didn’t send it? Start again',
  'refunded-on-chain': 'You got back 0.1 WBTC to 0x71C7…976F Base Sepolia',
  'complete-no-explorer': 'Payout 0xcccc…cccc',
  'complete-on-chain': 'You received 0.0994013 WBTC $6,473.41 to 0x5aAe…eAed Ethereum Sepolia',
  'form-quotes-compared': '0.099352 WBTC $42.19 (0.65%) Exchange partner 3 You get $3.21 less',
  'complete-receipt': 'Seen on the network Sent 0.1 WBTC, Base Sepolia',
  'refunded-receipt': 'Reported by the swap service Sent 0.1 WBTC, Base Sepolia',
  refunding: 'In 6 minutes you can take your money back.',
  'refund-open': 'Take your money back',
  refunded: 'You got back 0.1 WBTC to 0x71C7…976F According to the swap service.',
  expired: 'Don’t pay for this swap any more. Check your wallet before you start again.',
  stranger: 'This swap wasn’t placed in this browser.',
  'stranger-unpaid': 'Not paid yet',
  'unknown-link': 'No swap found at this link Check that the link is complete',
  reading: 'Loading the swap',
  journal: '120 USDC to 0.00181 WBTC',
  'journal-empty': 'No swaps yet.',
  'journal-many': 'Show 50 more',
  'configuration-error': 'assets: “base_sepolia:doge” has no known decimals.',
  paused: 'New swaps are paused',
  'asset-picker': 'USDT Base Sepolia',
  'asset-picker-many': 'cbBTC Base Coinbase Wrapped BTC',
  'wallet-picker': 'Waiting for Harbor',
  'wallet-picker-none': 'No wallet found in this browser.',
};

/** The widths, sizes of letters and directions in which each state fits. */
const ROOMS = [
  [280, 15, 'ltr'],
  [320, 15, 'rtl'],
  [400, 30, 'ltr'],
  [400, 30, 'rtl'],
] as const;

// In a low window the footer stays in view, over the scrolled content.
before(() => setViewport({width: 800, height: 2400}));
after(() => setViewport({width: 800, height: 600}));

describe('Every state', () => {
  for (const name of [...Object.keys(STATES), ...Object.keys(CHOICES)]) {
    it(`${name} shows its text, is accessible, has at most one primary button, and fits in 280 to 400 pixels`, async () => {
      const page = await show(name);
      await waitUntil(() => page.text.includes(SAYS[name] ?? '?'), `it says: ${page.text}`);
      expect(page.findAll('[part="primary"]').length).to.be.at.most(1);
      // A stage's kept height is set through the CSSOM, which strict pages allow.
      const own = page.findAll('style, [style]:not([style^="--_kept:"])');
      expect(
        own.map(element => element.localName),
        'elements with a style of their own',
      ).to.deep.equal([]);
      await expect(page.widget).to.be.accessible();
      expect(ROOMS.flatMap(room => faultsIn(page, ...room)).join('\n')).to.equal('');
    });
  }
});

/** What is clipped, covered or beside the frame of a widget with this width, size of letters and direction. */
function faultsIn(
  page: WidgetPage<FakeSessionWidget>,
  ...[width, letters, direction]: (typeof ROOMS)[number]
): string[] {
  const {widget} = page;
  const place = widget.parentElement!;
  place.style.inlineSize = `${String(width)}px`;
  place.style.setProperty('--swap-font-size', `${String(letters)}px`);
  place.dir = direction;
  const {left, right} = widget.getBoundingClientRect();
  expect(right - left).to.equal(width);
  const beside = page.findAll('button, p, dd, strong, .amount, .notice, input').flatMap(element => {
    const box = element.getBoundingClientRect();
    const isBeside = box.width > 1 && (box.left < left || box.right > right);
    return isBeside ? `${element.localName}.${element.className} is beside the frame` : [];
  });
  const where = `${String(width)} px, ${String(letters)} px letters, ${direction}`;
  return [...beside, ...layoutFaults(widget)].map(fault => `${where}: ${fault}`);
}
