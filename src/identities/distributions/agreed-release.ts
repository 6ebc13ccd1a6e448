import { parsePurl } from '../../formats/purl/purl.ts'
import type { OperatingSystem, SbomComponent } from '../../formats/sbom/document.ts'
import type { Distribution } from './distributions.ts'
import { systemPurlTypes } from '../ecosystems.ts'
import { distributionOf, readRelease, type DistributionRelease } from './releases.ts'

/**
 * The operating system of a document that names none of its releases, with the one that its packages name, if all that name one agree. debsbom
 * leaves `distro` out of packages that the archive no longer has, which are those that an update waits for.
 */
export function withAgreedRelease(
  system: OperatingSystem | null,
  components: Iterable<SbomComponent>,
): OperatingSystem | null {
  if (system === null || system.version !== null) return system
  const { distribution, release } = readRelease(system.name, null)
  if (distribution === null || release !== null || distribution.numbering === 'rolling') return system
  const [version, ...others] = releasesOf(distribution, components)
  return version === undefined || others.length > 0 ? system : { ...system, version }
}

/** The releases of a distribution that packages name, each once. */
function releasesOf(distribution: Distribution, components: Iterable<SbomComponent>): Set<string> {
  const releases = new Set<string>()
  for (const { purl } of components) {
    const named = purl?.includes('distro=') === true ? releaseOfPurl(purl) : null
    if (named?.distribution === distribution && named.release !== null) releases.add(named.release)
  }
  return releases
}

function releaseOfPurl(text: string): DistributionRelease | null {
  const purl = parsePurl(text)
  const distro = purl?.qualifiers.get('distro')
  if (purl === undefined || distro === undefined || !systemPurlTypes.has(purl.type)) return null
  return readRelease(distro, distributionOf(purl.namespace ?? purl.type))
}
