import type { Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import {
  nextStates,
  type InboxEntry,
  type InboxReport,
  type RelatedReport,
} from '../../contract/disclosure/shapes.ts'
import type { Db } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { originalsInDatabase, type Originals } from '../../originals/originals.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { openedText } from '../opened.ts'
import { readAttachment } from './read-attachment.ts'
import { waitsUntil } from '../reports/promise.ts'
import { attachmentNamePlace, entryTextPlace } from '../sealed-places.ts'
import { readNumber } from './lock-report.ts'
import { openedReport } from '../credited-names.ts'

type Asked = { workspaceId: string; number: string; sealing: Sealing }
type Row = Selectable<Tables['inbox_report']>

/** A report with everything that members see of it. Codes: `not_found`. */
export async function showReport(db: Db, { workspaceId, number, sealing }: Asked): Promise<InboxReport> {
  const row = await selectReport(db, workspaceId, number)
  const [entries, attachments, duplicates, families, incidents, advisories, credit] = await Promise.all([
    selectEntries(db, { workspaceId, reportId: row.id, sealing }),
    selectAttachments(db, { workspaceId, reportId: row.id, sealing }),
    selectRelated(db, row),
    selectFamilies(db, workspaceId, row.family_id),
    selectIncidents(db, row),
    selectAdvisories(db, row),
    db
      .selectFrom('acknowledgment')
      .select(['name', 'link', 'day'])
      .where('report_id', '=', row.id)
      .executeTakeFirst(),
  ])
  const report = openedReport(sealing, keyOf(row), row.text_sealed)
  return {
    ...shownOf(row),
    report,
    isUnreadable: row.text_sealed !== null && report === null,
    family: families.find(({ id }) => id === row.family_id) ?? null,
    credit: credit ?? null,
    duplicateOf: duplicates.find(({ id }) => id === row.duplicate_of) ?? null,
    duplicates: duplicates.filter(({ id }) => id !== row.duplicate_of),
    entries,
    attachments,
    next: [...nextStates[row.state]],
    incidents,
    advisories,
    families,
  }
}

function keyOf({ id, workspace_id: workspaceId }: Row) {
  return { id, workspaceId }
}

function shownOf(row: Row) {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    receivedAt: row.received_at.toISOString(),
    acknowledgeBy: waitsUntil(row),
    exploited: row.exploited,
    isErased: row.erased_at !== null,
    language: row.language,
    answeredAt: row.answered_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    erasedAt: row.erased_at?.toISOString() ?? null,
    spamReasons: row.spam_reasons,
    wantsCredit: row.wants_credit,
    creditConsent: row.credit_consent,
    consentWithdrawnAt: row.consent_withdrawn_at?.toISOString() ?? null,
    embargoUntil: row.embargo_until,
    hasMail: row.receipt_sealed !== null,
  }
}

async function selectReport(db: Db, workspaceId: string, number: string): Promise<Row> {
  const row = await db
    .selectFrom('inbox_report')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('number', '=', readNumber(number))
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return row
}

type Part = { workspaceId: string; reportId: string; sealing: Sealing }

async function selectEntries(db: Db, { workspaceId, reportId, sealing }: Part): Promise<InboxEntry[]> {
  const rows = await db
    .selectFrom('inbox_entry as e')
    .leftJoin('person as p', 'p.id', 'e.person_id')
    .select(['e.id', 'e.kind', 'e.at', 'e.text_sealed', 'e.state', 'p.name'])
    .where('e.report_id', '=', reportId)
    .orderBy('e.at')
    .orderBy('e.number')
    .execute()
  return rows.map(({ id, kind, at, text_sealed: sealed, state, name }) => ({
    id,
    kind,
    state,
    at: at.toISOString(),
    by: name,
    text: openedText(sealing, entryTextPlace({ workspaceId, id }), sealed),
  }))
}

async function selectAttachments(db: Db, { workspaceId, reportId, sealing }: Part) {
  const rows = await db
    .selectFrom('inbox_attachment')
    .select(['id', 'size_bytes', 'name_sealed'])
    .where('report_id', '=', reportId)
    .orderBy('id')
    .execute()
  return rows.map(({ id, size_bytes: bytes, name_sealed: sealed }) => ({
    id,
    bytes,
    name: openedText(sealing, attachmentNamePlace({ workspaceId, id }), sealed),
  }))
}

async function selectRelated(db: Db, row: Row): Promise<(RelatedReport & { id: string })[]> {
  return db
    .selectFrom('inbox_report')
    .select(['id', 'number', 'state'])
    .where('workspace_id', '=', row.workspace_id)
    .where((eb) =>
      eb.or([
        eb('duplicate_of', '=', row.id),
        ...(row.duplicate_of === null ? [] : [eb('id', '=', row.duplicate_of)]),
      ]),
    )
    .orderBy('number')
    .execute()
}

/** Those that can be chosen, and the one that is, whatever became of it. */
async function selectFamilies(db: Db, workspaceId: string, chosen: string | null) {
  return db
    .selectFrom('family')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where((eb) =>
      eb.or([
        eb.and([eb('archived_at', 'is', null), eb('deleted_at', 'is', null)]),
        ...(chosen === null ? [] : [eb('id', '=', chosen)]),
      ]),
    )
    .orderBy('name')
    .orderBy('id')
    .execute()
}

async function selectIncidents(
  db: Db,
  { id, workspace_id: workspaceId }: Row,
): Promise<InboxReport['incidents']> {
  return db
    .selectFrom('inbox_report_incident as l')
    .innerJoin('incident as i', 'i.id', 'l.incident_id')
    .select(['i.id', 'i.reference'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.report_id', '=', id)
    .orderBy('l.linked_at')
    .execute()
}

async function selectAdvisories(
  db: Db,
  { id, workspace_id: workspaceId }: Row,
): Promise<InboxReport['advisories']> {
  return db
    .selectFrom('advisory_link as l')
    .innerJoin('advisory as a', 'a.id', 'l.advisory_id')
    .select(['a.id', 'a.tracking_id as trackingId'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.kind', '=', 'inbox_report')
    .where('l.object_id', '=', id)
    .orderBy('l.linked_at')
    .execute()
}

/** Without originals: the database alone. */
type AskedAttachment = Asked & { originals?: Originals; attachmentId: string }

/** An attachment as it was sent. Codes: `not_found`, `not_configured` (its key is missing, or it cannot be read now). */
export async function openAttachment(
  db: Db,
  { workspaceId, number, sealing, originals = originalsInDatabase, attachmentId }: AskedAttachment,
): Promise<{ name: string; bytes: Buffer }> {
  const report = await selectReport(db, workspaceId, number)
  const row = await db
    .selectFrom('inbox_attachment')
    .select(['id', 'name_sealed', 'content_sealed', 'object_id'])
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', report.id)
    .where('id', '=', attachmentId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  const key = { workspaceId, id: row.id }
  const name = openedText(sealing, attachmentNamePlace(key), row.name_sealed)
  if (name === null) {
    throw new ServiceError('not_configured', {
      message: 'The encryption key of this attachment is missing. The operator has to restore it.',
    })
  }
  return { name, bytes: await readAttachment(db, { ...key, row, sealing, originals }) }
}
