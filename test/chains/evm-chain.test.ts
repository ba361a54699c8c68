/** The EVM family on real nodes: a payout of the native coin, and a payment that is replaced; lies are in `token-htlc-chain.test.ts`. */
import {Interface} from 'ethers';
import {expect} from '../support/expect.js';
import {hex} from '../../src/chains/rpc.js';
import {evmAdapter as adapter, nodesOf, openEvmBuyer} from '../support/buyers.js';
import {KeyWallet} from '../support/evm-key-wallet.js';
import {sandbox, startSandbox, type SandboxInfo} from '../support/sandbox.js';

it('an EVM deposit on a real chain is followed by a payout of the native coin, which the chain shows', async () => {
  const buyer = await openEvmBuyer(sandbox);
  const recipient = `0x${'c0'.repeat(4)}${sandbox.newAppId().slice(0, 32)}`;
  const {agreed, ...deal} = await buyer.order('ethereum_sepolia:eth', recipient);
  await buyer.fund({...deal, agreed}, 'transaction');
  await buyer.completed({...deal, agreed});
  const {destination} = await buyer.api.readOrder(deal.orderId);
  const {secret, secretHash, redeemed} = destination;
  const payout = (to = agreed.to) => adapter.readPayout(to, recipient, redeemed?.hashes ?? [], {secretHash});
  expect(await payout()).to.deep.include({amount: agreed.receive, secret});
  const unknown = await payout({...agreed.to, contracts: []});
  expect(unknown, 'an unknown contract’s record is its owner’s').to.deep.include({amount: 0n, loose: agreed.receive});
});

it('the sanctions oracle on a real chain lists an address, and says so to the partner’s RPC alone', async () => {
  const {wallet, account, order} = await openEvmBuyer(sandbox);
  const {chain} = (await order()).agreed.from;
  const rpc = nodesOf(await sandbox.info()).get(chain.chainId!)!;
  const isListed = (at: string | undefined) => adapter.addresses.isListed!({...chain, rpc: at!}, account.address, {});
  expect(await isListed(rpc)).to.equal(false);
  const data = new Interface(['function addToSanctionsList(address[])']).encodeFunctionData('addToSanctionsList', [
    [account.address],
  ]);
  await wallet.request({method: 'wallet_switchEthereumChain', params: [{chainId: hex(chain.chainId!)}]});
  await wallet.request({
    method: 'eth_sendTransaction',
    params: [{to: '0x40C57923924B5c5c5455c48D93317139ADDaC8fb', data}],
  });
  expect([await isListed(rpc), await isListed(undefined)]).to.deep.equal([true, undefined]);
});

/** A wallet that gets as far as its payment, which no block takes: its owner may replace it by the transaction with its nonce. */
class PendingWallet extends KeyWallet {
  readonly #pass: KeyWallet['request'] = this.request;
  override request: KeyWallet['request'] = async asked => {
    if (asked.method === 'eth_sendTransaction' && this.windows.includes(asked.method))
      await this.node('evm_setAutomine', false);
    return this.#pass(asked);
  };

  /** Sends a transaction with the nonce of a pending one, for twice its gas price, and has a block made of it. */
  async replace(hash: string, {isCanceled}: {isCanceled: boolean}): Promise<void> {
    const {to, input, nonce, gas, gasPrice} = (await this.node('eth_getTransactionByHash', hash)) as Record<
      'to' | 'input' | 'nonce' | 'gas' | 'gasPrice',
      string
    >;
    const raw = await this.pair.signTransaction({
      ...{chainId: this.chainId, nonce: Number(nonce), gasLimit: gas, gasPrice: BigInt(gasPrice) * 2n},
      ...(isCanceled ? {to: this.pair.address} : {to, data: input}),
    });
    await this.node('eth_sendRawTransaction', raw);
    await this.node('evm_setAutomine', true);
    await this.node('anvil_mine', '0x1');
  }
}

describe('an EVM payment that is replaced in the wallet', () => {
  for (const isCanceled of [true, false]) {
    it(isCanceled ? 'by one to oneself is canceled' : 'by the same one for more gas has paid', async () => {
      const place = await startSandbox();
      try {
        const make = (key: string, info: SandboxInfo) => new PendingWallet(key, nodesOf(info), 11155111);
        const {wallet, account, order, fund, left} = await openEvmBuyer(place, {make});
        const deal = await order();
        const funding = await fund(deal, 'transaction');
        const hash = funding.how === 'transaction' ? funding.hash : '';
        const pending = await adapter.readDeposit(deal, {account, hash});
        expect(pending).to.deep.equal({state: 'seen', lifetime: '1'});
        await (wallet as PendingWallet).replace(hash, {isCanceled});
        const {state, amount} = await adapter.readDeposit(deal, {account, hash, lifetime: pending.lifetime});
        expect({state, amount}).to.deep.equal(
          isCanceled ? {state: 'canceled', amount: undefined} : {state: 'seen', amount: deal.agreed.amount},
        );
        expect(await left()).to.equal(isCanceled ? deal.agreed.amount : 0n);
      } finally {
        await place.close();
      }
    });
  }
});
