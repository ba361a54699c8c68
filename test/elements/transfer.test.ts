import {expect} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import jsQR from 'jsqr';
import {SwapError} from '../../src/domain/error.js';
import {failed, valueOf} from '../../src/domain/remote.js';
import {change} from '../../src/session/shared.js';
import {expectNoAddress, focused, waitUntil, whatIsCopied, withClipboard, type WidgetPage} from '../support/page.js';
import {show, withTouch} from '../support/show.js';
import {DEPOSIT_ADDRESS, REFUND_ADDRESS, STATES, transferOrder} from '../support/states.js';

const URI = `bitcoin:${DEPOSIT_ADDRESS}?amount=0.01`;

/** Reads the QR code as a phone does: from the pixels at their displayed size, with a white margin. */
async function readCode(page: WidgetPage): Promise<string | undefined> {
  await page.untilThere('[part="qr"]');
  const svg = page.find<SVGElement>('[part="qr"]')!;
  const {width, height} = svg.getBoundingClientRect();
  expect(getComputedStyle(svg).backgroundColor).to.equal('rgb(255, 255, 255)');
  expect(getComputedStyle(svg).color).to.equal('rgb(0, 0, 0)');
  const copy = svg.cloneNode(true) as SVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = new OffscreenCanvas(Math.round(width), Math.round(height));
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
  return jsQR(data, canvas.width, canvas.height)?.data;
}

function linkOf(page: WidgetPage): string | null | undefined {
  return page.find('[href^="bitcoin:"]')?.getAttribute('href');
}

/** What the view announces to assistive technology. */
function announced(page: WidgetPage): string {
  return page
    .findAll('.frame [role="status"]')
    .map(({textContent}) => textContent.trim())
    .filter(Boolean)
    .join(' ');
}

