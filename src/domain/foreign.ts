/*
 * Text written by somebody else: the service, a chain, a wallet. It is shown as a quotation, and nothing in it can be
 * paid, opened or copied as a whole, since a thief could have written it.
 */

const LONGEST = 120;

/** Longer runs of letters or of digits are cut; ordinary error names are shorter. */
const LONGEST_RUN = 24;
/** Longer runs of letters and digits are cut. */
const LONGEST_MIXED_RUN = 16;

const LINK =
  /(?:\b[a-z][a-z\d+.-]*:\/\/|\b(?:https?|www|mailto|tel|data|javascript|bitcoin|lightning|ethereum|solana|starknet)[:.])\S*|[\p{L}\p{N}_@-]+(?:[.。][\p{L}\p{N}_-]+)*[.。]\p{L}{2,}(?:[/?#:]\S*)?|\b\d{1,3}(?:\.\d{1,3}){3}\S*/giu;

const RUN = /[\p{L}\p{N}]+/gu;

/**
 * Foreign text for the screen: on one line, at most 120 characters, without control or direction characters. Links are
 * removed, and anything that could be an address, a key or a hash is cut in the middle.
 */
export function foreignText(text: string): string {
  const line = oneLine(text, 10 * LONGEST);
  const safe = cutScattered(line.replace(LINK, '…')).replace(RUN, cutRun);
  const shown = Array.from(safe.replace(/…[\s…]*…/gu, '…').trim());
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST - 1).join('')}…` : shown.join('');
}

/** Such text in a report or receipt: on one line, and in full up to a reasonable length for a file. */
export function foreignLine(text: string): string {
  return oneLine(text, 4 * LONGEST);
}

/**
 * The first characters of a text on one line. Wide letters count as normal ones, invisible ones not at all. Quotation
 * marks in it cannot end the ones around it. It is cut again after normalization: one character may become eighteen.
 */
function oneLine(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .normalize('NFKC')
    .slice(0, longest)
    .replace(/[\s\u2800\p{Cc}]+/gu, ' ')
    .replace(/[\p{C}\p{DI}]|(?<=\p{M}{2})\p{M}+/gu, '')
    .replace(/["“”„‟«»]/gu, '’')
    .trim();
}

function cutRun(run: string): string {
  const isPlain = /^\p{L}+$|^\p{N}+$/u.test(run);
  const isHex = /^0x[\da-f]{9,}$/i.test(run);
  return run.length > (isPlain ? LONGEST_RUN : LONGEST_MIXED_RUN) || isHex
    ? `${run.slice(0, 6)}…${run.slice(-4)}`
    : run;
}

/** The maximum number of words without digits between two pieces of one address. */
const WIDEST_GAP = 2;

/** Removes what is written in many short pieces, like addresses in groups of four. */
function cutScattered(text: string): string {
  const clusters: RegExpExecArray[][] = [];
  let last = -Infinity;
  for (const [at, word] of [...text.matchAll(RUN)].entries()) {
    if (!/\p{N}/u.test(word[0])) continue;
    if (at - last > WIDEST_GAP + 1) clusters.push([]);
    clusters.at(-1)?.push(word);
    last = at;
  }
  return clusters.filter(isScattered).reduceRight((rest, cluster) => {
    const [first, end] = [cluster[0], cluster.at(-1)];
    return first && end ? `${rest.slice(0, first.index)}…${rest.slice(end.index + end[0].length)}` : rest;
  }, text);
}

function isScattered(words: readonly RegExpExecArray[]): boolean {
  return words.length >= 8 || words.filter(([word]) => word.length >= 3).length >= 4;
}
