import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipOf } from '../test/vulndata/support.ts'
import { createDraw, ecosystems } from './osv-records.ts'
import { say } from './report.ts'

const samples = join(import.meta.dirname, '../../shared/data/osv')
const scale = Number(process.env['BENCH_SCALE'] ?? '1')

export type OsvMirror = {
  /** Holds `<ecosystem>/all.zip`, as a mirror of OSV does. */
  path: string
  ecosystems: string[]
  /** Figures of one kind of data do not compare with those of the other. */
  data: 'public' | 'made'
}

/**
 * The public files of sample data beside the project, else, or with `BENCH_DATA=made`, files of the same shape that are made here, the same
 * ones in every run: several ecosystems, ranges and lists of versions, errata of many packages, severities. `BENCH_SCALE` is their size.
 */
export async function openMirror(folder: string): Promise<OsvMirror> {
  const names = ecosystems.map(({ name }) => name)
  if (process.env['BENCH_DATA'] !== 'made' && existsSync(samples)) {
    return { path: samples, ecosystems: names, data: 'public' }
  }
  const path = join(folder, 'osv')
  if (!existsSync(path)) await makeMirror(path)
  return { path, ecosystems: names, data: 'made' }
}

async function makeMirror(path: string): Promise<void> {
  say('making OSV files')
  for (const [seed, { name, count, recordOf }] of ecosystems.entries()) {
    const files: Record<string, string> = {}
    for (let number = 1; number <= Math.max(1, Math.round(count * scale)); number += 1) {
      const record = recordOf(createDraw(seed, number))
      files[`${String(record['id'])}.json`] = JSON.stringify(record)
    }
    await mkdir(join(path, name), { recursive: true })
    await chmod(path, 0o755)
    await writeFile(join(path, name, 'all.zip'), zipOf(files))
  }
}
