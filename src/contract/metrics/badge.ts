import { Type, type Static } from 'typebox'
import { stateCapabilities, type WorkspaceState } from '../workspace/plans.ts'
import { nullable, extended } from '../schema.ts'

/** What a badge is made of. It names neither the family nor the company. */
export type BadgeFacts = {
  state: WorkspaceState
  /** Open findings. */
  malware: number
  exploited: number
  critical: number
  covered: number
  components: number
  /** Records and a catalogue of exploited vulnerabilities are loaded, and the catalogue is not older than a week. */
  isDataReady: boolean
  /** Some of the data that its covered components were compared with were fetched more than a week ago. */
  isDataOld: boolean
}

/** `alarm`: something is malicious or known to be exploited; `warning`: critical findings; `good`: neither; `unknown`: nobody could say. */
export const BadgeTone = Type.Enum(['alarm', 'warning', 'good', 'unknown'])
export type BadgeTone = Static<typeof BadgeTone>

export const BadgeMessage = Type.Object({ tone: BadgeTone, words: Type.String() })
export type BadgeMessage = Static<typeof BadgeMessage>

/** With a smaller share of the components covered, the absence of findings means nothing. */
const minCoverage = 0.8

/** What a badge says: never all clear where nothing could have been found. */
export function badgeMessage(facts: BadgeFacts): BadgeMessage {
  const { state, malware, exploited, critical, covered, components, isDataReady, isDataOld } = facts
  if (!stateCapabilities[state].monitoring) return { tone: 'unknown', words: 'monitoring paused' }
  if (components === 0) return { tone: 'unknown', words: 'no SBOM' }
  const coverage = `${Math.floor((covered / components) * 100)} % covered`
  const counts = [
    ...(malware > 0 ? [`${malware} malware`] : []),
    ...(exploited > 0 ? [`${exploited} known exploited`] : []),
    ...(critical > 0 ? [`${critical} critical`] : []),
  ]
  if (counts.length > 0)
    return {
      tone: malware + exploited > 0 ? 'alarm' : 'warning',
      words: `${counts.join(', ')} · ${coverage}`,
    }
  if (!isDataReady) return { tone: 'unknown', words: 'data not loaded' }
  if (isDataOld) return { tone: 'unknown', words: 'data out of date' }
  if (covered < minCoverage * components) return { tone: 'unknown', words: `not known · ${coverage}` }
  return { tone: 'good', words: `no known exploited · ${coverage}` }
}

/** What the family's menu shows. `url`: the public address; null while the badge is switched off. */
export const FamilyBadge = extended(BadgeMessage, { url: nullable(Type.String()) })
export type FamilyBadge = Static<typeof FamilyBadge>
