import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { openIncidents } from '../../src/incidents/openings/open-incidents.ts'
import { listSuppressed } from '../../src/incidents/reads/list-suppressed.ts'
import { archiveFamily, deleteFamily, restoreFamily } from '../../src/products/families/change-family.ts'
import { describeOverview } from '../../src/views/overview.ts'
import { describeVulnerability } from '../../src/vulnerabilities/describe-vulnerability.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { withdrawDocument } from '../../src/vex/documents/withdraw-document.ts'
import { createCompany, type Company } from '../support/company.ts'
import { addMember } from '../support/rows.ts'
import type { UploadScene } from '../support/upload-scene.ts'
import { record } from '../vulndata/support.ts'
import { Arrivals, openVex } from './arrivals.ts'
import { addActor, tester } from '../support/actors.ts'

let scene: UploadScene
let db: Db
let arrivals: Arrivals
beforeAll(async () => {
  arrivals = await Arrivals.open()
  ;({ scene, db } = arrivals)
})
afterAll(() => arrivals.close())

let count = 0
let company: Company
let name: string
/** In the order of their ids, both in the notice. */
let first: string
let second: string

beforeEach(async () => {
  count += 1
  company = await createCompany(db, `acme-${count}`)
  name = `pump-lib-${count}`
  ;[first, second] = [`CVE-2025-${count + 1_000}`, `CVE-2025-${count + 2_000}`]
  await arrivals.load(record(`DSA-${count}`, `npm/${name}`, { aliases: [], upstream: [first, second] }))
})

async function list(id: string): Promise<void> {
  await arrivals.list(id)
  await arrivals.work()
}

const upload = () => arrivals.upload(company, [[name, '1.0.0']])

/** Sends a document that declares one of them not affected; `source`: documents of two sources are in force side by side. */
async function declare(cve: string, source = 'api'): Promise<string> {
  const documentId = await send(cve, source)
  await arrivals.work()
  return documentId
}

/** The same before any job has run. */
async function send(cve: string, source = 'api'): Promise<string> {
  const statement = {
    vulnerability: { name: cve },
    products: [{ '@id': `pkg:npm/${name}@1.0.0` }],
    status: 'not_affected',
    justification: 'component_not_present',
  }
  const body = openVex({ id: `urn:vex:${cve}`, version: scene.serial(), statement })
  const headers = { 'x-service-source': source }
  const token = await scene.token(company)
  const receipt = await scene.uploadedVex(body, { token, headers })
  return receipt.id
}

const withdraw = async (documentId: string) => {
  await withdrawDocument(db, { ...company, documentId, actor: tester, now: arrivals.tick() })
  await arrivals.work()
}

const opened = async () =>
  (
    await db
      .selectFrom('incident')
      .select('vuln_key')
      .where('workspace_id', '=', company.workspaceId)
      .orderBy('vuln_key')
      .execute()
  ).map(({ vuln_key: key }) => key)

/** What the pages say: of the finding on the notice, and of it on the page of each vulnerability. */
async function told() {
  const { workspaceId } = company
  const now = arrivals.tick()
  const { id: findingId } = await db
    .selectFrom('finding')
    .innerJoin('vulnerability_group', 'vulnerability_group.id', 'finding.group_id')
    .select('finding.id')
    .where('workspace_id', '=', workspaceId)
    .where('vulnerability_group.title_id', '=', `DSA-${count}`)
    .executeTakeFirstOrThrow()
  const { incident } = await explainFinding(db, { workspaceId, findingId, now })
  const exploited = async (id: string) => {
    const { affected } = await describeVulnerability(db, workspaceId, id, now)
    return affected.find((one) => one.findingId === findingId)?.exploitedExactly
  }
  return {
    finding: incident.obstacle ?? 'opens',
    first: await exploited(first),
    second: await exploited(second),
    notice: await exploited(`DSA-${count}`),
  }
}

/** What is held back now, and by which document. */
const held = () =>
  db
    .selectFrom('suppressed_opening')
    .select(['vuln_key', 'document_id'])
    .where('workspace_id', '=', company.workspaceId)
    .where('ended_at', 'is', null)
    .orderBy('vuln_key')
    .execute()

test.each(['the notice', 'a record of its own'])(
  'a document that was stored before the listing holds it back, whichever job comes first: %s',
  async (named) => {
    if (named === 'a record of its own')
      await arrivals.load(
        record(`GHSA-3333-xxxx-${String(count).padStart(4, '2')}`, `npm/${name}`, { aliases: [first] }),
      )
    await upload()
    const documentId = await send(first)
    await arrivals.list(first)
    // what other processes do while the job of the document waits
    await refreshExploited(db, arrivals.tick())
    await openIncidents(
      db,
      { workspaceId: company.workspaceId, familyIds: [company.familyId] },
      arrivals.tick(),
    )
    expect(await opened()).toEqual([])
    await arrivals.work()
    expect(await opened()).toEqual([])
    expect(await held()).toEqual([{ vuln_key: first, document_id: documentId }])
  },
)

