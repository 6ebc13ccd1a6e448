import { parsePurl } from './purl.ts'

/** A purl with the version that its component has, where it names none itself; as it is where it cannot be read. */
export function withVersion(text: string, version: string | null): string {
  const purl = parsePurl(text)
  if (purl === undefined || purl.version !== null || version === null || version === '') return text
  const [base, rest] = split(text)
  const versioned = `${base.replace(/@$/, '')}@${encodeURIComponent(version)}${rest}`
  return parsePurl(versioned)?.version === version ? versioned : text
}

/** The package of a purl alone: what all its versions share. */
export function withoutVersion(text: string): string {
  const [base] = split(text)
  const at = base.lastIndexOf('@')
  return at > base.lastIndexOf('/') ? base.slice(0, at) : base
}

/** Before qualifiers and subpath, and from there on. */
function split(text: string): [base: string, rest: string] {
  const end = text.search(/[?#]/)
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)]
}
