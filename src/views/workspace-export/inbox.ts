import type { Selectable } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { openedReport } from '../../disclosure/credited-names.ts'
import { openedText } from '../../disclosure/opened.ts'
import { attachmentNamePlace, entryTextPlace } from '../../disclosure/sealed-places.ts'
import { readAttachment } from '../../disclosure/inbox/read-attachment.ts'
import { SealError } from '../../platform/sealing/envelope.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { listFiles, type ExportFile } from './export-file.ts'
import { readOrNote, type Reading as Readers } from './read-original.ts'

/** What could not be opened because its key is missing; originals that the object store has lost. */
export type Unreadable = {
  reports: number
  entries: number
  attachments: number
  originals: number
  /** Given up for good. */
  lostOriginals: number
}

type Report = Selectable<Tables['inbox_report']>
type Reading = Readers & { workspaceId: string; sealing: Sealing; unreadable: Unreadable }

/** Vulnerability reports with their threads, opened, and the attachments as they were sent. What cannot be opened is counted. */
export async function* inboxFiles(tx: Tx, reading: Reading): AsyncGenerator<ExportFile> {
  const { workspaceId } = reading
  const reports = await tx
    .selectFrom('inbox_report')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('number')
    .execute()
  yield* listFiles('inbox', reportPages(tx, reading, reports))
  for (const { id } of reports) yield* attachmentFiles(tx, reading, id)
}

async function* reportPages(tx: Tx, reading: Reading, ids: readonly { id: string }[]) {
  for (const { id } of ids) {
    const report = await tx
      .selectFrom('inbox_report')
      .selectAll()
      .where('workspace_id', '=', reading.workspaceId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const opened = openedReport(reading.sealing, { workspaceId: reading.workspaceId, id }, report.text_sealed)
    const isUnreadable = report.text_sealed !== null && opened === null
    if (isUnreadable) reading.unreadable.reports += 1
    yield [
      {
        ...shownOf(report),
        report: opened,
        isUnreadable,
        entries: await selectEntries(tx, reading, id),
        attachments: await selectAttachments(tx, reading, id),
        incidents: await selectIncidents(tx, reading.workspaceId, id),
      },
    ]
  }
}

function shownOf(report: Report) {
  return {
    id: report.id,
    number: report.number,
    state: report.state,
    stateAt: report.state_at,
    receivedAt: report.received_at,
    acknowledgeBy: report.acknowledge_by,
    answeredAt: report.answered_at,
    closedAt: report.closed_at,
    erasedAt: report.erased_at,
    familyId: report.family_id,
    language: report.language,
    exploited: report.exploited,
    embargoUntil: report.embargo_until,
    wantsCredit: report.wants_credit,
    creditConsent: report.credit_consent,
    consentWithdrawnAt: report.consent_withdrawn_at,
    duplicateOf: report.duplicate_of,
    spamReasons: report.spam_reasons,
  }
}

async function selectEntries(tx: Tx, { workspaceId, sealing, unreadable }: Reading, reportId: string) {
  const rows = await tx
    .selectFrom('inbox_entry as e')
    .leftJoin('person as p', 'p.id', 'e.person_id')
    .select(['e.id', 'e.kind', 'e.at', 'e.text_sealed', 'e.state', 'p.name as by'])
    .where('e.workspace_id', '=', workspaceId)
    .where('e.report_id', '=', reportId)
    .orderBy('e.at')
    .orderBy('e.number')
    .execute()
  return rows.map(({ id, text_sealed: sealed, ...entry }) => {
    const text = openedText(sealing, entryTextPlace({ workspaceId, id }), sealed)
    const isUnreadable = sealed !== null && text === null
    if (isUnreadable) unreadable.entries += 1
    return { ...entry, text, isUnreadable }
  })
}

async function selectAttachments(tx: Tx, { workspaceId, sealing }: Reading, reportId: string) {
  const rows = await tx
    .selectFrom('inbox_attachment')
    .select(['id', 'size_bytes as bytes', 'name_sealed'])
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', reportId)
    .orderBy('id')
    .execute()
  return rows.map(({ id, bytes, name_sealed: sealed }) => {
    const name = openedText(sealing, attachmentNamePlace({ workspaceId, id }), sealed)
    return { id, bytes, name, file: name === null ? null : attachmentFile(id) }
  })
}

function attachmentFile(id: string): string {
  return `inbox/attachments/${id}`
}

/** Under their ids: the names are a stranger's. */
async function* attachmentFiles(tx: Tx, reading: Reading, reportId: string): AsyncGenerator<ExportFile> {
  const { workspaceId, sealing, originals, unreadable } = reading
  const ids = await tx
    .selectFrom('inbox_attachment')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', reportId)
    .orderBy('id')
    .execute()
  for (const { id } of ids) {
    const row = await tx
      .selectFrom('inbox_attachment')
      .select(['content_sealed', 'object_id'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const name = attachmentFile(id)
    try {
      const bytes = await readOrNote(reading, name, () =>
        readAttachment(tx, { workspaceId, id, row, sealing, originals }),
      )
      if (bytes !== null) yield { name, bytes }
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      unreadable.attachments += 1
    }
  }
}

async function selectIncidents(tx: Tx, workspaceId: string, reportId: string) {
  const rows = await tx
    .selectFrom('inbox_report_incident as l')
    .innerJoin('incident as i', 'i.id', 'l.incident_id')
    .select('i.reference')
    .where('l.workspace_id', '=', workspaceId)
    .where('l.report_id', '=', reportId)
    .orderBy('l.linked_at')
    .execute()
  return rows.map(({ reference }) => reference)
}
