/** Addresses that were used before, offered while their field has the focus. */
import {expect} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import {focused, waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {RECIPIENT, STATES} from '../support/states.js';
import {change} from '../../src/session/shared.js';

const OLDER = '0x5555000000000000000000000000000000002334';
const AT = Date.UTC(2026, 0, 31, 12);

async function openForm(settings: Record<string, string> = {}) {
  const shown = await open({style: '--swap-speed: 0', ...settings});
  STATES['form-quoted']?.(shown.session);
  change(shown.session.$journal, {
    recent: {
      recipient: [
        {address: RECIPIENT, at: AT},
        {address: OLDER, at: AT},
      ],
      refundAddress: [],
    },
  });
  await shown.page.settled();
  await shown.page.press('Details');
  const field = () => shown.page.findAll<HTMLInputElement>('input#address').at(-1)!;
  const offered = () => shown.page.findAll<HTMLButtonElement>('.recent button');
  const edits = () => shown.session.calls.filter(([name]) => name === 'edit').map(([, edit]) => edit);
  return {...shown, field, offered, edits};
}

describe('Addresses that were used before', () => {
  it('are offered with their dates once the field has the focus, and move nothing', async () => {
    const {page, field, offered} = await openForm();
    expect(offered()).to.have.length(0);
    const height = page.widget.getBoundingClientRect().height;
    field().focus();
    await waitUntil(() => offered().length === 2, 'they never came');
    expect(page.text).to.include('Used before on Ethereum Sepolia');
    expect(offered().map(({textContent}) => textContent.replace(/\s+/g, ' ').trim())).to.deep.equal([
      `${RECIPIENT.slice(0, 8)}…${RECIPIENT.slice(-6)} Jan 31`,
      `${OLDER.slice(0, 8)}…${OLDER.slice(-6)} Jan 31`,
    ]);
    expect(page.widget.getBoundingClientRect().height).to.equal(height);
    await expect(page.widget).to.be.accessible();
    field().blur();
    await waitUntil(() => !offered().length, 'they stayed');
  });

  it('are entered with a click, after which the focus is in the field and none is offered', async () => {
    const {field, offered, edits} = await openForm();
    field().focus();
    await waitUntil(() => offered().length);
    offered()[1]?.click();
    expect(edits()).to.deep.equal([{recipient: OLDER}]);
    await waitUntil(() => !offered().length, 'they stayed');
    expect(focused()).to.equal(field());
  });

  it('can be chosen by keyboard, and disappear on Escape, which changes nothing else', async () => {
    const {field, offered, edits} = await openForm();
    field().focus();
    await waitUntil(() => offered().length);
    for (let press = 0; press < 5 && focused() !== offered()[0]; press++) await sendKeys({press: 'Tab'});
    expect(focused()).to.equal(offered()[0]);
    await sendKeys({press: 'Enter'});
    expect(edits()).to.deep.equal([{recipient: RECIPIENT}]);

    const other = await openForm();
    other.field().focus();
    await waitUntil(() => other.offered().length);
    await sendKeys({press: 'Escape'});
    await waitUntil(() => !other.offered().length, 'they stayed');
    expect(focused()).to.equal(other.field());
    expect(other.edits()).to.deep.equal([]);
  });

  it('disappear when something is typed, and are not offered if the address is locked', async () => {
    const {field, offered} = await openForm();
    field().focus();
    await waitUntil(() => offered().length);
    await sendKeys({type: '0x'});
    await waitUntil(() => !offered().length, 'they stayed');

    const locked = await openForm({lock: 'recipient', recipient: OLDER});
    locked.field().focus();
    await locked.page.settled();
    expect(locked.offered()).to.have.length(0);
  });
});
