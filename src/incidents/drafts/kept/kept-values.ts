import { doraFactIds } from '../../../contract/incidents/dora-facts.ts'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { DraftValue, DraftValues } from '../../../contract/incidents/report-drafts.ts'
import type { Db } from '../../../database/connection.ts'
import type { Incident } from '../../record/lock-incident.ts'
import { fieldsOf, type DraftStage } from '../../../report-forms/forms.ts'
import { changedFacts } from './changed-facts.ts'
import { productFields, selectProductsInReport } from './products-in-report.ts'

/**
 * What is stored for the fields of a report: with the products and the company whatever its draft says, and of the incident what the draft says
 * otherwise. `isOfNow`: it is a report of the present cycle; those of earlier cycles were about the facts of then.
 */
export async function selectKeptValues(
  db: Db,
  incident: Incident,
  { stage, values, isOfNow }: { stage: DraftStage; values: DraftValues; isOfNow: boolean },
): Promise<KeptValue[]> {
  const shared = await sharedValues(db, incident, stage)
  const changed = isOfNow ? await changedFacts(db, incident, stage) : []
  // states that somebody named for the incident come first, and once they are removed those of the family count
  const own = changed.filter(({ field }) => shared.every((one) => one.field !== field))
  return [
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

async function sharedValues(db: Db, incident: Incident, draft: DraftStage): Promise<KeptValue[]> {
  if (draft.regime === 'dora') return companyValues(db, incident, draft)
  if (draft.regime !== 'cra') return []
  const { products, changedAt } = await selectProductsInReport(db, incident)
  if (changedAt === null) return []
  const hasOwnStates = incident.member_states.length > 0
  const known = new Set(fieldsOf(draft).map(({ id }) => id))
  return Object.entries(productFields).flatMap(([field, of]): KeptValue[] => {
    const value = of(products)
    if (value === null || value.length === 0 || !known.has(field)) return []
    if (field === '5' && hasOwnStates) return []
    return [{ field, value, with: 'family', changedAt: changedAt.toISOString() }]
  })
}

async function companyValues(db: Db, incident: Incident, draft: DraftStage): Promise<KeptValue[]> {
  const stored = await db
    .selectFrom('regime_settings')
    .select(['dora_facts', 'dora_facts_changed_at'])
    .where('workspace_id', '=', incident.workspace_id)
    .executeTakeFirst()
  const changedAt = stored?.dora_facts_changed_at?.toISOString()
  if (stored === undefined || changedAt === undefined) return []
  const known = new Set(fieldsOf(draft).map(({ id }) => id))
  return doraFactIds.flatMap((field): KeptValue[] => {
    const value = stored.dora_facts[field]
    return value === undefined || !known.has(field) ? [] : [{ field, value, with: 'company', changedAt }]
  })
}
