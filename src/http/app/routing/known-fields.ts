/** The part of a JSON Schema that says which fields are known. */
type Schema = {
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: object
  additionalProperties?: unknown
  items?: Schema
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

/** The fields that a schema knows: for lists by the shapes of an item, for objects by those of each field; null: any field. */
type Known = { items: readonly Schema[]; fields: ReadonlyMap<string, readonly Schema[]> | null }

const known = new WeakMap<Schema, Known>()

/**
 * Removes from a valid body whatever the schema does not name, so that a handler can never pass on a field that nobody may send, such as
 * a foreign workspace or a column. With several branches the fields of all count.
 */
export function keepKnownFields(schema: Schema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { items, fields } = knownOf(schema)
  if (Array.isArray(value)) {
    for (const item of value) for (const shape of items) keepKnownFields(shape, item)
    return
  }
  if (fields === null) return
  const given = value as Record<string, unknown>
  for (const name of Object.keys(given)) {
    const shapes = fields.get(name)
    if (shapes === undefined) Reflect.deleteProperty(given, name)
    else for (const shape of shapes) keepKnownFields(shape, given[name])
  }
}

function knownOf(schema: Schema): Known {
  const before = known.get(schema)
  if (before !== undefined) return before
  const shapes = branchesOf(schema)
  const made = { items: shapes.flatMap(({ items }) => items ?? []), fields: fieldsOf(shapes) }
  known.set(schema, made)
  return made
}

function fieldsOf(shapes: readonly Schema[]): Known['fields'] {
  const objects = shapes.map(({ properties }) => properties).filter((one) => one !== undefined)
  // a record with names chosen by the sender, or a value that the schema leaves open
  if (objects.length === 0 || shapes.some(isOpen)) return null
  const fields = new Map<string, Schema[]>()
  for (const properties of objects)
    for (const [name, shape] of Object.entries(properties))
      fields.set(name, [...(fields.get(name) ?? []), shape])
  return fields
}

function branchesOf(schema: Schema): readonly Schema[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...branches.flatMap(branchesOf)]
}

function isOpen({ patternProperties, additionalProperties }: Schema): boolean {
  return patternProperties !== undefined || (additionalProperties ?? false) !== false
}
