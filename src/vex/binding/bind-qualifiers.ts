import type { Purl } from '../../formats/purl/purl.ts'
import { distributionOf, readRelease } from '../../identities/distributions/releases.ts'
import { systemPurlTypes } from '../../identities/ecosystems.ts'

/** What a purl without the qualifier means (package-url, definitions of the types): some generators write it, others do not. */
const defaults = new Set(['maven type=jar', 'gem platform=ruby'])
/** A module is all of its packages; one of them may have its path. */
const wholes = new Set(['golang type=module'])

/** Whether the component has each of these qualifiers, however its generator spells it. */
export function qualifiersName(
  qualifiers: Iterable<readonly [key: string, value: string]>,
  named: Purl,
  component: Purl,
): boolean {
  return [...qualifiers].every(([key, value]) => {
    const stated = component.qualifiers.get(key)
    if (stated === value) return true
    const said = `${named.type} ${key}=${value}`
    if (wholes.has(said) || (stated === undefined && defaults.has(said))) return true
    if (!systemPurlTypes.has(named.type)) return false
    // Syft's, where a package has another source: it tells two packages of one name and version no further apart.
    if (key === 'upstream') return true
    return key === 'distro' && isInRelease(value, named, component)
  })
}

/**
 * Whether a release of a distribution is that of the component: `debian-12`, `debian-12.5` and `bookworm`, `alpine-3.18` and `3.18.4`, `rhel-9` and `redhat-9`. A version is the same
 * package at every point of a release; all versions at one point are not those at another.
 */
function isInRelease(distro: string, named: Purl, component: Purl): boolean {
  const other = component.qualifiers.get('distro')
  if (other === undefined) return false
  const assumed = distributionOf(named.namespace ?? named.type)
  const [wanted, stated] = [readRelease(distro, assumed), readRelease(other, assumed)]
  const isSame = wanted.distribution === stated.distribution && wanted.release === stated.release
  if (wanted.distribution === null || wanted.release === null || !isSame) return false
  const [point, statedPoint] = [pointOf(distro), pointOf(other)]
  return named.version !== null || point === null || `${statedPoint}.`.startsWith(`${point}.`)
}

/** `12.5` of `debian-12.5`; null where it is called by name. */
function pointOf(distro: string): string | null {
  return /\d+(?:\.\d+)*/.exec(distro)?.[0] ?? null
}
