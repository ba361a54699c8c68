/** Swaps from and to Starknet: wallets and hostile services. */
import {expect} from '@open-wc/testing';
import {hash, RpcProvider, typedData as snip12, uint256, type TypedData} from 'starknet';
import {createStarknetWallet, type StarknetWallet} from '../../demo/wallets/starknet.js';
import {corruptions} from '../../demo/sandbox/chains/starknet/hostile.js';
import type {WalletSettings} from '../../demo/wallets/index.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';

const WBTC = 'starknet_sepolia:wbtc';
const BASE_WBTC = 'base_sepolia:wbtc';
const QUESTION = 'Did you confirm the payment in your wallet?';
const NOT_SIGNED = {noTypedData: true};

const begin = (settings: Partial<CrossingSettings> = {}) =>
  beginCrossing({from: WBTC, to: BASE_WBTC, amount: '0.01', ...settings});

const walletOf = ({payer}: Crossing) => payer as StarknetWallet;
const homeOf = (crossing: Crossing) => crossing.chain(WBTC).assets[WBTC] as {token: string; contracts: string[]};
const nodeOf = (crossing: Crossing) =>
  new RpcProvider({nodeUrl: crossing.chain(WBTC).rpc, blockIdentifier: 'pre_confirmed'});

/** A development wallet with changed settings. */
const wallet =
  (change: Partial<Parameters<typeof createStarknetWallet>[0]>, gate?: WalletSettings['approver']) =>
  ({name, id, seedPhrase, state, approver: usual}: WalletSettings): StarknetWallet => {
    const home = state.chains['starknet_sepolia']!;
    if (home.family !== 'starknet') throw new Error('The sandbox has no Starknet.');
    const {chainId, rpc, accountClass, guardedAccountClass} = home;
    const sepolia = {chainId, rpc, name: 'Starknet Sepolia', accountClass, guardedAccountClass};
    const answers: WalletSettings['approver'] = gate
      ? async question => (await gate(question)) && (await usual!(question))
      : usual;
    return createStarknetWallet({name, id, seedPhrase, chains: [sepolia], approver: answers!, ...change});
  };

const guarded = wallet({guarded: true});
/** Another network, which is never called. */
const MAIN = {chainId: '0x534e5f4d41494e', rpc: 'http://127.0.0.1:9', name: 'Starknet'};

/** The swap contract's allowance of the payer's token. */
async function allowance(crossing: Crossing): Promise<bigint> {
  const {token, contracts} = homeOf(crossing);
  const [low = '0', high = '0'] = await nodeOf(crossing).callContract({
    contractAddress: token,
    entrypoint: 'allowance',
    calldata: [crossing.payer.account, contracts[0]!],
  });
  return uint256.uint256ToBN({low, high});
}

/** Approves this amount for the swap contract, directly in the wallet. */
async function release(crossing: Crossing, amount: bigint): Promise<void> {
  const {token, contracts} = homeOf(crossing);
  const {transaction_hash: sent} = (await walletOf(crossing).object.request({
    type: 'wallet_addInvokeTransaction',
    params: {
      calls: [{contract_address: token, entry_point: 'approve', calldata: [contracts[0]!, String(amount), '0']}],
    },
  })) as {transaction_hash: string};
  await nodeOf(crossing).waitForTransaction(sent, {retryInterval: 50});
  crossing.asked.length = 0;
}

/** Intercepts the page's wallet requests; `change` gets each one with the wallet's own handler. */
function interceptRequests(
  crossing: Crossing,
  change: (type: string, answer: () => Promise<unknown>, params: unknown) => Promise<unknown>,
): void {
  const {object, id} = walletOf(crossing);
  const intercepted: StarknetWallet['object'] = {
    ...object,
    request: call => change(call.type, () => object.request(call), call.params),
  };
  Object.assign(globalThis, {[`starknet_${id}`]: intercepted});
}

/** The wallet carries out a type of request, but the page never gets the answer. */
const swallowAnswers = (crossing: Crossing, swallowed: string) =>
  interceptRequests(crossing, async (type, answer) => {
    const answered = await answer();
    if (type === swallowed) throw new Error('The wallet’s window was closed.');
    return answered;
  });

