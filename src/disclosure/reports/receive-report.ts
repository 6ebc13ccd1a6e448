import { createHash } from 'node:crypto'
import { ServiceError } from '../../contract/errors.ts'
import type { PublicLanguage, SpamReason } from '../../contract/disclosure/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { newId, randomText } from '../../platform/random.ts'
import { originalsInDatabase, sha256Of, type Originals, type Placed } from '../../originals/originals.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { effectiveState, stateColumns } from '../../workspace/state.ts'
import { repeatedWithinMs, textHashOf } from '../form/judge-spam.ts'
import type { ReportFields } from '../form/read-report.ts'
import {
  attachmentContentPlace,
  attachmentNamePlace,
  receiptPlace,
  reportTextPlace,
} from '../sealed-places.ts'
import type { PublicDisclosure } from '../settings/public-disclosure.ts'
import { acknowledgeBy, firstReminder } from './promise.ts'
import { refuseFilesWithoutRoom } from './file-room.ts'
import { tellReport } from './tell-report.ts'

export type Attachment = { name: string; bytes: Uint8Array }

export type Receiving = {
  disclosure: Pick<PublicDisclosure, 'workspaceId' | 'promiseDays'>
  fields: ReportFields
  attachments: readonly Attachment[]
  language: PublicLanguage
  /** Of the form's stamp: a form is sent once. */
  nonce: Buffer
  /** Why it is taken for spam already. */
  suspicion: readonly SpamReason[]
  clock: Clock
  sealing: Sealing
  /** Default: the database. */
  originals?: Originals
}

export type Receipt = { number: number; token: string }

const reporter: Actor = { kind: 'system', id: null, name: 'report form' }

/**
 * Stores a report with everything that was written sealed, and has it told unless it is taken for spam. The answer is the only place where the
 * receipt's token appears. Codes: `not_found` (closed meanwhile), `not_configured`, `conflict` (the form was sent already), `too_large` (no room
 * for its files).
 */
export async function receiveReport(db: Db, receiving: Receiving): Promise<Receipt> {
  const token = randomText(32)
  const placed: Placed[] = []
  try {
    const files = await placeAll(db, receiving, placed)
    const number = await transact(db, async (tx) => {
      const now = receiving.clock()
      await refuseClosed(tx, receiving.disclosure.workspaceId, now)
      await lockSealing(tx, receiving.sealing)
      await spendForm(tx, receiving.nonce, now)
      return storeReport(tx, { ...receiving, token, files }, now)
    })
    return { number, token }
  } catch (error) {
    for (const one of placed) await receiving.originals?.release(db, one)
    throw error
  }
}

type PlacedFile = Attachment & { placed: Placed }

/** What is kept of the files, where it is kept; `placed` grows with each, so that those are known when a later one fails. */
async function placeAll(db: Db, receiving: Receiving, placed: Placed[]): Promise<PlacedFile[]> {
  const { originals = originalsInDatabase, clock, disclosure } = receiving
  const files = []
  for (const { name, bytes: given } of keptOf(receiving)) {
    const bytes = Buffer.from(given)
    const original = { workspaceId: disclosure.workspaceId, sha256: sha256Of(bytes), bytes }
    const one = await originals.place(db, original, clock())
    placed.push(one)
    files.push({ name, bytes, placed: one })
  }
  return files
}

export function receiptHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Codes: `not_found`, `not_configured` (the workspace is being moved). */
export async function refuseClosed(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  const workspace = await tx
    .selectFrom('workspace')
    .select(stateColumns)
    .where('id', '=', workspaceId)
    .forShare()
    .executeTakeFirst()
  const state = workspace === undefined ? 'closed' : effectiveState(workspace, now)
  if (state === 'closed') throw new ServiceError('not_found')
  // what is written now would stay behind
  if (state === 'moving' || state === 'moved') throw new ServiceError('not_configured')
}

/** A form is sent once. Codes: `conflict`. */
export async function spendForm(tx: Tx, nonce: Buffer, now: Date): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_form')
    .values({ stamp: nonce, used_at: now })
    .onConflict((conflict) => conflict.column('stamp').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new ServiceError('conflict')
}

type Storing = Receiving & { token: string; files: readonly PlacedFile[] }

