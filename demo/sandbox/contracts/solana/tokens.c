/*
 * The hash time lock of the sandbox's Solana chain for tokens: an amount is locked until the secret behind a SHA-256 hash
 * is shown, or until a number of slots has passed. All that is locked of one token is in one vault.
 *
 * It has the wire format of the published program (solana-spl-swaps 1.0.1): discriminators, arguments, the order of
 * accounts, the seeds and layout of its accounts, events and error codes. Otherwise it is a program of its own, as
 * `htlc.c` is.
 *
 *   initiate(expires_in_slots u64, redeemer, secret_hash, swap_amount u64, destination_data option of bytes)
 *     [authority w] [swap account w] [vault w] [initiator s] [its tokens w] [mint] [sponsor ws] [token program]
 *     [system program]
 *   redeem(secret), refund()
 *     [authority] [swap account w] [vault w] [receiver's tokens w] [sponsor w] [token program]
 *   instant_refund()
 *     [authority] [swap account w] [vault w] [initiator's tokens w] [redeemer ws] [sponsor w] [token program]
 *
 * Anyone may send the last three. The sponsor paid the rent of the accounts, and gets back that of the swap account.
 */
#include "machine.h"

#define INVALID_REDEEMER 6000
#define INVALID_SECRET 6001
#define INVALID_SPONSOR 6002
#define REFUND_BEFORE_EXPIRY 6003
/* Of the framework: a token account of another token, or of another owner. */
#define WRONG_TOKEN 2014
#define WRONG_TOKEN_OWNER 2015

/* The swap account: discriminator, mint, expiry slot, initiator, redeemer, secret hash, amount, bump, sponsor. */
#define MINT 8
#define EXPIRY_SLOT 40
#define INITIATOR 48
#define REDEEMER 80
#define SECRET_HASH 112
#define AMOUNT 144
#define BUMP 152
#define SPONSOR 153
#define SWAP_LEN 185
#define AUTHORITY_LEN 8
#define TOKENS_LEN 165

/* TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA */
static const Key TOKEN_PROGRAM = {{0x06, 0xdd, 0xf6, 0xe1, 0xd7, 0x65, 0xa1, 0x93, 0xd9, 0xcb, 0xe1,
                                   0x46, 0xce, 0xeb, 0x79, 0xac, 0x1c, 0xb4, 0x85, 0xed, 0x5f, 0x5b,
                                   0x37, 0x91, 0x3a, 0x8c, 0xf5, 0x85, 0x7e, 0xff, 0x00, 0xa9}};

/* Whether an account holds such a token for such an owner. */
INLINE u64 check_tokens(const Account *tokens, const void *mint, const void *owner) {
  if (!same(tokens->owner, &TOKEN_PROGRAM) || *tokens->data_len != TOKENS_LEN) return WRONG_OWNER;
  if (!same(tokens->data, mint)) return WRONG_TOKEN;
  return same(tokens->data + 32, owner) ? 0 : WRONG_TOKEN_OWNER;
}

/* Finds a derived address, and whether it is an account's. */
INLINE u64 check_address(const Account *account, Slice *seeds, u64 len, u8 *bump, const Key *program) {
  Key address;
  if (sol_try_find_program_address(seeds, len, program, &address, bump)) return WRONG_SEEDS;
  seeds[len] = (Slice){bump, 1};
  return same(account->key, &address) ? 0 : WRONG_SEEDS;
}

/* The token program's instruction 3: a transfer. */
INLINE u64 move(const Account *from, const Account *to, const Account *authority, const Account *token_program,
                u64 amount, const Seeds *signer) {
  u8 data[9];
  data[0] = 3;
  put(data + 1, amount);
  const Account *accounts[4] = {from, to, authority, token_program};
  CallMeta metas[3] = {{from->key, 1, 0}, {to->key, 1, 0}, {authority->key, 0, 1}};
  return invoke(&TOKEN_PROGRAM, metas, 3, data, sizeof data, accounts, 4, signer);
}

