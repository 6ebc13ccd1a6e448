import type { FastifyRequest } from 'fastify'
import { headerText } from '../formats/json/clean.ts'

/** More than any header Node lets through. */
const longestHeader = 16_384

/** A header as its sender wrote it, cleaned; null when absent or blank. */
export function requestHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return headerText(Array.isArray(value) ? value.join(', ') : value, longestHeader)
}

/** A query parameter; of a repeated one the first. Null when absent. */
export function queryText(request: FastifyRequest, name: string): string | null {
  const query: unknown = request.query
  if (typeof query !== 'object' || query === null || !Object.hasOwn(query, name)) return null
  const value = (query as Record<string, unknown>)[name]
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : null
}

/** A parameter of the path; empty when the path has none of this name. */
export function pathText(request: FastifyRequest, name: string): string {
  const params: unknown = request.params
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return ''
  const value = (params as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}
