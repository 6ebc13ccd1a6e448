/** As a URL spells it: letters, digits and hyphens between dots, an IPv4 address, or an IPv6 address in brackets. */
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?$/

/**
 * The hosts of OUTBOUND_ALLOWED_HOSTS as the names requests are compared with. Anything else would be compared with every request
 * and never be equal: a web address, a port, a pattern.
 */
export function readAllowedHosts(list: string, mistakes: string[]): string[] {
  return readHosts('OUTBOUND_ALLOWED_HOSTS', list, mistakes)
}

/** A list of host names in a variable. */
export function readHosts(variable: string, list: string, mistakes: string[]): string[] {
  const hosts: string[] = []
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const host = normalizeHost(entry)
    if (host !== null) hosts.push(host)
    else
      mistakes.push(
        `${variable}: expected names of hosts separated by commas, without scheme, port, path or pattern ` +
          `(feeds.example.com), found "${entry}"`,
      )
  }
  return hosts
}

function normalizeHost(entry: string): string | null {
  const bare = entry.startsWith('[') && entry.endsWith(']') ? entry.slice(1, -1) : entry
  const isIpv6 = bare.includes(':')
  const url = `http://${isIpv6 ? `[${bare}]` : bare}/`
  if ((isIpv6 && /[^0-9a-f:.]/i.test(bare)) || !URL.canParse(url)) return null
  const { hostname } = new URL(url)
  return isIpv6 || (!/[/@?#\\*%\s]/.test(bare) && hostName.test(hostname)) ? hostname : null
}
