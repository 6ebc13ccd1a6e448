import { componentScopes, type ComponentScope } from '../../../contract/sbom/words.ts'
import { cleanOptional, cleanText } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import {
  cleanReference,
  hashesAndMore,
  noteDefects,
  originOf,
  readHashes,
  textLimits,
} from '../component-fields.ts'
import { readIdentities } from './cyclonedx-identities.ts'
import type { SbomComponent } from '../document.ts'
import { fileDigestsOf, referencedDigests } from '../file-digests.ts'
import type { Hints } from '../hints.ts'
import { isForDevelopment, recordedProperties, sourceOfProperties } from '../source-package.ts'

/** Component types of CycloneDX 1.4 to 1.7. */
const types = new Set([
  'application',
  'cryptographic-asset',
  'container',
  'data',
  'device',
  'device-driver',
  'file',
  'firmware',
  'framework',
  'library',
  'machine-learning-model',
  'operating-system',
  'platform',
])

const maxLicences = 100
const maxResolves = 100

export type ReadComponent = {
  component: SbomComponent
  /** The `bom-ref` as the document spells it. */
  reference: string | null
  recorded: ReadonlyMap<string, string>
}

/** One entry of `components`. Refuses an entry without a string `name` or `type`, and texts of another kind. */
export function readComponent(entry: JsonObject, hints: Hints): ReadComponent {
  entry.string('name')
  entry.string('type')
  const read = readFields(entry, hints)
  if (read.component.name === '') hints.note('missing_name', entry.place)
  noteDefects(read.component, entry.place, hints)
  return read
}

/** `metadata.component`, the product: it needs neither name nor type, and nothing that it lacks is a defect. A range is no version of it. */
export function readProduct(entry: JsonObject, hints: Hints): ReadComponent {
  const read = readFields(entry, hints)
  return { ...read, component: { ...read.component, version: readStatedVersion(entry) } }
}

function readFields(entry: JsonObject, hints: Hints): ReadComponent {
  const recorded = recordedProperties(entry, hints)
  const reference = readReference(entry)
  const type = readType(entry, hints)
  const group = cleanOptional(entry.optionalString('group'), textLimits.name)
  const name = cleanText(entry.optionalString('name') ?? '', textLimits.name)
  const version = readVersion(entry)
  const { purl, otherPurls, cpe, concludedCpes } = readIdentities(entry, hints)
  const listed = readHashes(entry.lenientObjects('hashes'), { algorithm: 'alg', value: 'content' }, hints)
  const { hashes, others } = hashesAndMore(listed)
  // Each field by name: V8 keeps what is spread into an object outside of it, and these are most of what is kept of a large file.
  const component: SbomComponent = {
    ref: cleanReference(reference),
    type,
    group,
    name,
    version,
    purl,
    otherPurls,
    cpe,
    licence: readLicence(entry, hints),
    supplier: readSupplier(entry),
    hashes,
    source: sourceOfProperties(recorded),
  }
  if (concludedCpes !== undefined) component.concludedCpes = concludedCpes
  if (entry.get('isExternal') === true) component.isExternal = true
  const repository = readRepository(entry)
  if (repository !== null) component.repository = repository
  const origin = readOrigin(entry)
  if (origin !== null) component.origin = origin
  const fileDigests = fileDigestsOf(component, [...others, ...referencedDigests(entry, hints)])
  if (fileDigests.length > 0) component.fileDigests = fileDigests
  const scope = readScope(entry, recorded)
  if (scope !== undefined) component.scope = scope
  const resolves = readResolves(entry)
  if (resolves.length > 0) component.resolves = resolves
  return { component, reference, recorded }
}

/**
 * A package manager marks what is needed for development alone by a property, and npm states `required` beside it, because the package is
 * not `optional`: it is no part of what is delivered.
 */
function readScope(entry: JsonObject, recorded: ReadonlyMap<string, string>): ComponentScope | undefined {
  const stated = entry.lenientString('scope')
  const scope = componentScopes.find((known) => known === stated)
  const isNarrower = scope === 'optional' || scope === 'excluded'
  return isForDevelopment(recorded) && !isNarrower ? 'excluded' : scope
}

