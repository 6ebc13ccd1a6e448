import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changeAdvisoryTrackingId,
  correctOutdatedAdvisories,
  createAdvisory,
  getAdvisory,
  listAdvisories,
} from '../../src/contract/advisories/operations.ts'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import { exportIncident } from '../../src/contract/incidents/report-operations.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { testNow } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'
import { baseUrl, call } from '../support/http.ts'
import { fieldOf, readAs } from '../support/read-as.ts'
import { openPublishingScene, type PublishingScene } from './publishing-scene.ts'

let now = testNow
let scene: PublishingScene
beforeAll(async () => {
  scene = await openPublishingScene(() => now)
})
afterAll(() => scene.close())

const detail = (id: string) => scene.owner.call(getAdvisory, { params: { advisory: id } })

describe('the tracking id', () => {
  const rename = (id: string, trackingId: string) =>
    scene.owner.ask(changeAdvisoryTrackingId, { params: { advisory: id }, body: { trackingId } })

  test('is unique after it has become a file name, and fixed once published', async () => {
    const [one, two] = [
      await scene.writer.create(scene.content()),
      await scene.writer.create(scene.content()),
    ]
    expect((await rename(one.id, 'A.1')).status).toBe(204)
    expect(await rename(two.id, 'a_1')).toMatchObject({
      status: 400,
      body: { fields: { trackingId: anyText } },
    })
    for (const bad of ['', 'a b', 'é', 'x'.repeat(65), 'a.JSON'])
      expect((await rename(two.id, bad)).status).toBe(400)
    expect((await rename(one.id, 'A_1')).status).toBe(204)
    await scene.writer.publish(one.id, 1)
    expect((await rename(one.id, 'B-1')).status).toBe(409)
    expect((await call(`${scene.http.url}/csaf/acme/white/2026/a_1.json`)).status).toBe(200)
  })

  test('leaves out a number whose file somebody has taken', async () => {
    const { id, trackingId } = await scene.writer.create(scene.content())
    const next = Number(trackingId.slice(-4)) + 1
    expect((await rename(id, `acme-sa-2026-${String(next).padStart(4, '0')}`)).status).toBe(204)
    expect((await scene.writer.create(scene.content())).trackingId).toBe(
      `ACME-SA-2026-${String(next + 1).padStart(4, '0')}`,
    )
  })
})

test('a publication is in the audit trail, in its transaction', async () => {
  const { id, sha256 } = await scene.writer.release(scene.content())
  const events = await scene.database.db
    .selectFrom('audit_event')
    .select(['action', 'actor_name', 'after'])
    .where('object_id', '=', id)
    .orderBy('id')
    .execute()
  expect(events).toMatchObject([
    { action: 'advisory.created' },
    {
      action: 'advisory.published',
      actor_name: 'owner of acme',
      after: { number: '1.0.0', tlp: 'WHITE', sha256 },
    },
  ])
})

test('the slug changes until something is published, then never', async () => {
  const rename = (slug: string) =>
    scene.database.pool.query('update workspace set slug = $1 where slug = $2', [slug, 'umbrella'])
  await rename('umbrella-two')
  await scene.database.pool.query('update workspace set slug = $1 where slug = $2', [
    'umbrella',
    'umbrella-two',
  ])
  const acme = scene.database.pool.query("update workspace set slug = 'acme-two' where slug = 'acme'")
  await expect(acme).rejects.toThrow(/published advisories/)
})

test('published versions are neither changed nor deleted', async () => {
  for (const statement of ["update advisory_version set title = 'x'", 'delete from advisory_version']) {
    await expect(scene.database.pool.query(statement)).rejects.toThrow(/append-only/)
  }
})

test('dates increase where the clock was set back', async () => {
  const { id, releasedAt } = await scene.writer.release(scene.content())
  const before = now
  now = new Date(now.getTime() - 3_600_000)
  const { releasedAt: again } = await scene.writer.revise(id, scene.content())
  expect(new Date(again).getTime()).toBeGreaterThan(new Date(releasedAt).getTime())
  now = before
})

