import type { FastifyRequest } from 'fastify'
import { isText } from '../json-body.ts'

/** A value of the address's query; empty where it is absent, repeated or no text. */
export function textOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && isText(value) ? value.trim().slice(0, 200) : ''
}
