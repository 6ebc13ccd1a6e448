import { ServiceError } from '../../contract/errors.ts'
import type { VexDocument } from '../../contract/vex/shapes.ts'
import { readVex } from './read-vex.ts'

/** Documents of a few fields, for tests. */
export type Fields = Record<string, unknown>

export function openvex(fields: Fields = {}): Fields {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/vex/1',
    author: 'Example',
    timestamp: '2024-01-02T03:04:05Z',
    version: 1,
    ...fields,
  }
}

export function csaf(fields: Fields = {}): Fields {
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      publisher: { category: 'vendor', name: 'Example', namespace: 'https://example.com' },
      title: 'Example',
      tracking: { id: 'EX-1', current_release_date: '2024-01-02T03:04:05Z' },
    },
    ...fields,
  }
}

export function cyclonedx(fields: Fields = {}): Fields {
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, ...fields }
}

/** Code and detail of the refusal; `read` where there is none. */
export function refusalOf(value: unknown): string {
  try {
    readVex(value)
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code} ${error.detail ?? ''}`.trimEnd()
    throw error
  }
  return 'read'
}

/** The counters of the VEX document shape. */
export function countersOf({ statements, findings, unbound }: VexDocument): [number, number, number] {
  return [statements.length, findings.length, unbound]
}

/** What reading gives: a document, or the refusal. Anything else that is thrown is a bug. */
export function outcome(read: () => VexDocument | null): VexDocument | ServiceError | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
