import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../contract/errors.ts'
import { isStoreAway } from '../platform/postgres/store-away.ts'
import { StoreError } from '../platform/postgres/store-error.ts'
import { errorAnswer, errorOf, type Answer } from './messages.ts'

/** What the other process receives. */
function across(error: unknown): Error {
  const answer = deserialize(serialize(errorAnswer(error))) as Exclude<Answer, { kind: 'done' }>
  return errorOf(answer)
}

describe('errors on their way between the processes', () => {
  it('refusals keep everything', () => {
    const refusal = new ServiceError('rate_limited', {
      message: 'No.',
      detail: 'x',
      fields: { a: 'b' },
      retryAfterSeconds: 3,
    })
    expect(across(refusal)).toBeInstanceOf(ServiceError)
    expect(across(refusal)).toMatchObject({
      code: 'rate_limited',
      message: 'No.',
      detail: 'x',
      fields: { a: 'b' },
      retryAfterSeconds: 3,
    })
  })

  it('absent parts stay absent', () => {
    expect(across(new ServiceError('empty'))).toMatchObject({ detail: undefined, fields: undefined })
  })

  it('a database without a free session is one that is away, worth trying again', () => {
    const refused = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
    const noRoom = new StoreError('no_room', 'PostgreSQL accepted no further session for 10 s', {
      cause: refused,
    })
    expect(isStoreAway(across(noRoom))).toBe(true)
  })

  it('defects keep message, stack and code, and are no refusals', () => {
    const defect = Object.assign(new Error('gone'), { code: '57P01' })
    expect(across(defect)).toMatchObject({ message: 'gone', stack: defect.stack, code: '57P01' })
    expect(across(defect)).not.toBeInstanceOf(ServiceError)
  })

  it('anything can be thrown', () => {
    expect(across('words')).toMatchObject({ message: 'words' })
  })
})
