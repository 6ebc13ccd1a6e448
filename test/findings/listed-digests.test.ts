import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { loadRecords } from '../matching/match-support.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { addExploited } from '../support/records.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

/** Catalogues that list the record of a malicious package count where a component has the digest that this record states, and nowhere else. */

let scene: UploadScene
let count = 0
beforeAll(async () => {
  scene = await UploadScene.open()
})
beforeEach(() => {
  count += 1
})
afterAll(() => scene.close())

const digest = (of = 'package') => Buffer.from(`${of} ${count}`.padEnd(32, '.')).toString('hex')
const cve = () => `CVE-2026-${7_000 + count}`

const malicious = (id: string, aliases: string[], sha256 = digest()) => {
  const indicators = { package_integrity: [{ filename: 'evil-1.0.0.tgz', hashes: { sha256 } }] }
  const named = { package: { ecosystem: 'npm', name: `evil-${count}` }, versions: ['1.0.0'] }
  const affected = [{ ...named, database_specific: { indicators } }]
  return { id, modified: '2026-01-01T00:00:00Z', aliases, affected }
}

async function publish(...records: unknown[]): Promise<void> {
  await loadRecords(scene.database.db, ...records)
  await drain(scene.database.db, testNow)
}

/** A component without a version, with or without the digest. */
async function upload(of: 'company' | 'other', hashes: object[]): Promise<void> {
  const name = `harmless-${count}`
  const components = [{ type: 'library', name, purl: `pkg:npm/${name}`, hashes }]
  const token = await scene.token(scene[of])
  await scene.uploaded(cyclonedx({ version: scene.serial(), components }), { token })
  await drain(scene.database.db, testNow)
}

const withDigest = () => [{ alg: 'SHA-256', content: digest() }]

async function listed(): Promise<string[]> {
  const rows = await scene.database.db
    .selectFrom('finding')
    .innerJoin('component_identity', 'component_identity.id', 'finding.identity_id')
    .select(['workspace_id', 'grade', 'exploited_by'])
    .where('component_identity.package_key', 'like', `%harmless-${count}`)
    .execute()
  const nameOf = (id: string) => (id === scene.company.workspaceId ? 'company' : 'other')
  return rows.map((row) => [nameOf(row.workspace_id), row.grade, ...row.exploited_by].join(' ')).sort()
}

it('another product with that component, whose name may be affected, is not listed', async () => {
  const { db } = scene.database
  const named = { package: { ecosystem: 'npm', name: `harmless-${count}` }, versions: ['1.0.0'] }
  const id = `MAL-2026-${count}`
  const advisory = { id: `GHSA-${count}`, modified: '2026-01-01T00:00:00Z', aliases: [id], affected: [named] }
  await publish(malicious(id, [cve()]), advisory)
  await upload('company', withDigest())
  await upload('other', [])
  expect(await listed()).toEqual(['company exact', 'other possible'])
  await addExploited(db, { source: 'kev', cveId: cve() })
  await refreshExploited(db, testNow)
  expect(await listed()).toEqual(['company exact kev', 'other possible'])
  await drain(db, testNow)
  expect(await rematch(db, { now: testNow })).toMatchObject({ isConsistent: true })
  await db.deleteFrom('exploited').where('cve_id', '=', cve()).execute()
  await refreshExploited(db, testNow)
  expect(await listed()).toEqual(['company exact', 'other possible'])
})

it('of two records of one vulnerability, the one that states the digest decides', async () => {
  const { db } = scene.database
  const id = `MAL-2026-${count}`
  await publish(malicious(id, []), malicious(`${id}00`, [id, cve()], digest('another')))
  await upload('company', withDigest())
  await addExploited(db, { source: 'kev', cveId: cve() })
  await refreshExploited(db, testNow)
  expect(await listed()).toEqual(['company exact'])
  expect(await rematch(db, { now: testNow })).toMatchObject({ isConsistent: true })
})
