/**
 * What tools write in place of a purl type: the name of its registry, a package manager, or what they found the package in (Trivy until 2023).
 * None of these words is a type itself (ECMA-427, "Package-URL Type").
 */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['crates', 'cargo'],
  ['dotnet-core', 'nuget'],
  ['go', 'golang'],
  ['pip', 'pypi'],
  ['rubygems', 'gem'],
  ['rustbinary', 'cargo'],
  ['sbt', 'maven'],
  ['uv', 'pypi'],
])

/** The purl type that a tool's own word for it means, in lower case. */
export function purlTypeOf(word: string): string {
  const type = word.toLowerCase()
  return otherTypes.get(type) ?? type
}

/** `Microsoft.Sbom.DotNetTool%400.3.0`, as Microsoft's sbom-tool escaped the `@` in front of a version until 2022. */
const versionInName = /^(.+)@(v?\d[^@/]*)$/s

/** There it is part of the name: Homebrew calls an older line of a formula `openssl@3`, and a generic name may be any. */
const namesWithAt: ReadonlySet<string> = new Set(['brew', 'generic'])

/** `debian:buster:apt`, as JFrog Xray names a package of Debian or Ubuntu. */
const releaseInName = /^(debian|ubuntu):([a-z\d.]+):([^:]+)$/

/** Of a purl, what tools misplace. */
type Misplaced = {
  type: string
  namespace: string | null
  name: string
  version: string | null
  qualifiers: ReadonlyMap<string, string>
}

/** The parts of a purl where the specification has them, which a tool wrote into its name. */
export function withoutToolSpelling<T extends Misplaced>(purl: T): T {
  const [, name, version] = (mayHoldVersion(purl) ? versionInName.exec(purl.name) : null) ?? []
  if (name !== undefined && version !== undefined) return { ...purl, name, version }
  const [, namespace, release, own] =
    (purl.type === 'deb' && purl.namespace === null ? releaseInName.exec(purl.name) : null) ?? []
  if (namespace === undefined || release === undefined || own === undefined) return purl
  const qualifiers = purl.qualifiers.has('distro')
    ? purl.qualifiers
    : new Map([...purl.qualifiers, ['distro', release]])
  return { ...purl, namespace, name: own, qualifiers }
}

function mayHoldVersion({ type, version }: Misplaced): boolean {
  return version === null && !namesWithAt.has(type)
}
