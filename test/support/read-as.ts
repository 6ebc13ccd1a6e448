import { Type, type Static, type TSchema } from 'typebox'
import { faultsIn } from './judge-answer.ts'

/** The value, once it is what the schema describes, field for field. Throws with what does not fit. */
export function readAs<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const faults = faultsIn(schema, value)
  if (faults.length > 0) throw new Error(`expected ${nameOf(schema)}: ${faults.join('; ')}`)
  return value as Static<Schema>
}

function nameOf(schema: TSchema): string {
  return 'title' in schema && typeof schema.title === 'string' ? schema.title : 'another shape'
}

/** What every refusal says. */
const Refusal = Type.Object({
  error: Type.String(),
  message: Type.String(),
  detail: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Record(Type.String(), Type.String())),
})

/** A refusal as it was answered; `fields` are none where it names none. */
export function refusalIn(body: unknown) {
  return { fields: {}, ...readAs(Refusal, body) }
}

/** The rows of an exported list. */
export function rowsOf<Row extends TSchema>(row: Row, body: unknown): Static<Row>[] {
  return listIn(body, 'rows').map((one) => readAs(row, one))
}

/** The JSON object of a text. Throws on any other value. */
export function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error(`expected an object, found ${text.slice(0, 200)}`)
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list that a field holds, or the body itself. Throws where there is none. */
export function listIn(body: unknown, ...names: string[]): unknown[] {
  const found = fieldOf(body, ...names)
  if (!Array.isArray(found)) throw new Error(`expected a list, found ${JSON.stringify(body)}`)
  return found
}

/** What a field says, or a field of it, whatever it is a field of. */
export function fieldOf(body: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined),
    body,
  )
}

/** The text that a field holds; none where it holds no text. */
export function textIn(body: unknown, ...names: string[]): string {
  const found = fieldOf(body, ...names)
  return typeof found === 'string' ? found : ''
}

/** What the fields are called. */
export function namesIn(body: unknown): string[] {
  return typeof body === 'object' && body !== null ? Object.keys(body) : []
}
