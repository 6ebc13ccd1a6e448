import type { IncidentOverview } from '../../../src/contract/incidents/waiting.ts'
import { regimeNames } from '../../ui/incidents/words.ts'

export type ReadinessItem = {
  id: 'destination' | 'authorities' | 'approvers' | 'drill'
  name: string
  why: string
  isDone: boolean
}

const dayMs = 86_400_000
/** A drill longer ago than this is no practice. */
const drillHoldsDays = 365

/** What must be in place before the first deadline runs: nobody looks these things up in 24 hours. */
export function readinessOf(overview: IncidentOverview, nowMs: number): ReadinessItem[] {
  const { regimesWithoutAuthority: missing, approvers, lastDrillAt, destinations } = overview
  return [
    {
      id: 'destination',
      name: 'Hear of incidents at once',
      why:
        destinations > 0
          ? 'A chat channel or webhook is told.'
          : 'A chat channel or webhook is told the moment an incident opens and before its deadlines. Members are told by mail and in the bell.',
      isDone: destinations > 0,
    },
    {
      id: 'authorities',
      name: 'Know whom to report to',
      why:
        missing.length === 0
          ? 'An authority is stored for each regime.'
          : `No authority is stored for ${missing.map((regime) => regimeNames[regime]).join(', ')}. For the CRA it is the CSIRT of your main establishment; its platform needs an EU Login with a second factor and an assigned representative.`,
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
    {
      id: 'drill',
      name: 'Practise once a year',
      why:
        lastDrillAt === null
          ? 'There has been no drill so far: an exercise runs the clocks and the drafts, and tells nobody outside.'
          : `The last drill was on ${lastDrillAt.slice(0, 10)}.`,
      isDone: lastDrillAt !== null && nowMs - Date.parse(lastDrillAt) < drillHoldsDays * dayMs,
    },
  ]
}
