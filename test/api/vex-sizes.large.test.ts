import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

const repeated = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

// upload-vex-refusals.test.ts covers refusals above these sizes.
describe('refusals of /vex', () => {
  it('reads up to 50 000 statements and 50 000 findings together', async () => {
    const entries = [
      ...repeated(50_000, { id: 'CVE-2026-1' }),
      ...repeated(50_000, { id: 'CVE-2026-1', analysis: { state: 'in_triage' } }),
    ]
    const receipt = await scene.uploadedVex(gzipSync(cyclonedx({ vulnerabilities: entries })))
    expect(receipt).toMatchObject({ statements: 50_000, findings: 50_000, unbound: 50_000 })
  })
})

it('a document of 50 000 statements is stored whole', async () => {
  const receipt = await scene.uploadedVex(gzipSync(scene.vex({ statements: 50_000 })))
  expect(receipt.statements).toBe(50_000)
  for (const [table, rows] of [
    ['vex_statement', 50_000],
    ['vex_claim', 100_000],
    ['vex_target', 50_000],
  ] as const) {
    const { rows: counted } = await scene.database.pool.query<{ count: string }>(
      `select count(*)::text as count from ${table} where document_id = $1`,
      [receipt.id],
    )
    expect(Number(counted[0]?.count)).toBe(rows)
  }
})