/** The signatures that pages sent to the service. */
const handed: unknown[] = [];
const {fetch: usualFetch} = globalThis;
before(() => {
  globalThis.fetch = (input, init) => {
    if (init?.method === 'PATCH') handed.push((JSON.parse(String(init.body)) as {signature: unknown}).signature);
    return usualFetch(input, init);
  };
});
after(() => {
  globalThis.fetch = usualFetch;
});
afterEach(() => {
  handed.length = 0;
  endCrossings();
});

describe('A swap from Starknet', function () {
  this.timeout(60_000);

  async function swap(settings: Partial<CrossingSettings> = {}, released?: bigint) {
    const crossing = await begin(settings);
    if (released !== undefined) await release(crossing, released);
    await crossing.place();
    await crossing.expectSwapped();
    await crossing.expectAccessible();
    return crossing;
  }

  it('goes by signature, after an approval of exactly the amount', async () => {
    const crossing = await swap();
    expect(crossing.walletRequests()).to.deep.equal(['approve sent', 'sign signed', 'initiate sent']);
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign']);
    expect(await allowance(crossing)).to.equal(0n);
  });

  it('goes by signature alone if the allowance is sufficient, without a transaction of the payer', async () => {
    const crossing = await begin();
    await release(crossing, crossing.amount);
    const nonce = await nodeOf(crossing).getNonceForAddress(crossing.payer.account);
    await crossing.place();
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['sign']);
    expect(await nodeOf(crossing).getNonceForAddress(crossing.payer.account)).to.equal(nonce);
    expect(await allowance(crossing)).to.equal(0n);
  });

  it('goes by signature if the allowance is a little too low, after an approval of exactly the amount', async () => {
    const crossing = await swap({}, 999_999n);
    expect(crossing.asked).to.deep.equal(['send', 'sign']);
    expect(await allowance(crossing)).to.equal(0n);
  });

  for (const [what, released, calls] of [
    ['released in the same transaction', undefined, ['approve', 'initiate']],
    ['released in the same transaction where it was too little', 999_999n, ['approve', 'initiate']],
    ['not released where it was enough', 1_000_000n, ['initiate']],
  ] as const) {
    it(`goes by transaction, the token ${what}`, async () => {
      const crossing = await swap({faults: NOT_SIGNED}, released);
      expect(crossing.asked.filter(kind => kind !== 'connect')).to.deep.equal(['send']);
      expect(await allowance(crossing)).to.equal(0n);

      // As the library decodes it: the number of calls, then address, selector, length and data of each.
      const {source_swap: source} = await crossing.read();
      const sent = await nodeOf(crossing).getTransaction(source.initiate_tx_hash);
      const [count, ...felts] = (sent as unknown as {calldata: string[]}).calldata.map(BigInt);
      const found: {to: bigint | undefined; selector: bigint | undefined; calldata: bigint[]}[] = [];
      for (let call = 0n; call < count!; call++) {
        const [to, selector, length] = felts.splice(0, 3);
        found.push({to, selector, calldata: felts.splice(0, Number(length))});
      }
      expect(found.map(({selector}) => selector)).to.deep.equal(
        calls.map(name => BigInt(hash.getSelectorFromName(name))),
      );
      const {token, contracts} = homeOf(crossing);
      const initiation = found.at(-1)!;
      expect(initiation.to).to.equal(BigInt(contracts[0]!));
      expect(initiation.calldata.slice(0, 4)).to.deep.equal([
        BigInt(String(source['redeemer'])),
        BigInt(Number(source['timelock'])),
        crossing.amount,
        0n,
      ]);
      const words = initiation.calldata.slice(4).map(word => word.toString(16).padStart(8, '0'));
      expect(words.join('')).to.equal(source['secret_hash']);
      if (calls.length === 2) {
        expect(found[0]).to.deep.include({to: BigInt(token), calldata: [BigInt(contracts[0]!), crossing.amount, 0n]});
      }
    });
  }

  it('goes by transaction on request instead of a signature', async () => {
    const crossing = await begin({answer: ({kind}) => kind !== 'sign'});
    await crossing.place();
    await crossing.press(/^Send the payment myself$/);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign', 'send']);
  });

  for (const [name, payer, numbers] of [
    ['one key', wallet({}), 2],
    ['a guardian', guarded, 9],
  ] as const) {
    it(`is signed by an account with ${name}, verified by library and chain: ${String(numbers)} felts, sent unchanged`, async () => {
      const crossing = await begin({payer});
      const signed: {data: TypedData; signature: string[]}[] = [];
      interceptRequests(crossing, async (type, answer, params) => {
        const answered = await answer();
        if (type === 'wallet_signTypedData') signed.push({data: params as TypedData, signature: answered as string[]});
        return answered;
      });
      await crossing.place();
      await crossing.expectSwapped();

      expect(signed).to.have.length(1);
      const {data, signature} = signed[0]!;
      expect(signature).to.have.length(numbers);
      expect(handed).to.deep.equal([signature]);
      const {account} = crossing.payer;
      const node = nodeOf(crossing);
      expect(await node.verifyMessageInStarknet(data, signature, account)).to.equal(true);
      const other = {...data, message: {...data.message, amount: {low: '0x1', high: '0x0'}}};
      expect(await node.verifyMessageInStarknet(other, signature, account)).to.equal(false);
      expect(snip12.validateTypedData(data)).to.equal(true);
      const {source_swap: source} = await crossing.read();
      const {redeemer, amount, timelock, secretHash} = data.message as Record<string, never>;
      expect(BigInt(redeemer!)).to.equal(BigInt(String(source['redeemer'])));
      expect(uint256.uint256ToBN(amount!)).to.equal(crossing.amount);
      expect(Number(timelock)).to.equal(source['timelock']);
      expect(
        (secretHash as unknown as (string | number)[]).map(word => BigInt(word).toString(16).padStart(8, '0')).join(''),
      ).to.equal(source['secret_hash']);
    });
  }

  for (const [format, payer, is] of [
    ['comma', wallet({}), /^\d+,\d+$/],
    ['comma', guarded, /^\d+(?:,\d+){8}$/],
    ['rs', wallet({}), /^\{"r":"\d+","s":"\d+"\}$/],
  ] as const) {
    it(`sends the signature as “${format}” if the page sets it, and the service accepts it: ${String(is)}`, async () => {
      const crossing = await begin({payer});
      crossing.page.widget.signatureFormat = format;
      await crossing.place();
      await crossing.expectSwapped();
      expect(handed).to.have.length(1);
      const [given] = handed;
      expect(typeof given === 'string' ? given : JSON.stringify(given)).to.match(is);
    });
  }

  it('says that nine felts do not fit “rs”, sends no signature, and can be paid by transaction', async () => {
    const crossing = await begin({payer: guarded});
    crossing.page.widget.signatureFormat = 'rs';
    await crossing.place();
    await crossing.untilSays('This site’s swap isn’t set up correctly.');
    await crossing.until(() => crossing.page.canGoOn, 'it stays busy');
    expect(handed).to.deep.equal([]);
    expect(crossing.page.text).to.include('No money was sent');
    expect(crossing.page.primary).to.equal('Try again');
    expect(crossing.errors.map(({code}) => code)).to.deep.equal(['config']);
    await crossing.expectUntouched();
    await crossing.expectAccessible();
    await crossing.reload();
    await crossing.press(/^Send the payment myself$/);
    await crossing.expectSwapped();
    expect(handed).to.deep.equal([]);
    expect(crossing.orderIds).to.have.length(1);
  });

  it('resumes after a reload at every step', async () => {
    const crossing = await begin({answer: (_, turn) => turn !== 0 && turn !== 2, faults: {solverGone: true}});
    await crossing.review();
    await crossing.reload();
    expect(crossing.page.amount).to.equal('0.01');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilSays('You declined in your wallet.');
    await crossing.reload();
    await crossing.next(/^Sign with /);
    await crossing.until(
      () => crossing.errors.at(-1)?.code === 'rejected' && crossing.page.canGoOn,
      'the rejection is not mentioned',
    );
    expect(crossing.walletRequests()).to.deep.equal(['approve refused', 'approve sent', 'sign refused']);
    await crossing.reload();
    await crossing.expectUntouched();
    await crossing.next(/^Sign with /);
    await crossing.untilStage('settling');
    await crossing.reload();
    await crossing.untilStage('settling');
    expect(crossing.page.button(/^(?:Sign|Pay) with /), 'offered to pay again').to.equal(undefined);
    await crossing.mend();
    await crossing.expectSwapped();
    await crossing.reload();
    await crossing.untilStage('complete');
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send', 'sign', 'sign']);
    expect(crossing.orderIds).to.have.length(1);
  });
});

