//! Plays one sequence of contract calls, drawn from a seed, and hashes the results into one number: return values,
//! panics, events, and at the end all balances and orders. `test/cairo.ts` plays the same on the contracts in
//! TypeScript, and fills in the `{{…}}`.

use core::poseidon::poseidon_hash_span;
use starknet::syscalls::{call_contract_syscall, deploy_syscall};
use starknet::{ContractAddress, SyscallResultTrait, testing};

const TOKEN: felt252 = {{TOKEN}};
const HTLC: felt252 = {{HTLC}};
const MAKER: felt252 = {{MAKER}};
const MAX_U128: felt252 = 0xffffffffffffffffffffffffffffffff;
/// The first number beyond 251 bits, which no address can have.
const TWO_251: felt252 = 0x800000000000000000000000000000000000000000000000000000000000000;

fn people() -> Span<felt252> {
    array![{{PEOPLE}}].span()
}

fn public_keys() -> Span<felt252> {
    array![{{PUBLIC_KEYS}}].span()
}

/// The ids of all possible orders: two secrets for each person.
fn ids() -> Span<felt252> {
    array![{{IDS}}].span()
}

/// The words of two secrets, one after the other.
fn secrets() -> Span<felt252> {
    array![{{SECRETS}}].span()
}

/// The words of their hashes.
fn hashes() -> Span<felt252> {
    array![{{HASHES}}].span()
}

/// `r` and `s` of eight signatures: by signer, secret and amount.
fn signatures() -> Span<felt252> {
    array![{{SIGNATURES}}].span()
}

fn address(felt: felt252) -> ContractAddress {
    felt.try_into().unwrap()
}

/// Draws a number below `count` from a random word.
fn take(ref rest: u256, count: u256) -> u32 {
    let (quotient, remainder) = DivRem::div_rem(rest, count.try_into().unwrap());
    rest = quotient;
    remainder.try_into().unwrap()
}

fn deploy(class_hash: felt252, salt: felt252, constructor_calldata: felt252, expected: felt252) {
    let calldata = array![constructor_calldata].span();
    let (at, _) = deploy_syscall(class_hash.try_into().unwrap(), salt, calldata, true).unwrap_syscall();
    assert(at.into() == expected, 'deployed elsewhere');
}

fn eight_of(words: Span<felt252>, place: u32) -> Span<felt252> {
    words.slice(place * 8, 8)
}

/// Redeemer, timelock, amount and the secret's hash; and the index of the secret.
fn draw_terms(ref rest: u256) -> (Array<felt252>, u32) {
    let choice = take(ref rest, 20);
    let redeemer = if choice == 17 {
        0
    } else if choice == 18 {
        1
    } else if choice == 19 {
        TWO_251 - 1
    } else {
        *people().at(choice % 4)
    };
    let timelock = take(ref rest, 24);
    let limit = if take(ref rest, 10) == 0 {
        3000
    } else {
        200
    };
    let amount = take(ref rest, limit);
    let secret = take(ref rest, 2);
    let mut terms = array![redeemer, if timelock == 23 {
        MAX_U128
    } else if timelock == 22 {
        0
    } else {
        1 + (timelock % 3).into()
    }, amount.into(), 0];
    terms.append_span(eight_of(hashes(), secret));
    (terms, secret)
}

/// A deposit with its owner's signature; and the index of its order.
fn draw_signed(ref rest: u256) -> (Array<felt252>, u32) {
    let which = take(ref rest, 8);
    let (signer, secret, amount): (u32, u32, felt252) = (which % 2, (which / 2) % 2, if which < 4 {
        100
    } else {
        350
    });
    let r = *signatures().at(which * 2);
    let s = *signatures().at(which * 2 + 1);
    let by = take(ref rest, 8);
    let initiator = if by == 0 {
        2
    } else if by == 1 {
        1 - signer
    } else {
        signer
    };
    let more: felt252 = if take(ref rest, 8) == 0 {
        1
    } else {
        0
    };
    let form = take(ref rest, 12);
    let signature = if form == 0 {
        array![r]
    } else if form == 1 {
        array![]
    } else if form == 2 {
        array![r, s, 0]
    } else if form == 3 {
        array![s, r]
    } else if form == 4 {
        array![0, s]
    } else if form == 5 {
        array![r, 0]
    } else if form == 6 {
        array![r + 1, s]
    } else {
        array![r, s]
    };
    let mut calldata = array![*people().at(initiator), *people().at(3), 3, amount + more, 0];
    calldata.append_span(eight_of(hashes(), secret));
    calldata.append(signature.len().into());
    calldata.append_span(signature.span());
    (calldata, initiator * 2 + secret)
}

