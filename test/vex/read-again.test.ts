import pino, { type Logger } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readVexEarlier } from '../../src/cli/stored-files/start-reading-vex.ts'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { refreshVersions } from '../../src/findings/refresh/refresh-findings.ts'
import { vexGeneration } from '../../src/formats/vex/generation.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import type { Parser } from '../../src/parser/client.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { startInnerParser } from '../support/inner-parser.ts'
import { readAs } from '../support/read-as.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { fixedIn, loadRecords } from '../matching/match-support.ts'

/** VEX documents that an earlier release stored, whose readers took the version of a branch, or a range, for every version. */

let scene: UploadScene
let parser: Parser
const silent = pino({ level: 'silent' })
const ids = ['CVE-2025-4001', 'CVE-2025-4002', 'CVE-2025-4003']
const [here = '', elsewhere = '', ranged = ''] = ids

beforeAll(async () => {
  scene = await UploadScene.open()
  parser = startInnerParser({ ...scene.database, log: silent, now: () => testNow })
  const records = ids.map((id) => ({ ...fixedIn(`GHSA-${id}`, 'npm', 'left', '9.0.0'), aliases: [id] }))
  await loadRecords(scene.database.db, ...records)
})
afterAll(async () => {
  await parser.close(1_000)
  await scene.close()
})

const branch = (id: string, version: string) => ({
  category: 'product_version',
  name: version,
  product: { product_id: id, name: id, product_identification_helper: { purl: 'pkg:npm/left' } },
})

const csaf = (title = 'Left') =>
  JSON.stringify({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title,
      publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
      tracking: { id: 'A-1', current_release_date: '2026-01-01T00:00:00Z' },
    },
    product_tree: { branches: [branch(here, '1.0.0'), branch(elsewhere, '2.0.0')] },
    vulnerabilities: [here, elsewhere].map((id) => ({
      cve: id,
      product_status: { known_not_affected: [id] },
    })),
  })

const left = {
  'bom-ref': 'left',
  type: 'library',
  name: 'left',
  version: '1.0.0',
  purl: 'pkg:npm/left@1.0.0',
}

/** What an SBOM states itself: `ranged` is not affected from 2.0.0 on. */
const stated = [
  {
    id: ranged,
    analysis: { state: 'not_affected' },
    affects: [{ ref: 'left', versions: [{ range: '>=2.0.0', status: 'affected' }] }],
  },
]

async function uploaded(slug: string, vex: string | null) {
  const { db } = scene.database
  const company = await createCompany(db, slug)
  const { workspaceId, familyId } = company
  const token = await scene.token(company)
  const results = await createFamilyToken(db, company, { kind: 'results' })
  const sbom = cyclonedx({ version: scene.serial(), components: [left], vulnerabilities: stated })
  const { id: sbomId } = await scene.uploaded(sbom, { token })
  if (vex !== null) await scene.uploadedVex(vex, { token })
  await drain(db, testNow)
  return { workspaceId, familyId, sbomId, secret: results.secret, token }
}
type Uploaded = Awaited<ReturnType<typeof uploaded>>

/** The ids of findings that nothing has settled. */
async function open({ sbomId, secret }: Uploaded): Promise<string[]> {
  const { body } = await call(`${scene.http.url}/api/v1/sboms/${sbomId}?worst=500`, { token: secret })
  return (readAs(SbomResult, body).worst ?? []).map(({ id }) => id).toSorted()
}

/** As a release left it that read no versions. */
async function asReadEarlier({ familyId, workspaceId }: Uploaded): Promise<void> {
  const { db } = scene.database
  await db.updateTable('vex_target').set({ versions: null }).where('family_id', '=', familyId).execute()
  const before = { reading_generation: 0 }
  await db.updateTable('vex_document').set(before).where('workspace_id', '=', workspaceId).execute()
  await refreshed({ familyId, workspaceId })
}

async function refreshed(family: { workspaceId: string; familyId: string }): Promise<void> {
  await refreshVersions(scene.database.db, family, testNow)
}

async function upgraded(
  others: { log?: Logger; parser?: Parser; unreadable?: Set<string> } = {},
): Promise<number> {
  const { db } = scene.database
  const process = { db, now: () => testNow, log: silent, originals: originalsInDatabase, parser }
  const read = await readVexEarlier({
    ...process,
    unreadable: new Set<string>(),
    ...others,
    signal: new AbortController().signal,
  })
  await drain(db, testNow)
  return read
}

const documents = (workspaceId: string) =>
  scene.database.db
    .selectFrom('vex_document')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
const statements = (familyId: string) =>
  scene.database.db
    .selectFrom('vex_statement')
    .selectAll()
    .where('family_id', '=', familyId)
    .orderBy('document_id')
    .orderBy('number')
    .execute()

