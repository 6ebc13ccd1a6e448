import type { VexCarrier } from '../../contract/vex/shapes.ts'
import { concreteText, isConcrete, type Cpe } from '../../formats/cpe.ts'
import { distributionOf } from '../../identities/distributions/releases.ts'
import type { Purl } from '../../formats/purl/purl.ts'
import { isSamePackage } from './bind-identifiers.ts'
import { bindsTo, readTarget, type BindingComponent, type BindingTarget } from './bind-target.ts'
import { holdsForVersion, isSameVersion } from './bind-versions.ts'

/** What a component is in, as far as a statement or a BOM-Link says. */
export type StatedCarrier = VexCarrier & {
  /** Where its identifiers have none. */
  version?: string
  /** Of the SBOM whose main component it is: the id of its product version, empty for none. */
  slot?: string
}

/** The product version that the findings are of. */
export type BindingProduct = {
  versionId?: string | null
  /** The main component of the SBOM; null: it has none that names anything. */
  main: BindingComponent | null
  /** The version's name, else what the SBOM says. */
  version: string | null
  /** Name of the operating system that the SBOM describes. */
  operatingSystem?: string | null
  /** Components of the SBOM that share a name with carriers: a part of the product is not another product. */
  parts?: readonly BindingComponent[]
}

/** `incomparable`: undecidable, so the carrier narrows nothing. */
export type CarrierFit = 'same' | 'other_version' | 'other_product' | 'incomparable'

/**
 * Whether a statement on something in these nested carriers is about another product or version (formats 3.2). A carrier that is the
 * product decides, otherwise one that is another product.
 */
export function speaksOfAnother(carriers: readonly StatedCarrier[], product: BindingProduct): boolean {
  let isAnother = false
  for (const carrier of carriers) {
    const fit = fitOfCarrier(carrier, product)
    if (fit === 'same') return false
    if (fit !== 'incomparable') isAnother = true
  }
  return isAnother
}

/** How a carrier compares with the product: by package where both have purls of one type, else by CPE. */
export function fitOfCarrier(stated: StatedCarrier, product: BindingProduct): CarrierFit {
  const { main, versionId } = product
  if (versionId !== undefined && stated.slot === (versionId ?? '')) return 'same'
  if (main === null) return 'incomparable'
  const carrier = readCarrier(stated)
  const isSame = isPackageOf(carrier.purl, main) ?? isSameCpeProduct(carrier.cpe, main)
  if (isSame === undefined) return 'incomparable'
  if (!isSame) return isPlatform(carrier, product) ? 'incomparable' : 'other_product'
  return isVersionOf(carrier, product) ? 'same' : 'other_version'
}

type ReadCarrier = BindingTarget & { version: string | null }

export function readCarrier({ version: stated, ...names }: StatedCarrier): ReadCarrier {
  const read = readTarget(names)
  const ofCpe = read.cpe === null ? null : concreteText(read.cpe.version)
  return { ...read, version: read.purl?.version ?? ofCpe ?? stated ?? null }
}

/** Undefined where the two cannot be compared: a container image may well carry what is known by another type elsewhere. */
function isPackageOf(carrier: Purl | null, { purls }: BindingComponent): boolean | undefined {
  if (carrier === null) return undefined
  const comparable = purls.filter(({ type }) => type === carrier.type)
  if (comparable.length === 0) return undefined
  return comparable.some((purl) => isSamePackage(carrier, purl))
}

/** Of CPEs that each name one product in the same part. */
function isSameCpeProduct(carrier: Cpe | null, { cpes }: BindingComponent): boolean | undefined {
  if (carrier === null || !isConcrete(carrier)) return undefined
  const isSame = (cpe: Cpe, key: 'part' | 'vendor' | 'product') =>
    concreteText(carrier[key]) === concreteText(cpe[key])
  const comparable = cpes.filter((cpe) => isConcrete(cpe) && isSame(cpe, 'part'))
  if (comparable.length === 0) return undefined
  return comparable.some((cpe) => isSame(cpe, 'vendor') && isSame(cpe, 'product'))
}

/** A platform or base image of a product also carries what is in the product. */
function isPlatform(carrier: ReadCarrier, { operatingSystem, parts = [] }: BindingProduct): boolean {
  if (carrier.cpe !== null && concreteText(carrier.cpe.part) === 'o') return true
  if (isBaseImage(carrier.purl)) return true
  const system = operatingSystem?.toLowerCase() ?? ''
  if (system !== '' && namesOfCarrier(carrier).includes(system)) return true
  return parts.some((part) => bindsTo(carrier, part, null))
}

const imageTypes = new Set(['oci', 'docker'])
const baseImage = /^(.+?)(?:-(?:base|init|micro|minimal|slim))?$/

/** Images that are a distribution are called after it; those of Red Hat are called UBI. */
function isBaseImage(purl: Purl | null): boolean {
  if (purl === null || !imageTypes.has(purl.type)) return false
  const name = baseImage.exec(purl.name)?.[1] ?? ''
  return distributionOf(name) !== null || /^ubi\d{0,2}$/.test(name)
}

function namesOfCarrier({ purl, cpe }: ReadCarrier): string[] {
  const product = cpe === null ? null : concreteText(cpe.product)
  return [purl?.name, product].flatMap((name) =>
    name === null || name === undefined ? [] : [name.toLowerCase()],
  )
}

/** A carrier without version means every version; a product without version is not known to be another. */
function isVersionOf(
  { version, versions, purl }: ReadCarrier,
  { main, version: named }: BindingProduct,
): boolean {
  const ofPurls = (main?.purls ?? []).map((each) => each.version)
  const known = [main?.version, ...ofPurls, named].filter((text) => text !== null && text !== undefined)
  const purlType = purl?.type ?? null
  if (known.length === 0) return true
  if (versions !== null)
    return known.some((text) => holdsForVersion(versions, null, { version: text, release: null, purlType }))
  return version === null || known.some((text) => isSameVersion(version, text, purlType))
}