INLINE int is_option(const u8 *at, u64 len) {
  if (len == 0) return 0;
  if (at[0] != 1) return at[0] == 0 && len == 1;
  return len >= 5 && len == 5 + (u64) * (const u32 *)(at + 1);
}

INLINE u64 initiate(Account *a, u64 count, const u8 *args, u64 args_len, const Key *program) {
  if (count < 9) return NOT_ENOUGH_ACCOUNTS;
  if (args_len < 81 || !is_option(args + 80, args_len - 80)) return BAD_ARGUMENTS;
  Account *authority = &a[0], *swap = &a[1], *vault = &a[2], *initiator = &a[3], *tokens = &a[4], *mint = &a[5];
  Account *sponsor = &a[6], *token_program = &a[7], *system = &a[8];
  u64 slots = number(args), amount = number(args + 72), error;
  const u8 *redeemer = args + 8, *secret_hash = args + 40;

  if (!initiator->is_signer || !sponsor->is_signer) return NOT_A_SIGNER;
  if (!authority->is_writable || !swap->is_writable || !vault->is_writable) return NOT_WRITABLE;
  if (!tokens->is_writable || !sponsor->is_writable) return NOT_WRITABLE;
  if (!same(token_program->key, &TOKEN_PROGRAM) || !same(system->key, &SYSTEM)) return WRONG_PROGRAM;
  if (!same(mint->owner, &TOKEN_PROGRAM)) return WRONG_OWNER;
  if ((error = check_tokens(tokens, mint->key, initiator->key))) return error;

  u8 bumps[3];
  Slice of_authority[1], of_swap[3] = {{initiator->key, 32}, {secret_hash, 32}}, of_vault[2] = {{mint->key, 32}};
  if ((error = check_address(authority, of_authority, 0, &bumps[0], program))) return error;
  if ((error = check_address(swap, of_swap, 2, &bumps[1], program))) return error;
  if ((error = check_address(vault, of_vault, 1, &bumps[2], program))) return error;
  Seeds authority_signs = {of_authority, 1}, swap_signs = {of_swap, 3}, vault_signs = {of_vault, 2};

  Clock clock;
  if (sol_get_clock_sysvar(&clock)) return UNSUPPORTED_SYSVAR;
  u64 expiry_slot = clock.slot + slots;
  if (expiry_slot < slots) return ARITHMETIC_OVERFLOW;

  if (*authority->data_len == 0 &&
      (error = create(authority, sponsor, system, AUTHORITY_LEN, program, 0, &authority_signs)))
    return error;
  if (*vault->data_len == 0) {
    if ((error = create(vault, sponsor, system, TOKENS_LEN, &TOKEN_PROGRAM, 0, &vault_signs))) return error;
    /* The token program's instruction 18 makes it an account of this token, owned by the authority. */
    u8 data[33];
    data[0] = 18;
    copy(data + 1, authority->key);
    const Account *accounts[3] = {vault, mint, token_program};
    CallMeta metas[2] = {{vault->key, 1, 0}, {mint->key, 0, 0}};
    if ((error = invoke(&TOKEN_PROGRAM, metas, 2, data, sizeof data, accounts, 3, 0))) return error;
  }
  if ((error = check_tokens(vault, mint->key, authority->key))) return error;
  if ((error = create(swap, sponsor, system, SWAP_LEN, program, 0, &swap_signs))) return error;
  if ((error = move(tokens, vault, initiator, token_program, amount, 0))) return error;

  u8 *state = swap->data;
  put(state, SWAP_ACCOUNT);
  copy(state + MINT, mint->key);
  put(state + EXPIRY_SLOT, expiry_slot);
  copy(state + INITIATOR, initiator->key);
  copy(state + REDEEMER, redeemer);
  copy(state + SECRET_HASH, secret_hash);
  put(state + AMOUNT, amount);
  state[BUMP] = bumps[0];
  copy(state + SPONSOR, sponsor->key);

  u8 event[152];
  put(event, INITIATED);
  put(event + 8, amount);
  put(event + 16, slots);
  copy(event + 24, initiator->key);
  copy(event + 56, mint->key);
  copy(event + 88, redeemer);
  copy(event + 120, secret_hash);
  /* One log line is one event, which its fields are joined to. */
  u8 line[1024];
  u64 rest = args_len - 80;
  if (rest > sizeof line - sizeof event) return INVALID_ARGUMENT;
  for (u64 i = 0; i < sizeof event; i += 8) put(line + i, number(event + i));
  for (u64 i = 0; i < rest; i++) line[sizeof event + i] = args[80 + i];
  Slice parts[1] = {{line, sizeof event + rest}};
  sol_log_data(parts, 1);
  return 0;
}

