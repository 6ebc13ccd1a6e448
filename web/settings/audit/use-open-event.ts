import { useQuery } from '@tanstack/react-query'
import type { AuditEvent } from '#contract/audit/shapes.ts'
import { auditEventQuery } from './queries.ts'

type Asked = {
  /** The number of the event in the address. */
  open: string | undefined
  /** Loaded rows; undefined before the first answer. */
  rows: readonly AuditEvent[] | undefined
}

export type OpenEvent = { event: AuditEvent | undefined; error: Error | null }

/** The event in the address. A link must still work as the list grows, so an event outside the loaded rows is fetched. */
export function useOpenEvent(slug: string, { open, rows }: Asked): OpenEvent {
  const row = rows?.find(({ id }) => String(id) === open)
  const isElsewhere = open !== undefined && rows !== undefined && row === undefined
  const asked = useQuery({ ...auditEventQuery(slug, open ?? ''), enabled: isElsewhere })
  if (!isElsewhere) return { event: row, error: null }
  return { event: asked.data, error: asked.error }
}
