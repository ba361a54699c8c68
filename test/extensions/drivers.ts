/** The wallets whose screens are known, in the tested versions (demo/docs/wallets.md). */
import {ARGENT_REVIEWS, LEATHER_COINS} from './back-ends.js';
import type {Driver} from './driver.js';

/** Argent X 5.23.0. */
const ARGENT_X: Driver = {
  manifest: /^Argent X\b/,
  name: 'Argent X',
  families: ['starknet'],
  setUp: [
    {open: 'index.html'},
    {press: 'Create a new wallet'},
    {press: 'No thanks', ifAny: true},
    {write: '{password}', into: 'password'},
    {write: '{password}', into: 'repeatPassword'},
    {press: 'Continue'},
    {press: 'Standard Account'},
    {press: 'Continue'},
    {see: /ready!/},
  ],
  approve: ['Connect', 'Sign', 'Confirm'],
  refuse: ['Reject', 'Cancel'],
  lock: [
    {open: 'index.html'},
    {press: 'Show settings'},
    {press: 'Lock wallet'},
    {see: 'Unlock your wallet to continue'},
  ],
  unlock: [{write: '{password}', into: 'password'}, {press: 'Unlock'}],
  account: [
    {open: 'index.html'},
    {press: 'Show account list'},
    {press: 'Add account'},
    {press: 'Standard Account'},
    {press: 'Continue'},
    {see: 'Add account'},
  ],
  balanceKept: 60,
  nodes: {'https://cloud.argent-api.com/v1/starknet/sepolia/rpc/v0.7': 'starknet_sepolia/rpc/v0_7'},
  backEnds: {'https://cloud.argent-api.com/v1/reviewer': ARGENT_REVIEWS},
};

/** Backpack 0.10.30. */
const BACKPACK: Driver = {
  manifest: /^Backpack\b/,
  name: 'Backpack',
  families: ['solana'],
  setUp: [
    {open: 'options.html?onboarding=true'},
    {press: 'Create a new wallet'},
    {press: 'Skip'},
    {press: /^I understand/},
    {press: 'Next'},
    {press: 'I saved my secret recovery phrase'},
    {press: 'Next'},
    {press: 'Solana'},
    {write: '{password}', into: 'Password'},
    {write: '{password}', into: 'Confirm Password'},
    {press: /^I agree to the/},
    {press: 'Next'},
    {see: /all good!$/},
  ],
  approve: ['Approve', 'Ignore and proceed anyway.'],
  refuse: ['Deny', 'Close'],
  lock: [{open: 'popup.html'}, {press: 'A1'}, {press: 'Lock'}, {see: 'Unlock'}],
  unlock: [{write: '{password}', into: 'password'}, {press: 'Unlock'}],
  account: [
    {open: 'popup.html'},
    {press: 'Wallet 1'},
    {press: 'Add'},
    {press: 'Create a new wallet'},
    {press: 'View Balances'},
  ],
  nodes: {'https://swr.xnftdata.com/rpc-proxy/': 'solana_testnet'},
};

/** Leather 6.73.4. */
const LEATHER: Driver = {
  manifest: /^Leather\b/,
  name: 'Leather',
  families: ['bitcoin'],
  setUp: [
    {open: 'index.html'},
    {press: 'Deny', ifAny: true},
    {press: 'sign-in-link'},
    ...Array.from({length: 12}, (_, index) => ({
      write: `{word ${String(index + 1)}}`,
      into: `mnemonic-input-${String(index + 1)}`,
    })),
    {press: 'sign-in-btn'},
    {write: '{password}', into: 'set-or-enter-password-input'},
    {press: 'set-password-btn'},
    {see: /^Assets$/},
  ],
  approve: ['Connect Leather', 'Confirm', 'Continue', 'Approve', 'Connect', /^Confirm and send/],
  refuse: ['Cancel', 'Deny', 'Reject'],
  lock: [
    {open: 'index.html'},
    {press: 'settings-menu-trigger'},
    {press: 'settings-lock'},
    {see: 'Enter your password'},
  ],
  unlock: [{write: '{password}', into: 'password-input'}, {press: 'unlock-wallet-btn'}],
  account: [{open: 'index.html'}, {press: 'Account 1'}, {press: 'create-account-btn'}, {see: /^Account 2$/}],
  coinsKept: 185,
  nodes: {
    'https://leather.mempool.space/testnet4/api': 'bitcoin_testnet',
    'https://mempool.space/testnet4/api': 'bitcoin_testnet',
  },
  backEnds: {'https://staging.api.leather.io/v1': LEATHER_COINS, 'https://api.leather.io/v1': LEATHER_COINS},
};

/** MetaMask 13.5.0, built without LavaMoat. */
const METAMASK: Driver = {
  manifest: /^MetaMask\b/,
  name: 'MetaMask',
  families: ['evm'],
  setUp: [
    {open: 'home.html'},
    {see: "Let's get started!"},
    {open: 'home.html'}, // Instead of the one that it opens itself, late.
    {press: 'onboarding-create-wallet'},
    {press: 'onboarding-create-with-srp-button', ifAny: true},
    {write: '{password}', into: 'create-password-new-input'},
    {write: '{password}', into: 'create-password-confirm-input'},
    {press: 'create-password-terms'},
    {press: 'create-password-submit'},
    {press: 'secure-wallet-later'},
    {press: 'skip-srp-backup-checkbox'},
    {press: 'skip-srp-backup-button'},
    {press: 'metametrics-i-agree'},
    {press: 'onboarding-complete-done'},
    {press: 'download-app-continue'},
    {press: 'pin-extension-done'},
    {see: 'Tokens'},
  ],
  approve: ['Connect', 'Approve', 'Confirm'],
  refuse: ['Cancel', 'Reject'],
  lock: [{open: 'home.html#lock'}, {see: 'Welcome back'}],
  unlock: [{write: '{password}', into: 'unlock-password'}, {press: 'unlock-submit'}],
  // Its screens are covered until the chain that it starts with answers.
  nodes: {'https://mainnet.infura.io/v3/': 'ethereum_sepolia?key='},
};

/** Taho 0.66.0. */
const TAHO: Driver = {
  manifest: /^Taho\b/,
  name: 'Taho',
  families: ['evm'],
  setUp: [
    {open: 'tab.html#/onboarding'},
    {press: 'Use existing wallet'},
    {press: 'Import recovery phrase'},
    {write: '{password}', into: 'password'},
    {write: '{password}', into: 'confirm_password'},
    {press: 'Begin the hunt'},
    {write: '{words}', into: 'textbox'},
    {press: 'Import account'},
    {see: /^(Welcome to Taho|Account added to Taho!)$/},
  ],
  approve: ['Connect', 'Sign', 'Confirm', 'Add network', 'Add Network', 'Approve', 'Save', 'Continue'],
  refuse: ['Reject', 'Cancel', 'Close'],
  lock: [
    {open: 'popup.html'},
    {press: 'top_menu_profile_button'},
    {press: 'Lock signing'},
    {see: /^(Signing locked|Unlock signing)$/},
  ],
  // Only signing is locked: the prompt still appears, and then requires the password.
  unlock: [{press: 'Sign'}, {write: '{password}', into: 'password'}, {press: /^Unlock/}],
};

export const DRIVERS: readonly Driver[] = [ARGENT_X, BACKPACK, LEATHER, METAMASK, TAHO];
