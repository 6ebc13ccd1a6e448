import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCompanyMembers } from './members.ts'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import type { AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import {
  changeAdvisorySettings,
  changeAdvisoryTrackingId,
  correctOutdatedAdvisories,
  createAdvisory,
  deleteAdvisoryDraft,
  getAdvisory,
  listAdvisories,
  previewAdvisory,
  publishAdvisory,
  saveAdvisoryDraft,
  setAdvisoryDraftState,
} from '../../src/contract/advisories/operations.ts'
import { exportIncident } from '../../src/contract/incidents/report-operations.ts'
import type { AppSession } from '../support/app-session.ts'
import { createAdvisoryScene, sampleContent, Writer, type AdvisoryScene } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Answer, baseUrl, call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { anyText } from '../support/expected.ts'
import { readAs, refusalIn, fieldOf } from '../support/read-as.ts'

let database: TestDatabase
let http: TestHttp
let now = testNow
let scene: AdvisoryScene
let writer: Writer
let sessions: Record<'lead' | 'editor', AppSession>
const actor = { kind: 'system', id: null, name: 'test' } as const

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => now })
  const [acme] = await createScene(database.db)
  scene = await createAdvisoryScene(database, http, acme)
  writer = new Writer(scene)
  sessions = await createCompanyMembers(database.db, http, acme.id)
})
afterAll(() => endBoth(http, database))

const content = (change: Partial<AdvisoryContent> = {}) => ({ ...sampleContent(scene.products), ...change })
const detail = (id: string) => scene.owner.call(getAdvisory, { params: { advisory: id } })
const publish = (session: AppSession, id: string, body: object): Promise<Answer> =>
  session.ask(publishAdvisory, {
    params: { advisory: id },
    body: { revision: 1, summary: 'First.', ...body },
  })

describe('who publishes', () => {
  test('an editor drafts and does not publish, a lead does', async () => {
    const { id } = await sessions.editor.call(createAdvisory, { body: { content: content() } })
    expect(await publish(sessions.editor, id, {})).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    const approve = { revision: 1, state: 'approved' } as const
    expect(
      (await sessions.editor.refused(setAdvisoryDraftState, { params: { advisory: id }, body: approve }))
        .status,
    ).toBe(403)
    await sessions.lead.call(setAdvisoryDraftState, { params: { advisory: id }, body: approve })
    expect((await publish(sessions.lead, id, {})).status).toBe(200)
  })

  test('where a second person publishes, whoever changed the draft last does not', async () => {
    const settings = (secondPersonPublishes: boolean) =>
      scene.owner.ask(changeAdvisorySettings, { body: { secondPersonPublishes } })
    expect((await settings(true)).status).toBe(204)
    const { id } = await writer.create(content())
    expect(await publish(scene.owner, id, {})).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await publish(sessions.lead, id, {})).status).toBe(200)
    expect((await settings(false)).status).toBe(204)
  })

  test('in a read-only and in a closed workspace nobody does', async () => {
    const { id } = await writer.create(content())
    const { id: workspaceId } = scene.workspace
    await setPlan(database.db, { workspaceId, plan: 'free', actor, now })
    expect(await publish(scene.owner, id, {})).toMatchObject({
      status: 402,
      body: { error: 'billing_lapsed' },
    })
    await scene.owner.call(getAdvisory, { params: { advisory: id } })
    await setPlan(database.db, { workspaceId, plan: 'core', actor, now })
    await setClosed(database.db, { workspaceId, closedAt: now, actor, now })
    expect((await publish(scene.owner, id, {})).status).toBe(402)
    await setClosed(database.db, { workspaceId, closedAt: null, actor, now })
    expect((await publish(scene.owner, id, {})).status).toBe(200)
  })
})

