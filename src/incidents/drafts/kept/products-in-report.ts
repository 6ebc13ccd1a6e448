import { isMemberState } from '../../../contract/incidents/member-states.ts'
import type { ProductFacts } from '../../../contract/incidents/product-facts.ts'
import type { DraftValue } from '../../../contract/incidents/report-drafts.ts'
import type { Db } from '../../../database/connection.ts'
import { dayIn } from '../../../platform/local-time.ts'
import { productFactsOf } from '../../../products/families/facts/product-facts.ts'
import { selectWorkspace } from '../../../workspace/workspaces.ts'
import type { Incident } from '../../record/lock-incident.ts'
import { joinItems } from '../../../report-forms/fit-text.ts'

/** What the families of an incident say of their products, as one report can say it. */
export type ProductsInReport = {
  memberStates: readonly string[]
  productType: string | null
  productClass: string | null
  category: string | null
  supportEnded: 'yes' | 'no' | null
  userContact: string | null
}

/** By field of the CRA's form. What people wrote about the incident itself, such as its states, is not stored with a family. */
export const productFields = {
  '5': ({ memberStates }) => memberStates,
  '8': ({ productType }) => productType,
  '9': ({ productClass }) => productClass,
  '10': ({ category }) => category,
  '11': ({ supportEnded }) => supportEnded,
} satisfies Record<string, (products: ProductsInReport) => DraftValue | null>

/** The product fact that a field states as it is. */
export const productFactsOfFields = {
  '5': ['memberStates'],
  '8': ['productType'],
  '9': ['productClass'],
  '10': ['category'],
} satisfies Record<string, [keyof ProductFacts]>

/** The maximum length of the contacts of several products in a sentence. */
const contactCharacters = 300

/**
 * The facts of several products in one report: every state in which one of them is available; for single-valued fields, the answer that all of
 * them share. `families`: null where nothing is stored. `on`: support that ended before this day (2026-11-02) has ended.
 */
export function productsInReport(families: readonly (ProductFacts | null)[], on: string): ProductsInReport {
  const agreed = (name: 'productType' | 'productClass' | 'category') => {
    const answers = new Set(families.map((facts) => facts?.[name] ?? null))
    const [answer = null] = answers
    return answers.size === 1 ? answer : null
  }
  const states = families.flatMap((facts) => facts?.memberStates ?? [])
  const contacts = families.flatMap((facts) => facts?.userContact ?? [])
  return {
    memberStates: [...new Set(states)].filter(isMemberState).sort(),
    productType: agreed('productType'),
    productClass: agreed('productClass'),
    category: agreed('category'),
    supportEnded: supportEnded(families, on),
    userContact: joinItems(contacts, contactCharacters) || null,
  }
}

/** One product is enough for a yes; a no needs all of them. */
function supportEnded(families: readonly (ProductFacts | null)[], on: string): 'yes' | 'no' | null {
  const days = families.map((facts) => facts?.supportEndsOn ?? null)
  if (days.some((day) => day !== null && day < on)) return 'yes'
  return days.length === 0 || days.includes(null) ? null : 'no'
}

/** What is kept with the families of an incident, which these are, and when it changed last; null: nothing is kept. */
export async function selectProductsInReport(
  db: Db,
  incident: Incident,
): Promise<{ products: ProductsInReport; families: string[]; changedAt: Date | null }> {
  const { time_zone: timeZone } = await selectWorkspace(db, incident.workspace_id)
  const families = await db
    .selectFrom('incident_family')
    .select('family_id')
    .where('workspace_id', '=', incident.workspace_id)
    .where('incident_id', '=', incident.id)
    .execute()
  const ids = families.map(({ family_id: id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('product_facts')
          .selectAll()
          .where('workspace_id', '=', incident.workspace_id)
          .where('family_id', 'in', ids)
          .execute()
  const facts = ids.map((id) => {
    const row = rows.find(({ family_id: familyId }) => familyId === id)
    return row === undefined ? null : productFactsOf(row)
  })
  const times = rows.map(({ changed_at: at }) => at.getTime())
  return {
    products: productsInReport(facts, dayIn(incident.aware_at, timeZone)),
    families: ids,
    changedAt: times.length === 0 ? null : new Date(Math.max(...times)),
  }
}
