import { join } from 'node:path'
import { cpuTimes } from './cpu.ts'
import { openLaboratory, type Laboratory } from './laboratory.ts'
import { openMirror, type OsvMirror } from './osv-mirror.ts'
import { report, type Figure } from './report.ts'

/**
 * Import speed of OSV records, the start of each command included: file by file into an empty store, and again with nothing changed; then
 * the whole mirror with one command into another empty store, which is what a first load is. On the public sample data beside
 * the project, else on files made here.
 */
export async function benchImport(laboratory: Laboratory): Promise<void> {
  const mirror = await openMirror(laboratory.folder)
  for (const turn of ['first', 'unchanged']) await importFiles(laboratory, mirror, turn)
  const fresh = await openLaboratory()
  try {
    await importMirror(fresh, mirror)
  } finally {
    await fresh.close()
  }
}

async function importFiles(laboratory: Laboratory, mirror: OsvMirror, turn: string): Promise<void> {
  let records = 0
  let ms = 0
  const { data } = mirror
  const before = await cpuTimes(laboratory)
  for (const ecosystem of mirror.ecosystems) {
    const elapsed = await importFrom(laboratory, join(mirror.path, ecosystem, 'all.zip'))
    const count = await countRecords(laboratory, `osv:${ecosystem}`)
    records += count
    ms += elapsed
    report({
      ...figureOf(`import_osv_${turn}_${ecosystem}`, count, elapsed),
      detail: { data, records: count },
    })
  }
  const cpu = { storeCpuMicroseconds: await storeCpu(laboratory, before.store, records) }
  report({ ...figureOf(`import_osv_${turn}_all`, records, ms), detail: { data, records, ...cpu } })
}

async function importMirror(laboratory: Laboratory, { path, data }: OsvMirror): Promise<void> {
  const before = await cpuTimes(laboratory)
  const ms = await importFrom(laboratory, path)
  const records = await countRecords(laboratory, 'osv:%')
  const cpu = { storeCpuMicroseconds: await storeCpu(laboratory, before.store, records) }
  report({
    ...figureOf('import_osv_mirror', records, ms),
    detail: { data, records, ms: Math.round(ms), ...cpu },
  })
}

/** The store's processor time for a record since `before`. */
async function storeCpu(laboratory: Laboratory, before: number, records: number): Promise<number> {
  return Math.round((((await cpuTimes(laboratory)).store - before) * 1000) / records)
}

function figureOf(figure: string, records: number, ms: number): Figure {
  return { figure, value: records / (ms / 1000), unit: 'records/s', runs: 1 }
}

/** Returns the milliseconds that one command took. */
async function importFrom({ service }: Laboratory, path: string): Promise<number> {
  const startedAt = performance.now()
  await service.cli(['vulnerabilities', 'import', path])
  return performance.now() - startedAt
}

async function countRecords({ sql }: Laboratory, source: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::int as count from vulnerability where source like $1',
    [source],
  )
  return rows[0]?.count ?? 0
}
