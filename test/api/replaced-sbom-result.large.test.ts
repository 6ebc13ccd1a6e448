import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { activateSbom } from '../../src/sbom/activate-sbom.ts'
import { addRecord } from '../support/records.ts'
import { createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'
import { tester } from '../support/actors.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  const times = { last_attempt_at: testNow, last_success_at: testNow, last_error: null }
  const source = {
    name: 'osv:npm',
    address: null,
    ...times,
    watermark: null,
    content_hash: null,
    is_whole: true,
  }
  await db.insertInto('data_source').values(source).execute()
  const everywhere = { ecosystem: 'npm', scheme: 'semver', ranges: [['0', null]] } as const
  for (const name of ['left', 'right']) {
    await addRecord(db, { id: `GHSA-${name}`, severity: 'critical', affected: [{ ...everywhere, name }] })
  }
})

afterAll(() => scene.close())

/** An SBOM of version `1.0` with these npm packages. */
function sbomOf(...names: string[]): string {
  return cyclonedx({
    serialNumber: `urn:${scene.serial()}`,
    metadata: {
      component: { type: 'application', name: 'pump', version: '1.0', purl: 'pkg:generic/pump@1.0' },
    },
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
  const answer = await call(`${scene.http.url}/api/v1/sboms/${id}`, { token })
  expect(answer).toMatchObject({ status: 200 })
  return readAs(SbomResult, answer.body)
}

const settle = () => drain(scene.database.db, testNow)

async function matchOnly(sbomId: string): Promise<void> {
  const { workspaceId } = scene.company
  await matchSbom(scene.database.db, { workspaceId, sbomId, now: testNow })
}

const oneCritical = { total: 1, bySeverity: { critical: 1 }, byGrade: { exact: 1 }, coverage: { covered: 1 } }

describe('the result of an SBOM that another one has replaced', () => {
  it('is that of its own components, also when the file is sent again', async () => {
    const file = sbomOf('left')
    const { id } = await scene.uploaded(file)
    await settle()
    const newer = await scene.uploaded(sbomOf('clean'))
    await settle()
    expect(await scene.upload(file)).toMatchObject({ status: 200, body: { id, duplicate: true } })
    expect(await result(id)).toMatchObject({ status: 'matched', matches: oneCritical })
    expect(await result(newer.id)).toMatchObject({ matches: { total: 0, coverage: { covered: 1 } } })
  })

  it('is its own in whatever order two quick pushes are matched', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const pushed = [await scene.uploaded(sbomOf('left')), await scene.uploaded(sbomOf('left', 'right'))]
      for (const place of order) await matchOnly(pushed[place]?.id ?? '')
      const totals = await Promise.all(pushed.map(async ({ id }) => (await result(id)).matches.total))
      expect(totals).toEqual([1, 2])
    }
  })

  it('is never without findings while another push takes its place', async () => {
    const first = await scene.uploaded(sbomOf('left'))
    await settle()
    const pushing = new AbortController()
    const seen: number[] = []
    const watching = (async () => {
      const token = (await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })).secret
      while (!pushing.signal.aborted && seen.length < 50) {
        const answer = await call(`${scene.http.url}/api/v1/sboms/${first.id}`, { token })
        seen.push(readAs(SbomResult, answer.body).matches.total)
      }
    })()
    for (let count = 0; count < 5; count += 1) {
      const { id } = await scene.uploaded(sbomOf('clean'))
      await matchOnly(id)
    }
    pushing.abort()
    await watching
    expect(new Set(seen)).toEqual(new Set([1]))
    await settle()
  })

  it('heeds what documents and members say, as its own version does', async () => {
    const { id } = await scene.uploaded(sbomOf('left', 'right'))
    await scene.uploaded(sbomOf('clean'))
    await scene.uploadedVex(
      JSON.stringify({
        '@context': 'https://openvex.dev/ns/v0.2.0',
        '@id': `https://acme.example/${scene.serial()}`,
        author: 'Acme',
        timestamp: '2026-01-01T00:00:00Z',
        version: 1,
        statements: [
          {
            vulnerability: { name: 'GHSA-left' },
            products: [{ '@id': 'pkg:npm/left' }],
            status: 'not_affected',
            justification: 'vulnerable_code_not_present',
          },
        ],
      }),
      { headers: { 'x-service-version': '1.0' } },
    )
    await settle()
    expect(await result(id)).toMatchObject({ matches: { total: 1, notAffected: 1 } })
  })
})

it('an SBOM made active again is not matched until its findings are those of the version', async () => {
  const { workspaceId } = scene.company
  const { id } = await scene.uploaded(sbomOf('right'))
  await settle()
  await scene.uploaded(sbomOf('clean'))
  await settle()
  await activateSbom(scene.database.db, { workspaceId, sbomId: id, actor: tester, now: testNow })
  expect(await result(id)).toMatchObject({ status: 'parsed' })
  await settle()
  expect(await result(id)).toMatchObject({ status: 'matched', matches: oneCritical })
})

it('an SBOM of a retired version has its own counts', async () => {
  const { db } = scene.database
  const { id } = await scene.uploaded(sbomOf('right'))
  const { version_id } = await scene.sbomRow(id)
  await db.updateTable('product_version').set({ retired_at: testNow }).where('id', '=', version_id).execute()
  await settle()
  expect(await result(id)).toMatchObject({ status: 'matched', matches: oneCritical })
})
