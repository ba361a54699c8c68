//! The other contracts that a test of the swap contract needs: a token, and an account with one key.

use starknet::ContractAddress;

#[starknet::interface]
pub trait IToken<TState> {
    fn balance_of(self: @TState, account: ContractAddress) -> u256;
    fn allowance(self: @TState, owner: ContractAddress, spender: ContractAddress) -> u256;
    fn approve(ref self: TState, spender: ContractAddress, amount: u256) -> bool;
    fn transfer(ref self: TState, recipient: ContractAddress, amount: u256) -> bool;
    fn transfer_from(ref self: TState, sender: ContractAddress, recipient: ContractAddress, amount: u256) -> bool;
    fn mint(ref self: TState, recipient: ContractAddress, amount: u256);
}

#[starknet::contract]
pub mod Token {
    use starknet::storage::{
        Map, StorageMapReadAccess, StorageMapWriteAccess, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{ContractAddress, get_caller_address};

    const EVERYTHING: u128 = 0xffffffffffffffffffffffffffffffff;

    #[storage]
    struct Storage {
        ERC20_balances: Map<ContractAddress, u256>,
        ERC20_allowances: Map<(ContractAddress, ContractAddress), u256>,
        ERC20_total_supply: u256,
        minter: ContractAddress,
    }

    #[constructor]
    fn constructor(ref self: ContractState, minter: ContractAddress) {
        self.minter.write(minter);
    }

    #[abi(embed_v0)]
    impl TokenImpl of super::IToken<ContractState> {
        fn balance_of(self: @ContractState, account: ContractAddress) -> u256 {
            self.ERC20_balances.read(account)
        }

        fn allowance(self: @ContractState, owner: ContractAddress, spender: ContractAddress) -> u256 {
            self.ERC20_allowances.read((owner, spender))
        }

        fn approve(ref self: ContractState, spender: ContractAddress, amount: u256) -> bool {
            assert(spender.into() != 0, 'ERC20: approve to 0');
            self.ERC20_allowances.write((get_caller_address(), spender), amount);
            true
        }

        fn transfer(ref self: ContractState, recipient: ContractAddress, amount: u256) -> bool {
            self.move(get_caller_address(), recipient, amount);
            true
        }

        fn transfer_from(
            ref self: ContractState, sender: ContractAddress, recipient: ContractAddress, amount: u256,
        ) -> bool {
            let caller = get_caller_address();
            let allowed = self.ERC20_allowances.read((sender, caller));
            assert(allowed >= amount, 'ERC20: insufficient allowance');
            if allowed.low != EVERYTHING || allowed.high != EVERYTHING {
                self.ERC20_allowances.write((sender, caller), allowed - amount);
            }
            self.move(sender, recipient, amount);
            true
        }

        fn mint(ref self: ContractState, recipient: ContractAddress, amount: u256) {
            assert(get_caller_address() == self.minter.read(), 'only the maker may mint');
            assert(recipient.into() != 0, 'ERC20: mint to 0');
            self.ERC20_total_supply.write(self.ERC20_total_supply.read() + amount);
            self.ERC20_balances.write(recipient, self.ERC20_balances.read(recipient) + amount);
        }
    }

    #[generate_trait]
    impl Private of PrivateTrait {
        fn move(ref self: ContractState, from: ContractAddress, to: ContractAddress, amount: u256) {
            assert(to.into() != 0, 'ERC20: transfer to 0');
            let held = self.ERC20_balances.read(from);
            assert(held >= amount, 'ERC20: insufficient balance');
            self.ERC20_balances.write(from, held - amount);
            self.ERC20_balances.write(to, self.ERC20_balances.read(to) + amount);
        }
    }
}

#[starknet::interface]
trait ISigner<TState> {
    fn is_valid_signature(self: @TState, hash: felt252, signature: Array<felt252>) -> felt252;
}

#[starknet::contract]
pub mod Account {
    use core::ecdsa::check_ecdsa_signature;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    #[storage]
    struct Storage {
        Account_public_key: felt252,
    }

    #[constructor]
    fn constructor(ref self: ContractState, public_key: felt252) {
        self.Account_public_key.write(public_key);
    }

    #[abi(embed_v0)]
    impl SignerImpl of super::ISigner<ContractState> {
        fn is_valid_signature(self: @ContractState, hash: felt252, signature: Array<felt252>) -> felt252 {
            if signature.len() != 2 {
                return 0;
            }
            if check_ecdsa_signature(hash, self.Account_public_key.read(), *signature.at(0), *signature.at(1)) {
                starknet::VALIDATED
            } else {
                0
            }
        }
    }
}
