/** What RFC 3986 allows in a URI, beside `%`, which begins an escape. */
const refused = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/g

/**
 * The address as a document says it, a URI of RFC 3986; undefined: it is no address of a page. Browsers leave characters as they are that a URI
 * may not have.
 */
export function documentUrl(text: string): string | undefined {
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text) || !text.isWellFormed() || !/^https?:\/\//i.test(text))
    return undefined
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const [before = '', ...fragment] = url.href.split('#')
  const [origin, rest] = [url.origin, before.slice(url.origin.length)]
  const path = escaped(rest).replaceAll(/[[\]]/g, encodeURIComponent)
  if (fragment.length === 0) return `${origin}${path}`
  const place = escaped(fragment.join('%23')).replaceAll(/[[\]]/g, encodeURIComponent)
  return `${origin}${path}#${place}`
}

function escaped(text: string): string {
  return text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25').replaceAll(refused, encodeURIComponent)
}
