/** “Payouts”: the earnings from this page's swaps, compared with the sandbox's weekly payouts on its chains. */
import {html, nothing, render, type TemplateResult} from 'lit';
import {createSwapApi} from '../src/api/settings.js';
import {formatAmount} from '../src/domain/amount.js';
import {createFeeLedger} from '../src/domain/fee-ledger.js';
import {saveFile} from '../src/elements/order/keep.js';
import type {SwapWidget} from '../src/index.js';
import type {PayoutReport, PayoutWeek} from '../src/server/payouts.js';
import {find, showNotice} from './parts.js';
import {settingsOf, TITLES, type Sandbox, type SandboxState} from './wallets/sandbox.js';

export interface Payouts {
  refresh(): Promise<void>;
}

/**
 * Keeps the ledger of a page's swaps, as a partner would, and shows the result.
 * @param setFee - Gives the page an affiliate fee, as long as it has none.
 */
export function createPayouts(widget: SwapWidget, sandbox: Sandbox, setFee: () => void): Payouts {
  const ledger = createFeeLedger({storage: sessionStorage});
  let turn = 0;
  let isEnding = false;
  let shown: {readonly report: PayoutReport; readonly state: SandboxState} | undefined;

  const show = () => {
    render(
      renderPayouts(shown, isEnding, () => void endWeek(), widget.hasAttribute('affiliate-fees') ? undefined : earn),
      find('payouts'),
    );
  };

  const earn = () => {
    setFee();
    show();
    // Its button is gone.
    find('payouts-panel').focus();
  };

  async function refresh() {
    const own = ++turn;
    try {
      const state = await sandbox.read();
      const api = createSwapApi({baseUrl: sandbox.origin, appId: state.appId});
      // The sandbox forgets its orders when it ends; those of an earlier one are ignored.
      const {unread} = await ledger.reconcile(id => api.readOrder(id));
      const fees = ledger.fees.filter(({orderId}) => !unread.includes(orderId));
      const {checkPayouts} = await import('../src/server/payouts.js');
      const rpc = Object.fromEntries(Object.entries(state.chains).map(([name, chain]) => [name, chain.rpc]));
      const {weekEnds} = state.clock;
      const report = await checkPayouts({fees, rpc, ...settingsOf(state), weekEnds, graceHours: 0});
      if (own !== turn) return;
      shown = {report, state};
      showNotice('', 'payouts');
    } catch (error) {
      showNotice(`The payouts were not read. ${error instanceof Error ? error.message : ''}`, 'payouts');
    }
    show();
  }

  async function endWeek() {
    // A disabled button would lose the focus.
    if (isEnding) return;
    isEnding = true;
    show();
    try {
      await sandbox.endWeek();
      showNotice('', 'week');
    } catch (error) {
      showNotice(`The week did not end. ${error instanceof Error ? error.message : ''}`, 'week');
    } finally {
      isEnding = false;
    }
    await refresh();
  }

  widget.addEventListener('swap-order', event => {
    ledger.add(event);
  });
  widget.addEventListener('swap-complete', event => {
    ledger.add(event);
    if (!find('payouts-panel').hidden) void refresh();
  });
  return {refresh};
}

/**
 * The weeks of each payee, with possible actions.
 * @param setFee - Offered if nothing can be earned yet.
 */
function renderPayouts(
  shown: {readonly report: PayoutReport; readonly state: Pick<SandboxState, 'clock' | 'chains'>} | undefined,
  isEnding: boolean,
  endWeek: () => void,
  setFee?: () => void,
): TemplateResult {
  const {weeks = []} = shown?.report ?? {};
  const payees = [...new Set(weeks.map(({asset, address}) => `${asset} ${address}`))];
  return html`<p class="sum" role="status">${shown ? sumUp(weeks, setFee === undefined) : 'Reading the chains…'}</p>
    <div class="actions">
      ${
        setFee && !weeks.length
          ? html`<button class="button" type="button" ?hidden=${!shown} @click=${setFee}>
              Set a fee of 0.20%, paid to Field
            </button>`
          : html`<button class="button" type="button" aria-disabled=${isEnding ? 'true' : nothing} @click=${endWeek}>
              End the week
            </button>`
      }
      ${
        shown && weeks.length
          ? html`<button
              class="link"
              type="button"
              @click=${() => {
                saveFile('payouts.csv', shown.report.toCSV(), 'text/csv');
              }}
            >
              Save as CSV
            </button>`
          : nothing
      }
    </div>
    ${payees.map(payee =>
      renderPayee(
        weeks.filter(({asset, address}) => `${asset} ${address}` === payee),
        shown?.state,
      ),
    )}`;
}

