import type { DraftVulnerability } from '../../contract/advisories/shapes.ts'
import { weaknessName } from '../document/weaknesses.ts'
import { readBaseVector, type CvssVersion } from '../../formats/cvss/base-vector.ts'
import { scoreCvss } from '../../formats/cvss/cvss.ts'
import { fieldOf, listField, listOf } from '../../source-files/fields.ts'

/** A record that names a vulnerability, with its parsed document. Untrusted: it may have any shape. */
export type KnownRecord = {
  recordId: string
  vector: string | null
  publishedAt: Date | null
  document: unknown
}

/** Deeper than any source writes its scores. */
const deepestMetric = 4

/**
 * The score of the first record that has one in a version of CVSS that CSAF 2.0 has a place for: of version 3, else of version 2. Version 4
 * alone gives none. `records`: the one with precedence for the severity first.
 */
export function knownScores(records: readonly KnownRecord[]): NonNullable<DraftVulnerability['scores']> {
  const vectors = records.map((record) => vectorsOf(record).flatMap((vector) => baseOf(vector) ?? []))
  for (const versions of [['3.1', '3.0'], ['2.0']] as const) {
    for (const known of vectors) {
      const found = versions.flatMap((version) => known.find((one) => one.version === version) ?? [])
      const [first] = found
      if (first !== undefined) return [{ vector: first.vector, versionIds: [] }]
    }
  }
  return []
}

/** The vectors of a record as OSV, NVD, the CVE program and others write them. */
function vectorsOf({ vector, document }: KnownRecord): string[] {
  const metrics = [document, ...containersOf(document)]
  return [
    ...(vector === null ? [] : [vector]),
    ...listField(document, 'severity').map((entry) => fieldOf(entry, 'score')),
    ...metrics.flatMap((one) => vectorStrings(fieldOf(one, 'metrics'), deepestMetric)),
  ].filter((text) => typeof text === 'string')
}

/** The parts of a record of the CVE program: of its numbering authority, then of those that enrich it. */
function containersOf(document: unknown): unknown[] {
  const containers = fieldOf(document, 'containers')
  return [fieldOf(containers, 'cna'), ...listField(containers, 'adp')]
}

function vectorStrings(value: unknown, depth: number): unknown[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  const own = fieldOf(value, 'vectorString')
  return [own, ...Object.values(value).flatMap((part) => vectorStrings(part, depth - 1))]
}

/** Without temporal and environmental metrics, which are not properties of the vulnerability. */
function baseOf(vector: string): { version: CvssVersion; vector: string } | undefined {
  const version = scoreCvss(vector)?.version
  if (version === undefined || version === '4.0') return undefined
  const prefix = version === '2.0' ? '' : `CVSS:${version}/`
  const base = readBaseVector(vector.slice(prefix.length).replace(/^\((.*)\)$/, '$1'), version)
  return base === undefined ? undefined : { version, vector: prefix + base }
}

/** The first weakness of the records that the catalogue has, as GHSA, NVD and the CVE program write it; empty: none. */
export function knownWeakness(records: readonly KnownRecord[]): string {
  for (const { document } of records) {
    const ofGhsa = listOf(fieldOf(fieldOf(document, 'database_specific'), 'cwe_ids'))
    const ofNvd = listField(document, 'weaknesses').flatMap((entry) => listField(entry, 'description'))
    const ofCve = containersOf(document)
      .flatMap((container) => listField(container, 'problemTypes'))
      .flatMap((entry) => listField(entry, 'descriptions'))
    const ids = [
      ...ofGhsa,
      ...ofNvd.map((entry) => fieldOf(entry, 'value')),
      ...ofCve.map((entry) => fieldOf(entry, 'cweId')),
    ]
    const known = ids.find((id) => typeof id === 'string' && weaknessName(id) !== undefined)
    if (typeof known === 'string') return known
  }
  return ''
}

/** The day on which the first of the records was published; empty: none says. */
export function knownSince(records: readonly KnownRecord[]): string {
  const days = records.flatMap(({ publishedAt }) => publishedAt?.toISOString().slice(0, 10) ?? [])
  return days.toSorted()[0] ?? ''
}
