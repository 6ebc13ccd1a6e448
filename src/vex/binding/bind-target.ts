import type { Verdict, VexTarget } from '../../contract/vex/shapes.ts'
import { cpePackageKey, parseCpe, type Cpe } from '../../formats/cpe.ts'
import { parsePurl, type Purl } from '../../formats/purl/purl.ts'
import { cpeNames, packageOfPurl, purlNames } from './bind-identifiers.ts'
import { holdsForVersion, readVersions, type ReadVersions } from './bind-versions.ts'

/** What a statement names, read once for all components it is compared with. */
export type BindingTarget = {
  purl: Purl | null
  cpe: Cpe | null
  /** null: the verdict is not narrowed to versions. */
  versions: ReadVersions | null
}

/** What is known of a component, read once for all statements. */
export type BindingComponent = { purl: Purl | null; cpe: Cpe | null; version: string | null }

export function readTarget({
  purl,
  cpe,
  versions,
}: Pick<VexTarget, 'purl' | 'cpe' | 'versions'>): BindingTarget {
  return {
    ...readIdentifiers(purl ?? null, cpe ?? null),
    versions: versions === undefined ? null : readVersions(versions),
  }
}

type StatedComponent = { purl: string | null; cpe: string | null; version: string | null }

/** The version beside a purl is that of the purl where it has none, as many generators write it. */
export function readComponent({ purl, cpe, version: stated }: StatedComponent): BindingComponent {
  const identifiers = readIdentifiers(purl, cpe)
  const version = identifiers.purl?.version ?? stated
  return {
    ...identifiers,
    purl: identifiers.purl === null ? null : { ...identifiers.purl, version },
    version,
  }
}

function readIdentifiers(purl: string | null, cpe: string | null): { purl: Purl | null; cpe: Cpe | null } {
  return {
    purl: purl === null ? null : (parsePurl(purl) ?? null),
    cpe: cpe === null ? null : (parseCpe(cpe) ?? null),
  }
}

/**
 * Keys under which targets and components can meet: the package of the purl, and the product of the CPE. What shares no key does not
 * bind; what shares one may.
 */
export function bindingKeys({ purl, cpe }: Pick<BindingTarget, 'purl' | 'cpe'>): string[] {
  const keys = purl === null ? [] : [packageOfPurl(purl)]
  const product = cpe === null ? undefined : cpePackageKey(cpe)
  return product === undefined ? keys : [...keys, product]
}

/**
 * Whether a statement's target is this component (formats 5): by purl where both have one, else by CPE; narrowed to the versions
 * that the target lists.
 */
export function bindsTo(
  target: BindingTarget,
  component: BindingComponent,
  verdict: Verdict | null,
): boolean {
  if (!namesComponent(target, component)) return false
  if (target.versions === null) return true
  const { version, purl } = component
  return (
    version !== null && holdsForVersion(target.versions, verdict, { version, purlType: purl?.type ?? null })
  )
}

function namesComponent(target: BindingTarget, component: BindingComponent): boolean {
  if (target.purl !== null && component.purl !== null) return purlNames(target.purl, component.purl)
  return target.cpe !== null && component.cpe !== null && cpeNames(target.cpe, component.cpe)
}
