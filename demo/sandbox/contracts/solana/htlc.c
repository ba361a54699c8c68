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
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
#define INLINE static inline __attribute__((always_inline))

typedef struct {
  u8 bytes[32];
} Key;

/* An account in the runtime's memory: writing through these pointers changes the account. */
typedef struct {
  const Key *key;
  Key *owner;
  u64 *lamports;
  u64 *data_len;
  u8 *data;
  u8 is_signer, is_writable, is_executable;
  u64 rent_epoch;
} Account;

/* The structs of the virtual machine's system calls (solana-program, `sol_*` in C). */
typedef struct {
  const void *start;
  u64 len;
} Slice;
typedef struct {
  const Slice *slices;
  u64 len;
} Seeds;
typedef struct {
  const Key *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  const Key *owner;
  u64 rent_epoch;
  u8 is_signer, is_writable, is_executable;
} CallAccount;
typedef struct {
  const Key *key;
  u8 is_writable, is_signer;
} CallMeta;
typedef struct {
  const Key *program;
  const CallMeta *accounts;
  u64 accounts_len;
  const u8 *data;
  u64 data_len;
} Call;
typedef struct {
  u64 slot;
  u64 epoch_start;
  u64 epoch;
  u64 leader_epoch;
  u64 time;
} Clock;
typedef struct {
  u64 lamports_per_byte;
  u64 threshold;
  u64 burn;
} Rent;

extern u64 sol_sha256(const Slice *parts, u64 len, u8 *hash);
extern u64 sol_try_find_program_address(const Slice *seeds, u64 len, const Key *program, Key *address, u8 *bump);
extern u64 sol_invoke_signed_c(const Call *call, const CallAccount *accounts, u64 len, const Seeds *signers,
                               u64 signers_len);
extern u64 sol_get_clock_sysvar(Clock *clock);
extern u64 sol_get_rent_sysvar(Rent *rent);
extern void sol_log_data(const Slice *parts, u64 len);

/* The first eight bytes of SHA-256 of "global:<name>", "account:<Name>" and "event:<Name>", as numbers. */
#define INITIATE 0x0e944b99717b3f05ULL
#define REDEEM 0xe161c44695560cb8ULL
#define REFUND 0x2e2ed03ffbb76002ULL
#define INSTANT_REFUND 0xfb3b93b72967cad3ULL
#define SWAP_ACCOUNT 0xb669c50e0e097e35ULL
#define INITIATED 0xddcf3c435bd46c06ULL
#define REDEEMED 0x266ba51f47b71d0eULL
#define REFUNDED 0x63dd7bc4f6956723ULL
#define INSTANT_REFUNDED 0x19dae8b7cf1232dcULL

/* Errors of the published program, then those of its framework. */
#define INVALID_INITIATOR 6000
#define INVALID_REDEEMER 6001
#define INVALID_SECRET 6002
#define REFUND_BEFORE_EXPIRY 6003
#define UNKNOWN_INSTRUCTION 101
#define BAD_ARGUMENTS 102
#define NOT_WRITABLE 2000
#define WRONG_SEEDS 2006
#define WRONG_DISCRIMINATOR 3002
#define NOT_ENOUGH_ACCOUNTS 3005
#define WRONG_OWNER 3007
#define WRONG_PROGRAM 3008
#define NOT_A_SIGNER 3010
/* Errors that all programs share are in the upper 32 bits (solana-program, `ProgramError`). */
#define INVALID_ARGUMENT (2ULL << 32)
#define UNSUPPORTED_SYSVAR (17ULL << 32)
#define ARITHMETIC_OVERFLOW (24ULL << 32)

#define MAX_ACCOUNTS 16
/* The runtime leaves this much room after an account's data. */
#define ROOM_TO_GROW 10240

/* The swap account: discriminator, amount, expiry slot, initiator, redeemer, secret hash. */
#define AMOUNT 8
#define EXPIRY_SLOT 16
#define INITIATOR 24
#define REDEEMER 56
#define SECRET_HASH 88
#define SWAP_LEN 120

/* This machine allows unaligned reads and writes. */
INLINE u64 number(const void *at) {
  return *(const u64 *)at;
}

INLINE void put(void *at, u64 value) {
  *(u64 *)at = value;
}

INLINE int same(const void *left, const void *right) {
  u64 difference = 0;
  for (int i = 0; i < 32; i += 8) difference |= number((const u8 *)left + i) ^ number((const u8 *)right + i);
  return difference == 0;
}

INLINE void copy(void *to, const void *from) {
  for (int i = 0; i < 32; i += 8) put((u8 *)to + i, number((const u8 *)from + i));
}

