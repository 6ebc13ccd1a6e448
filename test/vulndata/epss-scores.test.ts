import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceScores, type ScoreChanges } from '../../src/vulndata/sources/epss/store-scores.ts'
import { inImportTransaction } from '../../src/vulndata/ledger/import-lock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { asImportOf } from './support.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'epss-scores-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await sql`truncate epss, data_source`.execute(database.db)
})

type Day = Readonly<Record<string, readonly [score: number, percentile: number]>>

function fileOf(day: Day, date = '2026-01-01'): string {
  const rows = Object.entries(day).map(([cveId, [score, percentile]]) => `${cveId},${score},${percentile}\n`)
  return `#model_version:v2026.06.15,score_date:${date}T00:00:00Z\ncve,epss,percentile\n${rows.join('')}`
}

async function importFile(content: string | Uint8Array): Promise<ScoreChanges> {
  const path = join(folder, 'scores.csv')
  await writeFile(path, content)
  return inImportTransaction(database.db, asImportOf('catalogues'), (tx) =>
    replaceScores(tx, { path, onRows: () => undefined }),
  )
}

async function stored(): Promise<Day> {
  const { rows } = await sql<{ cve_id: string; score: number; percentile: number }>`
    select cve_id, score, percentile from epss order by cve_id`.execute(database.db)
  return Object.fromEntries(rows.map((row) => [row.cve_id, [row.score, row.percentile] as const]))
}

async function scoredOn(): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select scored_on::text as day from data_source where name = 'epss'`.execute(database.db)
  return rows.map((row) => row.day)
}

const monday: Day = {
  'CVE-1999-0001': [0.01141, 0.78],
  'CVE-2021-44228': [0.97565, 1],
  'CVE-2025-1000': [0.5, 0.9],
}

describe('replaceScores', () => {
  it('stores the first file', async () => {
    expect(await importFile(fileOf(monday))).toEqual({
      modelVersion: 'v2026.06.15',
      scoredOn: '2026-01-01',
      rows: 3,
      before: 0,
      added: 3,
      changed: 0,
      removed: 0,
    })
    expect(await stored()).toEqual(monday)
    expect(await scoredOn()).toEqual(['2026-01-01'])
  })

  it('replaces all of it by the next day', async () => {
    await importFile(fileOf(monday))
    const { 'CVE-1999-0001': _gone, ...rest } = monday
    const tuesday: Day = { ...rest, 'CVE-2025-1000': [0.6, 0.9], 'CVE-2025-2000': [0, 0] }
    expect(await importFile(gzipSync(fileOf(tuesday, '2026-01-02')))).toMatchObject({
      rows: 3,
      before: 3,
      added: 1,
      changed: 1,
      removed: 1,
    })
    expect(await stored()).toEqual(tuesday)
    expect(await scoredOn()).toEqual(['2026-01-02'])
  })

  it('touches no row when nothing changed', async () => {
    await importFile(fileOf(monday))
    expect(await importFile(fileOf(monday))).toMatchObject({ added: 0, changed: 0, removed: 0 })
  })

  it.each<[what: string, content: string, message: string]>([
    ['less than half the rows', fileOf({ 'CVE-1999-0001': [0.1, 0.2] }), 'less than half'],
    ['no rows', fileOf({}), 'found none'],
    ['a CVE twice', `${fileOf(monday)}CVE-1999-0001,0.1,0.2\n`, 'found 4 of 3 CVEs'],
    ['a file cut off', fileOf(monday).slice(0, -4), 'cut off'],
    ['a broken row at the end', `${fileOf(monday)}CVE-1999-0002,2,0.2\n`, 'line 6'],
  ])('changes nothing when it refuses %s', async (_what, content, message) => {
    await importFile(fileOf(monday))
    await expect(importFile(content.replace('2026-01-01', '2026-01-09'))).rejects.toThrow(message)
    expect(await stored()).toEqual(monday)
    expect(await scoredOn()).toEqual(['2026-01-01'])
  })

  it('takes over many batches at once, while readers see the day before', async () => {
    const count = 30_000
    const day = (seed: number): Day =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => {
          const share = ((index * 7919 + seed * 104_729) % 100_000) / 100_000
          return [`CVE-2024-${100_000 + index}`, [share, share] as const]
        }),
      )
    await importFile(gzipSync(fileOf(day(1))))
    const path = join(folder, 'next.csv.gz')
    await writeFile(path, gzipSync(fileOf(day(2))))
    const changes = await inImportTransaction(database.db, asImportOf('catalogues'), async (tx) => {
      const done = await replaceScores(tx, { path, onRows: () => undefined })
      // another session reads the old scores without waiting
      const { rows } = await sql<{ score: number }>`
        select score from epss where cve_id = 'CVE-2024-100000'`.execute(database.db)
      expect(rows).toEqual([{ score: 0.04729 }])
      return done
    })
    expect(changes).toMatchObject({ rows: count, added: 0, removed: 0, changed: count })
  })
})
