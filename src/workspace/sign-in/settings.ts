import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { SignInSettings } from '../../contract/sign-in.ts'
import type { Db } from '../../database/connection.ts'
import { recordAct, type Actor } from '../audit.ts'
import type { SignedInPerson } from '../people/sessions.ts'
import { selectWorkspace, type WorkspaceRow } from '../workspaces.ts'

/**
 * A workspace may ask for more than a password. Whoever came in without it reaches their own account alone, where it is set up. Codes:
 * `second_factor_required`.
 */
export function refuseWeakSession(
  workspace: Pick<WorkspaceRow, 'requires_second_factor'>,
  person: Pick<SignedInPerson, 'hasSecondFactor'>,
): void {
  if (workspace.requires_second_factor && !person.hasSecondFactor) {
    throw new ServiceError('second_factor_required')
  }
}

/** What members need to come in. */
export async function readSignInSettings(db: Db, workspaceId: string): Promise<SignInSettings> {
  const { requires_second_factor } = await selectWorkspace(db, workspaceId)
  const { rows } = await sql<{ without: number }>`
    select count(*)::int as without from member m
    where m.workspace_id = ${workspaceId} and m.removed_at is null
      and not exists (select from authenticator a where a.person_id = m.person_id and a.confirmed_at is not null)
      and not exists (select from passkey k where k.person_id = m.person_id)`.execute(db)
  return { requiresSecondFactor: requires_second_factor, withoutSecondFactor: rows[0]?.without ?? 0 }
}

type Change = {
  workspaceId: string
  requiresSecondFactor: boolean
  person: SignedInPerson
  actor: Actor
  now: Date
}

/** Whoever asks it of others has one: they would lock themselves out. Codes: `conflict`. */
export async function changeSignInSettings(db: Db, change: Change): Promise<void> {
  const { workspaceId, requiresSecondFactor, person, actor, now } = change
  if (requiresSecondFactor && !person.hasSecondFactor) {
    throw new ServiceError('conflict', {
      message: 'Set up a second factor for your own account first, and sign in with it.',
    })
  }
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('workspace')
      .select(['company_name', 'requires_second_factor'])
      .where('id', '=', workspaceId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (before.requires_second_factor === requiresSecondFactor) return
    await tx
      .updateTable('workspace')
      .set({ requires_second_factor: requiresSecondFactor })
      .where('id', '=', workspaceId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'workspace.sign_in_changed',
      object: { kind: 'workspace', id: workspaceId, name: before.company_name },
      before: { requiresSecondFactor: before.requires_second_factor },
      after: { requiresSecondFactor },
    })
  })
}
