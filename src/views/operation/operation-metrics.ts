import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { selectFailingDestinations } from '../../alerts/deliveries/failing-destinations.ts'
import type { Db } from '../../database/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Deps } from '../../platform/deps.ts'
import { addGauge, addStoredGauges, ageSeconds } from '../../platform/metrics.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { dayMs } from '../../contract/durations.ts'

type Watched = Deps & { sealing: Sealing; sendsMail: boolean }

/** What goes unnoticed until it is needed: mail, keys, the database's size and clock, backups, failing destinations. */
export function addOperationMetrics(registry: Registry, { db, now, log, sealing, sendsMail }: Watched): void {
  addGauge(registry, {
    name: 'mail_server',
    help: '1 with a mail server (SMTP_URL); 0: messages are kept and not sent.',
    read: () => Number(sendsMail),
  })
  addStoredGauges(registry, {
    gauges: {
      messages: {
        help: 'Messages by mail that wait, and that failed in the last day.',
        labelNames: ['state'],
      },
      oldest_message_age_seconds: {
        help: 'Time since the oldest waiting message was written, however often it was tried; 0 when none waits.',
        labelNames: [],
      },
      failing_destinations: {
        help: 'Destinations of alerts that are switched on and that nothing has reached for an hour or longer.',
        labelNames: [],
      },
      keys_ready: {
        help: '1 when the encryption keys are those that the database was written with.',
        labelNames: [],
      },
      database_size_bytes: { help: 'Size of the database on disk.', labelNames: [] },
      database_age_seconds: { help: 'Time since the tables of the database were created.', labelNames: [] },
      clock_skew_seconds: {
        help: "How far this process's clock is ahead of the database's; negative when it is behind.",
        labelNames: [],
      },
      backup_age_seconds: {
        help: 'Time since the command backup last finished; absent when it never did.',
        // a gauge without labels would be 0 then
        labelNames: ['by'],
      },
      backup_verification_age_seconds: {
        help: 'Time since the command backup verify last found a backup whole; absent when it never did.',
        labelNames: ['by'],
      },
    },
    read: async () => ({ ...(await selectState(db, now)), keys: await sealing.state(db) }),
    show: (gauge, state) => {
      gauge('messages').set({ state: 'waiting' }, state.waiting)
      gauge('messages').set({ state: 'failed' }, state.failed)
      if (state.oldestWaiting !== null)
        gauge('oldest_message_age_seconds').set(ageSeconds(state.oldestWaiting, now()))
      gauge('failing_destinations').set(state.failingDestinations)
      gauge('keys_ready').set(Number(state.keys === 'ready'))
      gauge('database_size_bytes').set(state.sizeBytes)
      gauge('database_age_seconds').set(ageSeconds(state.createdAt, now()))
      gauge('clock_skew_seconds').set(state.skewSeconds)
      if (state.backupAt !== null)
        gauge('backup_age_seconds').set({ by: 'command' }, ageSeconds(state.backupAt, now()))
      if (state.verifiedAt !== null)
        gauge('backup_verification_age_seconds').set({ by: 'command' }, ageSeconds(state.verifiedAt, now()))
    },
    log,
  })
}

type Stored = {
  waiting: number
  oldestWaiting: Date | null
  failed: number
  sizeBytes: number
  createdAt: Date
  clock: Date
  backupAt: Date | null
  verifiedAt: Date | null
}

/** Indexes mail_waiting, mail_ended. */
async function selectState(
  db: Db,
  clock: Clock,
): Promise<Stored & { failingDestinations: number; skewSeconds: number }> {
  const now = clock()
  const { rows } = await sql<Stored>`
    select m.waiting, m.oldest as "oldestWaiting",
      (select count(*) from mail where state = 'failed' and ended_at > ${new Date(now.getTime() - dayMs)}) as failed,
      pg_database_size(current_database()) as "sizeBytes",
      (select min(applied_at) from schema_migration) as "createdAt",
      clock_timestamp() as clock,
      (select finished_at from finished_backup) as "backupAt",
      (select verified_at from verified_backup) as "verifiedAt"
    from (
      select count(*) as waiting, min(created_at) filter (where created_at <= ${now}) as oldest from mail where state = 'waiting'
    ) m`.execute(db)
  // The server looked at its clock somewhere in between.
  const ownClock = (now.getTime() + clock().getTime()) / 2
  const [stored] = rows
  if (stored === undefined) throw new Error('the state of the installation has no row')
  const failing = await selectFailingDestinations(db, now)
  return {
    ...stored,
    failingDestinations: failing.reduce((sum, { destinations }) => sum + destinations, 0),
    skewSeconds: (ownClock - stored.clock.getTime()) / 1000,
  }
}
