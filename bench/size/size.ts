import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openLaboratory, type Laboratory } from '../laboratory.ts'
import { report, round, say } from '../report.ts'
import { bareCopy } from './bare-copy.ts'
import { makeCveList, makeLargeMirror, type MadeFile } from './made-files.ts'
import { measureImport } from './measured-import.ts'

/** What OSV and the CVE list hold. */
const all = 1_200_000
const cvesPerRecord = 0.25
/** Beside the other benchmarks, where ten minutes are too long. */
const fewer = 60_000

/** Of `npm run bench -- size 60000`; without a number all where it is asked for by name. */
export function sizeOf(args: readonly string[]): number {
  const given = args.find((arg) => /^\d+$/.test(arg))
  if (given !== undefined) return Number(given)
  return args.includes('size') ? all : fewer
}

/**
 * First imports at the size of the public data, each into an empty database: a mirror of OSV with one ecosystem of a million records, and the
 * CVE list. Speed against the bare `COPY` of the same records, memory of the process that imports, size of the database.
 */
export async function benchSize({ folder }: Laboratory, records: number): Promise<void> {
  const files = join(folder, 'size')
  await mkdir(files)
  const mirror = join(files, 'osv')
  await measure('osv', { path: mirror, files: await makeLargeMirror(mirror, records) })
  await rm(mirror, { recursive: true })
  const list = await makeCveList(files, Math.round(records * cvesPerRecord))
  if (list === undefined) say('the CVE list is left out: it is made from sample data that is not here')
  else await measure('cve_list', { path: list.path, files: [list] })
  await rm(files, { recursive: true })
}

type Source = { path: string; files: MadeFile[] }

async function measure(name: string, { path, files }: Source): Promise<void> {
  const laboratory = await openLaboratory()
  try {
    const given = files.reduce((sum, file) => sum + file.records, 0)
    say(`copying ${given} documents`)
    const bareMs = await bareCopy(laboratory.sql, files)
    say(`importing ${given} records`)
    const { ms, peakMegabytes, databaseMegabytes, ...detail } = await measureImport(laboratory, path)
    report({
      figure: `size_import_${name}`,
      value: given / (ms / 1000),
      unit: 'records/s',
      runs: 1,
      ratio: { of: 'bare copy of the documents', value: round(bareMs / ms) },
      detail: { given, seconds: round(ms / 1000), ...detail },
    })
    report({ figure: `size_import_${name}_memory`, value: peakMegabytes, unit: 'MB', runs: 1 })
    report({ figure: `size_import_${name}_database`, value: databaseMegabytes, unit: 'MB', runs: 1 })
  } finally {
    await laboratory.close()
  }
}
