import {expect} from '@open-wc/testing';
import {CallData, hash, RpcProvider, typedData as snip12} from 'starknet';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {
  createStarknetWallet,
  type StarknetChain,
  type StarknetWallet,
  type StarknetWalletSettings,
} from '../../demo/wallets/starknet.js';
import {sandbox, type SandboxAsset} from '../support/sandbox.js';
import {samples} from '../support/samples.js';
import {TestStorage} from '../support/session.js';

const SEPOLIA = '0x534e5f5345504f4c4941';
const MAIN = '0x534e5f4d41494e';
const WBTC = 'starknet_sepolia:wbtc';
const STRANGER = '0x0444444444444444444444444444444444444444444444444444444444444444';

const yes: Approver = () => Promise.resolve(true);
const no: Approver = () => Promise.resolve(false);
const never: Approver = () => new Promise(() => undefined);

interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}
const {typed_data: TYPED_DATA} = samples.starknet.order.result as {typed_data: TypedData};

describe('a Starknet development wallet', function () {
  this.timeout(20_000);
  let chain: StarknetChain;
  let asset: SandboxAsset;
  let provider: RpcProvider;
  let opened: StarknetWallet[] = [];

  before(async () => {
    const found = (await sandbox.info()).chains['starknet_sepolia']!;
    const {accountClass, guardedAccountClass} = found as unknown as Record<string, string>;
    chain = {
      chainId: SEPOLIA,
      rpc: found.rpc,
      name: 'Starknet Sepolia',
      ...(accountClass && {accountClass}),
      ...(guardedAccountClass && {guardedAccountClass}),
    };
    asset = found.assets[WBTC]!;
    provider = new RpcProvider({nodeUrl: chain.rpc});
  });

  afterEach(() => {
    for (const wallet of opened) wallet.withdraw();
    opened = [];
  });

  /** A wallet with a new account and empty storage. */
  function open(settings: Partial<StarknetWalletSettings> = {}): StarknetWallet {
    const wallet = createStarknetWallet({
      name: 'Test (development)',
      id: 'test',
      seedPhrase: `a wallet of the tests ${crypto.randomUUID()}`,
      chains: [chain, {chainId: MAIN, rpc: 'http://127.0.0.1:1', name: 'Starknet'}],
      approver: yes,
      storage: new TestStorage(),
      ...settings,
    });
    opened.push(wallet);
    return wallet;
  }

  async function openConnected(settings: Partial<StarknetWalletSettings> = {}): Promise<StarknetWallet> {
    const wallet = open(settings);
    await ask(wallet, 'wallet_requestAccounts');
    return wallet;
  }

  const ask = (wallet: StarknetWallet, type: string, params?: unknown): Promise<unknown> =>
    wallet.object.request({type, ...(params === undefined ? {} : {params})});

  async function refusal(wallet: StarknetWallet, type: string, params?: unknown): Promise<number | undefined> {
    return ask(wallet, type, params).then(
      () => undefined,
      (error: {code: number}) => error.code,
    );
  }

  const recordQuestions = (wallet: StarknetWallet): Prompt[] => {
    const questions: Prompt[] = [];
    wallet.approver = question => {
      questions.push(question);
      return Promise.resolve(true);
    };
    return questions;
  };

  const call = (to: string, entry_point: string, ...values: (bigint | string | number)[]) => ({
    contract_address: to,
    entry_point,
    calldata: CallData.toHex(values.map(String)),
  });

  const balanceOf = async (address: string) => {
    const [low = '0x0'] = await provider.callContract({
      contractAddress: asset.token!,
      entrypoint: 'balance_of',
      calldata: [address],
    });
    return BigInt(low);
  };

  describe('adds its object to the page', () => {
    it('under its name, with the members of the standard, and frozen', () => {
      const {object} = open();
      const found = (globalThis as unknown as Record<string, unknown>)['starknet_test'];
      expect(found).to.equal(object);
      expect(object).to.include({id: 'test', name: 'Test (development)', version: '1.0.0'});
      expect(object.icon).to.match(/^data:image\/svg\+xml,/);
      expect(object).to.be.frozen;
    });

    it('until it is withdrawn', () => {
      open().withdraw();
      expect(globalThis).to.not.have.property('starknet_test');
    });
  });

  describe('hides its account', () => {
    it('until the person approves', async () => {
      const wallet = open();
      const heard: unknown[] = [];
      wallet.object.on('accountsChanged', (accounts: string[]) => heard.push(accounts));
      expect(await ask(wallet, 'wallet_requestAccounts', {silent_mode: true})).to.deep.equal([]);
      expect(await ask(wallet, 'wallet_getPermissions')).to.deep.equal([]);
      const questions = recordQuestions(wallet);
      expect(await ask(wallet, 'wallet_requestAccounts')).to.deep.equal([wallet.account]);
      expect(questions.map(({kind}) => kind)).to.deep.equal(['connect']);
      expect(await ask(wallet, 'wallet_requestAccounts', {silent_mode: true})).to.deep.equal([wallet.account]);
      expect(await ask(wallet, 'wallet_getPermissions')).to.deep.equal(['accounts']);
      expect(heard).to.deep.equal([[wallet.account]]);
    });

    it('when the person rejects: an empty list', async () => {
      expect(await ask(open({approver: no}), 'wallet_requestAccounts')).to.deep.equal([]);
    });

    it('while it is locked, and after it has revoked the page’s permission', async () => {
      const wallet = await openConnected();
      wallet.lock();
      expect(await ask(wallet, 'wallet_requestAccounts', {silent_mode: true})).to.deep.equal([]);
      const questions = recordQuestions(wallet);
      expect(await ask(wallet, 'wallet_requestAccounts')).to.deep.equal([wallet.account]);
      expect(questions.map(({kind}) => kind)).to.deep.equal(['unlock']);
      wallet.forget();
      expect(await ask(wallet, 'wallet_requestAccounts', {silent_mode: true})).to.deep.equal([]);
    });

    it('and remembers the page’s permission, its account and its chain', async () => {
      const [storage, words] = [new TestStorage(), 'always the same'];
      const wallet = await openConnected({storage, seedPhrase: words});
      wallet.useAccount(wallet.accounts[1]!);
      wallet.useChain(MAIN);
      const again = open({storage, seedPhrase: words, approver: never});
      expect(await ask(again, 'wallet_requestAccounts')).to.deep.equal([wallet.accounts[1]]);
      expect(again.chainId).to.equal(MAIN);
    });
  });

  it('emits each change of account and chain once, until the listener is removed', async () => {
    const wallet = await openConnected();
    const heard: unknown[] = [];
    const accounts = (...values: unknown[]) => heard.push(['accounts', ...values]);
    const network = (...values: unknown[]) => heard.push(['network', ...values]);
    wallet.object.on('accountsChanged', accounts);
    wallet.object.on('networkChanged', network);
    const [one, other] = wallet.accounts;
    wallet.useAccount(other!);
    wallet.useAccount(other!);
    wallet.useChain(MAIN);
    wallet.object.off('accountsChanged', accounts);
    wallet.object.off('networkChanged', network);
    wallet.useAccount(one!);
    wallet.useChain(SEPOLIA);
    expect(heard).to.deep.equal([
      ['accounts', [other]],
      ['network', MAIN, [other]],
    ]);
  });

  it('reports its specifications and its chain', async () => {
    const wallet = open();
    expect(await ask(wallet, 'wallet_requestChainId')).to.equal(SEPOLIA);
    expect(await ask(wallet, 'wallet_supportedSpecs')).to.include('0.10');
    expect(await ask(wallet, 'wallet_supportedWalletApi')).to.include('0.7');
  });

  describe('switches its chain', () => {
    it('when the person approves', async () => {
      const wallet = await openConnected();
      const questions = recordQuestions(wallet);
      expect(await ask(wallet, 'wallet_switchStarknetChain', {chainId: SEPOLIA})).to.equal(true);
      expect(questions).to.deep.equal([]);
      expect(await ask(wallet, 'wallet_switchStarknetChain', {chainId: MAIN})).to.equal(true);
      expect(questions.map(({title}) => title)).to.deep.equal(['Switch to Starknet']);
      expect(await ask(wallet, 'wallet_requestChainId')).to.equal(MAIN);
    });

    it('not after a rejection: 113; not to an unknown chain: 112; not silently without permission: 117', async () => {
      const wallet = await openConnected();
      wallet.approver = no;
      expect(await refusal(wallet, 'wallet_switchStarknetChain', {chainId: MAIN})).to.equal(113);
      expect(await refusal(wallet, 'wallet_switchStarknetChain', {chainId: '0x1'})).to.equal(112);
      wallet.forget();
      expect(await refusal(wallet, 'wallet_switchStarknetChain', {chainId: MAIN, silent_mode: true})).to.equal(117);
      expect(wallet.chainId).to.equal(SEPOLIA);
    });
  });

  it('lists a token when the person approves', async () => {
    const wallet = await openConnected();
    const params = {type: 'ERC20', options: {address: asset.token, symbol: 'WBTC'}};
    const questions = recordQuestions(wallet);
    expect(await ask(wallet, 'wallet_watchAsset', params)).to.equal(true);
    expect(questions.map(({title}) => title)).to.deep.equal(['Show WBTC']);
    wallet.approver = no;
    expect(await refusal(wallet, 'wallet_watchAsset', params)).to.equal(113);
    expect(await refusal(wallet, 'wallet_watchAsset', {type: 'ERC721', options: {}})).to.equal(114);
  });

  describe('pays', () => {
    let payer: StarknetWallet;

    beforeEach(async () => {
      payer = await openConnected();
      await sandbox.faucet(WBTC, payer.account, 100_000_000n);
    });

    const send = (...calls: readonly object[]) =>
      ask(payer, 'wallet_addInvokeTransaction', {calls}) as Promise<{transaction_hash: string}>;

    it('with a real transaction, from an account that it deploys first', async () => {
      const data = (await ask(payer, 'wallet_deploymentData')) as Record<string, unknown> & {calldata: string[]};
      expect(data['address']).to.equal(payer.account);
      expect(
        BigInt(
          hash.calculateContractAddressFromHash(String(data['salt']), String(data['class_hash']), data.calldata, 0),
        ),
      ).to.equal(BigInt(payer.account));
      const {transaction_hash} = await send(call(asset.token!, 'transfer', STRANGER, 250n, 0n));
      const receipt = await provider.waitForTransaction(transaction_hash, {retryInterval: 20});
      expect(receipt.isSuccess()).to.be.true;
      expect(await balanceOf(payer.account)).to.equal(99_999_750n);
      expect(await provider.getNonceForAddress(payer.account)).to.equal('0x2');
      expect(await refusal(payer, 'wallet_deploymentData')).to.equal(115);
      await send(call(asset.token!, 'transfer', STRANGER, 250n, 0n));
      expect(await provider.getNonceForAddress(payer.account)).to.equal('0x3');
    });

    it('and describes each call', async () => {
      const [contract = ''] = asset.contracts;
      const questions = recordQuestions(payer);
      const words = Array.from({length: 8}, (_, place) => BigInt(place) + BigInt(Date.now() % 1_000_000));
      const initiate = call(contract, 'initiate', STRANGER, 120n, 10_000_000n, 0n, ...words);
      const approve = call(asset.token!, 'approve', contract, 10_000_000n, 0n);
      await send(approve, initiate);
      await send(approve);
      await send(call(asset.token!, 'approve', contract, 2n ** 128n - 1n, 2n ** 128n - 1n));
      await send(call(asset.token!, 'transfer', STRANGER, 10_000_000n, 0n));
      await send(call(asset.token!, 'transfer_from', payer.account, payer.account, 0n, 0n));
      expect(questions.map(({kind, title}) => `${kind}: ${title}`)).to.deep.equal([
        'send: Pay 0.1 WBTC into a swap',
        'send: Allow 0.1 WBTC',
        'send: Allow any amount of WBTC',
        'send: Send 0.1 WBTC',
        'send: Call a contract',
      ]);
      const [pay, allow] = questions;
      expect(pay?.text).to.contain('after 120 blocks').and.to.contain('First: Allow 0.1 WBTC.');
      const facts = new Map(pay?.facts.map(({label, value}) => [label, value]));
      expect(facts.get('To spender')).to.equal(contract);
      expect(facts.get('Contract')).to.equal(contract);
      expect(facts.get('From')).to.equal(payer.account);
      expect(facts.get('Network fee')).to.match(/^at most 0\.\d+ STRK$/);
      expect(facts.has('New account')).to.be.true;
      expect(allow?.facts.some(({label}) => label === 'New account')).to.be.false;
    });

    it('nothing when the person rejects: 113, and no nonce is used', async () => {
      payer.approver = no;
      const transfer = call(asset.token!, 'transfer', STRANGER, 1n, 0n);
      expect(await refusal(payer, 'wallet_addInvokeTransaction', {calls: [transfer]})).to.equal(113);
      payer.approver = yes;
      await send(transfer);
      expect(await provider.getNonceForAddress(payer.account)).to.equal('0x2');
    });

    it('nothing that would revert, without a prompt: 163 with the node’s error', async () => {
      payer.approver = never;
      const error = await send(call(asset.token!, 'transfer', STRANGER, 10n ** 18n, 0n)).then(
        () => undefined,
        (reason: {code: number; data: {code: number}}) => reason,
      );
      expect([error?.code, error?.data.code]).to.deep.equal([163, 41]);
    });

    it('nothing if a selector is given as a name: names are hashed', async () => {
      const transfer = call(asset.token!, hash.getSelectorFromName('transfer'), STRANGER, 1n, 0n);
      expect(await refusal(payer, 'wallet_addInvokeTransaction', {calls: [transfer]})).to.equal(163);
    });

    it('several concurrently, each with its own nonce', async () => {
      const hashes = await Promise.all(
        [1n, 2n, 3n].map(amount => send(call(asset.token!, 'transfer', STRANGER, amount, 0n))),
      );
      expect(new Set(hashes.map(({transaction_hash}) => transaction_hash)).size).to.equal(3);
      expect(await balanceOf(payer.account)).to.equal(99_999_994n);
    });

    it('and connects first if it is not connected', async () => {
      payer.forget();
      const questions = recordQuestions(payer);
      await send(call(asset.token!, 'transfer', STRANGER, 1n, 0n));
      expect(questions.map(({kind}) => kind)).to.deep.equal(['connect', 'send']);
    });
  });

  describe('signs', () => {
    const isValid = async (wallet: StarknetWallet, data: object, signature: string[]) =>
      provider
        .callContract({
          contractAddress: wallet.account,
          entrypoint: 'is_valid_signature',
          calldata: [snip12.getMessageHash(data as never, wallet.account), String(signature.length), ...signature],
        })
        .then(([answer]) => BigInt(answer ?? 0) !== 0n);

    for (const [guarded, length] of [
      [false, 2],
      [true, 9],
    ] as const) {
      it(`typed data, with ${length} felts that its account verifies`, async () => {
        const wallet = await openConnected({guarded});
        // The first transaction deploys the account.
        await ask(wallet, 'wallet_addInvokeTransaction', {calls: [call(asset.token!, 'approve', STRANGER, 0n, 0n)]});
        const signature = (await ask(wallet, 'wallet_signTypedData', TYPED_DATA)) as string[];
        expect(signature).to.have.length(length);
        expect(await isValid(wallet, TYPED_DATA, signature)).to.be.true;
        const other = {...TYPED_DATA, message: {...TYPED_DATA.message, timelock: '2881'}};
        expect(await isValid(wallet, other, signature)).to.be.false;
      });
    }

    it('and describes what it allows, field by field', async () => {
      const wallet = await openConnected();
      const questions = recordQuestions(wallet);
      await ask(wallet, 'wallet_signTypedData', TYPED_DATA);
      expect(questions[0]).to.include({kind: 'sign', title: 'Pay 50000 units by signature'});
      const facts = new Map(questions[0]?.facts.map(({label, value}) => [label, value]));
      expect(facts.get('amount.low')).to.equal('0xc350');
      expect(facts.get('secretHash.0')).to.equal('3887207343');
      expect(facts.get('domain.name')).to.equal('HTLC');
      const other = {
        domain: {name: 'Club', version: '1', chainId: 'SN_SEPOLIA', revision: '1'},
        types: {
          StarknetDomain: ['name', 'version', 'chainId', 'revision'].map(name => ({name, type: 'shortstring'})),
          Member: [{name: 'number', type: 'felt'}],
        },
        primaryType: 'Member',
        message: {number: '7'},
      };
      await ask(wallet, 'wallet_signTypedData', other);
      expect(questions[1]?.title).to.equal('Sign “Member”');
    });

    it('nothing when the person rejects: 113', async () => {
      const wallet = await openConnected();
      wallet.approver = no;
      expect(await refusal(wallet, 'wallet_signTypedData', TYPED_DATA)).to.equal(113);
    });

    it('nothing for another chain, and no invalid typed data: 114', async () => {
      const wallet = await openConnected();
      wallet.approver = never;
      const elsewhere = {...TYPED_DATA, domain: {...TYPED_DATA.domain, chainId: 'SN_MAIN'}};
      expect(await refusal(wallet, 'wallet_signTypedData', elsewhere)).to.equal(114);
      expect(await refusal(wallet, 'wallet_signTypedData', {...TYPED_DATA, message: {}})).to.equal(114);
      expect(await refusal(wallet, 'wallet_signTypedData', {})).to.equal(114);
    });
  });

  it('supports only the methods it lists: 163, 114', async () => {
    const wallet = await openConnected();
    for (const type of ['wallet_addDeclareTransaction', 'starknet_chainId', '']) {
      expect(await refusal(wallet, type)).to.equal(163);
    }
    expect(await refusal(wallet, 'wallet_addInvokeTransaction', {calls: []})).to.equal(114);
    expect(await refusal(wallet, 'wallet_addInvokeTransaction')).to.equal(114);
    expect(await refusal(wallet, 'wallet_switchStarknetChain', {chainId: 5})).to.equal(114);
  });
});
