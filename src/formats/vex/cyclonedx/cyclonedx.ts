import type { VexDocument } from '../../../contract/vex/shapes.ts'
import { cleanText } from '../../json/clean.ts'
import { JsonObject } from '../../json/object.ts'
import { cyclonedxVersions } from '../../sbom/recognise.ts'
import { AffectedReader } from './cyclonedx-affects.ts'
import { VexReading } from '../reading.ts'
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

const maxResponses = 10

/**
 * The `vulnerabilities` of a CycloneDX SBOM that was accepted, given as its JSON value: findings of a scanner, and statements
 * where it has an analysis. All are kept, whatever their number; null when it has none.
 * Refuses like `readSbom` with `invalid_sbom`, so that an accepted SBOM is never refused.
 */
export function readReportedFindings(value: unknown): VexDocument | null {
  const document = JsonObject.root(value, 'invalid_sbom')
  if (document?.get('bomFormat') !== 'CycloneDX') return null
  const specVersion = document.lenientString('specVersion') ?? ''
  if (!cyclonedxVersions.includes(specVersion)) return null
  return readCyclonedxVex(
    document,
    `CycloneDX ${specVersion}`,
    new VexReading(Number.POSITIVE_INFINITY, 'cut'),
  )
}

/** Reads the `vulnerabilities` of a CycloneDX document of version 1.4 to 1.7. Null when they are none. */
export function readCyclonedxVex(
  document: JsonObject,
  formatLabel: string,
  reading: VexReading,
): VexDocument | null {
  const { hints } = reading
  const metadata = document.optionalObject('metadata')
  const time = readTime(metadata, 'timestamp', hints)
  const affected = new AffectedReader(document, reading)
  const references = new Set<string>()
  for (const entry of document.objects('vulnerabilities')) {
    readVulnerability(entry, { affected, time, reading })
    const reference = entry.lenientString('bom-ref')
    if (reference === null) continue
    if (references.has(reference)) hints.note('duplicate_vulnerability', entry.place)
    references.add(reference)
  }
  return reading.document({
    format: 'cyclonedx',
    formatLabel,
    ...present({
      documentId: readWord(document, 'serialNumber', textLimits.documentId),
      author: metadata && readAuthor(metadata),
      time,
    }),
  })
}

type Surroundings = { affected: AffectedReader; time: string | null; reading: VexReading }

/** One entry: a statement when it has `analysis.state`, else what a scanner reports without judging it. */
function readVulnerability(entry: JsonObject, { affected, time, reading }: Surroundings): void {
  const { hints } = reading
  const analysis = entry.optionalObject('analysis')
  const judgement = analysis ? readAnalysis(analysis, reading) : {}
  const statementTime =
    readTime(analysis, 'lastUpdated', hints) ??
    readTime(analysis, 'firstIssued', hints) ??
    readTime(entry, 'updated', hints) ??
    time
  const statement = {
    vulnerabilityIds: readIds(entry),
    ...judgement,
    ...present({
      action: readText(entry, 'recommendation') ?? readText(entry, 'workaround'),
      time: statementTime,
    }),
    ...affected.read(entry),
  }
  reading.add(statement, entry)
}

function readAnalysis(analysis: JsonObject, { hints }: VexReading) {
  const rawStatus = analysis.optionalString('state')
  const verdict = rawStatus === null ? null : verdictOf('cyclonedx', rawStatus)
  if (rawStatus !== null && verdict === undefined) refuseState(analysis, rawStatus)
  const justification = readJustification('cyclonedx', analysis, 'justification', hints)
  const impact = readText(analysis, 'detail')
  if (verdict === 'not_affected' && justification.label === null && impact === null) {
    hints.note('missing_justification', analysis.place)
  }
  return present({
    verdict,
    rawStatus,
    justification: justification.label,
    rawJustification: justification.raw,
    impact,
    responses: readResponses(analysis),
  })
}

function refuseState(analysis: JsonObject, found: string): never {
  const expected = `one of ${verdictWords('cyclonedx').join(', ')}`
  return analysis.refuse('state', expected, `"${cleanText(found, 40)}"`)
}

function readResponses(analysis: JsonObject): string[] | null {
  const words = analysis
    .lenientArray('response')
    .slice(0, maxResponses)
    .filter((word) => typeof word === 'string')
    .map((word) => cleanText(word, textLimits.word))
  return words.length === 0 ? null : words
}

/** The entry's own id, then those under which other sources know the same vulnerability (`references`). */
function readIds(entry: JsonObject): string[] {
  const ids = [entry.lenientString('id')]
  for (const reference of entry.lenientObjects('references')) ids.push(reference.lenientString('id'))
  return vulnerabilityIds(ids)
}

/** Who wrote the document: its first author, else the organisation that it names (`manufacture` until 1.5), else its first tool. */
function readAuthor(metadata: JsonObject): string | null {
  const [author] = metadata.lenientObjects('authors')
  const organisations = ['manufacturer', 'manufacture', 'supplier'].map((key) => metadata.lenientObject(key))
  for (const entry of [author ?? null, ...organisations, firstTool(metadata)]) {
    const name = readWord(entry, 'name', textLimits.author)
    if (name !== null) return name
  }
  return null
}

/** `tools` is a list until 1.4, and an object with a list of components from 1.5 on. */
function firstTool(metadata: JsonObject): JsonObject | null {
  const [tool] = metadata.lenientObjects('tools')
  const [component] = metadata.lenientObject('tools')?.lenientObjects('components') ?? []
  return tool ?? component ?? null
}
