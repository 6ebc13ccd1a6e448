import { ServiceError } from '../../contract/errors.ts'
import type { SbomDocument } from './document.ts'
import { readSbom } from './read-sbom.ts'

/** Documents of a few fields, for tests. */
export type Fields = Record<string, unknown>

export function readCyclonedxOf(fields: Fields): SbomDocument {
  return readSbom(Buffer.from(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', ...fields })))
}

export function readSpdxOf(fields: Fields): SbomDocument {
  return readSbom(
    Buffer.from(JSON.stringify({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', ...fields })),
  )
}

/** A CycloneDX component with nothing but what it must have. */
export function library(fields: Fields = {}): Fields {
  return { type: 'library', name: 'a', ...fields }
}

/** Code and detail of the refusal; `read` where there is none. */
export function refusalOf(run: () => SbomDocument): string {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code} ${error.detail ?? ''}`.trimEnd()
    throw error
  }
  return 'read'
}

/** Of each hint how many places have it, and the first. */
export function hintsOf({ hints }: SbomDocument): Record<string, string> {
  return Object.fromEntries(
    hints.map(({ code, count, pointer }) => [code, `${count} ${pointer ?? ''}`.trim()]),
  )
}

/** The hints without those about fields that an entry of a few words cannot have. */
export function defectsOf(document: SbomDocument): Record<string, string> {
  const lacks = ['missing_version', 'missing_identifier', 'missing_licence', 'missing_supplier']
  return Object.fromEntries(Object.entries(hintsOf(document)).filter(([code]) => !lacks.includes(code)))
}
