import type { AuditAction, AuditObjectKind, TableFormat } from '../../../contract/audit/shapes.ts'
import type { Tx } from '../../../database/connection.ts'
import { heldStream } from '../../../platform/concurrency/held-stream.ts'
import { csvFile, jsonFile, type Column } from '../../../formats/table-file/table-file.ts'
import { noteExport } from '../../../audit/note-export.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Download } from '../routing/send-answer.ts'
import type { Member } from '../routing/member.ts'
import { beginExport, reportLeft } from './export-share.ts'
import { rowsOrNone, withCoverage, type Basis } from '../../../views/lists/with-coverage.ts'

/** A slower download is cut off: its snapshot stays open in the store for all that time. */
const patience = { stallMs: 60_000, maxMs: 10 * 60_000 }

type Asking = Pick<Member, 'workspaceId' | 'workspace' | 'person' | 'actor' | 'seen' | 'now'> & {
  deps: Pick<HttpDeps, 'db' | 'reads' | 'exports' | 'log'>
}

type List<Row> = {
  /** Of the file, after the workspace: `findings`. */
  name: string
  action: Extract<AuditAction, `${string}.exported`>
  object?: { kind: AuditObjectKind; id: string; name?: string }
  query: Readonly<Record<string, string | number | undefined>> & { format?: TableFormat | undefined }
  columns: readonly Column<Row>[]
  /** For a list of findings or of components: how many were checked, which both formats say. */
  basis?: (tx: Tx) => Promise<Basis>
  /** What else the JSON file says about itself. */
  about?: Readonly<Record<string, unknown>>
  /** The whole list with the filters in force, as it is at one moment. */
  read: (tx: Tx) => AsyncGenerator<Row[]>
  /** Rows that come before it, by the number of the record of this export. */
  first?: (recordId: number) => Promise<Row[]>
}

/**
 * A list as a file, read in its order from one moment of the store while the file is sent, and recorded. Codes: those of the list,
 * `rate_limited`, and `invalid_request` when it has more rows than a file may.
 */
export async function listDownload<Row>(asking: Asking, list: List<Row>): Promise<Download> {
  const { workspaceId, workspace, actor, now, deps } = asking
  const { name, action, object, query, columns, read, first } = list
  const { format = 'csv', ...filters } = query
  await using held = new AsyncDisposableStack()
  const { basis, pages, start } = await beginExport(asking, held, async (tx) => {
    const basis = await list.basis?.(tx)
    const pages = read(tx)
    // refusals of the list come before anything is sent
    return { basis, pages, start: await pages.next() }
  })
  const recordId = await noteExport(deps.db, {
    workspaceId,
    actor,
    now,
    action,
    asked: { format, ...filters },
    object: object ?? { kind: 'workspace', id: workspaceId, name: workspace.company_name },
  })
  const rows = joined([(await first?.(recordId)) ?? [], start.done === true ? [] : start.value], pages)
  const about = {
    exportedAt: now.toISOString(),
    workspace: workspace.slug,
    ...list.about,
    filters,
    ...basis,
  }
  const pieces = format === 'csv' ? asCsv(columns, rows, basis) : jsonFile(about, rows)
  const content = heldStream(pieces, { ...patience, held: held.move(), onFailure: reportLeft(deps) })
  const fileName = `${workspace.slug}-${name}-${now.toISOString().slice(0, 10)}.${format}`
  return format === 'csv' ? { fileName, content, type: 'text/csv; charset=utf-8' } : { fileName, content }
}

function asCsv<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncGenerator<Row[]>,
  basis: Basis | undefined,
): AsyncGenerator<string> {
  if (basis === undefined) return csvFile(columns, rows)
  return csvFile(withCoverage(columns, basis), basis.coverage === undefined ? rows : rowsOrNone(rows))
}

async function* joined<Row>(begun: readonly Row[][], rest: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  yield* begun
  yield* rest
}