describe('A Starknet wallet', function () {
  this.timeout(60_000);

  const ways = [
    {way: 'signature', faults: {}, again: /^Sign with /, deed: 'sign', type: 'wallet_signTypedData'},
    {way: 'transaction', faults: NOT_SIGNED, again: /^Pay with /, deed: 'send', type: 'wallet_addInvokeTransaction'},
  ] as const;

  for (const {way, faults, again, deed, type} of ways) {
    it(`that rejects a ${way} loses nothing, and is prompted again at a press`, async () => {
      let told = 0;
      const crossing = await begin({
        faults,
        answer: ({kind, title}) => kind !== deed || !title.startsWith('Pay') || told++ > 0,
      });
      await crossing.place();
      await crossing.untilSays('You declined in your wallet.');
      await crossing.expectUntouched();
      await crossing.next(again);
      await crossing.expectSwapped();
      expect(crossing.errors.map(({code}) => code)).to.deep.equal(['rejected']);
      expect(crossing.orderIds).to.have.length(1);
    });

    it(`that gives no clear answer to a ${way} can pay if nothing was sent`, async () => {
      let told = 0;
      const crossing = await begin({
        faults,
        answer: ({kind, title}) => {
          if (kind === deed && title.startsWith('Pay') && told++ === 0) throw new Error('Something went wrong.');
          return true;
        },
      });
      await crossing.place();
      // A signature that never left the page has paid nothing, so there is no question.
      await crossing.untilSays(way === 'transaction' ? QUESTION : 'Your signature never left this page');
      await crossing.expectAccessible();
      expect(crossing.walletRequests().at(-1)).to.equal(`${deed} asking`);
      await crossing.reload();
      if (way === 'transaction') {
        await crossing.untilSays(QUESTION);
        await crossing.press(/^No, I didn’t$/);
      }
      await crossing.next(again);
      await crossing.expectSwapped();
      expect(crossing.orderIds).to.have.length(1);
    });

    it(`that makes a ${way} and never answers ${way === 'transaction' ? 'has paid, no matter what the person says' : 'has paid nothing'}`, async () => {
      const crossing = await begin({faults});
      await release(crossing, crossing.amount);
      swallowAnswers(crossing, type);
      await crossing.place();
      if (way === 'transaction') {
        // The service sees the payment.
        await crossing.expectSwapped();
      } else {
        await crossing.untilSays('Your signature never left this page');
        await crossing.expectUntouched();
      }
      expect(crossing.asked.filter(kind => kind === deed)).to.have.length(1);
    });
  }

  for (const yes of [true, false]) {
    it(`is sent no second wallet request while a prompt is open, and continues with its ${yes ? 'yes' : 'no'}`, async () => {
      let give: (answer: boolean) => void = () => undefined;
      const held = new Promise<boolean>(resolve => (give = resolve));
      const crossing = await begin({faults: NOT_SIGNED, answer: (_, turn) => (turn === 0 ? held : true)});
      await crossing.place();
      await crossing.until(() => crossing.asked.at(-1) === 'send', 'the wallet never prompted');
      await crossing.reload();
      await crossing.until(() => crossing.page.find('[part="primary"]'), 'the deposit was never shown');
      expect(crossing.page.canGoOn, 'offered to pay again').to.equal(false);
      give(yes);
      if (!yes) await crossing.next(/^Pay with /);
      await crossing.expectSwapped();
      expect(crossing.asked).to.deep.equal(yes ? ['connect', 'send'] : ['connect', 'send', 'send']);
    });
  }

  it('that was locked meanwhile is unlocked at a press, then prompted', async () => {
    const crossing = await begin({faults: NOT_SIGNED, rejections: 1});
    await crossing.place();
    await crossing.untilSays('You declined in your wallet.');
    walletOf(crossing).lock();
    await crossing.next(/^Connect a wallet$/);
    await crossing.chooseWallet();
    await crossing.next(/^Pay with /);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'unlock', 'send']);
  });

  it('with another account than the order’s is not prompted until it has switched back', async () => {
    const crossing = await begin({faults: NOT_SIGNED, rejections: 1});
    const [first, second] = walletOf(crossing).accounts as [string, string];
    await crossing.place();
    await crossing.untilSays('You declined in your wallet.');
    walletOf(crossing).useAccount(second);
    await crossing.next(/^Pay with /);
    await crossing.untilSays('Your wallet is using another account.');
    await crossing.until(() => crossing.page.canGoOn, 'it stays busy');
    walletOf(crossing).useAccount(first);
    await crossing.expectUntouched();
    await crossing.next(/^Pay with /);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
  });

  it('on another network is switched to the source’s, once the person approves', async () => {
    let told = 0;
    const crossing = await begin({
      faults: NOT_SIGNED,
      payer: given => {
        const {chains} = given.state;
        const {chainId, rpc, accountClass} = chains['starknet_sepolia'] as {
          chainId: string;
          rpc: string;
          accountClass: string;
        };
        const sepolia = {chainId, rpc, name: 'Starknet Sepolia', accountClass};
        return wallet({chains: [{...MAIN, accountClass}, sepolia]}, ({kind}) =>
          Promise.resolve(kind !== 'switch' || told++ > 0),
        )(given);
      },
    });
    await crossing.place();
    await crossing.until(() => crossing.errors.length > 0 && crossing.page.canGoOn, 'the rejection is not mentioned');
    expect(crossing.errors.map(({code}) => code)).to.deep.equal(['rejected']);
    await crossing.expectUntouched();
    await crossing.next(/^Switch to Starknet Sepolia$/);
    await crossing.expectSwapped();
    expect(told).to.equal(2);
  });

  it('that does not know the network is never prompted', async () => {
    const crossing = await begin({
      payer: given => {
        const {accountClass} = given.state.chains['starknet_sepolia'] as {accountClass: string};
        return wallet({chains: [{...MAIN, accountClass}]})(given);
      },
    });
    await crossing.place();
    await crossing.untilSays('Your wallet is on another network.');
    await crossing.expectUntouched();
    expect(crossing.asked).to.deep.equal(['connect']);
  });

  it('without the balance for the amount is offered what it has, before any review', async () => {
    const crossing = await begin();
    await crossing.review();
    await crossing.page.press('Back');
    await crossing.page.typeAmount('0.04');
    await crossing.untilSays('Not enough WBTC: you have 0.03.');
    expect(crossing.page.button(/^Review swap$/)).to.equal(undefined);
    await crossing.next(/^Use 0\.03 WBTC$/);
    await crossing.until(() => crossing.page.amount === '0.03', 'the amount is not taken');
    await crossing.expectUntouched();
    expect(crossing.asked).to.deep.equal(['connect']);
  });
});

