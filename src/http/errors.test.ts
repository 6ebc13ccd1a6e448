import { describe, expect, it } from 'vitest'
import { ServiceError } from '../contract/errors.ts'
import { OutboundError } from '../platform/outbound/outbound-error.ts'
import { answerFor } from './errors.ts'

const coded = (code: string, fields: Record<string, unknown> = {}) =>
  Object.assign(new Error('secret words'), { code, ...fields })

describe('refusals', () => {
  type Row = [name: string, error: unknown, status: number, code: string]
  const rows: Row[] = [
    ['a refusal of ours', new ServiceError('billing_lapsed'), 402, 'billing_lapsed'],
    ['a malformed address', coded('FST_ERR_BAD_URL', { statusCode: 400 }), 404, 'not_found'],
    [
      'a parameter that is too long',
      coded('FST_ERR_MAX_PARAM_LENGTH', { statusCode: 414 }),
      404,
      'not_found',
    ],
    [
      'a JSON body that is too large',
      coded('FST_ERR_CTP_BODY_TOO_LARGE', { statusCode: 413 }),
      413,
      'too_large',
    ],
    ['headers that are too large', coded('HPE_HEADER_OVERFLOW'), 431, 'headers_too_large'],
    ['a request that never finishes', coded('ERR_HTTP_REQUEST_TIMEOUT'), 408, 'timeout'],
    ['any other fault of the client', coded('FST_ERR_OTHER', { statusCode: 400 }), 400, 'invalid_request'],
  ]
  it.each(rows)('%s', (_name, error, status, code) => {
    const answer = answerFor(error)
    expect(answer).toMatchObject({ status, body: { error: code }, isDefect: false })
    expect(JSON.stringify(answer.body)).not.toContain('secret words')
  })

  it('keep message, detail and the time to wait', () => {
    const error = new ServiceError('rate_limited', {
      message: 'Slowly.',
      detail: '60 an hour',
      retryAfterSeconds: 7,
    })
    expect(answerFor(error)).toMatchObject({
      body: { error: 'rate_limited', message: 'Slowly.', detail: '60 an hour' },
      retryAfterSeconds: 7,
    })
  })

  it('of validation name each field once', () => {
    const validation = [
      { instancePath: '', params: { missingProperty: 'name' }, message: 'must have required property' },
      { instancePath: '/events/0', params: {}, message: 'must be string' },
      { instancePath: '/events/0', params: {}, message: 'must be equal to one of the allowed values' },
      { instancePath: '', params: {}, message: 'must be object' },
    ]
    expect(answerFor(coded('FST_ERR_VALIDATION', { validation })).body).toEqual({
      error: 'invalid_request',
      message: 'Some fields are missing or invalid.',
      fields: {
        name: 'This field is required.',
        'events/0': 'It must be string.',
        body: 'It must be object.',
      },
    })
  })

  it('a field named __proto__ is a field like any other', () => {
    const validation = [{ instancePath: '/__proto__', params: {}, message: 'must be string' }]
    const { fields } = answerFor(coded('FST_ERR_VALIDATION', { validation })).body
    expect(Object.entries(fields ?? {})).toEqual([['__proto__', 'It must be string.']])
  })
})

describe('defects', () => {
  it.each([
    ['a bug', new TypeError('secret words')],
    ['no error at all', 'secret words'],
    ['a constraint of the store', coded('23505')],
    ['a missing file', coded('ENOENT', { syscall: 'open' })],
    ['another host away', new OutboundError('connect_failed', coded('ECONNREFUSED'))],
  ])('%s is internal and says nothing', (_name, error) => {
    const answer = answerFor(error)
    expect(answer).toMatchObject({
      status: 500,
      body: { error: 'internal' },
      isDefect: true,
      retryAfterSeconds: undefined,
    })
    expect(JSON.stringify(answer.body)).not.toContain('secret words')
  })

  it.each([
    ['refused', coded('ECONNREFUSED')],
    ['its socket gone', Object.assign(new Error('connect ENOENT /s'), { code: 'ENOENT' })],
    ['shutting down', coded('57P01')],
    ['full', coded('53300')],
    ['its disk full', coded('53100')],
    ['a session that idled too long', coded('25P03')],
    ['a lock held too long', coded('55P03')],
    ['the pool exhausted', new Error('timeout exceeded when trying to connect')],
    ['behind a cause', new Error('cannot store', { cause: coded('ECONNRESET') })],
  ])('the store away (%s) says when to come back', (_name, error) => {
    expect(answerFor(error)).toMatchObject({ status: 500, retryAfterSeconds: 5 })
  })
})