/* The system program's address is 32 zeros. */
static const Key SYSTEM = {{0}};

/* Calls the system program on behalf of the initiator and the swap account. */
INLINE u64 call_system(const Account *swap, const Account *from, const Account *system, const CallMeta *metas,
                       u64 metas_len, const u8 *data, u64 data_len, const Seeds *signer) {
  const Account *accounts[3] = {swap, from, system};
  CallAccount forms[3];
  for (int i = 0; i < 3; i++) {
    const Account *one = accounts[i];
    forms[i] = (CallAccount){one->key,        one->lamports,  *one->data_len,   one->data,         one->owner,
                             one->rent_epoch, one->is_signer, one->is_writable, one->is_executable};
  }
  Call call = {&SYSTEM, metas, metas_len, data, data_len};
  return sol_invoke_signed_c(&call, forms, 3, signer, 1);
}

/* The balance that makes an account of the swap's size rent-exempt. */
INLINE u64 rent_of_swap(u64 *lamports) {
  Rent rent;
  if (sol_get_rent_sysvar(&rent)) return UNSUPPORTED_SYSVAR;
  *lamports = (128 + SWAP_LEN) * rent.lamports_per_byte;
  /* The threshold is a double, in years. It has had two values: 1.0, and 2.0 before SIMD-0194. */
  if (rent.threshold == 0x4000000000000000ULL) *lamports *= 2;
  else if (rent.threshold != 0x3ff0000000000000ULL) return UNSUPPORTED_SYSVAR;
  return 0;
}

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

  /* Anyone can send lamports to the address, and an account that exists cannot be created. So the missing part of its
     rent is paid together with the amount, then its space is allocated and its owner assigned. */
  u64 rent, error = rent_of_swap(&rent);
  if (error) return error;
  u64 missing = *swap->lamports < rent ? rent - *swap->lamports : 0;
  u64 paid = amount + missing;
  if (paid < amount) return ARITHMETIC_OVERFLOW;

  /* The system program's instructions: 2 transfers, 8 allocates, 1 assigns. */
  u8 data[36];
  CallMeta transfer[2] = {{initiator->key, 1, 1}, {swap->key, 1, 0}};
  CallMeta self[1] = {{swap->key, 1, 1}};
  *(u32 *)data = 2;
  put(data + 4, paid);
  if ((error = call_system(swap, initiator, system, transfer, 2, data, 12, &signer))) return error;
  /* This fails for an account with data: a swap in progress cannot be started again. */
  *(u32 *)data = 8;
  put(data + 4, SWAP_LEN);
  if ((error = call_system(swap, initiator, system, self, 1, data, 12, &signer))) return error;
  *(u32 *)data = 1;
  copy(data + 4, program);
  if ((error = call_system(swap, initiator, system, self, 1, data, 36, &signer))) return error;

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
  /* The same transaction could pay into the account again, which keeps it alive: so its data and owner are reset. */
  for (int i = 0; i < SWAP_LEN; i += 8) put(swap->data + i, 0);
  *swap->data_len = 0;
  copy(swap->owner, &SYSTEM);

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

/*
 * The runtime passes one buffer: the number of accounts; each account, or the index of the one it repeats; the length
 * of the instruction's data, and the data; and this program's address.
 */
__attribute__((section(".text"), used)) u64 entrypoint(u8 *in) {
  Account accounts[MAX_ACCOUNTS];
  u64 count = number(in);
  in += 8;
  if (count > MAX_ACCOUNTS) return INVALID_ARGUMENT;
  for (u64 i = 0; i < count; i++) {
    u8 repeated = in[0];
    if (repeated != 0xff) {
      if (repeated >= i) return INVALID_ARGUMENT;
      accounts[i] = accounts[repeated];
      in += 8;
      continue;
    }
    accounts[i].is_signer = in[1];
    accounts[i].is_writable = in[2];
    accounts[i].is_executable = in[3];
    accounts[i].key = (const Key *)(in + 8);
    accounts[i].owner = (Key *)(in + 40);
    accounts[i].lamports = (u64 *)(in + 72);
    accounts[i].data_len = (u64 *)(in + 80);
    accounts[i].data = in + 88;
    in += 88 + number(in + 80) + ROOM_TO_GROW;
    in = (u8 *)(((u64)in + 7) & ~7ULL);
    accounts[i].rent_epoch = number(in);
    in += 8;
  }
  u64 len = number(in);
  const u8 *data = in + 8;
  return run(accounts, count, data, len, (const Key *)(data + len));
}
