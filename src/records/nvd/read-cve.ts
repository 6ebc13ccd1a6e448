import { fieldOf, listField, textField } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { isCveId, timeField } from '../cve.ts'

/** Where an entry comes from. Both speak of the same CVE and are kept as records of their own. */
export type NvdSource = 'nvd' | 'nvd-overrides'

/** What the product reads of an NVD 2.0 entry. Everything else stays in its content. */
export type NvdCve = {
  cveId: string
  source: NvdSource
  summary: string
  modifiedAt: Date
  publishedAt: Date | null
  isRejected: boolean
  /** Who assigned the CVE id, as `metrics[].source` names it; null when not said. */
  assigner: string | null
  configurations: readonly unknown[]
  /** `metrics` as written. */
  metrics: unknown
  /** The entry as parsed. */
  content: unknown
}

const maxSummaryLength = 300

/**
 * Reads one entry of NVD data out of parsed JSON (https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema): an entry of a
 * feed or an API page (`{"cve": {…}}`), a CVE alone, or an override that carries only configurations and names its CVE in
 * `_annotation.cve_id` (anchore/nvd-data-overrides). Foreign and hostile: parts of the wrong kind count as absent. Refuses
 * (`RefusedData`) what names no CVE.
 */
export function readCve(value: unknown, name: string): NvdCve {
  const annotation = fieldOf(value, '_annotation')
  const cve = fieldOf(value, 'cve') ?? value
  const overrides = isOverride(value)
  const facts = overrides ? annotation : cve
  const modified = timeField(facts, overrides ? 'modified' : 'lastModified')
  if (!overrides && modified === null) {
    throw new RefusedData(`${name}: expected an NVD entry, found no "lastModified" time`)
  }
  return {
    cveId: readCveId(fieldOf(facts, overrides ? 'cve_id' : 'id'), name),
    source: overrides ? 'nvd-overrides' : 'nvd',
    summary: overrides ? (textField(facts, 'description', maxSummaryLength) ?? '') : readSummary(cve),
    modifiedAt: modified ?? new Date(0),
    publishedAt: timeField(facts, 'published'),
    isRejected: fieldOf(cve, 'vulnStatus') === 'Rejected',
    assigner: textField(cve, 'sourceIdentifier', 200),
    configurations: listField(cve, 'configurations'),
    metrics: fieldOf(cve, 'metrics'),
    content: overrides ? value : cve,
  }
}

/** Whether parsed JSON overrides what NVD says of a CVE, rather than being an entry of NVD. */
export function isOverride(value: unknown): boolean {
  return fieldOf(value, '_annotation') !== undefined
}

function readCveId(id: unknown, name: string): string {
  if (isCveId(id)) return id
  throw new RefusedData(`${name}: expected an NVD entry, found no CVE id`)
}

function readSummary(cve: unknown): string {
  const english = listField(cve, 'descriptions').find((entry) => fieldOf(entry, 'lang') === 'en')
  return textField(english, 'value', maxSummaryLength) ?? ''
}
