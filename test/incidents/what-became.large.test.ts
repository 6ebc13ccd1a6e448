import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import type { Db } from '../../src/database/connection.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { closeIncident } from '../../src/incidents/closing/close-incident.ts'
import { reopenIncident } from '../../src/incidents/closing/reopen-incident.ts'
import { decideDetermination } from '../../src/incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { withdrawDocument } from '../../src/vex/documents/withdraw-document.ts'
import { selectEvidence } from '../../src/views/evidence-file/select-evidence.ts'
import { later } from '../support/clock.ts'
import { createCompany, type Company } from '../support/company.ts'
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
/** Used by this test only. */
let cve: string
let name: string

beforeEach(async () => {
  count += 1
  company = await createCompany(db, `acme-${count}`)
  cve = `CVE-2025-${count + 1_000}`
  name = `pump-lib-${count}`
})

const publish = () =>
  arrivals.load(
    record(`GHSA-${String(count).padStart(4, '2')}-xxxx-yyyy`, `npm/${name}`, {
      aliases: [cve],
      modified: arrivals.now().toISOString(),
    }),
  )

async function list(): Promise<void> {
  await arrivals.list(cve)
  await arrivals.work()
}

/** An SBOM of product version 1.0 with these components. */
const upload = (...components: [string, string][]) => arrivals.upload(company, components)

type Said = { status?: 'not_affected' | 'affected' | 'fixed'; id?: string; of?: string[] }

async function declare({ status = 'not_affected', id = `urn:vex:${count}`, of = ['1.0.0'] }: Said = {}) {
  const more = {
    not_affected: { justification: 'component_not_present' },
    affected: { action_statement: 'Update.' },
    fixed: {},
  }[status]
  const statement = {
    vulnerability: { name: cve },
    products: of.map((version) => ({ '@id': `pkg:npm/${name}@${version}` })),
    status,
    ...more,
  }
  const body = openVex({ id, version: scene.serial(), statement })
  const receipt = await scene.uploadedVex(body, { token: await scene.token(company) })
  await arrivals.work()
  return receipt.id
}

async function withdraw(documentId: string): Promise<void> {
  await withdrawDocument(db, { ...company, documentId, actor: tester, now: arrivals.tick() })
  await arrivals.work()
}

/** Runs every job of the family again. */
async function again(): Promise<void> {
  const { workspaceId, familyId } = company
  await db
    .insertInto('job')
    .values({
      kind: 'open_incidents',
      key: familyId,
      workspace_id: workspaceId,
      state: 'waiting',
      payload: JSON.stringify({ workspaceId, familyId }),
      run_at: arrivals.now(),
      created_at: arrivals.now(),
      max_attempts: 5,
    })
    .execute()
  await arrivals.work()
}

const person = async (who: string) => addActor(db, company.workspaceId, { name: who })

async function incidentId(): Promise<string> {
  const { id } = await db
    .selectFrom('incident')
    .select('id')
    .where('workspace_id', '=', company.workspaceId)
    .executeTakeFirstOrThrow()
  return id
}

/** Timeline entries of the evidence file after its opening, with their authors. */
async function lines(): Promise<string[]> {
  const asked = { workspaceId: company.workspaceId, incidentId: await incidentId() }
  const { timeline } = await selectEvidence(db, {
    ...asked,
    by: 'Liam',
    now: arrivals.now(),
    switchedOff: [],
  })
  return timeline.slice(1).map(({ actor, text }) => `${actor}: ${text}`)
}

const by = (text: string) => `SBOM Monitor: ${text}`
const lib = (version = '1.0.0'): [string, string] => [name, version]
const other: [string, string] = ['harmless', '1.0.0']