describe('A refund on Starknet', function () {
  this.timeout(60_000);
  let sandbox: TestSandbox & {close(): Promise<void>};
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());

  for (const [way, faults, payer] of [
    ['signature of an account with a guardian', {}, guarded],
    ['transaction', NOT_SIGNED, wallet({})],
  ] as const) {
    it(`is possible after the timelock and not before, for the full amount: paid by ${way}`, async () => {
      let asked = 0;
      const crossing = await begin({
        on: sandbox,
        payer,
        faults: {solverGone: true, ...faults},
        // The first refund is rejected.
        answer: ({title}) => !title.startsWith('Refund') || asked++ > 0,
      });
      await crossing.place();
      await crossing.untilStage('settling');
      expect(await crossing.moved()).to.deep.equal({paid: crossing.amount, received: 0n});
      expect(crossing.page.button(/^Take your money back$/)).to.equal(undefined);
      await sandbox.expire(crossing.orderId);
      await crossing.untilStage('refunding');
      await crossing.next(/^Take your money back$/);
      await crossing.untilSays('You declined in your wallet.');
      await crossing.reload();
      await crossing.next(/^Take your money back$/);
      await crossing.untilStage('refunded');
      await crossing.untilSays('You got back');
      await crossing.expectAccessible();
      await crossing.expectUntouched();
      expect(crossing.walletRequests().slice(-2)).to.deep.equal(['refund refused', 'refund sent']);
    });
  }
});

