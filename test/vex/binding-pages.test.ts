import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FamilyDetail } from '../../src/contract/products/shapes.ts'
import type { Page } from '../../src/contract/page.ts'
import type { FindingPage } from '../../src/contract/findings/lists.ts'
import type { FindingDetail } from '../../src/contract/findings/shapes.ts'
import type { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import type { VexReceipt } from '../../src/contract/vex/shapes.ts'
import type { VexDocumentDetail, VexDocumentRow, VexStatementPage } from '../../src/contract/vex/documents.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { addRecord } from '../support/records.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let owner: AppSession
let familyId: string
let sbom: SbomReceipt
let vex: VexReceipt

const here = (path: string) => `/workspaces/${acme.slug}${path}`

async function ask<T>(path: string): Promise<T> {
  const answer = await owner.call(here(path))
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as T
}

async function send(
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return owner.call(here(path), { method: 'POST', raw: body, headers })
}

const act = (path: string, body?: unknown) => owner.call(here(path), { method: 'POST', body })

const openvex = (...statements: unknown[]) =>
  JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://a.example/1',
    author: 'Acme',
    statements,
  })

const said = (name: string, product: unknown, status = 'not_affected') => ({
  vulnerability: { name },
  products: [product],
  status,
  justification: 'component_not_present',
})

const refresh = () => refreshFamilyFindings(store.db, { workspaceId: acme.id, familyId, now: testNow })

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[acme] = await createScene(store.db)
  familyId = acme.families[0]?.id ?? ''
  owner = await AppSession.signIn(http.url, acme.members.owner)
  await addRecord(store.db, {
    id: 'CVE-2024-1',
    affected: [{ ecosystem: 'npm', name: 'left', scheme: 'semver', ranges: [['0', null]] }],
  })
  const sent = await send(
    `/families/${familyId}/sboms?version=1.0`,
    cyclonedx({
      metadata: { component: { type: 'application', name: 'pump', purl: 'pkg:generic/pump@1.0' } },
      components: [
        { type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' },
        { type: 'library', name: 'right', version: '1.0.0', purl: 'pkg:npm/right@1.0.0' },
      ],
    }),
  )
  expect(sent).toMatchObject({ status: 202, body: { version: '1.0', components: 2 } })
  sbom = sent.body as SbomReceipt
  await matchSbom(store.db, { workspaceId: acme.id, sbomId: sbom.id, now: testNow })
  const document = openvex(
    said('CVE-2024-1', 'pkg:npm/left@1.0.0'),
    said('CVE-2024-2', 'pkg:npm/right'),
    said('CVE-2024-3', 'pkg:maven/org.example/absent'),
    said('CVE-2024-4', 'a box'),
    said('CVE-2024-5', 'pkg:generic/pump@1.0'),
  )
  const answer = await send(`/families/${familyId}/vex`, gzipSync(document), { 'content-encoding': 'gzip' })
  expect(answer).toMatchObject({
    status: 202,
    body: { format: 'openvex', statements: 5, unbound: 1, version: null },
  })
  vex = answer.body as VexReceipt
  await refresh()
})
afterAll(async () => {
  await http.stop()
  await store.drop()
})

describe('files that a member sends', () => {
  it('come from the application, in the name of the member', async () => {
    const { versions } = await ask<FamilyDetail>(`/families/${familyId}`)
    expect(versions[0]?.activeSbom).toMatchObject({
      id: sbom.id,
      source: 'application',
      sentBy: 'owner of acme',
    })
    const events = await store.db
      .selectFrom('audit_event')
      .select(['actor_kind', 'actor_name', 'action'])
      .where('action', 'in', ['sbom.uploaded', 'vex.uploaded'])
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { actor_kind: 'person', actor_name: 'owner of acme', action: 'sbom.uploaded' },
      { actor_kind: 'person', actor_name: 'owner of acme', action: 'vex.uploaded' },
    ])
  })

  it('are known when they come again, and refused like those of pipelines', async () => {
    const again = openvex(said('CVE-2024-9', 'pkg:npm/left'))
    expect(await send(`/families/${familyId}/vex?version=9`, again)).toMatchObject({
      status: 202,
      body: { version: '9' },
    })
    expect(await send(`/families/${familyId}/vex`, again)).toMatchObject({
      status: 200,
      body: { duplicate: true },
    })
    expect(await send(`/families/${familyId}/vex`, '{}')).toMatchObject({
      status: 415,
      body: { error: 'unsupported_vex' },
    })
    expect(await send(`/families/${familyId}/sboms`, '')).toMatchObject({
      status: 400,
      body: { error: 'empty' },
    })
  })
})

