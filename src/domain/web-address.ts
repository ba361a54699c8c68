/**
 * Whether a text is a URL that may be requested: https anywhere, http on this machine only. URLs that a parser reads
 * differently than a person are rejected: user names before an @, backslashes, white space.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^/?#@\\\s]+(?:[/?#][^\\\s]*)?$/i.test(text) || !URL.canParse(text)) return false;
  const {protocol, hostname} = new URL(text);
  return protocol === 'https:' || isLoopback(hostname);
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
