import { expect } from 'vitest'
import { ServiceError } from '../../src/contract/errors.ts'
import type { SbomDocument } from '../../src/formats/sbom/document.ts'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'

const codes = ['invalid_json', 'xml_unsupported', 'unsupported_format', 'invalid_sbom', 'too_many_components']

/** The result of parsing a body: a document, or the refusal; any other error is thrown. */
export function outcome(body: Uint8Array | string): SbomDocument | ServiceError {
  try {
    return readSbom(typeof body === 'string' ? Buffer.from(body) : body)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

export const codeOf = (result: SbomDocument | ServiceError) =>
  result instanceof ServiceError ? result.code : 'read'

/** Refused with a code of the public interface, or parsed without broken text and with dependencies between existing components only. */
export function expectSound(result: SbomDocument | ServiceError): void {
  if (result instanceof ServiceError) {
    expect(codes).toContain(result.code)
    return
  }
  const texts = JSON.stringify(result)
  expect(texts).not.toMatch(/\\u00[01][0-9a-f]|\\ud[89a-f]/)
  const refs = new Set([...result.components, ...(result.main ? [result.main] : [])].map(({ ref }) => ref))
  for (const { from, to } of result.dependencies) expect([refs.has(from), refs.has(to)]).toEqual([true, true])
}
