import { Type } from 'typebox'
import { Page } from '../page.ts'
import { regimes } from '../alerts/events.ts'
import { doraFactIds } from './dora-facts.ts'
import { DraftForm, DraftValues } from './report-drafts.ts'
import { IncidentDetail, IncidentEntry, IncidentRow } from './shapes.ts'
import { Authority, RegimeSettings } from './regimes.ts'
import { DeadlineGroup, IncidentCounts, IncidentOverview, ReviewRow, SuppressedRow } from './waiting.ts'
import { openingBody } from './opening-body.ts'
import { answer, nothing, operation } from '../operation.ts'
import { Named, nullable, extended } from '../schema.ts'

const incidents = '/workspaces/:slug/incidents'

/** The next deadline first, those without one after them, closed ones last by when they were closed. */
export const listIncidents = operation({
  method: 'GET',
  path: incidents,
  permission: 'any_member',
  query: {
    status: ['open', 'closed', 'all'],
    due: ['overdue', 'due_soon'],
    regime: regimes,
    family: 'id',
    vulnerability: 'text',
    assignee: ['me', 'none'],
    waiting: ['me'],
    search: 'text',
    cursor: 'text',
  },
  answer: answer(extended(Page(IncidentRow), { counts: IncidentCounts })),
})

/** Members who may work on incidents: whom one can be given to, and who can be mentioned in a comment. */
export const listIncidentPeople = operation({
  method: 'GET',
  path: '/workspaces/:slug/incident-people',
  permission: 'any_member',
  answer: answer(Type.Object({ people: Type.Array(Named) })),
})

/** What needs doing, for the dashboard. */
export const getIncidentOverview = operation({
  method: 'GET',
  path: `${incidents}/overview`,
  permission: 'any_member',
  answer: answer(IncidentOverview),
})

export const getIncident = operation({
  method: 'GET',
  path: `${incidents}/:incident`,
  permission: 'any_member',
  answer: answer(IncidentDetail),
})

/** The newest first. */
export const listIncidentEntries = operation({
  method: 'GET',
  path: `${incidents}/:incident/timeline`,
  permission: 'any_member',
  query: { cursor: 'text' },
  answer: answer(Page(IncidentEntry)),
})

/**
 * The authority's form of a report, and what was written at the stage before it, from which fields are copied; empty where there was
 * none.
 */
export const getDraftForm = operation({
  method: 'GET',
  path: `${incidents}/:incident/reports/:report/form`,
  permission: 'any_member',
  answer: answer(Type.Object({ form: DraftForm, previous: DraftValues })),
})

/** Opens one by hand. `awareAt`: now when it is left out. 409 `conflict` when a family has an open one on the vulnerability. */
export const openIncident = operation({
  method: 'POST',
  path: incidents,
  permission: 'work_on_incidents',
  body: openingBody,
  answer: answer(Type.Object({ id: Type.String(), reference: Type.String() }), 201),
})

/** Exploited exact matches that an uploaded document keeps from opening an incident, the newest first. */
export const listSuppressed = operation({
  method: 'GET',
  path: '/workspaces/:slug/suppressed-openings',
  permission: 'any_member',
  query: { family: 'id', vulnerability: 'text', cursor: 'text' },
  answer: answer(Page(SuppressedRow)),
})

/** Exploited vulnerabilities that may be in a product but do not match exactly: for a person to judge. */
export const listReview = operation({
  method: 'GET',
  path: '/workspaces/:slug/incident-review',
  permission: 'any_member',
  query: { family: 'id', dismissed: ['yes'], cursor: 'text' },
  answer: answer(Page(ReviewRow)),
})

export const dismissReview = operation({
  method: 'POST',
  path: '/workspaces/:slug/incident-review/:finding/dismiss',
  permission: 'work_on_incidents',
  body: Type.Object({ reason: Type.String() }),
  answer: nothing,
})

export const getRegimeSettings = operation({
  method: 'GET',
  path: '/workspaces/:slug/regimes',
  permission: 'any_member',
  answer: answer(extended(RegimeSettings, { timeZone: Type.String() })),
})

/** Null removes it. */
const DoraFact = nullable(Type.String({ maxLength: 8_000 }))

/** Applies to incidents opened from now on. */
export const changeRegimeSettings = operation({
  method: 'PATCH',
  path: '/workspaces/:slug/regimes',
  permission: 'manage_regimes',
  body: Type.Object({
    cra: Type.Optional(Type.Boolean()),
    digitalsikkerhetsloven: Type.Optional(Type.Boolean()),
    gdpr: Type.Optional(Type.Boolean()),
    dora: Type.Optional(Type.Boolean()),
    mainEstablishment: Type.Optional(nullable(Type.String())),
    authorities: Type.Optional(
      Type.Object({
        cra: Type.Optional(nullable(Authority)),
        digitalsikkerhetsloven: Type.Optional(nullable(Authority)),
        gdpr: Type.Optional(nullable(Authority)),
        dora: Type.Optional(nullable(Authority)),
      }),
    ),
    confirmed: Type.Optional(
      Type.Object({
        account: Type.Optional(nullable(Type.String())),
        representative: Type.Optional(nullable(Type.String())),
        backups: Type.Optional(nullable(Type.String())),
      }),
    ),
    doraFacts: Type.Optional(Type.Partial(Type.Record(Type.Enum(doraFactIds), DoraFact))),
  }),
  answer: nothing,
})

/** Open reports of the workspace that have a deadline, those of one vulnerability, regime and stage together, the next one first; at most 500. */
export const listDeadlines = operation({
  method: 'GET',
  path: '/workspaces/:slug/deadlines',
  permission: 'any_member',
  answer: answer(Type.Object({ deadlines: Type.Array(DeadlineGroup) })),
})
