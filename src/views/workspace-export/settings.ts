import { selectAdvisorySettings } from '../../advisories/drafts/settings.ts'
import { listDestinationRows } from '../../alerts/destinations/list-destinations.ts'
import type { Tx } from '../../database/connection.ts'
import { selectRegimeSettings } from '../../incidents/regimes/settings.ts'
import { companySettingsOf } from '../../workspace/company/change-company.ts'
import { listMembers } from '../../people/members/list-members.ts'
import type { WorkspaceRow } from '../../workspace/workspaces.ts'
import { jsonFile, type ExportFile } from './export-file.ts'

/** What is set, who belongs to it and what may send to it: no secret, no digest of one, and no address of a destination. */
export async function* settingsFiles(tx: Tx, workspace: WorkspaceRow): AsyncGenerator<ExportFile> {
  const { id } = workspace
  yield jsonFile('settings', {
    workspace: planOf(workspace),
    company: companySettingsOf(workspace),
    signIn: await selectSignIn(tx, workspace),
    regimes: await selectRegimeSettings(tx, id),
    advisories: await selectAdvisorySettings(tx, id),
    disclosure: await selectDisclosure(tx, id),
  })
  const members = await listMembers(tx, { workspaceId: id, asking: null })
  yield jsonFile('members', {
    members: members.map(({ isYou: _isYou, ...member }) => member),
    invitations: await selectInvitations(tx, id),
  })
  yield jsonFile('tokens', { tokens: await selectTokens(tx, id) })
  const destinations = await listDestinationRows(tx, id)
  yield jsonFile('destinations', {
    destinations: destinations.map(({ hasSecret: _hasSecret, ...destination }) => destination),
  })
}

function planOf(workspace: WorkspaceRow) {
  const { id, plan } = workspace
  return {
    id,
    plan,
    createdAt: workspace.created_at,
    trialEndsAt: workspace.trial_ends_at,
    paidUntil: workspace.paid_until,
    closedAt: workspace.closed_at,
    suspendedAt: workspace.suspended_at,
  }
}

async function selectSignIn(tx: Tx, workspace: WorkspaceRow) {
  const company = await tx
    .selectFrom('single_sign_on')
    .select(['issuer', 'client_id as clientId'])
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirst()
  const domains = await tx
    .selectFrom('workspace_domain')
    .select(['domain', 'verified_at as verifiedAt'])
    .where('workspace_id', '=', workspace.id)
    .orderBy('domain')
    .execute()
  return {
    requiresSecondFactor: workspace.requires_second_factor,
    requiresSingleSignOn: workspace.requires_single_sign_on,
    company: company ?? null,
    domains,
  }
}

async function selectDisclosure(tx: Tx, workspaceId: string) {
  const settings = await tx
    .selectFrom('disclosure_settings')
    .select([
      'public_contact_email as publicContactEmail',
      'canonical_url as canonicalUrl',
      'acknowledge_days as acknowledgeDays',
      'policy',
      'encryption_url as encryptionUrl',
      'languages',
      'embargo_days as embargoDays',
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  const offered = await tx
    .selectFrom('offered_family')
    .select('family_id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('family_id')
    .execute()
  const acknowledgments = await tx
    .selectFrom('acknowledgment')
    .select(['name', 'link', 'day', 'report_id as reportId'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .orderBy('id')
    .execute()
  return {
    settings: settings ?? null,
    offeredFamilies: offered.map(({ family_id: id }) => id),
    acknowledgments,
  }
}

/** Those that wait. */
function selectInvitations(tx: Tx, workspaceId: string) {
  return tx
    .selectFrom('invitation')
    .select(['email', 'role', 'invited_by_name as invitedBy', 'sent_at as sentAt', 'expires_at as expiresAt'])
    .where('workspace_id', '=', workspaceId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('sent_at')
    .orderBy('id')
    .execute()
}

/** All there ever were, by their first characters. */
function selectTokens(tx: Tx, workspaceId: string) {
  return tx
    .selectFrom('token as t')
    .leftJoin('person as p', 'p.id', 't.created_by')
    .leftJoin('token_use as u', 'u.token_id', 't.id')
    .select(['t.id', 't.kind', 't.name', 't.prefix', 't.family_id as familyId', 'p.name as createdBy'])
    .select(['t.created_at as createdAt', 't.expires_at as expiresAt', 't.revoked_at as revokedAt'])
    .select('u.last_used_at as lastUsedAt')
    .where('t.workspace_id', '=', workspaceId)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .execute()
}
