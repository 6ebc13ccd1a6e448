import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PoolConfig } from 'pg'
import type { Db } from '../../../src/database/connection.ts'
import type { Tables } from '../../../src/database/tables.ts'
import { createClock } from '../../../src/platform/clock.ts'
import { createPool, createQueries } from '../../../src/platform/postgres/pool.ts'
import { storedSecret, type AlertScene } from '../../alerts/alert-scene.ts'
import { whyRefused } from '../../alerts/verifier.ts'
import type { AppSession } from '../../support/app-session.ts'
import { call, type Answer } from '../../support/http.ts'
import type { Received, Receiver } from '../../support/receivers.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'
import { startService } from '../../support/service.ts'
import { checkoutDir } from '../../support/test-server.ts'
import { startWorkProcess } from '../../support/work-process.ts'
import { onceEach } from './outcome.ts'
import { differencesOf, lookAt, type Seen } from './seen-of-service.ts'
import { fieldOf } from '../../support/read-as.ts'

/** A restored store, and the recipients of its warnings. */
type Restored = {
  target: PoolConfig
  scene: AlertScene
  receiver: Receiver
  clockFile: string
  /** Environment of its processes. */
  env: Record<string, string>
}

/** What existed before, to be found again. */
export type Before = { session: AppSession; sbomId: string; incidents: string[]; seen: Seen }

export const patienceMs = 120_000
/** How far the clock advances between the backup and the work on the restored store. */
export const movedOnMs = 21 * 3_600_000
export const sampleFile = join(checkoutDir, 'demo/sample.cdx.json')

export function openQueries(store: PoolConfig): Db {
  return createQueries<Tables>(createPool(store, { max: 4, applicationName: 'scenario', log: console }))
}

export function upload(at: string, { acme }: AlertScene, body: Buffer): Promise<Answer> {
  const token = acme.families[0]?.upload ?? ''
  return call(`${at}/api/v1/sboms`, { method: 'POST', token, body })
}

/** The restored store in use: everybody finds their data, and two processes warn of what has become due. */
export async function useRestored(
  place: Restored,
  { before, early }: { before: Before; early: readonly string[] },
): Promise<string[]> {
  const { scene, target, receiver, clockFile, env } = place
  const service = await startService({ env, role: 'serve', readyWithinMs: patienceMs })
  const db = openQueries(target)
  try {
    const at = service.baseUrl
    const failures = differencesOf(
      before.seen,
      await lookAt({ ...before, baseUrl: at, workspace: scene.acme }),
    )
    failures.push(...(await sendAgain(at, place, before.sbomId)))
    const offset = Number(await readFile(clockFile, 'utf8'))
    // in one step: the service reads it at every use
    await writeFile(`${clockFile}.new`, String(offset + movedOnMs))
    await rename(`${clockFile}.new`, clockFile)
    const due = await selectDue(db, createClock(clockFile)())
    if (early.length === 0 || due.length === 0)
      failures.push('nothing was due before the backup, or after it')
    await warnWithTwo(db, place)
    // another check finds nothing left to warn of
    await service.cli(['drain'])
    failures.push(...onceEach('warning', [...early, ...due], receiver.requests.map(warningOf)))
    const wrong = receiver.requests.slice(early.length).flatMap((request) => refusalOf(request, clockFile))
    return [...failures, ...wrong]
  } finally {
    await db.destroy()
    await service.stop()
  }
}

/** Known files are recognised, and new ones accepted, with the old tokens. */
async function sendAgain(at: string, { scene }: Pick<Restored, 'scene'>, sbomId: string): Promise<string[]> {
  const known = await upload(at, scene, await readFile(sampleFile))
  const id = fieldOf(known.body, 'id')
  const duplicate = fieldOf(known.body, 'duplicate')
  const fresh = await upload(at, scene, sampleSbom({ components: 5, serial: 7 }))
  return [
    ...(known.status === 200 && duplicate === true && id === sbomId
      ? []
      : [`the known upload was answered ${known.status} with ${String(id)}`]),
    ...(fresh.status === 202 ? [] : [`a new upload was answered ${fresh.status}`]),
  ]
}

/** The reports whose warning is due, named as by `warningOf`. */
async function selectDue(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select concat_ws(' ', incident_id, regime, report) as name from regime_report
    where state = 'open' and warned_at is null
      and due_at - make_interval(hours => lead_hours) <= ${now}`.execute(db)
  return rows.map(({ name }) => name)
}

async function warnWithTwo(db: Db, { env, clockFile }: Pick<Restored, 'env' | 'clockFile'>): Promise<void> {
  const now = createClock(clockFile)
  const working = [startWorkProcess(env), startWorkProcess(env)]
  try {
    const until = performance.now() + patienceMs
    while ((await selectDue(db, now())).length > 0 || (await somethingWaits(db))) {
      if (performance.now() > until)
        throw new Error(`not all is warned of: ${working.map(({ output }) => output()).join('')}`)
      await sleep(50)
    }
  } finally {
    await Promise.all(working.map(({ stop }) => stop()))
  }
}

async function somethingWaits(db: Db): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from job where kind = 'emit_event')
      or exists (select from alert_delivery where state in ('pending', 'sending')) as waits`.execute(db)
  return rows[0]?.waits === true
}

export function warningOf({ body }: Received): string {
  const data = fieldOf(JSON.parse(body), 'data')
  return [['incident', 'id'], ['regime'], ['report']]
    .map((names) => String(fieldOf(data, ...names)))
    .join(' ')
}

/** The receiver's check, with the secret from before the backup. */
function refusalOf({ headers, body }: Received, clockFile: string): string[] {
  const header = String(headers['service-signature'])
  const given = { header, body: Buffer.from(body), secret: storedSecret }
  const why = whyRefused(given, createClock(clockFile)())
  return why === null ? [] : [`a warning was refused by its receiver: ${why}`]
}
