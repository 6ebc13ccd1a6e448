import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cpuTimes } from './cpu.ts'
import type { Laboratory } from './laboratory.ts'
import { report, say, type Figure } from './report.ts'

const samples = join(import.meta.dirname, '../../shared/data')
const ecosystems = ['Go', 'crates.io', 'PyPI', 'AlmaLinux', 'Bitnami']

/**
 * Import speed of OSV records, the start of the command included: into an empty store, and again with nothing changed. Needs the sample
 * data beside the project.
 */
export async function benchImport(laboratory: Laboratory): Promise<void> {
  if (!existsSync(samples)) {
    say('no sample data beside the project: import speed is not measured')
    return
  }
  for (const turn of ['first', 'unchanged']) {
    let records = 0
    let ms = 0
    const before = await cpuTimes(laboratory)
    for (const ecosystem of ecosystems) {
      const [count, elapsed] = await importOne(laboratory, ecosystem)
      records += count
      ms += elapsed
      report({ ...figureOf(`import_osv_${turn}_${ecosystem}`, count, elapsed), detail: { records: count } })
    }
    const storeCpu = (await cpuTimes(laboratory)).store - before.store
    const detail = { records, storeCpuMicroseconds: Math.round((storeCpu * 1000) / records) }
    report({ ...figureOf(`import_osv_${turn}_all`, records, ms), detail })
  }
}

function figureOf(figure: string, records: number, ms: number): Figure {
  return { figure, value: records / (ms / 1000), unit: 'records/s', runs: 1 }
}

/** Answers the number of records and the milliseconds. */
async function importOne({ service, sql }: Laboratory, ecosystem: string): Promise<[number, number]> {
  const startedAt = performance.now()
  await service.cli(['vulnerabilities', 'import', join(samples, 'osv', ecosystem, 'all.zip')])
  const elapsed = performance.now() - startedAt
  const { rows } = await sql.query<{ count: string }>(
    'select count(*) from vulnerability where source = $1',
    [`osv:${ecosystem}`],
  )
  return [Number(rows[0]?.count), elapsed]
}
