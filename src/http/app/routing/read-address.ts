import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { AppOperation, QueryKind } from '../../../contract/operation.ts'
import { isId } from '../../../platform/random.ts'
import { notText } from '../../../platform/input-reader.ts'
import { isText } from '../../json-body.ts'

/** The parameters of the path; an id that is no UUID names nothing. Codes: `not_found`. */
export function readParameters(
  { textParameters }: Pick<AppOperation, 'textParameters'>,
  request: FastifyRequest,
): Record<string, string> {
  const params = request.params as Record<string, string>
  for (const [name, value] of Object.entries(params)) {
    if (name === 'slug' || textParameters.includes(name)) continue
    if (!isId(value)) throw new ServiceError('not_found')
  }
  return params
}

/** The known values of the query; undefined when absent or empty. Codes: `invalid_request`. */
export function readQuery(
  { query }: Pick<AppOperation, 'query'>,
  request: FastifyRequest,
): Record<string, string | number | undefined> {
  const given = request.query as Record<string, string | string[] | undefined>
  return Object.fromEntries(
    Object.entries(query).map(([name, kind]) => [name, valueOf(name, kind, given[name])]),
  )
}

type Refusal = { refused: string }

function valueOf(
  name: string,
  kind: QueryKind,
  given: string | string[] | undefined,
): string | number | undefined {
  if (given === undefined || given === '') return undefined
  const value = Array.isArray(given) ? { refused: 'Expected one value.' } : readAs(kind, given)
  if (typeof value !== 'object') return value
  throw new ServiceError('invalid_request', { fields: { [name]: value.refused } })
}

function readAs(kind: QueryKind, text: string): string | number | Refusal {
  if (!isText(text)) return { refused: notText }
  if (kind === 'text' || (kind === 'id_or_none' && text === 'none')) return text
  if (kind === 'number') {
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : { refused: 'Expected a whole number from 1.' }
  }
  if (kind === 'id' || kind === 'id_or_none') {
    return isId(text) ? text : { refused: 'Expected an id.' }
  }
  return kind.includes(text) ? text : { refused: `Expected one of ${kind.join(', ')}.` }
}
