/**
 * The key that signs releases and recalls (ECDSA, P-256; SPKI in Base64). Empty until `npm run release -- key` has
 * created one: until then nothing is signed, and no recall is read.
 */
export const RELEASE_KEY: string = '';
