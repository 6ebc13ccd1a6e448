import { familySorts, type FamilySort } from '../src/contract/app.ts'
import type { Grade } from '../src/contract/finding.ts'
import { grades } from '../src/contract/finding.ts'
import { severities, type Severity } from '../src/contract/sbom.ts'
import { verdictFilters, type VerdictFilter } from '../src/contract/verdict.ts'
import {
  vexDocumentStates,
  vexEntryFilters,
  type VexDocumentState,
  type VexEntryFilter,
} from '../src/contract/vex-documents.ts'
import { vulnerabilitySorts, type VulnerabilitySort } from '../src/contract/vulnerability.ts'

/*
 * What the address bar holds after the question mark. It is foreign text: each value is read as what the page expects, or dropped.
 * Addresses hold only what differs from the default.
 */

export type FamiliesSearch = { archived?: true; search?: string; sort?: FamilySort; dialog?: 'create' }
export type TokensSearch = { dialog?: 'create'; family?: string; token?: string }
export type SignInSearch = { next?: string }
export type SourcesSearch = { source?: string }

export type ComponentsSearch = { search?: string; hash?: string }

export type VulnerabilitiesSearch = {
  search?: string
  severity?: Severity
  exploited?: true
  grade?: Grade
  verdict?: VerdictFilter
  /** The id of a product family. */
  family?: string
  sort?: VulnerabilitySort
}

export const familyTabs = ['versions', 'vex', 'reported', 'trend', 'history', 'upload'] as const
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

export const sbomTabs = ['findings', 'components', 'quality', 'changes'] as const
export type SbomTab = (typeof sbomTabs)[number]

export const findingSorts = ['urgency', 'severity', 'component', 'title', 'newest'] as const
export type FindingSort = (typeof findingSorts)[number]

export const componentSorts = ['name', '-name', 'findings'] as const
export type ComponentSort = (typeof componentSorts)[number]

export type SbomSearch = {
  tab?: SbomTab
  search?: string
  severity?: Severity
  exploited?: true
  grade?: Grade
  verdict?: VerdictFilter
  sort?: FindingSort | ComponentSort
  /** The finding shown in the drawer. */
  finding?: string
  /** The number of the component shown in the drawer. */
  component?: string
}

type Raw = Record<string, unknown>

export function familiesSearch(raw: Raw): FamiliesSearch {
  return present({
    archived: flag(raw['archived']),
    search: text(raw['search']),
    sort: oneOf(raw['sort'], familySorts),
    dialog: oneOf(raw['dialog'], ['create']),
  })
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

export function tokensSearch(raw: Raw): TokensSearch {
  return present({
    dialog: oneOf(raw['dialog'], ['create']),
    family: text(raw['family']),
    token: text(raw['token']),
  })
}

export function sourcesSearch(raw: Raw): SourcesSearch {
  return present({ source: text(raw['source']) })
}

export function componentsSearch(raw: Raw): ComponentsSearch {
  return present({ search: text(raw['search']), hash: text(raw['hash']) })
}

export function vulnerabilitiesSearch(raw: Raw): VulnerabilitiesSearch {
  return present({
    search: text(raw['search']),
    severity: oneOf(raw['severity'], severities),
    exploited: flag(raw['exploited']),
    grade: oneOf(raw['grade'], grades),
    verdict: oneOf(raw['verdict'], verdictFilters),
    family: text(raw['family']),
    sort: oneOf(raw['sort'], vulnerabilitySorts),
  })
}

export function signInSearch(raw: Raw): SignInSearch {
  return present({ next: returnPath(raw['next']) })
}

export function sbomSearch(raw: Raw): SbomSearch {
  return present({
    tab: oneOf(raw['tab'], sbomTabs),
    search: text(raw['search']),
    severity: oneOf(raw['severity'], severities),
    exploited: flag(raw['exploited']),
    grade: oneOf(raw['grade'], grades),
    verdict: oneOf(raw['verdict'], verdictFilters),
    sort: oneOf(raw['sort'], [...findingSorts, ...componentSorts]),
    finding: text(raw['finding']),
    component: text(raw['component']),
  })
}

function text(value: unknown): string | undefined {
  const words = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof words === 'string' && words !== '' ? words.slice(0, 400) : undefined
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((choice) => choice === value)
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