describe('A hostile service on Starknet', function () {
  this.timeout(60_000);

  const AMOUNT = 'The amount isn’t the one you agreed to';
  const CALL = 'The payment would do more than pay for this swap';
  const CHAIN = 'The network isn’t the one you agreed to';
  const CONTRACT = 'The contract isn’t the known one';
  const ORDER = 'This isn’t the swap you agreed to';
  const SAME = 'The signature and the payment don’t match';
  const SECRET = 'The secret of the swap is wrong or already known';
  const lies: Readonly<Record<string, string>> = {
    'amount-in-call': AMOUNT,
    'amount-in-typed-data': AMOUNT,
    amount: AMOUNT,
    'high-amount': AMOUNT,
    'redeemer-in-call': SAME,
    'redeemer-in-typed-data': SAME,
    redeemer: ORDER,
    'secret-hash-in-call': SAME,
    'secret-hash-in-typed-data': SAME,
    'secret-hash': SECRET,
    'seven-words': AMOUNT,
    'word-out-of-range': AMOUNT,
    timelock: CALL,
    'chain-id': CHAIN,
    contract: CONTRACT,
    'unknown-selector': AMOUNT,
    'selector-of-selector': AMOUNT,
    approve: AMOUNT,
    transfer: AMOUNT,
    'trailing-felts': AMOUNT,
    recipient: ORDER,
    'destination-amount': ORDER,
  };
  /** Only the typed data is wrong; the call is correct. */
  const strange = ['domain-name', 'domain-version', 'domain-revision', 'extra-types', 'primary-type'];

  it('covers all falsifications', () => {
    expect(Object.keys(corruptions).filter(kind => !(kind in lies) && !strange.includes(kind))).to.deep.equal([]);
  });

  for (const kind of strange) {
    it(`gets no signature, but the correct transaction: ${kind}`, async () => {
      const crossing = await begin({faults: {hostile: {kind}}});
      await crossing.place();
      await crossing.expectSwapped();
      expect(crossing.walletRequests()).to.deep.equal(['send sent']);
      expect(handed).to.deep.equal([]);
    });
  }

  for (const [kind, says] of Object.entries(lies)) {
    it(`is stopped before any wallet request: ${kind}`, async () => {
      const crossing = await begin({faults: {hostile: {kind}}});
      await crossing.place();
      await crossing.expectStopped(says);
    });
  }
});

