import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { closeIncident } from '../../src/incidents/closing/close-incident.ts'
import { decideDetermination } from '../../src/incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { withdrawDocument } from '../../src/vex/documents/withdraw-document.ts'
import { archiveFamily, restoreFamily } from '../../src/products/families/change-family.ts'
import { describeIncident } from '../../src/incidents/reads/describe-incident.ts'
import { createCompany, type Company } from '../support/company.ts'
import { later } from '../support/clock.ts'
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
let bystander: Company
/** Used by this test only. */
let cve: string
let ghsa: string
let name: string

beforeEach(async () => {
  count += 1
  company = await createCompany(db, `acme-${count}`)
  bystander = await createCompany(db, `beta-${count}`)
  cve = `CVE-2025-${count + 1_000}`
  ghsa = `GHSA-${String(count).padStart(4, '2')}-xxxx-yyyy`
  name = `pump-lib-${count}`
})

const publish = (aliases: string[], more: Record<string, unknown> = {}) =>
  arrivals.load(record(ghsa, `npm/${name}`, { aliases, modified: arrivals.now().toISOString(), ...more }))

const purl = (version: string, of = name) => `pkg:npm/${of}@${version}`

const upload = (version = '1.0.0', { to = company, product = '1.0' } = {}) =>
  arrivals.upload(to, [[name, version]], product)

async function declare(status: 'not_affected' | 'affected', id = `urn:vex:${count}`): Promise<string> {
  const statement = {
    vulnerability: { name: cve },
    products: [{ '@id': purl('1.0.0') }],
    status,
    ...(status === 'affected' ? { action_statement: 'Update.' } : { justification: 'component_not_present' }),
  }
  const body = openVex({ id, version: scene.serial(), statement })
  const receipt = await scene.uploadedVex(body, { token: await scene.token(company) })
  await arrivals.work()
  return receipt.id
}

const incidentsOf = ({ workspaceId }: Company) =>
  db.selectFrom('incident').selectAll().where('workspace_id', '=', workspaceId).orderBy('reference').execute()
const keys = async (of = company) => (await incidentsOf(of)).map(({ vuln_key }) => vuln_key)

