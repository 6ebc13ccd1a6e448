import type { Ecosystem } from '../ecosystems.ts'

/** By ecosystem: what its registry accepts as a name, and has ever accepted; joined as `language-package.ts` does. */
const patterns = new Map<string, RegExp>([
  /** Capitals are from before there were scopes. */
  ['npm', /^(?:@[a-z\d~-][a-z\d._~-]*\/)?[^\s/@:%?#&=+,;]+$/],
  /** PEP 508, "Names". */
  ['PyPI', /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i],
  ['Maven', /^[\w.-]+:[\w.-]+$/],
  /** A module that can be fetched begins with a host (https://go.dev/ref/mod#module-path). */
  ['Go', /^(?:stdlib|toolchain|[^/\s]+\.[^/\s]+(?:\/[^\s]+)?)$/],
  ['crates.io', /^[a-z][\w-]{0,63}$/i],
  ['RubyGems', /^[\w.-]+$/],
  ['NuGet', /^[\p{L}\p{N}_.-]{1,100}$/u],
  ['Packagist', /^[\w.-]+\/[\w.-]+$/],
  /** Organisations have packages of their own. */
  ['Hex', /^(?:\w+\/)?[a-z]\w*$/i],
  ['Pub', /^[a-z_]\w*$/i],
  ['Hackage', /^[a-z\d]+(?:-[a-z\d]+)*$/i],
  ['CRAN', /^[a-z][a-z\d.]*$/i],
  ['opam', /^[\w+-]+$/],
  ['ConanCenter', /^\w[\w+.-]*$/],
  /** A package is its repository: without the host there is none. */
  ['SwiftURL', /^[^/\s]+\.[^/\s]+\/[^\s]+$/],
  ['GitHub Actions', /^[\w.-]+\/[\w.-]+$/],
])

/** Of deb, rpm and apk alike, sources too; the packages that apk makes up for a group begin with a dot. */
const systemPattern = /^[\w.][\w.+~@-]*$/

/** Whether the registry or distribution could have a package of this name; no record will ever name an impossible one. */
export function isPossibleName({ name: ecosystem, system }: Ecosystem, name: string): boolean {
  const pattern = system === null ? patterns.get(ecosystem) : systemPattern
  return pattern?.test(name) ?? true
}
