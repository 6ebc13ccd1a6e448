import type { IncidentDetail } from '../../src/contract/incidents/shapes.ts'
import type { DeterminationValue } from '../../src/contract/incidents/words.ts'
import type { Role } from '../../src/contract/roles.ts'
import { getIncident, openIncident } from '../../src/contract/incidents/operations.ts'
import { recordDetermination, switchRegime } from '../../src/contract/incidents/act-operations.ts'
import { recordSubmission } from '../../src/contract/incidents/report-operations.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { openPeopleScene } from '../people/people-scene.ts'
import type { AppSession } from '../support/app-session.ts'

/** The facts known on the day of the incident, and later ones. */
const aware = new Date('2026-11-02T08:00:00.000Z')
const now = new Date('2026-11-02T10:00:00.000Z')
export const reason = 'What was looked at, and what it showed.'

/** States in which an act is tried: of the incident, then of its workspace. */
export const states = [
  'open',
  'exercise',
  'closed incident',
  'free',
  'suspended',
  'closed workspace',
] as const
export type State = (typeof states)[number]

export type ActSubject = { incident: string; detail: IncidentDetail }
export type ActScene = Awaited<ReturnType<typeof openActScene>>

const workspaceStates: Partial<Record<State, object>> = {
  free: { plan: 'free' },
  suspended: { suspended_at: now },
  'closed workspace': { closed_at: now },
}

type Filing = BodyOf<typeof recordSubmission>
export const filing = (more: Partial<Filing> = {}): Filing => ({
  kind: 'submission',
  submittedAt: now.toISOString(),
  channel: 'Portal',
  ...more,
})

/** The first open report of a regime. */
export function reportOf({ incident, detail }: ActSubject, regime = 'cra') {
  const report = detail.reports.find((one) => one.regime === regime && one.status === 'open')
  return { incident, report: report?.id ?? '' }
}

/** Id of a created object. */
export const idOf = async (made: Promise<{ id: string }>) => (await made).id

/** A workspace whose members act on incidents through the application, all at one moment. */
export async function openActScene() {
  const scene = await openPeopleScene()
  scene.now = now
  const { db } = scene.database
  const sessions = new Map<Role, AppSession>()
  for (const role of ['owner', 'lead', 'editor'] as const) sessions.set(role, await scene.signIn(role))
  let serial = 0

  function as(role: Role): AppSession {
    const session = sessions.get(role)
    if (session === undefined) throw new Error(`no ${role} is signed in`)
    return session
  }

  async function bring(state: State): Promise<void> {
    await db
      .updateTable('workspace')
      .set({ plan: 'core', suspended_at: null, closed_at: null, ...workspaceStates[state] })
      .where('slug', '=', 'acme')
      .execute()
  }

  return {
    as,
    bring,
    close: () => scene.close(),

    /** How many notices about incidents a member has in the bell. */
    notesTo: async (role: Role) =>
      (await scene.told('incident.note')).filter((name) => name === `${role} of acme`).length,

    now: () => scene.now,
    wait: (seconds: number) => {
      scene.now = new Date(scene.now.getTime() + seconds * 1000)
    },

    openIn: async (state: State): Promise<ActSubject> => {
      await bring('open')
      const title = `Stolen key ${(serial += 1)}`
      const given = { kind: 'severe_incident' as const, title, families: [], awareAt: aware.toISOString() }
      const body = { ...given, isExercise: state === 'exercise' }
      const { id: incident } = await as('editor').call(openIncident, { body })
      await as('lead').call(switchRegime, { params: { incident }, body: { regime: 'gdpr', active: true } })
      return { incident, detail: await as('lead').call(getIncident, { params: { incident } }) }
    },

    /** Without checking what keeps it open. */
    closeAnyhow: async (id: string) => {
      await db
        .updateTable('incident')
        .set({ status: 'closed', closed_at: now, closed_by_name: 'lead', close_reason: reason })
        .where('id', '=', id)
        .execute()
    },

    record: ({ incident }: ActSubject, value: DeterminationValue, by: Role = 'editor') =>
      idOf(as(by).call(recordDetermination, { params: { incident }, body: { value, reasoning: reason } })),

    file: (place: ActSubject) =>
      idOf(as('editor').call(recordSubmission, { params: reportOf(place), body: filing() })),
  }
}
