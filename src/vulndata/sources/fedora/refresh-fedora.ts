import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import { dayMs } from '../../../contract/durations.ts'
import { parseDocument } from '../../../source-files/documents.ts'
import { RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import { countLiveRecords, isFirstComponentOf, usesEcosystem } from '../../ledger/in-store.ts'
import { recordUnchanged, type Ended, type Taken } from '../../ledger/outcomes.ts'
import { forgetContent, selectSource, type SourceRow } from '../../ledger/source-rows.ts'
import { refuseShrunk } from '../../one-file/refuse-shrunk.ts'
import { importFetched } from '../../reading/import-fetched.ts'
import type { Extent } from '../../reading/record-import.ts'
import type { RefreshTurn } from '../source.ts'
import { linesOf, readPage, type Page } from '../../../records/fedora/read-update.ts'

const sourceName = 'fedora'
const ecosystem = 'Fedora'

/** The maximum page size of Bodhi. */
const rowsPerPage = 100
/** Pages in one transaction: an interrupted refresh resumes after them. */
const pagesPerStep = 20
/** Some hundred kilobytes are usual: comments and tests come with each update. */
const maxPageBytes = 64 * 1024 ** 2
/** Far more than there are. */
const maxPages = 5_000
/** Bodhi filters by day, and clocks differ: reading something twice changes nothing. */
const overlapMs = 2 * dayMs

/** What the content hash of the source's row says: all updates were read, or which page comes next. */
const allRead = 'all'
const nextPage = (page: number) => `page ${page}`

/**
 * Refreshes the updates of Fedora once some component is of it: first all that Bodhi has, newest first and page by page, resuming where an
 * earlier turn stopped; then what was pushed since. An update that has reached its users is never taken back, so that nothing has to be compared
 * with all of them again.
 */
export async function refreshFedora(turn: RefreshTurn): Promise<Ended> {
  const { db, address, now } = turn
  if (!(await usesEcosystem(db, ecosystem)))
    return recordUnchanged(db, { name: sourceName, address, now }, null)
  const before = await selectSource(db, sourceName)
  return before?.contentHash === allRead && before.watermark !== null
    ? readPushed(turn, before.watermark)
    : readAll(turn, before)
}

/** Whether some component is of Fedora now, and Bodhi was never asked. */
export async function isFedoraAwaited(db: Db): Promise<boolean> {
  return isFirstComponentOf(db, { source: sourceName, ecosystem })
}

/** Lets the next refresh begin with all updates. */
export async function readFedoraAgain(db: Db): Promise<void> {
  await forgetContent(db, sourceName)
}

/** Updates that come meanwhile move the others to later pages, so none is missed; what is pushed from the beginning on is asked for next time. */
async function readAll(turn: RefreshTurn, before: SourceRow | undefined): Promise<Ended> {
  const resumed = pageToCome(before)
  const begunAt = resumed === 1 ? turn.now : (before?.watermark ?? turn.now)
  // repeat one page in case an update has left the list
  for (let from = Math.max(1, resumed - 1); ;) {
    const step = await readPages(turn, { from, count: pagesPerStep })
    if (step.total === 0) throw new RefusedData('expected updates, found none')
    refuseShrunk(step.total, await countLiveRecords(turn.db, sourceName))
    const contentHash = step.isLast ? allRead : nextPage(step.next)
    const extent = step.isLast ? 'whole' : 'changes'
    const ended = await take(turn, { ...step, extent, marks: { watermark: begunAt, contentHash } })
    if (step.isLast) return ended
    from = step.next
  }
}

function pageToCome(before: SourceRow | undefined): number {
  return Number(/^page (\d+)$/.exec(before?.contentHash ?? '')?.[1] ?? 1)
}

async function readPushed(turn: RefreshTurn, watermark: Date): Promise<Ended> {
  const since = new Date(watermark.getTime() - overlapMs).toISOString().slice(0, 10)
  const step = await readPages(turn, { from: 1, count: maxPages, since })
  return take(turn, { ...step, extent: 'changes', marks: { watermark: turn.now, contentHash: allRead } })
}

type Asked = { from: number; count: number; since?: string }
type Step = { file: string; isEmpty: boolean; total: number; next: number; isLast: boolean }

/** The updates of some pages, as lines of a file. */
async function readPages(turn: RefreshTurn, { from, count, since }: Asked): Promise<Step> {
  const file = join(turn.folder, 'updates.ndjson')
  await writeFile(file, '')
  let isEmpty = true
  for (let number = from; ; number += 1) {
    if (number > maxPages) throw new RefusedData(`expected at most ${maxPages} pages of updates`)
    const page = await fetchPage(turn, number, since)
    const lines = linesOf(page, `page ${number}`)
    isEmpty &&= lines === ''
    await appendFile(file, lines)
    const isLast = number >= page.pages
    if (isLast || number + 1 - from >= count)
      return { file, isEmpty, total: page.total, next: number + 1, isLast }
  }
}

async function fetchPage({ outbound, address }: RefreshTurn, number: number, since?: string): Promise<Page> {
  const query = new URLSearchParams({
    status: 'stable',
    type: 'security',
    rows_per_page: String(rowsPerPage),
  })
  query.set('page', String(number))
  if (since !== undefined) query.set('pushed_since', since)
  const { status, body } = await outbound.ask({
    url: `${address}/?${query.toString()}`,
    purpose: 'feed',
    // a browser gets a page to look at
    headers: { accept: 'application/json' },
    maxBytes: maxPageBytes,
  })
  const name = `page ${number} of the updates`
  refuseUnlessOk(status, name)
  return readPage(parseDocument({ name, bytes: body }).value, name)
}

type Marks = Required<Pick<Taken, 'watermark' | 'contentHash'>>
type Taking = { file: string; isEmpty: boolean; extent: Extent; marks: Marks }

async function take(turn: RefreshTurn, { file, isEmpty, extent, marks }: Taking): Promise<Ended> {
  const { db, address, now } = turn
  if (!isEmpty) {
    const taking = { label: 'updates of Fedora', extent, ...marks }
    const ended = await importFetched(turn, sourceName, { kind: 'lines', path: file }, taking)
    if (ended !== undefined) return ended
  }
  const recordCount = await countLiveRecords(db, sourceName)
  return recordUnchanged(
    db,
    { name: sourceName, address, now },
    {
      recordCount,
      ...marks,
      ...(extent === 'whole' ? { isWhole: true } : {}),
    },
  )
}
