/**
 * A text in two parts: if both do not fit, the first is cut, so that both ends stay visible. `shown` is a shortened form of the last part.
 */
export type Cut = { head: string; tail: string; shown?: string }

/** A shorter version needs no separate end. */
const shortestVersion = 13
const shortestPath = 12
const usualTail = 7
const longestPurlTail = 32

const wholly = (text: string): Cut => ({ head: text, tail: '' })

/**
 * A version: its end distinguishes builds of one release. `1:2.36.1-8+deb11u2` ends with `+deb11u2`, a Go pseudo-version with the end of
 * its commit.
 */
export function cutVersion(version: string): Cut {
  const characters = [...version]
  if (characters.length < shortestVersion) return wholly(version)
  const part = /[-+~.:_][^-+~.:_]{3,8}$/u.exec(version)?.[0]
  const size = part === undefined ? usualTail : [...part].length
  return { head: characters.slice(0, -size).join(''), tail: characters.slice(-size).join('') }
}

/**
 * A component name that is a path: its last part is the name. `github.com/containerd/containerd` ends with `/containerd`; a Go major
 * version stays with its parent, `/containerd/v2`.
 */
export function cutPath(name: string): Cut {
  if (name.length < shortestPath) return wholly(name)
  const tail = /[^/](\/[^/]+?(?:\/v\d+)?)$/u.exec(name)?.[1]
  return tail === undefined ? wholly(name) : { head: name.slice(0, -tail.length), tail }
}

/** A purl ends with its name and version; of qualifiers it shows only that there are some. */
export function cutPurl(purl: string): Cut {
  const qualifiers = /[?#]/.exec(purl)?.index
  const path = purl.slice(0, qualifiers)
  const slash = path.lastIndexOf('/')
  const shown = path.slice(slash) + (qualifiers === undefined ? '' : '?…')
  return slash < 1 || shown.length > longestPurlTail
    ? wholly(purl)
    : { head: purl.slice(0, slash), tail: purl.slice(slash), shown }
}
