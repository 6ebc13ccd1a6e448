import { remediationCategories } from '../../../contract/advisories/words.ts'
import type { Verdict, VexDocument } from '../../../contract/vex/shapes.ts'
import type { JsonObject, Place } from '../../json/object.ts'
import { CsafProductTree } from './csaf-product-tree.ts'
import { CsafRemarks } from './csaf-remarks.ts'
import { isBindable } from '../identifiers.ts'
import { StatementTargets, type VexReading } from '../reading.ts'
import {
  present,
  readJustification,
  readText,
  readTime,
  readWord,
  textLimits,
  vulnerabilityIds,
} from '../statement-fields.ts'
import { verdictOf } from '../verdict-words.ts'

/**
 * Reads a CSAF 2.0 document of the VEX profile (CSAF 2.0, 4.5): one statement for each vulnerability, product and verdict.
 * Null when no vulnerability has a verdict.
 */
export function readCsaf(document: JsonObject, formatLabel: string, reading: VexReading): VexDocument | null {
  const head = document.optionalObject('document')
  const tracking = head?.lenientObject('tracking') ?? null
  const time = readTime(tracking, 'current_release_date', reading.hints)
  const tree = new CsafProductTree(document, reading.hints)
  for (const entry of document.objects('vulnerabilities')) {
    new VulnerabilityReader(entry, { tree, time, reading }).read()
  }
  return reading.document({
    format: 'csaf',
    formatLabel,
    ...present({
      documentId: readWord(tracking, 'id', textLimits.documentId),
      author: readWord(head?.lenientObject('publisher') ?? null, 'name', textLimits.author),
      time,
    }),
  })
}

type Surroundings = { tree: CsafProductTree; time: string | null; reading: VexReading }
type ListedProduct = { productId: string; verdict: Verdict; rawStatus: string; place: Place }

class VulnerabilityReader {
  readonly #entry: JsonObject
  readonly #surroundings: Surroundings
  readonly #ids: string[]
  readonly #justifications = new CsafRemarks<ReturnType<typeof readJustification>>()
  readonly #impacts = new CsafRemarks<string>()
  /** Of a threat that names neither product nor group, which CSAF leaves open: on all of them. */
  #impactOnAll: string | null = null
  readonly #actions = new CsafRemarks<string>()

  constructor(entry: JsonObject, surroundings: Surroundings) {
    this.#entry = entry
    this.#surroundings = surroundings
    this.#ids = readIds(entry)
    this.#readFlags()
    this.#readThreats()
    this.#readRemediations()
  }

  read(): void {
    const status = this.#entry.optionalObject('product_status')
    if (!status) return
    const counted = new Map<Verdict, Set<string>>()
    for (const rawStatus of status.keys()) {
      const verdict = verdictOf('csaf', rawStatus)
      if (verdict === undefined) continue
      const seen = counted.get(verdict) ?? new Set()
      counted.set(verdict, seen)
      const list = status.at(rawStatus)
      for (const [key, productId] of status.optionalStrings(rawStatus).entries()) {
        if (seen.has(productId)) continue
        seen.add(productId)
        this.#addStatement({ productId, verdict, rawStatus, place: { parent: list, key } })
      }
    }
  }

  #readFlags(): void {
    const { hints } = this.#surroundings.reading
    for (const flag of this.#entry.objects('flags')) {
      const justification = readJustification('csaf', flag, 'label', hints)
      if (justification.raw !== null) {
        this.#justifications.add(flag, justification, justification.label === null ? 1 : 0)
      }
    }
  }

  #readThreats(): void {
    for (const threat of this.#entry.objects('threats')) {
      if (threat.lenientString('category') !== 'impact') continue
      const text = readText(threat, 'details')
      if (text === null) continue
      const names = [...threat.lenientArray('product_ids'), ...threat.lenientArray('group_ids')]
      if (names.length === 0) this.#impactOnAll ??= text
      else this.#impacts.add(threat, text)
    }
  }

  #readRemediations(): void {
    for (const remediation of this.#entry.objects('remediations')) {
      const rank = (remediationCategories as readonly string[]).indexOf(
        remediation.lenientString('category') ?? '',
      )
      const text = readText(remediation, 'details')
      if (text !== null)
        this.#actions.add(remediation, text, rank === -1 ? remediationCategories.length : rank)
    }
  }

  #addStatement({ productId, verdict, rawStatus, place }: ListedProduct): void {
    const { tree, time, reading } = this.#surroundings
    const justification = this.#justifications.of(productId, tree)
    const impact = this.#impacts.of(productId, tree) ?? this.#impactOnAll
    const action = this.#actions.of(productId, tree)
    if (verdict === 'not_affected' && !justification?.label && impact === null) {
      reading.hints.note('missing_justification', place)
    }
    if (verdict === 'affected' && action === null) reading.hints.note('missing_action', place)
    const statement = {
      vulnerabilityIds: this.#ids,
      verdict,
      rawStatus,
      ...present({
        justification: justification?.label,
        rawJustification: justification?.raw,
        impact,
        action,
        time,
      }),
      ...this.#bind(productId, place),
    }
    reading.add(statement, { place })
  }

  #bind(productId: string, place: Place) {
    const { tree, reading } = this.#surroundings
    const targets = new StatementTargets(reading, { place })
    const product = tree.find(productId)
    targets.name(product?.label ?? productId)
    if (!product) {
      targets.miss('unknown_reference')
      reading.hints.note('unknown_reference', place)
    } else if (isBindable(product.identifiers)) {
      const { identifiers, carriers, versions } = product
      if (versions?.length === 0) reading.hints.note('unreadable_version', place)
      targets.add({
        kind: 'component',
        ...identifiers,
        ...present({ versions }),
        ...(carriers.length > 0 && { carriers: [...carriers] }),
      })
    } else targets.miss('no_identifier')
    return targets.fields()
  }
}

/** The CVE; where there is none, the ids of other systems. */
function readIds(entry: JsonObject): string[] {
  const ids = vulnerabilityIds([entry.lenientString('cve')])
  if (ids.length > 0) return ids
  const others: (string | null)[] = []
  for (const other of entry.lenientObjects('ids')) others.push(other.lenientString('text'))
  return vulnerabilityIds(others)
}
