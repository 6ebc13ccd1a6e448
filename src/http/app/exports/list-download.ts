import type { Page } from '../../../contract/app.ts'
import type { AuditAction, AuditObjectKind, TableFormat } from '../../../contract/audit/audit.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { csvFile, jsonFile, type Column } from '../../../platform/table-file/table-file.ts'
import { noteExport } from '../../../workspace/audit-trail/note-export.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Download } from '../routing/handle.ts'
import type { Member } from '../routing/member.ts'
import { tableDownload } from './table-download.ts'

/** So that a file can be opened by what people open such files with. */
const mostRows = 1_000_000

type Asking = Pick<Member, 'workspaceId' | 'workspace' | 'actor' | 'now'> & { deps: Pick<HttpDeps, 'db'> }

type List<Row> = {
  /** Of the file, after the workspace: `findings`. */
  name: string
  action: Extract<AuditAction, `${string}.exported`>
  object?: { kind: AuditObjectKind; id: string; name?: string }
  query: Readonly<Record<string, string | number | undefined>> & { format?: TableFormat | undefined }
  columns: readonly Column<Row>[]
  /** A page of the list with the filters in force. */
  read: (cursor: string | undefined) => Promise<Pick<Page<Row>, 'rows' | 'nextCursor' | 'total'>>
}

/**
 * A list as a file, read page by page while the file is sent, and recorded. Codes: those of the list, and `invalid_request` when it has
 * more rows than a file may.
 */
export async function listDownload<Row>(
  { workspaceId, workspace, actor, now, deps }: Asking,
  { name, action, object, query, columns, read }: List<Row>,
): Promise<Download> {
  const { format = 'csv', ...filters } = query
  const first = await read(undefined)
  if (first.total > mostRows) {
    throw new ServiceError('invalid_request', {
      message: `There are more than ${mostRows} rows: set a filter first.`,
    })
  }
  await noteExport(deps.db, {
    ...{ workspaceId, actor, now, action, asked: { format, ...filters } },
    object: object ?? { kind: 'workspace', id: workspaceId, name: workspace.company_name },
  })
  const pages = allPages(first, read)
  const about = { exportedAt: now.toISOString(), workspace: workspace.slug, filters }
  const content = format === 'csv' ? csvFile(columns, pages) : jsonFile(about, pages)
  return tableDownload(`${workspace.slug}-${name}`, { format, now, content })
}

type ReadPage<Row> = { rows: Row[]; nextCursor: string | null }

async function* allPages<Row>(
  first: ReadPage<Row>,
  read: (cursor: string) => Promise<ReadPage<Row>>,
): AsyncGenerator<Row[]> {
  let page = first
  yield page.rows
  while (page.nextCursor !== null) {
    page = await read(page.nextCursor)
    yield page.rows
  }
}
