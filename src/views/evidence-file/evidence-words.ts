import type { IncidentEvidence } from '../../contract/incidents/incident-evidence.ts'

type Determination = IncidentEvidence['determinations'][number]
type Report = IncidentEvidence['reports'][number]

export const kindNames: Record<IncidentEvidence['incident']['kind'], string> = {
  vulnerability: 'Actively exploited vulnerability',
  severe_incident: 'Severe incident',
}

export const sourceNames: Record<IncidentEvidence['incident']['source'], string> = {
  kev: 'Listed by CISA KEV',
  euvd: 'Listed by the ENISA EUVD',
  manual: 'A member',
  report: 'A report from outside',
}

export const stateNames: Record<Determination['state'] | 'in_force', string> = {
  in_force: 'In force',
  pending: 'Waiting for approval',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  superseded: 'Superseded',
}

export const statusNames: Record<Report['status'], string> = {
  waiting: 'Waiting for what it is counted from',
  open: 'Open',
  due_soon: 'Due soon',
  overdue: 'Overdue',
  submitted: 'Submitted',
  late: 'Submitted late',
  not_required: 'Not required',
}

export const submissionNames: Record<IncidentEvidence['submissions'][number]['kind'], string> = {
  submission: 'Submission',
  update: 'Update',
  amendment: 'Amendment',
}

export const linkNames: Record<IncidentEvidence['links'][number]['kind'], string> = {
  incident: 'Incident',
  advisory: 'Advisory',
  inbox_report: 'Inbox report',
  vex: 'VEX',
}
