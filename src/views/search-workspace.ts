import type { ComponentUse, SearchHit } from '../contract/inventory/shapes.ts'
import { isAllowed, type Role } from '../contract/roles.ts'
import type { Db } from '../database/connection.ts'
import { findVulnerability, type NamedVulnerability } from '../findings/reads/find-vulnerability.ts'
import { listVulnerabilities } from '../vulnerabilities/list-vulnerabilities.ts'
import { searchComponents } from '../inventory/components/search-components.ts'
import { affectsWorkspace, selectSummary } from '../vulnerabilities/select-vulnerability.ts'
import { findAdvisories } from '../advisories/drafts/find-advisories.ts'
import { findReports } from '../disclosure/inbox/find-reports.ts'
import { findIncidents } from '../incidents/reads/list-incidents.ts'
import { findSboms } from '../sbom/find-sboms.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { selectFamilyNames } from '../products/families/select-families.ts'

const shownOfKind = 5
const shortestWords = 2
/** Words with a digit and a hyphen may be the id of a vulnerability: `CVE-2021-44228`, `GHSA-jfh8-…`, `DSA-5020-1`. */
const idForm = /^(?=[^\s]*\d)[A-Za-z][A-Za-z0-9]*-[^\s]+$/

type Asking = {
  workspaceId: string
  role: Role
  person: { personId: string }
  now: Date
  deps: { db: Db; sealing: Sealing }
}

/**
 * What a member may mean by some words: families, vulnerabilities, components, SBOMs, incidents, advisories and reports, at most five of each.
 * A vulnerability whose whole id the words are comes first. One kind after the other, so that a search uses one session of the store.
 */
export async function searchWorkspace(asking: Asking, words: string): Promise<SearchHit[]> {
  const { workspaceId, deps } = asking
  const search = words.trim().slice(0, 200)
  if (search.length < shortestWords) return []
  const named = await namedVulnerability(deps.db, search)
  return [
    ...(named === undefined ? [] : [await namedHit(deps.db, workspaceId, named)]),
    ...(await familyHits(deps.db, workspaceId, search)),
    ...(await incidentHits(asking, search)),
    ...(named === undefined ? await vulnerabilityHits(deps.db, workspaceId, search) : []),
    ...(await componentHits(deps.db, workspaceId, search)),
    ...(await sbomHits(deps.db, workspaceId, search)),
    ...(await advisoryHits(deps.db, workspaceId, search)),
    ...(await reportHits(asking, search)),
  ]
}

async function sbomHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const sboms = await findSboms(db, workspaceId, search)
  return sboms.slice(0, shownOfKind).map(({ id, family, version }) => ({
    kind: 'sbom',
    id,
    label: `${family} ${version ?? 'without version'}`,
    detail: id,
  }))
}

async function incidentHits(
  { workspaceId, role, person, now, deps }: Asking,
  search: string,
): Promise<SearchHit[]> {
  const asking = { workspaceId, role, personId: person.personId }
  const found = await findIncidents(deps.db, asking, { search, max: shownOfKind, now })
  return found.map(({ id, reference, title }) => ({ kind: 'incident', id, label: reference, detail: title }))
}

async function advisoryHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const found = await findAdvisories(db, { workspaceId, words: search, max: shownOfKind })
  return found.map(({ id, trackingId, title }) => ({
    kind: 'advisory',
    id,
    label: trackingId,
    detail: title,
  }))
}

/** Only for those who see the inbox. */
async function reportHits({ workspaceId, role, deps }: Asking, search: string): Promise<SearchHit[]> {
  if (!isAllowed(role, 'see_inbox')) return []
  const sought = { workspaceId, words: search, max: shownOfKind, sealing: deps.sealing }
  const found = await findReports(deps.db, sought)
  return found.map(({ number, title, family }) => ({
    kind: 'report',
    number,
    label: `#${number}`,
    detail: title ?? family ?? '',
  }))
}

async function familyHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const families = await selectFamilyNames(db, workspaceId)
  const wanted = search.toLowerCase()
  return families
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, shownOfKind)
    .map(({ id, name }) => ({ kind: 'family', id, label: name, detail: 'Product family' }))
}

/** The vulnerability whose id the words are, if any record names it. */
function namedVulnerability(db: Db, search: string): Promise<NamedVulnerability | undefined> {
  return idForm.test(search) ? findVulnerability(db, search) : Promise.resolve(undefined)
}

/** Those that affect a product, by part of an id or of the summary. */
async function vulnerabilityHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const { rows } = await listVulnerabilities(db, { workspaceId, search, verdict: 'all', sort: 'urgency' })
  return rows
    .slice(0, shownOfKind)
    .map(({ id, summary }): SearchHit => ({ kind: 'vulnerability', id, label: id, detail: summary }))
}

async function namedHit(db: Db, workspaceId: string, named: NamedVulnerability): Promise<SearchHit> {
  const { id, groups } = named
  const isAffected = await affectsWorkspace(
    db,
    workspaceId,
    groups.map((group) => group.id),
  )
  const { summary } = await selectSummary(db, named)
  const detail = isAffected ? summary : 'Affects none of your products'
  return { kind: 'vulnerability', id, label: id, detail }
}

async function componentHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const { rows } = await searchComponents(db, { workspaceId, search })
  const byName = Map.groupBy(rows, ({ group, name, version }) => JSON.stringify([group, name, version]))
  const hits = [...byName.values()].slice(0, shownOfKind).flatMap((uses) => {
    const [first] = uses
    return first === undefined ? [] : [componentHit(first, uses)]
  })
  if (byName.size <= shownOfKind) return hits
  return [...hits, { kind: 'component', search, label: 'All that match', detail: 'with their products' }]
}

function componentHit(component: ComponentUse, uses: readonly ComponentUse[]): SearchHit {
  const { name, version, purl } = component
  const families = [...new Set(uses.map(({ family }) => family.name))]
  return {
    kind: 'component',
    search: purl ?? [name, version].filter((part) => part !== null).join(' '),
    label: version === null ? name : `${name} ${version}`,
    detail: `in ${families.slice(0, 3).join(', ')}${families.length > 3 ? ' and others' : ''}`,
  }
}
