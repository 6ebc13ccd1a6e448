import { feedRoot } from '../feed/feed-answer.ts'

/** Characters that mean the same percent-encoded (RFC 3986, 2.3), as a browser's or a proxy's spelling of an address may have them. */
const unreserved = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

/**
 * The address in the one spelling that all checks of a path compare with: the router would decode what they do not. One that cannot be decoded
 * names nothing, and the router would say so before the token is checked: its characters are taken literally. Files of a feed have one spelling.
 */
export function routableUrl(url: string): string {
  if (!url.includes('%')) return url
  const [path = ''] = url.split('?', 1)
  const query = url.slice(path.length)
  if (!isDecodable(path)) return path.replaceAll('%', '%25') + query
  const plain = path.replaceAll(unreserved, decodeURIComponent)
  return (plain.startsWith(feedRoot) ? path : plain) + query
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
