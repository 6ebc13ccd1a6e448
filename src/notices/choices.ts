import { isDeepStrictEqual } from 'node:util'
import {
  chosenKinds,
  choiceOf,
  noticeRules,
  urgentKinds,
  type ChosenKind,
  type NoticeChoice,
  type NoticeChoices,
  type NoticeSettings,
  type UrgentKind,
} from '../contract/notices/shapes.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Role } from '../contract/roles.ts'
import type { Db } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { timeZoneProblem } from '../workspace/company/company-rules.ts'
import { isForRole, selectActiveMembers } from './tell-members.ts'
import { namesNothing } from '../platform/names-nothing.ts'

type OfMember = { workspaceId: string; personId: string; role: Role }

/** What a member has mail about, by their role. */
export async function readNoticeSettings(
  db: Db,
  { workspaceId, personId, role }: OfMember,
): Promise<NoticeSettings> {
  const row = await db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .leftJoin('member_notices as n', (join) =>
      join.onRef('n.workspace_id', '=', 'm.workspace_id').onRef('n.person_id', '=', 'm.person_id'),
    )
    .select(['p.email', 'w.time_zone as workspace_time_zone', 'n.time_zone', 'n.choices'])
    .where('m.workspace_id', '=', workspaceId)
    .where('m.person_id', '=', personId)
    .executeTakeFirstOrThrow()
  const choices = row.choices ?? {}
  return {
    email: row.email,
    timeZone: row.time_zone,
    workspaceTimeZone: row.workspace_time_zone,
    kinds: chosenKinds
      .filter((kind) => isForRole(kind, role))
      .map((kind) => ({
        kind,
        choice: choiceOf(kind, choices),
        choices: [...noticeRules[kind].choices],
      })),
  }
}

type Change = { timeZone?: string | null; choices?: NoticeChoices }

/** Changes the given settings and leaves the rest. Codes: `invalid_request` (fields `timeZone`, `choices/<kind>`). */
export async function changeNoticeSettings(
  db: Db,
  { workspaceId, personId, actor, now }: Omit<OfMember, 'role'> & { actor: Actor; now: Date },
  { timeZone, choices = {} }: Change,
): Promise<void> {
  refuseUnknown({ timeZone, choices })
  if (namesNothing({ timeZone, ...choices })) return
  await transact(db, async (tx) => {
    await tx
      .insertInto('member_notices')
      .values({ workspace_id: workspaceId, person_id: personId, time_zone: null, choices: '{}' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const before = await tx
      .selectFrom('member_notices')
      .select(['time_zone', 'choices'])
      .where('workspace_id', '=', workspaceId)
      .where('person_id', '=', personId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const after = {
      timeZone: timeZone === undefined ? before.time_zone : timeZone,
      choices: { ...before.choices, ...choices },
    }
    if (isDeepStrictEqual({ timeZone: before.time_zone, choices: before.choices }, after)) return
    await tx
      .updateTable('member_notices')
      .set({ time_zone: after.timeZone, choices: JSON.stringify(after.choices) })
      .where('workspace_id', '=', workspaceId)
      .where('person_id', '=', personId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'member.notices_changed',
      object: { kind: 'person', id: personId, name: actor.name },
      before: { timeZone: before.time_zone, choices: before.choices },
      after,
    })
  })
}

function refuseUnknown({
  timeZone,
  choices,
}: {
  timeZone: string | null | undefined
  choices: NoticeChoices
}): void {
  const fields: Record<string, string> = {}
  const problem = typeof timeZone === 'string' ? timeZoneProblem(timeZone) : undefined
  if (problem !== undefined) fields['timeZone'] = problem
  for (const [kind, choice] of Object.entries(choices) as [ChosenKind, NoticeChoice][]) {
    if (!noticeRules[kind].choices.includes(choice)) {
      fields[`choices/${kind}`] = whyNot(kind, choice)
    }
  }
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
}

function whyNot(kind: ChosenKind, choice: NoticeChoice): string {
  if (kind === 'weekly.report') return 'This comes weekly or never.'
  if (choice === 'weekly') return 'Only the weekly report comes weekly.'
  return choice === 'at_once' ? 'This comes in the daily digest only.' : 'This cannot wait for a digest.'
}

/** Urgent kinds that no active member would have by mail. */
export async function selectUnheard(db: Db, workspaceId: string): Promise<UrgentKind[]> {
  const members = await selectActiveMembers(db, workspaceId)
  return urgentKinds.filter(
    (kind) =>
      !members.some(({ role, choices }) => isForRole(kind, role) && choiceOf(kind, choices) === 'at_once'),
  )
}
