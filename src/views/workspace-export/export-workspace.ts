import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { AuditEvent } from '../../contract/audit/audit.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { selectWorkspace, type WorkspaceRow } from '../../workspace/workspaces.ts'
import { selectEvents } from '../audit/select-events.ts'
import { advisoryFiles } from './advisories.ts'
import { archiveOf, type AboutArchive } from './archive.ts'
import { sbomFiles, vexFiles } from './documents.ts'
import { listFiles, type ExportFile } from './export-file.ts'
import { familiesFile, selectFamilies } from './families.ts'
import { findingFiles } from './findings.ts'
import { inboxFiles, type Unreadable } from './inbox.ts'
import { incidentFiles } from './incidents.ts'
import { settingsFiles } from './settings.ts'

/** Whoever takes no byte for so long is gone: a session of the database waits for them. */
const stallMs = 2 * 60_000
const longestMs = 2 * 3_600_000
const eventsAtOnce = 1_000

type Asked = { db: Db; sealing: Sealing; workspaceId: string; by: string; now: Date }

/**
 * Everything of a workspace as it is at one moment, as one archive (.tar.gz), read while it is sent, at the speed at which it is taken
 * (docs/plans.md, "Exporting a workspace"). When the stream is destroyed, the transaction ends.
 */
export function exportWorkspace(asked: Asked): Readable {
  const zipped = createGzip()
  const giveUp = () => zipped.destroy(new Error('the export of a workspace was not taken in time'))
  const stall = setTimeout(giveUp, stallMs)
  const end = setTimeout(giveUp, longestMs)
  const pieces = readArchive(asked, () => stall.refresh())
  // what goes wrong on the way destroys the last stream with it, and so its reader is told
  pipeline(Readable.from(pieces, { objectMode: false }), zipped, () => {
    clearTimeout(stall)
    clearTimeout(end)
  })
  return zipped
}

/** `onTaken`: the reader has taken a piece. */
async function* readArchive(asked: Asked, onTaken: () => void): AsyncGenerator<Buffer> {
  const tx = await asked.db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    // it waits for the reader, which has a limit of its own
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(2 * stallMs)}`.execute(tx)
    const workspace = await selectWorkspace(tx, asked.workspaceId)
    const unreadable: Unreadable = { reports: 0, entries: 0, attachments: 0 }
    const files = filesOf(tx, { ...asked, workspace, unreadable })
    const about = () => aboutOf(asked, workspace, unreadable)
    for await (const piece of archiveOf(files, { modifiedAt: asked.now, about })) {
      yield piece
      onTaken()
    }
  } finally {
    // nothing was written
    await tx.rollback().execute()
  }
}

type Reading = Asked & { workspace: WorkspaceRow; unreadable: Unreadable }

async function* filesOf(tx: Tx, reading: Reading): AsyncGenerator<ExportFile> {
  const { workspaceId, workspace, by, now } = reading
  yield* settingsFiles(tx, workspace)
  const families = await selectFamilies(tx, workspaceId)
  yield familiesFile(families)
  yield* sbomFiles(tx, families)
  yield* vexFiles(tx, families)
  yield* findingFiles(tx, families)
  yield* incidentFiles(tx, { workspaceId, by, now })
  yield* advisoryFiles(tx, workspaceId)
  yield* inboxFiles(tx, reading)
  yield* listFiles('audit', eventPages(tx, workspace))
}

/** The newest first, that of this export among them. */
async function* eventPages(tx: Tx, { id: workspaceId, time_zone: timeZone }: WorkspaceRow) {
  let after: AuditEvent | undefined
  do {
    const events = await selectEvents(tx, { workspaceId, timeZone, after, rows: eventsAtOnce })
    yield events
    after = events.length < eventsAtOnce ? undefined : events.at(-1)
  } while (after !== undefined)
}

function aboutOf({ by, now }: Asked, workspace: WorkspaceRow, unreadable: Unreadable): AboutArchive {
  const isWhole = Object.values(unreadable).every((count) => count === 0)
  return {
    format: 'workspace-export',
    formatVersion: 1,
    workspace: { id: workspace.id, slug: workspace.slug, companyName: workspace.company_name },
    exportedAt: now.toISOString(),
    exportedBy: by,
    unreadable: isWhole
      ? null
      : {
          ...unreadable,
          why: 'The encryption key of these is missing. Ask the operator to restore it, then export again.',
        },
  }
}
