import { sql } from 'kysely'
import type { RetentionRule } from '../queue/schedule/retention.ts'

const days = { ended: 90, unread: 365 }

const removeEntries: RetentionRule['remove'] = async (tx, ids) => {
  await sql`delete from bell_entry where id = any(${ids}::uuid[])`.execute(tx)
}

export const noticesRetention: readonly RetentionRule[] = [
  {
    what: 'messages to members, sent or not',
    kept: '90 days after they ended',
    // index mail_ended
    over: (now) => sql`
      select id from mail where ended_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(days.ended)})`,
    remove: async (tx, ids) => {
      await sql`delete from mail where id = any(${ids}::uuid[])`.execute(tx)
    },
  },
  {
    what: 'read entries of the bell',
    kept: '90 days after they were read',
    // index bell_entry_read
    over: (now) => sql`
      select id from bell_entry where read_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(days.ended)})`,
    remove: removeEntries,
  },
  {
    what: 'unread entries of the bell',
    kept: 'a year after they were made',
    // index bell_entry_unread
    over: (now) => sql`
      select id from bell_entry
      where read_at is null and created_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(days.unread)})`,
    remove: removeEntries,
  },
]
