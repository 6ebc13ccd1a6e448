import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { newId } from '../../platform/random.ts'

export type ToldReport = {
  id: string
  workspaceId: string
  number: number
  family: string | null
  receivedAt: Date
  /** null: nothing is promised, or it is answered. */
  acknowledgeBy: Date | null
}

/** Has `report.received` told, in the transaction that says the report is none of spam; once for each report. */
export async function tellReport(tx: Tx, report: ToldReport, now: Date): Promise<void> {
  const { workspaceId, number, family, receivedAt, acknowledgeBy } = report
  const { numUpdatedRows } = await tx
    .updateTable('inbox_report')
    .set({ told_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', report.id)
    .where('told_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const data = {
    report: {
      number,
      family,
      receivedAt: receivedAt.toISOString(),
      acknowledgeBy: acknowledgeBy?.toISOString() ?? null,
    },
  }
  const fact = { type: 'report.received', data } as const
  const payload = { workspaceId, eventId: newId(now), fact }
  await enqueue(tx, { kind: 'emit_event', payload, runAt: now, workspaceId })
}
