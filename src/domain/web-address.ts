/**
 * Whether a text is an address that may be asked: https anywhere, http on this very machine only. An address that a
 * parser reads differently than a person does not count: names before an @, backslashes, white space.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^/?#@\\\s]+(?:[/?#][^\\\s]*)?$/i.test(text) || !URL.canParse(text)) return false;
  const {protocol, hostname} = new URL(text);
  return protocol === 'https:' || isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/**
 * Where `<img>` finds a picture that a page names: SVG as text, a `data:image/` address, a path on the page's site, or a web
 * address. `undefined` for anything else. A picture's own scripts never run, whatever is in it (HTML, SVG as an image).
 */
export function addressOfPicture(icon: unknown): string | undefined {
  if (typeof icon !== 'string') return undefined;
  const text = icon.trim();
  if (/^<(?:svg|\?xml|!--)/i.test(text)) {
    const [start] = /<svg(?=[\s>])[^>]*>/i.exec(text) ?? [];
    if (start === undefined || !/<\/svg>$/i.test(text)) return undefined;
    // In a page it needs no namespace, as a picture it does.
    const named = /\sxmlns\s*=/.test(start) ? start : `<svg xmlns="http://www.w3.org/2000/svg"${start.slice(4)}`;
    return `data:image/svg+xml,${encodeURIComponent(text.replace(start, () => named).replace(/\p{Surrogate}/gu, '\ufffd'))}`;
  }
  // A second slash, or a backslash that browsers read as one, would lead to another site.
  const isPicture = /^data:image\/[a-z0-9.+-]+[;,]\S+$/i.test(text) || /^\/(?![/\\])[^\\\s]*$/.test(text);
  return isPicture || isWebAddress(text) ? text : undefined;
}
