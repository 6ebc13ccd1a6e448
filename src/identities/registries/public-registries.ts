import type { Purl } from '../../formats/purl/purl.ts'

/** By ecosystem: the registries that its records are about, as hosts, or hosts with the beginning of a path. */
const publicRegistries: Readonly<Record<string, readonly string[]>> = {
  npm: ['npmjs.org', 'npmjs.com', 'registry.yarnpkg.com'],
  PyPI: ['pypi.org', 'pypi.python.org', 'files.pythonhosted.org'],
  Maven: ['repo.maven.apache.org', 'repo1.maven.org', 'repo.maven.org', 'central.sonatype.com'],
  Go: ['proxy.golang.org', 'pkg.go.dev'],
  'crates.io': ['crates.io', 'github.com/rust-lang/crates.io-index'],
  RubyGems: ['rubygems.org'],
  NuGet: ['nuget.org'],
  Packagist: ['packagist.org'],
  Hex: ['hex.pm'],
  Pub: ['pub.dev', 'pub.dartlang.org'],
}

/** Places of the same hosts that are registries of their own: for trials, and for organizations of Hex. */
const registriesApart = ['test.pypi.org', 'staging.crates.io', 'repo.hex.pm/repos']

/** A folder beside the product, as cargo-cyclonedx states it, or a repository (cyclonedx-npm). */
const fromNoRegistry = /^(?:file|git(?:\+[a-z]+)?|ssh):/i

/**
 * Whether a purl says that the package is from another registry than the one its ecosystem's records are about, or from none, where anybody may own
 * the name (purl-spec, "repository_url" and "download_url"). An unreadable address counts as another registry; where the public ones are not known,
 * none does.
 */
export function isOfOtherRegistry(ecosystem: string, { qualifiers }: Purl): boolean {
  const known = publicRegistries[ecosystem]
  if (known === undefined) return false
  if (fromNoRegistry.test(qualifiers.get('download_url') ?? '')) return true
  const stated = qualifiers.get('repository_url')
  if (stated === undefined) return false
  const place = placeOf(stated)
  const isIn = (registries: readonly string[]) => registries.some((registry) => isAt(place, registry))
  return isIn(registriesApart) || !isIn(known)
}

/** `https://user@Registry.npmjs.org:443/x` and `registry.npmjs.org/x` are one place. */
function placeOf(stated: string): string {
  const text = stated.trim().replace(/^(?:sparse\+|registry\+)/, '')
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(url)) return ''
  const { hostname, pathname } = new URL(url)
  return `${hostname}${pathname}`.toLowerCase()
}

function isAt(place: string, registry: string): boolean {
  const [host = ''] = place.split('/', 1)
  if (!registry.includes('/')) return host === registry || host.endsWith(`.${registry}`)
  return place === registry || place.startsWith(`${registry}/`) || place.startsWith(`${registry}.git`)
}
