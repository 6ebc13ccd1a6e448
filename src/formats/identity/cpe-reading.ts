import { concreteText, type Cpe } from '../cpe/cpe.ts'

/**
 * The one version a CPE names, its update appended (`1.1.0-beta1`): the text that the order `generic` reads, the same for
 * components and for the names in vulnerability data. An update of ANY or NA is the release itself, as NVD lists the other
 * updates by name. null: ANY, NA or a wildcard.
 */
export function cpeVersion(cpe: Cpe): string | null {
  const version = concreteText(cpe.version)
  const update = concreteText(cpe.update)
  return version === null || update === null ? version : `${version}-${update}`
}

/**
 * What a CPE says the product runs in, as a stream (`for node.js`, `for wordpress`): names that say different things are
 * never the same product, however alike vendor and product are. '' where it says nothing.
 */
export function targetStream(cpe: Cpe): string {
  const target = concreteText(cpe.targetSw)
  return target === null ? '' : `for ${target}`
}
