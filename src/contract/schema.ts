import { Type, type TObject, type TProperties, type TSchema, type TSchemaOptions } from 'typebox'

/** ISO 8601, UTC. */
export const time = Type.String({ format: 'date-time' })

/** Something with an id to find it and a name to show. */
export const Named = Type.Object({ id: Type.String(), name: Type.String() })

/** What the schema says, or null. */
export function nullable<Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) {
  return Type.Union([schema, Type.Null()], options)
}

/** The object with more fields. */
export function extended<Base extends TProperties, More extends TProperties>(
  base: TObject<Base>,
  more: More,
) {
  return Type.Object({ ...base.properties, ...more })
}
