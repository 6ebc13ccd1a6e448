import { auditActions, auditObjects, type AuditEvent } from '../../contract/audit/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { rowsAtOnce } from '../../platform/postgres/snapshot.ts'
import { maxRows, refuseTooMany } from '../../formats/table-file/max-rows.ts'
import type { Column } from '../../formats/table-file/table-file.ts'
import { countEvents, selectEvents, type AuditPosition, type AuditScope } from './select-events.ts'

export const auditColumns: readonly Column<AuditEvent>[] = [
  { name: 'time', cell: ({ at }) => at },
  { name: 'actor kind', cell: ({ actor }) => actor.kind },
  { name: 'actor', cell: ({ actor }) => actor.name },
  { name: 'actor id', cell: ({ actor }) => actor.id },
  { name: 'action', cell: ({ action }) => action },
  { name: 'act', cell: ({ action }) => wordsOf(auditActions, action) },
  { name: 'object kind', cell: ({ object }) => object.kind },
  { name: 'object type', cell: ({ object }) => wordsOf(auditObjects, object.kind) },
  { name: 'object', cell: ({ object }) => object.name },
  { name: 'object id', cell: ({ object }) => object.id },
  { name: 'before', cell: ({ before }) => jsonOrNull(before) },
  { name: 'after', cell: ({ after }) => jsonOrNull(after) },
  { name: 'request id', cell: ({ requestId }) => requestId },
  { name: 'address', cell: ({ address }) => address },
  { name: 'event', cell: ({ id }) => id },
]

/** Rows of an earlier release may have a word that is no longer used. */
function wordsOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

/**
 * All that `listEvents` shows, the newest first, for a file.
 * Codes: `invalid_request` when there are more than a file may have, or a day is none.
 */
export async function* allEvents(tx: Tx, scope: AuditScope): AsyncGenerator<AuditEvent[]> {
  refuseTooMany(await countEvents(tx, scope, maxRows + 1), 'choose fewer days')
  yield* eventsInOrder(tx, scope)
}

/** The same, however many there are. */
export async function* eventsInOrder(tx: Tx, scope: AuditScope): AsyncGenerator<AuditEvent[]> {
  let after: AuditPosition | undefined
  do {
    const events = await selectEvents(tx, { ...scope, after, rows: rowsAtOnce })
    if (events.length > 0) yield events
    after = events.length < rowsAtOnce ? undefined : events.at(-1)
  } while (after !== undefined)
}
