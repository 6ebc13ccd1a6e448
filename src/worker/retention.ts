import { alertsRetention } from '../alerts/retention.ts'
import { noticesRetention } from '../notices/retention.ts'
import type { Db } from '../database/connection.ts'
import { reportRetention } from '../disclosure/inbox/erase-report.ts'
import { metricsRetention } from '../metrics/retention.ts'
import {
  countOver,
  removeOver,
  type Kept,
  type Removal,
  type RetentionRule,
} from '../queue/schedule/retention.ts'
import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { peopleRetention } from '../people/retention.ts'
import { vulndataRetention } from '../vulndata/store/forget-gone.ts'
import { workspaceRetention } from '../workspace/retention.ts'

/** What no schedule removes. Tables: the rows that hold it. */
export const keptForGood: readonly (Kept & { tables: readonly string[] })[] = [
  {
    what: 'incidents, with determinations, reports to authorities, submissions and their timeline',
    kept: 'for good',
    tables: [
      'incident',
      'incident_family',
      'incident_link',
      'incident_affected',
      'incident_regime',
      'incident_entry',
      'incident_task',
      'determination',
      'awareness_change',
      'regime_report',
      'submission',
    ],
  },
  { what: 'published advisories, every version', kept: 'for good', tables: ['advisory', 'advisory_version'] },
  { what: 'audit trail', kept: 'for good', tables: ['audit_event'] },
  { what: 'accounts of people, members of a workspace or not', kept: 'for good', tables: ['person'] },
  { what: 'invitations, accepted or not', kept: 'until their workspace is deleted', tables: ['invitation'] },
  {
    what: 'SBOMs and VEX documents as they were received, what was read from them, verdicts, findings (closed ones too)',
    kept: 'until their family is deleted; then a job removes them',
    tables: [
      'sbom',
      'component',
      'vex_document',
      'vex_statement',
      'verdict_decision',
      'finding',
      'finding_turn',
    ],
  },
  {
    what: 'SBOMs that a later one of the same version has replaced',
    kept: 'as all SBOMs, unless their family has another setting',
    tables: [],
  },
  {
    what: 'that setting; hash, times and counts of SBOMs that it removed',
    kept: 'until their family is deleted',
    tables: ['sbom_retention', 'removed_sbom'],
  },
]

/** What the schedule removes. */
export const removedBySchedule: readonly RetentionRule[] = [
  ...reportRetention,
  ...alertsRetention,
  ...noticesRetention,
  ...peopleRetention,
  ...workspaceRetention,
  ...metricsRetention,
  ...vulndataRetention,
]

/** What is replaced or counted, and never grows old. */
const keptShortly: readonly Kept[] = [
  {
    what: 'links of messages, and sign-ups that were asked for with one',
    kept: '30 days after they expire',
  },
  { what: 'refused connector requests', kept: 'the newest of each family' },
  {
    what: 'counters of sign-ins and of reports, used report forms, sign-ins half done',
    kept: 'about a day',
  },
  { what: 'finished jobs, failed jobs', kept: 'gone at once; until they are run again' },
]

/** The one table of how long everything is kept; docs/operating.md shows it. */
export const retention: readonly Kept[] = [...keptForGood, ...removedBySchedule, ...keptShortly]

/** How much of each kind has been kept long enough, and would go now. */
export async function countRetention(db: Db, now: Date): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const rule of removedBySchedule) counts[rule.what] = await countOver(db, rule, now)
  return counts
}

/** Removes what has been kept long enough; how much of each kind. */
export async function runRetention(db: Db, removal: Removal): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const rule of removedBySchedule) counts[rule.what] = await removeOver(db, rule, removal)
  return counts
}

export const retentionSchedule: readonly ScheduledWork[] = removedBySchedule.map((rule) => ({
  name: `remove ${rule.what}`,
  seldom: true,
  run: async ({ db, sealing, stopping }, now) => {
    await removeOver(db, rule, { now, sealing, stopping })
  },
}))
