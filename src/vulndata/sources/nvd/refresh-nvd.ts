import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection.ts'
import { hasPassed } from '../../../platform/clock.ts'
import { dayMs } from '../../../contract/durations.ts'
import { importNvd } from './import-nvd.ts'
import type { Extent } from '../../reading/record-import.ts'
import { checkFeed, readFeedMeta, type FeedMeta } from '../../../records/nvd/feed-meta.ts'
import { countLiveRecords, hasCpeIdentities } from '../../ledger/in-store.ts'
import { RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import { attempt } from '../../ledger/attempt.ts'
import { recordPart, recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { selectSource, type SourceRow } from '../../ledger/source-rows.ts'
import type { RefreshTurn } from '../source.ts'
import { scoresName, scoresPrefix, yearName, yearPrefix } from './side-rows.ts'
import { hashOf } from '../../../records/compiled-record.ts'

const sourceName = 'nvd'
const firstYear = 2002
/** The feed of changes reaches back eight days; after a longer silence the years are loaded again. */
const changesReachMs = 7 * dayMs

type NvdRefresh = Pick<RefreshTurn, 'outbound' | 'tools' | 'folder' | 'waiting' | 'now'> & { url: string }
type Part = {
  file: string
  meta: FeedMeta
  extent: Extent
  noteAs?: string
  only?: ReadonlySet<string>
  /** undefined: the checksum of the file */
  contentHash?: string
}

/**
 * Refreshes the NVD data (https://nvd.nist.gov/vuln/data-feeds) once some component is named by CPE: first year by year, resuming where
 * an earlier turn stopped, then by the feed of changes, which its `.meta` file tells apart from the one read last. The source counts
 * as loaded when all years and the changes since are there. Without such components it is asked for the severities of CVEs in use that nobody
 * else scores.
 */
export async function refreshNvd({ db, address: url, ...turn }: RefreshTurn): Promise<Ended> {
  const refresh = { ...turn, url }
  if (!(await hasCpeIdentities(db))) return loadScores(db, refresh)
  const before = await selectSource(db, sourceName)
  const loadedAt = addressedSuccess(before, refresh)
  const isContinued = !hasPassed(loadedAt, changesReachMs, refresh.now)
  if (!isContinued) await loadYears(db, refresh)
  const meta = await fetchMeta(refresh, 'modified')
  if (isContinued && before?.contentHash === meta.sha256)
    return recordUnchanged(db, triedOf(refresh), { recordCount: before.recordCount })
  // with the years just loaded, the changes since make the source whole
  return load(db, refresh, { file: 'modified', meta, extent: isContinued ? 'changes' : 'whole' })
}

function triedOf({ url: address, now }: NvdRefresh, name = sourceName) {
  return { name, address, now }
}

/** Whether some component is named by CPE and no year was asked for yet. */
export async function isNvdAwaited(db: Db): Promise<boolean> {
  const { rows } = await sql<{ asked: boolean }>`
    select exists (select from data_source where starts_with(name, ${yearPrefix})) as asked`.execute(db)
  return rows[0]?.asked === false && (await hasCpeIdentities(db))
}

/** Data of another address, such as an import of an operator, is no basis for this one's changes. */
function addressedSuccess(row: SourceRow | undefined, { url }: NvdRefresh): Date | null {
  return row?.address === url && row.contentHash !== null ? row.lastSuccessAt : null
}

/** The file of a year changes every day, whatever is in it. */
const scoresEveryMs = dayMs

/** Of each year with such CVEs the file is read when others are wanted than last time, and once a day when it has changed. */
async function loadScores(db: Db, refresh: NvdRefresh): Promise<Ended> {
  const byYear = Map.groupBy(await refresh.tools.selectUnscoredCves(db), yearOf)
  let ended: Ended | undefined
  for (const [year, cveIds] of [...byYear].sort(([a], [b]) => a - b)) {
    const part = await scoresPart(db, refresh, { year, cveIds })
    if (part === null) continue
    await load(db, refresh, part)
    ended = await recordPart(db, triedOf(refresh), { recordCount: await countLiveRecords(db, sourceName) })
  }
  return ended ?? recordUnchanged(db, triedOf(refresh), null)
}

/** null: what the file says of these CVEs is known. */
async function scoresPart(
  db: Db,
  refresh: NvdRefresh,
  { year, cveIds }: { year: number; cveIds: readonly string[] },
): Promise<Part | null> {
  const noteAs = scoresName(year)
  const row = await selectSource(db, noteAs)
  const known = row?.address === refresh.url ? row : undefined
  const wanted = hashOf([...cveIds].sort().join(' '))
  const [wantedBefore, shaBefore] = known?.contentHash?.split(' ') ?? []
  const isSame = wantedBefore === wanted
  if (isSame && !hasPassed(known?.lastSuccessAt ?? null, scoresEveryMs, refresh.now)) return null
  const meta = await fetchMeta(refresh, String(year))
  if (isSame && shaBefore === meta.sha256) return null
  const contentHash = `${wanted} ${meta.sha256}`
  return { file: String(year), meta, extent: 'part', noteAs, only: new Set(cveIds), contentHash }
}

/** The first file has the years before it too. */
function yearOf(cveId: string): number {
  return Math.max(firstYear, Number(cveId.split('-')[1]))
}

async function loadYears(db: Db, refresh: NvdRefresh): Promise<void> {
  for (let year = firstYear; year <= refresh.now.getUTCFullYear(); year += 1) {
    const noteAs = yearName(year)
    const loadedAt = addressedSuccess(await selectSource(db, noteAs), refresh)
    if (!hasPassed(loadedAt, changesReachMs, refresh.now)) continue
    // whatever the result, nothing waits for NVD any longer
    const ended = await attempt(db, triedOf(refresh, noteAs), async () => {
      const meta = await fetchMeta(refresh, String(year))
      return load(db, refresh, { file: String(year), meta, extent: 'changes', noteAs })
    })
    if (ended.outcome === 'error') throw new RefusedData(ended.message)
  }
}

async function load(
  db: Db,
  { outbound, tools, url, folder, waiting, now }: NvdRefresh,
  { file, meta, extent, noteAs, only, contentHash = meta.sha256 }: Part,
): Promise<Ended> {
  const path = join(folder, 'nvd.json.gz')
  const { status } = await outbound.download({
    url: feedUrl(url, file, 'json.gz'),
    purpose: 'feed',
    toFile: path,
  })
  refuseUnlessOk(status, `NVD ${file}`)
  await checkFeed(path, meta)
  const noted = { ...(noteAs === undefined ? {} : { noteAs }), ...(only === undefined ? {} : { only }) }
  const { endings } = await importNvd(db, tools, {
    path,
    from: url,
    contentHash,
    extent,
    waiting,
    now,
    onProgress: () => undefined,
    ...noted,
  })
  const ended = endings.get(noteAs ?? sourceName)
  if (ended === undefined) throw new Error(`an import of NVD ${file} noted nothing of it`)
  return ended
}

const maxMetaBytes = 10_000

async function fetchMeta({ outbound, url }: NvdRefresh, file: string): Promise<FeedMeta> {
  const question = { url: feedUrl(url, file, 'meta'), purpose: 'feed', maxBytes: maxMetaBytes } as const
  const { status, body } = await outbound.ask(question)
  refuseUnlessOk(status, `NVD ${file}`)
  return readFeedMeta(body.toString('utf8'))
}

function feedUrl(url: string, file: string, ending: 'meta' | 'json.gz'): string {
  return `${url}/nvdcve-2.0-${file}.${ending}`
}

/** Forgets which files were read. */
export async function readNvdAgain(db: Db): Promise<void> {
  await sql`
    update data_source set content_hash = null
    where name = ${sourceName} or starts_with(name, ${yearPrefix}) or starts_with(name, ${scoresPrefix})`.execute(
    db,
  )
}
