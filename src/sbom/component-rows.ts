import { hash } from 'node:crypto'
import { areCpesGuessed } from '../formats/identity/cpe-authors.ts'
import { identify, identityHash, type ComponentIdentity } from '../formats/identity/identify.ts'
import type { SbomComponent, SbomDocument } from '../formats/sbom/document.ts'

/** A distinct component of an SBOM, with what it is to vulnerability data. */
export type ComponentRow = {
  /** Tells components of one family apart: equal hashes share one row. */
  hash: string
  identityHash: string
  identity: ComponentIdentity
  component: SbomComponent
}

/**
 * The distinct components of a document, in document order. An entry that repeats an earlier one in everything that is
 * stored is the same component. CPU only, so that no transaction waits for it.
 */
export function componentRows(document: SbomDocument): ComponentRow[] {
  const rows = new Map<string, ComponentRow>()
  const isCpeGuessed = areCpesGuessed(document.tools)
  for (const component of document.components) {
    const identity = identify(component, document.operatingSystem, isCpeGuessed)
    const identityHashText = identityHash(identity)
    const hashText = componentHash(component, identityHashText)
    if (!rows.has(hashText)) {
      rows.set(hashText, { hash: hashText, identityHash: identityHashText, identity, component })
    }
  }
  return [...rows.values()]
}

/**
 * 128 bits of SHA-256 as UUID text over the stored columns. The identity is one of them: the same package line is another
 * component where the document's operating system is another.
 */
function componentHash(component: SbomComponent, identityHashText: string): string {
  const { type, group, name, version, purl, cpe, licence, supplier, hashes } = component
  const columns = [identityHashText, type, group, name, version, purl, cpe, licence, supplier, hashes]
  const hex = hash('sha256', JSON.stringify(columns), 'hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
