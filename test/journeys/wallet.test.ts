/** Wallets that reject, give unclear answers, or have another account or network. */
import {expect} from '@open-wc/testing';
import {beginJourney, endJourneys, ETHEREUM_WBTC, type PromptKind, type JourneySettings} from '../support/journey.js';

describe('A wallet', function () {
  this.timeout(60_000).bail(true);
  afterEach(endJourneys);

  it('that rejects the connection is prompted again at a press', async () => {
    const journey = await beginJourney({answers: {connect: ['no']}});
    const {page} = journey;
    await page.press('Connect a wallet to pay from');
    await journey.chooseWallet();
    await journey.until(
      () => page.notes.some(note => note.includes('You declined in your wallet.')),
      'the rejection is not mentioned',
    );
    await journey.expectAccessible();
    await journey.chooseWallet();
    await journey.until(() => page.button('Change the wallet you pay from'), 'the wallet was never connected');
    await page.typeAmount(journey.route.amount);
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'connect', 'approve', 'sign']);
  });

  const rejections: readonly {
    readonly deed: PromptKind;
    readonly settings: JourneySettings;
    readonly says?: string;
    readonly again: RegExp;
    readonly asked: readonly PromptKind[];
  }[] = [
    {deed: 'approve', settings: {}, again: /^Allow 0\.01 WBTC$/, asked: ['connect', 'approve', 'approve', 'sign']},
    {deed: 'sign', settings: {}, again: /^Sign with Wallet/, asked: ['connect', 'approve', 'sign', 'sign']},
    {
      deed: 'send',
      settings: {faults: {noTypedData: true}},
      again: /^Pay with Wallet/,
      asked: ['connect', 'approve', 'send', 'send'],
    },
    {
      deed: 'switch',
      settings: {networks: ['ethereum_sepolia', 'base_sepolia']},
      says: 'Your wallet didn’t switch networks.',
      again: /^Switch to Base Sepolia$/,
      asked: ['connect', 'switch', 'switch', 'approve', 'sign'],
    },
  ];
  for (const {deed, settings, says = 'You declined in your wallet.', again, asked} of rejections) {
    it(`that rejects to ${deed} loses nothing, and is prompted again at a press`, async () => {
      const journey = await beginJourney({...settings, answers: {[deed]: ['no']}});
      const {page} = journey;
      await journey.place();
      await journey.until(() => page.notes.some(note => note.includes(says)), 'the rejection is not mentioned');
      expect(journey.errors.map(({code}) => code)).to.deep.equal(['rejected']);
      await journey.expectUntouched();
      await journey.next(again);
      await journey.expectSwapped();
      expect(journey.asked).to.deep.equal(asked);
      expect(journey.orderIds).to.have.length(1);
    });
  }

  it('on another chain is switched to the source’s', async () => {
    const journey = await beginJourney({networks: ['ethereum_sepolia', 'base_sepolia']});
    await journey.place();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'switch', 'approve', 'sign']);
  });

  it('that does not know the chain is given its settings', async () => {
    const journey = await beginJourney({from: ETHEREUM_WBTC, networks: ['base_sepolia']});
    await journey.place();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'add', 'approve', 'sign']);
  });

  it('that says otherwise that it does not know the chain, adds none without an explorer, and counts in decimals is given its settings (Taho)', async () => {
    const journey = await beginJourney({from: ETHEREUM_WBTC, networks: ['base_sepolia']});
    const {widget} = journey.page;
    widget.chains = {
      ...widget.chains,
      ethereum_sepolia: {...widget.chains?.['ethereum_sepolia'], explorer: 'https://sepolia.etherscan.io/tx/{tx}'},
    };
    const {provider} = journey.wallet;
    const request = provider.request.bind(provider);
    const fault = (code: number) => Object.assign(new Error('The Provider does not do that.'), {code});
    provider.request = async call => {
      const [wanted] = (call.params ?? []) as readonly {readonly blockExplorerUrls?: readonly string[]}[];
      if (call.method === 'wallet_addEthereumChain' && !wanted?.blockExplorerUrls?.length) throw fault(4001);
      try {
        const answer = await request(call);
        return call.method === 'eth_chainId' ? String(Number(answer)) : answer;
      } catch (error) {
        throw (error as {code?: unknown}).code === 4902 ? fault(4901) : error;
      }
    };
    await journey.place();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'add', 'approve', 'sign']);
  });

  it('with another account than the order’s is not prompted until it has switched back', async () => {
    const journey = await beginJourney({answers: {sign: ['no']}});
    const {page, wallet} = journey;
    await journey.place();
    await journey.until(
      () => page.notes.some(note => note.includes('You declined in your wallet.')),
      'the rejection is not mentioned',
    );
    const [first, second] = wallet.accounts;
    wallet.useAccount(second!);
    await journey.next(/^Sign with Wallet/);
    await journey.until(() => journey.errors.at(-1)?.code === 'wrong-account', 'the wrong account was not noticed');
    await journey.until(() => page.canGoOn, 'it stays busy');
    await journey.expectUntouched();
    wallet.useAccount(first!);
    await journey.next(/^Sign with Wallet/);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'sign']);
  });

  it('whose account changes during the review is not asked to pay what that one lacks, and pays from the one it changes back to', async () => {
    const journey = await beginJourney();
    const {page, wallet} = journey;
    const [first, second] = wallet.accounts;
    await journey.review();
    wallet.useAccount(second!);
    // It has too little, which the form says.
    await journey.until(
      () => page.text.includes('Not enough WBTC: you have 0.'),
      'the new account’s lack is not named',
    );
    expect(page.text).to.include(second!.slice(-4));
    expect(page.canGoOn).to.equal(false);
    wallet.useAccount(first!);
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
    expect((await journey.read()).source_swap['initiator']).to.equal(first);
  });

  it('that cannot be switched by a page is not prompted until its owner has switched it', async () => {
    const journey = await beginJourney({networks: ['ethereum_sepolia', 'base_sepolia']});
    const {page, wallet} = journey;
    const {provider} = wallet;
    const request = provider.request.bind(provider);
    provider.request = question =>
      question.method.startsWith('wallet_')
        ? Promise.reject(Object.assign(new Error('Unsupported'), {code: 4200}))
        : request(question);
    await journey.place();
    await journey.until(
      () =>
        page.notes.includes(
          'Your wallet is on another network. No money was sent. Switch networks in your wallet, then try again.',
        ),
      'the wrong chain is not mentioned',
    );
    expect(journey.asked).to.deep.equal(['connect']);
    await journey.expectUntouched();
    wallet.useChain(84532);
    await journey.next(/^Switch to Base Sepolia$/);
    await journey.expectSwapped();
  });

  it('that was locked meanwhile is unlocked at a press, then prompted', async () => {
    const journey = await beginJourney({answers: {sign: ['no']}});
    await journey.place();
    await journey.until(() => journey.errors.at(-1)?.code === 'rejected', 'nothing was rejected');
    journey.wallet.lock();
    await journey.next('Connect a wallet');
    await journey.chooseWallet();
    await journey.next(/^Sign with Wallet/);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'unlock', 'sign']);
  });

  it('that was disconnected can be connected again on the deposit view', async () => {
    const journey = await beginJourney({answers: {sign: ['no']}});
    await journey.place();
    await journey.until(() => journey.errors.at(-1)?.code === 'rejected', 'nothing was rejected');
    journey.wallet.forget();
    await journey.next('Connect a wallet');
    await journey.chooseWallet();
    await journey.next(/^Sign with Wallet/);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'connect', 'sign']);
  });

  it('without the balance for the amount leads to no review and no wallet request, but to what there is', async () => {
    const journey = await beginJourney({amount: '0.01'});
    const {page} = journey;
    await journey.connect();
    await page.typeAmount('0.05');
    await journey.until(
      () => page.text.includes('Not enough WBTC: you have 0.03.'),
      'the missing balance is not named',
    );
    expect(page.button('Review swap')).to.equal(undefined);
    await journey.next('Use 0.03 WBTC');
    expect(page.amount).to.equal('0.03');
    await journey.until(() => page.primary === 'Review swap' && page.canGoOn, 'what there is cannot be swapped');
    expect(journey.asked).to.deep.equal(['connect']);
    await journey.expectUntouched();
  });
});

