/**
 * The key that releases and recalls are signed with (ECDSA, P-256; SPKI in Base64). Empty until `npm run release -- key`
 * has made one: then nothing is signed, and no recall is read.
 */
export const RELEASE_KEY: string = '';