describe('the documents of a family', () => {
  it('are listed with what they are', async () => {
    const { rows, total } = await ask<Page<VexDocumentRow>>(`/families/${familyId}/vex`)
    expect(total).toBe(rows.length)
    expect(rows.find(({ id }) => id === vex.id)).toMatchObject({
      format: 'openvex',
      formatLabel: 'OpenVEX 0.2.0',
      documentId: 'https://a.example/1',
      author: 'Acme',
      state: 'active',
      everyVersion: true,
      version: null,
      sbomId: null,
      source: 'application',
      statements: 5,
      unbound: 1,
    })
  })

  it('say on their page what each statement binds to', async () => {
    const { rows, total } = await ask<VexStatementPage>(`/vex/${vex.id}/statements`)
    expect(total).toBe(5)
    expect(
      rows.map(({ binding, wholeProduct, components }) => [
        binding,
        wholeProduct,
        components.map(({ name }) => name),
      ]),
    ).toEqual([
      ['bound', false, ['left']],
      ['bound', false, ['right']],
      ['waiting', false, []],
      ['unbound', false, []],
      ['bound', true, []],
    ])
    expect(rows[0]).toMatchObject({
      vulnerabilityIds: ['CVE-2024-1'],
      verdict: 'not_affected',
      justification: 'component_not_present',
      targets: [{ purl: 'pkg:npm/left@1.0.0', cpe: null, reference: null }],
      boundFindings: [{ title: 'CVE-2024-1', component: 'left 1.0.0', productVersion: '1.0', decides: true }],
    })
    expect(rows[3]?.unboundReason).toBe('no_identifier')
  })

  it('can be looked through', async () => {
    const numbers = async (query: string) =>
      (await ask<VexStatementPage>(`/vex/${vex.id}/statements?${query}`)).rows.map(({ number }) => number)
    expect(await numbers('show=unbound')).toEqual([4])
    expect(await numbers('show=findings')).toEqual([])
    expect(await numbers('search=NPM/RIGHT')).toEqual([2])
    expect(await numbers('search=cve-2024-3')).toEqual([3])
    expect(await numbers('search=org.example:absent')).toEqual([3])
    expect(await numbers('search=100%25')).toEqual([])
    expect(await numbers('number=3')).toEqual([3])
    expect(await numbers('number=9')).toEqual([])
  })

  it('can be saved as they were sent', async () => {
    const answer = await owner.call(here(`/vex/${vex.id}/download`))
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${vex.id}.vex.json"`)
    expect(answer.body).toMatchObject({ '@id': 'https://a.example/1' })
  })

  it('count no more when they are withdrawn, and again when they are restored', async () => {
    const verdict = async () => {
      await refresh()
      const page = await ask<FindingPage>(`/sboms/${sbom.id}/findings?verdict=all`)
      return page.rows.map((row) => [row.verdict, row.verdictSource])
    }
    expect(await verdict()).toEqual([['not_affected', 'document']])
    expect(await act(`/vex/${vex.id}/restore`)).toMatchObject({ status: 409 })
    expect(await act(`/vex/${vex.id}/withdraw`)).toMatchObject({ status: 204 })
    expect(await verdict()).toEqual([[null, null]])
    expect(await act(`/vex/${vex.id}/withdraw`)).toMatchObject({ status: 409 })
    const withdrawn = await ask<VexDocumentDetail>(`/vex/${vex.id}`)
    expect(withdrawn).toMatchObject({ state: 'withdrawn', withdrawnBy: 'owner of acme', decides: 0 })

    const successor = await send(
      `/families/${familyId}/vex`,
      openvex(said('CVE-2024-1', 'pkg:npm/left', 'affected')),
    )
    expect(successor).toMatchObject({ status: 202, body: { replaced: 0 } })
    expect(await verdict()).toEqual([['affected', 'document']])
    expect(await act(`/vex/${vex.id}/restore`)).toMatchObject({ status: 204 })
    expect(await verdict()).toEqual([['not_affected', 'document']])
    const { id: successorId } = successor.body as VexReceipt
    expect(await ask<VexDocumentDetail>(`/vex/${successorId}`)).toMatchObject({
      state: 'replaced',
      replacedBy: { id: vex.id },
    })
    expect(await ask<VexDocumentDetail>(`/vex/${vex.id}`)).toMatchObject({
      state: 'active',
      withdrawnBy: null,
      replaces: [{ id: successorId }],
      decides: 1,
    })
    const states = async (state: string) =>
      (await ask<Page<VexDocumentRow>>(`/families/${familyId}/vex?state=${state}`)).rows.map(({ id }) => id)
    expect(await states('replaced')).toEqual([successorId])
    expect(await states('withdrawn')).toEqual([])
  })
})

