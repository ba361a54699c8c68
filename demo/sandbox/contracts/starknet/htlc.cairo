//! Holds one kind of token until a secret is shown or a number of blocks has passed.
//!
//! The sandbox's swap contract in Cairo. The sandbox's ledger runs the same contract in TypeScript, from
//! `chains/starknet/contracts.ts`, and `npm run test:cairo` compares the two. Entry points, calldata, events and typed
//! data match the public wire format of the first generation of these contracts.

use starknet::ContractAddress;

#[derive(Copy, Drop, Serde, starknet::Store)]
pub struct Order {
    /// The block in which it was paid out; 0 before.
    pub fulfilled_at: u128,
    pub initiator: ContractAddress,
    pub redeemer: ContractAddress,
    pub initiated_at: u128,
    /// The initiator may take it back after this many more blocks.
    pub timelock: u128,
    pub amount: u256,
}

#[starknet::interface]
pub trait IHtlc<TState> {
    fn token(self: @TState) -> ContractAddress;
    fn get_order(self: @TState, order_id: felt252) -> Order;
    fn initiate(
        ref self: TState, redeemer: ContractAddress, timelock: u128, amount: u256, secret_hash: [u32; 8],
    );
    fn initiate_on_behalf(
        ref self: TState,
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u32; 8],
    );
    fn initiate_with_signature(
        ref self: TState,
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u32; 8],
        signature: Array<felt252>,
    );
    fn redeem(ref self: TState, order_id: felt252, secret: Array<u32>);
    fn refund(ref self: TState, order_id: felt252);
}

#[starknet::interface]
trait IERC20<TState> {
    fn transfer(ref self: TState, recipient: ContractAddress, amount: u256) -> bool;
    fn transfer_from(ref self: TState, sender: ContractAddress, recipient: ContractAddress, amount: u256) -> bool;
}

#[starknet::interface]
trait IAccount<TState> {
    fn is_valid_signature(self: @TState, hash: felt252, signature: Array<felt252>) -> felt252;
}

#[starknet::contract]
pub mod Htlc {
    use core::poseidon::poseidon_hash_span;
    use core::sha256::compute_sha256_u32_array;
    use starknet::storage::{
        Map, StorageMapReadAccess, StorageMapWriteAccess, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{
        ContractAddress, get_block_number, get_caller_address, get_contract_address, get_tx_info,
    };
    use super::{IAccountDispatcher, IAccountDispatcherTrait, IERC20Dispatcher, IERC20DispatcherTrait, IHtlc, Order};

    const DOMAIN_TYPE: felt252 = selector!(
        "\"StarknetDomain\"(\"name\":\"shortstring\",\"version\":\"shortstring\",\"chainId\":\"shortstring\",\"revision\":\"shortstring\")",
    );
    const INITIATE_TYPE: felt252 = selector!(
        "\"Initiate\"(\"redeemer\":\"ContractAddress\",\"amount\":\"u256\",\"timelock\":\"u128\",\"secretHash\":\"u128*\")\"u256\"(\"low\":\"u128\",\"high\":\"u128\")",
    );
    const U256_TYPE: felt252 = selector!("\"u256\"(\"low\":\"u128\",\"high\":\"u128\")");
    /// Signing libraries encode a text of digits as a number: so 1, and not the character '1'.
    const VERSION: felt252 = 1;

    #[storage]
    struct Storage {
        token: ContractAddress,
        orders: Map<felt252, Order>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Initiated: Initiated,
        Redeemed: Redeemed,
        Refunded: Refunded,
    }

    #[derive(Drop, starknet::Event)]
    struct Initiated {
        #[key]
        order_id: felt252,
        secret_hash: [u32; 8],
        amount: u256,
    }

    #[derive(Drop, starknet::Event)]
    struct Redeemed {
        #[key]
        order_id: felt252,
        secret_hash: [u32; 8],
        secret: Array<u32>,
    }

    #[derive(Drop, starknet::Event)]
    struct Refunded {
        #[key]
        order_id: felt252,
    }

    #[constructor]
    fn constructor(ref self: ContractState, token: ContractAddress) {
        self.token.write(token);
    }

    #[abi(embed_v0)]
    impl HtlcImpl of IHtlc<ContractState> {
        fn token(self: @ContractState) -> ContractAddress {
            self.token.read()
        }

        fn get_order(self: @ContractState, order_id: felt252) -> Order {
            self.orders.read(order_id)
        }

        fn initiate(
            ref self: ContractState,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u32; 8],
        ) {
            let caller = get_caller_address();
            self.lock(caller, caller, redeemer, timelock, amount, secret_hash);
        }

        fn initiate_on_behalf(
            ref self: ContractState,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u32; 8],
        ) {
            self.lock(get_caller_address(), initiator, redeemer, timelock, amount, secret_hash);
        }

