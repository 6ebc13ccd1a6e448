import type { DraftProduct, DraftVulnerability } from '../../contract/advisories/shapes.ts'
import { scoreCvss } from '../../formats/cvss/cvss.ts'
import type { Report } from './check-fields.ts'
import { readVector, scoredVersions } from './document-scores.ts'

export type Checking = {
  /** Of the vulnerability in the draft. */
  field: string
  products: readonly DraftProduct[]
  report: Report
}

/** What is wrong with the scores of a vulnerability: a product has one of each version of CVSS (CSAF 2.0, 6.1.7). */
export function checkScores(vulnerability: DraftVulnerability, { field, report }: Checking): void {
  const judged = new Set(vulnerability.statuses.map(({ versionId }) => versionId))
  const scored = new Set<string>()
  for (const [index, { vector, versionIds }] of (vulnerability.scores ?? []).entries()) {
    const at = `${field}.scores.${index}`
    const read = readVector(vector)
    if (read === undefined) report(`${at}.vector`, vectorProblem(vector))
    if (versionIds.some((versionId) => !judged.has(versionId)))
      report(`${at}.versionIds`, 'It names a version that has no status.')
    if (new Set(versionIds).size < versionIds.length) report(`${at}.versionIds`, 'It names a version twice.')
    if (read === undefined) continue
    const { version } = read.score
    const names = scoredVersions(vulnerability, versionIds).map((versionId) => `${version} ${versionId}`)
    if (names.some((name) => scored.has(name)))
      report(`${at}.vector`, `A version has two scores of CVSS ${version}.`)
    for (const name of names) scored.add(name)
  }
}

function vectorProblem(vector: string): string {
  return scoreCvss(vector.trim())?.version === '4.0'
    ? 'CSAF 2.0 has no place for CVSS 4.0: a vector of version 2.0, 3.0 or 3.1 is required.'
    : 'A complete vector of CVSS 2.0, 3.0 or 3.1 is required, such as CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H.'
}
