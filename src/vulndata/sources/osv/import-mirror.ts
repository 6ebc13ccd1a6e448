import { basename, dirname } from 'node:path'
import { reasonOf, RefusedData } from '../../documents/refused-data.ts'
import { recordFailure } from '../../ledger/source-rows.ts'
import { selectUsedEcosystems } from '../../ledger/in-store.ts'
import { isEcosystemName, sourceName } from '../../records/ecosystem-source.ts'
import type { ImportReport } from '../../records/record-import.ts'
import type { Web, Work } from '../source.ts'
import { importEcosystem } from './import-ecosystem.ts'
import { folderMirror, webMirror, type Mirror } from './mirror.ts'

/** A folder that is a mirror, or one ecosystem of a mirror. */
export async function importFolder(work: Work, path: string): Promise<ImportReport[] | undefined> {
  const mirror = folderMirror(path)
  const ecosystems = await mirror.listEcosystems()
  if (ecosystems.length > 0) return importMirror(work, mirror, ecosystems)
  const parent = folderMirror(dirname(path))
  const name = basename(path)
  return (await parent.listEcosystems()).includes(name) ? importMirror(work, parent, [name]) : undefined
}

/** An address that is a mirror, or one ecosystem of a mirror. */
export async function importAddress(work: Work, { url, ...web }: Web): Promise<ImportReport[] | undefined> {
  const mirror = webMirror({ ...web, operatorsOwn: true, url })
  const ecosystems = await mirror.listEcosystems()
  if (ecosystems.length > 0) return importMirror(work, mirror, ecosystems)
  const name = decodeURIComponent(basename(new URL(url).pathname))
  if (!isEcosystemName(name)) return undefined
  const parent = webMirror({ ...web, operatorsOwn: true, url: dirname(url) })
  return (await parent.wholeFile(name)) === undefined ? undefined : importMirror(work, parent, [name])
}

/** What the components in the database are waiting for comes first. */
async function importMirror(
  work: Work,
  mirror: Mirror,
  ecosystems: readonly string[],
): Promise<ImportReport[]> {
  const { db, tools, now, onProgress } = work
  const reports: ImportReport[] = []
  const refusals: string[] = []
  const used = new Set(await selectUsedEcosystems(db)).intersection(new Set(ecosystems))
  for (const ecosystem of used.union(new Set(ecosystems))) {
    try {
      const order = { ecosystem, contentHash: null, now, onProgress }
      const report = await work.locked('records', (session) =>
        importEcosystem({ session, tools, mirror }, order),
      )
      if (report !== undefined) reports.push(report)
    } catch (error) {
      const message = reasonOf(error)
      if (message === null) throw error
      await recordFailure(db, { name: sourceName(ecosystem), address: mirror.address, now, message })
      refusals.push(`${ecosystem}: ${message}`)
    }
  }
  if (refusals.length === 0) return reports
  const taken = reports.map((report) => report.source).join(', ') || 'nothing else'
  throw new RefusedData(`${refusals.join('\n')}\nTaken over: ${taken}`)
}
