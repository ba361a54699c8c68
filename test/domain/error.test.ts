import {expect} from '../support/expect.js';
import {reportOf, type CheckResult} from '../../src/domain/deposit.js';
import {SwapError, toSwapError} from '../../src/domain/error.js';
import {failed, idle, pending, ready, valueOf} from '../../src/domain/remote.js';

describe('a fault', () => {
  it('has its code, field and detail, and keeps its cause', () => {
    const cause = new Error('socket');
    const error = new SwapError('unreadable', {field: 'order_id', detail: 'null', cause});
    expect(error).to.be.instanceOf(Error);
    expect(error.message).to.equal('unreadable: order_id: null');
    expect(error.cause).to.equal(cause);
    expect(new SwapError('timeout').message).to.equal('timeout');
  });

  it('can be made on a page that froze its prototypes', () => {
    const name = Object.getOwnPropertyDescriptor(Error.prototype, 'name')!;
    Object.defineProperty(Error.prototype, 'name', {...name, writable: false});
    try {
      expect(String(new SwapError('timeout'))).to.equal('SwapError: timeout');
    } finally {
      Object.defineProperty(Error.prototype, 'name', name);
    }
  });

  it('is passed through; anything else thrown gets the given code', () => {
    const error = new SwapError('rejected');
    expect(toSwapError(error, 'service')).to.equal(error);
    const plain = new TypeError('x is undefined');
    expect(toSwapError(plain, 'service')).to.include({code: 'service', detail: 'x is undefined', cause: plain});
    expect(toSwapError('no', 'timeout')).to.include({code: 'timeout', detail: 'no', cause: 'no'});
    expect(toSwapError(undefined, 'timeout').code).to.equal('timeout');
  });
});

describe('a value from elsewhere', () => {
  it('keeps the last good value during a refresh and after a failed one', () => {
    expect(valueOf(idle)).to.equal(undefined);
    expect(valueOf(pending())).to.equal(undefined);
    expect(valueOf(pending(1))).to.equal(1);
    expect(valueOf(ready(2))).to.equal(2);
    expect(valueOf(failed(new SwapError('timeout')))).to.equal(undefined);
    expect(valueOf(failed(new SwapError('timeout'), 3))).to.equal(3);
  });
});

describe('a report of checks', () => {
  const passed: CheckResult = {name: 'amount', outcome: 'passed'};
  const unchecked: CheckResult = {name: 'contract', outcome: 'unchecked'};
  const wrong: CheckResult = {name: 'chain', outcome: 'failed'};

  it('fails if any check failed, not if one could not be made', () => {
    expect(reportOf([]).outcome).to.equal('passed');
    expect(reportOf([passed, unchecked]).outcome).to.equal('passed');
    expect(reportOf([passed, wrong, unchecked]).outcome).to.equal('failed');
  });

  it('is frozen', () => {
    const report = reportOf([{...passed}]);
    expect([report, report.results, report.results[0]].every(Object.isFrozen)).to.equal(true);
  });
});
