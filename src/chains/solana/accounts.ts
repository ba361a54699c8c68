/* Accounts at addresses that are derived from others: they have no key. */
import {isOffCurveAddress, type Address} from '@solana/kit';
import {base58, bytesOf, SYSTEM_PROGRAM, type Instruction} from './transaction.js';

/** The program of USDC, cbBTC and most other tokens (SPL Token). */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** The program that gives each address one account for each token (Associated Token Account). */
const ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
/** Its instruction that creates one if it is missing (`CreateIdempotent`). */
const CREATE_IF_MISSING = 1;

/** Kit's own `getProgramDerivedAddress` requires a secure context, and its browser build does not run in Node. */
export async function derivedAddress(program: string, seeds: readonly Uint8Array[]): Promise<string> {
  const begin = seeds.flatMap(seed => [...seed]);
  const end = [...bytesOf(program), ...new TextEncoder().encode('ProgramDerivedAddress')];
  for (let bump = 255; bump >= 0; bump--) {
    const hash = await crypto.subtle.digest('SHA-256', Uint8Array.from([...begin, bump, ...end]));
    const address = base58(new Uint8Array(hash));
    if (isOffCurveAddress(address as Address)) return address;
  }
  throw new Error('no address off the curve');
}

export function tokenAccount(owner: string, token: string): Promise<string> {
  return derivedAddress(ACCOUNT_PROGRAM, [owner, TOKEN_PROGRAM, token].map(bytesOf));
}

/** Creates an address's account for a token if it is missing; the fee payer pays its rent deposit. */
export async function createTokenAccount(feePayer: string, owner: string, token: string): Promise<Instruction> {
  return {
    program: ACCOUNT_PROGRAM,
    accounts: [
      {address: feePayer, signer: true, writable: true},
      {address: await tokenAccount(owner, token), signer: false, writable: true},
      ...[owner, token, SYSTEM_PROGRAM, TOKEN_PROGRAM].map(address => ({address, signer: false, writable: false})),
    ],
    data: Uint8Array.of(CREATE_IF_MISSING),
  };
}