INLINE u64 run(Account *a, u64 count, const u8 *data, u64 len, const Key *program) {
  if (len < 8) return UNKNOWN_INSTRUCTION;
  u64 name = number(data), error;
  const u8 *args = data + 8;
  u64 args_len = len - 8;
  if (name == INITIATE) return initiate(a, count, args, args_len, program);
  if (name != REDEEM && name != REFUND && name != INSTANT_REFUND) return UNKNOWN_INSTRUCTION;

  u64 more = name == INSTANT_REFUND;
  if (count < 6 + more) return NOT_ENOUGH_ACCOUNTS;
  if (args_len != (name == REDEEM ? 32 : 0)) return BAD_ARGUMENTS;
  Account *authority = &a[0], *swap = &a[1], *vault = &a[2], *tokens = &a[3];
  Account *sponsor = &a[4 + more], *token_program = &a[5 + more];
  /* Only this program can have written into an account that it owns. */
  if (!same(swap->owner, program)) return WRONG_OWNER;
  if (*swap->data_len != SWAP_LEN || number(swap->data) != SWAP_ACCOUNT) return WRONG_DISCRIMINATOR;
  const u8 *state = swap->data;
  if (!swap->is_writable || !vault->is_writable || !tokens->is_writable || !sponsor->is_writable) return NOT_WRITABLE;
  if (!same(token_program->key, &TOKEN_PROGRAM)) return WRONG_PROGRAM;
  if (!same(sponsor->key, state + SPONSOR)) return INVALID_SPONSOR;

  u8 bump;
  Slice of_authority[1];
  if ((error = check_address(authority, of_authority, 0, &bump, program))) return error;
  Seeds signer = {of_authority, 1};
  if ((error = check_tokens(vault, state + MINT, authority->key))) return error;
  const u8 *receiver = state + (name == REDEEM ? REDEEMER : INITIATOR);
  if ((error = check_tokens(tokens, state + MINT, receiver))) return error;

  u8 log[72];
  put(log, name == REDEEM ? REDEEMED : name == REFUND ? REFUNDED : INSTANT_REFUNDED);
  copy(log + 8, state + INITIATOR);
  copy(log + 40, name == REDEEM ? args : state + SECRET_HASH);
  if (name == REFUND) {
    Clock clock;
    if (sol_get_clock_sysvar(&clock)) return UNSUPPORTED_SYSVAR;
    if (clock.slot <= number(state + EXPIRY_SLOT)) return REFUND_BEFORE_EXPIRY;
  } else if (name == REDEEM) {
    u8 hash[32];
    Slice secret[1] = {{args, 32}};
    sol_sha256(secret, 1, hash);
    if (!same(hash, state + SECRET_HASH)) return INVALID_SECRET;
  } else {
    if (!same(a[4].key, state + REDEEMER)) return INVALID_REDEEMER;
    if (!a[4].is_signer) return NOT_A_SIGNER;
  }

  if ((error = move(vault, tokens, authority, token_program, number(state + AMOUNT), &signer))) return error;
  u64 rent = *swap->lamports;
  *swap->lamports = 0;
  *sponsor->lamports += rent;
  clear(swap, SWAP_LEN);
  Slice parts[1] = {{log, sizeof log}};
  sol_log_data(parts, 1);
  return 0;
}