it('settles what it would settle if it were sent now, in documents that were sent and in those of SBOMs', async () => {
  const product = await uploaded('settles', csaf())
  expect(await open(product)).toEqual([elsewhere, ranged])
  const fresh = await documents(product.workspaceId)
  const said = await statements(product.familyId)
  await asReadEarlier(product)
  expect(await open(product)).toEqual([])
  expect(await upgraded()).toBe(2)
  expect(await open(product)).toEqual([elsewhere, ranged])
  expect(await documents(product.workspaceId)).toEqual(fresh)
  expect(await statements(product.familyId)).toEqual(said)
  expect(await upgraded()).toBe(0)
})

it('keeps the numbers of statements, which traces name, and what links into an SBOM were found to mean', async () => {
  const { db } = scene.database
  const product = await uploaded('numbers', null)
  const serialNumber = 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79'
  const link = (version: number) => ({
    id: elsewhere,
    analysis: { state: 'not_affected' },
    affects: [{ ref: `urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/${version}#left` }],
  })
  const { token } = product
  await scene.uploaded(cyclonedx({ serialNumber, version: 1, components: [left] }), { token })
  await scene.uploadedVex(
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', vulnerabilities: [link(2), link(1)] }),
    { token },
  )
  await drain(db, testNow)
  const bound = async () =>
    (await statements(product.familyId))
      .filter(({ pointer }) => pointer.startsWith('/vulnerabilities'))
      .map(({ number, pointer, unbound_reason: reason }) => [number, pointer, reason])
  const found = () =>
    db.selectFrom('vex_link').selectAll().where('family_id', '=', product.familyId).execute()
  await asReadEarlier(product)
  // in the other order, and the SBOM is there no more
  for (const table of ['vex_target', 'vex_claim', 'vex_statement', 'vex_link'] as const) {
    await db
      .updateTable(table)
      .set((set) => ({ number: set('number', '+', 40) }))
      .where('family_id', '=', product.familyId)
      .execute()
  }
  await db.updateTable('sbom').set({ document_id: null }).where('family_id', '=', product.familyId).execute()
  const [before, links, counted] = [await bound(), await found(), await documents(product.workspaceId)]
  expect(links).toHaveLength(1)
  expect(await upgraded()).toBe(1)
  expect(await bound()).toEqual(before)
  expect(await found()).toEqual(links)
  expect(await documents(product.workspaceId)).toEqual(
    counted.map((row) => (row.sbom_id === null ? { ...row, reading_generation: vexGeneration } : row)),
  )
})

it('stays as it is when it cannot be read, which one line of a round tells, or is no longer in force', async () => {
  const { db } = scene.database
  const [gone, withdrawn] = [await uploaded('gone', csaf('Gone')), await uploaded('taken', csaf('Taken'))]
  const rows = db.updateTable('vex_document').where('sbom_id', 'is', null)
  await asReadEarlier(gone)
  await rows
    .set({ raw: Buffer.from('no document') })
    .where('workspace_id', '=', gone.workspaceId)
    .execute()
  await asReadEarlier(withdrawn)
  await rows.set({ withdrawn_at: testNow }).where('workspace_id', '=', withdrawn.workspaceId).execute()
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const unreadable = new Set<string>()
  // both SBOMs' own
  expect(await upgraded({ log, unreadable })).toBe(2)
  const generations = async ({ workspaceId }: Uploaded) =>
    (await documents(workspaceId)).map((row) => [row.sbom_id !== null, row.reading_generation])
  for (const product of [gone, withdrawn]) {
    expect(new Set(await generations(product))).toEqual(
      new Set([
        [true, vexGeneration],
        [false, 0],
      ]),
    )
  }
  expect(await open(gone)).toEqual([ranged])
  expect(lines).toEqual([expect.stringContaining([...unreadable].join())])
  expect(unreadable.size).toBe(1)
})

it('is done once where two processes are at it, and not for a document that is replaced while it is read', async () => {
  const product = await uploaded('twice', csaf('Twice'))
  await asReadEarlier(product)
  const during: Parser = {
    ...parser,
    run: async (job) => {
      await scene.database.db
        .updateTable('vex_document')
        .set({ withdrawn_at: testNow })
        .where('workspace_id', '=', product.workspaceId)
        .execute()
      return parser.run(job)
    },
  }
  await upgraded({ parser: during })
  expect((await documents(product.workspaceId)).map((row) => row.reading_generation)).toEqual([0, 0])
  await scene.database.db
    .updateTable('vex_document')
    .set({ withdrawn_at: null })
    .where('workspace_id', '=', product.workspaceId)
    .execute()
  await Promise.all([upgraded(), upgraded()])
  expect(await open(product)).toEqual([elsewhere, ranged])
})
