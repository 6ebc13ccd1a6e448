import { isDeepStrictEqual } from 'node:util'
import type { AdvisorySettings } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { namesNothing } from '../../platform/names-nothing.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { draftTextProblem } from '../document/read-content.ts'
import { defaultPrefix, lockFeed } from './lock-feed.ts'
import { companyNameOf } from '../../workspace/company/company-name.ts'

/** Leaves space for `-2026-0001` and a few more digits. */
const maxPrefixCharacters = 48

export async function selectAdvisorySettings(db: Db, workspaceId: string): Promise<AdvisorySettings> {
  const row = await db
    .selectFrom('workspace as w')
    .leftJoin('advisory_feed as f', 'f.workspace_id', 'w.id')
    .select(['w.slug', 'f.tracking_prefix', 'f.second_person_publishes', 'f.general_note', 'f.legal_note'])
    .where('w.id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return {
    trackingPrefix: row.tracking_prefix ?? defaultPrefix(row.slug),
    secondPersonPublishes: row.second_person_publishes ?? false,
    generalNote: row.general_note ?? '',
    legalNote: row.legal_note ?? '',
  }
}

type Act = { workspaceId: string; actor: Actor; clock: Clock }

/** Codes: `invalid_request`, `billing_lapsed`. */
export async function changeAdvisorySettings(
  db: Db,
  { workspaceId, actor, clock }: Act,
  change: Partial<AdvisorySettings>,
): Promise<void> {
  refuseMalformed(change)
  if (namesNothing(change)) return
  await transact(db, async (tx) => {
    const { now } = await lockFeed(tx, workspaceId, clock)
    const before = await selectAdvisorySettings(tx, workspaceId)
    const after = { ...before, ...change }
    if (isDeepStrictEqual(before, after)) return
    await tx
      .updateTable('advisory_feed')
      .set({
        tracking_prefix: after.trackingPrefix,
        second_person_publishes: after.secondPersonPublishes,
        general_note: after.generalNote,
        legal_note: after.legalNote,
      })
      .where('workspace_id', '=', workspaceId)
      .execute()
    const name = await companyNameOf(tx, workspaceId)
    const object = { kind: 'workspace', id: workspaceId, name } as const
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'advisory.settings_changed',
      object,
      before,
      after,
    })
  })
}

/** Codes: `invalid_request`. */
function refuseMalformed({ trackingPrefix, generalNote, legalNote }: Partial<AdvisorySettings>): void {
  const problems = {
    trackingPrefix:
      trackingPrefix === undefined || isPrefix(trackingPrefix)
        ? undefined
        : `Up to ${maxPrefixCharacters} letters A-Z, digits, dots, dashes and _ are required.`,
    generalNote: generalNote === undefined ? undefined : draftTextProblem('generalNote', generalNote),
    legalNote: legalNote === undefined ? undefined : draftTextProblem('legalNote', legalNote),
  }
  const fields = Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
}

function isPrefix(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) && text.length <= maxPrefixCharacters
}
