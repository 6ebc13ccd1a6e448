import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Laboratory } from './laboratory.ts'
import { report, say } from './report.ts'

const samples = join(import.meta.dirname, '../../shared/data')
const ecosystems = ['Go', 'crates.io', 'PyPI', 'AlmaLinux', 'Bitnami']

/** Import speed of OSV records, the start of the command included. Needs the sample data beside the project. */
export async function benchImport({ service, sql }: Laboratory): Promise<void> {
  if (!existsSync(samples)) {
    say('no sample data beside the project: import speed is not measured')
    return
  }
  let records = 0
  let ms = 0
  for (const ecosystem of ecosystems) {
    const startedAt = performance.now()
    await service.cli(['vulnerabilities', 'import', join(samples, 'osv', ecosystem, 'all.zip')])
    const elapsed = performance.now() - startedAt
    const { rows } = await sql.query<{ count: string }>(
      'select count(*) from vulnerability where source = $1',
      [`osv:${ecosystem}`],
    )
    const count = Number(rows[0]?.count)
    records += count
    ms += elapsed
    report({
      figure: `import_osv_${ecosystem}`,
      value: count / (elapsed / 1000),
      unit: 'records/s',
      runs: 1,
      detail: { records: count },
    })
  }
  report({
    figure: 'import_osv_all',
    value: records / (ms / 1000),
    unit: 'records/s',
    runs: 1,
    detail: { records },
  })
}
