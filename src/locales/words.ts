// Written by `npm run words` from `en.json`.

/** The words of the first load: frame and form. */
export interface FirstMessages {
  /** Swap */
  readonly swap: string;
  /** Back */
  readonly back: string;
  /** Testnet */
  readonly testNetwork: string;
  /** Your swaps */
  readonly yourSwaps: string;
  /** Your swaps, {open, number} open */
  readonly yourSwapsOpen: (values: {readonly open: number}) => string;
  /** This part couldn’t be loaded. */
  readonly notLoaded: string;
  /** Try again */
  readonly tryAgain: string;
  /** Try now */
  readonly tryNow: string;
  /** You pay */
  readonly youPay: string;
  /** You receive */
  readonly youReceive: string;
  /** Choose */
  readonly choose: string;
  /** You pay: choose an asset */
  readonly choosePay: string;
  /** You receive: choose an asset */
  readonly chooseReceive: string;
  /** {label}: {symbol}, {network} */
  readonly assetOf: (values: {readonly label: string; readonly symbol: string; readonly network: string}) => string;
  /** Pay from */
  readonly payFrom: string;
  /** Refund to */
  readonly refundAddress: string;
  /** Not an exchange account */
  readonly ownWallet: string;
  /** Receive at */
  readonly receiveAt: string;
  /** {network} address */
  readonly addressOn: (values: {readonly network: string}) => string;
  /** First, choose what to receive */
  readonly chooseFirst: string;
  /** No wallet connected */
  readonly noWallet: string;
  /** your wallet */
  readonly yourWallet: string;
  /** Connect */
  readonly connect: string;
  /** Change */
  readonly change: string;
  /** Change the wallet you pay from */
  readonly changePayer: string;
  /** Change where you receive */
  readonly changeRecipient: string;
  /** Connect a wallet to pay from */
  readonly connectPayer: string;
  /** Connect a receiving wallet */
  readonly connectRecipient: string;
  /** Swap the two sides */
  readonly flip: string;
  /** The price appears here */
  readonly priceAppears: string;
  /** No price right now */
  readonly noPrice: string;
  /** Review swap */
  readonly reviewSwap: string;
  /** Use {amount} {symbol} */
  readonly useAmount: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** Use {from} → {to} */
  readonly usePair: (values: {readonly from: string; readonly to: string}) => string;
  /** Nothing is signed yet */
  readonly nothingSigned: string;
  /** Getting a price */
  readonly gettingPrice: string;
  /** New price in {time} */
  readonly newPriceIn: (values: {readonly time: string}) => string;
  readonly problems: {
    /** Choose what to pay */
    readonly 'choose-from': string;
    /** Choose what to receive */
    readonly 'choose-to': string;
    /** Choose two different assets */
    readonly 'same-asset': string;
    /** Choose another asset */
    readonly 'no-route': string;
    /** Enter an amount */
    readonly 'enter-amount': string;
    /** Check the amount */
    readonly 'not-a-number': string;
    /** Check the amount */
    readonly 'too-many-decimals': string;
    /** Calculating the amount… */
    readonly 'finding-amount': string;
    /** You’re offline */
    readonly offline: string;
    /** Enter another amount */
    readonly 'amount-range': string;
    /** You don’t have enough */
    readonly 'not-enough': string;
    /** Accept this price */
    readonly 'confirm-cost': string;
    /** Connect a wallet */
    readonly connect: string;
    /** Enter a refund address */
    readonly 'enter-refund': string;
    /** Yes, the refund address is mine */
    readonly 'confirm-refund': string;
    /** Enter where to receive */
    readonly 'enter-recipient': string;
    /** Yes, send it there */
    readonly 'confirm-recipient': string;
    /** Checking the address */
    readonly 'checking-address': string;
    /** Check the address */
    readonly 'not-an-address': string;
    /** Look up the name again */
    readonly 'name-unread': string;
    /** Check the address */
    readonly 'a-contract': string;
  };
}

