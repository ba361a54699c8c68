import {expect} from '../support/expect.js';
import type {AssetId} from '../../src/domain/asset.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {NOWHERE, type Draft} from '../../src/domain/draft.js';
import {
  addressIn,
  addressProblem,
  ownerOf,
  recipientOf,
  tidyDraft,
  type AddressContext,
} from '../../src/domain/address.js';

const ADDRESS = '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd';
const OTHER = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';

describe('an address pasted as a link', () => {
  const bitcoin = {name: 'bitcoin', family: 'bitcoin', test: false} as const;
  const testnet = {name: 'bitcoin_testnet', family: 'bitcoin', test: true} as const;
  const base = {name: 'base', family: 'evm', chainId: 8453, test: false} as const;
  const solana = {name: 'solana', family: 'solana', test: false} as const;
  const links: readonly [text: string, chain: Parameters<typeof addressIn>[1], read: string][] = [
    ['bitcoin:bc1qexample', bitcoin, 'bc1qexample'],
    ['BITCOIN:BC1QEXAMPLE?amount=0.1&label=You', bitcoin, 'BC1QEXAMPLE'],
    [` ethereum:${ADDRESS} `, base, ADDRESS],
    [`ethereum:pay-${ADDRESS}@8453?value=1e18`, base, ADDRESS],
    ['solana:BXR1example?amount=1', solana, 'BXR1example'],
    [` ${ADDRESS}\n`, base, ADDRESS],
    ['bitcoin:?lno=lno1example&BC=BC1QEXAMPLE', bitcoin, 'BC1QEXAMPLE'],
    ['bitcoin:?bc=bc1qexample&tb=tb1qexample', testnet, 'tb1qexample'],
    [`eip155:8453:${ADDRESS}`, base, ADDRESS],
    ['bip122:000000000019d6689c085ae165831e93:bc1qexample', bitcoin, 'bc1qexample'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:BXR1example', solana, 'BXR1example'],
  ];
  for (const [text, chain, read] of links) {
    it(`“${text.trim()}” becomes the address in it`, () => {
      expect(addressIn(text, chain)).to.equal(read);
    });
  }

  const others: readonly [why: string, text: string, chain: Parameters<typeof addressIn>[1]][] = [
    ['another chain', `ethereum:${ADDRESS}@1`, base],
    ['another family', 'bitcoin:bc1qexample', base],
    ['a contract call', `ethereum:${ADDRESS}@8453/transfer?address=${OTHER}&uint256=1`, base],
    ['an unknown required parameter', 'bitcoin:bc1qexample?amount=1&req-future=1', bitcoin],
    ['a page', 'solana:https%3A%2F%2Fshop.example', solana],
    ['an unknown scheme', `pay:${ADDRESS}`, base],
    ['an account on another chain', `eip155:1:${ADDRESS}`, base],
    ['an account on a test network', 'bip122:00000000da84f2bafbbc53dee25a72ae:tb1qexample', bitcoin],
    ['no address on this network', 'bitcoin:?tb=tb1qexample', bitcoin],
  ];
  for (const [why, text, chain] of others) {
    it(`for ${why} is not unwrapped, and so is not an address`, () => {
      expect(addressIn(text, chain)).to.equal(text);
    });
  }
});

describe('a link to pay', () => {
  const token = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const catalogue = createCatalogue({
    known: ALL_KNOWN,
    assets: ['base:usdc', 'ethereum:eth', 'bitcoin:btc', 'solana:sol', {id: 'solana:usdc', decimals: 6, token}],
  });
  const read = (to: AssetId, recipient: string) => {
    const draft = {from: 'base:usdc', to, amount: '7', receive: '', recipient, refundAddress: ''} as const;
    const {amount, receive, recipient: address} = tidyDraft(draft, catalogue);
    return {amount, receive, address};
  };

  it('sets the amount to receive, in the receiving asset', () => {
    expect(read('bitcoin:btc', 'bitcoin:bc1qexample?label=You&amount=0.015')).to.deep.equal({
      amount: '',
      receive: '0.015',
      address: 'bc1qexample',
    });
    expect(read('solana:usdc', `solana:BXR1example?amount=25&spl-token=${token}`)).to.deep.equal({
      amount: '',
      receive: '25',
      address: 'BXR1example',
    });
  });

  it('sets no amount for another asset or none, or if the amount is locked', () => {
    for (const [to, link] of [
      ['solana:usdc', 'solana:X?amount=25'],
      ['solana:sol', `solana:X?amount=25&spl-token=${token}`],
      ['bitcoin:btc', 'bitcoin:X?amount=0.0'],
      ['bitcoin:btc', 'bitcoin:X?amount=1e3'],
      ['ethereum:eth', 'ethereum:X?amount=1'],
    ] as const) {
      expect(read(to, link), link).to.deep.equal({amount: '7', receive: '', address: 'X'});
    }
    const draft = {from: 'base:usdc', to: 'bitcoin:btc', amount: '7', receive: '', refundAddress: ''} as const;
    const locked = tidyDraft({...draft, recipient: 'bitcoin:X?amount=1'}, catalogue, ['amount', 'receive']);
    expect(locked).to.include({amount: '7', receive: '', recipient: 'X'});
  });
});

describe('the addresses of a draft', () => {
  const catalogue = createCatalogue({known: ALL_KNOWN, assets: ['bitcoin:btc', 'base:usdc']});
  const [from, to] = [catalogue.find('bitcoin:btc')!, catalogue.find('base:usdc')!];
  const draft: Draft = {from: from.id, to: to.id, amount: '1', receive: '', recipient: '', refundAddress: ''};
  const evm = {
    addresses: {
      isAddress: (_: unknown, text: string) => /^0x[0-9a-f]{40}$/i.test(text),
      isSameAddress: (one: string, other: string) => one.toLowerCase() === other.toLowerCase(),
    },
  };
  const bitcoin = {
    addresses: {
      isAddress: ({test}: {readonly test: boolean}, text: string) => text.startsWith(test ? 'tb1' : 'bc1'),
      isSameAddress: Object.is,
    },
  };
  const around: AddressContext = {
    catalogue,
    prefill: {},
    accounts: {},
    loaded: {evm, bitcoin},
    isConfirmed: () => false,
  };
  const problem = (change: Partial<Draft>, more: Partial<AddressContext> = {}) => {
    const found = addressProblem({from, to}, {...draft, ...change}, {...around, ...more});
    return found && `${found.field} ${found.code}`;
  };

  it('are normalized by their own chains', () => {
    const typed = {
      ...draft,
      amount: '1 000',
      receive: '',
      recipient: `ethereum:${ADDRESS}`,
      refundAddress: 'bitcoin:bc1qmine',
    };
    const read = {...draft, amount: '1000', receive: '', recipient: ADDRESS, refundAddress: 'bc1qmine'};
    expect(tidyDraft(typed, catalogue)).to.deep.equal(read);
    expect(tidyDraft(read, catalogue)).to.deep.equal(read);
  });

  it('stay empty once cleared, even with a wallet connected', () => {
    const accounts = {evm: {address: ADDRESS}, bitcoin: {address: 'bc1qmine'}};
    expect(recipientOf(draft, accounts, catalogue)).to.equal(ADDRESS);
    expect(ownerOf(draft, accounts, catalogue)).to.equal('bc1qmine');
    const emptied = tidyDraft({...draft, recipient: NOWHERE, refundAddress: NOWHERE}, catalogue);
    expect(recipientOf(emptied, accounts, catalogue)).to.equal('');
    expect(ownerOf(emptied, accounts, catalogue)).to.equal('');
    expect(problem(emptied, {accounts})).to.equal(undefined);
  });

  it('wait for the code of their family', () => {
    expect(problem({recipient: ADDRESS}, {loaded: {bitcoin}})).to.equal('recipient checking-address');
  });

  it('must not be a contract known on their chain, offered here or not, in any letter case', () => {
    expect(problem({recipient: to.token!.toLowerCase()})).to.equal('recipient a-contract');
    expect(problem({recipient: to.contracts[0]!})).to.equal('recipient a-contract');
    const cbbtc = ALL_KNOWN.assets.find(({id}) => id === 'base:cbbtc');
    expect(problem({recipient: cbbtc!.token!})).to.equal('recipient a-contract');
    // The same text on another chain may be anybody's address.
    const wbtc = ALL_KNOWN.assets.find(({id}) => id === 'ethereum:wbtc');
    expect(problem({recipient: wbtc!.token!})).to.equal(undefined);
  });

  it('on another network are rejected, and that network is named', () => {
    const request = {from, to, amount: 1n, affiliateFees: []};
    const network = (change: Partial<Draft>) => {
      const found = addressProblem(request, {...draft, ...change}, around);
      return found?.code === 'not-an-address' ? found.network : found;
    };
    expect(network({refundAddress: 'tb1qmine'})).to.equal('Bitcoin Testnet');
    expect(network({refundAddress: 'mine'})).to.equal(undefined);
    expect(network({recipient: 'tb1qmine'})).to.equal('Bitcoin Testnet');
    expect(network({recipient: 'bc1qmine'})).to.equal('Bitcoin');
    expect(network({refundAddress: ADDRESS}), 'of the pair').to.equal(to.chain.title);
    expect(network({recipient: 'mine'})).to.equal(undefined);
  });

  it('on another network are recognized before its code is loaded, by their form', () => {
    const request = {from: to, to, amount: 1n, affiliateFees: []};
    const {bitcoin: _notLoaded, ...loaded} = around.loaded;
    const network = (recipient: string) => {
      const found = addressProblem(request, {...draft, recipient, refundAddress: ''}, {...around, loaded});
      return found?.code === 'not-an-address' ? found.network : found;
    };
    for (const [text, title] of [
      ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'Bitcoin'],
      ['BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ', 'Bitcoin'],
      ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'Bitcoin'],
      ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Bitcoin Testnet'],
      ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'Bitcoin Testnet'],
      ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'Solana'],
      ['0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7', 'Starknet'],
      // A transaction hash, a truncated address, a name.
      [`0x${'a'.repeat(64)}`, undefined],
      ['bc1qar0srrr7x', undefined],
      ['somebody', undefined],
    ] as const) {
      expect(network(text), text).to.equal(title);
    }
  });

  it('need confirmation if the page or a link filled them in', () => {
    const prefill = {recipient: `ethereum:${ADDRESS}`};
    expect(problem({recipient: ADDRESS}, {prefill})).to.equal('recipient confirm-recipient');
    expect(problem({recipient: OTHER}, {prefill})).to.equal(undefined);
    expect(
      problem(
        {recipient: ADDRESS},
        {prefill, isConfirmed: (field, address) => field === 'recipient' && address === ADDRESS},
      ),
    ).to.equal(undefined);
    expect(problem({refundAddress: 'bc1q'}, {prefill: {refundAddress: 'bc1q'}})).to.equal(
      'refundAddress confirm-refund',
    );
  });

  it('need confirmation if they differ from the connected wallet’s of that family', () => {
    const accounts = {evm: {address: OTHER}};
    expect(problem({recipient: ADDRESS}, {accounts})).to.equal('recipient confirm-recipient');
    expect(problem({recipient: OTHER.toLowerCase()}, {accounts})).to.equal(undefined);
    expect(problem({recipient: ADDRESS}, {accounts: {bitcoin: {address: 'bc1q'}}})).to.equal(undefined);
    // A refund may go to any address that the person enters.
    expect(problem({refundAddress: 'bc1qmine'}, {accounts: {bitcoin: {address: 'bc1q'}}})).to.equal(undefined);
  });

  it('are fixed before they are confirmed', () => {
    const prefill = {refundAddress: 'bc1q'};
    expect(problem({refundAddress: 'bc1q', recipient: 'me'}, {prefill})).to.equal('recipient not-an-address');
    expect(problem({refundAddress: 'me', recipient: ADDRESS})).to.equal('refundAddress not-an-address');
  });
});
