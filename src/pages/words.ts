// Written by `npm run words` from `words/en.json`.

/** The words of the rescue page. */
export interface RescueWords {
  /** Language */
  readonly language: string;
  /** A contract keeps what was paid into a swap. After its time lock, anyone can tell it to pay the money back, and it only pays whoever paid in. */
  readonly lead: string;
  /** 1. Your payment */
  readonly yourPayment: string;
  /** Transaction */
  readonly transaction: string;
  /** Or its text, from the printed page or its code */
  readonly fileText: string;
  /** This file can’t be used. It isn’t a backup file. */
  readonly notRescue: string;
  /** This file can’t be used. It was written by another version. Open it with the page of that version. */
  readonly otherVersion: string;
  /** This file can’t be used. Missing, unknown or not in its form: {fields} */
  readonly badFields: (values: {readonly fields: string}) => string;
  /** Transaction hash of the payment, from your wallet’s history */
  readonly hash: string;
  /** Address to read the network at (RPC) */
  readonly rpc: string;
  /** A node of this network that you trust: whoever runs it sees your IP address. Networks list public ones in their documentation. */
  readonly rpcHint: string;
  /** Check the network */
  readonly look: string;
  /** Checking the network… */
  readonly looking: string;
  /** What the file says, unconfirmed */
  readonly fileSays: string;
  /** 2. What the network shows */
  readonly shows: string;
  /** No such payment. The payment may never have gone out, or it’s on another network. */
  readonly none: string;
  /** The contract holds {money} */
  readonly held: (values: {readonly money: string}) => string;
  /** The file says something else. What the network shows counts: */
  readonly differs: string;
  /** {field}: {shown}, and not {file} */
  readonly differsIn: (values: {readonly field: string; readonly shown: string; readonly file: string}) => string;
  /** Goes back to */
  readonly goesBackTo: string;
  /** Kept by */
  readonly keptBy: string;
  /** With the secret, to */
  readonly withSecret: string;
  /** Time lock */
  readonly timeLock: string;
  /** Block {block} to {end} */
  readonly lock: (values: {readonly block: string; readonly end: string}) => string;
  /** {amount} of the smallest unit */
  readonly smallestUnits: (values: {readonly amount: string}) => string;
  /** The contract no longer holds it. How it ended couldn’t be read. */
  readonly endUnknown: string;
  /** It was paid back. There’s nothing left to do. */
  readonly endBack: string;
  /** It was taken with the secret: the swap went through, or you were paid on the other network. */
  readonly endTaken: string;
  /** You can’t take it back yet. Until the time lock is over, the swap may still go through. Come back then: all you need is the file, or the transaction hash. */
  readonly tooEarly: string;
  /** 3. Take it back */
  readonly takeBack: string;
  /** Your wallet is asked for one call, {call}, without any coins. */
  readonly takeBackWhy: (values: {readonly call: string}) => string;
  /** Connect {wallet} */
  readonly connectTo: (values: {readonly wallet: string}) => string;
  /** No wallet found in this browser. Open this page in a browser that has a wallet for {network}. */
  readonly noWallet: (values: {readonly network: string}) => string;
  /** Not with this account. The program isn’t known, and would get this account’s own rights. Connect another account with a little for the fee: the money still goes to the payer. */
  readonly notThisAccount: string;
  /** This page doesn’t know the contract. Whoever wrote the file may have made it up, and nobody knows what it does with a call. Compare its address with the payment in your wallet’s history. If it isn’t there, stop. Safest is an account that holds no more than the fee. */
  readonly unknown: string;
  /** The last {count, number} characters of the contract’s address, from your wallet’s history */
  readonly typeEnd: (values: {readonly count: number}) => string;
  /** The address holds {money} */
  readonly addressHolds: (values: {readonly money: string}) => string;
  /** {money} was paid, and has left the address. */
  readonly addressLeft: (values: {readonly money: string}) => string;
  /** Both keys to this address are the swap service’s: only the service can pay the refund, to the address in the order. Never send anyone a key or your wallet’s recovery phrase. Send the service this: */
  readonly whoCanWhy: string;
  /** Swap service */
  readonly service: string;
  /** Your wallet didn’t give a clear answer. Check the network again before you try once more. */
  readonly unclear: string;
  /** The network can’t be read at this address. Check it, or try another one. */
  readonly unreadable: string;
  /** This account can’t pay the network fee. */
  readonly noFee: string;
  /** The contract won’t pay it back now. Most often it’s too early: check the network again. */
  readonly reverted: string;
  /** That didn’t work. */
  readonly failed: string;
  /** This page contacts the address entered above and your wallet, and nothing else. Wallet extensions don’t run in files opened from a disk: serve it from any web server. */
  readonly footer: string;
  /** You declined in your wallet. */
  readonly rejected: string;
  /** Your wallet is locked or busy. */
  readonly 'wallet-locked': string;
  /** Your wallet is on another network. */
  readonly 'wrong-network': string;
  /** Network */
  readonly network: string;
  /** Swap ID */
  readonly order: string;
  /** Amount */
  readonly amount: string;
  /** Backup file */
  readonly rescue: string;
  /** Take your money back */
  readonly refundNow: string;
  /** Refund on its way */
  readonly refundUnderWay: string;
  /** Waiting for {wallet} */
  readonly waiting: (values: {readonly wallet: string}) => string;
}

const NAMES =
  'addressHolds addressLeft amount badFields connectTo differs differsIn endBack endTaken endUnknown failed fileSays fileText footer goesBackTo hash held keptBy language lead lock look looking network noFee noWallet none notRescue notThisAccount order otherVersion refundNow refundUnderWay rejected rescue reverted rpc rpcHint service shows smallestUnits takeBack takeBackWhy timeLock tooEarly transaction typeEnd unclear unknown unreadable waiting wallet-locked whoCanWhy withSecret wrong-network yourPayment';

/** The words from a language's texts, which are in the order of their names. */
export const named = (texts: readonly unknown[]) =>
  Object.fromEntries(NAMES.split(' ').map((name, at) => [name, texts[at]])) as unknown as RescueWords;
