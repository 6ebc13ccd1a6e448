import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import type { VexDocumentState } from '../../src/contract/vex/documents.ts'
import { sendSbom, sendVex } from '../../src/contract/sbom/upload-operations.ts'
import {
  downloadVexDocument,
  exportVex,
  getVexDocument,
  listVexDocuments,
  listVexStatements,
  restoreVexDocument,
  withdrawVexDocument,
} from '../../src/contract/vex/operations.ts'
import {
  decideFindings,
  getFinding,
  listDecisions,
  revokeDecision,
} from '../../src/contract/findings/operations.ts'
import { getFamily } from '../../src/contract/products/operations.ts'
import { listFindings } from '../../src/contract/sbom/operations.ts'
import type { QueryOf } from '../../src/contract/operation.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { addRecord } from '../support/records.ts'
import { endBoth } from '../support/http.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let familyId: string
let sbom: SbomReceipt
let vex: VexReceipt

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

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
  familyId = acme.families[0]?.id ?? ''
  await addRecord(store.db, {
    id: 'CVE-2024-1',
    affected: [{ ecosystem: 'npm', name: 'left', scheme: 'semver', ranges: [['0', null]] }],
  })
  const sent = await owner.ask(sendSbom, {
    params: { family: familyId },
    query: { version: '1.0' },
    raw: cyclonedx({
      metadata: { component: { type: 'application', name: 'pump', purl: 'pkg:generic/pump@1.0' } },
      components: [
        { type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' },
        { type: 'library', name: 'right', version: '1.0.0', purl: 'pkg:npm/right@1.0.0' },
      ],
    }),
  })
  expect(sent).toMatchObject({ status: 202, body: { version: '1.0', components: 2 } })
  sbom = readAs(SbomReceipt, sent.body)
  await matchSbom(store.db, { workspaceId: acme.id, sbomId: sbom.id, now: testNow })
  const document = openvex(
    said('CVE-2024-1', 'pkg:npm/left@1.0.0'),
    said('CVE-2024-2', 'pkg:npm/right'),
    said('CVE-2024-3', 'pkg:maven/org.example/absent'),
    said('CVE-2024-4', 'a box'),
    said('CVE-2024-5', 'pkg:generic/pump@1.0'),
  )
  const answer = await owner.ask(sendVex, {
    params: { family: familyId },
    raw: gzipSync(document),
    headers: { 'content-encoding': 'gzip' },
  })
  expect(answer).toMatchObject({
    status: 202,
    body: { format: 'openvex', statements: 5, unbound: 1, version: null },
  })
  vex = readAs(VexReceipt, answer.body)
  await refresh()
})
afterAll(() => endBoth(http, store))

describe('files that a member sends', () => {
  it('come from the application, in the name of the member', async () => {
    const { versions } = await owner.call(getFamily, { params: { family: familyId } })
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
    expect(
      await owner.ask(sendVex, { params: { family: familyId }, query: { version: '9' }, raw: again }),
    ).toMatchObject({
      status: 202,
      body: { version: '9' },
    })
    expect(await owner.ask(sendVex, { params: { family: familyId }, raw: again })).toMatchObject({
      status: 200,
      body: { duplicate: true },
    })
    expect(await owner.refused(sendVex, { params: { family: familyId }, raw: '{}' })).toMatchObject({
      status: 415,
      body: { error: 'unsupported_vex' },
    })
    expect(await owner.refused(sendSbom, { params: { family: familyId }, raw: '' })).toMatchObject({
      status: 400,
      body: { error: 'empty' },
    })
  })
})

