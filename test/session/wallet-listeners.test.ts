/** A widget's listeners on its wallets, on the page and removed, with wallets of every kind. */
import {expect} from '../support/expect.js';
import {PublicKey} from '@solana/web3.js';
import type {ChainAdapter, Wallet} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {SwapError} from '../../src/domain/error.js';
import {OwnProvider, StandardProvider} from '../support/bitcoin-providers.js';
import {STRANGER} from '../support/evm-deal.js';
import * as evm from '../support/evm-ledger.js';
import {createWorld, later, openSession, settle, type TestPage, DEPOSIT} from '../support/session.js';
import {KeyAdapter} from '../support/solana-adapter.js';
import * as solana from '../support/solana-ledger.js';
import * as starknet from '../support/starknet-ledger.js';
import {OTHER_WBTC, PAYER, WBTC} from '../support/swap.js';
import {fundingIn} from '../support/shown.js';

/** A wallet as a page has it, its number of listeners, and a way to change to another account or to none. */
interface Kind {
  readonly family: ChainFamily;
  readonly adapter: ChainAdapter;
  readonly given: unknown;
  readonly listening: () => number;
  readonly change: (to: 'other' | 'none') => void;
}

const CONTRACT = '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50';
const COINS = ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'tb1q0ht9tyks4vh7p5p904t340cr9nvahy7um9zdem'];

const KINDS: Readonly<Record<string, () => Kind>> = {
  'on an EVM chain'() {
    const wallet = new evm.LedgerWallet({chainId: 1, token: CONTRACT, contract: CONTRACT, balance: 0n});
    return {
      family: 'evm',
      adapter: createEvmAdapter(),
      given: wallet,
      listening: () => wallet.listening,
      change: to => (wallet.accounts = to === 'other' ? [STRANGER] : []),
    };
  },
  'of the Wallet Standard, on Solana'() {
    const wallet = new solana.LedgerWallet(new solana.SolanaLedger());
    return {
      family: 'solana',
      adapter: createSolanaAdapter(),
      given: wallet.standard,
      listening: () => wallet.listening,
      change(to) {
        wallet.keys = to === 'other' ? [solana.OTHER_KEY] : [];
        wallet.instead.set('connect', () => undefined);
      },
    };
  },
  'from wallet-adapter'() {
    const wallet = new KeyAdapter();
    return {
      family: 'solana',
      adapter: createSolanaAdapter(),
      given: wallet,
      listening: () => wallet.listenerCount('connect') + wallet.listenerCount('disconnect'),
      change: to => (wallet.publicKey = to === 'other' ? new PublicKey(solana.STRANGER) : null),
    };
  },
  'of Bitcoin, as sats-connect knows it'() {
    const answer = (address: string | undefined) => ({addresses: address ? [{address, purpose: 'payment'}] : []});
    const wallet = new StandardProvider({wallet_connect: answer(COINS[0]), wallet_getAccount: answer(COINS[0])});
    return {
      family: 'bitcoin',
      adapter: createBitcoinAdapter(),
      given: wallet,
      listening: () => wallet.listeners.size,
      change: to => (wallet.answers['wallet_getAccount'] = answer(to === 'other' ? COINS[1] : undefined)),
    };
  },
  'of Bitcoin, with methods of its own'() {
    const wallet = new OwnProvider([COINS[0]!], 'testnet4', () => undefined);
    return {
      family: 'bitcoin',
      adapter: createBitcoinAdapter(),
      given: wallet,
      listening: () => [...wallet.listeners.values()].reduce((sum, {size}) => sum + size, 0),
      change: to => (wallet.accounts = to === 'other' ? [COINS[1]!] : []),
    };
  },
  'on Starknet'() {
    const ledger = new starknet.StarknetLedger({token: CONTRACT, contract: CONTRACT, balance: 0n});
    return {
      family: 'starknet',
      adapter: createStarknetAdapter(),
      given: ledger,
      listening: () => ledger.listening,
      change: to => (ledger.accounts = to === 'other' ? [starknet.STRANGER] : []),
    };
  },
};

const addressOf = ({session}: TestPage, family: ChainFamily) => session.$wallets.get().accounts[family]?.address;

async function open({family, adapter, given}: Kind) {
  const page = await openSession({bare: true});
  const wallet = await adapter.wallets.walletOf!(given);
  expect(await page.session.connect(wallet)).to.equal(true);
  return {page, first: addressOf(page, family)};
}