test('of a notice, a document holds back the incident of the one that it declares away, with its trace', async () => {
  const documentId = await declare(first)
  await upload()
  await list(first)
  expect(await opened()).toEqual([])
  expect(await held()).toEqual([{ vuln_key: first, document_id: documentId }])
  expect(await told()).toEqual({ finding: 'declared', first: false, second: false, notice: false })
  await list(second)
  expect(await opened()).toEqual([second])
  expect(await told()).toEqual({ finding: 'opens', first: false, second: true, notice: true })
  await withdraw(documentId)
  expect(await opened()).toEqual([first, second])
  expect(await held()).toEqual([])
  expect(await told()).toEqual({ finding: 'opens', first: true, second: true, notice: true })
})

test('of a notice, each is held back by the document about it, and opens when that one ends', async () => {
  const [one, other] = [await declare(first), await declare(second, 'hosted_ci')]
  await upload()
  await list(first)
  await list(second)
  expect(await opened()).toEqual([])
  expect(await held()).toEqual([
    { vuln_key: first, document_id: one },
    { vuln_key: second, document_id: other },
  ])
  await withdraw(other)
  expect(await opened()).toEqual([second])
  expect(await held()).toEqual([{ vuln_key: first, document_id: one }])
})

test('the record of its own and the notice, held back by two documents, are one trace until one of them ends', async () => {
  const ghsa = `GHSA-4444-xxxx-${String(count).padStart(4, '2')}`
  await arrivals.load(record(ghsa, `npm/${name}`, { aliases: [first] }))
  await upload()
  const ofNotice = await declare(first)
  const ofRecord = await declare(ghsa, 'hosted_ci')
  await list(first)
  expect(await opened()).toEqual([])
  const [trace, ...others] = await held()
  expect(others).toEqual([])
  expect(trace?.vuln_key).toBe(first)
  expect([ofNotice, ofRecord]).toContain(trace?.document_id)
  await arrivals.list(second)
  await arrivals.work()
  expect(await held()).toEqual([trace])
  expect(await opened()).toEqual([second])
  await withdraw(ofNotice)
  expect(await opened()).toEqual([first, second])
  expect(await held()).toEqual([])
})

test('a product that is archived is neither listed nor counted, and is again once it is restored', async () => {
  const { workspaceId, familyId } = company
  const shown = async () => {
    const asking = { workspaceId, personId: olga, role: 'owner' } as const
    const { suppressed } = await describeOverview(db, asking, arrivals.tick())
    const { rows, total } = await listSuppressed(db, { workspaceId })
    return { counted: suppressed, total, listed: rows.map(({ vulnKey }) => vulnKey) }
  }
  const olga = await addMember(db, workspaceId)
  const act = () => ({ workspaceId, familyId, actor: tester, now: arrivals.tick() })
  await declare(first)
  await upload()
  await list(first)
  expect(await shown()).toEqual({ counted: 1, total: 1, listed: [first] })
  await archiveFamily(db, act())
  await arrivals.work()
  expect(await shown()).toEqual({ counted: 0, total: 0, listed: [] })
  await restoreFamily(db, act())
  await arrivals.work()
  expect(await shown()).toEqual({ counted: 1, total: 1, listed: [first] })
  await archiveFamily(db, act())
  await deleteFamily(db, { ...act(), confirmName: 'Pump' })
  expect(await shown()).toEqual({ counted: 0, total: 0, listed: [] })
})

test('of a notice, a member’s word on the other one neither opens it nor holds it back', async () => {
  await arrivals.load(
    record(`GHSA-2222-xxxx-${String(count).padStart(4, '2')}`, `npm/${name}`, { aliases: [first] }),
  )
  await upload()
  const finding = await db
    .selectFrom('finding')
    .innerJoin('vulnerability_group', 'vulnerability_group.id', 'finding.group_id')
    .select('finding.id')
    .where('workspace_id', '=', company.workspaceId)
    .where('vulnerability_group.title_id', '=', first)
    .executeTakeFirstOrThrow()
  const olga = await addActor(db, company.workspaceId)
  await decideFindings(
    db,
    { workspaceId: company.workspaceId, actor: olga, now: arrivals.tick() },
    {
      findingIds: [finding.id],
      verdict: 'not_affected',
      justification: 'component_not_present',
      everyVersion: false,
    },
  )
  const documentId = await declare(second)
  await list(second)
  expect(await opened()).toEqual([])
  expect(await held()).toEqual([{ vuln_key: second, document_id: documentId }])
  await list(first)
  expect(await opened()).toEqual([first])
})

test('the timeline of an incident on one of a notice says what documents declare of its own, and nothing of the other', async () => {
  await upload()
  await list(first)
  const said = async () =>
    (
      await db
        .selectFrom('incident_entry')
        .select(['kind', sql<string>`data ->> 'documentId'`.as('documentId')])
        .where('workspace_id', '=', company.workspaceId)
        .where('kind', 'in', ['declared', 'undeclared'])
        .orderBy('id')
        .execute()
    ).map(({ kind, documentId }) => [kind, documentId])
  const other = await declare(second)
  expect(await said()).toEqual([])
  const own = await declare(first, 'hosted_ci')
  expect(await said()).toEqual([['declared', own]])
  await withdraw(other)
  expect(await said()).toEqual([['declared', own]])
  await withdraw(own)
  expect(await said()).toEqual([
    ['declared', own],
    ['undeclared', own],
  ])
})