describe('a draft', () => {
  test('that somebody else has saved is neither saved over nor published', async () => {
    const { id } = await writer.create(content())
    await writer.save(id, 1, content({ title: 'Theirs' }))
    const mine = { revision: 1, content: content({ title: 'Mine' }) } as const
    const late = await sessions.lead.refused(saveAdvisoryDraft, { params: { advisory: id }, body: mine })
    expect(late).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'owner of acme has changed the draft since you opened it.' },
    })
    expect((await publish(scene.owner, id, {})).status).toBe(409)
    expect((await detail(id)).draft).toMatchObject({ revision: 2, content: { title: 'Theirs' } })
  })

  test('of an earlier version is not taken for the one on top of it', async () => {
    const { id } = await writer.release(content())
    await writer.begin(id)
    expect((await publish(scene.owner, id, { kind: 'update' })).status).toBe(409)
  })

  test('that two publish at once becomes one version', async () => {
    const { id } = await writer.create(content())
    const answers = await Promise.all([1, 2, 3, 4].map(() => publish(scene.owner, id, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await detail(id)).versions).toHaveLength(1)
  })

  test('is deleted with its advisory unless something was published', async () => {
    const { id } = await writer.create(content())
    await scene.owner.call(deleteAdvisoryDraft, { params: { advisory: id }, query: { revision: 1 } })
    expect((await scene.owner.refused(getAdvisory, { params: { advisory: id } })).status).toBe(404)
    const { id: kept } = await writer.release(content())
    const revision = await writer.begin(kept)
    await scene.owner.call(deleteAdvisoryDraft, { params: { advisory: kept }, query: { revision } })
    expect(await detail(kept)).toMatchObject({ draft: null, versions: [{ number: '1.0.0' }] })
  })

  test('with a change is to be approved again', async () => {
    const { id } = await writer.create(content())
    const body = { revision: 1, state: 'approved' } as const
    await scene.owner.call(setAdvisoryDraftState, { params: { advisory: id }, body })
    expect((await detail(id)).draft?.state).toBe('approved')
    await writer.save(id, 1, content({ title: 'Another' }))
    expect((await detail(id)).draft?.state).toBe('draft')
  })

  test('keeps no version of another workspace', async () => {
    const [first] = scene.products
    if (first === undefined) throw new Error('no product')
    const products = [{ ...first, versionId: '00000000-0000-7000-8000-00000000dead' }]
    const answer = await scene.owner.refused(createAdvisory, { body: { content: content({ products }) } })
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { 'products.0': anyText } },
    })
  })
})

describe('what keeps a draft from being published', () => {
  test.each<[string, (whole: AdvisoryContent) => AdvisoryContent, string]>([
    ['no title', (whole) => ({ ...whole, title: ' ' }), 'title'],
    ['no vulnerability', (whole) => ({ ...whole, vulnerabilities: [] }), 'vulnerabilities'],
    ['no id', changed({ cve: '', ids: [] }), 'vulnerabilities.0.cve'],
    ['a CVE in small letters', changed({ cve: 'cve-2026-1234' }), 'vulnerabilities.0.cve'],
    ['no description', changed({ description: '' }), 'vulnerabilities.0.description'],
    ['no status', changed({ statuses: [] }), 'vulnerabilities.0.statuses'],
    ['affected without a remediation', changed({ remediations: [] }), 'vulnerabilities.0.remediations'],
    [
      'a link that is none',
      (whole) => ({ ...whole, references: [{ summary: 'x', url: 'https://a b' }] }),
      'references.0.url',
    ],
    [
      'the same CVE twice',
      (whole) => ({ ...whole, vulnerabilities: [...whole.vulnerabilities, ...whole.vulnerabilities] }),
      'vulnerabilities.1.cve',
    ],
  ])('%s is refused with the field', async (_what, change, field) => {
    const { id } = await writer.create(change(content()))
    const answer = await publish(scene.owner, id, {})
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(Object.keys(refusalIn(answer.body).fields)).toContain(field)
    const preview = await scene.owner.call(previewAdvisory, {
      params: { advisory: id },
      body: { content: change(content()) },
    })
    expect(preview.problems.map((problem) => problem.field)).toContain(field)
  })

  test('an update needs its kind and a summary', async () => {
    const { id } = await writer.release(content())
    const revision = await writer.begin(id)
    expect(await publish(scene.owner, id, { revision })).toMatchObject({
      status: 400,
      body: { fields: { kind: anyText } },
    })
    expect(await publish(scene.owner, id, { revision, kind: 'update', summary: ' ' })).toMatchObject({
      status: 400,
      body: { fields: { summary: anyText } },
    })
    expect((await detail(id)).nextNumbers).toEqual({ update: '1.1.0', correction: '1.0.1' })
  })

  test('what was public stays public', async () => {
    const { id } = await writer.release(content())
    const revision = await writer.save(id, await writer.begin(id), content({ tlp: 'GREEN' }))
    expect(await publish(scene.owner, id, { revision, kind: 'update' })).toMatchObject({
      status: 400,
      body: { fields: { tlp: 'It was published as TLP:WHITE and cannot become stricter.' } },
    })
  })
})