for (const [what, make] of Object.entries(KINDS)) {
  describe(`a wallet ${what}`, () => {
    it('has listeners only while the widget is on the page', async () => {
      const kind = make();
      const {page, first} = await open(kind);
      const all = kind.listening();
      expect(all).to.be.above(0);
      for (let turn = 0; turn < 3; turn++) {
        page.remove();
        expect(kind.listening()).to.equal(0);
        page.remove = page.session.start();
        expect(kind.listening()).to.equal(all);
        await settle();
        expect(kind.listening()).to.equal(all);
        expect(addressOf(page, kind.family)).to.equal(first);
      }
      page.session.disconnect(kind.family);
      expect(kind.listening()).to.equal(0);
    });

    for (const to of ['other', 'none'] as const) {
      it(`that changed to ${to === 'other' ? 'another account' : 'none'} meanwhile is up to date when the widget is back`, async () => {
        const kind = make();
        const {page, first} = await open(kind);
        const all = kind.listening();
        page.remove();
        kind.change(to);
        page.remove = page.session.start();
        await settle();
        if (to === 'none') expect(addressOf(page, kind.family)).to.equal(undefined);
        else expect(addressOf(page, kind.family)).to.be.a('string').and.not.equal(first);
        expect(kind.listening()).to.equal(to === 'none' ? 0 : all);
      });
    }
  });
}

describe('a wallet on another network', () => {
  it('is no longer reported there once it emits a change of its chain', async () => {
    const wallet = new evm.LedgerWallet({chainId: 1, token: CONTRACT, contract: CONTRACT, balance: 0n});
    const world = createWorld(DEPOSIT, {move: () => Promise.reject(new SwapError('wrong-network', {field: 'chain'}))});
    const page = await openSession({bare: true, world});
    await page.session.connect(await createEvmAdapter().wallets.walletOf!(wallet));
    page.session.edit({from: WBTC.id, to: OTHER_WBTC.id});
    await page.order();
    const shown = () => {
      const {error, move} = fundingIn(page.session);
      return [error?.code, move];
    };
    expect(shown()).to.deep.equal(['wrong-network', 'wanted']);
    wallet.emit('chainChanged', '0x14a34');
    expect(shown()).to.deep.equal([undefined, undefined]);
    world.move = undefined;
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate sent']);
  });
});

describe('a widget that was removed from the page', () => {
  const counting = () => {
    const world = createWorld();
    const listening = new Set<AbortSignal>();
    const answer = later();
    const wallet: Wallet = {
      ...world.knownWallet,
      async connect({silent = false} = {}) {
        if (!silent) await answer.promise;
        return {
          family: 'evm',
          address: PAYER,
          wallet,
          watch(_, signal) {
            listening.add(signal);
            signal.addEventListener('abort', () => listening.delete(signal));
          },
        };
      },
    };
    return {world, wallet, listening, answer};
  };

  it('does not listen to a wallet that connects meanwhile, until it is back', async () => {
    const {world, wallet, listening, answer} = counting();
    const page = await openSession({bare: true, world});
    const connecting = page.session.connect(wallet);
    await settle();
    page.remove();
    answer.keep();
    expect(await connecting).to.equal(true);
    expect([addressOf(page, 'evm'), listening.size]).to.deep.equal([PAYER, 0]);
    page.session.start();
    expect(listening.size).to.equal(1);
  });

  it('listens once if it was started twice, until both have stopped', async () => {
    const {world, wallet, listening, answer} = counting();
    answer.keep();
    const page = await openSession({bare: true, world});
    const stop = page.session.start();
    await page.session.connect(wallet);
    expect(listening.size).to.equal(1);
    page.remove();
    expect(listening.size).to.equal(1);
    stop();
    expect(listening.size).to.equal(0);
  });

  it('looks for the wallet of the last visit only once it is back', async () => {
    const {world, wallet, answer} = counting();
    answer.keep();
    const looking = new Set<AbortSignal>();
    let announce: ((wallet: Wallet) => void) | undefined;
    world.adapter.wallets.discover = (found, {signal}) => {
      announce = found;
      looking.add(signal);
      signal.addEventListener('abort', () => looking.delete(signal));
    };
    const first = await openSession({bare: true, world});
    await first.session.connect(wallet);
    const page = await first.reload();
    expect(looking.size).to.equal(1);
    page.remove();
    expect([looking.size, page.host.waits], 'removed').to.deep.equal([0, 0]);
    await settle(page.session.start());
    expect(looking.size).to.equal(1);
    announce?.(wallet);
    await settle();
    expect([addressOf(page, 'evm'), looking.size]).to.deep.equal([PAYER, 0]);
  });

  it('keeps the account of a wallet that does not respond when it is back', async () => {
    const {world, wallet, answer} = counting();
    answer.keep();
    const page = await openSession({bare: true, world});
    let isMute = false;
    const mute: Wallet = {
      ...wallet,
      connect: options => (isMute ? Promise.reject(new Error('no answer')) : wallet.connect(options)),
    };
    await page.session.connect({...mute, connect: async options => ({...(await mute.connect(options)), wallet: mute})});
    isMute = true;
    page.remove();
    await settle(page.session.start());
    expect(addressOf(page, 'evm')).to.equal(PAYER);
  });
});
