import { packageKey as keyOfName } from '../../formats/purl/package-key.ts'

/**
 * By ecosystem: the spellings of a name that mean the same package in purls and never another one. Trivy and purl libraries write Go modules in
 * lower case (purl-spec once said so), which hosts and proxies treat as the original; crates.io has no two names that differ only in case, `-`
 * and `_`, and Rust itself writes a crate with `_`.
 */
const spellings = new Map<string, (name: string) => string[]>([
  ['Go', (name) => [name.toLowerCase()]],
  ['crates.io', crateSpellings],
])

function crateSpellings(name: string): string[] {
  const lower = name.toLowerCase()
  return [lower, lower.replaceAll('-', '_'), lower.replaceAll('_', '-')]
}

/** Further keys that components may have for a package named by a record, besides that of the record's own spelling. */
export function otherSpellings(packageKey: string): string[] {
  const separator = packageKey.indexOf('\u001f')
  const ecosystem = packageKey.slice(0, separator)
  const spelled = spellings.get(ecosystem)?.(packageKey.slice(separator + 1)) ?? []
  const keys = spelled.map((name) => keyOfName(ecosystem, name)).filter((key) => key !== undefined)
  return [...new Set(keys)].filter((key) => key !== packageKey)
}
