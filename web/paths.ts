import { linkOptions } from '@tanstack/react-router'
import type { VexFormat } from '../src/contract/vex.ts'
import type {
  ComponentsSearch,
  ConnectorSearch,
  FamiliesSearch,
  FamilySearch,
  SbomSearch,
  SourcesSearch,
  TokensSearch,
  VexSearch,
  VulnerabilitiesSearch,
} from './page-search.ts'

/** Addresses of the pages: the only place that names a route. Each answers what Link and navigate take. */
export const pages = {
  home: () => linkOptions({ to: '/' }),
  account: () => linkOptions({ to: '/account' }),
  signIn: (next?: string) => linkOptions({ to: '/sign-in', search: next === undefined ? {} : { next } }),
  dashboard: (slug: string) => linkOptions({ to: '/$slug', params: { slug } }),
  families: (slug: string, search: FamiliesSearch = {}) =>
    linkOptions({ to: '/$slug/families', params: { slug }, search }),
  family: (slug: string, family: string, search: FamilySearch = {}) =>
    linkOptions({ to: '/$slug/families/$family', params: { slug, family }, search }),
  sbom: (slug: string, sbom: string, search: SbomSearch = {}) =>
    linkOptions({ to: '/$slug/sboms/$sbom', params: { slug, sbom }, search }),
  comparison: (slug: string, sbom: string, other: string) =>
    linkOptions({ to: '/$slug/sboms/$sbom/compare/$other', params: { slug, sbom, other } }),
  components: (slug: string, search: ComponentsSearch = {}) =>
    linkOptions({ to: '/$slug/components', params: { slug }, search }),
  vulnerabilities: (slug: string, search: VulnerabilitiesSearch = {}) =>
    linkOptions({ to: '/$slug/vulnerabilities', params: { slug }, search }),
  vulnerability: (slug: string, vulnerability: string) =>
    linkOptions({ to: '/$slug/vulnerabilities/$vulnerability', params: { slug, vulnerability } }),
  finding: (slug: string, finding: string) =>
    linkOptions({ to: '/$slug/findings/$finding', params: { slug, finding } }),
  vex: (slug: string, document: string, search: VexSearch = {}) =>
    linkOptions({ to: '/$slug/vex/$document', params: { slug, document }, search }),
  sources: (slug: string, search: SourcesSearch = {}) =>
    linkOptions({ to: '/$slug/sources', params: { slug }, search }),
  tokens: (slug: string, search: TokensSearch = {}) =>
    linkOptions({ to: '/$slug/settings/tokens', params: { slug }, search }),
  connector: (slug: string, search: ConnectorSearch = {}) =>
    linkOptions({ to: '/$slug/settings/connector', params: { slug }, search }),
}

export type VersionAct = 'retire' | 'restore' | 'make-current'
type ComponentsQuery = { search?: string; sort?: string; cursor?: string }
type FindingsQuery = Pick<SbomSearch, 'search' | 'severity' | 'exploited' | 'grade' | 'verdict' | 'sort'> & {
  cursor?: string
}
type VexExport = { format: VexFormat; version: string | undefined }
/** What a member sends from the page; `version` is the name of a product version. */
export type SentKind = 'sboms' | 'vex'

/** Which part of a workspace an address belongs to: `/acme/sboms/…` → `sboms`; '' is the workspace's own page. */
export function roomOf(pathname: string): string {
  return pathname.split('/')[2] ?? ''
}

const base = '/api/app'

function workspacePath(slug: string, ...parts: string[]): string {
  return [`${base}/workspaces`, slug, ...parts]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/')
}

