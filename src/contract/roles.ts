export const roles = ['owner', 'admin', 'lead', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Who acts: a signed-in person, a token, or the installation itself (command line, schedule). */
export const actorKinds = ['person', 'token', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** What a member may do, by role. Reading is open to every role. */
export const roleAllows = {
  manage_families: ['owner', 'admin', 'lead'],
  /** What a family removes of its replaced SBOMs. */
  manage_sbom_retention: ['owner', 'admin'],
  edit_versions: ['owner', 'admin', 'lead', 'editor'],
  upload: ['owner', 'admin', 'lead', 'editor'],
  decide_verdicts: ['owner', 'admin', 'lead', 'editor'],
  manage_upload_tokens: ['owner', 'admin', 'lead'],
  manage_workspace_tokens: ['owner', 'admin'],
  manage_destinations: ['owner', 'admin'],
  see_inbox: ['owner', 'admin', 'lead', 'editor'],
  manage_disclosure: ['owner', 'admin', 'lead'],
  see_deliveries: ['owner', 'admin', 'lead'],
  /** Open by hand, determine, draft, file, comment, assign. */
  work_on_incidents: ['owner', 'admin', 'lead', 'editor'],
  /** Decide what somebody else recorded; change awareness; close and reopen. */
  approve_incidents: ['owner', 'admin', 'lead'],
  manage_regimes: ['owner', 'admin'],
  /** Company name, security contact, time zone, address. */
  manage_company: ['owner', 'admin'],
  /** Billing, export, closing, reopening and deleting the workspace. */
  manage_billing: ['owner'],
  draft_advisories: ['owner', 'admin', 'lead', 'editor'],
  publish_advisories: ['owner', 'admin', 'lead'],
  /** Invite, change roles up to admin, remove. */
  manage_members: ['owner', 'admin'],
  /** A second factor and single sign-on for the workspace: whoever decides where people sign in could sign in as an owner. */
  manage_sign_in: ['owner'],
  /** Make somebody an owner, or an owner something else. */
  grant_owner: ['owner'],
  see_audit: ['owner', 'admin', 'lead'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof roleAllows

export function isAllowed(role: Role, permission: Permission): boolean {
  return (roleAllows[permission] as readonly Role[]).includes(role)
}
