import type { Db } from '../database/connection.ts'
import { hasPassed } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/deps.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import { attempt } from './ledger/attempt.ts'
import { waitingAtMost } from './ledger/import-lock.ts'
import { recordBroken, recordUnchanged, type Attempt } from './ledger/outcomes.ts'
import { selectSource } from './ledger/source-rows.ts'
import { inImportFolder } from './reading/in-folder.ts'
import { sourceOf } from './sources/all.ts'
import type { Feed, Source } from './sources/source.ts'
import { tools } from './tools.ts'

export type RefreshDeps = Pick<Deps, 'db' | 'log'> & {
  config: Pick<Config, 'feeds' | 'lab' | 'outboundAllowedHosts'>
}

/** Waiting for another import takes up a lane that could do other work. */
const maxWaitMs = 5 * 60_000

type Asking = { source: string; now: Date }

/**
 * Fetches one configured source of vulnerability data (job `refresh_source`). The result is on the row of the source. A failure is data: the last
 * good copy stays, and the source shows its age and why the attempt failed. Sources that are switched off are left alone, and so are those of a newer
 * release beside this one, which orders them again until they have been tried.
 */
export async function refreshSource(deps: RefreshDeps, { source: name, now }: Asking): Promise<void> {
  const source = sourceOf(name)
  const { feed, refresh } = source ?? {}
  if (source === undefined || feed === undefined || refresh === undefined) {
    deps.log.warn({ source: name }, 'a source that only another release knows is left to it')
    return
  }
  const address = addressOf(deps, name)
  if (address === null) return
  const { db, log } = deps
  const tried = { name, address, now }
  const isKnown = await isFresh(db, feed, tried)
  const ended = await attempt(db, tried, async () => {
    if (!(await haveNewReaderRead(db, source)) && isKnown) return recordUnchanged(db, tried, null)
    const waiting = waitingAtMost(maxWaitMs)
    const outbound = outboundOf(deps.config)
    return inImportFolder((folder) => refresh({ db, log, tools, outbound, address, folder, waiting, now }))
  })
  if (ended.outcome === 'error')
    log.warn({ source: name, reason: ended.message }, 'vulnerability data was not refreshed')
}

/**
 * Files that have not changed would never show what a new release reads in them, and of many sources only changes are fetched: a new reader begins with
 * everything. Returns whether it has to. Noted with it, so that a reading in parts is resumed and not begun again each time.
 */
async function haveNewReaderRead(db: Db, { id, readAgain, readerGeneration = 0 }: Source): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const noted = await tx
      .updateTable('data_source')
      .set({ reader_generation: readerGeneration })
      .where('name', '=', id)
      .where('reader_generation', '<', readerGeneration)
      .executeTakeFirst()
    if (noted.numUpdatedRows === 0n) return false
    await readAgain?.(tx)
    return true
  })
}

/** The job will not run again (`refresh_source`): closes the attempt that it left open. */
export async function giveUpRefresh(deps: RefreshDeps, { source: name, now }: Asking): Promise<void> {
  await recordBroken(
    deps.db,
    { name, address: addressOf(deps, name), now },
    'the attempt was cut short; the next one comes by itself',
  )
}

function addressOf({ config }: RefreshDeps, name: string): string | null {
  return config.feeds[name] ?? null
}

/** Whether its publisher cannot have anything newer at this address. */
async function isFresh(db: Db, { everyMs }: Feed, { name, address, now }: Attempt): Promise<boolean> {
  if (everyMs === undefined) return false
  const row = await selectSource(db, name)
  return !hasPassed(row?.address === address ? row.lastSuccessAt : null, everyMs, now)
}