describe('characters that nobody sees', () => {
  const hostile = (text: string) => `\u202e${text}\u2066\u200b\ufeff`
  const joined = 'می\u200cخواهم 👩\u200d💻'

  test('are in no text that is published, whoever wrote it', async () => {
    const plain = content()
    const [vulnerability] = plain.vulnerabilities
    if (vulnerability === undefined) throw new Error('the sample has a vulnerability')
    const given = content({
      title: hostile(`Title ${joined}`),
      summary: hostile('One\n\ttwo'),
      generalNote: '\u200b\u202e',
      products: plain.products.map((product) => ({ ...product, version: hostile(product.version) })),
      references: [{ summary: hostile('Page'), url: 'https://acme.example/a' }],
      acknowledgments: [{ names: [hostile('Ann'), '\u200b'], organization: '', summary: '', urls: [] }],
      vulnerabilities: [{ ...vulnerability, title: hostile('Flaw'), description: hostile('Text') }],
    })
    const { id } = await scene.owner.call(createAdvisory, { body: { content: given } })
    const { json, page, problems } = await scene.owner.call(previewAdvisory, {
      params: { advisory: id },
      body: { content: given },
    })
    expect(problems).toEqual([])
    for (const text of [json, page]) {
      expect(text).not.toMatch(/[\u202e\u2066\u200b\ufeff]/)
      expect(text).toContain(joined)
    }
    expect(JSON.parse(json)).toMatchObject({
      document: {
        title: `Title ${joined}`,
        notes: [{ text: 'One\n\ttwo' }],
        references: expect.arrayContaining([expect.objectContaining({ summary: 'Page' })]) as unknown,
        acknowledgments: [{ names: ['Ann'] }],
      },
    })
    expect((await publish(scene.owner, id, {})).status).toBe(200)
    const { rows } = await scene.owner.call(listAdvisories, { query: {} })
    expect(rows.map(({ title }) => title)).toContain(`Title ${joined}`)
  })

  test('are no title', async () => {
    const given = content({ title: '\u200b\u202e' })
    const { id } = await scene.owner.call(createAdvisory, { body: { content: given } })
    const { body } = await publish(scene.owner, id, {})
    expect(fieldOf(body, 'fields', 'title')).toBe('A title is required.')
  })
})

describe('the tracking id', () => {
  const rename = (id: string, trackingId: string) =>
    scene.owner.ask(changeAdvisoryTrackingId, { params: { advisory: id }, body: { trackingId } })

  test('is unique after it has become a file name, and fixed once published', async () => {
    const [one, two] = [await writer.create(content()), await writer.create(content())]
    expect((await rename(one.id, 'A.1')).status).toBe(204)
    expect(await rename(two.id, 'a_1')).toMatchObject({
      status: 400,
      body: { fields: { trackingId: anyText } },
    })
    for (const bad of ['', 'a b', 'é', 'x'.repeat(65), 'a.JSON'])
      expect((await rename(two.id, bad)).status).toBe(400)
    expect((await rename(one.id, 'A_1')).status).toBe(204)
    await writer.publish(one.id, 1)
    expect((await rename(one.id, 'B-1')).status).toBe(409)
    expect((await call(`${http.url}/csaf/acme/white/2026/a_1.json`)).status).toBe(200)
  })

  test('leaves out a number whose file somebody has taken', async () => {
    const { id, trackingId } = await writer.create(content())
    const next = Number(trackingId.slice(-4)) + 1
    expect((await rename(id, `acme-sa-2026-${String(next).padStart(4, '0')}`)).status).toBe(204)
    expect((await writer.create(content())).trackingId).toBe(
      `ACME-SA-2026-${String(next + 1).padStart(4, '0')}`,
    )
  })
})

