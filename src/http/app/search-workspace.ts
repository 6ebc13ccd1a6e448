import type { ComponentUse, SearchHit } from '../../contract/inventory.ts'
import type { Db } from '../../database/connection.ts'
import { findVulnerability, type NamedVulnerability } from '../../views/vulnerabilities/find-vulnerability.ts'
import { listVulnerabilities } from '../../views/vulnerabilities/list-vulnerabilities.ts'
import { searchComponents } from '../../views/components/search-components.ts'
import { affectsWorkspace, selectSummary } from '../../views/vulnerabilities/select-vulnerability.ts'
import { findSboms } from '../../sbom/find-sboms.ts'
import { selectFamilyNames } from '../../workspace/families/select-families.ts'

const shownOfKind = 5
const shortestWords = 2
/** Words with a digit and a hyphen may be the id of a vulnerability: `CVE-2021-44228`, `GHSA-jfh8-…`, `DSA-5020-1`. */
const idForm = /^(?=[^\s]*\d)[A-Za-z][A-Za-z0-9]*-[^\s]+$/

/** What a person may mean by some words: families, vulnerabilities, components and SBOMs, at most five of each. */
export async function searchWorkspace(db: Db, workspaceId: string, words: string): Promise<SearchHit[]> {
  const search = words.trim().slice(0, 200)
  if (search.length < shortestWords) return []
  const [families, vulnerabilities, components, sboms] = await Promise.all([
    familyHits(db, workspaceId, search),
    vulnerabilityHits(db, workspaceId, search),
    componentHits(db, workspaceId, search),
    findSboms(db, workspaceId, search),
  ])
  const sbomHits = sboms.slice(0, shownOfKind).map(({ id, family, version }): SearchHit => ({
    kind: 'sbom',
    id,
    label: `${family} ${version ?? 'without version'}`,
    detail: id,
  }))
  return [...families, ...vulnerabilities, ...components, ...sbomHits]
}

async function familyHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const families = await selectFamilyNames(db, workspaceId)
  const wanted = search.toLowerCase()
  return families
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, shownOfKind)
    .map(({ id, name }) => ({ kind: 'family', id, label: name, detail: 'Product family' }))
}

/** The one whose id it is, if any record names it, else those that affect a product by part of an id or of the summary. */
async function vulnerabilityHits(db: Db, workspaceId: string, search: string): Promise<SearchHit[]> {
  const named = idForm.test(search) ? await findVulnerability(db, search) : undefined
  if (named !== undefined) return [await namedHit(db, workspaceId, named)]
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
  return [...byName.values()].slice(0, shownOfKind).flatMap((uses) => {
    const [first] = uses
    return first === undefined ? [] : [componentHit(first, uses)]
  })
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
