/**
 * The key that signs releases and recalls (ECDSA, P-256; SPKI in Base64). Empty until `npm run release -- key` has
 * created one: until then nothing is signed, and no recall is read.
 */
export const RELEASE_KEY: string = '';

/**
 * Where the makers publish `rescue.html`, with a slash at its end: it outlasts the sites that the widget is on. Written
 * with the key: until then the address would belong to anybody, and so would what it asks wallets.
 */
export const PAGES: string = '';