function sumUp(weeks: readonly PayoutWeek[], hasFee: boolean): string {
  const count = (verdict: PayoutWeek['verdict']) => weeks.filter(week => week.verdict === verdict).length;
  const differences = (
    [
      ['missing', 'missing'],
      ['short', 'short'],
      ['over', 'more than was owed'],
    ] as const
  ).flatMap(([verdict, word]) => {
    const number = count(verdict);
    return number ? [`${String(number)} ${number === 1 ? 'is' : 'are'} ${word}`] : [];
  });
  if (!weeks.length)
    return `Nothing was earned yet. ${hasFee ? 'Complete' : 'Set a fee, complete'} a swap, and end the week.`;
  const unread = count('unread') ? ' Some could not be read.' : '';
  if (differences.length) return `Of the payouts, ${differences.join(', ')}.${unread}`;
  if (unread) return unread.trim();
  return count('paid') ? 'All that was due is paid.' : 'Nothing is due before the week ends.';
}

function renderPayee(weeks: readonly PayoutWeek[], state?: Pick<SandboxState, 'clock' | 'chains'>) {
  const [{asset, address} = {asset: '', address: ''}] = weeks;
  const [chain = ''] = asset.split(':');
  const symbol = state?.chains[chain]?.assets[asset]?.symbol ?? asset;
  const title = `${symbol} on ${TITLES[chain] ?? chain}`;
  return html`<section class="earned" aria-label=${`${title}, ${address}`}>
    <h3>${title}</h3>
    <p class="mono whole quiet">${address}</p>
    <table class="weeks">
      <thead>
        <tr>
          <th scope="col">Week</th>
          <th scope="col">Owed</th>
          <th scope="col">Paid</th>
        </tr>
      </thead>
      <tbody>
        ${weeks.map(week => renderWeek(week, state?.clock.weekEnds ?? []))}
      </tbody>
    </table>
  </section>`;
}

function renderWeek(week: PayoutWeek, weekEnds: readonly number[]) {
  const {begins, ends, owed, paid, verdict, why} = week;
  const place = ends === undefined ? weekEnds.length : weekEnds.indexOf(ends);
  const time = (at: number) => new Date(at).toLocaleTimeString('en-GB', {timeStyle: 'short'});
  const isBad = verdict === 'missing' || verdict === 'short';
  return html`<tr data-verdict=${verdict}>
    <th scope="row">
      ${place + 1}
      <small>${ends === undefined ? `since ${time(begins)}` : `until ${time(ends)}`}</small>
    </th>
    <td>${text(week, owed)}</td>
    <td>
      ${paid === undefined ? '–' : text(week, paid)}
      <small class=${isBad ? 'bad' : ''}>${say(week)}</small>
      ${why ? html`<small>${why}</small>` : nothing}
    </td>
  </tr>`;
}

function text({decimals}: PayoutWeek, amount: bigint): string {
  return decimals === undefined ? String(amount) : formatAmount(amount, decimals);
}

function say(week: PayoutWeek): string {
  const {verdict, ends, carried = 0n, difference = 0n} = week;
  switch (verdict) {
    case 'paid':
      if (carried > 0n) return 'paid by another week’s payout';
      return carried < 0n ? `in full, with ${text(week, -carried)} for another week` : 'in full';
    case 'short':
      return `${text(week, -difference)} short`;
    case 'missing':
      return 'nothing came';
    case 'over':
      return `${text(week, difference)} too much`;
    case 'due':
      return ends === undefined ? 'the week goes on' : 'not seen yet';
    case 'claimed':
    case 'unclaimed':
      return verdict;
    case 'unread':
      return 'could not be read';
  }
}
