import { sql } from 'kysely'
import type { VexStatementRow } from '../../contract/vex/documents.ts'
import type { Db } from '../../database/connection.ts'
import { selectBindingProducts, type ProductOfVersion } from '../../findings/verdicts/binding-product.ts'
import { speaksOfAnother, type StatedCarrier } from '../../vex/binding/bind-carrier.ts'
import { bindsTo, readComponent, readTarget, type BindingTarget } from '../../vex/binding/bind-target.ts'
import { holdsForProduct } from '../../vex/binding/holds-for-product.ts'
import { selectClaimedFindings, type ClaimedFinding } from './claimed-findings.ts'
import { ComponentsByKey, selectCandidates, type ReadTarget } from './named-components.ts'
import { isInScope, type DocumentScope, type StoredStatement, type StoredTarget } from './stored-statement.ts'

export type StatementBinding = Pick<
  VexStatementRow,
  'binding' | 'wholeProduct' | 'components' | 'boundFindings'
>

const shown = 20

type Entry = { row: StoredStatement; targets: readonly StoredTarget[] }

type ReadEntry = {
  row: StoredStatement
  components: ReadTarget[]
  namesProduct: boolean
  /** The versions in which it speaks of the product as a whole. */
  inWhole: Set<string | null>
  /** All that it names is in other products or versions. */
  isOfAnother: boolean
}

/** What statements of a document bind to, by number: in the active SBOMs of the versions that the document holds for. */
export async function bindStatements(
  db: Db,
  scope: DocumentScope,
  entries: readonly Entry[],
): Promise<Map<number, StatementBinding>> {
  const carriers = entries.flatMap(({ targets }) => targets.flatMap((target) => target.carriers ?? []))
  const products = await selectProducts(db, scope, carriers)
  const read = entries.map((entry) => readEntry(entry, products))
  const targets = read.flatMap(({ components }) => components)
  const byKey = new ComponentsByKey(await selectCandidates(db, scope, targets))
  const numbers = entries.map(({ row }) => row.number)
  const claimed = await selectClaimedFindings(db, scope, numbers)
  const findings = Map.groupBy(claimed, ({ number }) => number)
  return new Map(
    read.map((entry) => [
      entry.row.number,
      bindingOf(entry, { byKey, findings: findings.get(entry.row.number) ?? [] }),
    ]),
  )
}

/** A target that names the main component of an active SBOM speaks of the product. */
function readEntry({ row, targets }: Entry, products: readonly ProductOfVersion[]): ReadEntry {
  const entry: ReadEntry = {
    row,
    components: [],
    namesProduct: false,
    inWhole: new Set(),
    isOfAnother: false,
  }
  let others = 0
  for (const stored of targets) {
    const notIn = versionsOfAnother(stored, products)
    if (products.length > 0 && notIn.size === products.length) {
      others += 1
      continue
    }
    const target = { ...readStored(stored), notIn }
    const kind = stored.kind === 'product' || stored.link?.isProduct === true ? 'product' : 'component'
    const meant = products.filter(
      (product) =>
        !notIn.has(product.versionId) && holdsForProduct(target, { kind, verdict: row.verdict }, product),
    )
    for (const { versionId } of meant) entry.inWhole.add(versionId)
    if (kind === 'product' || meant.length > 0) entry.namesProduct = true
    else entry.components.push(target)
  }
  return { ...entry, isOfAnother: others > 0 && others === targets.length }
}

function versionsOfAnother(
  { carriers }: StoredTarget,
  products: readonly ProductOfVersion[],
): Set<string | null> {
  if (carriers === null) return new Set()
  return new Set(
    products.filter((product) => speaksOfAnother(carriers, product)).map(({ versionId }) => versionId),
  )
}

function readStored({ purl, cpe, versions, link }: StoredTarget): BindingTarget {
  return readTarget({
    purl: link?.purl ?? purl ?? '',
    cpe: link?.cpe ?? cpe ?? '',
    ...(versions === null ? {} : { versions }),
  })
}

type Found = {
  byKey: ComponentsByKey
  findings: readonly ClaimedFinding[]
}

function bindingOf(entry: ReadEntry, found: Found): StatementBinding {
  const { row, components, namesProduct, inWhole } = entry
  const named = components.flatMap((target) => found.byKey.namedBy(target, row.verdict))
  const unique = [...new Map(named.map((component) => [component.number, component])).values()]
  const findings = found.findings.filter((finding) => {
    if (inWhole.has(finding.version_id)) return true
    const component = readComponent(finding)
    return components.some(
      (target) => !target.notIn.has(finding.version_id) && bindsTo(target, component, row.verdict),
    )
  })
  const isBound = inWhole.size > 0 || unique.length > 0 || findings.length > 0
  const names = namesProduct || components.some(({ purl, cpe }) => purl !== null || cpe !== null)
  return {
    binding: entry.isOfAnother ? 'another_product' : isBound ? 'bound' : names ? 'waiting' : 'unbound',
    wholeProduct: namesProduct,
    components: unique
      .slice(0, shown)
      .map(({ number, name, version, purl }) => ({ number, name, version, purl })),
    boundFindings: distinctFindings(findings, found.findings).slice(0, shown),
  }
}

/** `claimed`: with the packages that the statement does not name. */
function distinctFindings(
  bound: readonly ClaimedFinding[],
  claimed: readonly ClaimedFinding[],
): VexStatementRow['boundFindings'] {
  const packages = Map.groupBy(claimed, ({ id }) => id)
  const distinct = new Map(bound.map((finding) => [finding.id, finding]))
  return [...distinct.values()].map(({ id, title, component, product_version, decides, is_decided }) => ({
    id,
    title,
    component,
    productVersion: product_version,
    decides,
    needsOthers: !is_decided && new Set(packages.get(id)?.map((one) => one.component)).size > 1,
  }))
}

/** What the versions that a document holds for are called, one for each active SBOM. */
async function selectProducts(
  db: Db,
  { workspaceId, familyId, ...scope }: DocumentScope,
  carriers: readonly StatedCarrier[],
): Promise<ProductOfVersion[]> {
  const isMeant = sql<boolean>`s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.active
    and ${isInScope('s.version_id', scope)}`
  return selectBindingProducts(db, isMeant, carriers)
}
