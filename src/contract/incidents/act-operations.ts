import { Type } from 'typebox'
import { regimes } from '../alerts/events.ts'
import { determinationValues } from './words.ts'
import { BulkResult } from './bulk-result.ts'
import { severities } from '../severities.ts'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'

const incident = '/workspaces/:slug/incidents/:incident'
const OptionalText = Type.Optional(Type.String())
const TextOrNull = Type.Optional(nullable(Type.String()))

/** The law does not pause: deciding and filing work while a workspace is read-only, until it is closed. */
const worksReadOnly = 'until_closed'

/** 409 `conflict` while another one of the scope waits. */
export const recordDetermination = operation({
  method: 'POST',
  path: `${incident}/determinations`,
  permission: 'work_on_incidents',
  body: Type.Object({
    value: Type.Enum(determinationValues),
    reasoning: Type.String(),
    evidence: Type.Optional(Type.Array(Type.String())),
    /** When it was classified as major (DORA); now when it is left out. */
    classifiedAt: OptionalText,
  }),
  worksReadOnly,
  answer: answer(Type.Object({ id: Type.String() }), 201),
})

const Decision = Type.Object({
  approve: Type.Boolean(),
  /** A rejection needs one. */
  comment: OptionalText,
  /** An owner's, where there is no second person: the reason. A dangerous act, which the password can come with. */
  withoutSecondPerson: Type.Optional(
    Type.Object({ reason: Type.String(), password: Type.Optional(Type.String({ maxLength: 1000 })) }),
  ),
})

/** 409 `conflict` when it is no longer pending: the message says what became of it. */
export const decideDetermination = operation({
  method: 'POST',
  path: `${incident}/determinations/:determination/decision`,
  permission: 'approve_incidents',
  body: Decision,
  worksReadOnly,
  answer: nothing,
})

/** By its author, while it is pending. */
export const withdrawDetermination = operation({
  method: 'POST',
  path: `${incident}/determinations/:determination/withdraw`,
  permission: 'work_on_incidents',
  worksReadOnly,
  answer: nothing,
})

/** Earlier: at once. Later, or where it ends or delays a report that is open: when a second person has approved it. */
export const changeAwareness = operation({
  method: 'POST',
  path: `${incident}/awareness`,
  permission: 'approve_incidents',
  body: Type.Object({ awareAt: Type.String(), reason: Type.String() }),
  worksReadOnly,
  answer: answer(Type.Object({ id: Type.String(), waits: Type.Boolean() }), 201),
})

export const decideAwareness = operation({
  method: 'POST',
  path: `${incident}/awareness/:change/decision`,
  permission: 'approve_incidents',
  body: Decision,
  worksReadOnly,
  answer: nothing,
})

/** A change of awareness, or that a regime is switched off: by whoever recorded it, while it waits. */
export const withdrawAwareness = operation({
  method: 'POST',
  path: `${incident}/awareness/:change/withdraw`,
  permission: 'approve_incidents',
  worksReadOnly,
  answer: nothing,
})

export const changeFacts = operation({
  method: 'PATCH',
  path: incident,
  permission: 'work_on_incidents',
  body: Type.Object({
    title: OptionalText,
    occurredAt: TextOrNull,
    /** Of a corrective or mitigating measure. */
    measureAvailableAt: TextOrNull,
    memberStates: Type.Optional(Type.Array(Type.String())),
    severity: Type.Optional(Type.Enum(severities)),
  }),
  worksReadOnly,
  answer: nothing,
})

/** `person`: a member who may work on incidents; null: nobody. */
export const assignIncident = operation({
  method: 'POST',
  path: `${incident}/assignee`,
  permission: 'work_on_incidents',
  body: Type.Object({ person: nullable(Type.String()) }),
  answer: nothing,
})

/** `mentions`: ids of members, who are told. */
export const addComment = operation({
  method: 'POST',
  path: `${incident}/comments`,
  permission: 'work_on_incidents',
  body: Type.Object({ text: Type.String(), mentions: Type.Optional(Type.Array(Type.String())) }),
  answer: nothing,
})

/** `reason`: why it is switched off, which waits for a second person while one of its reports is open. `awareAt`: of a personal data breach, when other than that of the incident. */
export const switchRegime = operation({
  method: 'POST',
  path: `${incident}/regimes`,
  permission: 'work_on_incidents',
  body: Type.Object({
    regime: Type.Enum(regimes),
    active: Type.Boolean(),
    reason: OptionalText,
    awareAt: OptionalText,
  }),
  worksReadOnly,
  answer: answer(Type.Object({ waits: Type.Boolean() })),
})

/** That users were informed by other means than an advisory, or the maintainer of the component. */
export const recordInformed = operation({
  method: 'POST',
  path: `${incident}/informed`,
  permission: 'approve_incidents',
  body: Type.Object({ who: Type.Enum(['users', 'maintainer']), how: Type.String(), at: OptionalText }),
  worksReadOnly,
  answer: nothing,
})

export const addTask = operation({
  method: 'POST',
  path: `${incident}/tasks`,
  permission: 'work_on_incidents',
  body: Type.Object({ title: Type.String(), dueAt: TextOrNull }),
  worksReadOnly,
  answer: answer(Type.Object({ id: Type.String() }), 201),
})

export const completeTask = operation({
  method: 'POST',
  path: `${incident}/tasks/:task/done`,
  permission: 'work_on_incidents',
  worksReadOnly,
  answer: nothing,
})

/** 409 `conflict` with what keeps it open. */
export const closeIncident = operation({
  method: 'POST',
  path: `${incident}/close`,
  permission: 'approve_incidents',
  body: Type.Object({ reason: Type.String() }),
  answer: nothing,
})

/** With the same facts its reports come back with their times; with new evidence a new cycle of reports begins. */
export const reopenIncident = operation({
  method: 'POST',
  path: `${incident}/reopen`,
  permission: 'approve_incidents',
  body: Type.Object({
    reason: Type.String(),
    as: Type.Enum(['same_facts', 'new_evidence']),
    awareAt: OptionalText,
  }),
  answer: nothing,
})

const bulk = '/workspaces/:slug/incidents/bulk'
const Incidents = Type.Array(Type.String(), { minItems: 1, maxItems: 200 })

export const assignIncidents = operation({
  method: 'POST',
  path: `${bulk}/assignee`,
  permission: 'work_on_incidents',
  body: Type.Object({ incidents: Incidents, person: nullable(Type.String()) }),
  answer: answer(BulkResult),
})

/** One reasoning for the same vulnerability in several families. */
export const recordDeterminations = operation({
  method: 'POST',
  path: `${bulk}/determinations`,
  permission: 'work_on_incidents',
  body: Type.Object({
    incidents: Incidents,
    value: Type.Enum(determinationValues),
    reasoning: Type.String(),
    evidence: Type.Optional(Type.Array(Type.String())),
  }),
  worksReadOnly,
  answer: answer(BulkResult),
})

/** Approves what waits in the CRA scope; those that the asking member recorded are refused, the rest is done. */
export const approveDeterminations = operation({
  method: 'POST',
  path: `${bulk}/approvals`,
  permission: 'approve_incidents',
  body: Type.Object({ incidents: Incidents, comment: OptionalText }),
  worksReadOnly,
  answer: answer(BulkResult),
})