describe('A wallet that gives no clear answer', function () {
  this.timeout(60_000).bail(true);
  afterEach(endJourneys);

  const HEADING = 'Did you confirm the payment in your wallet?';

  it('to a transaction leads to a question, and can pay if nothing was sent', async () => {
    const journey = await beginJourney({faults: {noTypedData: true}, answers: {send: ['vague']}});
    const {page} = journey;
    await journey.place();
    await journey.until(() => page.text.includes(HEADING), 'nobody asked');
    await journey.until(() => page.text.includes('Nothing has been seen on Base Sepolia'), 'the chain was not checked');
    expect(journey.walletRequests()).to.deep.equal(['approve sent', 'send asking']);
    await journey.expectUntouched();

    await journey.reload();
    await journey.until(
      () => page !== journey.page && journey.page.text.includes(HEADING),
      'the question was lost in a reload',
    );
    expect(journey.asked.filter(asked => asked === 'send')).to.have.length(1);

    await journey.page.press('No, I didn’t');
    await journey.next(/^Pay with Wallet/);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'send', 'send']);
  });

  for (const answer of ['vague', 'mute'] as const) {
    it(`(${answer}) to a signature has paid nothing, since it never left the page, and is prompted again at a press`, async () => {
      const journey = await beginJourney({answers: {sign: [answer]}});
      const {page} = journey;
      await journey.place();
      await journey.until(
        () => page.text.includes('Your signature never left this page'),
        'it is not said that nothing was paid',
      );
      expect(journey.walletRequests()).to.deep.equal(['approve sent', 'sign asking']);
      expect(page.text).not.to.include(HEADING);
      await journey.expectUntouched();
      await journey.next(/^Sign with Wallet/);
      await journey.expectSwapped();
      expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'sign']);
    });
  }

  it('but has paid is seen by the service, no matter what the person says', async () => {
    const journey = await beginJourney({faults: {noTypedData: true}, answers: {send: ['mute']}});
    await journey.place();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'send']);
  });

  it('to a transaction is followed when the person says yes', async () => {
    const journey = await beginJourney({faults: {noTypedData: true}, answers: {send: ['vague']}});
    const {page} = journey;
    await journey.place();
    await journey.until(() => page.text.includes(HEADING), 'nobody asked');
    await page.press('Yes, I confirmed it');
    await journey.until(() => !page.text.includes(HEADING), 'the answer was not taken');
    expect(page.stage).to.equal('funding');
    await journey.until(() => page.heading === 'On its way', 'it is not followed');
    expect(page.button(/^(Sign|Pay) with/), 'offered to pay again').to.equal(undefined);
    await journey.expectUntouched();
  });

  it('to a payment that was sent gets no second request after the person says no', async () => {
    const journey = await beginJourney({
      faults: {noTypedData: true},
      // The order cannot be read when the wallet gives no answer.
      answers: {send: [() => journey.worsen({serverError: {on: 'read'}}).then(() => 'mute')]},
    });
    const {page} = journey;
    await journey.place();
    await journey.until(() => page.text.includes(HEADING), 'nobody asked');
    await page.press('No, I didn’t');
    await journey.until(() => journey.errors.at(-1)?.code === 'service', 'the no was taken unread');
    expect(page.button(/^Pay with/), 'offered to pay again').to.equal(undefined);
    await journey.mend();
    await journey.until(() => page.stage !== 'funding' || page.button('No, I didn’t'), 'the question is gone');
    if (page.stage === 'funding') await page.press('No, I didn’t');
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'send']);
  });
});
