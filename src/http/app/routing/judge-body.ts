import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { AppOperation } from '../../../contract/operation.ts'
import { isRecord } from '../../../contract/is-record.ts'

/** The part of a JSON Schema that is used to name several faults; the validator judges the rest. */
type Schema = {
  type?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}

/** The validator's first fault, or one for each branch of a union. */
type Problem = { instancePath: string; message?: string | undefined; params: Record<string, unknown> }

type Validate = { (value: unknown): boolean; errors?: Problem[] | null | undefined }
type CompilerOf = (schema: Schema) => Validate

const maxFaults = 20

/**
 * Validates a body by its operation's schema. Validation stops at the first fault; naming faults, by field, stops at the twentieth, which
 * is enough. Codes: `invalid_request` with `fields`.
 */
export function judgeBody(
  schema: NonNullable<Exclude<AppOperation['body'], 'file'>>,
  body: unknown,
  request: FastifyRequest,
): void {
  const compile: CompilerOf = (part) => request.compileValidationSchema(part) as Validate
  if (compile(schema)(body)) return
  const fields = new Map<string, string>()
  for (const { name, fault } of faultsIn(schema, body, { path: '', compile })) {
    if (!fields.has(name)) fields.set(name, fault)
    if (fields.size === maxFaults) break
  }
  throw new ServiceError('invalid_request', { fields: Object.fromEntries(fields) })
}

type Fault = { name: string; fault: string }
type Judging = { path: string; compile: CompilerOf }

const required = 'This field is required.'

/** Its faults, found lazily. Each valid part costs one validation. */
function* faultsIn(schema: Schema, value: unknown, judging: Judging): Generator<Fault> {
  const validate = judging.compile(schema)
  if (validate(value)) return
  const own = validate.errors ?? []
  let found = 0
  for (const fault of faultsInParts(schema, value, judging)) {
    found += 1
    yield fault
  }
  if (found === 0) for (const problem of own) yield faultOf(problem, judging.path)
}

function* faultsInParts(schema: Schema, value: unknown, { path, compile }: Judging): Generator<Fault> {
  const within = (name: string): Judging => ({ path: path === '' ? name : `${path}/${name}`, compile })
  if (schema.type === 'object' && isRecord(value)) {
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(value, name)) yield { name: within(name).path, fault: required }
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name)) yield* faultsIn(part, value[name], within(name))
  }
  const { items } = schema
  if (items === undefined || !isJudgedByItem(schema, value)) return
  for (const [at, item] of value.entries()) yield* faultsIn(items, item, within(String(at)))
}

function isJudgedByItem(schema: Schema, value: unknown): value is unknown[] {
  return schema.type === 'array' && Array.isArray(value) && !isTooLong(schema, value)
}

/** A list that is too long is reported as such, not by its items. */
function isTooLong(schema: Schema & { maxItems?: number }, { length }: readonly unknown[]): boolean {
  return schema.maxItems !== undefined && length > schema.maxItems
}

/** Named by its path: `name`, `events/0`. */
function faultOf({ instancePath, params, message }: Problem, path: string): Fault {
  const missing = typeof params['missingProperty'] === 'string' ? [params['missingProperty']] : []
  const inner = [...instancePath.split('/').slice(1), ...missing]
  const name = [...(path === '' ? [] : [path]), ...inner].join('/')
  return {
    name: name === '' ? 'body' : name,
    fault: missing.length > 0 ? required : `It ${message ?? 'is invalid'}.`,
  }
}
