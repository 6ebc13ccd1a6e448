import type { Profile } from '../contract/people/operations/profile.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { recordAct } from '../audit/record-acts.ts'
import { timeZoneProblem } from '../workspace/company/company-rules.ts'
import type { OwnAct } from './own-act.ts'
import { refuseInvalidPerson } from './people.ts'

/**
 * Changes a person's own name, and by whose clock they see times. What they did before keeps the name they had. Codes: `invalid_request`
 * (fields `name`, `timeZone`).
 */
export async function changeProfile(
  db: Db,
  { person, address, requestId, now }: OwnAct,
  { name, timeZone }: Profile,
): Promise<void> {
  refuseInvalidPerson(name === undefined ? {} : { name })
  const problem = typeof timeZone === 'string' ? timeZoneProblem(timeZone) : undefined
  if (problem !== undefined) throw new ServiceError('invalid_request', { fields: { timeZone: problem } })
  await transact(db, async (tx) => {
    const before = await tx
      .selectFrom('person')
      .select(['id', 'name', 'time_zone'])
      .where('id', '=', person.personId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const known = { name: before.name, timeZone: before.time_zone }
    const after = {
      name: name?.trim() ?? known.name,
      timeZone: timeZone === undefined ? known.timeZone : timeZone,
    }
    if (after.name === known.name && after.timeZone === known.timeZone) return
    await tx
      .updateTable('person')
      .set({ name: after.name, time_zone: after.timeZone })
      .where('id', '=', before.id)
      .execute()
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'person', id: before.id, name: known.name, address, requestId },
      at: now,
      action: 'person.profile_changed',
      object: { kind: 'person', id: before.id, name: known.name },
      before: known,
      after,
    })
  })
}
