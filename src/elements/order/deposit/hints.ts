import type {Asset} from '../../../domain/asset.js';
import {unverifiedIn, type CheckReport, type CheckResult, type Deal} from '../../../domain/deposit.js';

/** For the site's console; `undefined` if no setting helps. The visitor reads what happened, and whom to tell. */
export function hintFor(deal: Deal, report: CheckReport): string | undefined {
  const {from} = deal.agreed;
  const unverified = unverifiedIn(report);
  const wrong = report.results.filter(({outcome}) => outcome === 'failed');
  const isCallUnread = wrong.some(({name}) => name === 'call');
  const failed = wrong.filter(one => !(isCallUnread && isWithoutCall(one)));
  if (report.outcome !== 'failed') return undefined;
  // A plain transfer goes to an address, which cannot be named.
  const isTransfer = unverified.some(({name, found}) => name === 'call' && found === 'transfer');
  const contract = isTransfer ? undefined : report.results.find(one => isUnnamed(one, from))?.found;
  const isUnread = unverified.length > 0 && failed.length > 0 && failed.every(isWithoutNode);
  // A named contract may be called in any form; and a named program can take no more than its simulation shows.
  const isNamable =
    contract !== undefined && failed.every(one => isWithoutNode(one) || one.name === 'call' || isUnnamed(one, from));
  const isStopped = unverified.length > 0 && !failed.length;
  if (!isStopped && !isUnread && !isNamable) return undefined;
  const entryPoint = from.chain.family === 'starknet' && isCallUnread ? '.<entry point>' : '';
  const ways = [
    isNamable && `contracts="${from.id} ${contract}${entryPoint}", if this is the service’s own contract`,
    isStopped && 'unverified="ask", to ask each visitor',
    isUnread && `rpc="${from.chain.name} https://…", so that the contract can be read`,
  ].filter(way => way !== false);
  const names = [...unverified, ...failed].map(({name}) => name).join(', ');
  return `a payment of ${from.id} was stopped, as it could not be verified (${names}). What can be set: ${ways.join('; or ')}.`;
}

/** Elsewhere than on Solana, a contract that fails has another role, and must not be named. */
function isUnnamed({name, outcome, found, sides}: CheckResult, {chain}: Asset): boolean {
  const isProgram = chain.family === 'solana' && outcome === 'failed' && sides?.join() === 'known,payment';
  return name === 'contract' && (outcome === 'unverified' || isProgram) && found !== undefined;
}

function isWithoutCall({expected, found, sides}: CheckResult): boolean {
  return (sides?.[0] === 'payment' && expected === undefined) || (sides?.[1] === 'payment' && found === undefined);
}

export function isWithoutNode({name, outcome, expected, found}: CheckResult): boolean {
  const isOfChain = name === 'code' || name === 'token' || name === 'chain';
  return isOfChain && outcome === 'failed' && expected === undefined && found === undefined;
}
