import type { VexDocument } from '../../../contract/vex/shapes.ts'
import { cleanText } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { decodePercent } from '../../purl/purl.ts'
import { readTargets } from './openvex-product.ts'
import type { VexReading } from '../reading.ts'
import {
  present,
  readJustification,
  readText,
  readTime,
  readWord,
  textLimits,
  vulnerabilityIds,
} from '../statement-fields.ts'
import { verdictOf, verdictWords } from '../verdict-words.ts'

/**
 * Reads an OpenVEX document of any version 0.x by its shape: where 0.2.0 has objects, earlier ones have strings
 * (OpenVEX 0.2.0, "Document Struct Fields"). Null when it has no statements.
 */
export function readOpenvex(
  document: JsonObject,
  formatLabel: string,
  reading: VexReading,
): VexDocument | null {
  if ((document.get('statements') ?? null) === null) document.refuse('statements', 'an array')
  const time = readTime(document, 'timestamp', reading.hints)
  for (const entry of document.objects('statements')) readStatement(entry, time, reading)
  return reading.document({
    format: 'openvex',
    formatLabel,
    ...present({
      documentId: readWord(document, '@id', textLimits.documentId),
      author: readWord(document, 'author', textLimits.author),
      time,
    }),
  })
}

function readStatement(entry: JsonObject, documentTime: string | null, reading: VexReading): void {
  const { hints } = reading
  const rawStatus = entry.string('status')
  const verdict = verdictOf('openvex', rawStatus)
  if (verdict === undefined) refuseStatus(entry, rawStatus)
  const justification = readJustification('openvex', entry, 'justification', hints)
  const impactStatement = readText(entry, 'impact_statement')
  const action = readText(entry, 'action_statement')
  if (verdict === 'not_affected' && justification.label === null && impactStatement === null) {
    hints.note('missing_justification', entry.place)
  }
  if (verdict === 'affected' && action === null) hints.note('missing_action', entry.place)
  const ids = readVulnerability(entry)
  const statement = {
    vulnerabilityIds: ids,
    verdict,
    rawStatus,
    ...present({
      justification: justification.label,
      rawJustification: justification.raw,
      impact: impactStatement ?? readText(entry, 'status_notes'),
      action,
      time: readTime(entry, 'timestamp', hints) ?? documentTime,
    }),
    ...readTargets(entry, reading),
  }
  reading.add(statement, entry)
}

function refuseStatus(entry: JsonObject, found: string): never {
  const expected = `one of ${verdictWords('openvex').join(', ')}`
  return entry.refuse('status', expected, `"${cleanText(found, 40)}"`)
}

/** The name, the last path segment of the `@id`, which is often the page of the vulnerability, and the aliases. */
function readVulnerability(entry: JsonObject): string[] {
  const value = entry.get('vulnerability')
  if (typeof value === 'string') return vulnerabilityIds([value])
  const vulnerability =
    entry.lenientObject('vulnerability') ?? entry.refuse('vulnerability', 'a string or an object')
  const aliases = vulnerability.lenientArray('aliases').filter((alias) => typeof alias === 'string')
  return vulnerabilityIds([
    vulnerability.string('name'),
    lastSegment(vulnerability.optionalString('@id')),
    ...aliases,
  ])
}

function lastSegment(iri: string | null): string | null {
  const path = iri?.split(/[?#]/, 1)[0] ?? ''
  const segment = path.slice(path.lastIndexOf('/') + 1)
  return decodePercent(segment) ?? segment
}