/** The first reference of the type `vcs`; what it leads to is read with the other names of the component. */
function readRepository(entry: JsonObject): string | null {
  for (const reference of entry.lenientObjects('externalReferences')) {
    if (reference.lenientString('type') !== 'vcs') continue
    const repository = cleanOptional(reference.lenientString('url'), textLimits.repository)
    if (repository !== null) return repository
  }
  return null
}

/**
 * Since 1.7 a component that the environment provides may state a range of versions instead of one. Cut it would be another range, so a
 * longer one is none.
 */
function readVersion(entry: JsonObject): string | null {
  const version = readStatedVersion(entry)
  if (version !== null) return version
  const range = cleanOptional(entry.lenientString('versionRange'), textLimits.versionRange + 1)
  return range === null || range.length > textLimits.versionRange ? null : range
}

function readStatedVersion(entry: JsonObject): string | null {
  return cleanOptional(entry.optionalString('version'), textLimits.version)
}

/** The `bom-ref` of a component or service as the document spells it; null when it has none. */
export function readReference(entry: JsonObject): string | null {
  const ref = entry.optionalString('bom-ref')
  return ref === '' ? entry.refuse('bom-ref', 'a non-empty string') : ref
}

function readType(entry: JsonObject, hints: Hints): string | null {
  const type = cleanOptional(entry.optionalString('type'), textLimits.name)?.toLowerCase() ?? null
  if (type !== null && !types.has(type)) hints.note('unknown_type', entry.place)
  return type
}

/** The security issues that its patches fix (`pedigree.patches[].resolves[]`), each once. */
function readResolves(entry: JsonObject): string[] {
  const ids = new Set<string>()
  for (const patch of entry.lenientObject('pedigree')?.lenientObjects('patches') ?? []) {
    for (const issue of patch.lenientObjects('resolves')) {
      if (ids.size === maxResolves) return [...ids]
      const stated = issue.lenientString('id') ?? issue.lenientString('name')
      const id =
        issue.lenientString('type') === 'security' ? cleanOptional(stated, textLimits.vulnerabilityId) : null
      if (id !== null) ids.add(id)
    }
  }
  return [...ids]
}

/** Expressions, identifiers and names in the order of the document; the specification does not say how they combine. */
function readLicence(entry: JsonObject, hints: Hints): string | null {
  const texts: string[] = []
  for (const choice of entry.lenientObjects('licenses')) {
    if (texts.length === maxLicences) break
    const licence = choice.lenientObject('license')
    const text =
      choice.lenientString('expression') ?? licence?.lenientString('id') ?? licence?.lenientString('name')
    const clean = cleanOptional(text, textLimits.licence)
    if (clean === null) hints.note('unreadable_licence', choice.place)
    else texts.push(clean)
  }
  const [only, ...others] = texts
  if (only !== undefined && others.length === 0) return only
  return cleanOptional(texts.join(', '), textLimits.licence)
}

/** Makers and publishers other than the supplier, and where the component was downloaded. */
function readOrigin(entry: JsonObject): string | null {
  const supplier = readSupplier(entry)
  const makers = [
    entry.lenientObject('manufacturer')?.lenientString('name'),
    entry.lenientString('publisher'),
    entry.lenientString('author'),
  ].filter((maker) => cleanOptional(maker, textLimits.name) !== supplier)
  const addresses = [...entry.lenientObjects('externalReferences')]
    .filter((reference) => (reference.lenientString('type') ?? '').startsWith('distribution'))
    .map((reference) => reference.lenientString('url'))
  return originOf([...makers, ...addresses])
}

/** Who supplied the component: `supplier`, since 1.6 also `manufacturer`, else its `publisher`. */
function readSupplier(entry: JsonObject): string | null {
  const supplier =
    entry.lenientObject('supplier')?.lenientString('name') ??
    entry.lenientObject('manufacturer')?.lenientString('name') ??
    entry.lenientString('publisher')
  return cleanOptional(supplier, textLimits.name)
}
