/** The possible kinds of a value. */
export type Shape = {
  /** `string`, `number`, `boolean`, `date`, `bytes`, `array`, `object`, `null`, `undefined` (no such column), `any`. */
  kinds: string[]
  /** The only strings allowed, where the type lists them. */
  words?: string[]
  /** Of an object. */
  fields?: Record<string, Shape>
  /** Of an array. */
  items?: Shape
}

/** Where the value does not match the shape, each with its path in the row and what it is instead. */
export function misfits(value: unknown, shape: Shape, place = 'row'): string[] {
  const kind = kindOf(value)
  if (shape.kinds.includes('any')) return []
  if (kind === 'string' && !shape.kinds.includes('string'))
    return shape.words?.includes(value as string) === true ? [] : [`${place} is the text "${String(value)}"`]
  if (!shape.kinds.includes(kind)) return [`${place} is ${kind}, not ${wordsOf(shape)}`]
  if (Array.isArray(value) && shape.items !== undefined) {
    const { items } = shape
    return value.flatMap((item, at) => misfits(item, items, `${place}[${at}]`))
  }
  if (kind !== 'object' || shape.fields === undefined) return []
  const object = value as Record<string, unknown>
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    misfits(object[name], field, `${place}.${name}`),
  )
}

function wordsOf({ kinds, words = [] }: Shape): string {
  return [...new Set(kinds), ...words].join(' | ')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return 'date'
  if (value instanceof Uint8Array) return 'bytes'
  return Array.isArray(value) ? 'array' : typeof value
}
