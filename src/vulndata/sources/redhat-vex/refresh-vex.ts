import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection.ts'
import { describeContent, RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import {
  countLiveRecords,
  isFirstComponentOf,
  selectModifiedTimes,
  usesEcosystem,
} from '../../ledger/in-store.ts'
import { inImportTransaction } from '../../ledger/import-lock.ts'
import { recordError, recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { forgetContent, selectSource } from '../../ledger/source-rows.ts'
import { forgetUnread, selectUnread, type UnreadFile } from '../../ledger/unread-files.ts'
import { importFetched } from '../../reading/import-fetched.ts'
import { goneHash } from '../../records/record-rows.ts'
import { redHatRecordId } from '../../../records/red-hat-word.ts'
import type { RefreshTurn } from '../source.ts'
import { readListing, type Listed } from '../../../records/redhat-vex/listing.ts'
import { fetchChanged, nameOf, selectTurn } from './changed-files.ts'
import { fetchIfThere, fetchText } from './published-files.ts'

const sourceName = 'redhat-vex'
const ecosystem = 'Red Hat'

const maxListBytes = 64 * 1024 ** 2
/** From this many on, the archive is fetched again if there is a newer one. */
const archiveFrom = 5_000

/**
 * Refreshes Red Hat's VEX files once some component is a package of Red Hat: first the archive of all files, then those that have changed since
 * they were read, by the times in the list of changes (CSAF 2.0, 7.1.13: the time of each file's release). Files that Red Hat has deleted are
 * taken away. A file that cannot be had or read keeps no other from its turn: the source fails until it is read, and it is asked for again behind
 * those that never failed. The content hash is the name of the archive.
 */
export async function refreshVex(turn: RefreshTurn): Promise<Ended> {
  const { db, address, now } = turn
  const tried = { name: sourceName, address, now }
  if (!(await usesEcosystem(db, ecosystem))) return recordUnchanged(db, tried, null)
  const row = await selectSource(db, sourceName)
  const before = row?.contentHash ?? null
  const loaded = before === null ? await readArchive(turn, await latestArchive(turn)) : undefined
  const listed = readListing(await fetchText(turn, 'changes.csv', maxListBytes), 'changes.csv')
  const deleted = await listDeleted(turn)
  const changed = await selectChanged(db, withoutDeleted(listed, deleted))
  if (loaded === undefined && changed.length >= archiveFrom) {
    const archive = await latestArchive(turn)
    if (archive !== before) return readArchive(turn, archive)
  }
  await takeAwayDeleted(turn, deleted)
  const { taken, refusal } = await readChanged(turn, changed)
  const ended = taken ?? loaded ?? (await recordSame(turn))
  return refusal === null ? ended : recordError(db, tried, refusal, row?.failingSince)
}

/** Red Hat may have deleted nothing yet. */
async function listDeleted(turn: RefreshTurn): Promise<Listed[]> {
  const body = await fetchIfThere(turn, 'deletions.csv', maxListBytes)
  return body === undefined ? [] : readListing(body, 'deletions.csv')
}

/** All is there once nothing of an archive is unread. */
async function recordSame({ db, address, now }: RefreshTurn): Promise<Ended> {
  const isWhole = (await selectUnread(db, sourceName)).size === 0
  const has = { recordCount: await countLiveRecords(db, sourceName), ...(isWhole ? { isWhole } : {}) }
  return recordUnchanged(db, { name: sourceName, address, now }, has)
}

/** Whether some component is a package of Red Hat now, and its files were never asked for. */
export async function isVexAwaited(db: Db): Promise<boolean> {
  return isFirstComponentOf(db, { source: sourceName, ecosystem })
}

/** Lets the next refresh begin with all files. */
export async function readVexAgain(db: Db): Promise<void> {
  await forgetContent(db, sourceName)
  await forgetUnread(db, sourceName, [...(await selectUnread(db, sourceName)).keys()])
}

/** Only its name is taken from the publisher's file, never an address. */
async function latestArchive(turn: RefreshTurn): Promise<string> {
  const body = await fetchText(turn, 'archive_latest.txt', 1_000)
  const name = body.toString('utf8').trim()
  if (!/^csaf_vex_\d{4}-\d{2}-\d{2}\.tar\.zst$/.test(name))
    throw new RefusedData(
      `archive_latest.txt: expected the name of an archive, found ${describeContent(body)}`,
    )
  return name
}

async function readArchive(turn: RefreshTurn, archive: string): Promise<Ended> {
  const { outbound, folder, address } = turn
  const path = join(folder, 'redhat-vex.tar.zst')
  const { status } = await outbound.download({ url: `${address}/${archive}`, purpose: 'feed', toFile: path })
  refuseUnlessOk(status, archive)
  const file = { kind: 'tar', path } as const
  const whole = { extent: 'whole', contentHash: archive, watermark: dayOf(archive) } as const
  const ended = await importFetched(turn, sourceName, file, { ...whole, label: archive })
  if (ended === undefined) throw new Error(`an import of ${archive} noted nothing of it`)
  return ended
}

function dayOf(archive: string): Date {
  return new Date(`${archive.slice('csaf_vex_'.length, 'csaf_vex_'.length + 10)}T00:00:00Z`)
}

/** The list of changes keeps files that were deleted; one that came back has a later time there. */
function withoutDeleted(listed: readonly Listed[], deleted: readonly Listed[]): Listed[] {
  const deletedAt = new Map(deleted.map(({ cve, at }) => [cve, at]))
  return listed.filter(({ cve, at }) => {
    const end = deletedAt.get(cve)
    return end === undefined || end < at
  })
}

/** Newest first. */
async function selectChanged(db: Db, listed: readonly Listed[]): Promise<Listed[]> {
  const stored = await selectModifiedTimes(
    db,
    listed.map(({ cve }) => redHatRecordId(cve)),
  )
  return listed.filter(({ cve, at }) => stored.get(redHatRecordId(cve))?.getTime() !== at.getTime())
}

type Changed = { taken: Ended | undefined; refusal: string | null }

async function readChanged(turn: RefreshTurn, changed: readonly Listed[]): Promise<Changed> {
  const path = join(turn.folder, 'changed')
  await mkdir(path)
  const { had, refusal } = await fetchChanged(turn, await selectTurn(turn, changed), path)
  if (had.length === 0) return { taken: undefined, refusal }
  const taking = { extent: 'changes', label: 'changed files', mayBeEmpty: true, areSingle: true } as const
  const file = { kind: 'folder', path } as const
  const taken = await importFetched(turn, sourceName, file, { ...taking, completes: true })
  const unread = await selectUnread(turn.db, sourceName)
  const read = had.filter((listed) => !unread.has(nameOf(listed)) || isReadSince(unread, listed, turn))
  await forgetUnread(turn.db, sourceName, read.map(nameOf))
  await keepListedTimes(turn.db, read)
  return { taken, refusal }
}

/** Its last failure is an earlier one. */
function isReadSince(unread: ReadonlyMap<string, UnreadFile>, listed: Listed, { now }: RefreshTurn): boolean {
  return (unread.get(nameOf(listed))?.lastFailedAt ?? now) < now
}

/** A file whose own time is not the listed one would count as changed in every turn, and keep those behind it from their turn. */
async function keepListedTimes(db: Db, read: readonly Listed[]): Promise<void> {
  await sql`
    update vulnerability v set modified_at = l.at
    from unnest(${read.map(({ cve }) => redHatRecordId(cve))}::text[], ${read.map(({ at }) => at)}::timestamptz[]) as l (record_id, at)
    where v.record_id = l.record_id and v.modified_at <> l.at`.execute(db)
}

/** A file that came back later has a later time than its deletion. */
async function takeAwayDeleted({ db, waiting, now }: RefreshTurn, deleted: readonly Listed[]): Promise<void> {
  if (deleted.length === 0) return
  await inImportTransaction(db, { lock: 'records', waiting }, async (tx) => {
    await sql`
      update vulnerability v
      set withdrawn_at = ${now}::timestamptz, content_hash = ${goneHash}, imported_at = ${now}::timestamptz
      from unnest(${deleted.map(({ cve }) => redHatRecordId(cve))}::text[], ${deleted.map(({ at }) => at)}::timestamptz[])
        as d (record_id, deleted_at)
      where v.record_id = d.record_id and v.withdrawn_at is null and v.modified_at <= d.deleted_at`.execute(
      tx,
    )
  })
}
