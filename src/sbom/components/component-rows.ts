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
    const known = rows.get(key)
    if (known !== undefined) {
      if (component.ref !== null) known.references.push(component.ref)
      continue
    }
    const row = { hash: key, component, references: component.ref === null ? [] : [component.ref] }
    rows.set(key, row)
    yield row
  }
}

/** Names components of a document as vulnerability data would. */
export function identifierOf(document: SbomDocument): (row: ComponentRow) => IdentifiedRow {
  const around = surroundingsIn(document)
  return ({ hash, component, references }) => {
    const identity = identify(component, around)
    return { hash, component, references, identity, identityId: identityHash(identity) }
  }
}

/** Every digest by which the component can be known: the column `hashes`. */
export function digestsOf({ hashes, fileDigests }: SbomComponent): readonly string[] {
  return fileDigests === undefined ? hashes : [...hashes, ...fileDigests]
}

/**
 * Over the stored columns and whatever else decides the identity. Known components need not be identified again; a change of
 * rules gives them another hash (`identityGeneration`).
 */
function componentHash(component: SbomComponent, around: Surroundings): string {
  const { type, group, name, version, purl, otherPurls, cpe, licence, supplier, hashes, source } = component
  const deciding = decidingSurroundings(component, around)
  const own = [type, group, name, version, purl, otherPurls, cpe, licence, supplier, hashes, source]
  const columns = [identityGeneration, deciding, ...own]
  addSaidBesides(columns, component)
  return hashId(columns)
}

/** Rare fields, so that other components keep their hashes. */
function addSaidBesides(columns: unknown[], component: SbomComponent): void {
  const { isExternal, scope, resolves, repository, otherPurls, otherCpes, concludedCpes, fileDigests } =
    component
  const hasCpes = otherCpes !== undefined || concludedCpes !== undefined
  if (isExternal === true) columns.push('external')
  if (scope !== undefined || resolves !== undefined) columns.push({ scope, resolves })
  if (repository !== undefined) columns.push({ repository })
  if (hasCpes) columns.push({ otherCpes, concludedCpes })
  const builder = builderByOrigin(component)
  if (builder !== null) columns.push({ builder })
  if (fileDigests !== undefined) columns.push({ fileDigests })
  // Rows from before names were stored stay as they are; the next upload stores the component again.
  if (otherPurls.length > 0 || hasCpes) columns.push('with names')
}
