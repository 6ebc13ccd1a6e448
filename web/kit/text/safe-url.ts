/**
 * The address when it is http or https, else undefined. Run links and references are written by others: `javascript:` and its
 * kind must never become a link, whatever the server kept.
 */
export function safeUrl(address: string | null): string | undefined {
  if (address === null || !/^https?:\/\/[^/?#\\]/i.test(address) || !URL.canParse(address)) return undefined
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}

/** What is shown of a link's address: host and path, without the scheme. */
export function shownUrl(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