describe('A swap to Starknet', function () {
  this.timeout(60_000);
  const begin = (settings: Partial<CrossingSettings> = {}) =>
    beginCrossing({from: BASE_WBTC, to: WBTC, amount: '0.01', ...settings});
  const short = (address: string) => `0x${BigInt(address).toString(16)}`;

  for (const [what, typed] of [
    ['with all its zeros', (address: string) => `0x${address.slice(2).padStart(64, '0')}`],
    ['without its zeros', short],
    ['in large letters', (address: string) => `0x${address.slice(2).toUpperCase()}`],
    [
      'without leading zeros, in upper case, with surrounding spaces',
      (address: string) => ` 0x${short(address).slice(2).toUpperCase()} `,
    ],
  ] as const) {
    it(`pays an account that is not deployed, its address typed ${what}`, async () => {
      // Only an address with a leading zero has a short form.
      const crossing = await begin({typed: address => typed(address)});
      await crossing.place();
      await crossing.expectSwapped();
      expect(BigInt(String((await crossing.read()).destination_swap['redeemer']))).to.equal(
        BigInt(crossing.receiver.account),
      );
    });
  }

  for (const [what, typed] of [
    ['of another chain', () => '6BaduUbC4Q5nUYLLvFyTRxPR2jHwmZFhMdMHDzU9zuC3'],
    ['of zeros', () => `0x${'0'.repeat(64)}`],
    ['that is too long', (address: string) => `${address}00`],
    ['beyond all addresses', () => `0x${'f'.repeat(64)}`],
    ['without its beginning', (address: string) => address.slice(2)],
  ] as const) {
    it(`is not possible with an address ${what}`, async () => {
      const crossing = await begin();
      await crossing.page.typeAmount('0.01');
      await crossing.page.typeRecipient(typed(crossing.receiver.account));
      await crossing.until(() => crossing.page.notes.length > 0, 'the address was not rejected');
      expect(crossing.page.primary).not.to.equal('Review swap');
    });
  }
});
