import { Type, type TSchema } from 'typebox'
import { errorCodes, type ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { maxDistinctNames, maxUnusualKeys } from '../../formats/json/scan.ts'
import { usualKeys, usualShapes } from '../../formats/json/unusual-keys.ts'

/** Codes with the words of the public documentation. */
export type Refusals = readonly { code: ErrorCode; when: string }[]

const retryAfter = { 'Retry-After': Type.String({ description: 'Whole seconds after which to try again.' }) }
const authenticate = { 'WWW-Authenticate': Type.String({ description: 'The Bearer challenge.' }) }

/** One response per status; its description names the codes of the status and when each is answered. */
export function refusalResponses(refusals: Refusals): Record<string, TSchema> {
  const byStatus = Map.groupBy(refusals, ({ code }) => errorCodes[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [String(status), refusalResponse(status, group)]),
  )
}

/** The shape of every refusal. The description of an operation says which codes it answers with a status. */
const ErrorAnswer = Type.Object(
  {
    error: Type.String({ description: 'Stable code.' }),
    message: Type.String({ description: 'English text.' }),
    detail: Type.Optional(Type.String({ description: 'What was found, and where.' })),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'For `invalid_request`: each missing or invalid field, and what is wrong with it.',
      }),
    ),
  },
  { title: 'Error' },
)

function refusalResponse(status: number, refusals: Refusals): TSchema {
  const description = refusals.map(({ code, when }) => `\`${code}\`: ${when}`).join('\n')
  const headers = status === 401 ? authenticate : status === 429 || status === 500 ? retryAfter : undefined
  return { ...ErrorAnswer, description, ...(headers === undefined ? {} : { headers }) }
}

export const tokenRefusals: Refusals = [
  {
    code: 'unauthorized',
    when: 'the token is missing, invalid, revoked or expired, or its family is archived.',
  },
  { code: 'family_not_found', when: 'the product family of the token was deleted.' },
  {
    code: 'rate_limited',
    when: `over ${limits.requestsPerWindow} requests in the token's hour, which opens with its first counted request. Every authenticated request counts, refused ones and duplicates too.`,
  },
]

export const internal: Refusals = [
  {
    code: 'internal',
    when: 'the service failed, is overloaded, or its database is unavailable. Send the request again.',
  },
]

/** The budgets of a JSON body. */
export const budgetText = `more than ${limits.jsonDepth} levels, ${limits.jsonContainers} objects and arrays, ${limits.jsonSeparators} commas and colons, ${maxDistinctNames} different keys and short values, or ${maxUnusualKeys} keys in objects with over ${usualKeys} keys, with numbers as keys, or unlike the first ${usualShapes} kinds of objects`

/** Further ones of a VEX document. */
export const vexBudgetText = `more than ${limits.vexFurtherProducts} products beside the first of each statement, or more than ${limits.vexCharacters} characters once each statement has what is said of its product`

/** A body that clients send as raw bytes: with this media type generated clients do not build it from an object. */
export const rawFile = Type.String({
  format: 'binary',
  description:
    'The file as it is on disk, plain or compressed; compression is recognised without Content-Encoding too.',
})
