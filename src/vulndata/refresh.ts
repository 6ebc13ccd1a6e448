import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPassed } from '../platform/clock.ts'
import { feedNames, type Config, type FeedName } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { hasScores, importScores } from './import-euvd.ts'
import { importCatalogue, type CatalogueName } from './import-catalogue.ts'
import { outboundOf } from './configured-outbound.ts'
import { recogniseFile } from './recognise.ts'
import { refreshNvd } from './refresh-nvd.ts'
import { refreshOsv } from './refresh-osv.ts'
import { reasonOf, RefusedData } from './refused-data.ts'
import { recordAttempt, recordFailure, selectSource, withImportLock } from './sources.ts'

export type RefreshDeps = Pick<Deps, 'db' | 'log'> & {
  config: Pick<Config, 'feeds' | 'lab' | 'outboundAllowedHosts'>
}

/** The catalogue's publisher blocks some networks; its own copy elsewhere is minutes behind. */
const fallbacks = new Map([
  [
    'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    'https://raw.githubusercontent.com/cisagov/kev-data/HEAD/known_exploited_vulnerabilities.json',
  ],
])

/**
 * Fetches one configured source of vulnerability data (job `refresh_source`): `osv`, `nvd`, `kev`, `eukev`, `euvd`, `euvdMapping` or
 * `epss`. A failure
 * is data: the last good copy stays, and the source shows its age and why the attempt failed. A source that another process is
 * refreshing, or that is switched off, is left alone.
 */
export async function refreshSource(
  deps: RefreshDeps,
  { source, now }: { source: string; now: Date },
): Promise<void> {
  const feed = feedOf(source)
  const address = deps.config.feeds[feed]
  if (address === null) return
  if (feed === 'epss' && (await isFresh(deps, { address, now })))
    return recordAttempt(deps.db, { name: feed, address, now })
  const folder = await mkdtemp(join(tmpdir(), 'vulnerability-data-'))
  try {
    await recordAttempt(deps.db, { name: feed, address, now })
    const outbound = outboundOf(deps.config)
    if (feed === 'osv') await refreshOsv(deps, { outbound, url: address, folder, now })
    else if (feed === 'nvd') await refreshNvd(deps.db, { outbound, url: address, folder, now })
    else await refreshCatalogue(deps, { name: feed, outbound, address, folder, now })
  } catch (error) {
    const message = reasonOf(error)
    if (message === null) throw error
    deps.log.warn({ source: feed, reason: message }, 'vulnerability data was not refreshed')
    await recordFailure(deps.db, { name: feed, address, now, message })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function feedOf(source: string): FeedName {
  const feed = feedNames.find((name) => name === source)
  if (feed === undefined) throw new Error(`there is no source of vulnerability data called "${source}"`)
  return feed
}

/** Scores are published once a day, for all CVEs at once. */
const scoresEveryMs = 20 * 3_600_000

async function isFresh(
  { db }: RefreshDeps,
  { address, now }: { address: string; now: Date },
): Promise<boolean> {
  const row = await selectSource(db, 'epss')
  const loadedAt = row?.address === address ? row.lastSuccessAt : null
  return !hasPassed(loadedAt, scoresEveryMs, now)
}

type CatalogueRefresh = {
  name: CatalogueName
  outbound: Outbound
  address: string
  folder: string
  now: Date
}

async function refreshCatalogue({ db }: RefreshDeps, refresh: CatalogueRefresh): Promise<void> {
  const { name, address, now } = refresh
  const onProgress = () => undefined
  const path = await fetchCatalogue(refresh)
  const kind = await recogniseFile(path)
  if (kind !== name) throw new RefusedData(`expected the data of ${name}, found those of ${kind}`)
  await withImportLock(db, { lock: 'catalogues', isWaiting: null }, (session) =>
    importCatalogue(session, { name, path, address, now, onProgress }),
  )
  if (name !== 'euvd' || !(await hasScores(db, path))) return
  // while another import runs, its severities wait for the next turn
  await withImportLock(db, { lock: 'records', isWaiting: null }, (session) =>
    importScores(session, { path, from: address, now, onProgress }),
  )
}

async function fetchCatalogue(refresh: CatalogueRefresh): Promise<string> {
  const fallback = fallbacks.get(refresh.address)
  if (fallback === undefined) return fetchFile(refresh, refresh.address)
  try {
    const path = await fetchFile(refresh, refresh.address)
    await recogniseFile(path)
    return path
  } catch (error) {
    if (reasonOf(error) === null) throw error
    return fetchFile(refresh, fallback)
  }
}

const maxCatalogueBytes = 256 * 1024 ** 2

async function fetchFile({ outbound, folder, name }: CatalogueRefresh, url: string): Promise<string> {
  const toFile = join(folder, name)
  const { status } = await outbound.download({ url, purpose: 'feed', toFile, maxBytes: maxCatalogueBytes })
  if (status !== 200) throw new RefusedData(`expected status 200, found ${status}`)
  return toFile
}
