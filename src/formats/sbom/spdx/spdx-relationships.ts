import type { JsonObject } from '../../json/object.ts'
import type { DependencyGraph } from '../dependency-graph.ts'
import type { Hints } from '../hints.ts'
import type { BuiltFrom } from '../stated-sources.ts'
import type { SpdxScopes } from './spdx-scopes.ts'

/** Relationships (SPDX 2.3, 11.1) in which the first element depends on or contains the second. */
const forward = new Set(['CONTAINS', 'DEPENDS_ON', 'DYNAMIC_LINK', 'HAS_PREREQUISITE', 'STATIC_LINK'])

/** Relationships in which the second element depends on or contains the first. */
const backward = new Set([
  'BUILD_DEPENDENCY_OF',
  'CONTAINED_BY',
  'DEPENDENCY_OF',
  'DEV_DEPENDENCY_OF',
  'OPTIONAL_COMPONENT_OF',
  'OPTIONAL_DEPENDENCY_OF',
  'PACKAGE_OF',
  'PREREQUISITE_FOR',
  'PROVIDED_DEPENDENCY_OF',
  'RUNTIME_DEPENDENCY_OF',
  'TEST_DEPENDENCY_OF',
])

/** The narrow ones among them, in which spdx-maven-plugin names the ends the wrong way round. */
const turnable = new Set([
  'DEV_DEPENDENCY_OF',
  'OPTIONAL_COMPONENT_OF',
  'OPTIONAL_DEPENDENCY_OF',
  'PROVIDED_DEPENDENCY_OF',
  'TEST_DEPENDENCY_OF',
])

/** How Syft says, in the comment of an `OTHER`, that the first package installed the files by which it found the second. */
const ownership = 'ownership-by-file-overlap'

const documentElement = 'SPDXRef-DOCUMENT'

type Relationship = { type: string; element: string; related: string; entry: JsonObject }

/** The relationships that name both their ends; entries of another shape are passed over. */
function* relationshipsOf(document: JsonObject): Generator<Relationship, void, undefined> {
  document.optionalArray('relationships')
  for (const entry of document.lenientObjects('relationships')) {
    const element = entry.lenientString('spdxElementId')
    const related = entry.lenientString('relatedSpdxElement')
    const type = entry.lenientString('relationshipType')
    if (element === null || related === null || type === null) continue
    yield { type, element, related, entry }
  }
}

/**
 * The identifiers the document says it describes: `documentDescribes`, and the relationship in both directions
 * (`DESCRIBE` is an old misspelling of Trivy's).
 */
function describedIds(document: JsonObject): Set<string> {
  // A document that spells its own identifier otherwise means itself by the one that the specification gives it.
  const self = new Set([document.lenientString('SPDXID'), documentElement])
  const ids = new Set<string>()
  for (const id of document.optionalArray('documentDescribes')) {
    if (typeof id === 'string') ids.add(id)
  }
  for (const { type, element, related } of relationshipsOf(document)) {
    if ((type === 'DESCRIBES' || type === 'DESCRIBE') && self.has(element)) ids.add(related)
    if (type === 'DESCRIBED_BY' && self.has(related)) ids.add(element)
  }
  return ids
}

/**
 * The packages that a document describes. cargo-sbom describes the file that the product is built into, which is no package: what it was generated
 * from is the product then.
 */
export function describedPackages(
  document: JsonObject,
  packageIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const described = describedIds(document)
  if (!packageIds.isDisjointFrom(described)) return described
  const sources = new Set<string>()
  for (const { type, element, related } of relationshipsOf(document)) {
    if (type === 'GENERATED_FROM' && described.has(element)) sources.add(related)
    if (type === 'GENERATES' && described.has(related)) sources.add(element)
  }
  return sources
}

/** Far more than there are packages; what comes too late is not looked at. */
const maxBuiltFrom = 200_000

type Noted = {
  dependencies: DependencyGraph
  ownerships: DependencyGraph
  scopes: SpdxScopes
  /** Filled. */
  builtFrom: BuiltFrom[]
}

