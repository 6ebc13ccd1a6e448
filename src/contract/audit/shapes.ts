import { knownKeys } from '../known-keys.ts'
import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { time, nullable, extended } from '../schema.ts'
import { actorKinds } from '../roles.ts'

/**
 * Every act that the audit trail can hold, with the words that people read (docs/audit.md). An act that is not here cannot be recorded.
 */
export const auditActions = {
  'workspace.created': 'Workspace created',
  'workspace.company_changed': 'Company settings changed',
  'workspace.ceilings_changed': 'Ceilings of the workspace changed',
  'workspace.sign_in_changed': 'Sign-in to the workspace changed',
  'workspace.terms_accepted': 'Terms accepted',
  'workspace.plan_changed': 'Plan changed',
  'workspace.closed': 'Workspace closed',
  'workspace.reopened': 'Workspace reopened',
  'workspace.deleted': 'Workspace deleted',
  'workspace.originals_erased': 'Originals erased from the object store',
  'workspace.originals_given_up': 'Lost originals given up',
  'member.added': 'Member added',
  'workspace.suspended': 'Workspace suspended',
  'workspace.suspension_lifted': 'Suspension lifted',
  'workspace.exported': 'Workspace exported',
  'workspace.frozen': 'Workspace frozen for a move',
  'workspace.unfrozen': 'Move of the workspace given up',
  'workspace.packed': 'Workspace exported for a move',
  'workspace.imported': 'Workspace imported',
  'workspace.redirected': 'Addresses of the workspace lead elsewhere',
  'member.role_changed': 'Role of a member changed',
  'member.removed': 'Member removed',
  'member.left': 'Member left',
  'member.notices_changed': 'Notifications of a member changed',
  'person.signed_in': 'Signed in',
  'person.sign_in_failed': 'Sign-in failed',
  'person.signed_out': 'Signed out',
  'person.signed_out_everywhere': 'Other sessions signed out',
  'person.session_ended': 'Session ended',
  'person.password_changed': 'Password changed',
  'person.password_reset_requested': 'Password reset requested',
  'person.password_reset': 'Password reset',
  'person.company_linked': 'Company account linked',
  'person.second_factor_changed': 'Second factor changed',
  'person.email_change_requested': 'Change of e-mail address requested',
  'person.email_changed': 'E-mail address changed',
  'person.profile_changed': 'Profile changed',
  'invitation.sent': 'Invitation sent',
  'invitation.sent_again': 'Invitation sent again',
  'invitation.withdrawn': 'Invitation withdrawn',
  'invitation.accepted': 'Invitation accepted',
  'sign_up.requested': 'Sign-up requested',
  'token.created': 'Token created',
  'token.revoked': 'Token revoked',
  'family.created': 'Family created',
  'family.renamed': 'Family renamed',
  'family.archived': 'Family archived',
  'family.restored': 'Family restored',
  'family.deleted': 'Family deleted',
  'family.product_facts_changed': 'Product facts of a family changed',
  'family.sbom_retention_changed': 'Retention of replaced SBOMs changed',
  'family.sboms_removed': 'Replaced SBOMs removed',
  'family.badge_switched_on': 'Public badge switched on',
  'family.badge_switched_off': 'Public badge switched off',
  'version.retired': 'Version retired',
  'version.restored': 'Version restored',
  'version.made_current': 'Version made current',
  'sbom.uploaded': 'SBOM uploaded',
  'sbom.activated': 'SBOM made active',
  'sbom.matching_ordered': 'SBOM matched again',
  'connector.refusal_dismissed': 'Refused connector request dismissed',
  'vex.uploaded': 'VEX document uploaded',
  'vex.withdrawn': 'VEX document withdrawn',
  'vex.restored': 'VEX document restored',
  'verdict.decided': 'Verdict decided',
  'verdict.revoked': 'Verdict revoked',
  'verdict.restored': 'Verdict restored',
  'incident.opened': 'Incident opened',
  'incident.opening_suppressed': 'Opening of an incident suppressed by VEX',
  'incident.match_dismissed': 'Possible match dismissed',
  'incident.assigned': 'Incident assigned',
  'incident.commented': 'Comment added',
  'incident.task_added': 'Task added',
  'incident.task_done': 'Task done',
  'incident.facts_changed': 'Facts of an incident changed',
  'incident.awareness_requested': 'Change of awareness time requested',
  'incident.awareness_changed': 'Awareness time changed',
  'incident.awareness_decided': 'Change of awareness time decided',
  'incident.determination_recorded': 'Determination recorded',
  'incident.determination_approved': 'Determination approved',
  'incident.determination_rejected': 'Determination rejected',
  'incident.determination_withdrawn': 'Determination withdrawn',
  'incident.regime_on': 'Regime switched on',
  'incident.regime_off': 'Regime switched off',
  'incident.regime_off_requested': 'Switching off a regime requested',
  'incident.regime_off_decided': 'Switching off a regime decided',
  'incident.draft_saved': 'Draft of a report saved',
  'incident.report_submitted': 'Submission of a report recorded',
  'incident.report_waived': 'Report not required',
  'incident.submission_corrected': 'Submission corrected',
  'incident.receipt_added': 'Receipt of a submission added',
  'incident.users_informed': 'Users informed',
  'incident.maintainer_informed': 'Maintainer informed',
  'incident.report_linked': 'Report linked to an incident',
  'incident.report_unlinked': 'Report unlinked from an incident',
  'incident.closed': 'Incident closed',
  'incident.reopened': 'Incident reopened',
  'incident.exported': 'Evidence of an incident exported',
  'regimes.changed': 'Regimes and authorities changed',
  'advisory.created': 'Advisory created',
  'advisory.draft_state': 'State of an advisory draft changed',
  'advisory.draft_deleted': 'Advisory draft deleted',
  'advisory.tracking_id_changed': 'Tracking ID changed',
  'advisory.published': 'Advisory published',
  'advisory.settings_changed': 'Settings of advisories changed',
  'destination.added': 'Destination added',
  'destination.changed': 'Destination changed',
  'destination.secret_renewed': 'Signing secret renewed',
  'destination.tested': 'Test sent to a destination',
  'destination.removed': 'Destination removed',
  'disclosure.changed': 'Disclosure settings changed',
  'report.received': 'Report received',
  'report.message_sent': 'Message sent to a reporter',
  'report.answered_outside': 'Answer elsewhere noted',
  'report.note_added': 'Internal note added',
  'report.acknowledged': 'Report acknowledged',
  'report.moved': 'State of a report changed',
  'report.changed': 'Facts of a report changed',
  'report.duplicate_of': 'Report marked as duplicate',
  'report.marked_spam': 'Report marked as spam',
  'report.not_spam': 'Report taken out of spam',
  'report.incident_linked': 'Incident linked to a report',
  'report.incident_unlinked': 'Incident unlinked from a report',
  'report.credited': 'Reporter credited',
  'report.credit_removed': 'Credit of a reporter removed',
  'report.erased': 'Report erased',
  'report.spam_purged': 'Spam deleted',
  'findings.exported': 'Findings exported',
  'vulnerabilities.exported': 'Vulnerabilities exported',
  'components.exported': 'Components exported',
  'incidents.exported': 'Incidents exported',
  'audit.exported': 'Audit trail exported',
  'operator.signed_in': 'Operator signed in',
  'operator.signed_out': 'Operator signed out',
  'operator.sessions_ended': 'Sessions of operators ended',
  'jobs.retried': 'Failed jobs run again',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions

/** Known from their words alone. */
export const auditActionNames = knownKeys(auditActions)

/** What an act can be on. */
export const auditObjects = {
  workspace: 'Workspace',
  person: 'Person',
  invitation: 'Invitation',
  sign_up: 'Sign-up',
  token: 'Token',
  family: 'Product family',
  version: 'Product version',
  sbom: 'SBOM',
  vex_document: 'VEX document',
  verdict_decision: 'Verdict',
  finding: 'Finding',
  incident: 'Incident',
  suppressed_opening: 'Suppressed opening',
  advisory: 'Advisory',
  destination: 'Destination',
  disclosure_settings: 'Disclosure settings',
  report: 'Vulnerability report',
  connector_refusal: 'Refused connector request',
  operator_session: 'Session of an operator',
  installation: 'Installation',
} as const satisfies Record<string, string>

export type AuditObjectKind = keyof typeof auditObjects
export const auditObjectKinds = knownKeys(auditObjects)

export const AuditEvent = Type.Object({
  id: Type.Number(),
  at: time,
  actor: Type.Object({ kind: Type.Enum(actorKinds), id: nullable(Type.String()), name: Type.String() }),
  action: Type.Enum(auditActionNames),
  object: Type.Object({
    kind: Type.Enum(auditObjectKinds),
    id: Type.String(),
    name: nullable(Type.String()),
  }),
  before: Type.Unknown(),
  after: Type.Unknown(),
  requestId: nullable(Type.String()),
  address: nullable(Type.String()),
})
export type AuditEvent = Static<typeof AuditEvent>

/** `total` counts no further than it must: `isLowerBound` says that there are more. */
export const AuditPage = extended(Page(AuditEvent), { isLowerBound: Type.Boolean() })
export type AuditPage = Static<typeof AuditPage>

/** Who can be chosen as actor: everybody who is or was a member, and every token. */
export const AuditActors = Type.Object({
  people: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), isRemoved: Type.Boolean() })),
  /** `prefix`: their first characters; `family`: null for those of the workspace. */
  tokens: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      prefix: Type.String(),
      family: nullable(Type.Object({ name: Type.String() })),
    }),
  ),
})
export type AuditActors = Static<typeof AuditActors>

/** How the rows of a list are written to a file. */
export const tableFormats = ['csv', 'json'] as const
export type TableFormat = (typeof tableFormats)[number]
