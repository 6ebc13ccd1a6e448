import { expect } from 'vitest'
import type { IncidentDetail } from '../../src/contract/incidents/shapes.ts'
import type { Role } from '../../src/contract/roles.ts'
import { openPeopleScene } from '../people/people-scene.ts'
import type { AppSession } from '../support/app-session.ts'
import type { Answer } from '../support/http.ts'

/** What was known on the day of the incident, and later. */
const aware = new Date('2026-11-02T08:00:00.000Z')
const now = new Date('2026-11-02T10:00:00.000Z')
export const reason = 'What was looked at, and what it showed.'

/** In which an act is done: of the incident, then of its workspace. */
export const states = [
  'open',
  'exercise',
  'closed incident',
  'free',
  'suspended',
  'closed workspace',
] as const
export type State = (typeof states)[number]

type Body = Record<string, unknown>
type Method = 'GET' | 'POST' | 'PATCH'
export type Place = { id: string; path: string; detail: IncidentDetail }
export type ActScene = Awaited<ReturnType<typeof openActScene>>

const workspaceStates: Partial<Record<State, object>> = {
  free: { plan: 'free' },
  suspended: { suspended_at: now },
  'closed workspace': { closed_at: now },
}

export const filing = (more: Body = {}) => ({
  kind: 'submission',
  submittedAt: now.toISOString(),
  channel: 'Portal',
  ...more,
})

/** The path of the first open report of a regime. */
export function reportOf({ path, detail }: Place, regime = 'cra'): string {
  const report = detail.reports.find((one) => one.regime === regime && one.status === 'open')
  return `${path}/reports/${report?.id ?? ''}`
}

/** A workspace whose members act on incidents through the application, all at one moment. */
export async function openActScene() {
  const scene = await openPeopleScene()
  scene.now = now
  const { db } = scene.database
  const sessions = new Map<Role, AppSession>()
  for (const role of ['owner', 'lead', 'editor'] as const) sessions.set(role, await scene.signIn(role))
  let serial = 0

  async function ask(role: Role, path: string, body?: Body, method: Method = 'POST'): Promise<Answer> {
    const session = sessions.get(role)
    if (session === undefined) throw new Error(`no ${role} is signed in`)
    return session.call(`/workspaces/acme${path}`, { method, ...(body === undefined ? {} : { body }) })
  }

  /** The id of what was made, where something was. */
  async function done(answer: Promise<Answer>): Promise<string> {
    const { status, body } = await answer
    expect([200, 201, 204], JSON.stringify(body)).toContain(status)
    return (body as { id?: string }).id ?? ''
  }

  async function bring(state: State): Promise<void> {
    await db
      .updateTable('workspace')
      .set({ plan: 'core', suspended_at: null, closed_at: null, ...workspaceStates[state] })
      .where('slug', '=', 'acme')
      .execute()
  }

  return {
    ask,
    done,
    bring,
    close: () => scene.close(),

    wait: (seconds: number) => {
      scene.now = new Date(scene.now.getTime() + seconds * 1000)
    },

    openIn: async (state: State): Promise<Place> => {
      await bring('open')
      const title = `Stolen key ${(serial += 1)}`
      const given = { kind: 'severe_incident', title, families: [], awareAt: aware.toISOString() }
      const id = await done(ask('editor', '/incidents', { ...given, isExercise: state === 'exercise' }))
      const path = `/incidents/${id}`
      await done(ask('lead', `${path}/regimes`, { regime: 'gdpr', active: true }))
      return { id, path, detail: (await ask('lead', path, undefined, 'GET')).body as IncidentDetail }
    },

    /** Without asking what keeps it open. */
    closeAnyhow: async (id: string) => {
      await db
        .updateTable('incident')
        .set({ status: 'closed', closed_at: now, closed_by_name: 'lead', close_reason: reason })
        .where('id', '=', id)
        .execute()
    },

    record: ({ path }: Place, value: string, by: Role = 'editor') =>
      done(ask(by, `${path}/determinations`, { value, reasoning: reason })),

    file: (place: Place) => done(ask('editor', `${reportOf(place)}/submissions`, filing())),
  }
}