describe('the timeline tells what becomes of an affected component:', () => {
  test('once for each document that declares it away, and for the end of its word', async () => {
    await publish()
    await list()
    await upload(lib())
    expect(await lines()).toEqual([])
    const document = await declare()
    const declared = by(
      `Declared not affected by the VEX document urn:vex:${count}: ${name} 1.0.0 in version 1.0.`,
    )
    expect(await lines()).toEqual([declared])
    await declare({ id: 'urn:vex:again' })
    await again()
    expect(await lines()).toEqual([declared])
    await withdraw(document)
    expect(await lines()).toEqual([declared])
    await declare({ status: 'fixed', id: 'urn:vex:again' })
    const fixed = by(`Declared fixed by the VEX document urn:vex:again: ${name} 1.0.0 in version 1.0.`)
    expect(await lines()).toEqual([declared, fixed])
    await declare({ status: 'affected', id: 'urn:vex:again' })
    const ended = by(
      `No longer declared fixed by the VEX document urn:vex:again: ${name} 1.0.0 in version 1.0.`,
    )
    expect(await lines()).toEqual([declared, fixed, ended])
  })

  test('once when it leaves the active SBOM and when it comes back, and what was declared goes on', async () => {
    await publish()
    await list()
    await upload(lib())
    const document = await declare()
    await upload(other)
    await again()
    const gone = by(`No longer in the active SBOM: ${name} 1.0.0 in version 1.0.`)
    expect((await lines()).slice(1)).toEqual([gone])
    await upload(other, ['harmless-too', '1.0.0'])
    expect((await lines()).slice(1)).toEqual([gone])
    await upload(lib())
    const back = by(`Back in the active SBOM: ${name} 1.0.0 in version 1.0.`)
    expect((await lines()).slice(1)).toEqual([gone, back])
    await upload(other)
    await withdraw(document)
    await upload(lib())
    const ended = by(
      `No longer declared not affected by the VEX document urn:vex:${count}: ${name} 1.0.0 in version 1.0.`,
    )
    expect((await lines()).slice(1)).toEqual([gone, back, gone, ended, back])
  })

  test('a component that stays while its record is withdrawn has not left the SBOM', async () => {
    await publish()
    await list()
    await upload(lib())
    await arrivals.load(
      record(`GHSA-${String(count).padStart(4, '2')}-xxxx-yyyy`, `npm/${name}`, {
        aliases: [cve],
        modified: arrivals.tick().toISOString(),
        withdrawn: arrivals.now().toISOString(),
      }),
    )
    await arrivals.work()
    await again()
    expect((await lines()).filter((line) => line.includes('SBOM:') && line.includes(name))).toEqual([])
  })

  test('several at once are one line, which names the first twenty', async () => {
    await publish()
    await list()
    const versions = Array.from({ length: 25 }, (_, index) => `1.0.${index}`)
    await upload(...versions.map(lib))
    await declare({ of: versions })
    const rows = await db
      .selectFrom('incident_entry')
      .select(['kind', 'data'])
      .where('incident_id', '=', await incidentId())
      .where('kind', '=', 'declared')
      .execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.data).toMatchObject({ verdict: 'not_affected', document: `urn:vex:${count}`, count: 25 })
    expect(rows[0]?.data['matches']).toHaveLength(20)
    expect(rows.map(entryWords)[0]).toContain(', 20 more')
  })
})

describe('of an incident that a member opened on what no catalogue lists', () => {
  test('a member’s word and its end', async () => {
    await publish()
    await upload(lib())
    const act = async () => ({
      workspaceId: company.workspaceId,
      actor: await person('Olga'),
      now: arrivals.tick(),
    })
    const title = 'Exploited at a customer'
    const given = { kind: 'vulnerability' as const, title, vulnerability: cve, families: [company.familyId] }
    await openManually(db, await act(), { ...given, awareAt: later(0).toISOString() })
    const { id } = await db
      .selectFrom('finding')
      .select('id')
      .where('workspace_id', '=', company.workspaceId)
      .executeTakeFirstOrThrow()
    const decide = async (verdict: 'not_affected' | 'affected') => {
      const why = verdict === 'affected' ? {} : { justification: 'component_not_present' as const }
      await decideFindings(db, await act(), { findingIds: [id], verdict, ...why, everyVersion: false })
      await arrivals.work()
    }
    await decide('not_affected')
    await decide('not_affected')
    await decide('affected')
    await upload(other)
    expect(await lines()).toEqual([
      by(`Declared not affected by the verdict of Olga: ${name} 1.0.0 in version 1.0.`),
      by(`No longer declared not affected by the verdict of a member: ${name} 1.0.0 in version 1.0.`),
      by(`No longer in the active SBOM: ${name} 1.0.0 in version 1.0.`),
    ])
  })
})

test('a closed incident gets no lines; a reopened one those of what has become meanwhile', async () => {
  await publish()
  await list()
  await upload(lib())
  const [olga, per] = [await person('Olga'), await person('Per')]
  const act = { workspaceId: company.workspaceId, incidentId: await incidentId(), actor: olga }
  const reasoning = 'The vulnerable function is not part of what we ship.'
  const determinationId = await recordDetermination(
    db,
    { ...act, now: arrivals.tick() },
    { value: 'not_affected', reasoning },
  )
  await decideDetermination(
    db,
    { ...act, actor: per, determinationId, now: arrivals.tick() },
    { approve: true },
  )
  await closeIncident(db, { ...act, now: arrivals.tick() }, { reason: 'Nothing to report.' })
  await declare()
  await upload(other)
  expect((await lines()).at(-1)).toContain('Closed')
  await reopenIncident(db, { ...act, now: arrivals.tick() }, { as: 'same_facts', reason: reasoning })
  await arrivals.work()
  expect((await lines()).at(-1)).toBe(by(`No longer in the active SBOM: ${name} 1.0.0 in version 1.0.`))
})
