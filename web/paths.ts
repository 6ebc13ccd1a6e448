import { linkOptions } from '@tanstack/react-router'
import type {
  AuditSearch,
  ComponentsSearch,
  ConnectorSearch,
  FamiliesSearch,
  FamilySearch,
  InboxSearch,
  IncidentSearch,
  IncidentsSearch,
  MembersSearch,
  NotificationsSearch,
  ReviewSearch,
  SbomSearch,
  SourcesSearch,
  SuppressedSearch,
  TokensSearch,
  VexSearch,
  MetricsSearch,
  VulnerabilitiesSearch,
} from './page-search.ts'

/** Addresses of the pages: the only place that names a route. Each answers what Link and navigate take. */
export const pages = {
  home: () => linkOptions({ to: '/' }),
  account: () => linkOptions({ to: '/account' }),
  signIn: (next?: string) => linkOptions({ to: '/sign-in', search: next === undefined ? {} : { next } }),
  forgotten: () => linkOptions({ to: '/sign-in/forgotten' }),
  signUp: () => linkOptions({ to: '/sign-up' }),
  dashboard: (slug: string) => linkOptions({ to: '/$slug', params: { slug } }),
  incidents: (slug: string, search: IncidentsSearch = {}) =>
    linkOptions({ to: '/$slug/incidents', params: { slug }, search }),
  incident: (slug: string, incident: string, search: IncidentSearch = {}) =>
    linkOptions({ to: '/$slug/incidents/$incident', params: { slug, incident }, search }),
  review: (slug: string, search: ReviewSearch = {}) =>
    linkOptions({ to: '/$slug/review', params: { slug }, search }),
  suppressed: (slug: string, search: SuppressedSearch = {}) =>
    linkOptions({ to: '/$slug/suppressed', params: { slug }, search }),
  families: (slug: string, search: FamiliesSearch = {}) =>
    linkOptions({ to: '/$slug/families', params: { slug }, search }),
  family: (slug: string, family: string, search: FamilySearch = {}) =>
    linkOptions({ to: '/$slug/families/$family', params: { slug, family }, search }),
  sbom: (slug: string, sbom: string, search: SbomSearch = {}) =>
    linkOptions({ to: '/$slug/sboms/$sbom', params: { slug, sbom }, search }),
  comparison: (slug: string, sbom: string, other: string) =>
    linkOptions({ to: '/$slug/sboms/$sbom/compare/$other', params: { slug, sbom, other } }),
  advisories: (slug: string) => linkOptions({ to: '/$slug/advisories', params: { slug } }),
  advisory: (slug: string, advisory: string) =>
    linkOptions({ to: '/$slug/advisories/$advisory', params: { slug, advisory } }),
  components: (slug: string, search: ComponentsSearch = {}) =>
    linkOptions({ to: '/$slug/components', params: { slug }, search }),
  vulnerabilities: (slug: string, search: VulnerabilitiesSearch = {}) =>
    linkOptions({ to: '/$slug/vulnerabilities', params: { slug }, search }),
  vulnerability: (slug: string, vulnerability: string) =>
    linkOptions({ to: '/$slug/vulnerabilities/$vulnerability', params: { slug, vulnerability } }),
  metrics: (slug: string, search: MetricsSearch = {}) =>
    linkOptions({ to: '/$slug/metrics', params: { slug }, search }),
  inbox: (slug: string, search: InboxSearch = {}) =>
    linkOptions({ to: '/$slug/inbox', params: { slug }, search }),
  inboxReport: (slug: string, number: number) =>
    linkOptions({ to: '/$slug/inbox/$number', params: { slug, number: String(number) } }),
  finding: (slug: string, finding: string) =>
    linkOptions({ to: '/$slug/findings/$finding', params: { slug, finding } }),
  notices: (slug: string) => linkOptions({ to: '/$slug/account/notifications', params: { slug } }),
  vex: (slug: string, document: string, search: VexSearch = {}) =>
    linkOptions({ to: '/$slug/vex/$document', params: { slug, document }, search }),
  sources: (slug: string, search: SourcesSearch = {}) =>
    linkOptions({ to: '/$slug/sources', params: { slug }, search }),
  members: (slug: string, search: MembersSearch = {}) =>
    linkOptions({ to: '/$slug/settings/members', params: { slug }, search }),
  tokens: (slug: string, search: TokensSearch = {}) =>
    linkOptions({ to: '/$slug/settings/tokens', params: { slug }, search }),
  notifications: (slug: string, search: NotificationsSearch = {}) =>
    linkOptions({ to: '/$slug/settings/notifications', params: { slug }, search }),
  audit: (slug: string, search: AuditSearch = {}) =>
    linkOptions({ to: '/$slug/settings/audit', params: { slug }, search }),
  disclosure: (slug: string) => linkOptions({ to: '/$slug/settings/disclosure', params: { slug } }),
  company: (slug: string) => linkOptions({ to: '/$slug/settings/company', params: { slug } }),
  signInSettings: (slug: string) => linkOptions({ to: '/$slug/settings/sign-in', params: { slug } }),
  billing: (slug: string) => linkOptions({ to: '/$slug/settings/billing', params: { slug }, search: {} }),
  closing: (slug: string) => linkOptions({ to: '/$slug/settings/close', params: { slug } }),
  regimes: (slug: string) => linkOptions({ to: '/$slug/settings/regimes', params: { slug } }),
  connector: (slug: string, search: ConnectorSearch = {}) =>
    linkOptions({ to: '/$slug/settings/connector', params: { slug }, search }),
}

/** Which part of a workspace an address belongs to: `/acme/sboms/…` → `sboms`; '' is the workspace's own page. */
export function roomOf(pathname: string): string {
  return pathname.split('/')[2] ?? ''
}
