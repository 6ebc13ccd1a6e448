import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { ServiceError } from '../../src/contract/errors.ts'
import type { JudgeAnswer } from '../../src/http/operation.ts'
import { closed } from './closed-schema.ts'
// whatever asks for an answer comes by here
import './keep-connections.ts'

const misfit = 'The answer does not fit its schema: '
/** Enough to see the problem; the rest follows from it or repeats it. */
const maxFaults = 5

const validators = new Map<TSchema, Validator>()

/** Refuses answers that the operation's schema does not describe, field for field: the test sees the problems. */
export const judgeAnswer: JudgeAnswer = ({ name, method, url, answerSchema }, status, answer) => {
  const schema = answerSchema?.(status)
  if (schema === undefined || answer === undefined) return
  const sent: unknown = JSON.parse(JSON.stringify(answer))
  const faults = faultsIn(schema, sent)
  if (faults.length === 0) return
  throw new ServiceError('internal', {
    message: `${misfit}${name ?? ''} (${method} ${url}): ${faults.join('; ')}`,
  })
}

/** The answer, unless `judgeAnswer` refused it. */
export function refuseMisfit<Answer extends { status: number; body: unknown }>(answer: Answer): Answer {
  const { message } = (answer.body ?? {}) as { message?: unknown }
  if (answer.status === 500 && typeof message === 'string' && message.startsWith(misfit))
    throw new Error(message)
  return answer
}

/** The problems, each with path, expected and actual value; for a union, of the nearest branch. */
export function faultsIn(schema: TSchema, value: unknown): string[] {
  const validator = validators.get(schema) ?? Compile(closed(schema))
  validators.set(schema, validator)
  if (validator.Check(value)) return []
  const errors = validator.Errors(value).filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'boolean')
  const depth = Math.max(...errors.map(({ instancePath }) => depthOf(instancePath)))
  const nearest = errors.filter(({ instancePath }) => depthOf(instancePath) === depth)
  return nearest.slice(0, maxFaults).map(({ instancePath, message, params }) => {
    const place = instancePath === '' ? 'body' : instancePath.slice(1)
    return `${place} ${message} ${JSON.stringify(params)}, found ${shown(valueAt(value, instancePath))}`
  })
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200)
}

function depthOf(pointer: string): number {
  return pointer.split('/').length
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value)
}
