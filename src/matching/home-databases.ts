/**
 * The database that is at home in an ecosystem, by the prefix of its record ids: where records of one vulnerability
 * disagree, its word decides whether a match stays exact. Ecosystems with a single source need no entry, except where other
 * records reach them through aliases.
 */
export const homeDatabases: readonly { ecosystem: string; prefix: string }[] = [
  { ecosystem: 'npm', prefix: 'GHSA-' },
  { ecosystem: 'PyPI', prefix: 'PYSEC-' },
  { ecosystem: 'Maven', prefix: 'GHSA-' },
  { ecosystem: 'Go', prefix: 'GO-' },
  { ecosystem: 'crates.io', prefix: 'RUSTSEC-' },
  { ecosystem: 'RubyGems', prefix: 'GHSA-' },
  { ecosystem: 'NuGet', prefix: 'GHSA-' },
  { ecosystem: 'Packagist', prefix: 'GHSA-' },
  { ecosystem: 'Hex', prefix: 'EEF-' },
  { ecosystem: 'Pub', prefix: 'GHSA-' },
  { ecosystem: 'Hackage', prefix: 'HSEC-' },
  { ecosystem: 'CRAN', prefix: 'RSEC-' },
  { ecosystem: 'Julia', prefix: 'JLSEC-' },
  { ecosystem: 'Bitnami', prefix: 'BIT-' },
  { ecosystem: 'opam', prefix: 'OSEC-' },
  { ecosystem: 'SwiftURL', prefix: 'GHSA-' },
  { ecosystem: 'GitHub Actions', prefix: 'GHSA-' },
  { ecosystem: 'Debian', prefix: 'DEBIAN-' },
  { ecosystem: 'Debian', prefix: 'DSA-' },
  { ecosystem: 'Debian', prefix: 'DLA-' },
  { ecosystem: 'Ubuntu', prefix: 'UBUNTU-' },
  { ecosystem: 'Ubuntu', prefix: 'USN-' },
  { ecosystem: 'Ubuntu', prefix: 'LSN-' },
  { ecosystem: 'Alpine', prefix: 'ALPINE-' },
  { ecosystem: 'AlmaLinux', prefix: 'ALSA-' },
  { ecosystem: 'AlmaLinux', prefix: 'ALBA-' },
  { ecosystem: 'AlmaLinux', prefix: 'ALEA-' },
  { ecosystem: 'Rocky Linux', prefix: 'RLSA-' },
  { ecosystem: 'Rocky Linux', prefix: 'RXSA-' },
  { ecosystem: 'Red Hat', prefix: 'RHSA-' },
  { ecosystem: 'Red Hat', prefix: 'RHBA-' },
  { ecosystem: 'Red Hat', prefix: 'RHEA-' },
  { ecosystem: 'SUSE', prefix: 'SUSE-' },
  { ecosystem: 'openSUSE', prefix: 'openSUSE-' },
  { ecosystem: 'openEuler', prefix: 'OESA-' },
  { ecosystem: 'Mageia', prefix: 'MGASA-' },
  { ecosystem: 'Wolfi', prefix: 'CGA-' },
  { ecosystem: 'Chainguard', prefix: 'CGA-' },
  { ecosystem: 'MinimOS', prefix: 'MINI-' },
  { ecosystem: 'Azure Linux', prefix: 'AZL-' },
]

/** Whether the record comes from the database that is at home in the ecosystem. */
export function isHomeRecord(ecosystem: string, recordId: string): boolean {
  return homeDatabases.some((home) => home.ecosystem === ecosystem && recordId.startsWith(home.prefix))
}
