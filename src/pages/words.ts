// Written by `npm run words` from `words/en.json`.

/** The words of the rescue page. */
export interface RescueWords {
  /** Language */
  readonly language: string;
  /** Secret hash */
  readonly secretHash: string;
  /** Time lock */
  readonly timeLock: string;
  /** {n, plural, one{# block} other{# blocks}} */
  readonly blocks: (values: {readonly n: number}) => string;
  /** Or its text */
  readonly orItsText: string;
  /** It was written by another version. Open it with the page of that version. */
  readonly otherVersion: string;
  /** Missing, unknown or not in its form: {fields} */
  readonly badFields: (values: {readonly fields: string}) => string;
  /** Get your money back */
  readonly title: string;
  /** A contract keeps what was paid into a swap. After its time lock, anyone can tell it to pay the money back, and it only pays whoever paid in. This takes neither the site nor the swap service: just the network, and a wallet for the network fee. */
  readonly lead: string;
  /** 1. Your payment */
  readonly yourPayment: string;
  /** How to find it */
  readonly howToFind: string;
  /** Transaction */
  readonly transaction: string;
  /** File */
  readonly file: string;
  /** Or its text, from the printed page or its code */
  readonly fileText: string;
  /** This file can’t be used. */
  readonly notUsed: string;
  /** It isn’t a rescue file. */
  readonly notRescue: string;
  /** Network you paid on */
  readonly networkPaid: string;
  /** Networks */
  readonly networks: string;
  /** Test networks */
  readonly testNetworks: string;
  /** Transaction hash of the payment */
  readonly hash: string;
  /** It’s in your wallet’s history. */
  readonly hashWhere: string;
  /** Address to read the network at (RPC) */
  readonly rpc: string;
  /** From the file. Whoever runs it sees your IP address; you can enter one you trust instead. */
  readonly rpcFromFile: string;
  /** A node of this network that you trust. Networks list public ones in their documentation. */
  readonly rpcHint: string;
  /** Check the network */
  readonly look: string;
  /** Checking the network… */
  readonly looking: string;
  /** What the file says */
  readonly fileSays: string;
  /** Paid by */
  readonly paidBy: string;
  /** Nobody confirms this. What counts is what the network shows. */
  readonly unconfirmed: string;
  /** 2. What the network shows */
  readonly shows: string;
  /** 2. What the network shows ({n, number} of {all, number}) */
  readonly showsOne: (values: {readonly n: number; readonly all: number}) => string;
  /** No such payment. */
  readonly none: string;
  /** No contract keeps one with these terms, and no transaction made one. The payment may never have gone out, or it’s on another network. */
  readonly noneWhy: string;
  /** The contract holds {money} */
  readonly held: (values: {readonly money: string}) => string;
  /** The file says something else. */
  readonly differs: string;
  /** What the network shows counts: */
  readonly differsWhy: string;
  /** {field}: {shown}, and not {file} */
  readonly differsIn: (values: {readonly field: string; readonly shown: string; readonly file: string}) => string;
  /** Goes back to */
  readonly goesBackTo: string;
  /** Kept by */
  readonly keptBy: string;
  /** With the secret, to */
  readonly withSecret: string;
  /** {money} (as the file calls it) */
  readonly asCalled: (values: {readonly money: string}) => string;
  /** {amount} of the smallest unit */
  readonly smallestUnits: (values: {readonly amount: string}) => string;
  /** {address}, a contract this page knows */
  readonly known: (values: {readonly address: string}) => string;
  /** Paid in block {block}; over since block {end} */
  readonly lockOver: (values: {readonly block: string; readonly end: string}) => string;
  /** Paid in block {block}; over in block {end}, in {time} */
  readonly lockOpens: (values: {readonly block: string; readonly end: string; readonly time: string}) => string;
  /** The contract no longer holds it. How it ended couldn’t be read. */
  readonly endUnknown: string;
  /** It was paid back. There’s nothing left to do. */
  readonly endBack: string;
  /** It was taken with the secret: the swap went through, or you were paid on the other network. The contract no longer holds anything. */
  readonly endTaken: string;
  /** You can’t take it back yet. */
  readonly tooEarly: string;
  /** Until the time lock is over, the swap may still go through. Come back then: all you need is the file, or the transaction hash. */
  readonly tooEarlyWhy: string;
  /** 3. Take it back */
  readonly takeBack: string;
  /** Your wallet is asked for one call, {call}, without any coins. The contract pays {address}, whichever account signs. The account that signs pays the network fee. */
  readonly takeBackWhy: (values: {readonly call: string; readonly address: string}) => string;
  /** {address} signs, with {wallet}. */
  readonly signs: (values: {readonly address: string; readonly wallet: string}) => string;
  /** Wallets */
  readonly wallets: string;
  /** Connect {wallet} */
  readonly connectTo: (values: {readonly wallet: string}) => string;
  /** {wallet} is connected. */
  readonly connected: (values: {readonly wallet: string}) => string;
  /** Open this page in a browser that has a wallet for {network}. */
  readonly noWalletTodo: (values: {readonly network: string}) => string;
  /** Not with this account. */
  readonly notThisAccount: string;
  /** The program isn’t known, and would get this account’s own rights. Connect another account with a little for the fee: the money still goes to the payer. */
  readonly notThisAccountWhy: string;
  /** This page doesn’t know the contract. */
  readonly unknown: string;
  /** Whoever wrote the file may have made it up, and nobody knows what it does with a call. Compare its address with the payment in your wallet’s history. If it isn’t there, stop. Safest is an account that holds no more than the fee. */
  readonly unknownWhy: string;
  /** The last {count, number} characters of the contract’s address, from your wallet’s history */
  readonly typeEnd: (values: {readonly count: number}) => string;
  /** Here: {address} */
  readonly typeHint: (values: {readonly address: string}) => string;
  /** Nothing was paid to this address. */
  readonly addressNone: string;
  /** The address holds {money} */
  readonly addressHolds: (values: {readonly money: string}) => string;
  /** {money} came back to the refund address. */
  readonly addressBack: (values: {readonly money: string}) => string;
  /** {money} was paid, and has left the address. */
  readonly addressLeft: (values: {readonly money: string}) => string;
  /** Who can send it back */
  readonly whoCan: string;
  /** Both keys to this address are the swap service’s: only the service can pay the refund, to the address in the order. No page and no wallet of yours can. Send the service this: */
  readonly whoCanWhy: string;
  /** Swap service */
  readonly service: string;
  /** Paid to */
  readonly paidTo: string;
  /** Never send anyone a key or your wallet’s recovery phrase. A refund needs neither. */
  readonly neverKeys: string;
  /** The file was read. Nothing has been checked yet. */
  readonly fileRead: string;
  /** The network was checked. */
  readonly looked: string;
  /** Confirm in your wallet. */
  readonly confirm: string;
  /** The network can’t be read at this address. Check it, or try another one. */
  readonly unreadable: string;
  /** Reload the page. */
  readonly reload: string;
  /** Check the network again before you try once more. */
  readonly lookAgain: string;
  /** This account must not sign here. Choose another one. */
  readonly notSigner: string;
  /** This account can’t pay the network fee. */
  readonly noFee: string;
  /** The contract won’t pay it back now. Most often it’s too early: check the network again. */
  readonly reverted: string;
  /** There is no contract at that address on this network. */
  readonly noContract: string;
  /** An address to read the network at is needed here. */
  readonly needsRpc: string;
  /** That didn’t work. */
  readonly failed: string;
  /** This page is one file. It contacts the address entered above and your wallet, and nothing else. Its checksum is in the signed list of the release. Wallet extensions don’t run in files opened from a disk: serve it from any web server, even one on your own computer. */
  readonly footer: string;
  readonly widget: {
    readonly money: {
      /** Your money stays where it is. You can still take it back. */
      readonly refund: string;
    };
    readonly errors: {
      readonly rejected: {
        /** You declined in your wallet. */
        readonly what: string;
        /** You can try again. */
        readonly todo: string;
      };
      readonly 'wallet-locked': {
        /** Your wallet is locked or busy. */
        readonly what: string;
        /** Open it, then try again. */
        readonly todo: string;
      };
      readonly 'wallet-missing': {
        /** Your wallet is no longer available. */
        readonly what: string;
        /** Open it, or connect another one. */
        readonly todo: string;
      };
      readonly 'wallet-failed': {
        /** Your wallet couldn’t do this. */
        readonly what: string;
        /** Try again, or use another wallet. */
        readonly todo: string;
      };
      readonly 'wallet-unclear': {
        /** Your wallet didn’t give a clear answer. */
        readonly what: string;
        /** The payment may have gone out. */
        readonly money: string;
      };
      readonly 'wrong-network': {
        /** Your wallet is on another network. */
        readonly what: string;
        /** Switch networks in your wallet, then try again. */
        readonly todo: string;
      };
    };
    /** about {minutes, number} min */
    readonly aboutMinutes: (values: {readonly minutes: number}) => string;
    /** about {hours, number} h */
    readonly aboutHours: (values: {readonly hours: number}) => string;
    /** {days, plural, one{about # day} other{about # days}} */
    readonly aboutDays: (values: {readonly days: number}) => string;
    /** Network */
    readonly network: string;
    /** Swap ID */
    readonly order: string;
    /** Paid */
    readonly paid: string;
    /** Rescue file */
    readonly rescue: string;
    /** Take your money back */
    readonly refundNow: string;
    /** Refund address */
    readonly refundGoesTo: string;
    /** Refund on its way */
    readonly refundUnderWay: string;
    /** No wallet found in this browser. */
    readonly noWalletFound: string;
    /** Waiting for {wallet} */
    readonly waiting: (values: {readonly wallet: string}) => string;
    /** your wallet */
    readonly yourWallet: string;
    readonly checks: {
      /** Amount */
      readonly amount: string;
    };
    readonly receiptFacts: {
      /** Placed */
      readonly placed: string;
      /** Payment */
      readonly paid: string;
    };
  };
}
