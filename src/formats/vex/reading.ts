import { ServiceError } from '../../contract/errors.ts'
import type { UnboundReason, VexDocument, VexStatement, VexTarget } from '../../contract/vex.ts'
import { parseCpe } from '../cpe/cpe.ts'
import { cleanText } from '../json/clean.ts'
import { pointerOf } from '../json/object.ts'
import type { JsonObject } from '../json/object.ts'
import { parsePurl } from '../purl/purl.ts'
import { VexHints } from './hints.ts'
import { isBindable } from './identifiers.ts'
import type { Identifiers } from './identifiers.ts'
import { textLimits } from './statement-fields.ts'

/** Beside the first target of each statement; a document of real shape stays far below. */
const maxFurtherTargets = 500_000

type Head = Omit<VexDocument, 'statements' | 'findings' | 'unbound' | 'hints'>

/** The statements and findings of one document while it is read, in its order. */
export class VexReading {
  readonly hints = new VexHints()
  readonly #maxStatements: number
  readonly #statements: VexStatement[] = []
  readonly #findings: VexStatement[] = []
  readonly #counts = { statements: 0, findings: 0 }
  #furtherTargets = maxFurtherTargets
  readonly #judged = new Set<string>()

  /** `maxStatements` is the limit of statements and, counted apart, of findings. */
  constructor(maxStatements: number) {
    this.#maxStatements = maxStatements
  }

  /** Refuses with `too_many_statements`. */
  add(statement: Omit<VexStatement, 'pointer'>, entry: Pick<JsonObject, 'place'>): void {
    const kind = statement.verdict === undefined ? 'findings' : 'statements'
    this.#counts[kind] += 1
    if (this.#counts[kind] > this.#maxStatements) throw new ServiceError('too_many_statements')
    if (statement.vulnerabilityIds.length === 0) this.hints.note('missing_vulnerability', entry.place)
    const list = kind === 'findings' ? this.#findings : this.#statements
    list.push({ pointer: pointerOf(entry.place), ...statement })
  }

  /** Whether one more target may be kept beside the first of its statement. */
  takeTarget(entry: Pick<JsonObject, 'place'>): boolean {
    if (this.#furtherTargets > 0) {
      this.#furtherTargets -= 1
      return true
    }
    this.hints.note('targets_cut', entry.place)
    return false
  }

  /** Notes identifiers that cannot be read; each is judged once, however often the document refers to it. */
  judge({ purl, cpe }: Identifiers, entry: Pick<JsonObject, 'place'>): void {
    if (purl !== undefined && this.#isNew(purl) && parsePurl(purl) === undefined) {
      this.hints.note('unreadable_purl', entry.place)
    }
    if (cpe !== undefined && this.#isNew(cpe) && parseCpe(cpe) === undefined) {
      this.hints.note('unreadable_cpe', entry.place)
    }
  }

  #isNew(identifier: string): boolean {
    if (this.#judged.has(identifier)) return false
    this.#judged.add(identifier)
    return true
  }

  /** The document read; null when it says nothing. */
  document(head: Head): VexDocument | null {
    if (this.#statements.length + this.#findings.length === 0) return null
    const unbound = this.#statements.filter(({ unboundReason }) => unboundReason !== undefined).length
    return {
      ...head,
      statements: this.#statements,
      findings: this.#findings,
      unbound,
      hints: this.hints.list(),
    }
  }
}

/** How much a reason tells; of several products the one that tells most is kept. */
const weight: Record<UnboundReason, number> = { no_product: 0, unknown_reference: 1, no_identifier: 2 }

/** The products of one statement. */
export class StatementTargets {
  readonly #reading: VexReading
  readonly #entry: Pick<JsonObject, 'place'>
  readonly #targets: VexTarget[] = []
  #isBound = false
  #reason: UnboundReason = 'no_product'
  #label = ''

  constructor(reading: VexReading, entry: Pick<JsonObject, 'place'>) {
    this.#reading = reading
    this.#entry = entry
  }

  /** What the document calls a product; the first one's name stays. */
  name(label: string | null): void {
    if (this.#label === '') this.#label = cleanText(label ?? '', textLimits.label)
  }

  add(target: VexTarget): void {
    if (this.#targets.length > 0 && !this.#reading.takeTarget(this.#entry)) return
    this.#reading.judge(target, this.#entry)
    if (isBindable(target)) this.#isBound = true
    else this.miss('unknown_reference')
    this.#targets.push(target)
  }

  /** A product that cannot be bound. */
  miss(reason: UnboundReason): void {
    if (weight[reason] > weight[this.#reason]) this.#reason = reason
  }

  fields(): Pick<VexStatement, 'targets' | 'productLabel' | 'unboundReason'> {
    const reason = this.#isBound ? {} : { unboundReason: this.#reason }
    return { targets: this.#targets, productLabel: this.#label, ...reason }
  }
}
