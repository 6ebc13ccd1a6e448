import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { IncidentStatus } from '../../src/contract/incidents/words.ts'
import type { Role } from '../../src/contract/roles.ts'
import { reportStages, type AlertFact } from '../../src/contract/alerts/events.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import type { Asking } from '../../src/incidents/reads/who-asks.ts'
import { openIncidents } from '../../src/incidents/openings/open-incidents.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addExploited, addRecord, type RecordFacts } from '../support/records.ts'
import { npm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace, type Family } from '../support/rows.ts'
import { waitingOf } from '../support/payloads.ts'
import { addActor } from '../support/actors.ts'

/** After the Cyber Resilience Act starts to require reports. */
export const start = new Date('2026-10-01T08:00:00.000Z')

export function after(hours: number): Date {
  return new Date(start.getTime() + hours * 3_600_000)
}

export type IncidentScene = Awaited<ReturnType<typeof createIncidentScene>>

/** A workspace with a family; acts take effect at once, as after their jobs. */
export async function createIncidentScene() {
  const database: TestDatabase = await createTestDatabase()
  const { db } = database
  const workspaceId = await addWorkspace(db, `acme-${randomUUID().slice(0, 8)}`)
  let count = 0

  /** A record on the package `name` that affects its versions below 2. */
  const record = (id: string, name: string, more: Partial<RecordFacts> = {}): RecordFacts => ({
    id,
    affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }],
    ...more,
  })

  const look = async (family: Family, now = start) => {
    await openIncidents(db, { workspaceId: family.workspaceId, familyIds: [family.familyId] }, now)
  }

  const list = async (cveId: string, source: 'kev' | 'euvd' = 'kev') => {
    await addExploited(db, { source, cveId })
    await refreshExploited(db, start)
  }

  const upload = async (
    family: Family,
    parts: Part[],
    { versionId = null, now = start }: { versionId?: string | null; now?: Date } = {},
  ) => {
    const sbomId = await addSbom(db, family, { parts, versionId })
    await matchSbom(db, { workspaceId: family.workspaceId, sbomId, now })
    return sbomId
  }

  const member = (role: Role, name: string = role) => addActor(db, workspaceId, { name, role })

  return {
    database,
    db,
    workspaceId,
    record,
    look,
    upload,
    member,
    /** Listed by CISA, or ENISA. */
    list,
    drop: () => database.drop(),

    family: async (name = `Pump ${(count += 1)}`) => addFamily(db, workspaceId, name),

    /** A family of another workspace. */
    foreign: async () =>
      addFamily(db, await addWorkspace(db, `umbrella-${randomUUID().slice(0, 8)}`), 'Foreign'),

    addRecord: (facts: RecordFacts) => addRecord(db, facts),

    /** An exploited vulnerability in every given family, each with its incident. */
    openIn: async (cveId: string, ...families: Family[]) => {
      await addRecord(db, record('GHSA-1', 'pump-lib', { aliases: [cveId] }))
      await list(cveId)
      for (const family of families) {
        await upload(family, [pump()])
        await look(family)
      }
    },

    /** Runs the pending jobs that open incidents. Returns their number. */
    open: async (now = start) => {
      const jobs = await waitingOf(db, 'open_incidents')
      await db.deleteFrom('job').where('kind', '=', 'open_incidents').execute()
      for (const { workspaceId: workspace, familyId } of jobs) {
        await openIncidents(db, { workspaceId: workspace, familyIds: [familyId] }, now)
      }
      return jobs.length
    },

    /** Makes the workspace report under DORA. */
    reportUnderDora: async () => {
      await db
        .insertInto('regime_settings')
        .values({
          workspace_id: workspaceId,
          cra: true,
          digitalsikkerhetsloven: false,
          gdpr: true,
          dora: true,
          authorities: '{}',
        })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ dora: true }))
        .execute()
    },

    incidents: (status?: IncidentStatus) =>
      db
        .selectFrom('incident')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
        .orderBy('reference')
        .execute(),

    reports: (incidentId: string) =>
      db
        .selectFrom('regime_report')
        .selectAll()
        .where('incident_id', '=', incidentId)
        .orderBy('cycle')
        .orderBy('regime')
        .orderBy('due_at', (order) => order.asc().nullsLast())
        .orderBy(sql`array_position(${[...reportStages]}::text[], report)`)
        .execute(),

    entries: async (incidentId: string) =>
      (
        await db
          .selectFrom('incident_entry')
          .select(['kind', 'data'])
          .where('incident_id', '=', incidentId)
          .orderBy('id')
          .execute()
      ).map(({ kind }) => kind),

    /** Enqueued events, oldest first. */
    events: async (): Promise<AlertFact[]> => (await waitingOf(db, 'emit_event')).map(({ fact }) => fact),

    /** A new member who makes a request. */
    askingAs: async (role: Role): Promise<Asking> => {
      const { id } = await member(role)
      return { workspaceId, personId: id, role }
    },
  }
}

export const pump = (version = '1.0.0', name = 'pump-lib') => npm(name, version)
