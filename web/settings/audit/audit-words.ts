import {
  auditActionNames,
  auditActions,
  auditObjects,
  type AuditAction,
  type AuditEvent,
  type AuditObjectKind,
} from '#contract/audit/shapes.ts'

/** Events of earlier releases may have an action that no longer exists. */
export function actionWords(action: AuditAction): string {
  return (auditActions as Record<string, string>)[action] ?? action
}

export function objectWords(kind: AuditObjectKind): string {
  return (auditObjects as Record<string, string>)[kind] ?? kind
}

/** Actions grouped by subject, for a choice: `token` → those on tokens. */
export const actionGroups: readonly { subject: string; actions: AuditAction[] }[] = groupsOf()

function groupsOf() {
  const subjects: Record<string, string> = {
    workspace: 'Workspace',
    member: 'Members',
    person: 'Accounts',
    invitation: 'Invitations',
    sign_up: 'Sign-up',
    token: 'Tokens',
    family: 'Product families',
    version: 'Product versions',
    sbom: 'SBOMs',
    connector: 'Dependency-Track',
    vex: 'VEX documents',
    verdict: 'Verdicts',
    incident: 'Incidents',
    regimes: 'Regimes',
    advisory: 'Advisories',
    destination: 'Destinations',
    disclosure: 'Disclosure',
    report: 'Inbox',
    findings: 'Exports of findings',
    components: 'Exports of components',
    incidents: 'Exports of incidents',
    audit: 'Audit trail',
  }
  const groups = Map.groupBy(auditActionNames, (action) => action.split('.')[0] ?? '')
  return [...groups].map(([subject, actions]) => ({ subject: subjects[subject] ?? subject, actions }))
}

/** Acts on the workspace itself, whose id says nothing. */
const workspaceKinds: readonly AuditObjectKind[] = ['workspace', 'disclosure_settings']

/** The object of an act: its name, else its id. */
export function objectName({ kind, name, id }: AuditEvent['object']): string {
  return name ?? (workspaceKinds.includes(kind) ? 'this workspace' : id)
}
