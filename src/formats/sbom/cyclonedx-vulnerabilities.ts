import type { JsonObject } from '../json/object.ts'
import type { Hints } from './hints.ts'

/** `analysis.state` (CycloneDX 1.4 to 1.7, impactAnalysisState). */
const analysisStates = new Set([
  'resolved',
  'resolved_with_pedigree',
  'exploitable',
  'in_triage',
  'false_positive',
  'not_affected',
])

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
