import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { SignInSettings } from '../../contract/people/sign-in.ts'
import type { Role } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import type { SignedInPerson } from '../sessions.ts'
import { selectWorkspace, type WorkspaceRow } from '../../workspace/workspaces.ts'
import { listDomains } from './company-settings.ts'
import { namesNothing } from '../../platform/names-nothing.ts'

/**
 * A session that a company's issuer opened is valid only for its workspace: whoever runs the issuer could open one for anybody. Codes:
 * `not_found`.
 */
export function refuseOtherCompany(
  workspaceId: string,
  { companyWorkspaceId }: Pick<SignedInPerson, 'companyWorkspaceId'>,
): void {
  if (companyWorkspaceId !== null && companyWorkspaceId !== workspaceId) throw new ServiceError('not_found')
}

/**
 * A workspace may require more than a password; sessions without it reach only the person's own account, where it is set up. Owners keep
 * their own way in where the issuer is required. Codes: `not_found`, `single_sign_on_required`, `second_factor_required`.
 */
export function refuseWeakSession(
  workspace: Pick<WorkspaceRow, 'id' | 'requires_second_factor' | 'requires_single_sign_on'>,
  role: Role,
  person: Pick<SignedInPerson, 'hasSecondFactor' | 'companyWorkspaceId'>,
): void {
  refuseOtherCompany(workspace.id, person)
  if (person.companyWorkspaceId === workspace.id) return
  if (workspace.requires_single_sign_on && role !== 'owner') throw new ServiceError('single_sign_on_required')
  if (workspace.requires_second_factor && !person.hasSecondFactor)
    throw new ServiceError('second_factor_required')
}

/** What members need to come in. */
export async function readSignInSettings(
  db: Db,
  { workspaceId, redirectUri }: { workspaceId: string; redirectUri: string },
): Promise<SignInSettings> {
  const workspace = await selectWorkspace(db, workspaceId)
  const { rows } = await sql<{ without: number; linked: number }>`
    select count(*)::int as without,
      (select count(*)::int from company_link l where l.workspace_id = ${workspaceId}) as linked
    from member m
    where m.workspace_id = ${workspaceId} and m.removed_at is null
      and not exists (select from authenticator a where a.person_id = m.person_id and a.confirmed_at is not null)
      and not exists (select from passkey k where k.person_id = m.person_id)`.execute(db)
  const issuer = await db
    .selectFrom('single_sign_on')
    .select(['issuer', 'client_id', 'client_secret_sealed'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return {
    requiresSecondFactor: workspace.requires_second_factor,
    withoutSecondFactor: rows[0]?.without ?? 0,
    company:
      issuer === undefined
        ? null
        : {
            issuer: issuer.issuer,
            clientId: issuer.client_id,
            hasSecret: issuer.client_secret_sealed !== null,
          },
    requiresSingleSignOn: workspace.requires_single_sign_on,
    linked: rows[0]?.linked ?? 0,
    domains: await listDomains(db, workspaceId),
    redirectUri,
  }
}

type Change = {
  workspaceId: string
  change: { requiresSecondFactor?: boolean; requiresSingleSignOn?: boolean }
  person: SignedInPerson
  actor: Actor
  now: Date
}

/** Only somebody for whom it has worked may require it of others. Codes: `conflict`. */
export async function changeSignInSettings(db: Db, { change, ...act }: Change): Promise<void> {
  const { workspaceId, person, actor, now } = act
  if (namesNothing(change)) return
  if (change.requiresSecondFactor === true && !person.hasSecondFactor) {
    throw new ServiceError('conflict', {
      message: 'Set up a second factor for your own account first, and sign in with it.',
    })
  }
  await transact(db, async (tx) => {
    const workspace = await tx
      .selectFrom('workspace')
      .select(['company_name', 'requires_second_factor', 'requires_single_sign_on'])
      .where('id', '=', workspaceId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (change.requiresSingleSignOn === true) await refuseUntried(tx, workspaceId)
    const before = {
      requiresSecondFactor: workspace.requires_second_factor,
      requiresSingleSignOn: workspace.requires_single_sign_on,
    }
    const after = { ...before, ...change }
    if (isDeepStrictEqual(before, after)) return
    await tx
      .updateTable('workspace')
      .set({
        requires_second_factor: after.requiresSecondFactor,
        requires_single_sign_on: after.requiresSingleSignOn,
      })
      .where('id', '=', workspaceId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'workspace.sign_in_changed',
      object: { kind: 'workspace', id: workspaceId, name: workspace.company_name },
      before,
      after,
    })
  })
}

async function refuseUntried(tx: Tx, workspaceId: string): Promise<void> {
  const linked = await tx
    .selectFrom('company_link')
    .select('subject')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst()
  if (linked !== undefined) return
  throw new ServiceError('conflict', {
    message: 'Sign in with the company once before you require it of every member.',
  })
}
