import { limits } from '../../../contract/limits.ts'
import type { JsonObject } from '../../json/object.ts'
import type { Hints } from '../hints.ts'

/** `analysis.state` (CycloneDX 1.4 to 1.7, impactAnalysisState). */
const analysisStates = new Set([
  'resolved',
  'resolved_with_pedigree',
  'exploitable',
  'in_triage',
  'false_positive',
  'not_affected',
])

/** As many as two VEX documents may hold of each kind; an SBOM that has more is read without them. */
export const maxVulnerabilities = 2 * limits.statements

/**
 * Counts the `vulnerabilities` of an SBOM and refuses what their reader could not read. Dependency-Track writes one entry
 * for each component and vulnerability under the same `bom-ref`: that is no mistake, but is hinted at.
 */
export function checkVulnerabilities(document: JsonObject, hints: Hints): number {
  const references = new Set<string>()
  let count = 0
  for (const entry of document.objects('vulnerabilities')) {
    count += 1
    checkAffects(entry)
    checkAnalysis(entry)
    const reference = entry.lenientString('bom-ref')
    if (reference === null) continue
    if (references.has(reference)) hints.note('duplicate_vulnerability', entry.place)
    references.add(reference)
  }
  if (count > maxVulnerabilities) hints.note('vulnerabilities_left_out', document.at('vulnerabilities'))
  return count
}

function checkAffects(entry: JsonObject): void {
  for (const affected of entry.objects('affects')) {
    affected.string('ref')
    affected.optionalArray('versions')
  }
}

function checkAnalysis(entry: JsonObject): void {
  const analysis = entry.optionalObject('analysis')
  const state = analysis?.optionalString('state') ?? null
  if (state !== null && !analysisStates.has(state)) analysis?.refuse('state', 'a known state', 'another word')
}
