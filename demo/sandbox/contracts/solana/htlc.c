/*
 * The hash time lock of the sandbox's Solana chain: SOL is locked until the secret behind a SHA-256 hash is shown,
 * or until a number of slots has passed.
 *
 * It has the wire format of the published program: discriminators, arguments, the order of accounts, the swap account's
 * seeds and layout, events and error codes. Otherwise it is a program of its own for the bare virtual machine: no
 * framework, no allocation, and no system calls but those declared below.
 *
 *   initiate(amount u64, expires_in_slots u64, redeemer, secret_hash)   [swap account w] [initiator ws] [system program]
 *   redeem(secret)                                                      [swap account w] [initiator w] [redeemer w]
 *   refund()                                                            [swap account w] [initiator w]
 *   instant_refund()                                                    [swap account w] [initiator w] [redeemer s]
 *
 * Anyone may send the last three. The amount goes to the redeemer or back to the initiator, and the rest of the swap
 * account's balance to the initiator, who paid its rent.
 */
#include "machine.h"

/* Errors of the published program. */
#define INVALID_INITIATOR 6000
#define INVALID_REDEEMER 6001
#define INVALID_SECRET 6002
#define REFUND_BEFORE_EXPIRY 6003

/* The swap account: discriminator, amount, expiry slot, initiator, redeemer, secret hash. */
#define AMOUNT 8
#define EXPIRY_SLOT 16
#define INITIATOR 24
#define REDEEMER 56
#define SECRET_HASH 88
#define SWAP_LEN 120

INLINE u64 initiate(Account *a, u64 count, const u8 *args, u64 args_len, const Key *program) {
  if (count < 3) return NOT_ENOUGH_ACCOUNTS;
  if (args_len != 80) return BAD_ARGUMENTS;
  Account *swap = &a[0], *initiator = &a[1], *system = &a[2];
  u64 amount = number(args), slots = number(args + 8);
  const u8 *redeemer = args + 16, *secret_hash = args + 48;

  if (!initiator->is_signer) return NOT_A_SIGNER;
  if (!initiator->is_writable || !swap->is_writable) return NOT_WRITABLE;
  if (!same(system->key, &SYSTEM)) return WRONG_PROGRAM;
  /* A swap has an amount, and what is paid out to the swap account itself could never leave it. */
  if (amount == 0 || same(redeemer, swap->key)) return INVALID_ARGUMENT;

  static const u8 TAG[12] = "swap_account";
  u8 bump;
  Key address;
  Slice seeds[4] = {{TAG, sizeof TAG}, {initiator->key, 32}, {secret_hash, 32}, {&bump, 1}};
  if (sol_try_find_program_address(seeds, 3, program, &address, &bump)) return WRONG_SEEDS;
  if (!same(swap->key, &address)) return WRONG_SEEDS;
  Seeds signer = {seeds, 4};

  Clock clock;
  if (sol_get_clock_sysvar(&clock)) return UNSUPPORTED_SYSVAR;
  u64 expiry_slot = clock.slot + slots;
  if (expiry_slot < slots) return ARITHMETIC_OVERFLOW;

  u64 error = create(swap, initiator, system, SWAP_LEN, program, amount, &signer);
  if (error) return error;

  u8 *state = swap->data;
  put(state, SWAP_ACCOUNT);
  put(state + AMOUNT, amount);
  put(state + EXPIRY_SLOT, expiry_slot);
  copy(state + INITIATOR, initiator->key);
  copy(state + REDEEMER, redeemer);
  copy(state + SECRET_HASH, secret_hash);

  u8 event[120];
  put(event, INITIATED);
  put(event + 8, amount);
  put(event + 16, slots);
  copy(event + 24, initiator->key);
  copy(event + 56, redeemer);
  copy(event + 88, secret_hash);
  Slice parts[1] = {{event, sizeof event}};
  sol_log_data(parts, 1);
  return 0;
}

/* Ends a swap: the amount goes to the receiver, the rest to the initiator, and the account is closed. */
INLINE u64 end(Account *swap, Account *receiver, Account *initiator, u64 event, const u8 *detail) {
  if (!swap->is_writable || !receiver->is_writable || !initiator->is_writable) return NOT_WRITABLE;
  u64 amount = number(swap->data + AMOUNT), all = *swap->lamports;
  if (all < amount) return ARITHMETIC_OVERFLOW;

  u8 log[72];
  put(log, event);
  copy(log + 8, initiator->key);
  copy(log + 40, detail);

  /* Receiver and initiator may be the same account, so each balance is read after the previous write. */
  *swap->lamports = 0;
  if (*receiver->lamports + amount < amount) return ARITHMETIC_OVERFLOW;
  *receiver->lamports += amount;
  if (*initiator->lamports + (all - amount) < all - amount) return ARITHMETIC_OVERFLOW;
  *initiator->lamports += all - amount;
  clear(swap, SWAP_LEN);

  Slice parts[1] = {{log, sizeof log}};
  sol_log_data(parts, 1);
  return 0;
}

INLINE u64 run(Account *a, u64 count, const u8 *data, u64 len, const Key *program) {
  if (len < 8) return UNKNOWN_INSTRUCTION;
  u64 name = number(data);
  const u8 *args = data + 8;
  u64 args_len = len - 8;
  if (name == INITIATE) return initiate(a, count, args, args_len, program);
  if (name != REDEEM && name != REFUND && name != INSTANT_REFUND) return UNKNOWN_INSTRUCTION;

  if (count < (name == REFUND ? 2 : 3)) return NOT_ENOUGH_ACCOUNTS;
  if (args_len != (name == REDEEM ? 32 : 0)) return BAD_ARGUMENTS;
  Account *swap = &a[0], *initiator = &a[1];
  /* Only this program can have written into an account that it owns. */
  if (!same(swap->owner, program)) return WRONG_OWNER;
  if (*swap->data_len != SWAP_LEN || number(swap->data) != SWAP_ACCOUNT) return WRONG_DISCRIMINATOR;
  const u8 *state = swap->data;
  if (!same(initiator->key, state + INITIATOR)) return INVALID_INITIATOR;

  if (name == REFUND) {
    Clock clock;
    if (sol_get_clock_sysvar(&clock)) return UNSUPPORTED_SYSVAR;
    if (clock.slot <= number(state + EXPIRY_SLOT)) return REFUND_BEFORE_EXPIRY;
    return end(swap, initiator, initiator, REFUNDED, state + SECRET_HASH);
  }

  Account *redeemer = &a[2];
  if (!same(redeemer->key, state + REDEEMER)) return INVALID_REDEEMER;
  if (name == INSTANT_REFUND) {
    if (!redeemer->is_signer) return NOT_A_SIGNER;
    return end(swap, initiator, initiator, INSTANT_REFUNDED, state + SECRET_HASH);
  }

  u8 hash[32];
  Slice secret[1] = {{args, 32}};
  sol_sha256(secret, 1, hash);
  if (!same(hash, state + SECRET_HASH)) return INVALID_SECRET;
  return end(swap, redeemer, initiator, REDEEMED, args);
}