/** The edges between packages, and what packages are for. Files and snippets are no components; ends that are defined nowhere get a hint. */
export function addRelationships(
  document: JsonObject,
  packageIds: ReadonlySet<string>,
  { dependencies, ownerships, scopes, builtFrom }: Noted,
  hints: Hints,
): void {
  const elements = new Elements(document, packageIds)
  for (const relationship of turnedRelationshipsOf(document, packageIds)) {
    const { type, element, related, entry } = relationship
    scopes.note(relationship)
    noteBuiltFrom(relationship, packageIds, builtFrom)
    if (!forward.has(type) && !backward.has(type)) {
      if (isOwnership(type, entry) && packageIds.has(element) && packageIds.has(related))
        ownerships.add(element, related, entry.place)
      continue
    }
    if (!elements.has(element) || !elements.has(related)) hints.note('dangling_dependency', entry.place)
    else if (!packageIds.has(element) || !packageIds.has(related)) continue
    else if (forward.has(type)) dependencies.add(element, related, entry.place)
    else dependencies.add(related, element, entry.place)
  }
}

/** Those in which the one package that the document describes would be there for something in it. */
function turnedTypes(document: JsonObject, packageIds: ReadonlySet<string>): Set<string> {
  const [product, ...others] = describedPackages(document, packageIds)
  const types = new Set<string>()
  if (product === undefined || others.length > 0) return types
  for (const { type, element } of relationshipsOf(document)) {
    if (element === product && turnable.has(type)) types.add(type)
  }
  return types
}

function* turnedRelationshipsOf(
  document: JsonObject,
  packageIds: ReadonlySet<string>,
): Generator<Relationship, void, undefined> {
  const turned = turnedTypes(document, packageIds)
  for (const { type, element, related, entry } of relationshipsOf(document)) {
    const isTurned = turned.has(type)
    yield { type, element: isTurned ? related : element, related: isTurned ? element : related, entry }
  }
}

/** debsbom says so of the source, and of what was only used in the build, with a comment, of the package. */
function noteBuiltFrom(
  { type, element, related, entry }: Relationship,
  packageIds: ReadonlySet<string>,
  builtFrom: BuiltFrom[],
): void {
  if (type !== 'GENERATES' && type !== 'GENERATED_FROM') return
  if (builtFrom.length === maxBuiltFrom || !packageIds.has(element) || !packageIds.has(related)) return
  if (type === 'GENERATES') builtFrom.push({ binary: related, source: element })
  else if (entry.lenientString('comment') !== 'built-using')
    builtFrom.push({ binary: element, source: related })
}

function isOwnership(type: string, entry: JsonObject): boolean {
  return type === 'OTHER' && entry.lenientString('comment')?.startsWith(ownership) === true
}

/** Everything that a relationship can name. Files are only gathered when one names something else than a package. */
class Elements {
  readonly #document: JsonObject
  readonly #packageIds: ReadonlySet<string>
  #others: ReadonlySet<string> | null = null

  constructor(document: JsonObject, packageIds: ReadonlySet<string>) {
    this.#document = document
    this.#packageIds = packageIds
  }

  has(id: string): boolean {
    if (this.#packageIds.has(id) || isOutside(id)) return true
    this.#others ??= new Set(this.#otherIds())
    return this.#others.has(id)
  }

  *#otherIds(): Generator<string, void, undefined> {
    yield documentElement
    yield this.#document.lenientString('SPDXID') ?? documentElement
    for (const key of ['files', 'snippets']) {
      for (const entry of this.#document.lenientObjects(key)) {
        const id = entry.lenientString('SPDXID')
        if (id !== null) yield id
      }
    }
  }
}

/** An element of another document, or the word for none (SPDX 2.3, 11.1). */
function isOutside(id: string): boolean {
  return id.startsWith('DocumentRef-') || id === 'NONE' || id === 'NOASSERTION'
}
