import { cleanOptional, cleanText } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import {
  cleanCpe,
  cleanPurl,
  cleanReference,
  hashesAndMore,
  hasCpeShape,
  hasPurlShape,
  noteDefects,
  originOf,
  otherNames,
  readHashes,
  textLimits,
} from '../component-fields.ts'
import type { SbomComponent } from '../document.ts'
import { fileDigestsOf } from '../file-digests.ts'
import type { Hints } from '../hints.ts'
import { sourceOfSpdxInfo } from '../source-package.ts'
import { purlOfReference } from './package-manager-references.ts'
import { withLicenceNames, type LicenceNames } from './spdx-licences.ts'

/** `primaryPackagePurpose` (SPDX 2.3, 7.24), in the spelling of the service. */
const purposes = new Set([
  'application',
  'archive',
  'container',
  'device',
  'file',
  'firmware',
  'framework',
  'install',
  'library',
  'operating-system',
  'other',
  'source',
])

export type ReadPackage = {
  component: SbomComponent
  /** The `SPDXID` as the document spells it. */
  id: string
}

/** One entry of `packages` (SPDX 2.3, clause 7). Refuses what is read and has the wrong kind; a missing name is a hint. */
export function readPackage(entry: JsonObject, licences: LicenceNames, hints: Hints): ReadPackage {
  const id = entry.string('SPDXID')
  const name = cleanOptional(entry.optionalString('name'), textLimits.name)
  if (name === null) hints.note('missing_name', entry.place)
  const keys = { algorithm: 'algorithm', value: 'checksumValue' }
  const { hashes, others } = hashesAndMore(readHashes(entry.lenientObjects('checksums'), keys, hints))
  const type = readPurpose(entry, hints)
  const version = asserted(entry.optionalString('versionInfo'), textLimits.version)
  const { purl, otherPurls, cpe, otherCpes } = readExternalReferences(entry, hints)
  // Each field by name, as of a component of CycloneDX: what is spread into an object takes more memory.
  const component: SbomComponent = {
    ref: cleanReference(id),
    type,
    group: null,
    name: name ?? cleanText(id, textLimits.name),
    version,
    purl,
    otherPurls,
    cpe,
    licence: withLicenceNames(readLicence(entry), licences),
    supplier: readSupplier(entry),
    hashes,
    source: sourceOfSpdxInfo(entry.lenientString('sourceInfo')),
  }
  if (otherCpes.length > 0) component.otherCpes = otherCpes
  const repository = readRepository(entry)
  if (repository !== null) component.repository = repository
  const origin = readOrigin(entry)
  if (origin !== null) component.origin = origin
  const fileDigests = fileDigestsOf(component, others)
  if (fileDigests.length > 0) component.fileDigests = fileDigests
  noteDefects(component, entry.place, hints)
  return { component, id }
}

/** Who made the package, and where it was downloaded. */
function readOrigin(entry: JsonObject): string | null {
  return originOf([
    asserted(entry.lenientString('originator'), textLimits.name),
    asserted(entry.lenientString('downloadLocation'), textLimits.repository),
  ])
}

/** A download location of version control (SPDX 2.3, 7.7): `git+https://…@tag`, `git://…`; archives and pages are none. */
function readRepository(entry: JsonObject): string | null {
  const location = asserted(entry.lenientString('downloadLocation'), textLimits.repository)
  const isRepository = location !== null && /^(?:git[+:]|[^?#]+\.git(?:[@#]|$))/i.test(location)
  return isRepository ? location : null
}

/** Older versions of Trivy write the distribution as a package that only its identifier tells apart. */
export function isOperatingSystem({ component, id }: ReadPackage): boolean {
  return component.type === 'operating-system' || id.startsWith('SPDXRef-OperatingSystem-')
}

/** The schema spells `OPERATING_SYSTEM` what the specification spells `OPERATING-SYSTEM`. */
function readPurpose(entry: JsonObject, hints: Hints): string | null {
  const purpose = cleanOptional(entry.lenientString('primaryPackagePurpose'), textLimits.name)
  const type = purpose?.toLowerCase().replaceAll('_', '-') ?? null
  if (type !== null && !purposes.has(type)) hints.note('unknown_type', entry.place)
  return type
}

/** The package URLs, else those of other references to packages, and the CPE names, 2.3 before 2.2; one that can be read goes before one that cannot. */
function readExternalReferences(
  entry: JsonObject,
  hints: Hints,
): Pick<Required<SbomComponent>, 'purl' | 'otherPurls' | 'cpe' | 'otherCpes'> {
  const { purl: stated, managed, cpe23Type, cpe22Type } = locatorsOf(entry)
  const purls = stated.length === 0 ? managed : stated
  const cpes = [...cpe23Type, ...cpe22Type]
  const purl = cleanPurl(purls.find(hasPurlShape) ?? purls[0])
  const cpe = cleanCpe(cpes.find(hasCpeShape) ?? cpes[0])
  const otherCpes = otherNames(cpes.filter(hasCpeShape), { chosen: cpe, clean: cleanCpe }, () =>
    hints.note('cpes_left_out', entry.place),
  )
  return {
    purl,
    otherPurls: otherNames(purls.filter(hasPurlShape), { chosen: purl, clean: cleanPurl }, () =>
      hints.note('purls_left_out', entry.place),
    ),
    cpe,
    otherCpes,
  }
}

/**
 * By their kinds. The category does not matter: it is spelled `PACKAGE-MANAGER` and `PACKAGE_MANAGER`, and the type says the same; old
 * documents write the type as an address.
 */
function locatorsOf(entry: JsonObject) {
  const locators = {
    purl: [] as string[],
    managed: [] as string[],
    cpe23Type: [] as string[],
    cpe22Type: [] as string[],
  }
  entry.optionalArray('externalRefs')
  for (const reference of entry.lenientObjects('externalRefs')) {
    const locator = (reference.optionalString('referenceLocator') ?? '').trim()
    const type = reference.lenientString('referenceType') ?? ''
    const named = type.slice(type.lastIndexOf('/') + 1).toLowerCase()
    const kind = readKinds.get(named)
    const managed = purlOfReference(named, locator)
    if (locator !== '' && kind !== undefined) locators[kind].push(locator)
    if (managed !== null) locators.managed.push(managed)
  }
  return locators
}

/** In lower case: some tools write `PURL` and `cpe23type`. */
const readKinds: ReadonlyMap<string, 'purl' | 'cpe23Type' | 'cpe22Type'> = new Map([
  ['purl', 'purl'],
  ['cpe23type', 'cpe23Type'],
  ['cpe22type', 'cpe22Type'],
])

/** What was concluded, else what was declared. */
function readLicence(entry: JsonObject): string | null {
  return (
    asserted(entry.lenientString('licenseConcluded'), textLimits.licence) ??
    asserted(entry.lenientString('licenseDeclared'), textLimits.licence)
  )
}

/** `Organization: Example (contact@example.com)` without the kind of the supplier. */
function readSupplier(entry: JsonObject): string | null {
  const supplier = asserted(entry.lenientString('supplier'), textLimits.name)
  return cleanOptional(supplier?.replace(/^(?:Organization|Person):/, ''), textLimits.name)
}

/** `NOASSERTION` and `NONE` say that there is nothing to say (SPDX 2.3, 7.13 and others). */
function asserted(text: string | null, maxCodePoints: number): string | null {
  const clean = cleanOptional(text, maxCodePoints)
  return clean === 'NOASSERTION' || clean === 'NONE' ? null : clean
}