test('a publication is in the audit trail, in its transaction', async () => {
  const { id, sha256 } = await writer.release(content())
  const events = await database.db
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
    database.pool.query('update workspace set slug = $1 where slug = $2', [slug, 'umbrella'])
  await rename('umbrella-two')
  await database.pool.query('update workspace set slug = $1 where slug = $2', ['umbrella', 'umbrella-two'])
  const acme = database.pool.query("update workspace set slug = 'acme-two' where slug = 'acme'")
  await expect(acme).rejects.toThrow(/published advisories/)
})

test('published versions are neither changed nor deleted', async () => {
  for (const statement of ["update advisory_version set title = 'x'", 'delete from advisory_version']) {
    await expect(database.pool.query(statement)).rejects.toThrow(/append-only/)
  }
})

test('dates increase where the clock was set back', async () => {
  const { id, releasedAt } = await writer.release(content())
  const before = now
  now = new Date(now.getTime() - 3_600_000)
  const { releasedAt: again } = await writer.revise(id, content())
  expect(new Date(again).getTime()).toBeGreaterThan(new Date(releasedAt).getTime())
  now = before
})

test('after the company has another name, contact or Canonical, documents keep theirs until a correction of all', async () => {
  const { id, trackingId, sha256 } = await writer.release(content())
  const path = `${http.url}/csaf/acme/white/2026/${trackingId.toLowerCase()}.json`
  await database.pool.query("update workspace set company_name = 'Acme Holding' where slug = 'acme'")
  await database.pool.query(
    `insert into disclosure_settings (workspace_id, public_contact_email, canonical_url, acknowledge_days)
     values ($1, 'psirt@acme.example', 'https://www.acme.example/.well-known/security.txt', 3)
     on conflict (workspace_id) do update set public_contact_email = excluded.public_contact_email, canonical_url = excluded.canonical_url`,
    [scene.workspace.id],
  )
  const metadata = (await call(`${http.url}/csaf/acme/provider-metadata.json`)).body
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

  const { id: busy } = await writer.release(content())
  await database.pool.query("update workspace set company_name = 'Acme Group' where slug = 'acme'")
  await writer.begin(busy)
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

function changed(change: Partial<AdvisoryContent['vulnerabilities'][number]>) {
  return (whole: AdvisoryContent): AdvisoryContent => ({
    ...whole,
    vulnerabilities: whole.vulnerabilities.map((one) => ({ ...one, ...change })),
  })
}

describe('an advisory on an incident', () => {
  test('marks its users as informed when it is published, once', async () => {
    const { id: personId } = scene.workspace.members.owner
    const person = { kind: 'person', id: personId, name: 'Olga' } as const
    const { id: incidentId } = await openManually(
      database.db,
      { workspaceId: scene.workspace.id, actor: person, now },
      { kind: 'severe_incident', title: 'Signing key lost', families: [] },
    )
    const links = [{ kind: 'incident' as const, objectId: incidentId }]
    const { id, trackingId } = await scene.owner.call(createAdvisory, { body: { content: content(), links } })
    const informed = () =>
      database.db
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
    await writer.publish(id, 1)
    expect(await named()).toEqual([{ ...link, relation: 'version 1.0.0' }])
    const first = await informed()
    expect(first).toMatchObject({
      users_informed: { by: 'owner of acme', how: `By the advisory ${trackingId}.` },
    })
    await writer.revise(id, content())
    expect(await informed()).toEqual(first)
    expect((await detail(id)).links).toMatchObject([{ kind: 'incident', id: incidentId }])
  })

  test('of another workspace is refused', async () => {
    const links = [{ kind: 'incident', objectId: '00000000-0000-7000-8000-00000000dead' }]
    const made = await scene.owner.refused(createAdvisory, { body: { content: content(), links } })
    expect(made).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })
})
