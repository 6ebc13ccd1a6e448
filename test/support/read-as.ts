import { Type, type Static, type TSchema } from 'typebox'
import { faultsIn } from './judge-answer.ts'

/** The value, if it matches the schema field for field. Throws the mismatches. */
export function readAs<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const faults = faultsIn(schema, value)
  if (faults.length > 0) throw new Error(`expected ${nameOf(schema)}: ${faults.join('; ')}`)
  return value as Static<Schema>
}

function nameOf(schema: TSchema): string {
  return 'title' in schema && typeof schema.title === 'string' ? schema.title : 'another shape'
}

/** The common fields of refusals. */
const Refusal = Type.Object({
  error: Type.String(),
  message: Type.String(),
  detail: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Record(Type.String(), Type.String())),
})

/** A refusal; `fields` is empty if it names none. */
export function refusalIn(body: unknown) {
  return { fields: {}, ...readAs(Refusal, body) }
}

/** The rows of an exported list. */
export function rowsOf<Row extends TSchema>(row: Row, body: unknown): Static<Row>[] {
  return listIn(body, 'rows').map((one) => readAs(row, one))
}

/** The JSON object in a text. Throws on any other value. */
export function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error(`expected an object, found ${text.slice(0, 200)}`)
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list in a field, or the body itself. Throws if there is none. */
export function listIn(body: unknown, ...names: string[]): unknown[] {
  const found = fieldOf(body, ...names)
  if (!Array.isArray(found)) throw new Error(`expected a list, found ${JSON.stringify(body)}`)
  return found
}

/** The value of a possibly nested field, whatever contains it. */
export function fieldOf(body: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined),
    body,
  )
}

/** The text in a field; empty if it has no text. */
export function textIn(body: unknown, ...names: string[]): string {
  const found = fieldOf(body, ...names)
  return typeof found === 'string' ? found : ''
}

/** The field names. */
export function namesIn(body: unknown): string[] {
  return typeof body === 'object' && body !== null ? Object.keys(body) : []
}
