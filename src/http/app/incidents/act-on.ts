import { personOf, type IncidentAct } from '../../../incidents/record/lock-incident.ts'
import type { Member } from '../routing/member.ts'

type Acting = Pick<Member, 'workspaceId' | 'actor' | 'now'>

/** What every act on the incident in the address is given. */
export function actOn({ params, ...member }: Acting & { params: { incident: string } }): IncidentAct {
  return { ...actAsMember(member), incidentId: params.incident }
}

/** The same of an act on several. */
export function actAsMember({ workspaceId, actor, now }: Acting): Omit<IncidentAct, 'incidentId'> {
  return { workspaceId, actor: personOf(actor), now }
}
