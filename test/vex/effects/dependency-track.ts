/**
 * The rules by which Dependency-Track 4.12 to 4.14 imports a CycloneDX VEX document (`CycloneDXVexImporter`, and `matchIdentity` of its
 * component query), as far as they matter for our exports.
 */

type Component = {
  'bom-ref'?: string
  group?: string
  name: string
  version?: string
  purl?: string
  cpe?: string
}

export type Bom = {
  metadata?: { component?: Component }
  components?: Component[]
  vulnerabilities?: {
    id?: string
    source?: { name?: string }
    analysis?: { state?: string }
    affects?: { ref: string }[]
  }[]
}

/** A finding in a Dependency-Track project. */
export type Finding = { source: string; id: string; component: Component }

const knownSources = new Set([
  'NVD',
  'NPM',
  'GITHUB',
  'VULNDB',
  'OSSINDEX',
  'RETIREJS',
  'INTERNAL',
  'OSV',
  'SNYK',
])
const suppressing = new Set(['false_positive', 'not_affected', 'resolved'])

/** Whether the finding is suppressed after the import. */
export function isSuppressed(vex: Bom, finding: Finding): boolean {
  let isHidden = false
  for (const { id, source, analysis, affects } of vex.vulnerabilities ?? []) {
    if (source?.name === undefined || !knownSources.has(source.name) || analysis === undefined) continue
    if (id !== finding.id || source.name !== finding.source) continue
    if (!(affects ?? []).some(({ ref }) => concerns(vex, ref, finding.component))) continue
    isHidden = suppressing.has(analysis.state ?? '')
  }
  return isHidden
}

function concerns(vex: Bom, ref: string, component: Component): boolean {
  if (vex.metadata?.component?.['bom-ref'] === ref) return true
  const located = vex.components?.find((other) => other['bom-ref'] === ref)
  // a BOM-Link it cannot resolve means the project
  if (located === undefined) return ref.startsWith('urn:cdx:')
  return (
    same(located.purl, component.purl) ||
    same(coordinates(located.purl), coordinates(component.purl)) ||
    same(located.cpe, component.cpe) ||
    (located.group === component.group &&
      located.name === component.name &&
      located.version === component.version)
  )
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other
}

/** A purl without qualifiers and subpath. */
function coordinates(purl: string | undefined): string | undefined {
  return purl?.replace(/[?#].*/, '')
}
