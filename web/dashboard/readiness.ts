import { dayMs } from '#contract/durations.ts'
import type { Preparation } from '#contract/incidents/regimes.ts'
import type { IncidentOverview } from '#contract/incidents/waiting.ts'
import { formatDate } from '../kit/text/format.ts'
import { dayOf } from '../kit/time/local-time.ts'
import { regimeNames } from '../incidents/words.ts'

export type ReadinessItem = {
  id: 'destination' | 'csirt' | 'authorities' | 'approvers' | 'drill' | Preparation
  name: string
  why: string
  isDone: boolean
}

/** A check older than this no longer counts. */
const holdsDays = 365

/** What must be in place before the first deadline runs: there is no time for it in 24 hours. */
export function readinessOf(
  overview: IncidentOverview,
  { nowMs, goesNowhere, timeZone }: { nowMs: number; goesNowhere: boolean; timeZone: string },
): ReadinessItem[] {
  const { approvers, lastDrillAt, destinations } = overview
  const missing = overview.regimesWithoutAuthority.filter((regime) => regime !== 'cra')
  return [
    {
      id: 'destination',
      name: 'Hear of incidents at once',
      why:
        destinations > 0
          ? 'A chat channel or webhook is told.'
          : `A chat channel or webhook is told the moment an incident opens and before its deadlines. ${goesNowhere ? 'Members are told in the bell only: no mail server is configured.' : 'Members are told by mail and in the bell.'}`,
      isDone: destinations > 0,
    },
    ...(overview.reportsUnderCra ? craItems(overview, nowMs) : []),
    {
      id: 'authorities',
      name: overview.reportsUnderCra ? 'Know who else to report to' : 'Know who to report to',
      why:
        missing.length === 0
          ? 'Every other regime in force has an authority.'
          : `No authority is stored for ${missing.map((regime) => regimeNames[regime]).join(', ')}.`,
      isDone: missing.length === 0,
    },
    {
      id: 'approvers',
      name: 'Have a second person who can approve',
      why:
        approvers > 1
          ? `${approvers} members can approve what somebody else recorded.`
          : 'Two people must decide that no report is needed. Only one member can approve.',
      isDone: approvers > 1,
    },
    confirmedItem(overview, nowMs, {
      id: 'backups',
      name: 'Have backups that can be restored',
      why: 'The record of what you filed, and when, must outlast a lost disk. Ask whoever runs the service about backups, and make sure that one can be restored.',
    }),
    {
      id: 'drill',
      name: 'Practise once a year',
      why:
        lastDrillAt === null
          ? 'There has been no drill so far: an exercise runs the clocks and the drafts, and tells nobody outside.'
          : `The last drill was on ${formatDate(dayOf(lastDrillAt, timeZone))}.`,
      isDone: lastDrillAt !== null && isRecent(lastDrillAt, nowMs),
    },
  ]
}

/** Reports under the Cyber Resilience Act are filed on ENISA's platform, through the CSIRT of the main establishment. */
function craItems(overview: IncidentOverview, nowMs: number): ReadinessItem[] {
  const hasCsirt = !overview.regimesWithoutAuthority.includes('cra')
  return [
    {
      id: 'csirt',
      name: 'Know your CSIRT',
      why: hasCsirt
        ? 'The CSIRT of your main establishment is stored.'
        : 'No authority is stored for the CRA. It is the coordinating CSIRT of your main establishment.',
      isDone: hasCsirt,
    },
    confirmedItem(overview, nowMs, {
      id: 'account',
      name: 'Have an account on the reporting platform',
      why: 'ENISA’s platform takes reports with an EU Login and a second factor only. That takes days to get, not hours.',
    }),
    confirmedItem(overview, nowMs, {
      id: 'representative',
      name: 'Have an assigned representative',
      why: 'The platform takes reports of your company only from whoever is registered there as its assigned representative.',
    }),
  ]
}

function confirmedItem(
  { confirmed }: IncidentOverview,
  nowMs: number,
  { id, name, why }: { id: Preparation; name: string; why: string },
): ReadinessItem {
  const day = confirmed[id]
  if (day === undefined) return { id, name, why, isDone: false }
  return { id, name, why: `Last checked on ${formatDate(day)}.`, isDone: isRecent(day, nowMs) }
}

function isRecent(time: string, nowMs: number): boolean {
  return nowMs - Date.parse(time) < holdsDays * dayMs
}
