import type { ReportText } from '../contract/disclosure/shapes.ts'
import type { Db, Tx } from '../database/connection.ts'
import { lockSealing, type Sealing } from '../platform/sealing/sealing.ts'
import { openedText } from './opened.ts'
import { reportTextPlace } from './sealed-places.ts'

/** What is sealed of a report: what was written, and the names under which its sender was thanked. They are erased together. */
type SealedReport = ReportText & { shownNames?: readonly string[] }
type Key = { workspaceId: string; id: string }

/** What a reporter wrote; null: erased, or its key is missing. */
export function openedReport(sealing: Sealing, key: Key, envelope: Buffer | null): ReportText | null {
  const sealed = openSealed(sealing, key, envelope)
  if (sealed === null) return null
  const { shownNames: _, ...written } = sealed
  return written
}

function openSealed(sealing: Sealing, key: Key, envelope: Buffer | null): SealedReport | null {
  const text = openedText(sealing, reportTextPlace(key), envelope)
  return text === null ? null : (JSON.parse(text) as SealedReport)
}

/** The names that a credit of the sender may have: those they gave, and those they were thanked under. None: erased, or its key is missing. */
export function creditedNames(sealing: Sealing, key: Key, envelope: Buffer | null): string[] {
  const sealed = openSealed(sealing, key, envelope)
  if (sealed === null) return []
  const { creditName, contactName, creditOrganisation, shownNames = [] } = sealed
  // an organisation may be thanked for somebody else
  const organisations = creditName === '' ? [creditOrganisation] : []
  return [creditName, contactName, ...organisations, ...shownNames].filter((name) => name !== '')
}

/** As `creditedNames`. */
export async function selectCreditedNames(
  db: Db,
  { sealing, key }: { sealing: Sealing; key: Key },
): Promise<string[]> {
  return creditedNames(sealing, key, await selectSealed(db, key))
}

async function selectSealed(db: Db, { workspaceId, id }: Key): Promise<Buffer | null> {
  const { text_sealed: envelope } = await db
    .selectFrom('inbox_report')
    .select('text_sealed')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return envelope
}

/**
 * Keeps the name under which the sender is thanked. A draft may have it from there, and whoever withdraws their consent means that one, too. The
 * report is locked. Codes: `not_configured`.
 */
export async function keepShownName(
  tx: Tx,
  { sealing, key, name }: { sealing: Sealing; key: Key; name: string },
): Promise<void> {
  const envelope = await selectSealed(tx, key)
  const sealed = openSealed(sealing, key, envelope)
  if (sealed === null || creditedNames(sealing, key, envelope).includes(name)) return
  await lockSealing(tx, sealing, 'the name of a reporter')
  const kept: SealedReport = { ...sealed, shownNames: [...(sealed.shownNames ?? []), name] }
  await tx
    .updateTable('inbox_report')
    .set({ text_sealed: sealing.seal(reportTextPlace(key), JSON.stringify(kept)) })
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.id)
    .execute()
}
