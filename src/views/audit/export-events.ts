import type { Readable } from 'node:stream'
import { auditActions, auditObjects, type AuditEvent, type TableFormat } from '../../contract/audit/audit.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { csvFile, jsonFile, type Column } from '../../platform/table-file/table-file.ts'
import { countEvents, selectEvents, type AuditPlace, type AuditScope } from './select-events.ts'

/** So that a file can be opened by what people open such files with. */
export const mostExported = 1_000_000
const rowsAtOnce = 1_000

const columns: readonly Column<AuditEvent>[] = [
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

/** Rows of an earlier release may hold a word that is not used any more. */
function wordsOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Codes: `invalid_request` when there are more events than one file may hold, or a day is none. */
export async function refuseTooMany(db: Db, scope: AuditScope): Promise<void> {
  const count = await countEvents(db, scope, mostExported + 1)
  if (count <= mostExported) return
  throw new ServiceError('invalid_request', {
    message: `There are more than ${mostExported} events: choose fewer days.`,
  })
}

type Asked = { format: TableFormat; exportedAt: Date; about: Readonly<Record<string, unknown>> }

/** The audit trail as a file, the newest first. Events that are written meanwhile are left out, so that it comes to an end. */
export function exportEvents(db: Db, scope: AuditScope, { format, exportedAt, about }: Asked): Readable {
  const pages = eventPages(db, scope)
  if (format === 'csv') return csvFile(columns, pages)
  return jsonFile({ exportedAt: exportedAt.toISOString(), ...about }, pages)
}

async function* eventPages(db: Db, scope: AuditScope): AsyncGenerator<AuditEvent[]> {
  let after: AuditPlace | undefined
  for (let read = 0; read < mostExported; read += rowsAtOnce) {
    const events = await selectEvents(db, { ...scope, after, rows: rowsAtOnce })
    if (events.length > 0) yield events
    after = events.at(-1)
    if (events.length < rowsAtOnce) return
  }
}
