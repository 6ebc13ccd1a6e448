import { concreteText, cpePackageKey, parseCpe, type Cpe } from '../formats/cpe.ts'
import type { SbomComponent } from '../formats/sbom/document.ts'
import type { ComponentIdentity } from './component-identity.ts'
import { cpeVersion, narrowerAttributes } from './cpe-reading.ts'
import { distributionOf } from './distributions/releases.ts'
import { assessVersion } from './identity-key.ts'
import { statedVersion } from '../formats/stated-version.ts'

/** A CPE of Debian as such would have every vulnerability that any package of it ever had. */
export function isDistribution({ type, name }: SbomComponent): boolean {
  return type === 'operating-system' && distributionOf(name) !== null
}

/** null when the component has no CPE of one product. */
export function cpeIdentity(component: SbomComponent): ComponentIdentity | null {
  const stated = component.cpe === null || isDistribution(component) ? undefined : parseCpe(component.cpe)
  const [cpe, ...others] = stated === undefined ? [] : withParts(stated, component)
  const packageKey = cpe && cpePackageKey(cpe)
  if (cpe === undefined || packageKey === undefined) return null
  const ownVersion = cpeVersion(cpe)
  const version = statedVersion(ownVersion ?? component.version)
  const isGuessed = ownVersion === null || others.length > 0
  const basis = isGuessed ? 'guessed_cpe' : 'cpe'
  const known = {
    ecosystem: 'cpe',
    release: '',
    version,
    stream: narrowerAttributes(cpe),
    scheme: 'generic',
  } as const
  const assessed = assessVersion(known)
  const further = others.map(cpePackageKey).filter((key) => key !== undefined)
  const { versionKey, decidability } = assessed
  return {
    ...known,
    packageKey,
    ...assessed,
    subject: '',
    basis,
    further: further.map((otherKey) => ({
      ...known,
      origin: 'part',
      packageKey: otherKey,
      versionKey,
      decidability,
      basis,
      needsRecord: false,
    })),
  }
}

/** The component's type says which part of a CPE it is; null: it may be an application. */
function partOfType({ type }: SbomComponent): 'o' | 'h' | null {
  if (type === 'operating-system' || type === 'firmware') return 'o'
  return type === 'device' ? 'h' : null
}

/**
 * Layers of Yocto write ANY for the part of every recipe, which includes each of the three (NISTIR 7696, 6.1). The likeliest comes first: of the
 * products that layers name, the kernel alone is an operating system.
 */
function withParts(cpe: Cpe, component: SbomComponent): Cpe[] {
  if (cpe.part.kind !== 'any') return [cpe]
  const told = partOfType(component)
  const isKernel = concreteText(cpe.product) === 'linux_kernel'
  const parts = told === null ? (isKernel ? ['o', 'a', 'h'] : ['a', 'o', 'h']) : [told]
  return parts.map((text) => ({ ...cpe, part: { kind: 'text', text, hasWildcard: false } }))
}
