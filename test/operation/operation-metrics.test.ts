import pino from 'pino'
import { minuteMs } from '../../src/contract/durations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordBackup, recordVerification } from '../../src/backup/finished-backup.ts'
import { newId } from '../../src/platform/random.ts'
import { createRegistry } from '../../src/platform/metrics.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing, placeCanary } from '../../src/platform/sealing/sealing.ts'
import { addOperationMetrics } from '../../src/views/operation/operation-metrics.ts'
import { openAlertScene, sceneKeys, type AlertScene } from '../alerts/alert-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const log = pino({ level: 'silent' })
const before = (minutes: number) => new Date(testNow.getTime() - minutes * minuteMs)

let database: TestDatabase
let scene: AlertScene
beforeAll(async () => {
  database = await createTestDatabase()
  scene = await openAlertScene(database.db)
  await placeCanary(database.db, createSealing(createKeyRing(parseKeys(sceneKeys))), testNow)
})
afterAll(() => database.drop())

async function metrics({ keys = sceneKeys, sendsMail = true } = {}): Promise<string> {
  const registry = createRegistry({ version: '1.0.0', role: 'all' })
  const sealing = createSealing(createKeyRing(parseKeys(keys)))
  addOperationMetrics(registry, { db: database.db, now: () => testNow, log, sealing, sendsMail })
  return registry.metrics()
}

/** A delivery that ended so many minutes ago. */
async function delivery(destinationId: string, state: 'sent' | 'failed', minutes: number): Promise<void> {
  await database.pool.query(
    `insert into alert_delivery (id, workspace_id, destination_id, event_id, type, fact, host, state, created_at, sent_at)
     values ($1, $2, $3, $4, 'test', '{"type":"test"}', 'h', $5, $6, $6)`,
    [newId(testNow), scene.acme.id, destinationId, newId(testNow), state, before(minutes)],
  )
  await database.pool.query('update alert_destination set last_error = $2 where id = $1', [
    destinationId,
    state === 'failed' ? 'HTTP 500' : null,
  ])
}

describe('what nobody would notice until it is needed', () => {
  it('is shown while all is well', async () => {
    const text = await metrics()
    expect(text).toContain('sbom_monitor_mail_server 1')
    expect(text).toContain('sbom_monitor_messages{state="waiting"} 0')
    expect(text).toContain('sbom_monitor_messages{state="failed"} 0')
    expect(text).toContain('sbom_monitor_failing_destinations 0')
    expect(text).toContain('sbom_monitor_keys_ready 1')
    expect(text).toMatch(/sbom_monitor_database_size_bytes [1-9]\d{6,}/)
    // the test clock is not the server's
    expect(Number(/^sbom_monitor_clock_skew_seconds (\S+)/m.exec(text)?.[1])).toBeCloseTo(
      (testNow.getTime() - Date.now()) / 1000,
      -1,
    )
    expect(text).toContain('sbom_monitor_oldest_message_age_seconds 0')
    await database.pool.query('update schema_migration set applied_at = $1 where version = 1', [before(90)])
    expect(await metrics()).toContain('sbom_monitor_database_age_seconds 5400')
    expect(text).not.toMatch(/^sbom_monitor_backup_(?:verification_)?age_seconds/m)
  })

  it('tells of other keys, of no mail server, of the last backup and of the last one that was checked', async () => {
    await recordBackup(database.db, { finishedAt: before(120), bytes: 1 })
    await recordBackup(database.db, { finishedAt: before(60), bytes: 2 })
    await recordVerification(database.db, { verifiedAt: before(90), backupAt: before(120) })
    await recordVerification(database.db, { verifiedAt: before(30), backupAt: before(60) })
    const text = await metrics({ keys: newKeyText(), sendsMail: false })
    expect(text).toContain('sbom_monitor_keys_ready 0')
    expect(text).toContain('sbom_monitor_mail_server 0')
    expect(text).toContain('sbom_monitor_backup_age_seconds{by="command"} 3600')
    expect(text).toContain('sbom_monitor_backup_verification_age_seconds{by="command"} 1800')
  })

  it('counts destinations that nothing has reached for an hour, and no others', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1)
      ids.push(await scene.store(scene.acme.id, { url: `https://hook-${index}.example/x` }))
    const [failing = '', justNow = '', reached = '', off = '', removed = ''] = ids
    await delivery(failing, 'sent', 200)
    await delivery(failing, 'failed', 90)
    await delivery(failing, 'failed', 5)
    await delivery(justNow, 'failed', 59)
    await delivery(reached, 'failed', 90)
    await delivery(reached, 'sent', 30)
    await delivery(reached, 'failed', 1)
    for (const id of [off, removed]) await delivery(id, 'failed', 90)
    await database.pool.query('update alert_destination set enabled = false where id = $1', [off])
    await database.pool.query(
      'update alert_destination set removed_at = now(), url_sealed = null, secret_sealed = null where id = $1',
      [removed],
    )
    expect(await metrics()).toContain('sbom_monitor_failing_destinations 1')
  })

  it('shows for how long mail has waited, however often the mail server was asked meanwhile', async () => {
    await database.pool.query(
      `insert into mail (id, event_id, kind, fact, is_named, recipient, recipient_name, state, created_at, due_at)
       values ($1, $2, 'test', '{}', false, 'a@b.example', 'A', 'waiting', $3, $4)`,
      [newId(testNow), newId(testNow), before(10), before(-60)],
    )
    await database.pool.query(
      `insert into mail (id, event_id, kind, fact, is_named, recipient, recipient_name, state, created_at, due_at, ended_at)
       values ($1, $2, 'test', '{}', false, 'a@b.example', 'A', 'failed', $3, $3, $3)`,
      [newId(testNow), newId(testNow), before(10)],
    )
    const text = await metrics()
    expect(text).toContain('sbom_monitor_messages{state="waiting"} 1')
    expect(text).toContain('sbom_monitor_messages{state="failed"} 1')
    expect(text).toContain('sbom_monitor_oldest_message_age_seconds 600')
  })
})
