import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { UnboundReason, VexDocument, VexStatement, VexTarget } from '../../contract/vex/shapes.ts'
import { parseCpe } from '../cpe.ts'
import { cleanText } from '../json/clean.ts'
import { pointerOf, type JsonObject } from '../json/object.ts'
import { parsePurl } from '../purl/purl.ts'
import { VexHints } from './hints.ts'
import { isBindable, type Identifiers } from './identifiers.ts'
import { textLimits } from './statement-fields.ts'

/**
 * What happens to a document that combines too much, so that a small file would fill the database: a VEX document is refused; of an SBOM's
 * findings the excess products are left out.
 */
type OverBudget = 'refuse' | 'cut'

const budgets = {
  products: `more than ${limits.vexFurtherProducts} products beside the first of each statement`,
  characters: `more than ${limits.vexCharacters} characters once each statement has what is said of its product`,
}

type Head = Omit<VexDocument, 'statements' | 'findings' | 'unbound' | 'hints'>

/** The statements and findings of one document while it is read, in its order. */
export class VexReading {
  readonly hints = new VexHints()
  readonly #maxStatements: number
  readonly #statements: VexStatement[] = []
  readonly #findings: VexStatement[] = []
  readonly #counts = { statements: 0, findings: 0 }
  readonly #overBudget: OverBudget
  #furtherProducts = 0
  #characters = 0
  readonly #readable = new Map<string, boolean>()

  /** `maxStatements` is the limit of statements and, counted apart, of findings. */
  constructor(maxStatements: number, overBudget: OverBudget) {
    this.#maxStatements = maxStatements
    this.#overBudget = overBudget
  }

  /** Refuses with `too_many_statements`, or `invalid_vex` for a budget. */
  add(statement: Omit<VexStatement, 'pointer'>, entry: Pick<JsonObject, 'place'>): void {
    const kind = statement.verdict === undefined ? 'findings' : 'statements'
    this.#counts[kind] += 1
    if (this.#counts[kind] > this.#maxStatements) throw new ServiceError('too_many_statements')
    if (statement.vulnerabilityIds.length === 0) this.hints.note('missing_vulnerability', entry.place)
    this.#takeCharacters(charactersSaid(statement))
    const list = kind === 'findings' ? this.#findings : this.#statements
    list.push({ pointer: pointerOf(entry.place), ...statement })
  }

  /** Whether the target may be kept; `isFurther` where its statement has one already. */
  takeTarget(target: VexTarget, entry: Pick<JsonObject, 'place'>, isFurther: boolean): boolean {
    if (isFurther) this.#furtherProducts += 1
    const isOneTooMany = isFurther && this.#furtherProducts > limits.vexFurtherProducts
    if (isOneTooMany) this.#refuse(budgets.products)
    if (!isOneTooMany && this.#takeCharacters(charactersOf(target))) return true
    this.hints.note('targets_cut', entry.place)
    return false
  }

  #takeCharacters(count: number): boolean {
    this.#characters += count
    if (this.#characters <= limits.vexCharacters) return true
    this.#refuse(budgets.characters)
    return false
  }

  #refuse(detail: string): void {
    if (this.#overBudget === 'refuse') throw new ServiceError('invalid_vex', { detail })
  }

  /**
   * Whether there is a readable identifier. Records the unreadable ones; each is checked once, however often the document refers to
   * it.
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

function charactersOf({ purl = '', cpe = '', carriers = [], versions = [] }: VexTarget): number {
  const ofCarriers = carriers.reduce(
    (sum, carrier) => sum + charactersOf({ kind: 'component', ...carrier }),
    0,
  )
  const ofVersions = versions.reduce(
    (sum, { version = '', range = '' }) => sum + version.length + range.length,
    0,
  )
  return purl.length + cpe.length + ofCarriers + ofVersions
}

function charactersSaid({
  vulnerabilityIds,
  impact,
  action,
  productLabel,
}: Omit<VexStatement, 'pointer'>): number {
  const ids = vulnerabilityIds.reduce((length, id) => length + id.length, 0)
  return ids + (impact?.length ?? 0) + (action?.length ?? 0) + productLabel.length
}

/** How informative a reason is; of several products the most informative one is kept. */
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

  /** Returns whether it fitted: if not, no further one need be tried. */
  add(target: VexTarget): boolean {
    if (!this.#reading.takeTarget(target, this.#entry, this.#targets.length > 0)) return false
    this.#targets.push(target)
    return true
  }

  /** A product that cannot be bound. */
  miss(reason: UnboundReason): void {
    if (weight[reason] > weight[this.#reason]) this.#reason = reason
  }

  /** Called once all are there: reading identifiers is expensive, and a statement over the budget is refused before. */
  fields(): Pick<VexStatement, 'targets' | 'productLabel' | 'unboundReason'> {
    let isBound = false
    for (const target of this.#targets) {
      if (this.#reading.isReadable(target, this.#entry)) isBound = true
      else this.miss(isBindable(target) ? 'unreadable_identifier' : 'unknown_reference')
    }
    const reason = isBound ? {} : { unboundReason: this.#reason }
    return { targets: this.#targets, productLabel: this.#label, ...reason }
  }
}
