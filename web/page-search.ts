import { componentSorts, type ComponentSort } from '#contract/inventory/components.ts'
import { findingSorts, type FindingSort } from '#contract/findings/lists.ts'
import { inboxTabs, type InboxTab } from '#contract/disclosure/shapes.ts'
import { listAuditEvents } from '#contract/audit/operations.ts'
import { listFamilies } from '#contract/products/operations.ts'
import { listIncidents, listReview, listSuppressed } from '#contract/incidents/operations.ts'
import { getMetrics, listComponentUses } from '#contract/inventory/operations.ts'
import type { AppOperation, QueryKind, QueryOf } from '#contract/operation.ts'
import { listFindings } from '#contract/sbom/operations.ts'
import { listVulnerabilities } from '#contract/vulnerabilities/operations.ts'
import {
  vexDocumentStates,
  vexEntryFilters,
  type VexDocumentState,
  type VexEntryFilter,
} from '#contract/vex/documents.ts'

/*
 * What the address bar holds after the question mark. It is foreign text: each value is read as what the page expects, or dropped.
 * Addresses hold only what differs from the default.
 */

/** Values of a query that an address only switches on. */
type Switches = { exploited?: true; archived?: true }

/** What a list is asked for in the address of its page: the query of its operation, without the cursor. */
export type Filter<Known extends AppOperation> = Present<Omit<QueryOf<Known>, 'cursor' | keyof Switches>> &
  Pick<Switches, keyof QueryOf<Known> & keyof Switches>

export type FamiliesSearch = Filter<typeof listFamilies> & { dialog?: 'create' }
export type MembersSearch = { dialog?: 'invite'; member?: string }
export type TokensSearch = { dialog?: 'create'; family?: string; token?: string }
export type SignInSearch = { next?: string }
/** As the protocol names them; what else an issuer adds is there too. */
export type CompanyReturnSearch = { code?: string; state?: string }
export type InboxSearch = { tab?: InboxTab }
export type SourcesSearch = { source?: string }
export type ComponentsSearch = Filter<typeof listComponentUses>
/** `family` is the id of a product family. */
export type VulnerabilitiesSearch = Filter<typeof listVulnerabilities>
/** `family` is the id of a product family. */
export type MetricsSearch = Filter<typeof getMetrics>

export const familyTabs = ['versions', 'vex', 'reported', 'trend', 'history', 'upload', 'product'] as const
export type FamilyTab = (typeof familyTabs)[number]
export type FamilySearch = {
  tab?: FamilyTab
  /** Of the VEX documents that are listed. */
  state?: VexDocumentState
  /** The version whose reported findings are listed: its id, or `none`. */
  version?: string
}

export type VexSearch = {
  show?: VexEntryFilter
  search?: string
  /** The number of the statement shown in the drawer. */
  statement?: string
}

export type ConnectorSearch = {
  family?: string
  /** The refusal shown in the drawer. */
  refusal?: string
}

export type NotificationsSearch = {
  dialog?: 'add'
  /** The destination shown in the drawer. */
  destination?: string
  /** The destination whose problems are listed. */
  failed?: string
  /** The problem shown in the drawer. */
  problem?: string
}

export type AuditFilter = Filter<typeof listAuditEvents>
/** `event`: the one shown in the drawer. */
export type AuditSearch = AuditFilter & { event?: string }

export type IncidentFilter = Filter<typeof listIncidents>
export type IncidentsSearch = IncidentFilter & { dialog?: 'open' }
export type ReviewSearch = Filter<typeof listReview>
export type SuppressedSearch = Filter<typeof listSuppressed>

export const incidentTabs = ['affected', 'drafts', 'submissions', 'timeline', 'comments'] as const
export type IncidentTab = (typeof incidentTabs)[number]
export type IncidentSearch = {
  tab?: IncidentTab
  /** The report whose draft is open. */
  report?: string
}

export const sbomTabs = ['findings', 'components', 'dependencies', 'quality', 'changes'] as const
export type SbomTab = (typeof sbomTabs)[number]

export type SbomSearch = Omit<Filter<typeof listFindings>, 'sort'> & {
  tab?: SbomTab
  sort?: FindingSort | ComponentSort
  /** The finding shown in the drawer. */
  finding?: string
  /** The number of the component shown in the drawer. */
  component?: string
}

type Raw = Record<string, unknown>

export function incidentsSearch(raw: Raw): IncidentsSearch {
  return { ...filterIn(raw, listIncidents), ...present({ dialog: oneOf(raw['dialog'], ['open']) }) }
}

export function incidentSearch(raw: Raw): IncidentSearch {
  return present({ tab: oneOf(raw['tab'], incidentTabs), report: text(raw['report']) })
}

export function reviewSearch(raw: Raw): ReviewSearch {
  return filterIn(raw, listReview)
}

export function suppressedSearch(raw: Raw): SuppressedSearch {
  return filterIn(raw, listSuppressed)
}

export function familiesSearch(raw: Raw): FamiliesSearch {
  return { ...filterIn(raw, listFamilies), ...present({ dialog: oneOf(raw['dialog'], ['create']) }) }
}

export function familySearch(raw: Raw): FamilySearch {
  return present({
    tab: oneOf(raw['tab'], familyTabs),
    state: oneOf(raw['state'], vexDocumentStates),
    version: text(raw['version']),
  })
}

