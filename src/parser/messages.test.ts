import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../contract/errors.ts'
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

  it('defects keep message, stack and code, and are no refusals', () => {
    const defect = Object.assign(new Error('gone'), { code: '57P01' })
    expect(across(defect)).toMatchObject({ message: 'gone', stack: defect.stack, code: '57P01' })
    expect(across(defect)).not.toBeInstanceOf(ServiceError)
  })

  it('anything can be thrown', () => {
    expect(across('words')).toMatchObject({ message: 'words' })
  })
})