describe('A deposit to an address', () => {
  for (const width of [280, 320, 400, 900]) {
    it(`has a code with the amount and the address, in ${String(width)} pixels`, async () => {
      expect(await readCode(await show('deposit-address', {width, theme: 'dark'}))).to.equal(URI);
    });
  }

  it('asks for the rest in code and link once a part has arrived', async () => {
    const page = await show('deposit-address-partly');
    const rest = `bitcoin:${DEPOSIT_ADDRESS}?amount=0.006`;
    expect(await readCode(page)).to.equal(rest);
    expect(linkOf(page)).to.equal(rest);
  });

  it('updates the code when the rest becomes smaller', async () => {
    const page = await show('deposit-address-partly');
    await readCode(page);
    await page.settled(page.widget.fake.know({order: transferOrder({filled: 700_000n})}));
    expect(await readCode(page)).to.equal(`bitcoin:${DEPOSIT_ADDRESS}?amount=0.003`);
    expect(page.text).not.to.include('Less can’t be sent');
    // 200 satoshis would reach no block.
    await page.settled(page.widget.fake.know({order: transferOrder({filled: 999_800n})}));
    expect(await readCode(page)).to.equal(`bitcoin:${DEPOSIT_ADDRESS}?amount=0.0000033`);
    expect(page.text).to.include('Send the remaining 0.0000033 BTC').and.include('Less can’t be sent');
  });

  it('prefers copying with a mouse, and a wallet on a touch screen', async () => {
    expect((await show('deposit-address')).primary).to.equal('Copy the address');
    await withTouch(async () => {
      const page = await show('deposit-address');
      expect(page.primary).to.equal('Open a wallet app');
      expect(page.primaryButton?.getAttribute('href')).to.equal(URI);
      expect(page.button('Copy the address')).not.to.equal(undefined);
    });
  });

  it('shows that it is watching for the payment, and when it cannot', async () => {
    const page = await show('deposit-address');
    expect(page.text).to.include('Watching for your payment');
    for (const [code, what, next] of [
      ['timeout', 'The swap service isn’t answering.', ' This page looks again in a moment.'],
      ['service', 'The swap service reported an error.', ' This page looks again in a moment.'],
      ['offline', 'You’re offline.', ''],
    ] as const) {
      await page.settled(page.widget.fake.progress({reading: failed(new SwapError(code), true)}));
      expect(page.text).to.include(what + next);
      await waitUntil(() => page.said === what, `heard: ${page.said}`);
      expect(page.text).not.to.include('Watching for your payment');
    }
  });

  it('warns from ten minutes before the time to pay ends, and shortly before its end advises not to start', async () => {
    const page = await show('deposit-address');
    const {$now, $order} = page.widget.fake;
    const payUntil = valueOf($order.get())!.payUntil;
    const at = async (minutes: number) => {
      await page.settled($now.set(payUntil - minutes * 60_000));
      return page.text;
    };
    expect(await at(11)).not.to.match(/minutes left\./);
    expect(await at(9.5)).to.include('Less than 10 minutes left. A payment that comes later isn’t swapped');
    expect(page.primary).to.equal('Copy the address');
    expect(await at(2)).to.include('Don’t start a payment now.');
    expect(page.primary).to.equal('Start again');
    expect(page.button('Copy the address')).not.to.equal(undefined);
  });

  it('shows the address in whole rows, in every width', async () => {
    for (const width of [240, 320, 400, 560]) {
      const page = await show('deposit-address', {width});
      const tops = page.findAll('.pay-to .groups > span').map(group => group.getBoundingClientRect().top);
      const inRow = new Map(tops.map(top => [top, tops.filter(other => other === top).length]));
      expect([...inRow.values()], String(width)).to.deep.equal([4, 4, 4, 4]);
    }
  });

  it('shows the whole address, and copies it by hand without gaps', async () => {
    const page = await show('deposit-address');
    const address = page.find('.pay-to .groups');
    expect(address?.textContent).to.equal(DEPOSIT_ADDRESS);
    const selection = getSelection()!;
    selection.selectAllChildren(address!);
    expect(selection.toString()).to.equal(DEPOSIT_ADDRESS);
    expect([...address!.querySelectorAll('span')].every(({textContent}) => textContent.length <= 4)).to.equal(true);
  });

  it('copies amount and address with a button each, and announces it', async () => {
    const page = await show('deposit-address');
    const copied = await whatIsCopied(async () => {
      await page.press('Copy the amount');
      expect(announced(page)).to.equal('Amount copied');
      await page.press('Copy the address');
      expect(announced(page)).to.equal('Address copied');
      expect(page.button('Copied')).not.to.equal(undefined);
      expect(page.button('Copy the amount')).not.to.equal(undefined);
    });
    expect(copied).to.deep.equal(['0.01', DEPOSIT_ADDRESS]);
  });

  it('shows “Copied” only for a moment, or until the amount changes', async () => {
    const page = await show('deposit-address');
    await withClipboard(
      () => Promise.resolve(),
      async () => {
        await page.press('Copy the address');
        expect(page.button('Copied')).not.to.equal(undefined);
        await waitUntil(() => page.button('Copy the address'), 'it says so for ever');
        expect(announced(page)).to.equal('');
        await page.press('Copy the amount');
        expect(page.button('Copied')).not.to.equal(undefined);
        await page.settled(page.widget.fake.know({order: transferOrder({filled: 400_000n})}));
        expect(page.text).to.match(/0\.006 BTC Copy Still to send/);
        expect(page.button('Copied')?.textContent).to.equal(undefined);
        expect(announced(page)).not.to.include('copied');
      },
    );
  });

  it('announces that the page may not copy', async () => {
    const page = await show('deposit-address');
    await withClipboard(
      () => Promise.reject(new DOMException('', 'NotAllowedError')),
      async () => {
        await page.press('Copy the address');
        await page.settled();
      },
    );
    expect(announced(page)).to.equal('This page isn’t allowed to copy. Select the text and copy it yourself.');
  });

  it('counts down to the end of its window without announcing it, and then shows no address', async () => {
    const page = await show('deposit-address');
    const {$now, $order} = page.widget.fake;
    const placed = $order.get();
    if (placed.state !== 'ready') throw new Error('No order is shown.');
    const {payUntil} = placed.value;
    await page.settled($now.set(payUntil - 61_000));
    expect(page.text).to.include('1:01 left');
    expect(announced(page)).to.equal('');
    const {said} = page;
    await page.settled($now.set(payUntil - 55_000));
    expect(page.text).to.include('0:55 left');
    expect(page.said).to.equal(said);
    await page.settled($now.set(payUntil));
    expectNoAddress(page, DEPOSIT_ADDRESS);
    expect(page.heading).to.equal('Expired');
  });

  for (const [what, change] of [
    ['this browser stores nothing', {journal: false}],
    ['it stores swaps for this tab only', {forThisTab: true}],
  ] as const) {
    it(`asks to keep the page open if ${what}`, async () => {
      const page = await show('deposit-address');
      const {$settings} = page.widget.fake;
      expect(page.text).to.include('You can close this page');
      await page.settled($settings.set({config: {...$settings.get().config!, ...change}}));
      expect(page.text).to.include(
        'Keep this page open until you have paid: once it’s closed, this swap isn’t saved anywhere.',
      );
      expect(page.text).not.to.include('You can close this page');
    });

    it(`allows closing the page after the payment if ${what}, unless a wallet may have to refund it`, async () => {
      const page = await show('progress-address-unconfirmed');
      const other = await show('progress-settling');
      for (const {$settings} of [page.widget.fake, other.widget.fake])
        await page.settled($settings.set({config: {...$settings.get().config!, ...change}}));
      await other.settled();
      expect(page.text).to.include('You can close this page');
      expect(other.text).to.include('Keep this page open');
      expect(other.text).not.to.include('You can close this page');
    });
  }

  it('can be used with the keyboard alone', async () => {
    const page = await show('deposit-address');
    page.find('h2')?.focus();
    const names: string[] = [];
    for (let step = 0; step < 6; step += 1) {
      await sendKeys({press: 'Tab'});
      names.push(focused()?.ariaLabel ?? focused()?.textContent.replace(/\s+/g, ' ').trim() ?? '');
    }
    expect(names).to.deep.equal([
      'Your swaps, 1 open',
      'Copy the amount',
      'Open a wallet app',
      'Copy the address',
      'Connect a wallet to pay from',
      'More',
    ]);
  });

  it('lets a wallet in this browser make the same payment', async () => {
    const page = await show('deposit-address');
    await page.press('Connect a wallet to pay from');
    await page.untilThere('swap-widget-wallet-picker');
    expect(page.widget.fake.calls.at(-1)?.slice(0, 2)).to.deep.equal(['discover', 'bitcoin']);
    const connected = await show('deposit-address-by-wallet');
    const {fake} = connected.widget;
    await connected.settled(fake.fund({asking: undefined, busy: false, walletRequests: []}));
    // Paying from the wallet comes first, copying second.
    expect(connected.primary).to.equal('Pay with Harbor');
    expect(connected.button('Copy the address')).not.to.equal(undefined);
    await connected.goOn();
    expect(fake.calls.at(-1)).to.deep.equal(['pay']);
  });
});

