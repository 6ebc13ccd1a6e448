import type { Client, ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { selectContents } from '../backup/contents.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import type { ArchiveHeader, ArchiveSummary } from './archive.ts'
import { MoveError } from './move-error.ts'
import { selectMigrations } from './schema.ts'
import { movedSealedColumns, resealStaged } from './sealed.ts'
import { inOneTransaction, type MoveSession } from './session.ts'
import { conditionOf, movedTables, type MovedTable } from './tables.ts'
import { groupColumns, personColumns, selectGroups, selectPeople } from './named-rows.ts'
import { verifyChainOf } from '../audit/verify-trail.ts'
import { writeArchive, type ArchiveWriter } from './write-archive.ts'

export type Exporting = {
  workspaceId: string
  file: string
  /** The keys that this installation seals with. */
  ring: KeyRing | null
  /** What the archive is sealed with on its way. */
  transport: KeyRing
  now: Date
  onProgress: (progress: { label: string; done: number; total: number | null }) => void
}

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
  await refuseObjects(session, header.workspace)
  await writer.header(header)
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
  return { header, tables: await writer.end() }
}

/** Originals travel in the rows that name them. */
async function refuseObjects(session: Client, { id, slug }: ArchiveHeader['workspace']): Promise<void> {
  const { rows } = await session.query<{ objects: number }>(
    `SELECT count(*)::int AS objects FROM original_object WHERE workspace_id = $1 AND state = 'kept'`,
    [id],
  )
  const objects = rows[0]?.objects ?? 0
  if (objects === 0) return
  throw new MoveError(
    'not_ready',
    `Originals of the workspace are in the object store (${objects}). Move them into the database with ` +
      `"objects move --to database --workspace ${slug}", then export again. Nothing was written; the workspace stays frozen.`,
  )
}

async function copyTable(
  session: Client,
  writer: ArchiveWriter,
  { table, columns, exporting }: { table: MovedTable; columns: string[]; exporting: Exporting },
): Promise<number> {
  const { workspaceId, ring, transport } = exporting
  const { name } = table
  const list = columns.join(', ')
  const select = `SELECT ${list} FROM ${name} WHERE ${conditionOf(table, workspaceId)}`
  if (!movedSealedColumns.some((sealed) => sealed.table === name))
    return copyOut(session, writer, { name, columns, select })
  const staged = `leaving_${name}`
  await session.query(`CREATE TEMP TABLE ${staged} ON COMMIT DROP AS ${select}`)
  await resealStaged(session, { table: name, staged, from: ring, to: transport, workspaceId })
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
    formatVersion: 1,
    createdAt: now.toISOString(),
    key: transport.writing.id,
    migrations: await selectMigrations(session),
    workspace,
    trail,
  }
}
