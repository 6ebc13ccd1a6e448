import { afterEach, beforeEach, expect, test } from 'vitest'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import { createIncidentScene, after, pump, start, type IncidentScene } from './incident-scene.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

const cve = 'CVE-2026-1234'

type Arrival = 'record' | 'catalogue' | 'sbom'
const orders: Arrival[][] = [
  ['record', 'catalogue', 'sbom'],
  ['record', 'sbom', 'catalogue'],
  ['catalogue', 'record', 'sbom'],
]

test.each(orders)('an incident is opened once, whatever comes last: %s, %s, %s', async (...order) => {
  const family = await scene.family('Pump')
  for (const arrival of order) {
    if (arrival === 'record') await scene.addRecord(scene.record('GHSA-1', 'pump-lib', { aliases: [cve] }))
    if (arrival === 'catalogue') await scene.list(cve)
    if (arrival === 'sbom') await scene.upload(family, [pump()])
    await scene.open(after(1))
  }
  const [incident, ...others] = await scene.incidents()
  expect(others).toEqual([])
  expect(incident).toMatchObject({
    reference: 'INC-2026-0001',
    kind: 'vulnerability',
    title: 'CVE-2026-1234 in Pump',
    vuln_key: cve,
    aliases: ['GHSA-1'],
    source: 'kev',
    listed_by: ['kev'],
    severity: 'high',
    status: 'open',
    aware_at: after(1),
    opened_by_kind: 'system',
  })
  expect(await scene.events()).toEqual([
    {
      type: 'incident.opened',
      data: {
        incident: {
          id: incident?.id,
          reference: 'INC-2026-0001',
          title: 'CVE-2026-1234 in Pump',
          family: 'Pump',
          vulnKey: cve,
          source: 'kev',
          awareAt: '2026-10-01T09:00:00.000Z',
        },
      },
      about: {
        components: 'pump-lib 1.0.0',
        versions: null,
        severity: 'high',
        fixedIn: 'pump-lib 2.0.0',
        earlyWarningDueAt: '2026-10-02T09:00:00.000Z',
      },
    },
  ])
  expect(
    (await scene.reports(incident?.id ?? '')).map(({ report, state, due_at }) => [report, state, due_at]),
  ).toEqual([
    ['early_warning', 'open', after(25)],
    ['notification', 'open', after(73)],
    ['final_report', 'waiting', null],
  ])
  await scene.look(family, after(2))
  expect(await scene.incidents()).toHaveLength(1)
  expect(await scene.events()).toHaveLength(1)
})

test('another version and another component join the open incident, without an event', async () => {
  const family = await scene.family()
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  await scene.upload(family, [pump('1.0.0')])
  await scene.open()
  await scene.upload(family, [pump('1.1.0')])
  await scene.open(after(1))
  const [incident] = await scene.incidents()
  const affected = await scene.db
    .selectFrom('incident_affected')
    .select('component_version')
    .orderBy('component_version')
    .execute()
  expect(affected.map(({ component_version }) => component_version)).toEqual(['1.0.0', '1.1.0'])
  expect(await scene.entries(incident?.id ?? '')).toEqual(['opened', 'left_sbom', 'affected_added'])
  expect(await scene.events()).toHaveLength(1)
})

test('twenty at once open one', async () => {
  const family = await scene.family()
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  await scene.upload(family, [pump()])
  await Promise.all(Array.from({ length: 20 }, () => scene.look(family)))
  expect(await scene.incidents()).toHaveLength(1)
  expect(await scene.events()).toHaveLength(1)
})

test('the other catalogue is noted, and an entry that is dropped closes nothing', async () => {
  const family = await scene.family()
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve, 'euvd')
  await scene.upload(family, [pump()])
  await scene.open()
  expect((await scene.incidents())[0]).toMatchObject({ source: 'euvd', listed_by: ['euvd'] })
  await scene.list(cve, 'kev')
  await scene.open()
  await scene.db.updateTable('exploited').set({ removed_at: start }).where('source', '=', 'euvd').execute()
  await refreshExploited(scene.db, start)
  await scene.open()
  const [incident] = await scene.incidents()
  expect(incident).toMatchObject({ source: 'euvd', listed_by: ['kev'], status: 'open' })
  expect(await scene.entries(incident?.id ?? '')).toEqual(['opened', 'listed', 'unlisted'])
  expect(await scene.events()).toHaveLength(1)
})

test('a notice on several listed vulnerabilities opens an incident for each', async () => {
  const family = await scene.family()
  await scene.addRecord(scene.record('DSA-1', 'pump-lib', { upstream: [cve, 'CVE-2026-2'] }))
  await scene.list(cve)
  await scene.list('CVE-2026-2')
  await scene.upload(family, [pump()])
  await scene.open()
  expect((await scene.incidents()).map(({ vuln_key }) => vuln_key)).toEqual([cve, 'CVE-2026-2'])
})

test('while nothing is monitored none is opened; when it goes on, once', async () => {
  const family = await scene.family()
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  await scene.upload(family, [pump()])
  await scene.db.updateTable('workspace').set({ plan: 'free' }).execute()
  await scene.open()
  expect(await scene.incidents()).toEqual([])
  const actor = { kind: 'system' as const, id: null, name: 'operator' }
  await setPlan(scene.db, { workspaceId: scene.workspaceId, plan: 'core', actor, now: after(5) })
  expect(await scene.open(after(6))).toBe(1)
  expect((await scene.incidents())[0]).toMatchObject({ aware_at: after(6) })
})