/** The words that come later: what can go wrong, and everything after the form. */
export interface LateMessages {
  /** Trying again in {seconds, number} s. */
  readonly retryingIn: (values: {readonly seconds: number}) => string;
  /** Try again, or cancel this swap. */
  readonly tryOrCancel: string;
  /** Enter between {min} and {max} {symbol}. */
  readonly amountRange: (values: {readonly min: string; readonly max: string; readonly symbol: string}) => string;
  readonly money: {
    /** No money was sent. */
    readonly quote: string;
    /** No money was sent. */
    readonly review: string;
    /** You didn’t sign anything. */
    readonly wallet: string;
    /** No money was sent. */
    readonly deposit: string;
    /** Your signature never left this page, so no money was sent. */
    readonly signature: string;
    /** What you signed could still be used. */
    readonly handed: string;
    /** The permission may still be in place. */
    readonly revoke: string;
    /** We’re still watching the address. */
    readonly transfer: string;
    /** This is the last update we have. Your swap continues without this page. */
    readonly progress: string;
    /** Your money stays where it is. You can still take it back. */
    readonly refund: string;
  };
  readonly errors: {
    readonly config: {
      /** This site’s swap isn’t set up correctly. */
      readonly what: string;
      /** Only the site can fix it: please let them know. */
      readonly todo: string;
    };
    readonly 'no-route': {
      /** These two assets can’t be swapped for each other right now. */
      readonly what: string;
      /** Choose another asset. */
      readonly todo: string;
    };
    readonly 'amount-range': {
      /** This amount is too small or too large. */
      readonly what: string;
      /** Enter another amount. */
      readonly todo: string;
    };
    readonly 'no-quote': {
      /** Nobody is offering a price right now. */
      readonly what: string;
    };
    readonly offline: {
      /** You’re offline. */
      readonly what: string;
    };
    readonly timeout: {
      /** The swap service isn’t answering. */
      readonly what: string;
    };
    readonly 'rate-limited': {
      /** The swap service is busy. */
      readonly what: string;
    };
    readonly service: {
      /** The swap service reported an error. */
      readonly what: string;
    };
    readonly unreadable: {
      /** The swap service sent an answer we can’t read. */
      readonly what: string;
    };
    readonly 'deposit-mismatch': {
      /** This isn’t what you agreed to. */
      readonly what: string;
      /** You didn’t sign anything. */
      readonly money: string;
    };
    readonly 'order-changed': {
      /** This isn’t the swap you placed. */
      readonly what: string;
    };
    readonly 'fees-changed': {
      /** The site fees aren’t the ones you agreed to. */
      readonly what: string;
    };
    readonly rejected: {
      /** You declined in your wallet. */
      readonly what: string;
      /** You can try again. */
      readonly todo: string;
    };
    readonly 'wallet-missing': {
      /** Your wallet is no longer available. */
      readonly what: string;
      /** Open it, or connect another one. */
      readonly todo: string;
    };
    readonly 'wallet-locked': {
      /** Your wallet is locked or busy. */
      readonly what: string;
      /** Open it, then try again. */
      readonly todo: string;
    };
    readonly 'wallet-unclear': {
      /** Your wallet didn’t give a clear answer. */
      readonly what: string;
      /** The payment may have gone out. */
      readonly money: string;
    };
    readonly 'wallet-failed': {
      /** Your wallet couldn’t do this. */
      readonly what: string;
      /** Try again, or use another wallet. */
      readonly todo: string;
    };
    readonly 'wrong-network': {
      /** Your wallet is on another network. */
      readonly what: string;
      /** Switch networks in your wallet, then try again. */
      readonly todo: string;
    };
    readonly 'wrong-account': {
      /** Your wallet is using another account. */
      readonly what: string;
      /** Switch to the account you placed this swap with. */
      readonly todo: string;
    };
    readonly 'insufficient-funds': {
      /** There isn’t enough in your wallet. */
      readonly what: string;
      /** Remember to leave some for the network fee. */
      readonly todo: string;
    };
    readonly 'approval-failed': {
      /** The permission wasn’t given. */
      readonly what: string;
      /** You can try again. */
      readonly todo: string;
    };
    readonly 'funding-reverted': {
      /** The network rejected this transaction. */
      readonly what: string;
      /** You can try again. */
      readonly todo: string;
    };
    readonly expired: {
      /** The time to pay has run out. */
      readonly what: string;
      /** Start again with a new price. */
      readonly todo: string;
    };
    readonly held: {
      /** This site has put the swap on hold. */
      readonly what: string;
      /** Ask the site why. */
      readonly todo: string;
    };
    readonly listed: {
      /** An address of this swap is on a public sanctions list. */
      readonly what: string;
      /** Check both addresses before you try again. */
      readonly todo: string;
    };
    readonly paused: {
      /** New swaps are paused. */
      readonly what: string;
      /** Please come back later. */
      readonly todo: string;
    };
    readonly storage: {
      /** This browser can’t save your swap. */
      readonly what: string;
      /** Unsaved, it could be lost. Leave private mode or free up some space. */
      readonly todo: string;
    };
  };
  readonly fieldErrors: {
    readonly 'rejected chain': {
      /** Your wallet didn’t switch networks. */
      readonly what: string;
      /** You can try again. */
      readonly todo: string;
    };
    readonly 'rejected canceled': {
      /** You canceled the payment in your wallet. */
      readonly what: string;
      /** You can pay again. */
      readonly todo: string;
    };
    readonly 'approval-failed used': {
      /** Another swap used the permission, or it changed. */
      readonly what: string;
      /** You can give the permission again. */
      readonly todo: string;
    };
    readonly 'approval-failed pending': {
      /** What became of the permission isn’t certain yet. */
      readonly what: string;
      /** Wait a minute, then try again. */
      readonly todo: string;
    };
    readonly 'approval-failed taken': {
      /** The permission isn’t there any more. */
      readonly what: string;
      /** The contract may have taken your money. */
      readonly money: string;
      /** Look at your wallet’s history. To go on, start a new swap. */
      readonly todo: string;
    };
    readonly 'funding-reverted empty': {
      /** The transaction went through, but nothing was paid. */
      readonly what: string;
      /** A call inside your account failed, so your money stayed there. */
      readonly money: string;
      /** You can pay again. */
      readonly todo: string;
    };
    readonly 'unreadable check': {
      /** The payment couldn’t be checked here. */
      readonly what: string;
      /** You can try again. */
      readonly todo: string;
    };
    readonly 'unreadable rpc': {
      /** The servers that this page asks don’t agree. */
      readonly what: string;
      /** You can try again. */
      readonly todo: string;
    };
    readonly 'service order': {
      /** The swap service says it doesn’t know this swap. */
      readonly what: string;
      /** This page keeps looking for your payment on the network. */
      readonly money: string;
      /** If you’ve paid, contact this site. */
      readonly todo: string;
    };
    readonly 'service request': {
      /** The swap service can’t process this request. */
      readonly what: string;
      /** Try another amount. */
      readonly todo: string;
    };
    readonly 'config rpc': {
      /** This page can’t reach the network. */
      readonly what: string;
      /** The site has to set up a connection to it. */
      readonly todo: string;
    };
  };
  readonly connectErrors: {
    readonly config: {
      /** This site offers a wallet that can’t be used. */
      readonly what: string;
      /** Only the site can fix it. */
      readonly todo: string;
    };
    readonly timeout: {
      /** This wallet can’t be reached. */
      readonly what: string;
      /** Check your connection, then try again. */
      readonly todo: string;
    };
    readonly 'wallet-missing': {
      /** The wallet didn’t respond. */
      readonly what: string;
      /** Open it, or choose another one. */
      readonly todo: string;
    };
    readonly 'wallet-unclear': {
      /** The wallet didn’t give a clear answer. */
      readonly what: string;
      /** Look for its window, or try again. */
      readonly todo: string;
    };
  };
  /** Close */
  readonly close: string;
  /** Cancel */
  readonly cancel: string;
  /** Copied */
  readonly copied: string;
  /** Copy: {name} */
  readonly copyOf: (values: {readonly name: string}) => string;
  /** to {address} */
  readonly to: (values: {readonly address: string}) => string;
  /** You receive at {address} */
  readonly youReceiveAt: (values: {readonly address: string}) => string;
  /** You get back at {address} */
  readonly youGetBackAt: (values: {readonly address: string}) => string;
  /** from {address} */
  readonly from: (values: {readonly address: string}) => string;
  /** 1 {from} = {amount} {to} */
  readonly rate: (values: {readonly from: string; readonly amount: string; readonly to: string}) => string;
  /** Show the inverse rate */
  readonly otherWayRound: string;
  /** Quotes, best first */
  readonly quotesBestFirst: string;
  /** Best */
  readonly best: string;
  /** You get {value} more */
  readonly moreValue: (values: {readonly value: string}) => string;
  /** You get {value} less */
  readonly lessValue: (values: {readonly value: string}) => string;
  /** Exchange partner {n, number} */
  readonly exchangePartner: (values: {readonly n: number}) => string;
  /** Cost */
  readonly cost: string;
  /** + network fee */
  readonly plusNetworkFee: string;
  /** + network fee, now {rate, number} {unit} */
  readonly networkFeeNow: (values: {readonly rate: number; readonly unit: string}) => string;
  /** More */
  readonly more: string;
  /** Details */
  readonly details: string;
  /** {value} ({percent}) */
  readonly costAndShare: (values: {readonly value: string; readonly percent: string}) => string;
  /** Compared with this site’s price */
  readonly againstSite: string;
  /** You get {percent} less */
  readonly getLess: (values: {readonly percent: string}) => string;
  /** You get {percent} more */
  readonly getMore: (values: {readonly percent: string}) => string;
  /** The same */
  readonly sameAsSite: string;
  /** Including a site fee of {percent} */
  readonly partnerFeeIncluded: (values: {readonly percent: string}) => string;
  /** You’re offline. */
  readonly offline: string;
  /** The price will be back as soon as you’re online again. */
  readonly offlineWhy: string;
  /** This swap costs {value}, {percent} of what you pay. */
  readonly costHigh: (values: {readonly value: string; readonly percent: string}) => string;
  /** This price may be wrong: you would get {value} more than you pay. */
  readonly tooGood: (values: {readonly value: string}) => string;
  /** Network and exchange */
  readonly networkAndExchange: string;
  /** Site fee {percent} */
  readonly partnerFee: (values: {readonly percent: string}) => string;
  /** {least, number}–{most, number} min */
  readonly betweenMinutes: (values: {readonly least: number; readonly most: number}) => string;
  /** about {minutes, number} min */
  readonly aboutMinutes: (values: {readonly minutes: number}) => string;
  /** about {hours, number} h */
  readonly aboutHours: (values: {readonly hours: number}) => string;
  /** Max */
  readonly max: string;
  /** At least {amount} {symbol} */
  readonly leastAmount: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** At most {amount} {symbol} per swap */
  readonly mostAmount: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** Not enough {symbol}: you have {amount}. */
  readonly notEnough: (values: {readonly symbol: string; readonly amount: string}) => string;
  /** Add funds */
  readonly addFunds: string;
  /** Amount in {unit} */
  readonly amountIn: (values: {readonly unit: string}) => string;
  /** Type the amount in {unit} */
  readonly typeIn: (values: {readonly unit: string}) => string;
  /** ≈ {amount} {symbol} */
  readonly isAbout: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** Max: {amount} */
  readonly useAll: (values: {readonly amount: string}) => string;
  /** You have {amount} {symbol}. */
  readonly youHave: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** Keep {amount} {symbol} for the network fee. */
  readonly keepForFee: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** {amount} {symbol} is kept for the network fee. */
  readonly staysForFee: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** Usually between {min} and {max} {symbol}. */
  readonly usually: (values: {readonly min: string; readonly max: string; readonly symbol: string}) => string;
  /** This isn’t a valid amount */
  readonly notANumber: string;
  /** Do you mean {one} or {other}? */
  readonly isItEither: (values: {readonly one: string; readonly other: string}) => string;
  /** {symbol} has {decimals, plural, =0{no decimals} one{at most # decimal} other{at most # decimals}} */
  readonly tooManyDecimals: (values: {readonly symbol: string; readonly decimals: number}) => string;
  /** Not an address on {network}. Check every character. */
  readonly notAnAddress: (values: {readonly network: string}) => string;
  /** Not an address on {network}. It is {n, number} characters long, not {length, number}. */
  readonly addressLength: (values: {readonly network: string; readonly n: number; readonly length: number}) => string;
  /** Nobody owns this address: anything sent to it is lost */
  readonly nobodys: string;
  /** This is an address on {other}, not on {network}. */
  readonly otherNetwork: (values: {readonly other: string; readonly network: string}) => string;
  /** Your wallet is on {other}. Switch it to {network}, then connect it again. */
  readonly walletOnOther: (values: {readonly other: string; readonly network: string}) => string;
  /** This is a contract: anything sent to it is lost */
  readonly aContract: string;
  /** Filled in by this site. Is it yours? */
  readonly filledIn: string;
  /** Filled in by this site. Should your money go there? */
  readonly recipientGiven: string;
  /** From the link that brought you here. Should your money go there? */
  readonly recipientLinked: string;
  /** This site asks for */
  readonly askedFor: string;
  /** This isn’t your connected wallet. Should your money go there? */
  readonly recipientOther: string;
  /** Your account on {from} is a smart account. Do you control this address on {to} too? If not, your money will be lost. */
  readonly recipientSmart: (values: {readonly from: string; readonly to: string}) => string;
  /** This is a contract, perhaps an exchange’s. Some contracts never notice money that another contract sends. Should it go there? */
  readonly recipientContract: string;
  /** This only looks like an address you used before. */
  readonly lookalike: string;
  /** Used before on {network} */
  readonly usedBefore: (values: {readonly network: string}) => string;
  /** It starts and ends the same, but it’s a different address. Scammers create such addresses. You used: */
  readonly lookalikeWhy: string;
  /** Use the address I used before */
  readonly useUsed: string;
  /** You entered: */
  readonly youEntered: string;
  /** {name} points to this address on {network}. Should your money go there? */
  readonly recipientNamed: (values: {readonly name: string; readonly network: string}) => string;
  /** Your money could be lost. */
  readonly couldBeLost: string;
  /** Money sent to a wrong address is lost. */
  readonly wrongAddressLost: string;
  /** Names can’t be used here. Enter the address itself. */
  readonly namesOff: string;
  /** Not a valid name. Some of its characters aren’t allowed, or look like others. */
  readonly nameNotValid: string;
  /** {name} has no address on {network}. Enter the address itself. */
  readonly nameNoAddress: (values: {readonly name: string; readonly network: string}) => string;
  /** {name} is stored outside Ethereum, and we don’t look it up there. Enter the address itself. */
  readonly nameOffchain: (values: {readonly name: string}) => string;
  /** Ethereum gave no clear answer for {name}. Try again, or enter the address itself. */
  readonly nameUnread: (values: {readonly name: string}) => string;
  readonly stages: {
    /** Not placed */
    readonly editing: string;
    /** Review */
    readonly reviewing: string;
    /** Placing */
    readonly ordering: string;
    /** Waiting for your payment */
    readonly 'awaiting-deposit': string;
    /** Waiting for your wallet */
    readonly funding: string;
    /** Payment seen */
    readonly 'deposit-seen': string;
    /** Confirming */
    readonly confirming: string;
    /** Exchanging */
    readonly settling: string;
    /** Received */
    readonly complete: string;
    /** The swap didn’t happen */
    readonly refunding: string;
    /** Refunded */
    readonly refunded: string;
    /** Expired */
    readonly expired: string;
    /** Stopped */
    readonly stopped: string;
  };
  readonly said: {
    /** {wallet} is connected. */
    readonly connected: (values: {readonly wallet: string}) => string;
    /** You would receive {amount} {symbol}. */
    readonly price: (values: {readonly amount: string; readonly symbol: string}) => string;
    /** The price changed. You would receive {now} {symbol} instead of {before} {symbol}. No swap was placed. */
    readonly moved: (values: {readonly now: string; readonly symbol: string; readonly before: string}) => string;
    /** {kind, select, switch{{wallet} is asking you to change its network.} revoke{{wallet} is asking you to cancel an earlier permission.} approve{{wallet} is asking you to allow {amount} {symbol}.} sign{{wallet} is asking you to sign. It’s free.} refund{{wallet} is asking you to confirm the refund.} other{{wallet} is asking you to confirm the payment.}} */
    readonly asked: (values: {
      readonly kind: string;
      readonly wallet: string;
      readonly amount: string;
      readonly symbol: string;
    }) => string;
    /** By {time}, send exactly {amount} {symbol} to the address shown here. */
    readonly send: (values: {readonly time: string; readonly amount: string; readonly symbol: string}) => string;
    /** {minutes, plural, one{You have # minute left to pay.} other{You have # minutes left to pay.}} */
    readonly minutesLeft: (values: {readonly minutes: number}) => string;
    /** Your payment is on its way. */
    readonly sent: string;
    /** Your payment was seen. It isn’t in a block yet. */
    readonly seen: string;
    /** Your payment is being confirmed. */
    readonly confirming: string;
    /** Your payment is confirmed. Your {symbol} is still to come. */
    readonly settling: (values: {readonly symbol: string}) => string;
    /** You received {amount} {symbol}. */
    readonly received: (values: {readonly amount: string; readonly symbol: string}) => string;
    /** The swap didn’t happen. */
    readonly failed: string;
    /** Your money is coming back to you. */
    readonly refunding: string;
    /** You can take your money back now. */
    readonly refundOpen: string;
    /** You got {amount} {symbol} back. */
    readonly refunded: (values: {readonly amount: string; readonly symbol: string}) => string;
    /** The time to pay has run out. Don’t pay for this swap any more. */
    readonly expired: string;
    /** This swap was stopped: a check failed. */
    readonly stopped: string;
  };
  /** Search {n, plural, one{# asset} other{# assets}} */
  readonly searchAssets: (values: {readonly n: number}) => string;
  /** Assets */
  readonly assets: string;
  /** Network */
  readonly network: string;
  /** All */
  readonly all: string;
  /** {n, plural, one{# asset} other{# assets}} found */
  readonly assetsFound: (values: {readonly n: number}) => string;
  /** No asset matches “{text}”. */
  readonly noAssetFound: (values: {readonly text: string}) => string;
  /** No asset on {network} matches “{text}”. */
  readonly noAssetFoundOn: (values: {readonly network: string; readonly text: string}) => string;
  /** Search all networks */
  readonly searchAllNetworks: string;
  /** Recent */
  readonly recentPairs: string;
  /** Not available for this swap */
  readonly notOffered: string;
  /** Connect a wallet */
  readonly connectAWallet: string;
  /** For {symbol} on {network}. Connecting only shares your address. */
  readonly connectFor: (values: {readonly symbol: string; readonly network: string}) => string;
  /** In this browser */
  readonly inThisBrowser: string;
  /** On another device */
  readonly anotherDevice: string;
  /** Scan a code with the wallet on your phone */
  readonly anotherDeviceWhy: string;
  /** Without a wallet */
  readonly withoutWallet: string;
  /** Enter an address */
  readonly enterAddress: string;
  /** Paste the address your money should go to */
  readonly enterAddressWhy: string;
  /** Pay to an address */
  readonly payByAddress: string;
  /** You get an address and an amount, and can pay from any wallet */
  readonly payByAddressWhy: string;
  /** Installed */
  readonly installed: string;
  /** Waiting for {wallet} */
  readonly waitingFor: (values: {readonly wallet: string}) => string;
  /** Looking for wallets… */
  readonly lookingForWallets: string;
  /** Looking for {wallet}… */
  readonly lookingFor: (values: {readonly wallet: string}) => string;
  /** No wallet found in this browser. */
  readonly noWalletFound: string;
  /** Install one and come back here, or open this page in your wallet’s own browser. */
  readonly noWalletFoundTodo: string;
  /** Find a wallet */
  readonly findWallet: string;
  /** Continue in a wallet app */
  readonly continueInApp: string;
  /** Open in {wallet} */
  readonly openIn: (values: {readonly wallet: string}) => string;
  /** This page, in the app’s own browser */
  readonly openInWhy: string;
  /** Continue on your phone */
  readonly continueOnPhone: string;
  /** Scan this code with your phone’s camera */
  readonly scanToContinue: string;
  /** Review */
  readonly review: string;
  /** You receive at least */
  readonly youReceiveAtLeast: string;
  /** You receive about */
  readonly youReceiveAbout: string;
  /** At least */
  readonly atLeast: string;
  /** Price tolerance */
  readonly tolerance: string;
  /** Exchange rate */
  readonly rateName: string;
  /** Quote */
  readonly offeredBy: string;
  /** {n, plural, one{The only one} other{Best of #}} */
  readonly bestQuote: (values: {readonly n: number}) => string;
  /** {n, plural, one{The only one} other{One of #}} */
  readonly otherQuote: (values: {readonly n: number}) => string;
  /** {n, plural, one{Your wallet will ask you once} other{Your wallet will ask you # times}} */
  readonly walletAsks: (values: {readonly n: number}) => string;
  /** {symbol} on {network} to {address} */
  readonly payout: (values: {readonly symbol: string; readonly network: string; readonly address: string}) => string;
  /** Place swap */
  readonly placeSwap: string;
  /** Accept the new price */
  readonly acceptPrice: string;
  /** It says: “{reason}”. */
  readonly serviceSaysWhy: (values: {readonly reason: string}) => string;
  /** Placing your swap */
  readonly placing: string;
  /** Next, you confirm in your wallet */
  readonly walletIsNext: string;
  /** Next, the address to pay */
  readonly addressIsNext: string;
  /** The site fees are higher than what you agreed to. */
  readonly feesMore: string;
  /** The swap service says {charged} instead of {agreed}. You still receive what you agreed to. */
  readonly feesMoreWhy: (values: {readonly charged: string; readonly agreed: string}) => string;
  /** If the swap fails */
  readonly ifItFails: string;
  /** You can take it back */
  readonly moneyBack: string;
  /** Only the swap service can refund you */
  readonly onlyServiceRefunds: string;
  /** This payment couldn’t be verified, so this page can’t take it back for you. */
  readonly unverifiedBack: string;
  /** No check can stop a dishonest swap service from keeping the payment. */
  readonly noCheckStops: string;
  /** Refund to */
  readonly refundGoesTo: string;
  /** Use an address in your own wallet: an exchange account wouldn’t get the refund. */
  readonly refundGoesToWhy: string;
  /** Checking the swap service’s answer */
  readonly checkingAnswer: string;
  /** The price changed. */
  readonly priceMoved: string;
  /** {from} → {to} isn’t offered. */
  readonly notOfferedPair: (values: {readonly from: string; readonly to: string}) => string;
  /** {from} → {to} is. */
  readonly isOffered: (values: {readonly from: string; readonly to: string}) => string;
  /** You would receive less than you agreed to, so no swap was placed. */
  readonly priceMovedWhy: string;
  /** To receive {amount} {to}, you now pay {now} {symbol} instead of {before} {symbol}. */
  readonly priceRaised: (values: {
    readonly amount: string;
    readonly to: string;
    readonly now: string;
    readonly symbol: string;
    readonly before: string;
  }) => string;
  /** Before */
  readonly before: string;
  /** Now */
  readonly now: string;
  /** Sign */
  readonly sign: string;
  /** Pay */
  readonly pay: string;
  /** Placed */
  readonly placed: string;
  /** Switch networks */
  readonly switchNetworks: string;
  /** Switch to {network} */
  readonly switchTo: (values: {readonly network: string}) => string;
  /** Your wallet is on another network. Switching is free. */
  readonly switchWhy: string;
  /** Cancel an earlier permission */
  readonly revokeTitle: string;
  /** This token accepts a new permission only once the old one is canceled. */
  readonly revokeWhy: string;
  /** Allow {amount} {symbol} */
  readonly approveTitle: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** The swap may take exactly this amount, nothing more. */
  readonly approveWhy: string;
  /** Allow and pay {amount} {symbol} */
  readonly bundleTitle: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** One confirmation for both. The swap may take exactly this amount, nothing more. */
  readonly bundleWhy: string;
  /** Sign with {wallet} */
  readonly signTitle: (values: {readonly wallet: string}) => string;
  /** Sign with {wallet} (free) */
  readonly signFree: (values: {readonly wallet: string}) => string;
  /** Free: the swap service pays the network fee. */
  readonly signWhy: string;
  /** Confirm in {wallet} */
  readonly sendTitle: (values: {readonly wallet: string}) => string;
  /** Your wallet shows you the network fee. */
  readonly sendWhy: string;
  /** The swap service sends your payment */
  readonly initiateTitle: string;
  /** With your signature; it pays the network fee. */
  readonly initiateWhy: string;
  /** Take your money back */
  readonly refundTitle: string;
  /** Nothing more for you to do */
  readonly nothingMore: string;
  /** Your {symbol} will be sent to {address} */
  readonly isSentTo: (values: {readonly symbol: string; readonly address: string}) => string;
  /** Pay with {wallet} */
  readonly payWith: (values: {readonly wallet: string}) => string;
  /** Cancel permission in {wallet} */
  readonly revokeButton: (values: {readonly wallet: string}) => string;
  /** Waiting for {wallet} */
  readonly waiting: (values: {readonly wallet: string}) => string;
  /** Waiting for the network */
  readonly waitingNetwork: string;
  /** Waiting for the swap service */
  readonly waitingService: string;
  /** Open {wallet} to answer */
  readonly openWallet: (values: {readonly wallet: string}) => string;
  /** Don’t see a request? Open {wallet} yourself. */
  readonly noRequest: (values: {readonly wallet: string}) => string;
  /** Step {step, number} of {steps, number} */
  readonly stepOf: (values: {readonly step: number; readonly steps: number}) => string;
  /** Pay the network fee myself */
  readonly sendInstead: string;
  /** Sign instead, with no network fee */
  readonly signInstead: string;
  /** {time} left */
  readonly timeLeft: (values: {readonly time: string}) => string;
  /** The swap service didn’t accept your signature. */
  readonly refusedTitle: string;
  /** It says: “{reason}”. Your signature still counts. Pay from your wallet instead, then it can’t be used. */
  readonly refusedBecause: (values: {readonly reason: string}) => string;
  /** {amount} {symbol} could still be taken for an earlier swap. */
  readonly earlierSignature: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** The swap service has your signature for that payment{more, plural, =0{} one{ and # other} other{ and # others}}. Open that swap to make the payment yourself, or cancel the permission to spend your {symbol}. */
  readonly earlierSignatureWhy: (values: {readonly more: number; readonly symbol: string}) => string;
  /** {amount} {symbol} could still leave your wallet. */
  readonly ownSignature: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** The swap service has your signature for this payment, and it never expires. To stop it, cancel the permission to spend your {symbol}. */
  readonly ownSignatureWhy: (values: {readonly symbol: string}) => string;
  /** Open that swap */
  readonly openThatSwap: string;
  /** Cancel the permission */
  readonly revokeAllowance: string;
  /** Connect a wallet to cancel the permission */
  readonly connectToRevoke: string;
  /** The permission is canceled. */
  readonly takenBack: string;
  /** What you signed can’t take anything until you allow this token again. */
  readonly takenBackWhy: string;
  /** If you continue and allow this token again, the earlier signature could use that too. */
  readonly takenBackReview: string;
  /** Once you allow it, {amount} {symbol} can be lost. */
  readonly allowRisk: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** The contract that may take it isn’t verified. */
  readonly allowRiskWhy: string;
  /** {amount} {symbol} can be lost now. */
  readonly allowedRisk: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** A contract that isn’t verified has your permission to take it. */
  readonly allowedRiskWhy: string;
  /** This contract has your permission to take your {symbol}. */
  readonly otherAllowed: (values: {readonly symbol: string}) => string;
  /** We won’t ask your wallet again. */
  readonly notAskedMore: string;
  /** You send this payment yourself. */
  readonly unsignedTitle: string;
  /** What you would sign is in a format we don’t recognize ({reason}), so we won’t ask you to sign it. */
  readonly unsignedBecause: (values: {readonly reason: string}) => string;
  /** Your account can’t sign on its own. */
  readonly unsignedSmart: string;
  /** No clear answer */
  readonly unclearTitle: string;
  /** Did you confirm the payment in your wallet? */
  readonly unclearHeading: string;
  /** There was no clear answer from {wallet}, so the payment may have gone out. Check the recent activity there. */
  readonly unclearWhy: (values: {readonly wallet: string}) => string;
  /** No answer to your signature */
  readonly lostHeading: string;
  /** The swap service may have received it, so we treat this swap as paid. */
  readonly lostWhy: string;
  /** Keep waiting */
  readonly keepWaiting: string;
  /** Stop waiting */
  readonly stopWaiting: string;
  /** Nothing arrived */
  readonly overdueTitle: string;
  /** Your payment didn’t arrive */
  readonly paymentNotSeen: string;
  /** The time to pay has run out. The payment may have been canceled, replaced or dropped: check the recent activity in {wallet}. */
  readonly paymentNotSeenWhy: (values: {readonly wallet: string}) => string;
  /** Your signature wasn’t used */
  readonly signatureUnused: string;
  /** The time to pay has run out, and the swap service hasn’t sent the payment you signed. */
  readonly signatureUnusedWhy: string;
  /** If the payment comes after all, you’ll see it here. */
  readonly overdueRule: string;
  /** Pay another way */
  readonly payMyself: string;
  readonly unclearSeen: {
    /** Nothing has been seen on {network} so far. */
    readonly none: (values: {readonly network: string}) => string;
    /** A payment has been seen on {network}. */
    readonly seen: (values: {readonly network: string}) => string;
    /** {network} rejected the payment. No money was sent. */
    readonly reverted: (values: {readonly network: string}) => string;
    /** The transaction is on {network}, but nothing was paid. No money was sent. */
    readonly empty: (values: {readonly network: string}) => string;
    /** The payment never reached {network}, and can’t any more. No money was sent. */
    readonly expired: (values: {readonly network: string}) => string;
    /** We can’t read {network} from here. */
    readonly unknown: (values: {readonly network: string}) => string;
    /** We can’t tell from {network} whether it was paid. */
    readonly unverified: (values: {readonly network: string}) => string;
  };
  /** Checking {network}… */
  readonly lookingOn: (values: {readonly network: string}) => string;
  /** Yes, I confirmed it */
  readonly iConfirmed: string;
  /** No, I didn’t */
  readonly iDidNot: string;
  /** You can only pay again if nothing went out. */
  readonly unclearRule: string;
  /** Otherwise this swap ends: paying again could cost you twice. */
  readonly unclearRuleUnverified: string;
  /** Connect the wallet you paid with, and this page will check {network}. */
  readonly connectToLook: (values: {readonly network: string}) => string;
  /** Continue in your other tab */
  readonly elsewhereTitle: string;
  /** Your wallet request is open in another tab */
  readonly elsewhereHeading: string;
  /** Answer there. This tab follows along by itself. */
  readonly elsewhereWhy: string;
  /** Waiting for the other tab */
  readonly elsewhereWait: string;
  /** Send your {symbol} */
  readonly sendAsset: (values: {readonly symbol: string}) => string;
  /** Send the rest */
  readonly sendRest: string;
  /** Send exactly this */
  readonly sendExactly: string;
  /** Still to send */
  readonly stillToSend: string;
  /** Plus a network fee of about {amount} {symbol} */
  readonly feeAbout: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** No network fee */
  readonly feeNone: string;
  /** Watching for your payment */
  readonly watching: string;
  /** This page looks again in a moment. */
  readonly watchingAgain: string;
  /** {minutes, plural, one{Less than # minute left.} other{Less than # minutes left.}} */
  readonly timeSoonOver: (values: {readonly minutes: number}) => string;
  /** A payment that comes later isn’t swapped: it comes back to your refund address. */
  readonly timeSoonOverWhy: string;
  /** Don’t start a payment now. */
  readonly tooLateToStart: string;
  /** It could come too late, and would then come back to your refund address. Start again to get the full time. */
  readonly tooLateToStartWhy: string;
  /** Even at this rate it may confirm after {time}. */
  readonly mayConfirmAfter: (values: {readonly time: string}) => string;
  /** to this address */
  readonly toThisAddress: string;
  /** QR code with the address and the amount */
  readonly qrCode: string;
  /** Copy */
  readonly copy: string;
  /** Copy the amount */
  readonly copyAmount: string;
  /** Copy the address */
  readonly copyAddress: string;
  /** Amount copied */
  readonly amountCopied: string;
  /** Address copied */
  readonly addressCopied: string;
  /** This page isn’t allowed to copy. Select the text and copy it yourself. */
  readonly notCopied: string;
  /** Open a wallet app */
  readonly openInWallet: string;
  /** {confirmations, plural, =0{As soon as your payment is seen} one{After # confirmation} other{After # confirmations}}, your {symbol} is sent to {address}. */
  readonly afterConfirmations: (values: {
    readonly confirmations: number;
    readonly symbol: string;
    readonly address: string;
  }) => string;
  /** You can close this page: your swap is saved in this browser. */
  readonly mayCloseKept: string;
  /** Keep this page open until you have paid: once it’s closed, this swap isn’t saved anywhere. */
  readonly mayCloseLater: string;
  /** Send the remaining {amount} {symbol} to the same address by {time}. */
  readonly restWhy: (values: {readonly amount: string; readonly symbol: string; readonly time: string}) => string;
  /** Less can’t be sent on Bitcoin. */
  readonly restSmallest: string;
  /** Otherwise all of it comes back to {address}. */
  readonly restBack: (values: {readonly address: string}) => string;
  /** Check your wallet first: if it sent the full amount, don’t send any more. */
  readonly restLook: string;
  /** The swap service says a payment came. {network} doesn’t show it. */
  readonly paymentDenied: (values: {readonly network: string}) => string;
  /** Don’t send less because of that. If you have paid already, wait: this page keeps looking. */
  readonly paymentDeniedWhy: string;
  /** Your payment can’t be seen any more. */
  readonly gone: string;
  /** The payment was replaced or dropped before it was confirmed, and may still come back. Pay again only if your wallet says it didn’t go out. */
  readonly goneWhy: string;
  /** Show the address again */
  readonly payAgain: string;
  /** By this device’s clock, the time to pay ended at {time}. */
  readonly timeOver: (values: {readonly time: string}) => string;
  /** {passed, plural, one{# check passed} other{# checks passed}}{unverified, plural, =0{} other{, # not verified}} */
  readonly checksPassed: (values: {readonly passed: number; readonly unverified: number}) => string;
  /** {passed, plural, one{# other check passed} other{# other checks passed}}{unverified, plural, =0{} other{, # not verified}} */
  readonly otherChecksPassed: (values: {readonly passed: number; readonly unverified: number}) => string;
  /** Passed: */
  readonly passed: string;
  /** Not verified: */
  readonly unverified: string;
  /** Not checked: */
  readonly unchecked: string;
  /** Checking the payment before you confirm it */
  readonly checking: string;
  /** Checking the payment */
  readonly checkingShort: string;
  readonly checks: {
    /** Amount */
    readonly amount: string;
    /** Network */
    readonly chain: string;
    /** Contract */
    readonly contract: string;
    /** The contract exists on this network */
    readonly code: string;
    /** Token */
    readonly token: string;
    /** The payment goes to a known party */
    readonly redeemer: string;
    /** Pays for this swap only */
    readonly call: string;
    /** The address belongs to this swap */
    readonly script: string;
    /** What you sign is what is sent */
    readonly same: string;
    /** Takes no other coins */
    readonly value: string;
    /** Signature format */
    readonly 'typed-data': string;
    /** The swap you agreed to */
    readonly order: string;
    /** Swap secret */
    readonly secret: string;
    /** The exchange partner’s lock ends before yours */
    readonly timelock: string;
    /** Refunds go to you */
    readonly refund: string;
    /** This is a new swap */
    readonly fresh: string;
  };
  /** The payment and the order don’t match */
  readonly paymentDiffers: string;
  readonly checkFailed: {
    /** The amount isn’t the one you agreed to */
    readonly amount: string;
    /** The network isn’t the one you agreed to */
    readonly chain: string;
    /** The contract isn’t the known one */
    readonly contract: string;
    /** There is no contract at this address */
    readonly code: string;
    /** The token isn’t the one you agreed to */
    readonly token: string;
    /** The payment would go to an unknown party */
    readonly redeemer: string;
    /** The payment isn’t in a known form */
    readonly call: string;
    /** The address doesn’t follow from the order */
    readonly script: string;
    /** The signature and the payment don’t match */
    readonly same: string;
    /** The payment would take other coins too */
    readonly value: string;
    /** The signature is in an unknown format */
    readonly 'typed-data': string;
    /** This isn’t the swap you agreed to */
    readonly order: string;
    /** The swap secret is wrong or already known */
    readonly secret: string;
    /** The exchange partner’s lock would end after yours */
    readonly timelock: string;
    /** A refund wouldn’t go to you */
    readonly refund: string;
    /** This is an earlier swap */
    readonly fresh: string;
  };
  /** Before you pay */
  readonly beforeYouPay: string;
  /** This swap couldn’t be fully verified. */
  readonly notVerified: string;
  /** If the swap service is dishonest, you can lose this, and nobody can get it back for you: */
  readonly canBeLost: string;
  readonly findings: {
    /** The contract isn’t one that this site has named. */
    readonly contract: string;
    /** The contract doesn’t say which token it takes. */
    readonly token: string;
    /** The payment is in a form that we don’t know. */
    readonly form: string;
    /** The money goes straight to an address. No contract holds it for you. */
    readonly transfer: string;
    /** The refund times aren’t in an order that we know. */
    readonly times: string;
    /** We can’t check that your money is sent to you. */
    readonly recipient: string;
    /** We can’t check that a refund would go to you. */
    readonly refund: string;
    /** Nothing ties the payment to what you receive. */
    readonly tie: string;
    /** We can’t check who can spend from the address. */
    readonly spender: string;
  };
  /** Go back */
  readonly goBack: string;
  /** Pay anyway */
  readonly payAnyway: string;
  /** Show the address anyway */
  readonly showAnyway: string;
  /** This payment couldn’t be verified, so this site doesn’t allow it. */
  readonly unverifiedStops: string;
  /** Stopped */
  readonly stopped: string;
  /** You agreed to pay */
  readonly youAgreedToPay: string;
  readonly sides: {
    /** You agreed to */
    readonly agreed: string;
    /** In the payment */
    readonly payment: string;
    /** In the signature */
    readonly signature: string;
    /** In the order */
    readonly order: string;
    /** This swap’s address */
    readonly derived: string;
    /** Expected */
    readonly known: string;
    /** On the network */
    readonly chain: string;
  };
  /** Your wallet wasn’t asked. No money moved. */
  readonly notAsked: string;
  /** The address isn’t shown. Don’t pay for this swap. */
  readonly notShown: string;
  /** Your wallet won’t be asked for the payment. No money moved. */
  readonly notAskedAgain: string;
  /** You didn’t sign anything */
  readonly nothingWasSigned: string;
  /** No money was sent */
  readonly nothingWasPaid: string;
  /** No payment has been seen */
  readonly noPaymentSeen: string;
  /** You would have received */
  readonly youWouldHave: string;
  /** Start again */
  readonly startAgain: string;
  /** Copy report */
  readonly copyReport: string;
  /** Contact {site} */
  readonly contact: (values: {readonly site: string}) => string;
  /** Staff never ask for a key or seed phrase. Help offered elsewhere is fake. */
  readonly staffNeverAsk: string;
  /** On its way */
  readonly onItsWay: string;
  /** Payment sent */
  readonly paymentSent: string;
  /** Waiting for the network to show it */
  readonly paymentSentWhy: string;
  /** Signature sent */
  readonly signatureSent: string;
  /** The swap service is sending your payment */
  readonly signatureSentWhy: string;
  /** Payment seen */
  readonly paymentSeen: string;
  /** Confirming */
  readonly confirming: string;
  /** Waiting for a block */
  readonly waitingForBlock: string;
  /** Waiting for a block, usually about 10 min. With a low fee it can take hours: raise it, if your wallet lets you. */
  readonly waitingLong: string;
  /** Waiting for a block. You paid {paid, number} {unit}, and the next blocks need at least {wanted, number}, so it can take hours. If your wallet lets you raise the fee, you can. */
  readonly feeLow: (values: {readonly paid: number; readonly unit: string; readonly wanted: number}) => string;
  /** Waiting for a block. The {paid, number} {unit} you paid is enough for one of the next blocks. */
  readonly feeEnough: (values: {readonly paid: number; readonly unit: string}) => string;
  /** {current, number} of {required, plural, one{# confirmation} other{# confirmations}} */
  readonly confirmations: (values: {readonly current: number; readonly required: number}) => string;
  /** Confirmed */
  readonly confirmed: string;
  /** Your {symbol} is being sent */
  readonly sending: (values: {readonly symbol: string}) => string;
  /** Waiting for your {symbol} to be sent */
  readonly waitingToSend: (values: {readonly symbol: string}) => string;
  /** On {network} */
  readonly onNetwork: (values: {readonly network: string}) => string;
  /** It arrives */
  readonly willArrive: string;
  readonly stepStates: {
    /** Done: */
    readonly done: string;
    /** Now: */
    readonly now: string;
    /** Still to come: */
    readonly todo: string;
    /** Failed: */
    readonly bad: string;
  };
  /** {minutes, plural, one{# minute so far} other{# minutes so far}} */
  readonly soFar: (values: {readonly minutes: number}) => string;
  /** {hours, plural, one{# hour so far} other{# hours so far}} */
  readonly soFarHours: (values: {readonly hours: number}) => string;
  /** Usually {least, number}–{most, number} min */
  readonly usualTime: (values: {readonly least: number; readonly most: number}) => string;
  /** Usually about {minutes, number} min */
  readonly usualTimeAbout: (values: {readonly minutes: number}) => string;
  /** This is taking longer than usual. */
  readonly longerThanUsual: string;
  /** Not there by {time}? The swap service refunds you. */
  readonly promiseBack: (values: {readonly time: string}) => string;
  /** Not there by {time}? Take it back. */
  readonly promiseTake: (values: {readonly time: string}) => string;
  /** Notify me */
  readonly tellMe: string;
  /** You’ll get a notification as long as this page stays open. */
  readonly tellOn: string;
  /** Your browser blocks notifications from this site. */
  readonly tellDenied: string;
  readonly news: {
    /** Your {symbol} has arrived. */
    readonly received: (values: {readonly symbol: string}) => string;
    /** Your {symbol} is back. */
    readonly refunded: (values: {readonly symbol: string}) => string;
    /** Your swap needs you. */
    readonly needsYou: string;
  };
  /** Your payment is no longer in a block. */
  readonly movedBack: string;
  /** The network dropped the block it was in. It usually comes back by itself; this page keeps looking. */
  readonly movedBackWhy: string;
  /** The swap isn’t done after all. */
  readonly endTakenBack: string;
  /** Only the swap service said so. This page keeps looking. */
  readonly endTakenBackWhy: string;
  /** Your payment was replaced. */
  readonly replaced: string;
  /** Another transaction took its place, and the swap continues with that one. */
  readonly replacedWhy: string;
  /** The swap service changed this swap after you paid. */
  readonly changed: string;
  /** What you agreed to is shown here. If you receive less, ask this site for help. */
  readonly changedWhy: string;
  /** You sent {amount} {symbol} too much. */
  readonly paidMore: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** It comes back to your refund address, {address}. */
  readonly paidMoreWhy: (values: {readonly address: string}) => string;
  /** You can close this page */
  readonly canClose: string;
  /** Keep this page open */
  readonly keepOpen: string;
  /** Updated {minutes, number} min ago */
  readonly checkedMinutes: (values: {readonly minutes: number}) => string;
  /** No update yet */
  readonly notCheckedYet: string;
  /** Start another swap */
  readonly anotherSwap: string;
  /** Update now */
  readonly readAgain: string;
  /** {amount} of {whole} {symbol} arrived. */
  readonly partly: (values: {readonly amount: string; readonly whole: string; readonly symbol: string}) => string;
  /** The swap service says that {amount} of {whole} {symbol} arrived. */
  readonly partlySays: (values: {readonly amount: string; readonly whole: string; readonly symbol: string}) => string;
  /** The swap starts once all of it is there. The rest doesn’t come by itself. */
  readonly partlyWhy: string;
  /** The swap service says you were paid. {network} doesn’t show it. */
  readonly payoutDenied: (values: {readonly network: string}) => string;
  /** It counts once the network shows it. This page keeps looking. */
  readonly payoutDeniedWhy: string;
  /** It shows only {amount} {symbol}, or older money that isn’t from this swap. This page keeps looking. */
  readonly payoutDeniedLess: (values: {readonly amount: string; readonly symbol: string}) => string;
  /** The servers this page asks about {network} don’t agree. */
  readonly disputed: (values: {readonly network: string}) => string;
  /** Nothing is decided until two of them agree. This page keeps asking. */
  readonly disputedWhy: string;
  /** Received */
  readonly received: string;
  /** You paid */
  readonly youPaid: string;
  /** You received */
  readonly youReceived: string;
  /** not in a block yet */
  readonly inNoBlockYet: string;
  /** Reported by the swap service: */
  readonly serviceSays: string;
  /** Reported as received */
  readonly reportedReceived: string;
  /** Reported as refunded */
  readonly reportedRefunded: string;
  /** According to the swap service. */
  readonly serviceSaysSo: string;
  /** Checking this on {network}. */
  readonly stillChecking: (values: {readonly network: string}) => string;
  /** Received less than agreed */
  readonly receivedLess: string;
  /** Less than agreed. */
  readonly lessThanAgreed: string;
  /** You received {amount} {symbol} instead of at least {least}. Ask this site for help, and show them the receipt. */
  readonly lessThanAgreedWhy: (values: {
    readonly amount: string;
    readonly symbol: string;
    readonly least: string;
  }) => string;
  /** Only the swap service says that this is your swap’s money. */
  readonly untied: string;
  /** Nothing on {network} ties {amount} {symbol} to your swap. Check that it isn’t another payment. */
  readonly untiedWhy: (values: {readonly network: string; readonly amount: string; readonly symbol: string}) => string;
  /** Done, says the swap service */
  readonly serviceSaysDone: string;
  /** The contract still holds your money. */
  readonly contractHolds: string;
  /** Your payment wasn’t collected. */
  readonly paymentHeld: string;
  /** You received {amount} {symbol}, but the contract on {network} still holds what you paid. You can take that back too, until the exchange partner collects it. */
  readonly paymentHeldWhy: (values: {
    readonly amount: string;
    readonly symbol: string;
    readonly network: string;
  }) => string;
  /** If it fails, the swap service refunds you within {time}. */
  readonly backAtLatest: (values: {readonly time: string}) => string;
  /** If it fails, you can take your money back after {time}. */
  readonly takeBackAtLatest: (values: {readonly time: string}) => string;
  /** {days, plural, one{about # day} other{about # days}} */
  readonly aboutDays: (values: {readonly days: number}) => string;
  /** Priority fee, at most */
  readonly priorityFee: string;
  /** Took */
  readonly took: string;
  /** {seconds, number} s */
  readonly durationSeconds: (values: {readonly seconds: number}) => string;
  /** {minutes, number} min{seconds, plural, =0{} one{ # s} other{ # s}} */
  readonly durationMinutes: (values: {readonly minutes: number; readonly seconds: number}) => string;
  /** {hours, number} h{minutes, plural, =0{} one{ # min} other{ # min}} */
  readonly durationHours: (values: {readonly hours: number; readonly minutes: number}) => string;
  /** Paid */
  readonly paid: string;
  /** Swap ID */
  readonly order: string;
  /** Also refunded */
  readonly alsoRefunded: string;
  /** Sent too much */
  readonly paidTooMuch: string;
  /** {amount} {symbol} comes back to {address} */
  readonly comesBack: (values: {readonly amount: string; readonly symbol: string; readonly address: string}) => string;
  /** New swap */
  readonly newSwap: string;
  /** Add {symbol} to {wallet} */
  readonly addToWallet: (values: {readonly symbol: string; readonly wallet: string}) => string;
  /** Passed on to {wallet} */
  readonly passedToWallet: (values: {readonly wallet: string}) => string;
  /** Share */
  readonly share: string;
  /** Swapped {amount} {symbol} for {got} {gotSymbol} */
  readonly shareText: (values: {
    readonly amount: string;
    readonly symbol: string;
    readonly got: string;
    readonly gotSymbol: string;
  }) => string;
  /** Receipt */
  readonly receipt: string;
  readonly receiptFacts: {
    /** Swap ID */
    readonly order: string;
    /** Placed */
    readonly placed: string;
    /** Sent */
    readonly sent: string;
    /** From */
    readonly from: string;
    /** Payment */
    readonly paid: string;
    /** Received */
    readonly received: string;
    /** To */
    readonly to: string;
    /** Payout */
    readonly payout: string;
    /** Got back */
    readonly gotBack: string;
    /** Refund */
    readonly refund: string;
    /** Verified before payment */
    readonly verified: string;
    /** Rate */
    readonly rate: string;
    /** Worth when paid */
    readonly paidValue: string;
    /** Worth when received */
    readonly receivedValue: string;
    /** Cost */
    readonly cost: string;
    /** Site fees */
    readonly partnerFees: string;
    /** Took */
    readonly took: string;
    /** Lock on your payment */
    readonly sourceHash: string;
    /** Lock on the other payment */
    readonly destinationHash: string;
    /** Both payments share one lock */
    readonly secret: string;
  };
  readonly witnesses: {
    /** Seen on the network */
    readonly chain: string;
    /** Reported by the swap service */
    readonly service: string;
    /** Recorded in this browser */
    readonly browser: string;
  };
  readonly proofs: {
    /** Yes */
    readonly matches: string;
    /** No */
    readonly differs: string;
    /** Not checked */
    readonly unchecked: string;
  };
  /** Not fully, and you chose to pay */
  readonly notFullyVerified: string;
  /** Swap receipt */
  readonly receiptTitle: string;
  /** Copy receipt */
  readonly copyReceipt: string;
  /** Save as a file */
  readonly saveReceipt: string;
  /** Print */
  readonly printReceipt: string;
  /** The swap didn’t happen */
  readonly didNotHappen: string;
  /** Coming back to you */
  readonly comingBack: string;
  /** Payment confirmed */
  readonly paymentConfirmed: string;
  /** The exchange partner didn’t pay */
  readonly otherDidNotPay: string;
  /** The exchange partner took its money back */
  readonly otherTookBack: string;
  /** The payment came too late */
  readonly cameLate: string;
  /** Less arrived than agreed */
  readonly tooLittle: string;
  /** Your money wasn’t spent. */
  readonly notSpent: string;
  /** Refund from {time} */
  readonly refundOpens: (values: {readonly time: string}) => string;
  /** Refund from {day} */
  readonly refundOpensOn: (values: {readonly day: string}) => string;
  /** Refund later */
  readonly refundOpensLater: string;
  /** {minutes, plural, one{In # minute} other{In # minutes}} you can take your money back. It can only go to you. */
  readonly refundOpensIn: (values: {readonly minutes: number}) => string;
  /** Once the payment is in a block and its time lock is over. */
  readonly refundOnceInBlock: string;
  /** You can take your money back */
  readonly refundOpen: string;
  /** It can only go to you. If you wait, the swap service may send it. */
  readonly refundOpenWhy: string;
  /** The swap service sends your money to your refund address, perhaps earlier. You don’t have to do anything. */
  readonly serviceRefunds: string;
  /** Refund on its way */
  readonly refundUnderWay: string;
  /** Refund from {time} */
  readonly refundFrom: (values: {readonly time: string}) => string;
  /** Take your money back */
  readonly refundNow: string;
  /** Take your payment back */
  readonly refundPayment: string;
  /** Nothing came? Take your money back */
  readonly refundUnseen: string;
  /** Refund later */
  readonly refundWait: string;
  /** You get back */
  readonly youGetBack: string;
  /** You got back */
  readonly youGotBack: string;
  /** Refunded */
  readonly refunded: string;
  /** Why */
  readonly why: string;
  /** Try again */
  readonly tryAgainSwap: string;
  /** Expired */
  readonly expired: string;
  /** No payment arrived by {time}. */
  readonly noPaymentBy: (values: {readonly time: string}) => string;
  /** The swap service saw no payment by {time}. */
  readonly noPaymentKnown: (values: {readonly time: string}) => string;
  /** Check your wallet before you start again. */
  readonly lookFirst: string;
  /** Don’t pay for this swap any more. */
  readonly doNotPayAnyMore: string;
  /** Don’t send anything to its address any more. */
  readonly doNotSendAnyMore: string;
  /** Already sent it? */
  readonly alreadySent: string;
  /** This page keeps looking. The swap service sends a late payment back to {address}. */
  readonly alreadySentWhy: (values: {readonly address: string}) => string;
  /** This page keeps looking. You can take back a late payment: it goes to {address}. */
  readonly alreadySentTakeBack: (values: {readonly address: string}) => string;
  /** Didn’t send it? Start again */
  readonly startIfUnsent: string;
  /** Cancel swap */
  readonly cancelSwap: string;
  /** Undo */
  readonly undo: string;
  /** Canceled */
  readonly canceled: string;
  /** You canceled this swap. */
  readonly youCanceled: string;
  /** Then it isn’t canceled: the swap continues once your payment is seen. */
  readonly alreadySentCanceled: string;
  /** Same amounts, new price */
  readonly sameAmounts: string;
  /** Copy details */
  readonly copyDetails: string;
  /** Shared swap */
  readonly strangerTitle: string;
  /** This swap wasn’t placed in this browser. */
  readonly stranger: string;
  /** You can look at it here, but not pay for it. */
  readonly strangerWhy: string;
  /** Swap not found */
  readonly noSuchSwapTitle: string;
  /** No swap found at this link */
  readonly noSuchSwap: string;
  /** Check that the link is complete and belongs to this site. Or start a new swap. */
  readonly noSuchSwapWhy: string;
  /** Not paid yet */
  readonly notPaidYet: string;
  /** Loading the swap */
  readonly readingOrder: string;
  /** All */
  readonly journalAll: string;
  /** Repeat */
  readonly repeat: string;
  /** Repeat: {amount} {symbol} to {other} */
  readonly repeatOf: (values: {readonly amount: string; readonly symbol: string; readonly other: string}) => string;
  /** Pair */
  readonly pair: string;
  /** All pairs */
  readonly allPairs: string;
  /** {from} → {to} */
  readonly pairOf: (values: {readonly from: string; readonly to: string}) => string;
  /** {paid} to {received}, from {network} to {other}: {state}, {time} */
  readonly listed: (values: {
    readonly paid: string;
    readonly received: string;
    readonly network: string;
    readonly other: string;
    readonly state: string;
    readonly time: string;
  }) => string;
  /** Open */
  readonly journalOpen: string;
  /** Done */
  readonly journalDone: string;
  /** Refunded */
  readonly journalRefunded: string;
  /** Show */
  readonly show: string;
  /** Earlier */
  readonly earlier: string;
  /** No swaps yet. */
  readonly noSwaps: string;
  /** {n, plural, one{This browser’s storage is full, so # finished swap was removed.} other{This browser’s storage is full, so # finished swaps were removed.}} */
  readonly swapsRemoved: (values: {readonly n: number}) => string;
  /** No swaps here. */
  readonly noSwapsHere: string;
  /** The swaps you make in this browser appear here. */
  readonly noSwapsWhy: string;
  /** Backup file */
  readonly rescue: string;
  /** With this file the money can be taken back from the network, even if this site and this browser are gone. It contains no key or password. */
  readonly rescueWhy: string;
  /** With this file you can show the swap service what you paid and ask for a refund, even if this site and this browser are gone. It contains no key or password. */
  readonly rescueWhyService: string;
  /** It opens with {page}. */
  readonly rescuePage: (values: {readonly page: string}) => string;
  /** The backup file as a code */
  readonly rescueCode: string;
  /** Saved in this browser only */
  readonly keptHere: string;
  /** Show {n, number} more */
  readonly showMore: (values: {readonly n: number}) => string;
  /** Tax export (CSV) */
  readonly exportTable: string;
  /** This swap isn’t set up yet */
  readonly notSetUp: string;
  /** The site has to finish setting it up. There’s nothing you can do here. */
  readonly notSetUpWhy: string;
  /** Copy for the site’s team */
  readonly copyForSite: string;
  /** Error: {code} */
  readonly errorCode: (values: {readonly code: string}) => string;
  /** New swaps are paused */
  readonly paused: string;
  /** The swap service is taking a break. Swaps already under way continue, and refunds work as always. */
  readonly pausedWhy: string;
  /** {open, plural, one{See your open swap} other{See your open swaps}} */
  readonly seeYourSwaps: (values: {readonly open: number}) => string;
}

/** All words of the widget in one language. */
export interface Messages extends FirstMessages, LateMessages {}
