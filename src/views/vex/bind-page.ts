import { sql } from 'kysely'
import type {
  Justification,
  UnboundReason,
  Verdict,
  VexEntryKind,
  VexTargetKind,
  VexVersionRange,
} from '../../contract/vex.ts'
import type { VexStatementRow } from '../../contract/vex-documents.ts'
import type { Db } from '../../database/connection.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import {
  bindingKeys,
  bindsTo,
  readComponent,
  readTarget,
  type BindingComponent,
  type BindingTarget,
} from '../../vex/binding/bind-target.ts'
import { speaksOfAnother, type StatedCarrier } from '../../vex/binding/bind-carrier.ts'
import { holdsForProduct } from '../../vex/binding/holds-for-product.ts'
import {
  namesInSboms,
  selectBindingProducts,
  type ProductOfVersion,
} from '../../findings/verdicts/binding-product.ts'
import { isName } from '../../findings/verdicts/names-of-group.ts'
import { isVersion } from '../../findings/version-slot.ts'

export type DocumentScope = {
  workspaceId: string
  documentId: string
  familyId: string
  versionId: string | null
  everyVersion: boolean
}

export type StoredStatement = {
  number: number
  kind: VexEntryKind
  pointer: string
  vulnerability_ids: string[]
  verdict: Verdict | null
  raw_status: string | null
  justification: Justification | null
  raw_justification: string | null
  impact: string | null
  action: string | null
  responses: string[]
  stated_at: Date | null
  product_label: string
  unbound_reason: UnboundReason | null
}

export type StoredTarget = {
  number: number
  kind: VexTargetKind
  purl: string | null
  cpe: string | null
  reference: string | null
  versions: VexVersionRange[] | null
  /** What it is in. */
  carriers: StatedCarrier[] | null
  /** What a BOM-Link was found to mean. */
  link: { purl: string | null; cpe: string | null; isProduct: boolean } | null
}

export type StatementBinding = Pick<
  VexStatementRow,
  'binding' | 'wholeProduct' | 'components' | 'boundFindings'
>

const shown = 20
/** Findings read for one statement: what a page can show of a statement on a vulnerability that everything has. */
const readFindings = 200

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

/** A target with the versions in which it speaks of another product: there it means nothing. */
type ReadTarget = BindingTarget & { notIn: ReadonlySet<string | null> }

/** What statements of a document bind to, by number: in the active SBOMs of the versions that the document holds for. */
export async function bindStatements(
  db: Db,
  scope: DocumentScope,
  entries: readonly Entry[],
): Promise<Map<number, StatementBinding>> {
  const carriers = entries.flatMap(({ targets }) => targets.flatMap((target) => target.carriers ?? []))
  const products = await selectProducts(db, scope, carriers)
  const read = entries.map((entry) => readEntry(entry, products))
  const byKey = new ComponentsByKey(await selectCandidates(db, scope, read))
  const findings = Map.groupBy(await selectClaimedFindings(db, scope, entries), ({ number }) => number)
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
  const named = components.flatMap((target) => found.byKey.namedBy(target, row))
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
    boundFindings: distinctFindings(findings).slice(0, shown),
  }
}

function distinctFindings(findings: readonly ClaimedFinding[]): VexStatementRow['boundFindings'] {
  const distinct = new Map(findings.map((finding) => [finding.id, finding]))
  return [...distinct.values()].map(({ id, title, component, product_version, decides }) => ({
    id,
    title,
    component,
    productVersion: product_version,
    decides,
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

function isInScope(
  column: string,
  { versionId, everyVersion }: Pick<DocumentScope, 'versionId' | 'everyVersion'>,
) {
  return everyVersion ? sql<boolean>`true` : isVersion(column, versionId)
}

type Candidate = {
  number: number
  /** Whose active SBOM has it. */
  version_ids: (string | null)[]
  name: string
  version: string | null
  purl: string | null
  cpe: string | null
}

/** Made while somebody waits for the page; a hostile document shows less than it binds to. */
const maxComparisons = 500_000

class ComponentsByKey {
  #comparisons = 0
  readonly #byKey = new Map<string, { candidate: Candidate; read: BindingComponent }[]>()

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) {
      const entry = { candidate, read: readComponent(candidate) }
      for (const key of bindingKeys(entry.read))
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), entry])
    }
  }

  namedBy(target: ReadTarget, { verdict }: StoredStatement): Candidate[] {
    return bindingKeys(target)
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter(({ candidate, read }) => {
        this.#comparisons += 1
        if (candidate.version_ids.every((id) => target.notIn.has(id))) return false
        return this.#comparisons <= maxComparisons && bindsTo(target, read, verdict)
      })
      .map(({ candidate }) => candidate)
  }
}

