/*
 * What the sandbox's Solana programs share: the virtual machine's structs and system calls, the names and errors of the
 * published programs and their framework, the creation of accounts, and the entry point, which calls `run`.
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

/* Errors of the published programs' framework. */
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

/* Calls a program on behalf of up to four accounts, the called program's own among them. */
INLINE u64 invoke(const Key *program, const CallMeta *metas, u64 metas_len, const u8 *data, u64 data_len,
                  const Account *const *accounts, u64 accounts_len, const Seeds *signer) {
  CallAccount forms[4];
  for (u64 i = 0; i < accounts_len; i++) {
    const Account *one = accounts[i];
    forms[i] = (CallAccount){one->key,        one->lamports,  *one->data_len,   one->data,         one->owner,
                             one->rent_epoch, one->is_signer, one->is_writable, one->is_executable};
  }
  Call call = {program, metas, metas_len, data, data_len};
  return sol_invoke_signed_c(&call, forms, accounts_len, signer, signer ? 1 : 0);
}

/* The balance that makes an account of a size rent-exempt. */
INLINE u64 rent_of(u64 size, u64 *lamports) {
  Rent rent;
  if (sol_get_rent_sysvar(&rent)) return UNSUPPORTED_SYSVAR;
  *lamports = (128 + size) * rent.lamports_per_byte;
  /* The threshold is a double, in years. It has had two values: 1.0, and 2.0 before SIMD-0194. */
  if (rent.threshold == 0x4000000000000000ULL) *lamports *= 2;
  else if (rent.threshold != 0x3ff0000000000000ULL) return UNSUPPORTED_SYSVAR;
  return 0;
}

/*
 * Creates an account of a size for an owner, and pays its rent and an amount into it. Anyone can send lamports to its
 * address, and an account that exists cannot be created: so the missing part of its rent is paid, then its space is
 * allocated, which fails for an account with data, and its owner assigned.
 */
INLINE u64 create(const Account *made, const Account *payer, const Account *system, u64 size, const Key *owner,
                  u64 amount, const Seeds *signer) {
  u64 rent, error = rent_of(size, &rent);
  if (error) return error;
  u64 missing = *made->lamports < rent ? rent - *made->lamports : 0;
  u64 paid = amount + missing;
  if (paid < amount) return ARITHMETIC_OVERFLOW;

  /* The system program's instructions: 2 transfers, 8 allocates, 1 assigns. */
  u8 data[36];
  const Account *accounts[3] = {made, payer, system};
  CallMeta transfer[2] = {{payer->key, 1, 1}, {made->key, 1, 0}};
  CallMeta self[1] = {{made->key, 1, 1}};
  *(u32 *)data = 2;
  put(data + 4, paid);
  if ((error = invoke(&SYSTEM, transfer, 2, data, 12, accounts, 3, signer))) return error;
  *(u32 *)data = 8;
  put(data + 4, size);
  if ((error = invoke(&SYSTEM, self, 1, data, 12, accounts, 3, signer))) return error;
  *(u32 *)data = 1;
  copy(data + 4, owner);
  return invoke(&SYSTEM, self, 1, data, 36, accounts, 3, signer);
}

/* Closes a program's own account. The same transaction could pay into it again, which keeps it alive: so its data and
   owner are reset. */
INLINE void clear(Account *account, u64 size) {
  for (u64 i = 0; i + 8 <= size; i += 8) put(account->data + i, 0);
  *account->data_len = 0;
  copy(account->owner, &SYSTEM);
}

INLINE u64 run(Account *a, u64 count, const u8 *data, u64 len, const Key *program);

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
