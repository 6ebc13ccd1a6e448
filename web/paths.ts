import { linkOptions } from '@tanstack/react-router'
import type {
  ComponentsSearch,
  FamiliesSearch,
  FamilySearch,
  SbomSearch,
  SourcesSearch,
  TokensSearch,
  VulnerabilitiesSearch,
} from './page-search.ts'

/** Addresses of the pages: the only place that names a route. Each answers what Link and navigate take. */
export const pages = {
  home: () => linkOptions({ to: '/' }),
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
  sources: (slug: string, search: SourcesSearch = {}) =>
    linkOptions({ to: '/$slug/sources', params: { slug }, search }),
  tokens: (slug: string, search: TokensSearch = {}) =>
    linkOptions({ to: '/$slug/settings/tokens', params: { slug }, search }),
}

export type VersionAct = 'retire' | 'restore' | 'make-current'
type ComponentsQuery = { search?: string; sort?: string; cursor?: string }
type FindingsQuery = Pick<SbomSearch, 'search' | 'severity' | 'exploited' | 'grade' | 'sort'> & {
  cursor?: string
}

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
  setup: (secret: string) => `${base}/setup/${encodeURIComponent(secret)}`,
  workspace: (slug: string) => workspacePath(slug),
  families: (slug: string, archived: boolean) =>
    withQuery(workspacePath(slug, 'families'), { archived: archived ? 'true' : undefined }),
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
  finding: (slug: string, finding: string) => workspacePath(slug, 'findings', finding),
  tokens: (slug: string) => workspacePath(slug, 'tokens'),
  tokenRevoke: (slug: string, token: string) => workspacePath(slug, 'tokens', token, 'revoke'),
  sources: (slug: string) => workspacePath(slug, 'sources'),
}
