import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { parseJson, type JsonPurpose } from './parse.ts'

function refusal(body: string | Uint8Array, purpose: JsonPurpose = 'sbom'): [code: string, detail?: string] {
  try {
    parseJson(typeof body === 'string' ? Buffer.from(body) : body, purpose)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.detail === undefined ? [error.code] : [error.code, error.detail]
  }
  throw new Error('the body was read')
}

describe('what is not JSON', () => {
  it('is located exactly where JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'e9',
      'true',
      'nul',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (list) => {
        const text = list.join('')
        let readable = true
        try {
          JSON.parse(text)
        } catch {
          readable = false
        }
        if (readable) expect(() => parseJson(Buffer.from(text), 'sbom')).not.toThrow()
        else expect(refusal(text)[1]).toMatch(/^line \d+, column \d+: expected /)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('bodies made to be expensive', () => {
  const size = limits.bodyDecompressedBytes
  const fill = (unit: string) => Buffer.alloc(size, unit)
  it.each([
    ['empty objects', fill('{},')],
    ['opening brackets', fill('[')],
    ['quotes', fill('"')],
    ['escaped quotes', Buffer.concat([Buffer.from('"'), fill('\\"')])],
    ['commas', fill(',')],
    ['white space', fill(' ')],
    ['lines', fill('\n')],
    ['digits', fill('1')],
    ['zero bytes', Buffer.alloc(size)],
  ])('50 MB of %s cost seconds, not minutes', (_name, body) => {
    const before = process.threadCpuUsage()
    const [code] = body[0] === 0x31 ? [typeof parseJson(body, 'sbom')] : refusal(body)
    expect(['invalid_json', 'invalid_sbom', 'number']).toContain(code)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(5)
  })
})
