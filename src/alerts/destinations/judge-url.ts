import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { destinationLimits, type DestinationKind } from '../../contract/alerts/shapes.ts'
import { lengthProblem } from '../../platform/input-reader.ts'

/** Hosts of the chat products; a host of `chatB` stands for its subdomains too. */
export type ChatHosts = { chatA: readonly string[]; chatB: readonly string[] }

/** A URL that a destination may have, or what is wrong with it. */
export type JudgedUrl = { url: string; host: string } | { problem: string }

const chatAPaths = ['/services/', '/triggers/', '/workflows/']
/** Connector URLs that Microsoft has retired. */
const retiredHosts = ['outlook.office.com', 'outlook.office365.com', 'webhook.office.com']
/** Names of the machine and its own network (RFC 6761, RFC 6762, RFC 8375, ICANN resolution 2024-07-29). */
const localDomains = ['localhost', 'local', 'internal', 'home.arpa', 'localdomain']
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const maxNameCharacters = 253

/**
 * Checks the text of a destination's URL (docs/public-api.md, "Alert destinations"); where the name leads is checked at each delivery.
 */
export function judgeUrl(text: string, kind: DestinationKind | undefined, hosts: ChatHosts): JudgedUrl {
  const max = destinationLimits.urlCharacters
  if ([...text].length > max) return { problem: lengthProblem({ min: 1, max }) }
  const judged = judgeHttps(text)
  if ('problem' in judged || kind === undefined) return judged
  const problem = problemOfKind[kind](new URL(judged.url), hosts)
  return problem === undefined ? judged : { problem }
}

function judgeHttps(text: string): JudgedUrl {
  if (!text.startsWith('https://')) return { problem: 'It must start with https://.' }
  // the URL parser drops or converts these, so that what people read is not where it leads
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text) || !text.isWellFormed()) {
    return { problem: 'It contains a space, a backslash or an invisible character.' }
  }
  const authority = /^https:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
  if (authority.includes('@')) return { problem: 'It must not carry a user name or password.' }
  const url = URL.parse(text)
  if (url === null || authority === '' || authority.includes('%')) {
    return { problem: 'It has no host name that can be read.' }
  }
  if (text.includes('#')) return { problem: 'It must not have a fragment (#).' }
  const problem = problemOfHost(url)
  return problem === undefined ? { url: text, host: url.hostname } : { problem }
}

function problemOfHost({ hostname: host, port }: URL): string | undefined {
  if (host.startsWith('[') || isIP(host) !== 0) return 'It needs a full host name, not an IP address.'
  const labels = host.split('.')
  if (labels.length < 2 || labels.some((part) => !label.test(part)) || host.length > maxNameCharacters) {
    return 'It needs a full host name, such as alerts.example.com.'
  }
  if (labels.some(isEncodedBadly)) return 'It has no host name that can be read.'
  if (isBelow(host, localDomains)) return 'It names a host of a private network.'
  return port === '0' ? 'Nothing can be reached at port 0.' : undefined
}

/** The URL parser keeps a label that claims to be Punycode but does not decode (RFC 5890, 2.3.2.1): no such name can be registered. */
function isEncodedBadly(part: string): boolean {
  return part.startsWith('xn--') && domainToUnicode(part) === part
}

const problemOfKind: Record<DestinationKind, (url: URL, hosts: ChatHosts) => string | undefined> = {
  webhook: () => undefined,
  chat_a: ({ hostname, pathname }, { chatA }) => {
    if (!chatA.includes(hostname)) return `The host must be ${chatA.join(' or ')}.`
    return chatAPaths.some((path) => pathname.startsWith(path))
      ? undefined
      : `The path must start with ${chatAPaths.join(', ')}.`
  },
  chat_b: ({ hostname, pathname }, { chatB }) => {
    if (isBelow(hostname, retiredHosts)) {
      return 'Connector URLs of this kind are retired. Create a workflow and use its URL.'
    }
    if (!isBelow(hostname, chatB)) return `The host must be ${chatB.join(' or ')}, or a subdomain of it.`
    return pathname === '/' ? 'It must be the whole URL of a workflow.' : undefined
  },
}

function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