/// The index and the id of the order of the last deposit, or of any.
fn draw_id(ref rest: u256, last: u32) -> (u32, felt252) {
    let place = if take(ref rest, 4) == 0 {
        take(ref rest, 8)
    } else {
        last
    };
    if take(ref rest, 16) == 0 {
        (place, 5)
    } else {
        (place, *ids().at(place))
    }
}

fn draw_redeem(ref rest: u256, last: u32) -> Array<felt252> {
    let (place, id) = draw_id(ref rest, last);
    let other = if take(ref rest, 8) == 0 {
        1
    } else {
        0
    };
    let secret = eight_of(secrets(), (place + other) % 2);
    let form = take(ref rest, 16);
    let mut shown = array![];
    if form == 0 {
        shown.append_span(secret.slice(1, 7));
    } else if form == 1 {
        shown.append_span(secret);
        shown.append(0);
    } else if form == 2 {
        shown.append(1);
        shown.append_span(secret.slice(1, 7));
    } else if form != 3 {
        shown.append_span(secret);
    }
    let mut calldata = array![id, shown.len().into()];
    calldata.append_span(shown.span());
    calldata
}

/// Occasionally breaks calldata as no compiler would: too short, too long, a number out of range.
fn spoil(ref rest: u256, calldata: Array<felt252>) -> Span<felt252> {
    let how = take(ref rest, 60);
    let all = calldata.span();
    if how > 5 {
        return all;
    }
    let place = take(ref rest, all.len().into());
    let mut spoiled = array![];
    if how == 1 {
        spoiled.append_span(all);
        spoiled.append(0);
        return spoiled.span();
    }
    spoiled.append_span(all.slice(0, place));
    if how == 0 {
        return spoiled.span();
    }
    spoiled.append(if how == 2 {
        0x100000000
    } else if how == 3 {
        MAX_U128 + 1
    } else if how == 4 {
        TWO_251
    } else {
        -1
    });
    spoiled.append_span(all.slice(place + 1, all.len() - place - 1));
    spoiled.span()
}

/// Makes a call, and hashes its result.
fn run(ref all: felt252, caller: felt252, to: felt252, selector: felt252, calldata: Span<felt252>) {
    testing::set_contract_address(address(caller));
    let mut felts = array![all];
    match call_contract_syscall(address(to), selector, calldata) {
        Result::Ok(answer) => {
            felts.append(0);
            felts.append(answer.len().into());
            felts.append_span(answer);
        },
        Result::Err(panic) => {
            felts.append(1);
            felts.append(panic.len().into());
            felts.append_span(panic.span());
        },
    };
    loop {
        match testing::pop_log_raw(address(HTLC)) {
            Option::Some((
                keys, data,
            )) => {
                felts.append(keys.len().into());
                felts.append_span(keys);
                felts.append(data.len().into());
                felts.append_span(data);
            },
            Option::None => { break; },
        };
    };
    all = poseidon_hash_span(felts.span());
}

fn gather(ref all: Array<felt252>, to: felt252, selector: felt252, calldata: Span<felt252>) {
    all.append_span(call_contract_syscall(address(to), selector, calldata).unwrap_syscall());
}

