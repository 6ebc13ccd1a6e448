import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { reportLimits, type ReportState } from '../../contract/disclosure/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/random.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { isNamedInPublic } from '../../advisories/drafts/credits.ts'
import { creditedNames, openedReport } from '../credited-names.ts'
import { openedText } from '../opened.ts'
import { attachmentNamePlace, entryTextPlace } from '../sealed-places.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { familyName, receiptHash, refuseClosed, spendForm } from './receive-report.ts'

const reporter: Actor = { kind: 'system', id: null, name: 'reporter' }

export type ThreadMessage = { from: 'reporter' | 'company'; at: Date; text: string | null }

/** What the reporter is shown behind the link. */
export type ReporterView = {
  id: string
  number: number
  receivedAt: Date
  /** null: nothing was promised, or it is answered. */
  acknowledgeBy: Date | null
  state: ReportState
  /** null: the key it was sealed with is missing. */
  title: string | null
  wantsCredit: boolean
  creditConsent: boolean
  /** The name is on the page of acknowledgments. */
  isCredited: boolean
  /** A published advisory names them, which a withdrawal of the consent no longer changes. */
  isPublished: boolean
  attachments: { name: string | null; bytes: number }[]
  thread: ThreadMessage[]
}

type Link = { workspaceId: string; token: string }

/** Undefined: no report of the workspace has this link. Index inbox_report_receipt_hash_key. */
export async function selectReceipt(
  db: Db,
  { workspaceId, token }: Link,
  sealing: Sealing,
): Promise<ReporterView | undefined> {
  const row = await db
    .selectFrom('inbox_report as r')
    .leftJoin('acknowledgment as a', 'a.report_id', 'r.id')
    .selectAll('r')
    .select('a.id as credit_id')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.receipt_hash', '=', receiptHash(token))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const key = { workspaceId, id: row.id }
  const [thread, attachments] = await Promise.all([
    selectThread(db, sealing, key),
    selectAttachments(db, sealing, key),
  ])
  const names = row.wants_credit ? creditedNames(sealing, key, row.text_sealed) : []
  return {
    id: row.id,
    number: row.number,
    receivedAt: row.received_at,
    acknowledgeBy: row.answered_at === null ? row.acknowledge_by : null,
    // senders of spam must not learn that it was recognised
    state: row.state === 'spam' ? 'new' : row.state,
    title: openedReport(sealing, key, row.text_sealed)?.title ?? null,
    wantsCredit: row.wants_credit,
    creditConsent: row.credit_consent,
    isCredited: row.credit_id !== null,
    isPublished: await isNamedInPublic(db, { workspaceId, reportId: row.id, names }),
    attachments,
    thread,
  }
}

type ReportKey = { workspaceId: string; id: string }

async function selectThread(
  db: Db,
  sealing: Sealing,
  { workspaceId, id: reportId }: ReportKey,
): Promise<ReporterView['thread']> {
  const entries = await db
    .selectFrom('inbox_entry')
    .select(['id', 'kind', 'at', 'text_sealed'])
    .where('report_id', '=', reportId)
    .where('kind', 'in', ['reporter', 'company'])
    .orderBy('at')
    .orderBy('number')
    .execute()
  return entries.map(({ id, kind, at, text_sealed: sealed }) => ({
    from: kind === 'company' ? 'company' : 'reporter',
    at,
    text: openedText(sealing, entryTextPlace({ workspaceId, id }), sealed),
  }))
}

async function selectAttachments(
  db: Db,
  sealing: Sealing,
  { workspaceId, id: reportId }: ReportKey,
): Promise<ReporterView['attachments']> {
  const attachments = await db
    .selectFrom('inbox_attachment')
    .select(['id', 'size_bytes', 'name_sealed'])
    .where('report_id', '=', reportId)
    .orderBy('id')
    .execute()
  return attachments.map(({ id, size_bytes: bytes, name_sealed: sealed }) => ({
    name: openedText(sealing, attachmentNamePlace({ workspaceId, id }), sealed),
    bytes,
  }))
}

