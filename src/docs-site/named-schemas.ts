type Json = Record<string, unknown>
type Document = { paths?: object; webhooks?: object; components?: { schemas?: object } }

/**
 * The document with every schema that has a title moved to `components.schemas` under that title, so that generated clients get types
 * with names. Throws when one title has two shapes.
 */
export function nameSchemas<Described extends Document>(
  document: Described,
): Described & { components: { schemas: Json } } {
  const schemas = new Map<string, Json>()
  const paths = nameIn(document.paths ?? {}, schemas)
  const webhooks = document.webhooks === undefined ? {} : { webhooks: nameIn(document.webhooks, schemas) }
  const named = Object.fromEntries([...schemas].sort(([a], [b]) => a.localeCompare(b)))
  return { ...document, paths, ...webhooks, components: { ...document.components, schemas: named } }
}

function nameIn(value: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => nameIn(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const walked: Json = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, nameIn(item, schemas)]),
  )
  // Generators want the type of a choice stated, though its values show it.
  if (isChoiceOfTexts(walked)) walked['type'] = 'string'
  const { title } = walked
  if (typeof title !== 'string') return walked
  keep(title, walked, schemas)
  return { $ref: `#/components/schemas/${title}` }
}

function isChoiceOfTexts({ enum: values, type }: Json): boolean {
  return type === undefined && Array.isArray(values) && values.every((choice) => typeof choice === 'string')
}

/** The description of an answer belongs to the answer: the shape is the same in all of them. */
function keep(
  title: string,
  { description: _description, ...schema }: Json,
  schemas: Map<string, Json>,
): void {
  const known = schemas.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`The title ${title} is given to two different schemas.`)
  schemas.set(title, schema)
}
