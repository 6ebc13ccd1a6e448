import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changeAdvisorySettings,
  createAdvisory,
  deleteAdvisoryDraft,
  getAdvisory,
  listAdvisories,
  previewAdvisory,
  saveAdvisoryDraft,
  setAdvisoryDraftState,
} from '../../src/contract/advisories/operations.ts'
import type { AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import type { AppSession } from '../support/app-session.ts'
import { testNow as now } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'
import { fieldOf, refusalIn } from '../support/read-as.ts'
import { createCompanyMembers } from './members.ts'
import { openPublishingScene, publish, type PublishingScene } from './publishing-scene.ts'
import { tester } from '../support/actors.ts'

let scene: PublishingScene
let sessions: Record<'lead' | 'editor', AppSession>

beforeAll(async () => {
  scene = await openPublishingScene(() => now)
  sessions = await createCompanyMembers(scene.database.db, scene.http, scene.workspace.id)
})
afterAll(() => scene.close())

const detail = (id: string) => scene.owner.call(getAdvisory, { params: { advisory: id } })

describe('who publishes', () => {
  test('an editor drafts and does not publish, a lead does', async () => {
    const { id } = await sessions.editor.call(createAdvisory, { body: { content: scene.content() } })
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
    const { id } = await scene.writer.create(scene.content())
    expect(await publish(scene.owner, id, {})).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await publish(sessions.lead, id, {})).status).toBe(200)
    expect((await settings(false)).status).toBe(204)
  })

  test('in a read-only and in a closed workspace nobody does', async () => {
    const { id } = await scene.writer.create(scene.content())
    const { id: workspaceId } = scene.workspace
    await setPlan(scene.database.db, { workspaceId, plan: 'free', actor: tester, now })
    expect(await publish(scene.owner, id, {})).toMatchObject({
      status: 402,
      body: { error: 'billing_lapsed' },
    })
    await scene.owner.call(getAdvisory, { params: { advisory: id } })
    await setPlan(scene.database.db, { workspaceId, plan: 'core', actor: tester, now })
    await setClosed(scene.database.db, { workspaceId, closedAt: now, actor: tester, now })
    expect((await publish(scene.owner, id, {})).status).toBe(402)
    await setClosed(scene.database.db, { workspaceId, closedAt: null, actor: tester, now })
    expect((await publish(scene.owner, id, {})).status).toBe(200)
  })
})

describe('a draft', () => {
  test('that somebody else has saved is neither saved over nor published', async () => {
    const { id } = await scene.writer.create(scene.content())
    await scene.writer.save(id, 1, scene.content({ title: 'Theirs' }))
    const mine = { revision: 1, content: scene.content({ title: 'Mine' }) } as const
    const late = await sessions.lead.refused(saveAdvisoryDraft, { params: { advisory: id }, body: mine })
    expect(late).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'owner of acme has changed the draft since you opened it.' },
    })
    expect((await publish(scene.owner, id, {})).status).toBe(409)
    expect((await detail(id)).draft).toMatchObject({ revision: 2, content: { title: 'Theirs' } })
  })

  test('of an earlier version is not taken for the one on top of it', async () => {
    const { id } = await scene.writer.release(scene.content())
    await scene.writer.begin(id)
    expect((await publish(scene.owner, id, { kind: 'update' })).status).toBe(409)
  })

  test('that two publish at once becomes one version', async () => {
    const { id } = await scene.writer.create(scene.content())
    const answers = await Promise.all([1, 2, 3, 4].map(() => publish(scene.owner, id, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await detail(id)).versions).toHaveLength(1)
  })

  test('is deleted with its advisory unless something was published', async () => {
    const { id } = await scene.writer.create(scene.content())
    await scene.owner.call(deleteAdvisoryDraft, { params: { advisory: id }, query: { revision: 1 } })
    expect((await scene.owner.refused(getAdvisory, { params: { advisory: id } })).status).toBe(404)
    const { id: kept } = await scene.writer.release(scene.content())
    const revision = await scene.writer.begin(kept)
    await scene.owner.call(deleteAdvisoryDraft, { params: { advisory: kept }, query: { revision } })
    expect(await detail(kept)).toMatchObject({ draft: null, versions: [{ number: '1.0.0' }] })
  })

  test('with a change is to be approved again', async () => {
    const { id } = await scene.writer.create(scene.content())
    const body = { revision: 1, state: 'approved' } as const
    await scene.owner.call(setAdvisoryDraftState, { params: { advisory: id }, body })
    expect((await detail(id)).draft?.state).toBe('approved')
    await scene.writer.save(id, 1, scene.content({ title: 'Another' }))
    expect((await detail(id)).draft?.state).toBe('draft')
  })

  test('keeps no version of another workspace', async () => {
    const [first] = scene.products
    if (first === undefined) throw new Error('no product')
    const products = [{ ...first, versionId: '00000000-0000-7000-8000-00000000dead' }]
    const answer = await scene.owner.refused(createAdvisory, {
      body: { content: scene.content({ products }) },
    })
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
    const { id } = await scene.writer.create(change(scene.content()))
    const answer = await publish(scene.owner, id, {})
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(Object.keys(refusalIn(answer.body).fields)).toContain(field)
    const preview = await scene.owner.call(previewAdvisory, {
      params: { advisory: id },
      body: { content: change(scene.content()) },
    })
    expect(preview.problems.map((problem) => problem.field)).toContain(field)
  })

  test('an update needs its kind and a summary', async () => {
    const { id } = await scene.writer.release(scene.content())
    const revision = await scene.writer.begin(id)
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
    const { id } = await scene.writer.release(scene.content())
    const revision = await scene.writer.save(
      id,
      await scene.writer.begin(id),
      scene.content({ tlp: 'GREEN' }),
    )
    expect(await publish(scene.owner, id, { revision, kind: 'update' })).toMatchObject({
      status: 400,
      body: { fields: { tlp: 'It was published as TLP:WHITE and cannot become stricter.' } },
    })
  })
})

function changed(change: Partial<AdvisoryContent['vulnerabilities'][number]>) {
  return (whole: AdvisoryContent): AdvisoryContent => ({
    ...whole,
    vulnerabilities: whole.vulnerabilities.map((one) => ({ ...one, ...change })),
  })
}

describe('characters that nobody sees', () => {
  const hostile = (text: string) => `\u202e${text}\u2066\u200b\ufeff`
  const joined = 'می\u200cخواهم 👩\u200d💻'

  test('are in no text that is published, whoever wrote it', async () => {
    const plain = scene.content()
    const [vulnerability] = plain.vulnerabilities
    if (vulnerability === undefined) throw new Error('the sample has a vulnerability')
    const given = scene.content({
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
    const given = scene.content({ title: '\u200b\u202e' })
    const { id } = await scene.owner.call(createAdvisory, { body: { content: given } })
    const { body } = await publish(scene.owner, id, {})
    expect(fieldOf(body, 'fields', 'title')).toBe('A title is required.')
  })
})
