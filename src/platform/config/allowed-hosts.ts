import { internalUses, type AllowedOrigins, type InternalUse } from '../outbound/purposes.ts'

/** As a URL spells it: letters, digits and hyphens between dots, an IPv4 address, or an IPv6 address in brackets. */
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?$/

export type AllowedHosts = {
  origins: AllowedOrigins
  /** Entries with neither a use nor a port, whose meaning has changed: the log says at start what they mean now. */
  bare: string[]
}

type Own = Readonly<Partial<Record<InternalUse, readonly string[]>>>

/**
 * The origins of OUTBOUND_ALLOWED_HOSTS, by use. An entry is `use=https://host:port`; without a use it counts for all of them, without a
 * scheme it means https, without a port that of the scheme. A bare host also covers the addresses on it that the operator has set in
 * another variable (`own`), whatever their scheme and port: nobody else can change those.
 */
export function readAllowedHosts(list: string, own: Own, mistakes: string[]): AllowedHosts {
  const origins: Record<InternalUse, string[]> = { sources: [], issuers: [], billing: [] }
  const bare: string[] = []
  for (const entry of entriesOf(list)) {
    const read = readEntry(entry)
    if (read === null) {
      mistakes.push(
        'OUTBOUND_ALLOWED_HOSTS: expected origins separated by commas, each with the use it is allowed for (sources, issuers or billing) ' +
          `and without path or pattern (sources=http://feeds.example.com:8080), found "${entry}"`,
      )
      continue
    }
    const { uses, origin, isBare } = read
    if (isBare) bare.push(entry)
    for (const use of uses) {
      const ownOnHost = isBare ? originsOn(origin.hostname, own[use] ?? []) : []
      origins[use].push(origin.origin, ...ownOnHost)
    }
  }
  return { origins, bare }
}

function originsOn(hostname: string, addresses: readonly string[]): string[] {
  return addresses
    .map((address) => new URL(address))
    .filter((url) => url.hostname === hostname)
    .map(({ origin }) => origin)
}

type Entry = { uses: readonly InternalUse[]; origin: URL; isBare: boolean }

function readEntry(entry: string): Entry | null {
  const [before, after] = splitOnce(entry, '=')
  const use = internalUses.find((one) => one === before.trim())
  if (after !== null && use === undefined) return null
  const place = readPlace((after ?? before).trim())
  if (place === null) return null
  if (use !== undefined) return { uses: [use], origin: place.origin, isBare: false }
  return { uses: internalUses, ...place }
}

/** `isBare`: a host alone. */
function readPlace(place: string): Pick<Entry, 'origin' | 'isBare'> | null {
  const scheme = /^https?:\/\//i.exec(place)?.[0].toLowerCase() ?? ''
  const [host, port] = splitPort(place.slice(scheme.length))
  const name = normalizeHost(host)
  if (name === null || (port !== null && !isPort(port))) return null
  const authority = port === null ? name : `${name}:${port}`
  return {
    origin: new URL(scheme === '' ? `https://${authority}` : scheme + authority),
    isBare: scheme === '' && port === null,
  }
}

/** The port is behind the last colon; an IPv6 address that has one is in brackets. */
function splitPort(authority: string): [host: string, port: string | null] {
  const colon = authority.lastIndexOf(':')
  const isBareIpv6 = !authority.startsWith('[') && authority.indexOf(':') !== colon
  if (colon === -1 || isBareIpv6 || authority.endsWith(']')) return [authority, null]
  return [authority.slice(0, colon), authority.slice(colon + 1)]
}

function splitOnce(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535
}

/** A list of host names in a variable. */
export function readHosts(variable: string, list: string, mistakes: string[]): string[] {
  const hosts: string[] = []
  for (const entry of entriesOf(list)) {
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

function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '')
}

function normalizeHost(entry: string): string | null {
  const bare = entry.startsWith('[') && entry.endsWith(']') ? entry.slice(1, -1) : entry
  const isIpv6 = bare.includes(':')
  const url = `http://${isIpv6 ? `[${bare}]` : bare}/`
  if ((isIpv6 && /[^0-9a-f:.]/i.test(bare)) || !URL.canParse(url)) return null
  const { hostname } = new URL(url)
  return isIpv6 || (!/[/@?#\\*%\s]/.test(bare) && hostName.test(hostname)) ? hostname : null
}
