import {id} from 'ethers';
import type {Chain} from '../../domain/asset.js';
import {tryRead} from '../errors.js';
import type {Timeouts} from '../timeouts.js';
import {encode} from './abi.js';
import {readerOf} from './rpc.js';

/**
 * The public sanctions oracle of Chainalysis (US, EU and UN lists), at the same address on Ethereum, BNB Chain, Arbitrum,
 * Polygon, Optimism, Avalanche, Celo and Fantom; where there is none, nothing answers. Sources, 2026-11:
 * https://go.chainalysis.com/chainalysis-oracle-docs.html, and contracts and services in public that call it there.
 */
const ORACLE = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb';
const ORACLES: Readonly<Record<number, string>> = {8453: '0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B'};

const IS_SANCTIONED = id('isSanctioned(address)').slice(0, 10);

/** Whether the oracle lists an address; `undefined` if it cannot be read from the partner's RPC. Never rejects. */
export async function isListed(chain: Chain, address: string, timeouts: Timeouts, signal?: AbortSignal) {
  const answer = await tryRead(async () => {
    const data = IS_SANCTIONED + encode(['address'], [address]).slice(2);
    const read = await readerOf(chain, undefined, timeouts, signal);
    return read?.('eth_call', {to: ORACLES[chain.chainId ?? 0] ?? ORACLE, data}, 'latest');
  });
  // A whole word, and a boolean: anything else is no answer of this contract.
  const [, said] = /^0x0{63}([01])$/.exec(String(answer)) ?? [];
  return said === undefined ? undefined : said === '1';
}
