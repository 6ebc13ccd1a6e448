/** Scheme and authority in any case; what follows is the path, or the query of an empty one. */
const absoluteForm = /^https?:\/\/[^/?#]+/i

/**
 * The target of a request as path and query. A client that treats the service as a proxy sends the whole address, and gets the same
 * answer (RFC 9112, 3.2.2).
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const path = target.replace(absoluteForm, '')
  return path === target || path.startsWith('/') ? path : `/${path}`
}