describe('A deposit address', () => {
  for (const name of [
    'deposit-address-checking',
    'deposit-address-unread',
    'deposit-address-gone',
    'deposit-address-over',
    'progress-address-unconfirmed',
    'expired-address',
    'stranger-unpaid',
  ]) {
    it(`is not shown: ${name}`, async () => {
      expectNoAddress(await show(name), DEPOSIT_ADDRESS);
    });
  }

  for (const name of ['checks-failed-address', 'deposit-address-by-wallet']) {
    it(`is only shown in the checks: ${name}`, async () => {
      const page = await show(name);
      expect(page.find('swap-widget-qr-code')?.textContent).to.equal(undefined);
      expect(page.find('[href^="bitcoin:"]')?.textContent).to.equal(undefined);
      expect(page.button('Copy the address')?.textContent).to.equal(undefined);
    });
  }

  it('is not shown before the order was read, even if every check passed', async () => {
    const page = await show('deposit-address-checking');
    const {report} = (await show('deposit-address')).widget.fake.placed();
    await page.settled(page.widget.fake.placed({report: report!}));
    expectNoAddress(page, DEPOSIT_ADDRESS);
  });

  it('is shown with the agreed amount, even if the service later reports another', async () => {
    const page = await show('deposit-address');
    await page.settled(page.widget.fake.know({order: transferOrder({amount: 9_000_000n, filled: 400_000n})}));
    expect(linkOf(page)).to.equal(`bitcoin:${DEPOSIT_ADDRESS}?amount=0.006`);
  });

  it('is shown with the full amount if the service reports a partial payment that the chain does not show', async () => {
    const page = await show('deposit-address-denied');
    expect(linkOf(page)).to.equal(URI);
    expect(page.text).not.to.include('0.004');
  });

  it('is only shown again on a click if the chain denies a payment that the service reported', async () => {
    const page = await show('deposit-address-partly');
    await page.settled(page.widget.fake.know({deposit: {state: 'none'}}));
    expectNoAddress(page, DEPOSIT_ADDRESS);
    expect(page.text).to.include('Bitcoin Testnet doesn’t show it.');
    expect(page.primary).to.equal('Show the address again');
  });

  it('is only shown again on a click after a payment left the chain', async () => {
    const page = await show('deposit-address-gone');
    expect(page.primary).to.equal('Show the address again');
    await page.goOn();
    expect(linkOf(page)).to.equal(URI);
  });
});