        fn initiate_with_signature(
            ref self: ContractState,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u32; 8],
            signature: Array<felt252>,
        ) {
            let hash = message_hash(initiator, redeemer, timelock, amount, secret_hash);
            let answer = IAccountDispatcher { contract_address: initiator }.is_valid_signature(hash, signature);
            assert(answer == starknet::VALIDATED || answer == 1, 'HTLC: invalid signature');
            self.lock(initiator, initiator, redeemer, timelock, amount, secret_hash);
        }

        fn redeem(ref self: ContractState, order_id: felt252, secret: Array<u32>) {
            let order = self.open_order(order_id);
            assert(secret.len() == 8, 'HTLC: incorrect secret');
            let secret_hash = compute_sha256_u32_array(secret.clone(), 0, 0);
            // The id binds the hash, so that the hash itself need not be stored.
            assert(order_id_of(secret_hash, order.initiator) == order_id, 'HTLC: incorrect secret');
            self.emit(Redeemed { order_id, secret_hash, secret });
            self.pay(order_id, order, order.redeemer);
        }

        fn refund(ref self: ContractState, order_id: felt252) {
            let order = self.open_order(order_id);
            assert(order.initiated_at + order.timelock < get_block_number().into(), 'HTLC: order not expired');
            self.emit(Refunded { order_id });
            self.pay(order_id, order, order.initiator);
        }
    }

    #[generate_trait]
    impl Private of PrivateTrait {
        fn lock(
            ref self: ContractState,
            payer: ContractAddress,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u32; 8],
        ) {
            assert(redeemer.into() != 0, 'HTLC: zero address redeemer');
            assert(initiator.into() != 0, 'HTLC: zero address initiator');
            assert(initiator != redeemer, 'HTLC: same initiator & redeemer');
            assert(timelock > 0, 'HTLC: zero timelock');
            assert(amount > 0, 'HTLC: zero amount');
            let order_id = order_id_of(secret_hash, initiator);
            // The only guard against a signature used twice: the typed data has neither nonce nor deadline.
            assert(self.orders.read(order_id).timelock == 0, 'HTLC: duplicate order');
            let initiated_at = get_block_number().into();
            let order = Order { fulfilled_at: 0, initiator, redeemer, initiated_at, timelock, amount };
            self.orders.write(order_id, order);
            self.emit(Initiated { order_id, secret_hash, amount });
            IERC20Dispatcher { contract_address: self.token.read() }
                .transfer_from(payer, get_contract_address(), amount);
        }

        fn open_order(self: @ContractState, order_id: felt252) -> Order {
            let order = self.orders.read(order_id);
            assert(order.timelock != 0, 'HTLC: order not initiated');
            assert(order.fulfilled_at == 0, 'HTLC: order fulfilled');
            order
        }

        fn pay(ref self: ContractState, order_id: felt252, order: Order, to: ContractAddress) {
            self.orders.write(order_id, Order { fulfilled_at: get_block_number().into(), ..order });
            IERC20Dispatcher { contract_address: self.token.read() }.transfer(to, order.amount);
        }
    }

    /// An initiator can lock one order per secret.
    fn order_id_of(secret_hash: [u32; 8], initiator: ContractAddress) -> felt252 {
        let mut felts = array![get_tx_info().unbox().chain_id];
        for word in secret_hash.span() {
            felts.append((*word).into());
        };
        felts.append(initiator.into());
        poseidon_hash_span(felts.span())
    }

    /// The hash that the initiator signs (SNIP-12, revision 1).
    fn message_hash(
        initiator: ContractAddress, redeemer: ContractAddress, timelock: u128, amount: u256, secret_hash: [u32; 8],
    ) -> felt252 {
        let chain_id = get_tx_info().unbox().chain_id;
        let domain = poseidon_hash_span(array![DOMAIN_TYPE, 'HTLC', VERSION, chain_id, 1].span());
        let mut words = array![];
        for word in secret_hash.span() {
            words.append((*word).into());
        };
        let amount_hash = poseidon_hash_span(array![U256_TYPE, amount.low.into(), amount.high.into()].span());
        let message = poseidon_hash_span(
            array![INITIATE_TYPE, redeemer.into(), amount_hash, timelock.into(), poseidon_hash_span(words.span())]
                .span(),
        );
        poseidon_hash_span(array!['StarkNet Message', domain, initiator.into(), message].span())
    }
}
