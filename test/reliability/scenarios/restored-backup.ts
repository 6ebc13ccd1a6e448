import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import type { Db } from '../../../src/database/connection.ts'
import { openManually } from '../../../src/incidents/openings/open-manually.ts'
import { connectionUrl, createPool } from '../../../src/platform/postgres/pool.ts'
import { chainEvents } from '../../../src/audit/chain-events.ts'
import { sceneKeys, type AlertScene } from '../../alerts/alert-scene.ts'
import { digestTables } from '../../backup/table-rows.ts'
import { AppSession } from '../../support/app-session.ts'
import { baseUrl } from '../../support/http.ts'
import type { Receiver, ReceiverLab } from '../../support/receivers.ts'
import { runCli, startService } from '../../support/service.ts'
import { checkoutDir } from '../../support/test-server.ts'
import { openReceivers, withAlertLab } from './alert-lab.ts'
import { reportingTime, withClockFrom } from './moved-clock.ts'
import type { Outcome } from './outcome.ts'
import { publishAll } from './published-feed.ts'
import { lookAt } from './seen-of-service.ts'
import {
  movedOnMs,
  openQueries,
  patienceMs,
  sampleFile,
  upload,
  useRestored,
  warningOf,
  type Before,
} from './use-restored.ts'
import { readAs } from '../../support/read-as.ts'
import { SbomReceipt } from '../../../src/contract/sbom/shapes.ts'

type Stores = {
  /** Migrated and never used. */
  source: PoolConfig
  /** Without tables or sessions. */
  target: PoolConfig
  publications: number
}

type Setting = Stores & {
  db: Db
  scene: AlertScene
  receiver: Receiver
  folder: string
  clockFile: string
  envOf: (store: PoolConfig) => Record<string, string>
}

type Verified = { isWhole: boolean; chains: { events: number }[]; problems: unknown[] }
type Restored = { rows: number; tables: Record<string, number> } & Record<`unusable${string}`, number>

/** An early warning is due 24 hours after awareness, with a reminder four hours before: the second time is for the later incident only. */
const awareBeforeMs = [movedOnMs, 0]

/**
 * A store with a feed, sealed destinations and incidents with running clocks is backed up and restored into another one. There every row is
 * the same, every credential and destination works with the same keys, and each later deadline gets one warning.
 */
export function runRestoredBackup(stores: Stores): Promise<Outcome> {
  return withClockFrom(reportingTime, async (clockFile) => {
    const db = openQueries(stores.source)
    const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-backup-'))
    try {
      return await withAlertLab(db, async (scene, lab) => {
        const order = { name: 'warned', count: 1, events: ['deadline.warning' as const] }
        const [receiver] = await openReceivers(scene, lab, order)
        if (receiver === undefined) throw new Error('no receiver')
        const envOf = environmentOf(lab, clockFile)
        return await run({ ...stores, db, scene, receiver, folder, clockFile, envOf })
      })
    } finally {
      await db.destroy()
      await rm(folder, { recursive: true })
    }
  })
}

function environmentOf(lab: ReceiverLab, clockFile: string): Setting['envOf'] {
  return (store) => ({
    ...lab.env(),
    DATABASE_URL: connectionUrl(store),
    ENCRYPTION_KEYS: sceneKeys,
    BASE_URL: baseUrl,
    LAB_CLOCK_OFFSET_FILE: clockFile,
    LOG_LEVEL: 'warn',
  })
}

async function run(place: Setting): Promise<Outcome> {
  const { source, target, folder, receiver } = place
  const cli = <T>(store: PoolConfig, ...args: string[]) =>
    runCli<T>({ ...process.env, ...place.envOf(store) }, args)
  const before = await fill(place)
  const early = receiver.requests.map(warningOf)
  const heads = join(folder, 'heads.json')
  await writeFile(heads, JSON.stringify(await cli<Verified>(source, 'audit', 'verify')))
  const file = join(folder, 'backup.gz')
  await cli(source, 'backup', file)
  const rows = await digestsOf(source)
  const restored = await cli<Restored>(target, 'restore', file)
  const restoredRows = await digestsOf(target)
  const verified = await cli<Verified>(target, 'audit', 'verify', heads)
  const failures = [
    ...differingTables(rows, restoredRows),
    ...unusableOf(restored),
    ...(verified.isWhole ? [] : [`the audit trail is not whole: ${JSON.stringify(verified.problems)}`]),
    ...(await useRestored({ ...place, env: place.envOf(target) }, { before, early })),
  ]
  const figures = {
    tables: Object.keys(rows).length,
    rows: restored.rows,
    chained: verified.chains.reduce((sum, { events }) => sum + events, 0),
    feedFiles: before.seen.feed.size,
    warnedBefore: early.length,
    warnedAfter: receiver.requests.length - early.length,
  }
  return { figures, failures }
}

/** Creates everything to be found again, as a running service would. */
async function fill({ db, scene, publications, source, envOf }: Setting): Promise<Before> {
  const service = await startService({ env: envOf(source), role: 'serve', readyWithinMs: patienceMs })
  const at = service.baseUrl
  try {
    const { acme } = scene
    const sent = await upload(at, scene, await readFile(sampleFile))
    if (sent.status !== 202) throw new Error(`the upload was answered ${sent.status}`)
    const { id: sbomId } = readAs(SbomReceipt, sent.body)
    const company = { workspaceId: acme.id, familyId: acme.families[0]?.id ?? '', slug: acme.slug }
    await publishAll({ db, company, publications, baseUrls: [baseUrl] })
    const incidents = await openIncidents(db, scene)
    await service.cli(['vulnerabilities', 'import', join(checkoutDir, 'demo/vulnerabilities.ndjson')])
    const session = await AppSession.signIn(at, acme.members.owner)
    await service.cli(['drain'])
    await chainEvents(db)
    const found = { session, sbomId, incidents }
    return { ...found, seen: await lookAt({ ...found, baseUrl: at, workspace: acme }) }
  } finally {
    await service.stop()
  }
}

/** Members know of one of them earlier: its warning comes before the backup, the other's after it. */
async function openIncidents(db: Db, { acme }: AlertScene): Promise<string[]> {
  const actor = { kind: 'person' as const, id: acme.members.owner.id, name: 'owner' }
  const incidents: string[] = []
  for (const beforeMs of awareBeforeMs) {
    const awareAt = new Date(reportingTime.getTime() - beforeMs).toISOString()
    const given = { kind: 'severe_incident' as const, title: 'Break-in', families: [], awareAt }
    const act = { workspaceId: acme.id, actor, now: new Date(reportingTime.getTime() + 1) }
    incidents.push((await openManually(db, act, given)).id)
  }
  return incidents
}

type Digests = Awaited<ReturnType<typeof digestTables>>

async function digestsOf(store: PoolConfig): Promise<Digests> {
  const pool = createPool(store, { max: 1, applicationName: 'scenario', log: console })
  try {
    return await digestTables(pool)
  } finally {
    await pool.end()
  }
}

function differingTables(before: Digests, after: Digests): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter(
      (name) => before[name]?.rows !== after[name]?.rows || before[name]?.digest !== after[name]?.digest,
    )
    .map((name) => `table ${name}: ${before[name]?.rows} rows before, ${after[name]?.rows} after, or others`)
}

function unusableOf(restored: Restored): string[] {
  const counts = Object.entries(restored).filter(([name]) => name.startsWith('unusable'))
  if (counts.length === 0) return ['the restore does not say what its keys cannot open']
  return counts.filter(([, count]) => count !== 0).map(([name, count]) => `${name}: ${JSON.stringify(count)}`)
}
