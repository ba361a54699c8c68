import {expect} from '@open-wc/testing';
import {reportOf} from '../../src/domain/deposit.js';
import {change} from '../../src/session/shared.js';
import {whatIsCopied, type WidgetPage} from '../support/page.js';
import {show} from '../support/show.js';
import {storyIn} from '../support/shown.js';
import {DEPOSIT_ADDRESS, harbor, PAYER, RECIPIENT, REFUND_ADDRESS} from '../support/states.js';

const THIEF = '0x6b5Cf024365D5d5d0786673780CA7E3F07f85B63';
const BITCOIN_THIEF = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

function everything(page: WidgetPage): string[] {
  return page
    .findAll('*')
    .flatMap(element => [
      ...[...element.attributes].map(({value}) => value),
      ...[...element.childNodes].map(({textContent}) => textContent ?? ''),
    ]);
}

async function expectNowhere(page: WidgetPage, ...texts: readonly string[]) {
  await page.settled();
  for (const text of texts) expect(everything(page).find(part => part.includes(text))).to.equal(undefined);
  expect(page.find('a[href*="evil"]')?.textContent).to.equal(undefined);
  await expect(page.widget).to.be.accessible();
}

describe('What the service, a chain or a wallet wrote', () => {
  it('is quoted as the service’s if it rejects a signature, without an address to send to', async () => {
    const page = await show('deposit-signature-refused');
    page.widget.fake.fund({
      refusedBecause: `no”. No money was sent.\nSend here: ${THIEF} or ${BITCOIN_THIEF}, see https://evil.example/pay`,
    });
    await expectNowhere(page, THIEF, BITCOIN_THIEF, 'evil.example');
    expect(page.text).to.include('It says: “no’. No money was sent. Send here: 0x6b5C…5B63 or bc1qw5…f3t4, see …”');
  });

  it('cannot speak through the name in typed data', async () => {
    const page = await show('deposit-unsigned');
    page.widget.fake.fund({unsigned: `Send 0.1 WBTC to ${THIEF} ${'and then more '.repeat(40)}`});
    await expectNowhere(page, THIEF);
    const said = page.notes.find(note => note.includes('0x6b5C…5B63')) ?? '';
    expect(said.length).to.be.below(260);
  });

  it('is whole beside what it differs from, each named by where it is from, and cut among the other checks', async () => {
    const page = await show('checks-failed');
    const report = reportOf([
      {name: 'amount', outcome: 'passed', found: '0.1 WBTC'},
      {name: 'contract', outcome: 'unchecked', found: BITCOIN_THIEF},
      {name: 'order', outcome: 'failed', expected: RECIPIENT, found: THIEF, sides: ['payment', 'order']},
    ]);
    page.widget.fake.placed({report});
    await expectNowhere(page, BITCOIN_THIEF);
    expect(page.text).to.include('The payment and the order don’t match');
    expect(page.text).to.include(`In the payment ${RECIPIENT}`).and.include(`In the order ${THIEF}`);
    const [, order] = page.findAll('.compare > div');
    expect(order!.querySelectorAll('.differs').length).to.be.above(5);
    const copied = await whatIsCopied(() => page.press('Copy report'));
    expect(copied.join(), 'the report for the site’s team has all of it').to.include(THIEF);
  });

  it('cannot speak beside what it differs from', async () => {
    const page = await show('checks-failed');
    const found = `Send 0.1 WBTC to ${THIEF} or https://evil.example`;
    const sides = ['known', 'payment'] as const;
    page.widget.fake.placed({report: reportOf([{name: 'call', outcome: 'failed', found, sides}])});
    await expectNowhere(page, THIEF, 'evil.example');
    expect(page.text).to.include('In the payment Send 0.1 WBTC to 0x6b5C…5B63 or …');
  });

  it('cannot be paid if it is an address for the payment, from neither screen nor report', async () => {
    const page = await show('checks-failed-address');
    await expectNowhere(page, DEPOSIT_ADDRESS, REFUND_ADDRESS.slice(12, -8));
    expect(page.text).to.include('This swap’s address tb1pqqqqp3').and.include('In the payment tb1qw508d6');
    const copied = (await whatIsCopied(() => page.press('Copy report'))).join();
    expect(copied).to.include('"script"').and.not.include(DEPOSIT_ADDRESS);
  });

  it('cannot be paid or copied as the name of a payee', async () => {
    const complete = await show('complete-fees');
    const {fake} = complete.widget;
    const asset = 'base_sepolia:usdc';
    fake.know({order: {...storyIn(fake)!.order!, affiliateFees: [{asset, address: THIEF, bps: 10, amount: 1n}]}});
    await complete.press('Receipt');
    await expectNowhere(complete, THIEF);
    expect(complete.text).to.include('0x6b5C…5B63');
  });

  it('cannot be paid or copied as the payer or the recipient of an order of another browser', async () => {
    const page = await show('stranger');
    const {fake} = page.widget;
    const order = storyIn(fake)!.order!;
    fake.know({
      order: {
        ...order,
        source: {...order.source, initiator: THIEF},
        destination: {...order.destination, redeemer: BITCOIN_THIEF},
      },
    });
    await expectNowhere(page, THIEF, BITCOIN_THIEF);
  });

  it('does not replace the agreed refund address', async () => {
    const page = await show('progress-confirming');
    const {fake} = page.widget;
    const order = storyIn(fake)!.order!;
    fake.know({order: {...order, source: {...order.source, initiator: THIEF, filled: 20_000_000n}}});
    await expectNowhere(page, THIEF);
    expect(page.text).to.include(`${PAYER.slice(0, 6)}…${PAYER.slice(-4)}`);
    expect(page.text).not.to.include('0x6b5C');
  });

  it('cannot be paid or copied as the name of a wallet', async () => {
    const page = await show('deposit-send');
    const {$wallets} = page.widget.fake;
    change($wallets, {
      accounts: {evm: {...$wallets.get().accounts.evm!, wallet: {...harbor, name: `Send to ${THIEF}`}}},
    });
    await expectNowhere(page, THIEF);
    change($wallets, {accounts: {evm: {...$wallets.get().accounts.evm!, wallet: {...harbor, name: 'evil.example'}}}});
    await page.settled();
    expect(page.primary).to.equal('Waiting for your wallet');
  });
});
