/**
 * The address if it is http or https, else undefined. Run links and references are untrusted: `javascript:` and the like must never become
 * a link, whatever the server stored.
 */
export function safeUrl(address: string | null): string | undefined {
  if (address === null || !/^https?:\/\/[^/?#\\]/i.test(address) || !URL.canParse(address)) return undefined
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}

/** Link text for an address: host and path, without the scheme. */
export function shownUrl(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
