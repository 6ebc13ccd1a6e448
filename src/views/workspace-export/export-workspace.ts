import { pipeline, type Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { AuditEvent } from '../../contract/audit/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { heldStream, type Holding } from '../../platform/concurrency/held-stream.ts'
import type { Originals } from '../../originals/originals.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { hourMs } from '../../contract/durations.ts'
import type { WorkspaceRow } from '../../workspace/workspaces.ts'
import { eventsInOrder } from '../../audit/reads/export-events.ts'
import { advisoryFiles } from './advisories.ts'
import { archiveOf, type AboutArchive } from './archive.ts'
import { removedSbomFiles, sbomFiles, vexFiles } from './documents.ts'
import { listFiles, type ExportFile } from './export-file.ts'
import { familiesFile, selectFamilies } from './families.ts'
import { findingFiles } from './findings.ts'
import { inboxFiles, type Unreadable } from './inbox.ts'
import { incidentFiles } from './incidents.ts'
import { settingsFiles } from './settings.ts'

/** A reader idle for this long is gone: a database session waits for it with an open snapshot. */
const patience = { stallMs: 2 * 60_000, maxMs: hourMs }

type Asked = {
  /** One moment of the store. */
  tx: Tx
  sealing: Sealing
  originals: Originals
  workspace: WorkspaceRow
  /** The record of this export, which came later. */
  own: AuditEvent[]
  by: string
  now: Date
  switchedOff: readonly string[]
}

/**
 * Everything of a workspace as it is at one moment, as one archive (.tar.gz), read while it is sent, at the speed at which it is taken
 * (docs/plans.md, "Exporting a workspace"). When the stream is destroyed, what `holding` holds ends.
 */
export function exportWorkspace(asked: Asked, holding: Holding): Readable {
  const zipped = createGzip()
  const pieces = heldStream(readArchive(asked), { ...holding, ...patience })
  // a failure on the way also destroys the last stream, so its reader notices
  pipeline(pieces, zipped, () => undefined)
  return zipped
}

async function* readArchive(asked: Asked): AsyncGenerator<Buffer> {
  const { tx, workspace, now } = asked
  const unreadable: Unreadable = { reports: 0, entries: 0, attachments: 0, originals: 0, lostOriginals: 0 }
  const files = filesOf(tx, { ...asked, workspaceId: workspace.id, unreadable })
  yield* archiveOf(files, { modifiedAt: now, about: () => aboutOf(asked, unreadable) })
}

type Reading = Asked & { workspaceId: string; unreadable: Unreadable }

async function* filesOf(tx: Tx, reading: Reading): AsyncGenerator<ExportFile> {
  const { workspaceId, workspace, own } = reading
  yield* settingsFiles(tx, workspace)
  const families = await selectFamilies(tx, workspaceId)
  yield familiesFile(families)
  yield* sbomFiles(reading, families)
  yield* removedSbomFiles(tx, families)
  yield* vexFiles(reading, families)
  yield* findingFiles(tx, families)
  yield* incidentFiles(reading)
  yield* advisoryFiles(tx, workspaceId)
  yield* inboxFiles(tx, reading)
  yield* listFiles('audit', eventPages(tx, workspace, own))
}

/** The newest first, that of this export among them. */
async function* eventPages(
  tx: Tx,
  { id: workspaceId, time_zone: timeZone }: WorkspaceRow,
  own: readonly AuditEvent[],
) {
  yield own
  yield* eventsInOrder(tx, { workspaceId, timeZone })
}

function aboutOf({ workspace, by, now }: Asked, unreadable: Unreadable): AboutArchive {
  const isWhole = Object.values(unreadable).every((count) => count === 0)
  return {
    format: 'workspace-export',
    formatVersion: 1,
    workspace: { id: workspace.id, slug: workspace.slug, companyName: workspace.company_name },
    exportedAt: now.toISOString(),
    exportedBy: by,
    unreadable: isWhole ? null : { ...unreadable, why: whyUnreadable(unreadable) },
  }
}

function whyUnreadable({ lostOriginals, ...restorable }: Unreadable): string {
  const isRestorable = Object.values(restorable).some((count) => count > 0)
  return [
    ...(isRestorable
      ? [
          'The encryption key of these is missing, or the object store has lost them (originals). Ask the operator to restore them, then export again.',
        ]
      : []),
    ...(lostOriginals > 0
      ? ['What lostOriginals counts is lost for good: the operator has given it up.']
      : []),
  ].join(' ')
}
