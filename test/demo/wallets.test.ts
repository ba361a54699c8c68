import {expect} from '@open-wc/testing';
import {executeServerCommand, sendKeys} from '@web/test-runner-commands';
import {Interface, id, verifyMessage, verifyTypedData} from 'ethers';
import {createEvmWallet, type EvmWallet, type EvmWalletSettings} from '../../demo/wallets/evm.js';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {
  createDevelopmentWallets,
  giveCoins,
  readBalances,
  walletsOf,
  type DevelopmentWallet,
} from '../../demo/wallets/index.js';
import {assertLoopback} from '../../demo/wallets/wallet-core.js';
import {createSandbox, evmChain, type Sandbox, type SandboxState} from '../../demo/wallets/sandbox.js';
import {TestStorage} from '../support/session.js';

const BASE = '0x14a34';
const SEPOLIA = '0xaa36a7';
const KEY = id('a key of this test');
const erc20 = new Interface([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);
const htlc = new Interface([
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
]);

const yes: Approver = () => Promise.resolve(true);
const no: Approver = () => Promise.resolve(false);
const never: Approver = () => new Promise(() => undefined);

describe('a development wallet', () => {
  let sandbox: Sandbox;
  let state: SandboxState;
  let opened: DevelopmentWallet[] = [];

  before(async function () {
    this.timeout(60_000);
    const {url} = await executeServerCommand<{url: string}, undefined>('sandbox:shared');
    sandbox = createSandbox(url);
    state = await sandbox.read();
  });

  afterEach(() => {
    for (const wallet of opened) wallet.withdraw();
    opened = [];
  });

  /** A wallet of the sandbox's two EVM chains, on Base Sepolia, with empty storage. */
  function open(settings: Partial<EvmWalletSettings> = {}): EvmWallet {
    const wallet = createEvmWallet({
      name: 'Test (development)',
      rdns: 'test.swap-widget.test',
      privateKey: KEY,
      chains: [
        {chainId: 84532, rpc: chain('base_sepolia').rpc, name: 'Base Sepolia'},
        {chainId: 11155111, rpc: chain('ethereum_sepolia').rpc, name: 'Ethereum Sepolia'},
      ],
      approver: yes,
      storage: new TestStorage(),
      ...settings,
    });
    opened.push(wallet);
    return wallet;
  }

  async function openConnected(settings: Partial<EvmWalletSettings> = {}): Promise<EvmWallet> {
    const wallet = open(settings);
    await ask(wallet, 'eth_requestAccounts');
    return wallet;
  }

  function chain(name: string) {
    const found = state.chains[name];
    if (!found) throw new Error(`The sandbox has no ${name}.`);
    return found;
  }

  function asset(id: string) {
    const {token, contracts} = chain(id.split(':')[0] ?? '').assets[id] ?? {};
    const [contract] = contracts ?? [];
    if (!token || !contract) throw new Error(`The sandbox has no ${id}.`);
    return {token, contract};
  }

  /** The specification's typed data for a payment on one of the sandbox's chains. */
  function initiation(assetId: string, chainId: string) {
    return {
      types: {
        EIP712Domain: [
          {name: 'name', type: 'string'},
          {name: 'version', type: 'string'},
          {name: 'chainId', type: 'uint256'},
          {name: 'verifyingContract', type: 'address'},
        ],
        Initiate: [
          {name: 'redeemer', type: 'address'},
          {name: 'timelock', type: 'uint256'},
          {name: 'amount', type: 'uint256'},
          {name: 'secretHash', type: 'bytes32'},
        ],
      },
      primaryType: 'Initiate',
      domain: {name: 'HTLC', version: '2', chainId, verifyingContract: asset(assetId).contract},
      message: {redeemer: REDEEMER, timelock: '0x12c', amount: '0x989680', secretHash: id('secret')},
    };
  }

  describe('announces itself', () => {
    it('at once, and again on request', () => {
      const announced: string[] = [];
      const hear = (event: Event) => {
        announced.push((event as CustomEvent<{info: {name: string}}>).detail.info.name);
      };
      addEventListener('eip6963:announceProvider', hear);
      const wallet = open();
      dispatchEvent(new Event('eip6963:requestProvider'));
      wallet.withdraw();
      dispatchEvent(new Event('eip6963:requestProvider'));
      removeEventListener('eip6963:announceProvider', hear);
      expect(announced).to.deep.equal(['Test (development)', 'Test (development)']);
    });

    it('with an id, its name, an icon and a frozen provider detail', () => {
      const [detail] = collect(() => open());
      expect(detail?.info.uuid).to.match(/^[0-9a-f-]{36}$/);
      expect(detail?.info.rdns).to.equal('test.swap-widget.test');
      expect(detail?.info.icon).to.match(/^data:image\/svg\+xml,/);
      expect(Object.isFrozen(detail)).to.equal(true);
    });

    it('only on loopback addresses', () => {
      for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'shop.localhost']) assertLoopback(host);
      for (const host of ['shop.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.example', '']) {
        expect(() => {
          assertLoopback(host);
        }).to.throw('only run on loopback addresses');
      }
    });
  });

  describe('hides its account', () => {
    it('until the person approves', async () => {
      const wallet = open();
      expect(await ask(wallet, 'eth_accounts')).to.deep.equal([]);
      const heard = listen(wallet, 'accountsChanged');
      expect(await ask(wallet, 'eth_requestAccounts')).to.deep.equal([wallet.account]);
      expect(heard).to.deep.equal([[wallet.account]]);
    });

    it('when the person rejects: 4001', async () => {
      const wallet = open({approver: no});
      expect(await refusal(wallet, 'eth_requestAccounts')).to.equal(4001);
      expect(await ask(wallet, 'eth_accounts')).to.deep.equal([]);
    });

    it('and neither pays nor signs for a page without permission: 4100', async () => {
      const wallet = open();
      const {account} = wallet;
      expect(await refusal(wallet, 'eth_sendTransaction', [{from: account, to: account}])).to.equal(4100);
      expect(await refusal(wallet, 'personal_sign', ['0x00', account])).to.equal(4100);
      const data = JSON.stringify(initiation('base_sepolia:wbtc', BASE));
      expect(await refusal(wallet, 'eth_signTypedData_v4', [account, data])).to.equal(4100);
    });

    it('after the page has revoked its permission', async () => {
      const wallet = await openConnected();
      const heard = listen(wallet, 'accountsChanged');
      expect(await ask(wallet, 'wallet_revokePermissions', [{eth_accounts: {}}])).to.equal(null);
      expect(heard).to.deep.equal([[]]);
      expect(await ask(wallet, 'eth_accounts')).to.deep.equal([]);
    });

    it('while it is locked', async () => {
      const wallet = await openConnected();
      const heard = listen(wallet, 'accountsChanged');
      wallet.lock();
      expect(await ask(wallet, 'eth_accounts')).to.deep.equal([]);
      expect(await refusal(wallet, 'personal_sign', ['0x00', wallet.account])).to.equal(4100);
      const kinds = record(wallet);
      expect(await ask(wallet, 'eth_requestAccounts')).to.deep.equal([wallet.account]);
      expect(kinds()).to.deep.equal(['unlock']);
      expect(heard).to.deep.equal([[], [wallet.account]]);
    });
  });

  it('remembers permission, account and network of a page', async () => {
    const storage = new TestStorage();
    const before = await openConnected({storage});
    const other = before.accounts[1] ?? '';
    before.useAccount(other);
    before.useChain(11155111);
    const after = open({storage, approver: never});
    expect(await ask(after, 'eth_accounts')).to.deep.equal([other]);
    expect(await ask(after, 'eth_requestAccounts')).to.deep.equal([other]);
    expect(await ask(after, 'eth_chainId')).to.equal(SEPOLIA);
  });

  it('ignores an invalid stored state', async () => {
    const storage = new TestStorage();
    storage.setItem('development-wallet:test.swap-widget.test', '{"permitted":"yes"}');
    expect(await ask(open({storage}), 'eth_accounts')).to.deep.equal([]);
  });

  it('emits a change of account', async () => {
    const wallet = await openConnected();
    const heard = listen(wallet, 'accountsChanged');
    const [first, second] = wallet.accounts as [string, string];
    expect(first).not.to.equal(second);
    wallet.useAccount(second);
    expect(heard).to.deep.equal([[second]]);
    expect(await refusal(wallet, 'personal_sign', ['0x00', first])).to.equal(4100);
  });

  it('emits each change once, even to a page that adds a listener meanwhile', async () => {
    const wallet = await openConnected();
    let heard = 0;
    const follow = () => {
      wallet.provider.on('chainChanged', function told() {
        wallet.provider.removeListener('chainChanged', told);
        if (++heard < 10) follow();
      });
    };
    follow();
    wallet.useChain(11155111);
    expect(heard).to.equal(1);
  });

  describe('switches its network', () => {
    it('when the person approves, and emits the change', async () => {
      const wallet = open();
      const heard = listen(wallet, 'chainChanged');
      expect(await ask(wallet, 'wallet_switchEthereumChain', [{chainId: SEPOLIA}])).to.equal(null);
      expect(heard).to.deep.equal([SEPOLIA]);
      expect(await ask(wallet, 'net_version')).to.equal('11155111');
      expect(await ask(wallet, 'eth_chainId')).to.equal(SEPOLIA);
    });

    it('not when the person rejects: 4001', async () => {
      const wallet = open({approver: no});
      expect(await refusal(wallet, 'wallet_switchEthereumChain', [{chainId: SEPOLIA}])).to.equal(4001);
      expect(wallet.chainId).to.equal(84532);
    });

    it('without a prompt to the one it is on', async () => {
      expect(await ask(open({approver: never}), 'wallet_switchEthereumChain', [{chainId: BASE}])).to.equal(null);
    });

    it('not to one it does not know: 4902', async () => {
      expect(await refusal(open(), 'wallet_switchEthereumChain', [{chainId: '0x1'}])).to.equal(4902);
    });

    it('to one that the page adds, if its node has the same chain id', async () => {
      const storage = new TestStorage();
      const chains = [{chainId: 84532, rpc: chain('base_sepolia').rpc, name: 'Base Sepolia'}];
      const wallet = open({storage, chains});
      const added = {chainId: SEPOLIA, chainName: 'Sepolia', rpcUrls: [chain('ethereum_sepolia').rpc]};
      expect(await refusal(wallet, 'wallet_switchEthereumChain', [{chainId: SEPOLIA}])).to.equal(4902);
      expect(await refusal(wallet, 'wallet_addEthereumChain', [{...added, chainId: '0x5'}])).to.equal(-32602);
      expect(await ask(wallet, 'wallet_addEthereumChain', [added])).to.equal(null);
      expect(wallet.chainId).to.equal(11155111);
      expect(open({storage, chains}).chainId).to.equal(11155111);
    });

    it('when its owner switches it', () => {
      const wallet = open({approver: never});
      const heard = listen(wallet, 'chainChanged');
      wallet.useChain(11155111);
      expect(heard).to.deep.equal([SEPOLIA]);
    });
  });

  describe('signs', () => {
    it('typed data as in the specification, with numbers in hex', async () => {
      const wallet = await openConnected();
      const data = initiation('base_sepolia:wbtc', BASE);
      const signature = await ask(wallet, 'eth_signTypedData_v4', [wallet.account.toLowerCase(), JSON.stringify(data)]);
      const {Initiate} = data.types;
      const signer = verifyTypedData(data.domain, {Initiate}, data.message, signature as string);
      expect(signer).to.equal(wallet.account);
    });

    it('and describes what the signature pays, field by field', async () => {
      const wallet = await openConnected();
      const questions = recordQuestions(wallet);
      const data = initiation('base_sepolia:wbtc', BASE);
      await ask(wallet, 'eth_signTypedData_v4', [wallet.account, data]);
      const [question] = questions;
      expect(question?.title).to.equal('Pay 0.1 WBTC by signature');
      expect(question?.text).to.contain('after 300 blocks');
      for (const [label, value] of Object.entries(data.message)) {
        expect(question?.facts.find(fact => fact.label === label)?.value).to.equal(value);
      }
      expect(question?.facts.find(fact => fact.label === 'domain.chainId')?.value).to.equal(BASE);
    });

    it('no typed data for a network other than the active one', async () => {
      const wallet = await openConnected();
      wallet.approver = never;
      const data = JSON.stringify(initiation('ethereum_sepolia:wbtc', SEPOLIA));
      expect(await refusal(wallet, 'eth_signTypedData_v4', [wallet.account, data])).to.equal(-32603);
      wallet.useChain(11155111);
      wallet.approver = yes;
      expect(await ask(wallet, 'eth_signTypedData_v4', [wallet.account, data])).to.match(/^0x[0-9a-f]{130}$/);
    });

    it('nothing when the person says no: 4001', async () => {
      const wallet = await openConnected();
      wallet.approver = no;
      const data = initiation('base_sepolia:wbtc', BASE);
      expect(await refusal(wallet, 'eth_signTypedData_v4', [wallet.account, data])).to.equal(4001);
      expect(await refusal(wallet, 'personal_sign', ['0x6869', wallet.account])).to.equal(4001);
    });

    it('no typed data whose types do not match its values: -32602', async () => {
      const wallet = await openConnected();
      const data = initiation('base_sepolia:wbtc', BASE);
      const {EIP712Domain, Initiate} = data.types;
      for (const wrong of [
        {...data, primaryType: 'Permit'},
        {...data, types: {EIP712Domain: EIP712Domain.slice(1), Initiate}},
        {...data, message: undefined},
        'no JSON',
      ]) {
        expect(await refusal(wallet, 'eth_signTypedData_v4', [wallet.account, wrong])).to.equal(-32602);
      }
    });

    it('a message', async () => {
      const wallet = await openConnected();
      const questions = recordQuestions(wallet);
      const signature = await ask(wallet, 'personal_sign', ['0x68656c6c6f', wallet.account]);
      expect(verifyMessage('hello', signature as string)).to.equal(wallet.account);
      expect(questions[0]?.facts[0]?.value).to.equal('hello');
    });
  });

  describe('pays', () => {
    let payer: EvmWallet;

    beforeEach(async function () {
      this.timeout(20_000);
      payer = await openConnected({privateKey: id(`payer ${crypto.randomUUID()}`)});
      await sandbox.give('base_sepolia:eth', payer.account, 10n ** 18n);
      await sandbox.give('base_sepolia:wbtc', payer.account, 100_000_000n);
    });

    const rpc = (method: string, params: unknown[]) => callRpc(chain('base_sepolia').rpc, method, params);

    const receipt = async (hash: unknown): Promise<{status: string; from: string; type: string}> => {
      for (;;) {
        const found = await rpc('eth_getTransactionReceipt', [hash]);
        if (found) return found as {status: string; from: string; type: string};
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    };

    it('with a real transaction from the active account', async () => {
      const {token} = asset('base_sepolia:wbtc');
      const data = erc20.encodeFunctionData('transfer', [REDEEMER, 250n]);
      const hash = await ask(payer, 'eth_sendTransaction', [{from: payer.account, to: token, data}]);
      expect(await receipt(hash)).to.include({status: '0x1', type: '0x2', from: payer.account.toLowerCase()});
      const balances = await readBalances(evmChain(state, 'base_sepolia'), payer.account);
      expect(balances.find(({symbol}) => symbol === 'WBTC')?.amount).to.equal(99_999_750n);
    });

    it('and describes each call', async () => {
      const {token, contract} = asset('base_sepolia:wbtc');
      const questions = recordQuestions(payer);
      const send = (to: string, data: string, value = '0x0') =>
        ask(payer, 'eth_sendTransaction', [{from: payer.account, to, data, value}]).then(receipt);
      await send(token, erc20.encodeFunctionData('approve', [contract, 10_000_000n]));
      await send(contract, htlc.encodeFunctionData('initiate', [REDEEMER, 300n, 10_000_000n, id(payer.account)]));
      await send(token, erc20.encodeFunctionData('approve', [contract, 2n ** 256n - 1n]));
      await send(token, erc20.encodeFunctionData('approve', [contract, 0n]));
      await send(REDEEMER, '0x', '0x16345785d8a0000');
      expect(questions.map(({title}) => title)).to.deep.equal([
        'Allow 0.1 WBTC',
        'Pay 0.1 WBTC into a swap',
        'Allow any amount of WBTC',
        'Revoke the allowance of WBTC',
        'Send 0.1 ETH',
      ]);
      const [allow, pay] = questions;
      expect(allow?.facts.find(({label}) => label === 'To spender')?.value).to.equal(contract);
      expect(pay?.facts.find(({label}) => label === 'Contract')?.value.toLowerCase()).to.equal(contract.toLowerCase());
      expect(pay?.text).to.contain('after 300 blocks');
    });

    it('nothing when the person rejects: 4001, and no nonce is used', async () => {
      payer.approver = no;
      const send = () => ask(payer, 'eth_sendTransaction', [{from: payer.account, to: REDEEMER, value: '0x1'}]);
      expect(await codeOf(send())).to.equal(4001);
      payer.approver = yes;
      expect((await receipt(await send())).status).to.equal('0x1');
    });

    it('nothing that would revert, without a prompt and without a gap in its nonces', async () => {
      const {token} = asset('base_sepolia:wbtc');
      const data = erc20.encodeFunctionData('transfer', [REDEEMER, 10n ** 18n]);
      payer.approver = never;
      const refused = await ask(payer, 'eth_sendTransaction', [{from: payer.account, to: token, data}]).then(
        () => undefined,
        (error: unknown) => error as {code: number; message: string},
      );
      expect(refused?.code).to.be.a('number').and.not.equal(4001);
      payer.approver = yes;
      const hash = await ask(payer, 'eth_sendTransaction', [{from: payer.account, to: REDEEMER, value: '0x1'}]);
      expect((await receipt(hash)).status).to.equal('0x1');
    });

    it('several concurrently, each with its own nonce', async () => {
      const twin = await openConnected({privateKey: id(`twin ${payer.account}`)});
      await sandbox.give('base_sepolia:eth', twin.account, 10n ** 18n);
      const hashes = await Promise.all(
        ['0x1', '0x2', '0x3'].map(value =>
          ask(twin, 'eth_sendTransaction', [{from: twin.account, to: REDEEMER, value}]),
        ),
      );
      expect(new Set(hashes).size).to.equal(3);
      expect((await Promise.all(hashes.map(receipt))).map(({status}) => status)).to.deep.equal(['0x1', '0x1', '0x1']);
      expect(await rpc('eth_getTransactionCount', [twin.account, 'latest'])).to.equal('0x3');
    });

    it('nothing for another network: -32602', async () => {
      const request = {from: payer.account, to: REDEEMER, value: '0x1', chainId: SEPOLIA};
      expect(await refusal(payer, 'eth_sendTransaction', [request])).to.equal(-32602);
    });
  });

  it('reads from the active network for the page', async () => {
    const wallet = open();
    const {token, contract} = asset('base_sepolia:wbtc');
    const data = erc20.encodeFunctionData('allowance', [REDEEMER, contract]);
    expect(BigInt((await ask(wallet, 'eth_call', [{to: token, data}, 'latest'])) as string)).to.equal(0n);
    wallet.useChain(11155111);
    expect(await ask(wallet, 'eth_getCode', [asset('ethereum_sepolia:wbtc').token, 'latest'])).to.match(/^0x60/);
  });

  it('supports only the methods it lists: 4200, -32602', async () => {
    const wallet = await openConnected();
    for (const method of ['eth_sign', 'eth_signTransaction', 'anvil_setBalance', 'evm_mine', 'wallet_watchAsset']) {
      expect(await refusal(wallet, method, [])).to.equal(4200);
    }
    expect(await refusal(wallet, 'eth_sendTransaction', [])).to.equal(-32602);
    expect(await refusal(wallet, 'eth_sendTransaction', [{from: wallet.account, value: 1}])).to.equal(-32602);
    expect(await refusal(wallet, 'wallet_switchEthereumChain', [{chainId: 84532}])).to.equal(-32602);
  });

  it('emits when the node is unreachable and when it is back', async () => {
    const wallet = open({
      chains: [
        {chainId: 84532, rpc: chain('base_sepolia').rpc, name: 'Base Sepolia'},
        {chainId: 5, rpc: 'http://127.0.0.1:1', name: 'Nowhere'},
      ],
    });
    const connected = listen(wallet, 'connect');
    const disconnected = listen(wallet, 'disconnect') as {code: number}[];
    await ask(wallet, 'eth_blockNumber');
    expect(connected).to.deep.equal([{chainId: BASE}]);
    wallet.useChain(5);
    expect(await refusal(wallet, 'eth_blockNumber')).to.equal(4901);
    expect(disconnected.map(({code}) => code)).to.deep.equal([4901]);
    wallet.useChain(84532);
    await ask(wallet, 'eth_blockNumber');
    expect(connected.length).to.equal(2);
  });

  describe('prompts in a window that', () => {
    const dialog = () =>
      document.querySelector('[data-development-wallet]')?.shadowRoot?.querySelector('dialog') ?? undefined;

    const button = (label: string) => {
      const found = [...(dialog()?.querySelectorAll('button') ?? [])].find(({textContent}) => textContent === label);
      if (!found) throw new Error(`There is no button “${label}”.`);
      return found;
    };

    const focused = () => (dialog()?.getRootNode() as ShadowRoot | undefined)?.activeElement?.textContent;

    const openWindow = async () => {
      const wallet = createEvmWallet({
        name: 'Harbor (development)',
        rdns: 'test.swap-widget.window',
        privateKey: KEY,
        chains: [{chainId: 84532, rpc: chain('base_sepolia').rpc, name: 'Base Sepolia'}],
        storage: new TestStorage(),
      });
      opened.push(wallet);
      const code = refusal(wallet, 'eth_requestAccounts');
      await until(() => dialog()?.open === true);
      return {wallet, code};
    };

    it('names the wallet and the page, and describes the request', async () => {
      const {wallet, code} = await openWindow();
      const text = dialog()?.textContent ?? '';
      for (const part of ['Harbor (development)', location.host, 'Show your address to this page', wallet.account]) {
        expect(text).to.contain(part);
      }
      button('Reject').click();
      expect(await code).to.equal(4001);
    });

    for (const scheme of ['light', 'dark']) {
      it(`is accessible when it is ${scheme}`, async () => {
        document.documentElement.style.colorScheme = scheme;
        const {wallet, code} = await openWindow();
        await expect(document.querySelector('[data-development-wallet]')).to.be.accessible();
        button('Approve').click();
        expect(await code).to.equal(undefined);
        expect(wallet.connected).to.equal(true);
        document.documentElement.style.colorScheme = '';
      });
    }

    it('closes on Escape, which rejects', async () => {
      const {code} = await openWindow();
      await sendKeys({press: 'Escape'});
      expect(await code).to.equal(4001);
      expect(dialog()).to.equal(undefined);
    });

    it('can be used with the keyboard, and restores the focus', async () => {
      const opener = document.createElement('button');
      document.body.append(opener);
      opener.focus();
      const {code} = await openWindow();
      expect(focused()).to.equal('Approve');
      await sendKeys({press: 'Enter'});
      expect(await code).to.equal(undefined);
      await until(() => document.activeElement === opener);
      opener.remove();
    });

    it('ignores a key that is still held down', async () => {
      const {code} = await openWindow();
      const held = new KeyboardEvent('keydown', {key: 'Enter', repeat: true, bubbles: true, cancelable: true});
      expect(button('Approve').dispatchEvent(held)).to.equal(false);
      await sendKeys({press: 'Escape'});
      expect(await code).to.equal(4001);
    });

    it('shows one prompt after the other', async () => {
      const {wallet, code} = await openWindow();
      const second = codeOf(
        ask(wallet, 'wallet_addEthereumChain', [
          {chainId: SEPOLIA, chainName: 'Sepolia', rpcUrls: [chain('ethereum_sepolia').rpc]},
        ]),
      );
      await until(() => dialog()?.textContent.includes('1 more request waiting') === true);
      button('Approve').click();
      expect(await code).to.equal(undefined);
      await until(() => dialog()?.textContent.includes('Add Sepolia and switch to it') === true);
      button('Reject').click();
      expect(await second).to.equal(4001);
      expect(dialog()).to.equal(undefined);
    });
  });

  it('exists for two people, with coins of every asset for the one who pays', async function () {
    this.timeout(30_000);
    const {harbor, field} = createDevelopmentWallets(state, {approver: yes});
    opened.push(...[harbor, field].flatMap(walletsOf).map(([, wallet]) => wallet));
    for (const [family, {account}] of walletsOf(harbor)) {
      expect(account).not.to.equal(field.wallets[family].account);
      await giveCoins(sandbox, state, family, account);
      for (const chain of Object.values(state.chains).filter(each => each.family === family)) {
        for (const {asset, amount} of await readBalances(chain, account)) expect(amount > 0n, asset).to.equal(true);
      }
    }
  });
});