export type Writing = Link & { text: string; nonce: Buffer; clock: Clock; sealing: Sealing }

/**
 * Adds what the reporter wrote to the thread and has members told that there is something. Codes: `not_found`, `invalid_request`,
 * `not_configured`, `conflict` (sent already), `too_large` (the thread is full).
 */
export async function addReporterMessage(db: Db, writing: Writing): Promise<void> {
  const { workspaceId, token, text, nonce, clock, sealing } = writing
  refuseUnwritable(text)
  await transact(db, async (tx) => {
    const now = clock()
    await refuseClosed(tx, workspaceId, now)
    await lockSealing(tx, sealing)
    await spendForm(tx, nonce, now)
    const report = await tx
      .selectFrom('inbox_report')
      .select(['id', 'number', 'family_id', 'state', 'received_at'])
      .where('workspace_id', '=', workspaceId)
      .where('receipt_hash', '=', receiptHash(token))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (report === undefined) throw new ServiceError('not_found')
    const id = newId(now)
    const sealed = sealing.seal(entryTextPlace({ workspaceId, id }), text)
    await refuseFullThread(tx, { workspaceId, reportId: report.id, moreBytes: sealed.length })
    await tx
      .insertInto('inbox_entry')
      .values({
        id,
        workspace_id: workspaceId,
        report_id: report.id,
        kind: 'reporter',
        at: now,
        person_id: null,
        text_sealed: sealed,
        state: null,
      })
      .execute()
    if (report.state === 'spam') return
    const family = await familyName(tx, workspaceId, report.family_id)
    const data = { report: { number: report.number, family, at: now.toISOString() } }
    await enqueueNotice(tx, { to: { workspaceId }, fact: { type: 'report.message', data }, now })
  })
}

/** Many short messages take as much time to show as a long one. */
const minBytes = 1_024

type Growing = { workspaceId: string; reportId: string; moreBytes: number }

/** Codes: `too_large`. */
async function refuseFullThread(tx: Tx, { workspaceId, reportId, moreBytes }: Growing): Promise<void> {
  const { bytes } = await tx
    .selectFrom('inbox_entry')
    .select(
      sql<number>`coalesce(sum(greatest(octet_length(text_sealed), ${sql.lit(minBytes)})), 0)::integer`.as(
        'bytes',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', reportId)
    .where('kind', '=', 'reporter')
    .executeTakeFirstOrThrow()
  if (bytes + Math.max(moreBytes, minBytes) > reportLimits.threadBytes) throw new ServiceError('too_large')
}

/** A message of either side. Codes: `invalid_request`. */
export function refuseUnwritable(text: string): void {
  const input = new InputReader()
  input.text('text', text, { min: 1, max: reportLimits.messageCharacters })
  input.finish()
}

/**
 * The reporter agrees to be named, or no longer: then a name that is shown already is taken away, and no member can say otherwise. Codes:
 * `not_found`.
 */
export async function setOwnConsent(
  db: Db,
  { workspaceId, token, consent, now }: Link & { consent: boolean; now: Date },
): Promise<void> {
  await transact(db, async (tx) => {
    await refuseClosed(tx, workspaceId, now)
    const report = await tx
      .selectFrom('inbox_report')
      .select(['id', 'number', 'credit_consent'])
      .where('workspace_id', '=', workspaceId)
      .where('receipt_hash', '=', receiptHash(token))
      .where('wants_credit', '=', true)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (report === undefined) throw new ServiceError('not_found')
    const { id, number, credit_consent: before } = report
    await tx
      .updateTable('inbox_report')
      .set({ credit_consent: consent, consent_withdrawn_at: consent ? null : now })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    if (!consent) await tx.deleteFrom('acknowledgment').where('report_id', '=', id).execute()
    if (before === consent) return
    await recordAct(tx, {
      workspaceId,
      actor: reporter,
      at: now,
      action: 'report.changed',
      object: { kind: 'report', id, name: `#${number}` },
      before: { credit_consent: before },
      after: { credit_consent: consent },
    })
  })
}
