/** Who issues ids of a kind, in words that CSAF readers know; by the beginning of the id. */
const systems = new Map([
  ['GHSA', 'GitHub Security Advisory'],
  ['EUVD', 'European Vulnerability Database'],
  ['GO', 'Go Vulnerability Database'],
  ['PYSEC', 'Python Packaging Advisory Database'],
  ['RUSTSEC', 'RustSec Advisory Database'],
  ['BIT', 'Bitnami Vulnerability Database'],
  ['DSA', 'Debian Security Advisory'],
  ['DLA', 'Debian LTS Advisory'],
  ['USN', 'Ubuntu Security Notice'],
  ['RHSA', 'Red Hat Security Advisory'],
  ['ALSA', 'AlmaLinux Security Advisory'],
  ['RLSA', 'Rocky Linux Security Advisory'],
  ['MAL', 'OSV'],
  ['OSV', 'OSV'],
])

/** Who has given an id: the `system_name` of CSAF 2.0, 3.2.3.4. */
export function systemOf(id: string): string {
  return systems.get(/^[A-Z]+(?=-)/.exec(id)?.[0] ?? '') ?? 'Vulnerability ID'
}
