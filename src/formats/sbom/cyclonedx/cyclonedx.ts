import { cleanText } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { readTime, textLimits } from '../component-fields.ts'
import { CyclonedxInventory } from './cyclonedx-inventory.ts'
import { checkVulnerabilities } from './cyclonedx-vulnerabilities.ts'
import { DependencyGraph } from '../dependency-graph.ts'
import type { SbomDocument } from '../document.ts'
import { Hints } from '../hints.ts'
import { productVersion } from '../product-version.ts'
import { markSources, type BuiltFrom } from '../stated-sources.ts'

const maxTools = 20
const serialNumber = /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/**
 * Reads a CycloneDX document of version 1.4 to 1.7. It is tolerant: only structure that is read here must be right
 * (`invalid_sbom` with its JSON pointer); any other violation of the schema is a hint.
 */
export function readCyclonedx(document: JsonObject, specVersion: string): SbomDocument {
  const hints = new Hints()
  const graph = new DependencyGraph(hints)
  const inventory = new CyclonedxInventory(hints, graph)
  const metadata = document.optionalObject('metadata')
  const productEntry = metadata?.optionalObject('component')
  if (productEntry) inventory.addProduct(productEntry)
  inventory.addComponents(document, null)
  inventory.addServices(document)
  addDependencies(document, inventory, graph, hints)
  markSources(inventory.components, {
    byReference: () => inventory.byReference(),
    stated: builtFromIn(graph),
  })
  const vulnerabilityCount = checkVulnerabilities(document, hints)
  if (inventory.components.length === 0) hints.note('no_components')
  const main = inventory.product?.component ?? null
  return {
    format: 'cyclonedx',
    specVersion,
    name: main?.name ? main.name : null,
    productVersion: productVersion(main),
    documentId: readDocumentId(document, hints),
    createdAt: metadata ? readTime(metadata, 'timestamp', hints) : null,
    tools: metadata ? readTools(metadata) : [],
    main,
    components: inventory.components,
    operatingSystem: inventory.operatingSystem(),
    dependencies: graph.edges,
    ownerships: [],
    hints: hints.list(),
    vulnerabilityCount,
  }
}

/** debsbom lists a package's source among what it depends on. */
function* builtFromIn({ edges }: DependencyGraph): Generator<BuiltFrom> {
  for (const { from, to } of edges) yield { binary: from, source: to }
}

/** What depends on what; references to nothing in the document are left out with a hint, services are no components. */
function addDependencies(
  document: JsonObject,
  inventory: CyclonedxInventory,
  graph: DependencyGraph,
  hints: Hints,
): void {
  const seen = new Set<string>()
  for (const entry of document.objects('dependencies')) {
    const from = entry.string('ref')
    if (from === '') entry.refuse('ref', 'a non-empty string')
    if (seen.has(from)) hints.note('duplicate_dependency', entry.place)
    seen.add(from)
    if (!inventory.has(from)) hints.note('dangling_dependency', entry.at('ref'))
    const isComponent = inventory.hasComponent(from)
    for (const to of entry.optionalStrings('dependsOn')) {
      if (!inventory.has(to)) hints.note('dangling_dependency', entry.at('dependsOn'))
      else if (isComponent && (graph.isFull || inventory.hasComponent(to))) graph.add(from, to, entry.place)
    }
  }
}

/** The BOM-Link of the document (CycloneDX, "BOM-Link"): its serial number and its version, 1 where it gives none. */
function readDocumentId(document: JsonObject, hints: Hints): string | null {
  const serial = document.get('serialNumber') ?? null
  if (serial === null) return null
  const [, uuid] = typeof serial === 'string' ? (serialNumber.exec(serial) ?? []) : []
  if (uuid === undefined) {
    hints.note('unreadable_serial_number', document.at('serialNumber'))
    return null
  }
  const version = document.get('version')
  return `urn:cdx:${uuid.toLowerCase()}/${typeof version === 'number' && Number.isSafeInteger(version) ? version : 1}`
}

/** `metadata.tools`: a list of tools, or since 1.5 an object with components and services. */
function readTools(metadata: JsonObject): string[] {
  const names: string[] = []
  for (const tool of toolEntries(metadata)) {
    if (names.length === maxTools) break
    const version = tool.lenientString('version') ?? ''
    const name = cleanText(`${tool.lenientString('name') ?? ''} ${version}`, textLimits.tool)
    if (name !== '') names.push(name)
  }
  return names
}

function* toolEntries(metadata: JsonObject): Generator<JsonObject, void, undefined> {
  yield* metadata.lenientObjects('tools')
  const lists = metadata.lenientObject('tools')
  if (lists === null) return
  yield* lists.lenientObjects('components')
  yield* lists.lenientObjects('services')
}
