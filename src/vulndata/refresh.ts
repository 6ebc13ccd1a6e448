import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../database/connection.ts'
import { hasPassed } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/deps.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import { reasonOf } from './documents/refused-data.ts'
import { recordAttempt, recordFailure, selectSource } from './ledger/source-rows.ts'
import { sourceOf } from './sources/all.ts'
import type { Feed } from './sources/source.ts'
import { tools } from './tools.ts'

export type RefreshDeps = Pick<Deps, 'db' | 'log'> & {
  config: Pick<Config, 'feeds' | 'lab' | 'outboundAllowedHosts'>
}

/**
 * Fetches one configured source of vulnerability data (job `refresh_source`). A failure is data: the last good copy stays, and the source
 * shows its age and why the attempt failed. A source that another process is refreshing, or that is switched off, is left alone.
 */
export async function refreshSource(
  deps: RefreshDeps,
  { source: name, now }: { source: string; now: Date },
): Promise<void> {
  const { id, feed, refresh } = sourceOf(name) ?? {}
  if (id === undefined || feed === undefined || refresh === undefined)
    throw new Error(`there is no source of vulnerability data called "${name}" that can be fetched`)
  const address = deps.config.feeds[id] ?? null
  if (address === null) return
  const { db, log } = deps
  const isKnown = await isFresh(db, feed, { name, address, now })
  await recordAttempt(db, { name, address, now })
  if (isKnown) return
  const folder = await mkdtemp(join(tmpdir(), 'vulnerability-data-'))
  try {
    await refresh({ db, log, tools, outbound: outboundOf(deps.config), address, folder, now })
  } catch (error) {
    const message = reasonOf(error)
    if (message === null) throw error
    log.warn({ source: name, reason: message }, 'vulnerability data was not refreshed')
    await recordFailure(db, { name, address, now, message })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Asking = { name: string; address: string; now: Date }

/** Whether its publisher can have nothing newer at this address. */
async function isFresh(db: Db, { everyMs }: Feed, { name, address, now }: Asking): Promise<boolean> {
  if (everyMs === undefined) return false
  const row = await selectSource(db, name)
  return !hasPassed(row?.address === address ? row.lastSuccessAt : null, everyMs, now)
}
