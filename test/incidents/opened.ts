import type { Regime } from '../../src/contract/alerts/events.ts'
import { settleReports } from '../../src/incidents/reports/settle-reports.ts'
import { pump, start, type IncidentScene } from './incident-scene.ts'

export const exploited = 'CVE-2026-1234'

/** An incident opened at `now` by an exploited vulnerability in a family. Returns its id. */
export async function openExploited(
  scene: IncidentScene,
  { now = start, family = 'Pump' }: { now?: Date; family?: string } = {},
): Promise<string> {
  const before = (await scene.incidents()).map(({ id }) => id)
  if (before.length === 0) {
    await scene.addRecord(scene.record('GHSA-1', 'pump-lib', { aliases: [exploited], score: 9.8 }))
    await scene.list(exploited)
  }
  await scene.upload(await scene.family(family), [pump()], { now })
  await scene.open(now)
  const opened = (await scene.incidents()).find(({ id }) => !before.includes(id))
  if (opened === undefined) throw new Error('no incident was opened')
  return opened.id
}

/** Switches a regime on, with its own reports. */
export async function switchOn(
  { db, workspaceId }: IncidentScene,
  incidentId: string,
  regime: Regime,
  now: Date,
): Promise<void> {
  await db
    .insertInto('incident_regime')
    .values({
      workspace_id: workspaceId,
      incident_id: incidentId,
      regime,
      is_active: true,
      aware_at: null,
      classified_at: null,
      waiver: null,
      reason: null,
      changed_at: now,
      changed_by_name: 'test',
    })
    .execute()
  await db.transaction().execute(async (tx) => {
    const incident = await tx
      .selectFrom('incident')
      .selectAll()
      .where('id', '=', incidentId)
      .executeTakeFirstOrThrow()
    await settleReports(tx, incident, now)
  })
}
