/** The EVM family on real nodes: a payout of the native coin, and a payment that is replaced; lies are in `token-htlc-chain.test.ts`. */
import {Interface, JsonRpcProvider, Wallet as KeyPair} from 'ethers';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import type {Approver} from '../../demo/wallets/prompt.js';
import {expect} from '../support/expect.js';
import {evmAdapter as adapter, openEvmBuyer, withdrawWallets} from '../support/buyers.js';
import {startSandbox} from '../support/sandbox.js';

type Buyer = Awaited<ReturnType<typeof openEvmBuyer>>;

afterEach(withdrawWallets);

it('an EVM deposit on a real chain is followed by a payout of the native coin, which the chain shows', async () => {
  const buyer = await openEvmBuyer();
  const recipient = `0x${'c0'.repeat(4)}${buyer.client.appId.slice(0, 32)}`;
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
  const {wallet, account, order, rpc} = await openEvmBuyer();
  const {chain} = (await order()).agreed.from;
  const isListed = (at: string | undefined) => adapter.addresses.isListed!({...chain, rpc: at!}, account.address, {});
  expect(await isListed(rpc)).to.equal(false);
  const data = new Interface(['function addToSanctionsList(address[])']).encodeFunctionData('addToSanctionsList', [
    [account.address],
  ]);
  wallet.useChain(chain.chainId!);
  const oracle = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb';
  const sent = {from: account.address, to: oracle, data};
  const hash = await wallet.provider.request({method: 'eth_sendTransaction', params: [sent]});
  // Another test of the shared chain may hold its blocks just then.
  const node = new JsonRpcProvider(rpc);
  await node.waitForTransaction(String(hash));
  node.destroy();
  expect([await isListed(rpc), await isListed(undefined)]).to.deep.equal([true, undefined]);
});

/** Sends a transaction with the nonce of a pending one, for twice its gas price, and has a block made of it. */
async function replace({rpc, privateKey}: Pick<Buyer, 'rpc' | 'privateKey'>, hash: string, isCanceled: boolean) {
  const {to, input, nonce, gas, gasPrice, chainId} = (await callRpc(rpc, 'eth_getTransactionByHash', [hash])) as Record<
    'to' | 'input' | 'nonce' | 'gas' | 'gasPrice' | 'chainId',
    string
  >;
  const owner = new KeyPair(privateKey);
  const raw = await owner.signTransaction({
    ...{chainId, nonce: Number(nonce), gasLimit: gas, gasPrice: BigInt(gasPrice) * 2n},
    ...(isCanceled ? {to: owner.address} : {to, data: input}),
  });
  await callRpc(rpc, 'eth_sendRawTransaction', [raw]);
  await callRpc(rpc, 'evm_setAutomine', [true]);
  await callRpc(rpc, 'anvil_mine', ['0x1']);
}

describe('an EVM payment that is replaced in the wallet', () => {
  for (const isCanceled of [true, false]) {
    it(isCanceled ? 'by one to oneself is canceled' : 'by the same one for more gas has paid', async () => {
      const place = await startSandbox();
      try {
        const rpc = String((await place.info()).chains['base_sepolia']?.rpc);
        let sent = 0;
        // No block takes what is sent after the approval: the payment, which its owner may replace.
        const approver: Approver = async ({kind}) => {
          if (kind === 'send' && sent++) await callRpc(rpc, 'evm_setAutomine', [false]);
          return true;
        };
        const buyer = await openEvmBuyer(place, approver);
        const {account, order, fund, left} = buyer;
        const deal = await order();
        const funding = await fund(deal, 'transaction');
        const hash = funding.how === 'transaction' ? funding.hash : '';
        const pending = await adapter.readDeposit(deal, {account, hash});
        expect(pending).to.deep.equal({state: 'seen', lifetime: '1'});
        await replace(buyer, hash, isCanceled);
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
