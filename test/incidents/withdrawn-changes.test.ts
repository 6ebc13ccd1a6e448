import { afterAll, beforeAll, expect, it } from 'vitest'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import {
  changeAwareness,
  decideAwareness,
  switchRegime,
  withdrawAwareness,
} from '../../src/contract/incidents/act-operations.ts'
import { getIncident, listIncidentEntries } from '../../src/contract/incidents/operations.ts'
import { openActScene, reason, type ActScene, type ActSubject } from './act-scene.ts'

/** A change that waits for a second person is taken back by whoever recorded it: it may have been a mistake, and nothing else can be asked meanwhile. */

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const asked = {
  'another time of awareness': ({ incident }: ActSubject) =>
    scene.as('lead').call(changeAwareness, {
      params: { incident },
      body: { awareAt: '2026-11-02T09:00:00Z', reason },
    }),
  'the end of a regime': ({ incident }: ActSubject) =>
    scene.as('lead').call(switchRegime, {
      params: { incident },
      body: { regime: 'gdpr', active: false, reason },
    }),
}
const words = {
  'another time of awareness':
    'Withdrew the change of the time of awareness from 2 Nov 2026, 08:00:00 UTC to 2 Nov 2026, 09:00:00 UTC.',
  'the end of a regime': 'Withdrew switching off GDPR.',
}

it.each(['another time of awareness', 'the end of a regime'] as const)('%s', async (what) => {
  const subject = await scene.openIn('open')
  const { incident } = subject
  const detail = () => scene.as('lead').call(getIncident, { params: { incident } })
  const before = await detail()
  await asked[what](subject)
  const change = (await detail()).awareness.find(({ state }) => state === 'pending')?.id ?? ''
  const params = { incident, change }
  const withdraw = (role: 'owner' | 'lead' | 'editor') => scene.as(role).ask(withdrawAwareness, { params })
  expect((await withdraw('owner')).status).toBe(403)
  expect((await withdraw('editor')).status).toBe(403)
  expect((await withdraw('lead')).status).toBe(204)
  expect((await withdraw('lead')).status).toBe(409)
  const decision = { params, body: { approve: true } }
  expect((await scene.as('owner').ask(decideAwareness, decision)).status).toBe(409)
  const after = await detail()
  expect([after.awareAt, after.reports]).toEqual([before.awareAt, before.reports])
  expect(after.blockers).not.toContain('awareness_pending')
  expect(after.awareness[0]).toMatchObject({ state: 'withdrawn', decidedBy: 'lead of acme' })
  const { rows } = await scene.as('lead').call(listIncidentEntries, { params: { incident } })
  expect(rows.map(entryWords)).toContain(words[what])
  await asked[what](subject)
})
