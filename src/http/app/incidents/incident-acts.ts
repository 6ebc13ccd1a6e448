import type { FastifyRequest } from 'fastify'
import * as contract from '../../../contract/incidents/act-operations.ts'
import { changeAwareness } from '../../../incidents/determinations/change-awareness.ts'
import { decideAwareness, withdrawAwareness } from '../../../incidents/determinations/decide-awareness.ts'
import { closeIncident } from '../../../incidents/closing/close-incident.ts'
import { reopenIncident } from '../../../incidents/closing/reopen-incident.ts'
import {
  decideDetermination,
  withdrawDetermination,
} from '../../../incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../../incidents/determinations/record-determination.ts'
import type { Decision } from '../../../incidents/determinations/second-person.ts'
import { changeFacts } from '../../../incidents/record/facts.ts'
import { recordInformed } from '../../../incidents/record/informed.ts'
import { addComment, assignIncident } from '../../../incidents/record/people.ts'
import { addTask, completeTask } from '../../../incidents/record/tasks.ts'
import { switchRegime } from '../../../incidents/regimes/switch-regime.ts'
import {
  approveDeterminations,
  assignIncidents,
  recordDeterminations,
} from '../../../incidents/several/act-on-several.ts'
import { confirmPassword, requireFresh } from '../../../people/fresh.ts'
import { originOf } from '../../client-address.ts'
import type { HttpDeps } from '../../deps.ts'
import { routesOf } from '../routing/handle.ts'
import type { Member } from '../routing/member.ts'
import { actAsMember, actOn } from './act-on.ts'

/** What members do on incidents, one by one and on many. */
export const incidentActRoutes = routesOf(contract, {
  recordDetermination: async (asked) => ({
    id: await recordDetermination(asked.deps.db, actOn(asked), asked.body),
  }),

  decideDetermination: async (asked) => {
    const determinationId = asked.params.determination
    await decideDetermination(asked.deps.db, { ...actOn(asked), determinationId }, await readDecision(asked))
  },

  withdrawDetermination: (asked) => {
    const determinationId = asked.params.determination
    return withdrawDetermination(asked.deps.db, { ...actOn(asked), determinationId })
  },

  changeAwareness: (asked) => changeAwareness(asked.deps.db, actOn(asked), asked.body),

  decideAwareness: async (asked) => {
    const act = { ...actOn(asked), changeId: asked.params.change }
    await decideAwareness(asked.deps.db, act, await readDecision(asked))
  },

  withdrawAwareness: (asked) =>
    withdrawAwareness(asked.deps.db, { ...actOn(asked), changeId: asked.params.change }),

  changeFacts: (asked) => changeFacts(asked.deps.db, actOn(asked), asked.body),

  assignIncident: (asked) => assignIncident(asked.deps.db, actOn(asked), asked.body.person),

  addComment: (asked) => addComment(asked.deps.db, actOn(asked), asked.body),

  switchRegime: async (asked) => ({
    waits: await switchRegime(asked.deps.db, { ...actOn(asked), role: asked.role }, asked.body),
  }),

  recordInformed: (asked) => recordInformed(asked.deps.db, actOn(asked), asked.body),

  addTask: async (asked) => ({ id: await addTask(asked.deps.db, actOn(asked), asked.body) }),

  completeTask: (asked) => completeTask(asked.deps.db, { ...actOn(asked), taskId: asked.params.task }),

  closeIncident: (asked) => closeIncident(asked.deps.db, actOn(asked), asked.body),

  reopenIncident: (asked) => reopenIncident(asked.deps.db, actOn(asked), asked.body),

  assignIncidents: (asked) =>
    assignIncidents(asked.deps.db, actAsMember(asked), {
      ids: asked.body.incidents,
      personId: asked.body.person,
    }),

  recordDeterminations: ({ body: { incidents, ...determination }, ...asked }) =>
    recordDeterminations(asked.deps.db, actAsMember(asked), { ids: incidents, determination }),

  approveDeterminations: ({ body: { incidents, ...decision }, ...asked }) =>
    approveDeterminations(asked.deps.db, actAsMember(asked), { ids: incidents, ...decision }),
})

type Deciding = Pick<Member, 'person' | 'now'> & {
  deps: HttpDeps
  request: FastifyRequest
  body: {
    approve: boolean
    comment?: string
    withoutSecondPerson?: { reason: string; password?: string }
  }
}

/** An owner who decides without a second person must have confirmed their identity lately, or do so with the act. */
async function readDecision({ deps, request, person, now, body }: Deciding): Promise<Decision> {
  const { approve, comment, withoutSecondPerson } = body
  const decision = { approve, ...(comment === undefined ? {} : { comment }) }
  if (withoutSecondPerson === undefined) return decision
  const { reason, password } = withoutSecondPerson
  if (password === undefined) requireFresh(person, now)
  else await confirmPassword(deps, { person, ...originOf(request), now, password })
  return { ...decision, withoutSecondPerson: reason }
}
