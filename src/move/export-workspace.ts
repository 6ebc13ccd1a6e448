import type { Client, ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { selectContents } from '../backup/contents.ts'
import { formatVersion, type ArchiveHeader, type ArchiveSummary } from './archive.ts'
import { withoutOriginals, writeOriginals, type LeavingOriginals } from './leaving-originals.ts'
import { MoveError } from './move-error.ts'
import { selectMigrations } from './schema.ts'
import { movedSealedColumns, resealStaged } from './sealed.ts'
import { inOneTransaction, type MoveSession } from './session.ts'
import { conditionOf, movedTables, type MovedTable } from './tables.ts'
import { groupColumns, personColumns, selectGroups, selectPeople } from './named-rows.ts'
import { verifyChainOf } from '../audit/verify-trail.ts'
import { writeArchive, type ArchiveWriter } from './write-archive.ts'

export type Exporting = LeavingOriginals & { file: string; now: Date }

/**
 * Writes everything that moves with a workspace, as it is at one moment, to one file. The workspace is frozen before (`freeze-workspace.ts`): what is
 * written at the source after that moment is lost. Throws MoveError.
 */
export async function exportRows(connection: ClientConfig, exporting: Exporting): Promise<ArchiveSummary> {
  let summary: ArchiveSummary | undefined
  await writeArchive(exporting.file, exporting.transport, async (writer) => {
    summary = await inOneTransaction(connection, { name: 'workspace export', isSnapshot: true }, (session) =>
      writeTables(session, writer, exporting),
    )
  })
  if (summary === undefined) throw new Error('the archive has no summary')
  return summary
}

async function writeTables(
  { tx, session }: MoveSession,
  writer: ArchiveWriter,
  exporting: Exporting,
): Promise<ArchiveSummary> {
  const { workspaceId, onProgress } = exporting
  const trail = await verifyChainOf(tx, workspaceId)
  if ('problem' in trail)
    throw new MoveError(
      'trail_broken',
      `The audit trail of the workspace is not whole (event ${String(trail.problem.event)}, ${trail.problem.problem}): "audit verify" says more. Nothing was written.`,
    )
  const header = await selectHeader(session, exporting, trail)
  await writer.header(header)
  await writeOriginals(session, writer, exporting)
  await copyOut(session, writer, {
    name: 'person',
    columns: personColumns,
    select: await selectPeople(session, workspaceId),
  })
  await copyOut(session, writer, {
    name: 'vulnerability_group',
    columns: groupColumns,
    select: selectGroups(workspaceId),
  })
  const contents = new Map((await selectContents(session)).map(({ name, columns }) => [name, columns]))
  let done = 0
  for (const table of movedTables.flat()) {
    const columns = contents.get(table.name)
    if (columns === undefined) throw new Error(`there is no table ${table.name}`)
    done += await copyTable(session, writer, { table, columns, exporting })
    onProgress({ label: `writing, rows (${table.name})`, done, total: null })
  }
  return { header, ...(await writer.end()) }
}

async function copyTable(
  session: Client,
  writer: ArchiveWriter,
  { table, columns, exporting }: { table: MovedTable; columns: string[]; exporting: Exporting },
): Promise<number> {
  const { workspaceId, sealing, transport, originalColumns } = exporting
  const { name } = table
  const list = columns.join(', ')
  const select = `SELECT ${withoutOriginals(originalColumns, { name, columns })} FROM ${name} WHERE ${conditionOf(table, workspaceId)}`
  if (!movedSealedColumns.some((sealed) => sealed.table === name))
    return copyOut(session, writer, { name, columns, select })
  const staged = `leaving_${name}`
  await session.query(`CREATE TEMP TABLE ${staged} ON COMMIT DROP AS ${select}`)
  await resealStaged(session, { table: name, staged, from: sealing.ring, to: transport, workspaceId })
  return copyOut(session, writer, { name, columns, select: `SELECT ${list} FROM ${staged}` })
}

async function copyOut(
  session: Client,
  writer: ArchiveWriter,
  { name, columns, select }: { name: string; columns: readonly string[]; select: string },
): Promise<number> {
  const stream = session.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`))
  return writer.table({ name, columns }, stream, () => stream.rowCount)
}

async function selectHeader(
  session: Client,
  { workspaceId, transport, now }: Exporting,
  trail: ArchiveHeader['trail'],
): Promise<ArchiveHeader> {
  const { rows } = await session.query<ArchiveHeader['workspace']>(
    `SELECT id, slug, company_name AS "companyName", slug_frozen_at IS NOT NULL AS "slugIsPublished" FROM workspace WHERE id = $1`,
    [workspaceId],
  )
  const [workspace] = rows
  if (workspace === undefined) throw new MoveError('not_ready', 'The workspace is gone. Nothing was written.')
  return {
    format: 'sbom-monitor-workspace',
    formatVersion,
    createdAt: now.toISOString(),
    key: transport.writing.id,
    migrations: await selectMigrations(session),
    workspace,
    trail,
  }
}