test('after the company has another name, contact or Canonical, documents keep theirs until a correction of all', async () => {
  const { id, trackingId, sha256 } = await scene.writer.release(scene.content())
  const path = `${scene.http.url}/csaf/acme/white/2026/${trackingId.toLowerCase()}.json`
  await scene.database.pool.query("update workspace set company_name = 'Acme Holding' where slug = 'acme'")
  await scene.database.pool.query(
    `insert into disclosure_settings (workspace_id, public_contact_email, canonical_url, acknowledge_days)
     values ($1, 'psirt@acme.example', 'https://www.acme.example/.well-known/security.txt', 3)
     on conflict (workspace_id) do update set public_contact_email = excluded.public_contact_email, canonical_url = excluded.canonical_url`,
    [scene.workspace.id],
  )
  const metadata = (await call(`${scene.http.url}/csaf/acme/provider-metadata.json`)).body
  expect(fieldOf(metadata, 'publisher')).toEqual({
    category: 'vendor',
    name: 'Acme Holding',
    namespace: 'https://www.acme.example',
    contact_details: 'Report vulnerabilities to the security contact of Acme Holding: psirt@acme.example',
  })
  const kept = await call(path)
  expect(kept.headers['etag']).toBe(`"${sha256}"`)
  expect(kept.body).toMatchObject({
    document: { publisher: { name: 'acme company', namespace: `${baseUrl}/csaf/acme` } },
  })

  const { id: busy } = await scene.writer.release(scene.content())
  await scene.database.pool.query("update workspace set company_name = 'Acme Group' where slug = 'acme'")
  await scene.writer.begin(busy)
  const { outdated } = await scene.owner.call(listAdvisories)
  expect(outdated.withDraft).toBeGreaterThan(0)
  const answer = await scene.owner.call(correctOutdatedAdvisories, { body: { summary: 'A new name.' } })
  expect(answer).toMatchObject({
    corrected: outdated.count - outdated.withDraft,
    withDraft: outdated.withDraft,
  })
  expect((await call(path)).body).toMatchObject({
    document: { publisher: { name: 'Acme Group' }, tracking: { version: '1.0.1' } },
  })
  expect((await detail(id)).versions[0]).toMatchObject({ kind: 'correction', summary: 'A new name.' })
  const after = await scene.owner.call(listAdvisories)
  expect(after.outdated.count).toBe(outdated.withDraft)
})

describe('an advisory on an incident', () => {
  test('marks its users as informed when it is published, once', async () => {
    const { id: personId } = scene.workspace.members.owner
    const person = { kind: 'person', id: personId, name: 'Olga' } as const
    const { id: incidentId } = await openManually(
      scene.database.db,
      { workspaceId: scene.workspace.id, actor: person, now },
      { kind: 'severe_incident', title: 'Signing key lost', families: [] },
    )
    const links = [{ kind: 'incident' as const, objectId: incidentId }]
    const { id, trackingId } = await scene.owner.call(createAdvisory, {
      body: { content: scene.content(), links },
    })
    const informed = () =>
      scene.database.db
        .selectFrom('incident')
        .select('users_informed')
        .where('id', '=', incidentId)
        .executeTakeFirst()
    expect(await informed()).toEqual({ users_informed: null })
    const named = async () => {
      return readAs(
        IncidentEvidence,
        (await scene.owner.ask(exportIncident, { params: { incident: incidentId } })).body,
      ).links
    }
    const link = { kind: 'advisory', name: trackingId }
    expect(await named()).toEqual([{ ...link, relation: 'not published' }])
    await scene.writer.publish(id, 1)
    expect(await named()).toEqual([{ ...link, relation: 'version 1.0.0' }])
    const first = await informed()
    expect(first).toMatchObject({
      users_informed: { by: 'owner of acme', how: `By the advisory ${trackingId}.` },
    })
    await scene.writer.revise(id, scene.content())
    expect(await informed()).toEqual(first)
    expect((await detail(id)).links).toMatchObject([{ kind: 'incident', id: incidentId }])
  })

  test('of another workspace is refused', async () => {
    const links = [{ kind: 'incident', objectId: '00000000-0000-7000-8000-00000000dead' }]
    const made = await scene.owner.refused(createAdvisory, { body: { content: scene.content(), links } })
    expect(made).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })
})