describe('A payment to an address', () => {
  it('may be replaced by another transaction, which is announced', async () => {
    const page = await show('progress-address-unconfirmed');
    expect(page.text).not.to.include('replaced');
    const {fake} = page.widget;
    const initiated = (hash: string, block?: bigint) => ({
      hashes: [hash.repeat(64)] as const,
      ...(block === undefined ? {} : {block}),
    });
    await page.settled(fake.know({order: transferOrder({filled: 1_000_000n, initiated: initiated('a')})}));
    await waitUntil(() => page.said.includes('Your payment was replaced. Another transaction took its place'));
    expect(page.text).to.include('aaaaaa…aaaa');
    await page.settled(fake.know({order: transferOrder({filled: 1_000_000n, initiated: initiated('a', 9n)})}));
    expect(page.text).not.to.include('replaced');
    expect(page.said).not.to.include('replaced');
  });

  it('is not announced as replaced when a second one is added', async () => {
    const page = await show('progress-address-unconfirmed');
    const hashes = ['7b1e09d2'.repeat(8), 'b'.repeat(64)] as const;
    await page.settled(page.widget.fake.know({order: transferOrder({filled: 1_000_000n, initiated: {hashes}})}));
    expect(page.text + page.said).not.to.include('replaced');
  });

  it('in two parts has each transaction on a line of its own', async () => {
    const page = await show('progress-address-unconfirmed');
    const hashes = ['7b1e09d2'.repeat(8), 'b'.repeat(64)] as const;
    await page.settled(page.widget.fake.know({order: transferOrder({filled: 1_000_000n, initiated: {hashes}})}));
    const shown = page.findAll('bdi.mono').filter(({title}) => hashes.some(hash => hash === title));
    expect(shown.map(({title}) => title)).to.deep.equal([...hashes]);
    const [one, other] = shown.map(each => each.getBoundingClientRect());
    expect(other!.top).to.be.at.least(one!.bottom - 2);
  });

  it('names the fee rate before it, and whether it may be confirmed too late at that rate', async () => {
    const page = await show('deposit-address');
    const {fake} = page.widget;
    expect(page.text).to.include('Send exactly this + network fee').and.not.include('sat/vB');
    const left = valueOf(fake.$order.get())!.payUntil - fake.$now.get();
    await page.settled(fake.progress({fee: {wanted: 3.5, within: left, unit: 'sat/vB'}}));
    expect(page.text)
      .to.include('Send exactly this + network fee, now 3.5 sat/vB')
      .and.not.include('Even at this rate');
    await page.settled(fake.$now.set(fake.$now.get() + 1));
    expect(page.text).to.match(/Even at this rate it may confirm after \d\d?:\d\d/);
    await expect(page.widget).to.be.accessible();
  });

  it('shows whether its fee is sufficient while it is unconfirmed, if the chain reports its rates', async () => {
    const page = await show('progress-address-unconfirmed');
    const {progress} = page.widget.fake;
    const now = {wanted: 3, within: 20 * 60_000, unit: 'sat/vB'};
    await page.settled(progress({fee: now}));
    expect(page.text).to.include('With a low fee it can take hours');
    await page.settled(progress({fee: {...now, paid: 1}}));
    expect(page.text).to.include('You paid 1 sat/vB, and the next blocks need at least 3');
    await page.settled(progress({fee: {...now, paid: 3}}));
    expect(page.text).to.include('The 3 sat/vB you paid is enough');
    expect(page.text).not.to.include('hours');
  });
});

describe('The refund address', () => {
  it('is typed if no wallet is connected for it, and is part of the draft', async () => {
    const page = await show('form-refund-empty');
    expect(page.button('Connect a wallet to pay from')).to.be.ok;
    await page.goOn();
    const input = focused() as HTMLInputElement;
    expect(input.labels?.[0]?.textContent).to.equal('Refund to');
    await sendKeys({type: 't'});
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['edit', {refundAddress: 't'}]);
  });

  it('is the connected wallet’s address if none is typed', async () => {
    const {bitcoin} = (await show('deposit-address-by-wallet')).widget.fake.$wallets.get().accounts;
    const page = await show('form-refund-empty');
    await page.settled(change(page.widget.fake.$wallets, {accounts: {bitcoin: bitcoin!}}));
    expect(page.find<HTMLInputElement>('#address')?.title).to.equal(REFUND_ADDRESS);
  });

  it('has its error on its own line, and not on the recipient’s', async () => {
    const page = await show('form-refund-bad');
    const [refund, recipient] = page.findAll<HTMLInputElement>('#address');
    expect(refund?.ariaInvalid).to.equal('true');
    expect(recipient?.ariaInvalid).to.equal('false');
    expect(page.notes).to.deep.equal(['Not an address on Bitcoin Testnet. Check every character.']);
    await page.goOn();
    expect(focused()).to.equal(refund);
  });

  it('is accepted from the page only after the person confirms it', async () => {
    const page = await show('form-refund-confirm');
    const {calls} = page.widget.fake;
    expect(page.primary).to.equal('Yes, the refund address is mine');
    await waitUntil(() => page.find('.groups'));
    expect(page.find('.groups')?.textContent).to.equal(REFUND_ADDRESS);
    expect(calls.map(([name]) => name)).not.to.include('confirm');
    page.primaryButton?.focus();
    await sendKeys({press: 'Enter'});
    expect(calls.at(-1)).to.deep.equal(['confirm', 'refundAddress']);
    STATES['form-transfer']?.(page.widget.fake);
    await page.settled(page.widget.fake.setForm({problem: undefined}));
    expect(page.find('.groups')?.textContent).to.equal(undefined);
    expect(focused()).to.equal(page.primaryButton);
  });
});