fn state() -> felt252 {
    let mut all = array![];
    for person in people() {
        gather(ref all, TOKEN, selector!("balance_of"), array![*person].span());
        gather(ref all, TOKEN, selector!("allowance"), array![*person, HTLC].span());
    };
    gather(ref all, TOKEN, selector!("balance_of"), array![HTLC].span());
    for id in ids() {
        gather(ref all, HTLC, selector!("get_order"), array![*id].span());
    };
    poseidon_hash_span(all.span())
}

fn play(seed: felt252, sequence: felt252, calls: u32) -> felt252 {
    testing::set_chain_id({{CHAIN_ID}});
    deploy(super::parties::Token::TEST_CLASS_HASH, 0, MAKER, TOKEN);
    deploy(super::htlc::Htlc::TEST_CLASS_HASH, 0, TOKEN, HTLC);
    deploy(super::parties::Account::TEST_CLASS_HASH, 0, *public_keys().at(0), *people().at(0));
    deploy(super::parties::Account::TEST_CLASS_HASH, 1, *public_keys().at(1), *people().at(1));
    let mut all = 0;
    let mut block: u32 = 1;
    testing::set_block_number(1);
    for person in people() {
        run(ref all, MAKER, TOKEN, selector!("mint"), array![*person, 1000, 0].span());
        run(ref all, *person, TOKEN, selector!("approve"), array![HTLC, 900, 0].span());
    };

    let mut last: u32 = 0;
    let mut step: u32 = 0;
    while step != calls {
        let mut rest: u256 = poseidon_hash_span(array![seed, sequence, step.into()].span()).into();
        step += 1;
        let deed = take(ref rest, 16);
        let place = take(ref rest, 4);
        let caller = *people().at(place);
        if deed < 3 {
            block += 1 + take(ref rest, 2);
            testing::set_block_number(block.into());
        } else if deed < 4 {
            let spender = if take(ref rest, 8) == 0 {
                0
            } else {
                HTLC
            };
            let limitless = take(ref rest, 4) == 0;
            let amount: felt252 = take(ref rest, 800).into();
            let calldata = if limitless {
                array![spender, MAX_U128, MAX_U128]
            } else {
                array![spender, amount, 0]
            };
            run(ref all, caller, TOKEN, selector!("approve"), spoil(ref rest, calldata));
        } else if deed < 5 {
            let choice = take(ref rest, 6);
            let to = if choice == 4 {
                HTLC
            } else if choice == 5 {
                0
            } else {
                *people().at(choice)
            };
            let calldata = array![to, take(ref rest, 400).into(), 0];
            run(ref all, caller, TOKEN, selector!("transfer"), spoil(ref rest, calldata));
        } else if deed < 7 {
            let (calldata, secret) = draw_terms(ref rest);
            last = place * 2 + secret;
            run(ref all, caller, HTLC, selector!("initiate"), spoil(ref rest, calldata));
        } else if deed < 8 {
            let choice = take(ref rest, 8);
            let (terms, secret) = draw_terms(ref rest);
            let initiator = if choice == 7 {
                0
            } else {
                last = (choice % 4) * 2 + secret;
                *people().at(choice % 4)
            };
            let mut calldata = array![initiator];
            calldata.append_span(terms.span());
            run(ref all, caller, HTLC, selector!("initiate_on_behalf"), spoil(ref rest, calldata));
        } else if deed < 10 {
            let (calldata, signed) = draw_signed(ref rest);
            last = signed;
            run(ref all, caller, HTLC, selector!("initiate_with_signature"), spoil(ref rest, calldata));
        } else if deed < 12 {
            let calldata = draw_redeem(ref rest, last);
            run(ref all, caller, HTLC, selector!("redeem"), spoil(ref rest, calldata));
        } else if deed < 15 {
            let (_, id) = draw_id(ref rest, last);
            run(ref all, caller, HTLC, selector!("refund"), spoil(ref rest, array![id]));
        } else if take(ref rest, 2) == 0 {
            let (_, id) = draw_id(ref rest, last);
            run(ref all, caller, HTLC, selector!("get_order"), array![id].span());
        } else {
            run(ref all, caller, HTLC, selector!("instant_refund"), array![].span());
        }
    };
    poseidon_hash_span(array![all, state()].span())
}
