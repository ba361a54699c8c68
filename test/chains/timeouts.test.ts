import {expect} from '../support/expect.js';
import {requestWallet} from '../../src/chains/funding.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';

it('a wallet is asked for nothing by a widget that is gone, and nothing is recorded', async () => {
  const noted: unknown[] = [];
  const note = (what: unknown) => Promise.resolve(void noted.push(what));
  const context = {timeouts: TIMEOUTS, signal: AbortSignal.abort('gone'), onWalletRequest: note};
  const request = () => note('asked');
  const read = () => ({state: 'sent', value: ''}) as const;
  const asking = requestWallet(context as never, 'send', {request, read, refusalOf: () => undefined});
  expect(await asking.catch((reason: unknown) => reason)).to.equal('gone');
  expect(noted).to.deep.equal([]);
});
