import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { AppOperation } from '../../../contract/operation.ts'
import { decodeUtf8 } from '../../../formats/json/parse.ts'
import { scanJson } from '../../../formats/json/scan.ts'
import type { BodyOwner } from '../../bodies/arriving-bodies.ts'
import type { HttpDeps } from '../../deps.ts'
import { parseJson } from '../../json-body.ts'
import { readBody } from '../../read-body.ts'
import { judgeBody } from './judge-body.ts'
import { keepKnownFields } from './known-fields.ts'

/** Up to this size a body is parsed without estimating the result. */
const shortBytes = 64 * 1024
/** The maximum of characters that begin or separate values, in a longer one: twice as many as the largest draft of an advisory has. */
const maxSigns = 1_000_000

type Asking = { deps: Pick<HttpDeps, 'bodies'>; request: FastifyRequest; owner: BodyOwner }

/**
 * The JSON body of an operation, by its schema; undefined where the operation has none. Call it once the caller's permission is known: no body is
 * read before. The result has nothing that the schema does not name. Codes: those of `readBody`, `invalid_json`, `invalid_request`.
 */
export async function readJsonBody(known: AppOperation, { deps, request, owner }: Asking): Promise<unknown> {
  const { body: schema, bodyBytes: maxBytes } = known
  if (schema === null || schema === 'file') return undefined
  using body = await readBody(request.raw, { maxBytes, bodies: deps.bodies, owner })
  const isLong = body.length > shortBytes
  if (isLong) refuseCostly(body.bytes)
  const text = decodeUtf8(body.bytes)
  body.release()
  // others get their turn between the steps of a long body
  if (isLong) await turn()
  const value = parseJson(text)
  if (isLong) await turn()
  judgeBody(schema, value, request)
  keepKnownFields(schema, value)
  return value
}

/** Codes: `invalid_request`. */
function refuseCostly(bytes: Uint8Array): void {
  const refusal = () =>
    new ServiceError('invalid_request', {
      fields: { body: 'It has too many values or is nested too deeply.' },
    })
  if (scanJson(bytes, []).kind === 'over_budget') throw refusal()
  let signs = 0
  for (const byte of bytes) if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) signs += 1
  if (signs > maxSigns) throw refusal()
}
