import type { DraftVulnerability } from '#contract/advisories/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'

/** A vulnerability of a draft by its CVE, its first other ID or its place in the list. */
export function vulnerabilityName(
  { cve, ids }: Pick<DraftVulnerability, 'cve' | 'ids'>,
  index: number,
): string {
  const name = cve.trim() === '' ? (ids[0]?.text.trim() ?? '') : cve
  return visibleText(name === '' ? `Vulnerability ${index + 1}` : name)
}

/** `vulnerabilities.57.remediations` → `CVE-2026-0057, remediations`: nobody counts to the 57th. Other fields keep their path. */
export function placeWords(
  field: string,
  vulnerabilities: readonly Pick<DraftVulnerability, 'cve' | 'ids'>[],
): string {
  const [list, place, ...rest] = field.split('.')
  const vulnerability = list === 'vulnerabilities' ? vulnerabilities[Number(place)] : undefined
  if (vulnerability === undefined) return field
  const name = vulnerabilityName(vulnerability, Number(place))
  return rest.length === 0 ? name : `${name}, ${rest.join('.')}`
}
