/** The end of a sentence about an asset. `test`: whether what is swapped is on test networks, whose coins have no value. */
export function neverMixed(test: boolean): string {
  const [one, other] = test ? ['main', 'test'] : ['test', 'main'];
  return `is on a ${one} network, and what is swapped on ${other} networks. The two never mix.`;
}
