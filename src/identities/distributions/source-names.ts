import { packageKey } from '../../formats/purl/package-key.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import type { ComponentIdentity } from '../component-identity.ts'
import type { IdentityKey } from '../identity-key.ts'
import type { StatedPurl } from '../package-reading.ts'
import { sourceOf, upstreamOf } from './source-package.ts'

/** Of no records: what Red Hat says of a source is looked up under it, and nothing is matched by it. */
export const sourceNames = 'Red Hat source'

/**
 * The source of a package of Red Hat, where the document states it beside the purl, as Trivy does. Red Hat's advisories go by packages, but what it says of
 * flaws without a fix goes by sources.
 */
export function sourceNameOf(
  { ecosystem, packageKey: ownKey, release, version, versionKey, stream, decidability }: ComponentIdentity,
  component: SbomComponent,
  purls: readonly StatedPurl[],
): IdentityKey[] {
  const purl = purls.find(({ read }) => read?.type === 'rpm')?.read
  if (ecosystem !== 'Red Hat' || purl === undefined || upstreamOf(purl) !== null) return []
  const name = sourceOf(purl, component)?.name ?? purl.name
  const key = packageKey(sourceNames, name)
  if (key === undefined || ownKey === packageKey(ecosystem, name)) return []
  const place = {
    ecosystem: sourceNames,
    packageKey: key,
    release,
    version,
    versionKey,
    stream,
    decidability,
  }
  return [{ ...place, origin: 'name', scheme: 'rpm', basis: 'name', needsRecord: false }]
}
