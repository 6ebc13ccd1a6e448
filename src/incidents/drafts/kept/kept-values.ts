import { doraFactIds } from '../../../contract/incidents/dora-facts.ts'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { DraftValue } from '../../../contract/incidents/report-drafts.ts'
import type { Db } from '../../../database/connection.ts'
import type { Incident } from '../../record/lock-incident.ts'
import { fieldsOf, type DraftStage } from '../../../report-forms/forms.ts'
import { changedAwareness } from './changed-awareness.ts'
import { selectProductsInReport, type ProductsInReport } from './products-in-report.ts'

/** By field of the CRA's form. What people wrote about the incident itself, such as its states, is not stored with a family. */
export const productFields = {
  '5': ({ memberStates }) => memberStates,
  '8': ({ productType }) => productType,
  '9': ({ productClass }) => productClass,
  '10': ({ category }) => category,
  '11': ({ supportEnded }) => supportEnded,
} satisfies Record<string, (products: ProductsInReport) => DraftValue | null>

/** The stored values for the fields of a report, whatever its draft says. */
export async function selectKeptValues(db: Db, incident: Incident, draft: DraftStage): Promise<KeptValue[]> {
  return [...(await sharedValues(db, incident, draft)), ...(await changedAwareness(db, incident, draft))]
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
