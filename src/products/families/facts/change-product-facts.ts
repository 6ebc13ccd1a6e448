import { isMemberState } from '../../../contract/incidents/member-states.ts'
import { productFactLimits, type ProductFacts } from '../../../contract/incidents/product-facts.ts'
import { knownKeys } from '../../../contract/known-keys.ts'
import type { Db, Tx } from '../../../database/connection.ts'
import { transact } from '../../../platform/concurrency/transact.ts'
import { InputReader } from '../../../platform/input-reader.ts'
import { recordAct, type Actor } from '../../../audit/record-acts.ts'
import type { FamilyKey } from '../../../workspace/monitoring/family-key.ts'
import { lockFamily } from '../lock-family.ts'
import { selectProductFacts } from './product-facts.ts'

type Act = FamilyKey & { actor: Actor; now: Date }

/** What is left out stays as it is; what is null or empty is taken out. */
export type ProductFactsChange = { [Name in keyof ProductFacts]?: ProductFacts[Name] | undefined }

/** Changes what is kept about the product of a family. Drafts that are saved stay as they are. Codes: `not_found`, `invalid_request`. */
export async function changeProductFacts(db: Db, act: Act, change: ProductFactsChange): Promise<void> {
  await transact(db, async (tx) => {
    const { name } = await lockFamily(tx, act)
    const { changedAt: _changedAt, changedBy: _changedBy, ...before } = await selectProductFacts(tx, act)
    const after = accepted({ ...before, ...given(change) })
    const names = knownKeys(after).filter((one) => JSON.stringify(before[one]) !== JSON.stringify(after[one]))
    if (names.length === 0) return
    await store(tx, act, after)
    await recordAct(tx, {
      workspaceId: act.workspaceId,
      actor: act.actor,
      at: act.now,
      action: 'family.product_facts_changed',
      object: { kind: 'family', id: act.familyId, name },
      before: Object.fromEntries(names.map((one) => [one, before[one]])),
      after: Object.fromEntries(names.map((one) => [one, after[one]])),
    })
  })
}

function given(change: ProductFactsChange): Partial<ProductFacts> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

async function store(tx: Tx, { workspaceId, familyId, actor, now }: Act, facts: ProductFacts): Promise<void> {
  const columns = {
    member_states: facts.memberStates,
    product_type: facts.productType,
    product_class: facts.productClass,
    category: facts.category,
    support_ends_on: facts.supportEndsOn,
    user_contact: facts.userContact,
    changed_at: now,
    changed_by_name: actor.name,
  }
  await tx
    .insertInto('product_facts')
    .values({ family_id: familyId, workspace_id: workspaceId, ...columns })
    .onConflict((conflict) => conflict.column('family_id').doUpdateSet(columns))
    .execute()
}

/** The facts as they are kept. Code: `invalid_request` with every field that is wrong. */
function accepted(facts: ProductFacts): ProductFacts {
  const input = new InputReader()
  const memberStates = [...new Set(facts.memberStates)].sort()
  if (!memberStates.every(isMemberState))
    input.refuse('memberStates', 'Codes of Member States are required, such as DE.')
  if (facts.productClass !== null && facts.productType !== 'important')
    input.refuse('productClass', 'Only an important product has a class.')
  const { supportEndsOn } = facts
  if (supportEndsOn !== null) input.day('supportEndsOn', supportEndsOn)
  const hasCategory = facts.productType === 'important' || facts.productType === 'critical'
  if ((facts.category ?? '').trim() !== '' && !hasCategory)
    input.refuse('category', 'Only an important or critical product has a category.')
  const category = input.optionalLine('category', facts.category, productFactLimits.category)
  const userContact = input.optionalLine('userContact', facts.userContact, productFactLimits.userContact)
  input.finish()
  return { ...facts, memberStates, category, userContact }
}
