import type { ComponentIdentity } from '../../identities/component-identity.ts'
import { hashId } from '../../identities/hash-id.ts'
import {
  identify,
  identityGeneration,
  identityHash,
  decidingSurroundings,
} from '../../identities/identify.ts'
import { builderByOrigin } from '../../identities/distributions/other-builders.ts'
import { surroundingsIn, type Surroundings } from '../../identities/surroundings.ts'
import type { SbomComponent, SbomDocument } from '../../formats/sbom/document.ts'

/** A distinct component of an SBOM. */
export type ComponentRow = {
  /** Tells components of one family apart: equal hashes share one row. */
  hash: string
  component: SbomComponent
  /** What the document calls it: one for each entry that says the same. */
  references: string[]
}

/** A component with what it is to vulnerability data. */
export type IdentifiedRow = ComponentRow & { identityId: string; identity: ComponentIdentity }

/**
 * The distinct components of a document, in document order. An entry that repeats an earlier one in everything that is
 * stored is the same component: `references` is complete when all have been read. CPU only, so that no transaction waits for it.
 */
export function* distinctComponents(document: SbomDocument): Generator<ComponentRow> {
  const rows = new Map<string, ComponentRow>()
  const around = surroundingsIn(document)
  for (const component of document.components) {
    const key = componentHash(component, around)
    const references = component.ref === null ? [] : [component.ref]
    const known = rows.get(key)
    if (known !== undefined) {
      known.references.push(...references)
      continue
    }
    const row = { hash: key, component, references }
    rows.set(key, row)
    yield row
  }
}

/** Names components of a document as vulnerability data would. */
export function identifierOf(document: SbomDocument): (row: ComponentRow) => IdentifiedRow {
  const around = surroundingsIn(document)
  return (row) => {
    const identity = identify(row.component, around)
    return { ...row, identity, identityId: identityHash(identity) }
  }
}

/** Every digest by which the component can be known: the column `hashes`. */
export function digestsOf({ hashes, fileDigests = [] }: SbomComponent): string[] {
  return [...hashes, ...fileDigests]
}

/**
 * Over the stored columns and whatever else decides the identity. Known components need not be identified again; a change of
 * rules gives them another hash (`identityGeneration`).
 */
function componentHash(component: SbomComponent, around: Surroundings): string {
  const { type, group, name, version, purl, otherPurls, cpe, licence, supplier, hashes, source } = component
  const columns = [type, group, name, version, purl, otherPurls, cpe, licence, supplier, hashes, source]
  return hashId([
    identityGeneration,
    decidingSurroundings(component, around),
    ...columns,
    ...saidBesides(component),
  ])
}

/** Rare fields, so that other components keep their hashes. */
function saidBesides(component: SbomComponent): unknown[] {
  const { isExternal, scope, resolves, repository, otherPurls, otherCpes, concludedCpes, fileDigests } =
    component
  const cpes = otherCpes === undefined && concludedCpes === undefined ? [] : [{ otherCpes, concludedCpes }]
  // Rows from before names were stored stay as they are; the next upload stores the component again.
  const kept = otherPurls.length === 0 && cpes.length === 0 ? [] : ['with names']
  const external = isExternal === true ? ['external'] : []
  const source = repository === undefined ? [] : [{ repository }]
  const said = scope === undefined && resolves === undefined ? [] : [{ scope, resolves }]
  const builder = builderByOrigin(component)
  const built = builder === null ? [] : [{ builder }]
  const files = fileDigests === undefined ? [] : [{ fileDigests }]
  return [...external, ...said, ...source, ...cpes, ...built, ...files, ...kept]
}
