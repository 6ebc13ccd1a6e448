import { tableFormats } from './audit/shapes.ts'
import { listIncidents } from './incidents/operations.ts'
import { listComponentUses } from './inventory/operations.ts'
import { operation } from './operation.ts'
import { listComponents, listFindings } from './sbom/operations.ts'
import { listVulnerabilities } from './vulnerabilities/operations.ts'

/** The query of a list, without its cursor, and the format of the file. */
function exportOf<Query extends { cursor: 'text' }>(query: Query) {
  const { cursor: _cursor, ...filters } = query
  return { ...filters, format: tableFormats }
}

/**
 * What the list of findings shows, as a file. CSV by default, as in every export; making one is recorded. 429 `rate_limited`: the person or the
 * workspace is being sent as many as it may have at once.
 */
export const exportFindings = operation({
  method: 'GET',
  path: '/workspaces/:slug/sboms/:sbom/findings/export',
  permission: 'any_member',
  query: exportOf(listFindings.query),
  answer: 'file',
})

/** What the list of vulnerabilities shows, as a file. */
export const exportVulnerabilities = operation({
  method: 'GET',
  path: '/workspaces/:slug/vulnerabilities/export',
  permission: 'any_member',
  query: exportOf(listVulnerabilities.query),
  answer: 'file',
})

/** What the list of an SBOM's components shows, as a file. */
export const exportComponents = operation({
  method: 'GET',
  path: '/workspaces/:slug/sboms/:sbom/components/export',
  permission: 'any_member',
  query: exportOf(listComponents.query),
  answer: 'file',
})

/** What the list of components of all products shows, as a file. */
export const exportComponentUses = operation({
  method: 'GET',
  path: '/workspaces/:slug/components/export',
  permission: 'any_member',
  query: exportOf(listComponentUses.query),
  answer: 'file',
})

/** What the list of incidents shows, as a file. */
export const exportIncidents = operation({
  method: 'GET',
  path: '/workspaces/:slug/incidents/export',
  permission: 'any_member',
  query: exportOf(listIncidents.query),
  answer: 'file',
})
