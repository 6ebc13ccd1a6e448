import { describe, expect, it } from 'vitest'
import { errorWords } from './error-words.ts'
import { ApiFailure } from './request.ts'

describe('errorWords', () => {
  it('says what happened, what to do, and folds the technical part', () => {
    const failure = new ApiFailure({
      code: 'conflict',
      status: 409,
      message: 'The family is archived.',
      detail: 'archived yesterday',
    })
    expect(errorWords(failure)).toEqual({
      what: 'The family is archived.',
      next: 'Someone may have changed it in the meantime. Reload the page to see the current state.',
      detail: '409 · conflict · archived yesterday',
    })
  })

  it.each([
    [undefined, 'Nothing was changed.'],
    [5, 'Try again in 5 s.'],
  ])(
    'tells of what the operator has to put right only to try again where it says when: %s s',
    (seconds, next) => {
      const failure = new ApiFailure({
        code: 'not_configured',
        message: 'The original cannot be read now.',
        ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      })
      expect(errorWords(failure).next).toBe(next)
    },
  )

  it.each([
    [undefined, 'Wait a moment, then try again.'],
    [30, 'Try again in 30 s.'],
    [61, 'Try again in 2 min.'],
  ])('names the wait of a rate limit: %s s', (seconds, next) => {
    const failure = new ApiFailure({
      code: 'rate_limited',
      message: 'Too many.',
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    })
    expect(errorWords(failure).next).toBe(next)
  })

  it('has words for a failure that is not a refusal', () => {
    expect(errorWords(new TypeError('x is undefined')).detail).toBe('x is undefined')
    expect(errorWords('odd').detail).toBeNull()
  })
})
