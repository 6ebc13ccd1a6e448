import { basename, dirname } from 'node:path'
import { reasonElseThrow, RefusedData } from '../../../source-files/refused-data.ts'
import { recordError } from '../../ledger/outcomes.ts'
import { selectDecidingHashes, selectUsedEcosystems } from '../../ledger/in-store.ts'
import { isEcosystemName, sourceName } from '../../../records/ecosystem-source.ts'
import type { ImportReport } from '../../reading/record-import.ts'
import type { Web, Work } from '../source.ts'
import { importEcosystem, openWhole, type WholeFile } from './import-ecosystem.ts'
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

/**
 * What the components in the database are waiting for comes first. From a folder, the beginning of the next ecosystem is read while the end of
 * the previous one is written: that takes no network time, and hundreds of ecosystems are short.
 */
async function importMirror(
  work: Work,
  mirror: Mirror,
  ecosystems: readonly string[],
): Promise<ImportReport[]> {
  const reports: ImportReport[] = []
  const refusals: string[] = []
  const used = new Set(await selectUsedEcosystems(work.db)).intersection(new Set(ecosystems))
  const waiting = [...used.union(new Set(ecosystems))]
  let begun: Promise<WholeFile> | undefined
  let ahead: Promise<WholeFile> | undefined
  const onRead = () => {
    const [next] = waiting
    if (next !== undefined && mirror.isNear) ahead = readAhead(work, mirror, next)
  }
  try {
    for (let ecosystem = waiting.shift(); ecosystem !== undefined; ecosystem = waiting.shift()) {
      begun = ahead
      ahead = undefined
      const outcome = await importOne(work, mirror, { ecosystem, begun, onRead })
      if (typeof outcome === 'string') refusals.push(outcome)
      else reports.push(outcome)
    }
  } finally {
    for (const file of [begun, ahead]) await closeFile(file)
  }
  if (refusals.length === 0) return reports
  const taken = reports.map((report) => report.source).join(', ') || 'nothing else'
  throw new RefusedData(`${refusals.join('\n')}\nTaken over: ${taken}`)
}

type Turn = Pick<Parameters<typeof importEcosystem>[1], 'ecosystem' | 'begun' | 'onRead'>

/** A text: why it was refused. */
async function importOne(
  { db, tools, now, onProgress, waiting }: Work,
  mirror: Mirror,
  turn: Turn,
): Promise<ImportReport | string> {
  try {
    const importing = { ...turn, contentHash: null, now, onProgress }
    return (await importEcosystem({ db, tools, mirror, waiting }, importing)).report
  } catch (error) {
    const message = reasonElseThrow(error)
    const { ecosystem } = turn
    await recordError(db, { name: sourceName(ecosystem), address: mirror.address, now }, message)
    return `${ecosystem}: ${message}`
  }
}

/** Starts reading an ecosystem ahead of time; a refusal is reported when it is due. */
function readAhead(
  { db, tools, now, onProgress }: Work,
  mirror: Mirror,
  ecosystem: string,
): Promise<WholeFile> {
  const begin = async () => {
    const known = await selectDecidingHashes(db, sourceName(ecosystem))
    const whole = await openWhole({ tools, mirror }, { ecosystem, now, onProgress })
    const batches = whole.reading.batches(known)
    return { ...whole, reading: { ...whole.reading, batches: () => batches } }
  }
  const begun = begin()
  begun.catch(() => undefined)
  return begun
}

/** Calling it again does no harm. */
async function closeFile(file: Promise<WholeFile> | undefined): Promise<void> {
  const [outcome] = await Promise.allSettled([file])
  if (outcome.status === 'fulfilled') await outcome.value?.reading.close()
}