const REDEEMER = '0x00000000000000000000000000000000000000AA';

function ask(wallet: EvmWallet, method: string, params: unknown[] = []): Promise<unknown> {
  return wallet.provider.request({method, params});
}

/** The error code of a request; `undefined` if it succeeds. */
function refusal(wallet: EvmWallet, method: string, params: unknown[] = []): Promise<number | undefined> {
  return codeOf(ask(wallet, method, params));
}

function codeOf(answer: Promise<unknown>): Promise<number | undefined> {
  return answer.then(
    () => undefined,
    (error: unknown) => (error as {code: number}).code,
  );
}

function listen(wallet: EvmWallet, event: string): unknown[] {
  const heard: unknown[] = [];
  wallet.provider.on(event, payload => heard.push(payload));
  return heard;
}

/** Approves everything from now on, and records the prompts. */
function recordQuestions(wallet: EvmWallet): Prompt[] {
  const questions: Prompt[] = [];
  wallet.approver = question => {
    questions.push(question);
    return Promise.resolve(true);
  };
  return questions;
}

function record(wallet: EvmWallet): () => string[] {
  const questions = recordQuestions(wallet);
  return () => questions.map(({kind}) => kind);
}

interface Announcement {
  readonly info: Readonly<Record<'uuid' | 'name' | 'icon' | 'rdns', string>>;
}

function collect(work: () => void): Announcement[] {
  const details: Announcement[] = [];
  const hear = (event: Event) => {
    details.push((event as CustomEvent<Announcement>).detail);
  };
  addEventListener('eip6963:announceProvider', hear);
  work();
  removeEventListener('eip6963:announceProvider', hear);
  return details;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10));
}
