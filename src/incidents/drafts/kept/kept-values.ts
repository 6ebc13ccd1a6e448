import { doraFactIds } from '../../../contract/incidents/dora-facts.ts'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { DraftValue, DraftValues } from '../../../contract/incidents/report-drafts.ts'
import type { Db } from '../../../database/connection.ts'
import type { Incident } from '../../record/lock-incident.ts'
import { fieldsOf, type DraftStage } from '../../../report-forms/forms.ts'
import { changedFacts } from './changed-facts.ts'
import { selectLeft } from './left-components.ts'
import { productFactsOfFields, productFields, selectProductsInReport } from './products-in-report.ts'
import { selectRemovedFacts, type SaidFact } from './removed-facts.ts'

/**
 * What is stored for the fields of a report: with the products and the company whatever its draft says, and of the incident what the draft says
 * otherwise. `isOfNow`: it is a report of the present cycle; those of earlier cycles were about the facts of then.
 */
export async function selectKeptValues(
  db: Db,
  incident: Incident,
  { stage, values, isOfNow }: { stage: DraftStage; values: DraftValues; isOfNow: boolean },
): Promise<KeptValue[]> {
  const shared = await sharedValues(db, incident, stage, values)
  const changed = isOfNow ? await changedFacts(db, incident, stage) : []
  // states that somebody named for the incident come first, and once they are removed those of the family count
  const own = changed.filter(({ field }) => shared.every((one) => one.field !== field))
  const left = isOfNow && stage.regime === 'cra' ? await selectLeft(db, incident, values) : []
  return [
    ...left,
    ...shared.map((one) => ({ ...one, changedAt: laterChange(one, changed) })),
    ...own.filter(({ field, value }) => !isSame(value, values[field])),
  ]
}

function isSame(value: DraftValue, said: DraftValue = ''): boolean {
  return value.length === 0 ? said.length === 0 : JSON.stringify(value) === JSON.stringify(said)
}

function laterChange({ field, changedAt }: KeptValue, changed: readonly KeptValue[]): string {
  const other = changed.find((one) => one.field === field)?.changedAt ?? changedAt
  return other > changedAt ? other : changedAt
}

async function sharedValues(
  db: Db,
  incident: Incident,
  draft: DraftStage,
  said: DraftValues,
): Promise<KeptValue[]> {
  if (draft.regime === 'dora') return companyValues(db, incident, draft, said)
  return draft.regime === 'cra' ? productValues(db, incident, draft, said) : []
}

async function productValues(
  db: Db,
  incident: Incident,
  draft: DraftStage,
  said: DraftValues,
): Promise<KeptValue[]> {
  const { products, families, changedAt } = await selectProductsInReport(db, incident)
  if (changedAt === null) return []
  const known = new Set(fieldsOf(draft).map(({ id }) => id))
  // states that somebody named for the incident count instead of those of its products
  if (incident.member_states.length > 0) known.delete('5')
  const stored = Object.entries(productFields).flatMap(([field, of]): KeptValue[] => {
    const value = of(products)
    if (value === null || value.length === 0 || !known.has(field)) return []
    return [{ field, value, with: 'family', changedAt: changedAt.toISOString() }]
  })
  const removed = await selectRemovedFacts(
    db,
    {
      workspaceId: incident.workspace_id,
      objectIds: families,
      action: 'family.product_facts_changed',
      with: 'family',
    },
    saidBeyond(stored, said, known, Object.entries(productFactsOfFields)),
  )
  return [...stored, ...removed]
}

async function companyValues(
  db: Db,
  { workspace_id: workspaceId }: Incident,
  draft: DraftStage,
  said: DraftValues,
): Promise<KeptValue[]> {
  const settings = await db
    .selectFrom('regime_settings')
    .select(['dora_facts', 'dora_facts_changed_at'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  const changedAt = settings?.dora_facts_changed_at?.toISOString()
  if (settings === undefined || changedAt === undefined) return []
  const known = new Set(fieldsOf(draft).map(({ id }) => id))
  const stored = doraFactIds.flatMap((field): KeptValue[] => {
    const value = settings.dora_facts[field]
    return value === undefined || !known.has(field) ? [] : [{ field, value, with: 'company', changedAt }]
  })
  const removed = await selectRemovedFacts(
    db,
    { workspaceId, objectIds: [workspaceId], action: 'regimes.changed', with: 'company' },
    saidBeyond(
      stored,
      said,
      known,
      doraFactIds.map((id) => [id, ['doraFacts', id]]),
    ),
  )
  return [...stored, ...removed]
}

/** What the draft says in fields for which nothing is stored. */
function saidBeyond(
  stored: readonly KeptValue[],
  values: DraftValues,
  known: ReadonlySet<string>,
  paths: readonly (readonly [field: string, path: readonly string[]])[],
): SaidFact[] {
  return paths.flatMap(([field, path]) => {
    const said = values[field]
    if (said === undefined || said.length === 0 || !known.has(field)) return []
    return stored.some((one) => one.field === field) ? [] : [{ field, said, path }]
  })
}
