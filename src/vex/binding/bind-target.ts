import type { Verdict, VexTarget } from '../../contract/vex/shapes.ts'
import { concreteText, parseCpe, type Cpe } from '../../formats/cpe.ts'
import { parsePurl, type Purl } from '../../formats/purl/purl.ts'
import { withoutOtherVersions } from '../../identities/cpe-reading.ts'
import { releaseOf } from '../../identities/language-package.ts'
import { respelled } from '../../identities/registries/respelled.ts'
import { cpeNames, packageOfPurl, packagesNaming, productOfCpe, purlNames } from './bind-identifiers.ts'
import {
  holdsForVersion,
  isSameVersion,
  readVersions,
  type ReadVersions,
  type TypedVersion,
} from './bind-versions.ts'

/** What a statement names, read once for all components it is compared with. */
export type BindingTarget = {
  purl: Purl | null
  cpe: Cpe | null
  /** null: the verdict is not narrowed to versions. */
  versions: ReadVersions | null
}

/** What is known of a component, parsed once for all statements: every readable name counts. */
export type BindingComponent = {
  purls: readonly Purl[]
  cpes: readonly Cpe[]
  /** That of the first purl, else the one beside it. */
  version: string | null
}

export function readTarget({
  purl,
  cpe,
  versions,
}: Pick<VexTarget, 'purl' | 'cpe' | 'versions'>): BindingTarget {
  const read = purl === undefined ? undefined : parsePurl(purl)
  return {
    purl: read === undefined ? null : respelled(read),
    cpe: cpe === undefined ? null : (parseCpe(cpe) ?? null),
    versions: versions === undefined ? null : readVersions(versions),
  }
}

/** A component as its SBOM names it: the first purl and CPE, further names of either kind, and the CPEs that tools concluded. */
export type StatedComponent = {
  purl: string | null
  cpe: string | null
  version: string | null
  other_names?: readonly string[] | null
  concluded_cpes?: readonly string[] | null
}

/** The version beside a purl is that of the purl where it has none, as many generators write it. */
export function readComponent(component: StatedComponent): BindingComponent {
  const { version: stated } = component
  const { purls, cpes } = readNames(component)
  const versioned = purls.map(({ read }) => respelled({ ...read, version: read.version ?? stated }))
  return {
    purls: versioned,
    cpes: cpes.map(({ read }) => read),
    version: versioned[0]?.version ?? stated,
  }
}

/** The names that can be read, as written, the first of each kind first; of CPEs that contradict each other those of its version. */
export function readableNames(component: StatedComponent): { purls: string[]; cpes: string[] } {
  const { purls, cpes } = readNames(component)
  return { purls: purls.map(({ text }) => text), cpes: cpes.map(({ text }) => text) }
}

type ReadNames = { purls: { text: string; read: Purl }[]; cpes: { text: string; read: Cpe }[] }

function readNames({ purl, cpe, version, other_names, concluded_cpes }: StatedComponent): ReadNames {
  const others = other_names ?? []
  const isPurl = (name: string) => /^pkg:/i.test(name)
  const purls = [purl, ...others.filter(isPurl)].flatMap((text) => {
    const read = text === null ? undefined : parsePurl(text)
    return text === null || read === undefined ? [] : [{ text, read }]
  })
  const cpes = [cpe, ...others.filter((name) => !isPurl(name)), ...(concluded_cpes ?? [])].flatMap((text) => {
    const read = text === null ? undefined : parseCpe(text)
    return text === null || read === undefined ? [] : [{ text, read }]
  })
  const meant = new Set(
    withoutOtherVersions(
      cpes.map(({ read }) => read),
      version,
    ),
  )
  return { purls, cpes: cpes.filter(({ read }) => meant.has(read)) }
}

/**
 * Keys under which targets and components can meet: the package of the purl, and the product of the CPE. Without a shared key
 * nothing binds; with one it may.
 */
export function keysOfTarget({ purl, cpe }: Pick<BindingTarget, 'purl' | 'cpe'>): string[] {
  return keysOf(purl === null ? [] : [packageOfPurl(purl)], cpe === null ? [] : [cpe])
}

export function keysOfComponent({ purls, cpes }: BindingComponent): string[] {
  return keysOf(purls.flatMap(packagesNaming), cpes)
}

function keysOf(packages: readonly string[], cpes: readonly Cpe[]): string[] {
  const products = cpes.map((cpe) => productOfCpe(cpe)).filter((key) => key !== undefined)
  return [...new Set([...packages, ...products])]
}

/**
 * Whether a statement's target is this component (formats 5): by a purl where both have one, else by a CPE; narrowed to the versions
 * that the target lists.
 */
export function bindsTo(
  target: BindingTarget,
  component: BindingComponent,
  verdict: Verdict | null,
): boolean {
  const { versions } = target
  const named = namedAs(target, component)
  if (versions === null) return named.length > 0
  return named.some(
    ({ version, ...more }) => version !== null && holdsForVersion(versions, verdict, { version, ...more }),
  )
}

/** The component by each of its names that the target gives. */
function namedAs(
  { purl, cpe }: BindingTarget,
  { purls, cpes, version }: BindingComponent,
): (Omit<TypedVersion, 'version'> & { version: string | null })[] {
  const [first] = purls
  if (purl !== null && first !== undefined) {
    const meant = purls.filter((each) => purlNames(purl, each))
    return meant.map((each) => ({ version: each.version, release: releaseOf(each), purlType: each.type }))
  }
  const meant = cpe === null ? [] : cpes.filter((each) => cpeNames(cpe, each))
  const versionOf = (each: Cpe) => version ?? concreteText(each.version)
  // A CPE that leaves open what the purl beside it states is no other product.
  const stated = cpe?.version.kind === 'any' ? (purl?.version ?? null) : null
  const isMeant = (each: Cpe) => stated === null || isSame(stated, versionOf(each), purl?.type ?? null)
  const [named] = meant.filter(isMeant)
  if (named === undefined) return []
  const release = first === undefined ? null : releaseOf(first)
  return [{ version: versionOf(named), release, purlType: first?.type ?? null }]
}

function isSame(stated: string, version: string | null, purlType: string | null): boolean {
  return version !== null && isSameVersion(stated, version, purlType)
}