/**
 * Components of the active SBOMs whose name is one that the targets' packages go by in SBOMs. A tool that calls a component otherwise
 * is found through its findings only. Primary key of component_name.
 */
async function selectCandidates(
  db: Db,
  scope: DocumentScope,
  entries: readonly ReadEntry[],
): Promise<Candidate[]> {
  const names = new Set(entries.flatMap(({ components }) => components.flatMap(namesInSboms)))
  if (names.size === 0) return []
  const { rows } = await sql<Candidate>`
    select c.number, c.name, c.version, c.purl, c.cpe, a.version_ids
    from component_name m
    join component c on c.family_id = m.family_id and c.number = m.number
    cross join lateral (
      select array_agg(s.version_id) as version_ids
      from sbom s
      join sbom_inventory v on v.sbom_id = s.id
      where s.workspace_id = ${scope.workspaceId} and s.family_id = ${scope.familyId} and s.active
        and ${isInScope('s.version_id', scope)} and v.numbers @> c.number
    ) a
    where m.workspace_id = ${scope.workspaceId} and m.family_id = ${scope.familyId}
      and m.name = any(${columnOf([...names], 'text', (name) => name)})
      and a.version_ids is not null
    order by c.number
    limit 5000`.execute(db)
  return rows
}

type ClaimedFinding = {
  number: number
  id: string
  title: string
  component: string
  product_version: string | null
  version_id: string | null
  decides: boolean
  version: string | null
  purl: string | null
  cpe: string | null
}

/** The open findings on the vulnerabilities that statements name, one row for each of their components; at most 200 rows a statement. */
async function selectClaimedFindings(
  db: Db,
  scope: DocumentScope,
  entries: readonly Entry[],
): Promise<ClaimedFinding[]> {
  const { rows } = await sql<ClaimedFinding>`
    with claimed_group as materialized (
      select distinct c.number, v.group_id
      from vex_claim c
      join alias_assertion a on a.other_id = c.vulnerability_id and ${isName}
      join vulnerability v on v.id = a.vulnerability_id and v.withdrawn_at is null
      where c.document_id = ${scope.documentId} and c.number = any(${entries.map(({ row }) => row.number)}::int[])
    ),
    found as (
      select k.number, f.id, g.title_id as title, f.family_id, f.identity_id, f.version_id,
        coalesce(f.verdict_document_id = ${scope.documentId}::uuid and f.verdict_statement = k.number, false) as decides
      from claimed_group k
      join finding f on f.group_id = k.group_id and f.closed_at is null
      join vulnerability_group g on g.id = f.group_id
      where f.workspace_id = ${scope.workspaceId} and f.family_id = ${scope.familyId} and ${isInScope('f.version_id', scope)}
    ),
    part as (
      select f.number, f.id, f.title, f.decides, concat_ws(' ', c.name, c.version) as component, p.name as product_version,
        f.version_id, c.version, c.purl, c.cpe, row_number() over (partition by f.number order by not f.decides, f.id, c.number) as place
      from found f
      join component c on c.family_id = f.family_id and c.identity_id = f.identity_id
      left join product_version p on p.id = f.version_id
    )
    select number, id, title, decides, component, product_version, version_id, version, purl, cpe
    from part
    where place <= ${readFindings}
    order by number, place`.execute(db)
  return rows
}
