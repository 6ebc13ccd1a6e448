import { scoreCvss, severityOfScore } from '../../../formats/cvss/cvss.ts'
import { fieldOf, textField } from '../../../source-files/fields.ts'
import { readDate } from '../../catalogues/entry.ts'
import {
  hashOf,
  noRanges,
  type CompiledRecord,
  type RecordSeverity,
} from '../../../records/compiled-record.ts'
import { isCveId } from '../../../records/cve.ts'

/** Where the severities of the European vulnerability database are kept. */
export const euvdScores = 'euvd-scores'

/**
 * A record of the database and its entry in the dump of exploited vulnerabilities are kept apart: they are two statements of different
 * age, and the dump does not tell its own.
 */
export const euvdPrefixes = { record: 'EUVD:', dump: 'EUVD-DUMP:' } as const

const euvdForm = /^EUVD-\d{4}-\d{1,19}$/
const maxAliasesLength = 4_000

/** Whether parsed JSON is a record of the European vulnerability database, as its search and its page of one record answer it. */
export function isEuvdRecord(value: unknown): boolean {
  const id = fieldOf(value, 'id')
  return typeof id === 'string' && euvdForm.test(id) && typeof fieldOf(value, 'modified') !== 'string'
}

/** Whether an entry of the dump says how severe the vulnerability is. */
export function statesScore(entry: unknown): boolean {
  return severityOf(entry).severity !== 'unknown'
}

/**
 * The severity that a record of the European vulnerability database, or an entry of its dump, states, as a record of its own with the CVE as
 * its one alias. It brings nothing else: the database names products in free text. undefined: an entry that names no CVE, or several, and
 * so scores none.
 */
export function compileScore(value: unknown): CompiledRecord | undefined {
  const isRecord = isEuvdRecord(value)
  const euvdId = (isRecord ? textField(value, 'id', 40) : textField(value, 'euvdId', 40))?.toUpperCase()
  const [cveId, ...others] = cveIdsOf(value)
  if (cveId === undefined || others.length > 0) return undefined
  const id = (isRecord ? euvdPrefixes.record : euvdPrefixes.dump) + (euvdId ?? cveId)
  // an entry of the dump tells only since when it is listed
  const updated = readDate(textField(value, isRecord ? 'dateUpdated' : 'dateAdded', 40))
  const published = readDate(textField(value, 'datePublished', 40))
  const document = JSON.stringify(keptOf(value))
  return {
    ...severityOf(value),
    id,
    source: euvdScores,
    class: 'vulnerability',
    summary: '',
    modifiedAt: new Date(updated ?? 0),
    publishedAt: published === null ? null : new Date(published),
    withdrawnAt: null,
    document,
    ecosystems: [],
    decidingHash: hashOf(JSON.stringify([id, cveId])),
    documentHash: hashOf(document),
    assertions: [
      { otherId: id, relation: 'self', bridges: true },
      { otherId: cveId, relation: 'alias', bridges: true },
    ],
    ranges: noRanges,
  }
}

/** `aliases` are texts in lines. */
function cveIdsOf(value: unknown): string[] {
  const texts = [fieldOf(value, 'cveId'), ...aliasesOf(fieldOf(value, 'aliases'))]
  const ids = texts.map((text) => (typeof text === 'string' ? text.trim().toUpperCase() : null))
  return [...new Set(ids.filter((id) => isCveId(id)))]
}

function aliasesOf(aliases: unknown): unknown[] {
  if (typeof aliases === 'string') return aliases.slice(0, maxAliasesLength).split('\n')
  return Array.isArray(aliases) ? aliases : []
}

const unscored: RecordSeverity = { severity: 'unknown', score: null, vector: null }

/** The score follows from the vector; without one that can be read the stated score counts, where 0 and below mean that there is none. */
function severityOf(value: unknown): RecordSeverity {
  const vector = textField(value, 'baseScoreVector', 400)
  const cvss = vector === null ? undefined : scoreCvss(vector)
  if (cvss !== undefined) return { severity: cvss.severity, score: cvss.score, vector }
  const score = Number(fieldOf(value, 'baseScore') ?? 0)
  if (!(score > 0 && score <= 10)) return unscored
  const version = /^2(\.|$)/.test(textField(value, 'baseScoreVersion', 10) ?? '') ? '2.0' : '3.1'
  return { severity: severityOfScore(score, version), score, vector }
}

const keptKeys = [
  ...['id', 'euvdId', 'cveId', 'aliases', 'datePublished', 'dateUpdated', 'dateAdded'],
  ...['baseScore', 'baseScoreVersion', 'baseScoreVector'],
]

/** The parts that are read; descriptions and products are those of others. */
function keptOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    keptKeys.flatMap((key) => {
      const field = fieldOf(value, key)
      return field === undefined ? [] : [[key, field]]
    }),
  )
}