describe('the documents of a family', () => {
  it('are listed with what they are', async () => {
    const { rows, total } = await owner.call(listVexDocuments, { params: { family: familyId } })
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
    const { rows, total } = await owner.call(listVexStatements, { params: { document: vex.id } })
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
      boundFindings: [
        {
          title: 'CVE-2024-1',
          component: 'left 1.0.0',
          productVersion: '1.0',
          decides: true,
          needsOthers: false,
        },
      ],
    })
    expect(rows[3]?.unboundReason).toBe('no_identifier')
  })

  it('can be looked through', async () => {
    const numbers = async (query: QueryOf<typeof listVexStatements>) =>
      (await owner.call(listVexStatements, { params: { document: vex.id }, query })).rows.map(
        ({ number }) => number,
      )
    expect(await numbers({ show: 'unbound' })).toEqual([4])
    expect(await numbers({ show: 'findings' })).toEqual([])
    expect(await numbers({ search: 'NPM/RIGHT' })).toEqual([2])
    expect(await numbers({ search: 'cve-2024-3' })).toEqual([3])
    expect(await numbers({ search: 'org.example:absent' })).toEqual([3])
    expect(await numbers({ search: '100%' })).toEqual([])
    expect(await numbers({ number: 3 })).toEqual([3])
    expect(await numbers({ number: 9 })).toEqual([])
  })

  it('can be saved as they were sent', async () => {
    const answer = await owner.ask(downloadVexDocument, { params: { document: vex.id } })
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${vex.id}.vex.json"`)
    expect(answer.body).toMatchObject({ '@id': 'https://a.example/1' })
  })

  it('no longer count when they are withdrawn, and count again when they are restored', async () => {
    const verdict = async () => {
      await refresh()
      const page = await owner.call(listFindings, { params: { sbom: sbom.id }, query: { verdict: 'all' } })
      return page.rows.map((row) => [row.verdict, row.verdictSource])
    }
    expect(await verdict()).toEqual([['not_affected', 'document']])
    expect(await owner.refused(restoreVexDocument, { params: { document: vex.id } })).toMatchObject({
      status: 409,
    })
    await owner.call(withdrawVexDocument, { params: { document: vex.id } })
    expect(await verdict()).toEqual([[null, null]])
    expect(await owner.refused(withdrawVexDocument, { params: { document: vex.id } })).toMatchObject({
      status: 409,
    })
    const withdrawn = await owner.call(getVexDocument, { params: { document: vex.id } })
    expect(withdrawn).toMatchObject({ state: 'withdrawn', withdrawnBy: 'owner of acme', decides: 0 })

    const successor = await owner.ask(sendVex, {
      params: { family: familyId },
      raw: openvex(said('CVE-2024-1', 'pkg:npm/left', 'affected')),
    })
    expect(successor).toMatchObject({ status: 202, body: { replaced: 0 } })
    expect(await verdict()).toEqual([['affected', 'document']])
    await owner.call(restoreVexDocument, { params: { document: vex.id } })
    expect(await verdict()).toEqual([['not_affected', 'document']])
    const { id: successorId } = readAs(VexReceipt, successor.body)
    expect(await owner.call(getVexDocument, { params: { document: successorId } })).toMatchObject({
      state: 'replaced',
      replacedBy: { id: vex.id },
    })
    expect(await owner.call(getVexDocument, { params: { document: vex.id } })).toMatchObject({
      state: 'active',
      withdrawnBy: null,
      replaces: [{ id: successorId }],
      decides: 1,
    })
    const states = async (state: VexDocumentState) =>
      (await owner.call(listVexDocuments, { params: { family: familyId }, query: { state } })).rows.map(
        ({ id }) => id,
      )
    expect(await states('replaced')).toEqual([successorId])
    expect(await states('withdrawn')).toEqual([])
  })
})

describe('an export', () => {
  it.each(['openvex', 'csaf', 'cyclonedx'] as const)(
    'as %s is a document that another family takes',
    async (format) => {
      const answer = await owner.ask(exportVex, {
        params: { family: familyId },
        query: { format, version: '1.0' },
      })
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.json"$/)
      const other = acme.families[1]?.id ?? ''
      const sent = await owner.ask(sendVex, {
        params: { family: other },
        query: { version: '1.0' },
        raw: JSON.stringify(answer.body),
      })
      expect(sent).toMatchObject({ status: 202, body: { format, statements: 1, unbound: 0, version: '1.0' } })
    },
  )

  it('is refused for an unknown format, version or family, and when there is nothing to say', async () => {
    const status = async (family: string | undefined, query = {}) =>
      (await owner.refused(exportVex, { params: { family }, query })).status
    expect(await status(familyId, { format: 'pdf' })).toBe(400)
    expect(await status(familyId, { version: 'none' })).toBe(404)
    expect(await status(vex.id)).toBe(404)
    const unjudged = await owner.refused(exportVex, { params: { family: acme.families[1]?.id }, query: {} })
    expect(unjudged).toMatchObject({
      status: 422,
      body: {
        error: 'no_statements',
        message: 'No finding of this family has a verdict yet: there is nothing to export.',
      },
    })
  })
})

describe('a decision in the application', () => {
  it('is made, shown, and taken back', async () => {
    const [row] = (await owner.call(listFindings, { params: { sbom: sbom.id }, query: { verdict: 'all' } }))
      .rows
    const findingId = row?.id ?? ''
    const word = { verdict: 'affected', everyVersion: false, comment: 'We call it.' } as const
    expect(await owner.call(decideFindings, { body: { ...word, findingIds: [findingId] } })).toMatchObject({
      decided: 1,
    })
    const detail = await owner.call(getFinding, { params: { finding: findingId } })
    expect(detail).toMatchObject({
      verdict: { verdict: 'affected', source: 'decision' },
      decisions: [{ state: 'in_force', decidedBy: 'owner of acme', comment: 'We call it.' }],
      statements: [{ documentId: vex.id, verdict: 'not_affected', decides: false }],
      incident: { opens: false, obstacle: 'not_listed' },
    })
    expect(await owner.call(listDecisions, { params: { finding: findingId } })).toEqual({
      decisions: detail.decisions,
    })
    await owner.call(revokeDecision, { params: { decision: detail.decisions[0]?.id } })
    expect(await owner.call(getFinding, { params: { finding: findingId } })).toMatchObject({
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
    expect(await owner.refused(decideFindings, { body: word })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  it('and everything else is refused while the workspace is read-only', async () => {
    const plan = (to: 'core' | 'free') =>
      store.db.updateTable('workspace').set({ plan: to }).where('id', '=', acme.id).execute()
    await plan('free')
    const word = { findingIds: [vex.id], verdict: 'affected', everyVersion: false }
    const lapsed = { status: 402, body: { error: 'billing_lapsed' } }
    expect(await owner.refused(decideFindings, { body: word })).toMatchObject(lapsed)
    expect(await owner.refused(withdrawVexDocument, { params: { document: vex.id } })).toMatchObject(lapsed)
    expect(await owner.refused(sendVex, { params: { family: familyId }, raw: openvex() })).toMatchObject({
      status: 402,
    })
    await plan('core')
  })
})
