import type { CompanySettings } from '../../contract/workspace/company-operations.ts'
import { ServiceError } from '../../contract/errors.ts'
import { knownKeys } from '../../contract/known-keys.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { isTaken } from '../../platform/postgres/store-error.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { refuseRedirectedSlug, slugTaken } from '../redirects.ts'
import { lockWholeWorkspace, lockWorkspace, type WorkspaceRow } from '../workspaces.ts'
import { refuseInvalidCompany, type CompanyFacts } from './company-rules.ts'

export function companySettingsOf(workspace: WorkspaceRow): CompanySettings {
  return {
    slug: workspace.slug,
    companyName: workspace.company_name,
    securityContactEmail: workspace.security_contact_email,
    timeZone: workspace.time_zone,
    slugFrozenAt: workspace.slug_frozen_at?.toISOString() ?? null,
  }
}

type Act = { workspaceId: string; actor: Actor; now: Date }

/**
 * Changes what a workspace says of its company. The slug is in the addresses of published documents: it changes until the first advisory has
 * been published. Codes: `invalid_request`, `conflict`.
 */
export async function changeCompany(db: Db, act: Act, change: CompanyFacts): Promise<CompanySettings> {
  const wanted = trimmed(change)
  refuseInvalidCompany(wanted)
  try {
    return await transact(db, (tx) => changeInside(tx, act, wanted))
  } catch (error) {
    if (!isTaken(error, 'workspace_slug_key')) throw error
    throw slugTaken()
  }
}

async function changeInside(tx: Tx, act: Act, wanted: Partial<CompanyNames>): Promise<CompanySettings> {
  // publishing the first advisory waits, and so does this for whoever publishes it
  const lock = wanted.slug === undefined ? lockWorkspace : lockWholeWorkspace
  const before = companySettingsOf(await lock(tx, act.workspaceId))
  const after = { ...before, ...wanted }
  const names = knownKeys(wanted).filter((name) => before[name] !== after[name])
  if (names.length === 0) return before
  if (names.includes('slug')) {
    refuseFrozenSlug(before)
    await refuseRedirectedSlug(tx, { slug: after.slug, now: act.now })
  }
  await tx
    .updateTable('workspace')
    .set({
      slug: after.slug,
      company_name: after.companyName,
      security_contact_email: after.securityContactEmail,
      time_zone: after.timeZone,
    })
    .where('id', '=', act.workspaceId)
    .execute()
  if (names.includes('timeZone')) await enqueueSettling(tx, act)
  await recordAct(tx, {
    workspaceId: act.workspaceId,
    actor: act.actor,
    at: act.now,
    action: 'workspace.company_changed',
    object: { kind: 'workspace', id: act.workspaceId, name: after.companyName },
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    after: Object.fromEntries(names.map((name) => [name, after[name]])),
  })
  return after
}

/** Deadlines of days and months keep the local time of the workspace. */
async function enqueueSettling(tx: Tx, { workspaceId, now }: Act): Promise<void> {
  const payload = { workspaceId }
  await enqueue(tx, { kind: 'settle_reports', key: workspaceId, workspaceId, payload, runAt: now })
}

type CompanyNames = Omit<CompanySettings, 'slugFrozenAt'>

function trimmed(change: CompanyFacts): Partial<CompanyNames> {
  const given = Object.entries(change).filter((entry): entry is [keyof CompanyFacts, string] => {
    return entry[1] !== undefined
  })
  return Object.fromEntries(given.map(([name, text]) => [name, text.trim()]))
}

function refuseFrozenSlug({ slugFrozenAt }: CompanySettings): void {
  if (slugFrozenAt !== null) {
    throw new ServiceError('conflict', {
      message: 'The address of the workspace is in published advisories and can no longer change.',
    })
  }
}
