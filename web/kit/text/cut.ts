/**
 * A text in two parts: where there is no room for both, the first one gives way, so that both ends stay in sight. `shown` is what is seen
 * of the last part, where that is less than it is.
 */
export type Cut = { head: string; tail: string; shown?: string }

/** Shorter texts gain nothing from an end of their own. */
const shortestVersion = 13
const shortestPath = 12
const usualTail = 7
const longestPurlTail = 32

const wholly = (text: string): Cut => ({ head: text, tail: '' })

/**
 * A version: its end is what tells builds of one release apart. `1:2.36.1-8+deb11u2` ends with `+deb11u2`, a pseudo-version of Go with the
 * last characters of its commit.
 */
export function cutVersion(version: string): Cut {
  const characters = [...version]
  if (characters.length < shortestVersion) return wholly(version)
  const part = /[-+~.:_][^-+~.:_]{3,8}$/u.exec(version)?.[0]
  const size = part === undefined ? usualTail : [...part].length
  return { head: characters.slice(0, -size).join(''), tail: characters.slice(-size).join('') }
}

/**
 * The name of a component that is a path: its last part is the name, `github.com/containerd/containerd` ends with `/containerd`, and a major
 * version of Go belongs to what it is of, `/containerd/v2`.
 */
export function cutPath(name: string): Cut {
  if (name.length < shortestPath) return wholly(name)
  const tail = /[^/](\/[^/]+?(?:\/v\d+)?)$/u.exec(name)?.[1]
  return tail === undefined ? wholly(name) : { head: name.slice(0, -tail.length), tail }
}

/** A purl ends with its name and version; of the qualifiers after them only that there are some is shown. */
export function cutPurl(purl: string): Cut {
  const qualifiers = /[?#]/.exec(purl)?.index
  const path = purl.slice(0, qualifiers)
  const slash = path.lastIndexOf('/')
  const shown = path.slice(slash) + (qualifiers === undefined ? '' : '?…')
  return slash < 1 || shown.length > longestPurlTail
    ? wholly(purl)
    : { head: purl.slice(0, slash), tail: purl.slice(slash), shown }
}
