import { Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { appUri, newAppSecret, stepOfCode } from './totp.ts'

const secret = Secret.fromLatin1('12345678901234567890').base32
const at = (seconds: number) => new Date(seconds * 1000)

/** RFC 6238, appendix B, the column of SHA-1: of its eight digits, six are the last six. */
const vectors = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const

describe('a code of an app', () => {
  it.each(vectors)('at %i s is %s', (seconds, code) => {
    expect(stepOfCode(secret, code.slice(2), at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it.each([
    [-31, undefined],
    [-30, 1111111110 / 30],
    [0, 1111111110 / 30],
    [29, 1111111110 / 30],
    [59, 1111111110 / 30],
    [60, undefined],
  ])('is accepted one step before and after its own: %i s from its beginning', (after, step) => {
    expect(stepOfCode(secret, '050471', at(1111111110 + after))).toBe(step)
  })

  it.each(['', '05047', '0504711', '٠٥٠٤٧١', '05047a', ' 050471', '-50471', '5e1'])('is not %j', (code) => {
    expect(stepOfCode(secret, code, at(1111111111))).toBeUndefined()
  })
})

it('has a secret of 160 bits, another one each time', () => {
  const secrets = Array.from({ length: 50 }, newAppSecret)
  expect(new Set(secrets).size).toBe(50)
  for (const made of secrets) expect(made).toMatch(/^[A-Z2-7]{32}$/)
})

it('reaches the app with the names of the service and of the account', () => {
  const uri = new URL(appUri({ secret, issuer: 'SBOM Monitor', email: 'olga+x@acme.example' }))
  expect(decodeURIComponent(uri.pathname)).toContain('SBOM Monitor:olga+x@acme.example')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret,
    issuer: 'SBOM Monitor',
    digits: '6',
    period: '30',
    algorithm: 'SHA1',
  })
})
