import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits } from '../../contract/incidents/limits.ts'
import type { Db } from '../../database/connection.ts'
import { newId } from '../../platform/random.ts'
import { onIncident, refuseClosed, type IncidentAct } from './lock-incident.ts'
import { noteAct } from './note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'

const maxTasks = 100

/** What a CSIRT or anybody else asked for; the law sets no time for it (CRA Art. 14(6)). Codes: `not_found`, `invalid_request`, `conflict`. */
export async function addTask(
  db: Db,
  act: IncidentAct,
  given: { title: string; dueAt?: string | null },
): Promise<string> {
  return onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    refuseClosed(incident)
    const input = new InputReader()
    const title = input.line('title', given.title, incidentLimits.taskCharacters)
    const { dueAt = null } = given
    const due = dueAt === null ? null : input.anyTime('dueAt', dueAt)
    if (due !== null && due <= now) input.refuse('dueAt', 'This time has passed.')
    input.finish()
    const { count } = await tx
      .selectFrom('incident_task')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('incident_id', '=', incident.id)
      .executeTakeFirstOrThrow()
    if (count >= maxTasks) throw new ServiceError('conflict', { message: `At most ${maxTasks} tasks.` })
    const id = newId(now)
    await tx
      .insertInto('incident_task')
      .values({
        id,
        workspace_id: incident.workspace_id,
        incident_id: incident.id,
        title,
        due_at: due,
        created_at: now,
        created_by_name: actor.name,
        done_at: null,
        done_by_name: null,
      })
      .execute()
    const data = { title, dueAt: due?.toISOString() ?? null }
    await noteAct(tx, incident, { actor, now, kind: 'task_added', data })
    return id
  })
}

/** A second time it changes nothing. Codes: `not_found`. */
export async function completeTask(db: Db, act: IncidentAct & { taskId: string }): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now, taskId } = act
    const task = await tx
      .selectFrom('incident_task')
      .select(['title', 'done_at'])
      .where('workspace_id', '=', incident.workspace_id)
      .where('incident_id', '=', incident.id)
      .where('id', '=', taskId)
      .executeTakeFirst()
    if (task === undefined) throw new ServiceError('not_found')
    if (task.done_at !== null) return
    await tx
      .updateTable('incident_task')
      .set({ done_at: now, done_by_name: actor.name })
      .where('id', '=', taskId)
      .execute()
    await noteAct(tx, incident, { actor, now, kind: 'task_done', data: { title: task.title } })
  })
}
