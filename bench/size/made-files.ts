import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readZip } from '../../test/vulndata/read-zip.ts'
import { createDraw } from '../osv-records.ts'
import { say } from '../report.ts'
import { largeEcosystems } from './large-ecosystems.ts'
import { writeZip } from './zip-stream.ts'

/** A file to import, and how many records are in it. */
export type MadeFile = { path: string; records: number }

/** `<ecosystem>/all.zip` of so many records in all, the same in every run. */
export async function makeLargeMirror(path: string, records: number): Promise<MadeFile[]> {
  const files: MadeFile[] = []
  for (const [seed, { name, permille, recordOf }] of largeEcosystems.entries()) {
    const count = Math.max(1, Math.round((records * permille) / 1000))
    say(`making ${count} records of ${name}`)
    await mkdir(join(path, name), { recursive: true })
    const file = join(path, name, 'all.zip')
    const zip = writeZip(file)
    for (let number = 1; number <= count; number += 1) {
      const record = recordOf(createDraw(100 + seed, number))
      await zip.add(`${String(record['id'])}.json`, Buffer.from(JSON.stringify(record)))
    }
    await zip.end()
    files.push({ path: file, records: count })
  }
  await chmod(path, 0o755)
  return files
}

const sample = join(import.meta.dirname, '../../../shared/data/vulnrichment.zip')

/**
 * The CVE list as it is published, a zip file in a zip file: the real records of the sample data again and again under other ids. undefined: they do not
 * lie beside the project.
 */
export async function makeCveList(folder: string, records: number): Promise<MadeFile | undefined> {
  if (!existsSync(sample)) return undefined
  const found = Object.entries(await readZip(await readFile(sample))).flatMap(([name, text]) => {
    const [, id] = /\/(CVE-\d{4}-\d+)\.json$/.exec(name) ?? []
    return id === undefined ? [] : [{ id, text }]
  })
  say(`making ${records} records of the CVE list`)
  const inner = join(folder, 'cves.zip')
  const zip = writeZip(inner)
  for (let number = 0; number < records; number += 1) {
    const { id, text } = found[number % found.length] ?? { id: '', text: '' }
    const year = id.slice('CVE-'.length, 'CVE-'.length + 4)
    const other = `CVE-${year}-${10_000_000 + number}`
    const content = Buffer.from(text.replaceAll(id, other))
    await zip.add(`cves/${year}/${10_000 + Math.floor(number / 1_000)}xxx/${other}.json`, content)
  }
  await zip.end()
  const path = join(folder, 'all_CVEs_at_midnight.zip.zip')
  const outer = writeZip(path)
  await outer.addFile('cves.zip', inner)
  await outer.end()
  return { path, records }
}