function withQuery(path: string, values: Record<string, string | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** Addresses of the application's own interface (contract/app.ts). */
export const api = {
  session: () => `${base}/session`,
  setup: () => `${base}/setup`,
  setupState: () => `${base}/setup/state`,
  accountSessions: () => `${base}/account/sessions`,
  accountPassword: () => `${base}/account/password`,
  workspace: (slug: string) => workspacePath(slug),
  families: (slug: string, { archived, search, sort, cursor }: FamiliesSearch & { cursor?: string } = {}) =>
    withQuery(workspacePath(slug, 'families'), {
      archived: archived === true ? 'true' : undefined,
      search,
      sort,
      cursor,
    }),
  familyNames: (slug: string) => workspacePath(slug, 'family-names'),
  family: (slug: string, family: string) => workspacePath(slug, 'families', family),
  familyAct: (slug: string, family: string, act: 'archive' | 'restore') =>
    workspacePath(slug, 'families', family, act),
  versionAct: (slug: string, family: string, version: string, act: VersionAct) =>
    workspacePath(slug, 'families', family, 'versions', version, act),
  familySboms: (slug: string, family: string, cursor?: string) =>
    withQuery(workspacePath(slug, 'families', family, 'sboms'), { cursor }),
  familyHistory: (slug: string, family: string) => workspacePath(slug, 'families', family, 'history'),
  comparison: (slug: string, sbom: string, other: string) =>
    workspacePath(slug, 'sboms', sbom, 'compare', other),
  allComponents: (slug: string, query: ComponentsSearch & { cursor?: string }) =>
    withQuery(workspacePath(slug, 'components'), query),
  vulnerabilities: (slug: string, { exploited, ...query }: VulnerabilitiesSearch & { cursor?: string }) =>
    withQuery(workspacePath(slug, 'vulnerabilities'), {
      ...query,
      exploited: exploited === true ? 'any' : undefined,
    }),
  vulnerability: (slug: string, vulnerability: string) =>
    workspacePath(slug, 'vulnerabilities', vulnerability),
  exploited: (slug: string) => workspacePath(slug, 'exploited'),
  coverage: (slug: string) => workspacePath(slug, 'coverage'),
  search: (slug: string, q: string) => withQuery(workspacePath(slug, 'search'), { q }),
  sbom: (slug: string, sbom: string) => workspacePath(slug, 'sboms', sbom),
  sbomAct: (slug: string, sbom: string, act: 'activate' | 'rematch') =>
    workspacePath(slug, 'sboms', sbom, act),
  sbomDownload: (slug: string, sbom: string) => workspacePath(slug, 'sboms', sbom, 'download'),
  components: (slug: string, sbom: string, query: ComponentsQuery) =>
    withQuery(workspacePath(slug, 'sboms', sbom, 'components'), query),
  findings: (slug: string, sbom: string, { exploited, ...query }: FindingsQuery) =>
    withQuery(workspacePath(slug, 'sboms', sbom, 'findings'), {
      ...query,
      exploited: exploited === true ? 'any' : undefined,
    }),
  findingIds: (slug: string, sbom: string, { exploited, ...query }: Omit<FindingsQuery, 'sort' | 'cursor'>) =>
    withQuery(workspacePath(slug, 'sboms', sbom, 'finding-ids'), {
      ...query,
      exploited: exploited === true ? 'any' : undefined,
    }),
  finding: (slug: string, finding: string) => workspacePath(slug, 'findings', finding),
  decisions: (slug: string) => workspacePath(slug, 'decisions'),
  decisionRevoke: (slug: string, decision: string) => workspacePath(slug, 'decisions', decision, 'revoke'),
  batchAct: (slug: string, batch: string, act: 'revoke' | 'undo') =>
    workspacePath(slug, 'decision-batches', batch, act),
  familyUpload: (slug: string, family: string, kind: SentKind, version: string | undefined) =>
    withQuery(workspacePath(slug, 'families', family, kind), { version }),
  familyVex: (slug: string, family: string, query: { state?: string; cursor?: string }) =>
    withQuery(workspacePath(slug, 'families', family, 'vex'), query),
  vexExport: (slug: string, family: string, { format, version }: VexExport) =>
    withQuery(workspacePath(slug, 'families', family, 'vex-export'), { format, version }),
  reportedFindings: (slug: string, family: string, query: { version?: string; cursor?: string }) =>
    withQuery(workspacePath(slug, 'families', family, 'reported-findings'), query),
  connector: (slug: string, family: string) => workspacePath(slug, 'families', family, 'connector'),
  refusalDismiss: (slug: string, family: string, refusal: string) =>
    workspacePath(slug, 'families', family, 'connector', 'refusals', refusal, 'dismiss'),
  vex: (slug: string, document: string) => workspacePath(slug, 'vex', document),
  vexStatements: (
    slug: string,
    document: string,
    query: { show: string; search?: string; number?: string; cursor?: string },
  ) => withQuery(workspacePath(slug, 'vex', document, 'statements'), query),
  vexDownload: (slug: string, document: string) => workspacePath(slug, 'vex', document, 'download'),
  vexAct: (slug: string, document: string, act: 'withdraw' | 'restore') =>
    workspacePath(slug, 'vex', document, act),
  sources: (slug: string) => workspacePath(slug, 'sources'),
}
