import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RefusedData } from '../../../source-files/refused-data.ts'
import type { ImportReport } from '../../reading/record-import.ts'
import type { RpmAdvisory } from '../../../records/rpm-advisories/advisory.ts'
import { importByHand } from '../../reading/import-advisories.ts'
import type { FileWork, Work } from '../source.ts'
import { readUpdateinfo } from '../../../records/amazon-linux/read-updateinfo.ts'

/** The file of one repository, which is a part of a release, unless the operator says otherwise. */
export async function importUpdateinfo(source: string, work: FileWork): Promise<ImportReport[]> {
  return importByHand(work, source, readUpdateinfo(work.path))
}

const fileName = /updateinfo.{0,60}\.xml(?:\.gz)?$/
const maxFiles = 1_000
const maxFolderDepth = 10

/** A folder with files of repositories (`2/core/updateinfo.xml.gz`), however they are laid out; undefined: there is none. */
export async function importUpdateinfoFolder(
  source: string,
  work: Work,
  folder: string,
): Promise<ImportReport[] | undefined> {
  const files: string[] = []
  for (const path of await listFiles(folder, 0))
    if ((await work.tools.recognise(path)) === source) files.push(path)
  return files.length === 0 ? undefined : importByHand(work, source, readAll(files))
}

async function listFiles(folder: string, depth: number): Promise<string[]> {
  if (depth > maxFolderDepth) throw new RefusedData(`${folder} lies more than ${maxFolderDepth} folders deep`)
  const entries = await readdir(folder, { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.')) paths.push(...(await listFiles(path, depth + 1)))
    else if (entry.isFile() && fileName.test(entry.name)) paths.push(path)
    if (paths.length > maxFiles) throw new RefusedData(`${folder} holds more than ${maxFiles} repositories`)
  }
  return paths
}

export async function* readAll(paths: readonly string[]): AsyncGenerator<RpmAdvisory> {
  for (const path of paths) yield* readUpdateinfo(path)
}
