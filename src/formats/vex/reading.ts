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
  readonly #readable = new Map<string, boolean>()

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

  /**
   * Whether there is an identifier that can be read. Notes those that cannot; each is judged once, however often the document refers
   * to it.
   */
  isReadable({ purl, cpe }: Identifiers, entry: Pick<JsonObject, 'place'>): boolean {
    const hasPurl = purl !== undefined && this.#judge(purl, 'unreadable_purl', entry)
    const hasCpe = cpe !== undefined && this.#judge(cpe, 'unreadable_cpe', entry)
    return hasPurl || hasCpe
  }

  #judge(
    identifier: string,
    code: 'unreadable_purl' | 'unreadable_cpe',
    entry: Pick<JsonObject, 'place'>,
  ): boolean {
    const known = this.#readable.get(identifier)
    if (known !== undefined) return known
    const parse = code === 'unreadable_purl' ? parsePurl : parseCpe
    const isReadable = parse(identifier) !== undefined
    if (!isReadable) this.hints.note(code, entry.place)
    this.#readable.set(identifier, isReadable)
    return isReadable
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
const weight: Record<UnboundReason, number> = {
  no_product: 0,
  unknown_reference: 1,
  no_identifier: 2,
  unreadable_identifier: 3,
}

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

  /** Answers whether there was room for it: where there is none, none need be tried after it. */
  add(target: VexTarget): boolean {
    if (this.#targets.length > 0 && !this.#reading.takeTarget(this.#entry)) return false
    if (this.#reading.isReadable(target, this.#entry)) this.#isBound = true
    else this.miss(isBindable(target) ? 'unreadable_identifier' : 'unknown_reference')
    this.#targets.push(target)
    return true
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
