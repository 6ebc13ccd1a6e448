import { limits } from '../../contract/limits.ts'
import { cleanOptional } from '../json/clean.ts'
import type { SbomComponent } from './document.ts'

/** The version a document gives its product, as the version of an upload is stored; `NOASSERTION` (SPDX) is none. */
export function productVersion(product: SbomComponent | null): string | null {
  const version = product?.version === 'NOASSERTION' ? null : product?.version
  return cleanOptional(version, limits.versionCharacters)
}