async function entries(incidentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('incident_entry')
    .select('kind')
    .where('incident_id', '=', incidentId)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

const held = () =>
  db
    .selectFrom('suppressed_opening')
    .select(['vuln_key', 'ended_at'])
    .where('workspace_id', '=', company.workspaceId)
    .execute()

const person = async (who: string) => addActor(db, company.workspaceId, { name: who })

describe('what arrives last', () => {
  test('an alias opens the incident, and another workspace gets none', async () => {
    await arrivals.list(cve)
    await publish([])
    await upload()
    await upload('3.0.0', { to: bystander })
    expect(await keys()).toEqual([])
    await publish([cve])
    await arrivals.work()
    expect(await incidentsOf(company)).toMatchObject([
      { reference: 'INC-2026-0001', vuln_key: cve, aliases: [ghsa], source: 'kev', aware_at: arrivals.now() },
    ])
    expect(await keys(bystander)).toEqual([])
    expect(await entries((await incidentsOf(company))[0]?.id ?? '')).toEqual(['opened'])
  })

  test('another workspace with the same component has an incident of its own, with its own number', async () => {
    await arrivals.list(cve)
    await publish([cve])
    await upload()
    await upload('1.0.0', { to: bystander })
    for (const each of [company, bystander])
      expect(await incidentsOf(each)).toMatchObject([{ reference: 'INC-2026-0001', vuln_key: cve }])
  })

  test('the withdrawal of a document that held it back opens it', async () => {
    await publish([cve])
    await arrivals.list(cve)
    const document = await declare('not_affected')
    await upload()
    expect(await keys()).toEqual([])
    expect(await held()).toEqual([{ vuln_key: cve, ended_at: null }])
    await withdrawDocument(db, { ...company, documentId: document, actor: tester, now: arrivals.tick() })
    await arrivals.work()
    expect(await keys()).toEqual([cve])
    expect((await held()).map(({ ended_at }) => ended_at)).toEqual([arrivals.now()])
  })

  test('a later document that no longer declares it away opens it', async () => {
    await publish([cve])
    await arrivals.list(cve)
    await declare('not_affected')
    await upload()
    expect(await keys()).toEqual([])
    await declare('affected')
    expect(await keys()).toEqual([cve])
  })

  test('the return of an archived family opens what was listed meanwhile', async () => {
    await publish([cve])
    await upload()
    await archiveFamily(db, { ...company, actor: tester, now: arrivals.tick() })
    await arrivals.list(cve)
    await arrivals.work()
    expect(await keys()).toEqual([])
    await restoreFamily(db, { ...company, actor: tester, now: arrivals.tick() })
    await arrivals.work()
    expect(await incidentsOf(company)).toMatchObject([{ vuln_key: cve, aware_at: arrivals.now() }])
  })

  test('a second vulnerability of a notice opens a second incident', async () => {
    const second = `CVE-2024-${count + 1_000}`
    await publish([], { upstream: [cve, second] })
    await arrivals.list(cve)
    await upload()
    expect(await keys()).toEqual([cve])
    await arrivals.list(second)
    await arrivals.work()
    expect((await keys()).sort()).toEqual([second, cve].sort())
  })
})

describe('what closes or holds back nothing', () => {
  test('a document that declares it away after the opening', async () => {
    await publish([cve])
    await arrivals.list(cve)
    await upload()
    const reports = () =>
      db
        .selectFrom('regime_report')
        .select(['report', 'state', 'due_at'])
        .where('workspace_id', '=', company.workspaceId)
        .orderBy('report')
        .execute()
    const before = await reports()
    const documentId = await declare('not_affected')
    expect(await incidentsOf(company)).toMatchObject([{ vuln_key: cve, status: 'open' }])
    expect(await reports()).toEqual(before)
    expect(await held()).toEqual([])
    const asking = {
      workspaceId: company.workspaceId,
      personId: (await person('Olga')).id,
      role: 'viewer' as const,
    }
    const incidentId = (await incidentsOf(company))[0]?.id ?? ''
    const { vexDocuments } = await describeIncident(db, asking, { incidentId, now: arrivals.now() })
    expect(vexDocuments).toMatchObject([{ id: documentId, verdict: 'not_affected' }])
  })

  test('the withdrawal of the record that named the component, which its page tells from a component that is gone', async () => {
    await arrivals.list(cve)
    await publish([cve])
    await upload()
    await upload('1.0.0', { product: '2.0' })
    const asking = {
      workspaceId: company.workspaceId,
      personId: (await person('Olga')).id,
      role: 'viewer' as const,
    }
    const incidentId = (await incidentsOf(company))[0]?.id ?? ''
    const affected = async () => {
      const incident = await describeIncident(db, asking, { incidentId, now: arrivals.now() })
      return incident.affected.map((row) => [row.version, row.isPresent, row.isUnnamed])
    }
    await upload('2.0.0')
    expect(await affected()).toEqual([
      ['1.0', false, false],
      ['2.0', true, false],
    ])
    await publish([cve], { withdrawn: arrivals.now().toISOString() })
    await arrivals.work()
    expect(await affected()).toEqual([
      ['1.0', false, false],
      ['2.0', false, true],
    ])
    expect(await incidentsOf(company)).toMatchObject([{ status: 'open' }])
  })

  test('the word of a member', async () => {
    await publish([cve])
    await upload()
    const finding = await db
      .selectFrom('finding')
      .select('id')
      .where('workspace_id', '=', company.workspaceId)
      .executeTakeFirstOrThrow()
    const actor = await person('Olga')
    await decideFindings(
      db,
      { workspaceId: company.workspaceId, actor, now: arrivals.tick() },
      {
        findingIds: [finding.id],
        verdict: 'not_affected',
        justification: 'component_not_present',
        everyVersion: false,
      },
    )
    await arrivals.work()
    await arrivals.list(cve)
    await arrivals.work()
    expect(await keys()).toEqual([cve])
    expect(await held()).toEqual([])
  })
})

describe('a member’s word over that of a document', () => {
  test('holds nothing back any more: it opens, and waits for a determination', async () => {
    await publish([cve])
    await arrivals.list(cve)
    await declare('not_affected')
    await upload()
    expect(await keys()).toEqual([])
    const finding = await db
      .selectFrom('finding')
      .select('id')
      .where('workspace_id', '=', company.workspaceId)
      .executeTakeFirstOrThrow()
    const act = { workspaceId: company.workspaceId, actor: await person('Olga'), now: arrivals.tick() }
    await decideFindings(db, act, {
      findingIds: [finding.id],
      verdict: 'not_affected',
      justification: 'component_not_present',
      everyVersion: false,
    })
    await arrivals.work()
    expect(await keys()).toEqual([cve])
    expect((await held()).map(({ ended_at }) => ended_at)).toEqual([arrivals.now()])
  })
})

describe('after closing', () => {
  test('the same component opens nothing, a new one an incident that follows', async () => {
    await publish([cve])
    await arrivals.list(cve)
    await upload()
    const [first] = await incidentsOf(company)
    await close(first?.id ?? '')
    await upload('1.0.0', { product: '1.0' })
    expect(await incidentsOf(company)).toMatchObject([{ status: 'closed' }])
    await upload('1.1.0', { product: '1.0' })
    expect(await incidentsOf(company)).toMatchObject([
      { status: 'closed', follows: null },
      { status: 'open', follows: first?.id, vuln_key: cve },
    ])
    expect(await entries((await incidentsOf(company))[1]?.id ?? '')).toEqual(['opened', 'follow_up'])
  })
})

async function close(incidentId: string): Promise<void> {
  const olga = await person('Olga')
  const per = await person('Per')
  const act = { workspaceId: company.workspaceId, incidentId, actor: olga, now: arrivals.tick() }
  const reasoning = 'The vulnerable function is not part of what we ship.'
  const determinationId = await recordDetermination(db, act, { value: 'not_affected', reasoning })
  await decideDetermination(
    db,
    { ...act, actor: per, determinationId, now: arrivals.tick() },
    { approve: true },
  )
  await closeIncident(db, { ...act, now: arrivals.tick() }, { reason: 'Nothing to report.' })
}

/** What the workspace's bells say about incidents: the words of the notice, or the type of the event. */
async function told(): Promise<string[]> {
  const rows = await db
    .selectFrom('bell_entry')
    .select('fact')
    .where('workspace_id', '=', company.workspaceId)
    .orderBy('id')
    .execute()
  return rows
    .map(({ fact }) => (fact.type === 'incident.note' ? fact.data.what : fact.type))
    .filter((what) => what !== 'token.created')
}

describe('an incident that a member opened', () => {
  const open = async (vulnerability: string) =>
    openManually(
      db,
      { workspaceId: company.workspaceId, actor: await person('Olga'), now: arrivals.tick() },
      {
        kind: 'vulnerability',
        title: 'Exploited at a customer',
        vulnerability,
        families: [company.familyId],
        awareAt: later(0).toISOString(),
      },
    )

  test('is joined by an exact match, without an event, a new clock or another incident', async () => {
    await open(cve)
    await publish([cve])
    await arrivals.list(cve)
    await upload()
    const [incident, ...others] = await incidentsOf(company)
    expect(others).toEqual([])
    expect(incident).toMatchObject({ source: 'manual', aware_at: later(0) })
    expect(await entries(incident?.id ?? '')).toEqual(['opened', 'affected_added', 'listed'])
    expect(await told()).toEqual(['evidence_added'])
  })

  test('under another name than its CVE is joined once, however often it is looked at', async () => {
    await publish([])
    await upload()
    await open(ghsa)
    await publish([cve])
    await arrivals.list(cve)
    await arrivals.work()
    await upload('1.0.0', { product: '1.0' })
    const [incident, ...others] = await incidentsOf(company)
    expect(others).toEqual([])
    expect(await entries(incident?.id ?? '')).toEqual(['opened'])
    await close(incident?.id ?? '')
    await upload('1.0.0', { product: '1.0' })
    expect(await incidentsOf(company)).toHaveLength(1)
  })

  test('under another name than its CVE is followed by the one that a new component opens after closing', async () => {
    await publish([])
    await upload()
    await open(ghsa)
    const [first] = await incidentsOf(company)
    await close(first?.id ?? '')
    await publish([cve])
    await arrivals.list(cve)
    await arrivals.work()
    expect(await incidentsOf(company)).toHaveLength(1)
    await upload('1.1.0', { product: '1.0' })
    const [, second] = await incidentsOf(company)
    expect(second).toMatchObject({ vuln_key: cve, follows: first?.id })
  })

  test('and that was closed before a catalogue listed the vulnerability is not opened again, and its people are told', async () => {
    await publish([cve])
    await upload()
    await open(cve)
    const [incident] = await incidentsOf(company)
    await close(incident?.id ?? '')
    await arrivals.list(cve)
    await arrivals.work()
    expect(await incidentsOf(company)).toMatchObject([{ status: 'closed', listed_by: ['kev'] }])
    expect(await told()).toContain('listed_after_closing')
  })
})
