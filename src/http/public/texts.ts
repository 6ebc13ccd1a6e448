import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { headerText } from '../../formats/json/clean.ts'

/** More than any header Node lets through. */
const maxHeaderCharacters = 16_384

/** A header as its sender wrote it, cleaned; null when absent or blank. */
export function requestHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return headerText(Array.isArray(value) ? value.join(', ') : value, maxHeaderCharacters)
}

/** A query parameter; of a repeated one the first. Its bytes are read as UTF-8, else as ISO-8859-1. Null when absent. */
export function queryText(request: FastifyRequest, name: string): string | null {
  const start = request.url.indexOf('?')
  const pairs = start === -1 ? [] : request.url.slice(start + 1).split('&')
  for (const pair of pairs) {
    const [key = '', ...value] = pair.split('=')
    if (decoded(key) === name) return decoded(value.join('='))
  }
  return null
}

function decoded(text: string): string {
  const bytes = Buffer.from(
    text
      .replaceAll('+', ' ')
      .replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    'latin1',
  )
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

/** A parameter of the path; empty when the path has none of this name. */
export function pathText(request: FastifyRequest, name: string): string {
  const params: unknown = request.params
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return ''
  const value = (params as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}
