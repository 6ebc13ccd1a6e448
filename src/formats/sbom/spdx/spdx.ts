import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { cleanOptional, cleanText } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { readTime, textLimits } from '../component-fields.ts'
import { DependencyGraph } from '../dependency-graph.ts'
import type { OperatingSystem, SbomComponent, SbomDocument } from '../document.ts'
import { Hints } from '../hints.ts'
import { OperatingSystems } from '../operating-systems.ts'
import { productVersion } from '../product-version.ts'
import { markSources, type BuiltFrom } from '../stated-sources.ts'
import { markMainModule } from './spdx-main-module.ts'
import { readLicenceNames } from './spdx-licences.ts'
import { isOperatingSystem, readPackage, type ReadPackage } from './spdx-package.ts'
import { SpdxScopes } from './spdx-scopes.ts'
import { addRelationships, describedPackages } from './spdx-relationships.ts'

const maxTools = 20
const toolPrefix = 'Tool:'

/**
 * Reads an SPDX document of version 2.2 or 2.3. As tolerant as the CycloneDX reader: `invalid_sbom` only for structure
 * that is read here. Every package is a component, including the described one.
 */
export function readSpdx(document: JsonObject, specVersion: string): SbomDocument {
  const hints = new Hints()
  const { packages, operatingSystem } = readPackages(document, hints)
  const dependencies = new DependencyGraph(hints)
  const ownerships = new DependencyGraph(hints)
  const ids = new Set(packages.map(({ id }) => id))
  const scopes = new SpdxScopes()
  const builtFrom: BuiltFrom[] = []
  addRelationships(document, ids, { dependencies, ownerships, scopes, builtFrom }, hints)
  scopes.mark(packages)
  const components = packages.map(({ component }) => component)
  markSources(components, {
    byReference: () => new Map(packages.map(({ id, component }) => [id, component])),
    stated: builtFrom,
  })
  const main = onlyDescribed(packages, describedPackages(document, ids))
  markMainModule(packages, { described: main, edges: dependencies.edges })
  const creation = document.lenientObject('creationInfo')
  return {
    format: 'spdx',
    specVersion,
    name: main?.name ?? cleanOptional(document.lenientString('name'), textLimits.name),
    productVersion: productVersion(main),
    documentId: cleanOptional(document.lenientString('documentNamespace'), textLimits.documentId),
    createdAt: creation && readTime(creation, 'created', hints),
    tools: creation ? readTools(creation) : [],
    main,
    components,
    operatingSystem,
    dependencies: dependencies.edges,
    ownerships: ownerships.edges,
    hints: hints.list(),
    vulnerabilityCount: 0,
  }
}

type Packages = { packages: ReadPackage[]; operatingSystem: OperatingSystem | null }

function readPackages(document: JsonObject, hints: Hints): Packages {
  const listed = document.count('packages')
  if (listed > limits.components) throw new ServiceError('too_many_components')
  if (listed === 0) hints.note('no_components')
  const packages: ReadPackage[] = []
  const ids = new Set<string>()
  const systems = new OperatingSystems()
  const licences = readLicenceNames(document)
  for (const entry of document.objects('packages')) {
    const read = readPackage(entry, licences, hints)
    packages.push(read)
    if (ids.has(read.id)) hints.note('duplicate_identifier', entry.at('SPDXID'))
    ids.add(read.id)
    if (isOperatingSystem(read)) systems.add(operatingSystemOf(read.component), entry.place, hints)
  }
  return { packages, operatingSystem: systems.only }
}

function operatingSystemOf({ name, version }: SbomComponent): OperatingSystem {
  return { name, version }
}

/**
 * The one package that the document describes; null when it describes several or none. Red Hat lists it again under the same identifier, with its CPE:
 * of such entries, if they agree on name and version, the one that is named by most.
 */
function onlyDescribed(packages: readonly ReadPackage[], ids: ReadonlySet<string>): SbomComponent | null {
  const described = packages.filter(({ id }) => ids.has(id))
  const said = described.map(({ id, component: { name, version } }) => JSON.stringify([id, name, version]))
  if (new Set(said).size !== 1) return null
  const [mostNamed] = described
    .map(({ component }) => component)
    .toSorted((one, other) => namesOf(other) - namesOf(one))
  return mostNamed ?? null
}

function namesOf({ purl, cpe }: SbomComponent): number {
  return [purl, cpe].filter((name) => name !== null).length
}

/** The creators that are tools: `Tool: syft-0.64.0` (SPDX 2.3, 6.8). */
function readTools(creation: JsonObject): string[] {
  const creators = creation.lenientArray('creators').filter((creator) => typeof creator === 'string')
  return creators
    .filter((creator) => creator.startsWith(toolPrefix))
    .slice(0, maxTools)
    .map((creator) => cleanText(creator.slice(toolPrefix.length), textLimits.tool))
    .filter((tool) => tool !== '')
}
