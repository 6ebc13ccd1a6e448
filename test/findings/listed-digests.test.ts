import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

async function incidents(): Promise<string[]> {
  const rows = await scene.database.db
    .selectFrom('incident')
    .select('vuln_key')
    .where('vuln_key', 'like', `${cve()}%`)
    .execute()
  return rows.map(({ vuln_key }) => vuln_key ?? '').sort()
}

const list = async (...ids: string[]) => {
  for (const cveId of ids) await addExploited(scene.database.db, { source: 'kev', cveId })
  await refreshExploited(scene.database.db, testNow)
  await drain(scene.database.db, testNow)
}

describe.each(['first', 'last'] as const)('listed %s', (when) => {
  /** What catalogues list before or after an upload changes nothing in what opens. */
  async function met(component: object, ids: string[], tool?: string): Promise<void> {
    if (when === 'first') await list(...ids)
    await uploadOne(component, tool)
    if (when === 'last') await list(...ids)
    const { db } = scene.database
    expect(await rematch(db, { now: testNow })).toMatchObject({ isConsistent: true })
    await drain(db, testNow)
  }

  async function uploadOne(component: object, tool = 'author'): Promise<void> {
    const token = await scene.token(scene.company)
    const body = { version: scene.serial(), metadata: { tools: [{ name: tool }] }, components: [component] }
    await scene.uploaded(cyclonedx(body), { token })
    await drain(scene.database.db, testNow)
  }

  it('of two malicious packages of one vulnerability, the one whose digest is there opens an incident', async () => {
    const id = `MAL-2026-${count}`
    const [one, other] = [`${cve()}2`, `${cve()}1`]
    await publish(malicious(id, [other], digest('another')), malicious(`${id}00`, [id, one]))
    const name = `harmless-${count}`
    await met({ type: 'library', name, purl: `pkg:npm/${name}`, hashes: withDigest() }, [one, other])
    expect(await incidents()).toEqual([one])
  })

  it('a digest counts beside a record that matches by name', async () => {
    const id = `MAL-2026-${count}`
    await publish(
      {
        ...malicious(id, []),
        affected: [{ package: { ecosystem: 'npm', name: `harmless-${count}` }, versions: ['1.0.0'] }],
      },
      malicious(`${id}00`, [id, cve()]),
    )
    const name = `harmless-${count}`
    const purl = `pkg:npm/${name}@1.0.0`
    await met({ type: 'library', name, version: '1.0.0', purl, hashes: withDigest() }, [cve()])
    expect(await incidents()).toEqual([cve()])
    expect(await listed()).toEqual(['company exact kev'])
  })
})