describe('an export', () => {
  it.each(['openvex', 'csaf', 'cyclonedx'] as const)(
    'as %s is a document that another family takes',
    async (format) => {
      const answer = await owner.call(here(`/families/${familyId}/vex-export?format=${format}&version=1.0`))
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.json"$/)
      const other = acme.families[1]?.id ?? ''
      const sent = await send(`/families/${other}/vex?version=1.0`, JSON.stringify(answer.body))
      expect(sent).toMatchObject({ status: 202, body: { format, statements: 1, unbound: 0, version: '1.0' } })
    },
  )

  it('is refused for an unknown format, version or family, and when there is nothing to say', async () => {
    const status = async (path: string) => (await owner.call(here(path))).status
    expect(await status(`/families/${familyId}/vex-export?format=pdf`)).toBe(400)
    expect(await status(`/families/${familyId}/vex-export?version=none`)).toBe(404)
    expect(await status(`/families/${vex.id}/vex-export`)).toBe(404)
    expect(await status(`/families/${acme.families[1]?.id ?? ''}/vex-export`)).toBe(422)
  })
})

describe('a decision in the application', () => {
  it('is made, shown, and taken back', async () => {
    const [row] = (await ask<FindingPage>(`/sboms/${sbom.id}/findings?verdict=all`)).rows
    const findingId = row?.id ?? ''
    const word = { findingIds: [findingId], verdict: 'affected', everyVersion: false, comment: 'We call it.' }
    expect(await act('/decisions', word)).toMatchObject({ status: 201, body: { decided: 1 } })
    const detail = await ask<FindingDetail>(`/findings/${findingId}`)
    expect(detail).toMatchObject({
      verdict: { verdict: 'affected', source: 'decision' },
      decisions: [{ state: 'in_force', decidedBy: 'owner of acme', comment: 'We call it.' }],
      statements: [{ documentId: vex.id, verdict: 'not_affected', decides: false }],
      incident: { opens: false, obstacle: 'not_listed' },
    })
    expect(await ask(`/findings/${findingId}/decisions`)).toEqual({ decisions: detail.decisions })
    expect(await act(`/decisions/${detail.decisions[0]?.id ?? ''}/revoke`)).toMatchObject({ status: 204 })
    expect(await ask<FindingDetail>(`/findings/${findingId}`)).toMatchObject({
      verdict: { verdict: 'not_affected', source: 'document' },
      statements: [{ decides: true }],
    })
  })

  it.each([
    ['nothing to decide about', { findingIds: [] }],
    ['an unknown verdict', { verdict: 'fine' }],
    ['an id that is none', { findingIds: ['x'] }],
    ['no scope', { everyVersion: undefined }],
  ])('is refused with %s', async (_name, wrong) => {
    const word = { findingIds: [vex.id], verdict: 'affected', everyVersion: false, ...wrong }
    expect(await act('/decisions', word)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('and everything else is refused while the workspace is read-only', async () => {
    const plan = (to: 'core' | 'free') =>
      store.db.updateTable('workspace').set({ plan: to }).where('id', '=', acme.id).execute()
    await plan('free')
    const word = { findingIds: [vex.id], verdict: 'affected', everyVersion: false }
    for (const [path, body] of [
      ['/decisions', word],
      [`/vex/${vex.id}/withdraw`, undefined],
    ] as const) {
      expect(await act(path, body)).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
    }
    expect(await send(`/families/${familyId}/vex`, openvex())).toMatchObject({ status: 402 })
    await plan('core')
  })
})