export function vexSearch(raw: Raw): VexSearch {
  return present({
    show: oneOf(raw['show'], vexEntryFilters),
    search: text(raw['search']),
    statement: text(raw['statement']),
  })
}

export function connectorSearch(raw: Raw): ConnectorSearch {
  return present({ family: text(raw['family']), refusal: text(raw['refusal']) })
}

export function notificationsSearch(raw: Raw): NotificationsSearch {
  return present({
    dialog: oneOf(raw['dialog'], ['add']),
    destination: text(raw['destination']),
    failed: text(raw['failed']),
    problem: text(raw['problem']),
  })
}

export function membersSearch(raw: Raw): MembersSearch {
  return present({ dialog: oneOf(raw['dialog'], ['invite']), member: text(raw['member']) })
}

export function tokensSearch(raw: Raw): TokensSearch {
  return present({
    dialog: oneOf(raw['dialog'], ['create']),
    family: text(raw['family']),
    token: text(raw['token']),
  })
}

export function auditSearch(raw: Raw): AuditSearch {
  return { ...filterIn(raw, listAuditEvents), ...present({ event: text(raw['event']) }) }
}

export function inboxSearch(raw: Raw): InboxSearch {
  return present({ tab: oneOf(raw['tab'], inboxTabs) })
}

export function sourcesSearch(raw: Raw): SourcesSearch {
  return present({ source: text(raw['source']) })
}

export function componentsSearch(raw: Raw): ComponentsSearch {
  return filterIn(raw, listComponentUses)
}

export function vulnerabilitiesSearch(raw: Raw): VulnerabilitiesSearch {
  return filterIn(raw, listVulnerabilities)
}

export function metricsSearch(raw: Raw): MetricsSearch {
  return filterIn(raw, getMetrics)
}

/** `from`: where the page is come back to, which the payment provider was told. */
export type BillingSearch = { from?: 'checkout' }

export function billingSearch(raw: Raw): BillingSearch {
  return present({ from: oneOf(raw['from'], ['checkout'] as const) })
}

export function signInSearch(raw: Raw): SignInSearch {
  return present({ next: returnPath(raw['next']) })
}

/** What an issuer sends the browser back with, whole, for the service to read: more than `code` and `state`, and codes as long as it likes. */
export function companyReturnSearch(raw: Raw): CompanyReturnSearch {
  const given = Object.entries(raw).filter(([, value]) => value !== null && typeof value !== 'object')
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

export function sbomSearch(raw: Raw): SbomSearch {
  const { sort: _sort, ...filter } = filterIn(raw, listFindings)
  return {
    ...filter,
    ...present({
      tab: oneOf(raw['tab'], sbomTabs),
      sort: oneOf(raw['sort'], [...findingSorts, ...componentSorts]),
      finding: text(raw['finding']),
      component: text(raw['component']),
    }),
  }
}

/** What an address holds of the query of a list's operation. */
function filterIn<Known extends AppOperation>(raw: Raw, { query }: Known): Filter<Known> {
  const { cursor: _cursor, ...kinds }: Record<string, QueryKind> = query
  const values = Object.entries(kinds).map(([name, kind]) => [name, valueIn(raw[name], name, kind)])
  return present(Object.fromEntries(values) as Raw) as Filter<Known>
}

function valueIn(value: unknown, name: string, kind: QueryKind): string | number | true | undefined {
  if (Object.hasOwn(switchedOn, name)) return flag(value)
  if (kind === 'number') return wholeNumber(value)
  return typeof kind === 'string' ? text(value) : oneOf(value, kind)
}

const switchedOn = { exploited: 'any', archived: 'true' } as const satisfies Record<keyof Switches, string>

type Asked<Searched extends Switches> = Omit<Searched, keyof Switches> & {
  exploited?: typeof switchedOn.exploited
  archived?: typeof switchedOn.archived
}

/** The query of a list for what an address holds. */
export function asked<const Searched extends Switches>(searched: Searched): Asked<Searched> {
  const { exploited, archived, ...others } = searched
  return {
    ...others,
    ...(exploited === true ? { exploited: switchedOn.exploited } : {}),
    ...(archived === true ? { archived: switchedOn.archived } : {}),
  }
}

function text(value: unknown): string | undefined {
  const words = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof words === 'string' && words !== '' ? words.slice(0, 400) : undefined
}

function wholeNumber(value: unknown): number | undefined {
  const number = Number(text(value))
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  // the router reads a value that looks like a number as one
  const word = typeof value === 'number' ? String(value) : value
  return allowed.find((choice) => choice === word)
}

function flag(value: unknown): true | undefined {
  return value === true || value === 'true' ? true : undefined
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Keeps what is present, so that an address holds only what differs from the default. */
export function present<T extends Raw>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>
}

/**
 * A page of this application to return to after signing in; what could lead out of it is dropped. Browsers read `//host` and
 * `/\host` as other servers, and remove control characters before they do.
 */
export function returnPath(value: unknown): string | undefined {
  const path = text(value)
  if (path?.startsWith('/') !== true || path.startsWith('//') || path.includes('\\')) return undefined
  for (let at = 0; at < path.length; at++) if (path.charCodeAt(at) <= 0x20) return undefined
  return path
}
