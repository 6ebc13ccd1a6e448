import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { testNow } from '../support/clock.ts'
import { createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { baseUrl, call } from '../support/http.ts'
import { addExploited, addRecord, type RecordFacts } from '../support/records.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { readAs } from '../support/read-as.ts'

let scene: UploadScene

const record = (name: string, facts: Partial<RecordFacts>): RecordFacts => ({
  id: `GHSA-${name}`,
  affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '1.2.0']] }],
  ...facts,
})

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await addRecord(db, record('bad', { id: 'MAL-2026-1', recordClass: 'malware', severity: 'unknown' }))
  await addRecord(db, record('loud', { severity: 'critical', aliases: ['CVE-2026-1001'] }))
  await addRecord(db, record('used', { severity: 'low', aliases: ['CVE-2026-1002'] }))
  await addExploited(db, { source: 'kev', cveId: 'CVE-2026-1002' })
  for (let number = 1; number <= 9; number += 1) {
    await addRecord(db, record('many', { id: `GHSA-many-${number}`, severity: 'medium' }))
  }
})
afterAll(() => scene.close())

function sbomOf(...names: string[]): string {
  return cyclonedx({
    serialNumber: `urn:${scene.serial()}`,
    metadata: { component: { type: 'application', name: 'pump', version: '1.0' } },
    components: names.map((name) => ({
      type: 'library',
      name,
      version: '1.0.0',
      purl: `pkg:npm/${name}@1.0.0`,
    })),
  })
}

async function result(id: string): Promise<SbomResult> {
  const token = (await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })).secret
  return readAs(SbomResult, (await call(`${scene.http.url}/api/v1/sboms/${id}`, { token })).body)
}

const settle = () => drain(scene.database.db, testNow)

describe('the worst findings of a result', () => {
  it('are ten: malware, what is exploited, then by severity', async () => {
    const { id } = await scene.uploaded(sbomOf('many', 'loud', 'used', 'bad'))
    expect(await result(id)).not.toHaveProperty('worst')
    await settle()
    const { matches, worst = [] } = await result(id)
    expect(matches).toMatchObject({ total: 12, malware: 1, exploited: 1 })
    expect(worst.map((finding) => finding.id).slice(0, 4)).toEqual([
      'MAL-2026-1',
      'CVE-2026-1002',
      'CVE-2026-1001',
      'GHSA-many-1',
    ])
    expect(worst).toHaveLength(10)
    expect(worst[0]).toMatchObject({
      malware: true,
      fixedIn: null,
      component: { name: 'bad', version: '1.0.0' },
    })
    expect(worst[1]).toMatchObject({
      severity: 'low',
      grade: 'exact',
      malware: false,
      exploited: true,
      component: { name: 'used', version: '1.0.0', purl: 'pkg:npm/used@1.0.0' },
      fixedIn: '1.2.0',
    })
    expect(worst[1]?.url).toMatch(new RegExp(`^${baseUrl}/app/acme/findings/[0-9a-f-]{36}$`))
  })

  it('are left out once another SBOM has taken its place; malware is counted all the same', async () => {
    const { id } = await scene.uploaded(sbomOf('bad', 'loud'))
    await settle()
    await scene.uploaded(sbomOf('clean'))
    await settle()
    const replaced = await result(id)
    expect(replaced).toMatchObject({ matches: { total: 2, malware: 1 } })
    expect(replaced).not.toHaveProperty('worst')
  })

  it('are an empty list where nothing was found', async () => {
    const { id } = await scene.uploaded(sbomOf('clean', 'cleaner'))
    await settle()
    expect(await result(id)).toMatchObject({ matches: { total: 0, malware: 0 }, worst: [] })
  })
})
