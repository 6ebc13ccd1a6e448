import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeIdentities } from '../../src/sbom/components/write-identities.ts'
import { purgeFamilySboms } from '../../src/sbom/purge-family.ts'
import { purgeFamilyVex } from '../../src/vex/purge-family.ts'
import { DependencyTrack } from '../support/dependency-track.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
})

afterAll(() => scene.close())

/** A scanner's upload: components, findings without a verdict, and one with a verdict. */
function scanned(vulnerabilities: unknown = defaultEntries, version = '1.0'): string {
  return cyclonedx({
    serialNumber: `urn:uuid:00000000-0000-4000-a000-${String(scene.serial()).padStart(12, '0')}`,
    metadata: { component: { type: 'application', name: 'pump', version } },
    components: [{ type: 'library', name: 'a', version: '1', 'bom-ref': 'a', purl: 'pkg:npm/a@1' }],
    vulnerabilities,
  })
}

const defaultEntries = [
  { id: 'CVE-2026-1', affects: [{ ref: 'a' }] },
  { id: 'CVE-2026-2', affects: [{ ref: 'a' }], analysis: { state: 'not_affected', detail: 'not reachable' } },
]

const documentsOf = (sbomId: string) =>
  scene.database.db.selectFrom('vex_document').selectAll().where('sbom_id', '=', sbomId).execute()

it('scanner findings inside an SBOM are its own VEX document', async () => {
  const body = scanned()
  const receipt = await scene.uploaded(body, { headers: { 'x-service-source': 'hosted_ci' } })
  const sbom = await scene.sbomRow(receipt.id)
  const [document, ...others] = await documentsOf(receipt.id)
  expect(others).toEqual([])
  expect(document).toMatchObject({
    workspace_id: scene.company.workspaceId,
    family_id: scene.company.familyId,
    version_id: sbom.version_id,
    sha256: sbom.sha256,
    format: 'cyclonedx',
    source: 'hosted_ci',
    sent_by: 'ci',
    statement_count: 1,
    finding_count: 1,
    raw: null,
    size_bytes: Buffer.byteLength(body),
  })
  const { rows } = await scene.database.pool.query(
    `select s.number, s.kind, s.verdict, c.vulnerability_id, t.purl_key
     from vex_statement s join vex_claim c using (document_id, number) join vex_target t using (document_id, number)
     where s.document_id = $1 order by number`,
    [document?.id],
  )
  expect(rows).toEqual([
    {
      number: 1,
      kind: 'statement',
      verdict: 'not_affected',
      vulnerability_id: 'CVE-2026-2',
      purl_key: 'npm/a',
    },
    { number: 2, kind: 'finding', verdict: null, vulnerability_id: 'CVE-2026-1', purl_key: 'npm/a' },
  ])
})

it('an SBOM that says nothing has none', async () => {
  for (const body of [scanned(null), scanned([]), scene.sbom()]) {
    expect(await documentsOf((await scene.uploaded(body)).id)).toEqual([])
  }
})

it('is replaced neither by documents of the same source and version nor by the next SBOM’s', async () => {
  const version = `slot-${scene.serial()}`
  const headers = { 'x-service-version': version }
  const first = await scene.uploaded(scanned(defaultEntries, version))
  expect((await scene.uploadedVex(scene.vex(), { headers })).replaced).toBe(0)
  const second = await scene.uploaded(scanned(defaultEntries, version))
  for (const { id } of [first, second]) {
    expect(await documentsOf(id)).toMatchObject([{ replaced_by: null, withdrawn_at: null }])
  }
})

it('the same bytes may come to /vex, too', async () => {
  const body = scanned()
  await scene.uploaded(body)
  expect(await scene.uploadVex(body)).toMatchObject({
    status: 202,
    body: { statements: 1, findings: 1, replaced: 0 },
  })
})

it('a broken entry refuses the SBOM as its structure does', async () => {
  const refused = [
    [{ id: 'CVE-1', affects: [{ ref: 1 }] }],
    [{ id: 'CVE-1', analysis: { state: 'fine' } }],
    {},
  ]
  for (const entries of refused) {
    expect(await scene.upload(scanned(entries))).toMatchObject({
      status: 400,
      body: { error: 'invalid_sbom' },
    })
  }
})

it('of more than 100 000 entries none is kept, and the SBOM says so', async () => {
  const entries = (count: number) => Array.from({ length: count }, () => ({ id: 'CVE-2026-1' }))
  const full = await scene.uploaded(scanned(entries(100_000)))
  expect(await documentsOf(full.id)).toMatchObject([{ finding_count: 100_000 }])
  const over = await scene.uploaded(scanned(entries(100_001)))
  expect(await documentsOf(over.id)).toEqual([])
  const hints = (await scene.sbomRow(over.id)).hints
  expect(hints).toContainEqual(expect.objectContaining({ code: 'vulnerabilities_left_out' }))
})

it('goes with a deleted family', async () => {
  const { db } = scene.database
  const token = await scene.token(scene.other)
  await scene.uploaded(scanned(), { token })
  await scene.uploadedVex(scene.vex(), { token })
  expect((await scene.uploadedVex(scene.vex(), { token })).replaced).toBe(1)
  const platform = new DependencyTrack('4.13', { url: scene.http.url, token })
  await platform.test('BOM_PROCESSED')
  await platform.bom('BOM_PROCESSED', '<bom/>')
  await writeIdentities(db, { ...scene.other, now: testNow })
  await db.transaction().execute(async (tx) => {
    await purgeFamilyVex(tx, scene.other.workspaceId, scene.other.familyId)
    await purgeFamilySboms(tx, scene.other.workspaceId, scene.other.familyId)
  })
  const tables = [
    'vex_document',
    'vex_statement',
    'vex_claim',
    'vex_target',
    'connector_refusal',
    'connector_test',
  ] as const
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select('workspace_id')
      .where('family_id', '=', scene.other.familyId)
      .execute()
    expect(rows).toEqual([])
  }
})
