import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditAction } from '../../src/contract/audit/shapes.ts'
import { activateSbom, rematchSbom } from '../../src/contract/sbom/operations.ts'
import { restoreVexDocument, withdrawVexDocument } from '../../src/contract/vex/operations.ts'
import { exportComponents, exportFindings } from '../../src/contract/export-operations.ts'
import type { AppOperation } from '../../src/contract/operation.ts'
import type { PeopleScene } from '../people/people-scene.ts'
import { readOperations } from '../support/app-operations.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { api, as, family, idOf, openActs, sbom, tokens, vex } from './acts-scene.ts'
import type { Recorded } from './act.ts'
import { acts } from './acts.ts'
import { readAs, fieldOf } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'

let scene: PeopleScene

beforeAll(async () => {
  scene = await openActs()
}, 240_000)
afterAll(() => scene.close())

async function newestEvent(): Promise<number> {
  const { id } = await scene.database.db
    .selectFrom('audit_event')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/** The events recorded since, by action. */
async function recordedSince(event: number): Promise<Recorded[]> {
  const rows = await scene.database.db
    .selectFrom('audit_event')
    .select(['action', 'actor_kind', 'actor_name'])
    .where('id', '>', event)
    .orderBy('id')
    .execute()
  return rows.map((row) => [row.action, row.actor_kind, row.actor_name] as const)
}

const inOrder = (recorded: readonly Recorded[]) => [...recorded].map((row) => row.join(' ')).sort()

describe('the audit trail records with who did it', () => {
  it.each(acts)('$what', async ({ recorded, act }) => {
    const before = await newestEvent()
    const answer = await act()
    const status = fieldOf(answer, 'status')
    if (typeof status === 'number') expect(status).toBeLessThan(300)
    await drain(scene.database.db, scene.now)
    expect(inOrder(await recordedSince(before))).toEqual(inOrder(recorded))
  })
})

it('the audit trail names with an upload what it replaces', async () => {
  const rows = await scene.database.db
    .selectFrom('audit_event')
    .select(['actor_name', 'before'])
    .where('action', 'in', ['sbom.uploaded', 'vex.uploaded'])
    .orderBy('id')
    .execute()
  expect(rows.map((row) => [row.actor_name, row.before !== null])).toEqual([
    ['ci', false],
    ['ci', false],
    ['editor of acme', true],
    ['ci', true],
    ['editor of acme', false],
  ])
})

describe('the audit trail names', () => {
  const namesOf = async (actions: readonly AuditAction[]) => {
    const rows = await scene.database.db
      .selectFrom('audit_event')
      .select(['action', 'object_name'])
      .where('action', 'in', actions)
      .orderBy('id')
      .execute()
    return rows.map((row) => `${row.action}: ${row.object_name ?? 'nothing'}`)
  }

  it('SBOMs and VEX documents by family and version, whatever is done with them', async () => {
    const { db } = scene.database
    const { name } = await db
      .selectFrom('family')
      .select('name')
      .where('id', '=', family)
      .executeTakeFirstOrThrow()
    const versioned = { ...sbom(7), metadata: { component: { type: 'application', name, version: '7.0' } } }
    const first = readAs(SbomReceipt, (await api('POST', 'sboms', tokens.ci, versioned)).body)
    await api('POST', 'sboms', tokens.ci, { ...versioned, version: 8 })
    const document = readAs(VexReceipt, (await api('POST', 'vex?version=7.0', tokens.ci, vex(7))).body)
    await as('editor').call(activateSbom, { params: { sbom: first.id } })
    await db.updateTable('sbom').set({ status: 'failed' }).where('id', '=', first.id).execute()
    await as('editor').call(rematchSbom, { params: { sbom: first.id } })
    await as('editor').call(withdrawVexDocument, { params: { document: document.id } })
    await as('editor').call(restoreVexDocument, { params: { document: document.id } })
    await as('editor').ask(exportFindings, { params: { sbom: first.id }, query: { format: 'csv' } })
    await as('editor').ask(exportComponents, { params: { sbom: first.id }, query: { format: 'csv' } })
    const rows = await db
      .selectFrom('audit_event')
      .select(['action', 'object_name'])
      .where('object_id', 'in', [first.id, document.id])
      .orderBy('id')
      .execute()
    expect(rows.map((row) => `${row.action} ${row.object_name ?? 'nothing'}`)).toEqual(
      [
        ...['sbom.uploaded', 'vex.uploaded', 'sbom.activated', 'sbom.matching_ordered', 'vex.withdrawn'],
        ...['vex.restored', 'findings.exported', 'components.exported'],
      ].map((action) => `${action} ${name} 7.0`),
    )
    expect((await namesOf(['sbom.uploaded'])).slice(0, 2)).toEqual([
      `sbom.uploaded: ${name}`,
      `sbom.uploaded: ${name}`,
    ])
    await drain(scene.database.db, scene.now)
  })

  it('settings by the company', async () => {
    const { company_name: company } = await scene.database.db
      .selectFrom('workspace')
      .select('company_name')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow()
    const rows = await namesOf(['regimes.changed', 'disclosure.changed', 'advisory.settings_changed'])
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter((row) => !row.endsWith(`: ${company}`))).toEqual([])
  })
})

const lists = [...(await readOperations())].filter(
  ([, { method, answer }]) => method === 'GET' && typeof answer === 'object',
)

/** The objects of the table above, as path parameters. */
const things = ({ path }: AppOperation): Record<string, string> => {
  const known = { slug: 'acme', family, incident: idOf('incident'), number: '1', token: idOf('token') }
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  return {
    ...Object.fromEntries(names.map((name) => [name, '00000000-0000-7000-8000-00000000dead'])),
    ...known,
  }
}

describe('the audit trail records nothing of', () => {
  it.each(lists)('%s', async (_name, operation) => {
    const before = await newestEvent()
    const answer = await as('owner').ask(operation, { params: things(operation) })
    expect([200, 404]).toContain(answer.status)
    await drain(scene.database.db, scene.now)
    expect(await recordedSince(before)).toEqual([])
  })

  it('GET /api/v1/alert-destinations', async () => {
    const before = await newestEvent()
    const answer = await call(`${scene.http.url}/api/v1/alert-destinations`, { token: tokens.ops })
    expect(answer.status).toBe(200)
    expect(await recordedSince(before)).toEqual([])
  })
})