async function storeReport(tx: Tx, storing: Storing, now: Date): Promise<number> {
  const { disclosure, fields, sealing, files } = storing
  const { workspaceId } = disclosure
  const key = { workspaceId, id: newId(now) }
  const hash = sealing.ring === null ? null : textHashOf(sealing.ring, fields.text)
  const isRepeated = hash !== null && (await isKnownText(tx, { workspaceId, hash, now }))
  const reasons: SpamReason[] = isRepeated ? [...storing.suspicion, 'same_text'] : [...storing.suspicion]
  const isSpam = reasons.length > 0
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  await refuseFilesWithoutRoom(tx, { workspaceId, sizeBytes, isSpam })
  const number = await takeNumber(tx, workspaceId)
  const until = acknowledgeBy(now, disclosure.promiseDays)
  await tx
    .insertInto('inbox_report')
    .values({
      ...typedColumns(storing, key),
      number,
      received_at: now,
      acknowledge_by: until,
      answered_at: null,
      remind_at: isSpam ? null : firstReminder(now, until),
      state: isSpam ? 'spam' : 'new',
      state_at: now,
      spam_reasons: reasons,
      told_at: null,
      duplicate_of: null,
      text_hash: hash,
      closed_at: null,
      erased_at: null,
    })
    .execute()
  // files are listed by their ids, and ids of one moment are in no order
  for (const [at, file] of files.entries())
    await storeAttachment(tx, { storing, reportId: key.id, file, id: newId(new Date(now.getTime() + at)) })
  if (!isSpam) {
    const family = await familyName(tx, workspaceId, fields.familyId)
    await tellReport(tx, { ...key, number, family, receivedAt: now, acknowledgeBy: until }, now)
    if (fields.text.contactEmail !== '') await enqueueReporterMail(tx, { ...key, cause: 'received' }, now)
  }
  await recordAct(tx, {
    workspaceId,
    actor: reporter,
    at: now,
    action: 'report.received',
    object: { kind: 'report', id: key.id, name: `#${number}` },
    after: { spamReasons: reasons, attachments: files.length },
  })
  return number
}

function typedColumns(
  { fields, language, token, sealing }: Storing,
  key: { workspaceId: string; id: string },
) {
  const { text } = fields
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    family_id: fields.familyId,
    language,
    exploited: fields.exploited,
    embargo_until: fields.embargoUntil,
    wants_credit: fields.wantsCredit,
    credit_consent: fields.creditConsent,
    receipt_hash: receiptHash(token),
    receipt_sealed: text.contactEmail === '' ? null : sealing.seal(receiptPlace(key), token),
    text_sealed: sealing.seal(reportTextPlace(key), JSON.stringify(text)),
  }
}

/** A sender that filled in the hidden field is not a person: only the text is kept. */
function keptOf({ attachments, suspicion }: Receiving): readonly Attachment[] {
  return suspicion.includes('hidden_field') ? [] : attachments
}

/** Has the reporter told by mail that there is something new; what, only the status page says. */
export async function enqueueReporterMail(
  tx: Tx,
  { workspaceId, id: reportId, cause }: { workspaceId: string; id: string; cause: 'received' | 'news' },
  now: Date,
): Promise<void> {
  const payload = { workspaceId, reportId, cause, mailId: newId(now) }
  await enqueue(tx, { kind: 'mail_reporter', payload, runAt: now, workspaceId })
}

async function isKnownText(
  tx: Tx,
  { workspaceId, hash, now }: { workspaceId: string; hash: Buffer; now: Date },
): Promise<boolean> {
  const known = await tx
    .selectFrom('inbox_report')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('text_hash', '=', hash)
    .where('received_at', '>', new Date(now.getTime() - repeatedWithinMs))
    .limit(1)
    .executeTakeFirst()
  return known !== undefined
}

async function takeNumber(tx: Tx, workspaceId: string): Promise<number> {
  const { last_number: number } = await tx
    .insertInto('inbox_counter')
    .values({ workspace_id: workspaceId, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet(({ eb }) => ({
        last_number: eb('inbox_counter.last_number', '+', 1),
      })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return number
}

export async function familyName(
  tx: Tx,
  workspaceId: string,
  familyId: string | null,
): Promise<string | null> {
  if (familyId === null) return null
  const family = await tx
    .selectFrom('family')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .executeTakeFirst()
  return family?.name ?? null
}

type StoringFile = { storing: Storing; reportId: string; file: PlacedFile; id: string }

async function storeAttachment(tx: Tx, { storing, reportId, file, id }: StoringFile): Promise<void> {
  const { sealing, disclosure, originals = originalsInDatabase } = storing
  const { name, bytes, placed } = file
  const key = { workspaceId: disclosure.workspaceId, id }
  await originals.keep(tx, placed)
  await tx
    .insertInto('inbox_attachment')
    .values({
      id: key.id,
      workspace_id: key.workspaceId,
      report_id: reportId,
      size_bytes: bytes.length,
      name_sealed: sealing.seal(attachmentNamePlace(key), name),
      content_sealed: placed.bytes === null ? null : sealing.seal(attachmentContentPlace(key), placed.bytes),
      object_id: placed.objectId,
    })
    .execute()
}
