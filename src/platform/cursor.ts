import { ServiceError } from '../contract/errors.ts'

/** An opaque position in a sorted list: the sort values of the last row shown. */
export function encodeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position), 'utf8').toString('base64url')
}

/** Reads a cursor of `length` values. Codes: `invalid_request` when it is not one of ours. */
export function decodeCursor(cursor: string, length: number): (string | number | null)[] {
  const position = parse(cursor)
  if (!Array.isArray(position) || position.length !== length || !position.every(isPart)) {
    throw new ServiceError('invalid_request', { fields: { cursor: 'This is not a cursor of this list.' } })
  }
  return position
}

function parse(cursor: string): unknown {
  if (cursor.length > 4000) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isPart(part: unknown): part is string | number | null {
  return part === null || typeof part === 'string' || (typeof part === 'number' && Number.isFinite(part))
}
