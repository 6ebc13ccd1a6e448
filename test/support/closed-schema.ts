import type { TSchema } from 'typebox'

/** The same schema without additional fields. */
export function closed(schema: TSchema): TSchema {
  return closedPart(JSON.parse(JSON.stringify(schema))) as TSchema
}

function closedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closedPart)
  if (typeof part !== 'object' || part === null) return part
  const parts = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closedPart(value)]))
  return parts['type'] === 'object' && 'properties' in parts
    ? { additionalProperties: false, ...parts }
    : parts
}
