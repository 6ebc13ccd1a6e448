import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { asRefusal, parseJson, type JsonPurpose } from './parse.ts'

function refusal(body: string | Uint8Array, purpose: JsonPurpose = 'sbom'): [code: string, detail?: string] {
  try {
    parseJson(typeof body === 'string' ? Buffer.from(body) : body, purpose)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.detail === undefined ? [error.code] : [error.code, error.detail]
  }
  throw new Error('the body was read')
}

describe('reading JSON', () => {
  it.each([
    ['{"a":[1,null,"\u00e9"]}', { a: [1, null, '\u00e9'] }],
    ['\ufeff{}', {}],
    [' \n[ ]\n', []],
    ['"text"', 'text'],
    ['1e400', Infinity],
  ])('%j', (text, value) => {
    expect(parseJson(Buffer.from(text), 'sbom')).toEqual(value)
  })

  it('leaves the prototype of objects alone', () => {
    const value = parseJson(Buffer.from('{"__proto__":{"polluted":true}}'), 'sbom')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('what is not JSON', () => {
  it.each([
    ['', 'line 1, column 1: expected a value, found the end of the body'],
    ['\ufeff', 'line 1, column 1: expected a value, found the end of the body'],
    ['{"a":}', 'line 1, column 6: expected a value, found "}"'],
    ['{"a":1,}', 'line 1, column 8: expected a key in double quotes, found "}"'],
    ['{"a" 1}', 'line 1, column 6: expected ":", found "1"'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected "," or "}", found """'],
    ['[1,2', 'line 1, column 5: expected "," or "]", found the end of the body'],
    ['{} {}', 'line 1, column 4: expected the end of the document, found "{"'],
    ['[01]', 'line 1, column 3: expected "," or "]", found "1"'],
    ['["a\nb"]', 'line 1, column 4: expected the end of the string, found the character U+000A'],
    ['["\\x"]', 'line 1, column 4: expected a JSON escape, found "x"'],
    ['["\\u12"]', 'line 1, column 5: expected four hexadecimal digits, found "1"'],
    ['[NaN]', 'line 1, column 2: expected a value, found "N"'],
    ["{'a':1}", 'line 1, column 2: expected a key in double quotes, found "\'"'],
    ['\u00a0{}', 'line 1, column 1: expected a value, found the character U+00A0'],
  ])('%j', (text, detail) => {
    expect(refusal(text)).toEqual(['invalid_json', detail])
  })

  it.each([
    ['with a type first', 'Content-Type: application/json\r\nContent-Disposition: form-data; name="bom"'],
    ['as curl sends it', 'Content-Disposition: form-data; name="file"; filename="bom.json"'],
    ['with names in lower case', 'content-disposition: form-data; name=file'],
  ])('a multipart form, %s', (_name, headers) => {
    const [code, detail] = refusal(
      `--------0123456789abcdef\r\n${headers}\r\n\r\n{}\r\n--------0123456789abcdef--\r\n`,
    )
    expect(code).toBe('invalid_json')
    expect(detail).toMatch(/^the body is a multipart form: send the file itself/)
  })

  it.each([
    ['SPDX tag-value', 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\n', 'an SPDX document as tag-value'],
    [
      'SPDX tag-value after a comment',
      '# Made by hand\r\n\r\nSPDXVersion: SPDX-2.3\r\n',
      'an SPDX document as tag-value',
    ],
    ['SPDX as YAML', 'SPDXID: SPDXRef-DOCUMENT\nspdxVersion: SPDX-2.3\n', 'YAML'],
    ['CycloneDX as YAML', '---\n"bomFormat": CycloneDX\nspecVersion: "1.6"\n', 'YAML'],
    ['SPDX as Turtle', '# SPDX\n@prefix spdx: <http://spdx.org/rdf/terms#> .\n', 'RDF (Turtle)'],
    ['CycloneDX in binary', '\n\u00031.6 \u0001*\u0010', 'CycloneDX as Protocol Buffers'],
  ])('%s', (_name, text, form) => {
    expect(refusal(text)).toEqual(['invalid_json', `the body is ${form}: send it as JSON`])
  })

  it('JSON with a mistake that mentions another form is still JSON', () => {
    expect(refusal('{\nbomFormat: 1}')).toEqual([
      'invalid_json',
      'line 2, column 1: expected a key in double quotes, found "b"',
    ])
  })

  it('binary forms, which need not be UTF-8', () => {
    const zip = Buffer.from('PK\u0003\u0004\u0014\u00e9', 'latin1')
    expect(refusal(zip)[1]).toMatch(/^the body is a zip archive, as spreadsheets are/)
    const buffers = Buffer.from('\n\u00031.6\u00e9', 'latin1')
    expect(refusal(buffers)[1]).toMatch(/^the body is CycloneDX as Protocol Buffers/)
  })

  it.each(['{"a":"0123456789012345678901234567890123456789"}', '{\n  "a":"012345678901234567890123456789"}'])(
    'Base64 of a file',
    (text) => {
      const body = Buffer.from(text).toString('base64')
      expect(refusal(body)).toEqual(['invalid_json', 'the body is Base64: send the file itself'])
    },
  )

  it.each([
    ['little-endian with its mark', Buffer.from('\ufeff{}', 'utf16le')],
    ['big-endian with its mark', Buffer.from('\ufeff{}', 'utf16le').swap16()],
    ['little-endian', Buffer.from('{"a":1}', 'utf16le')],
    ['big-endian', Buffer.from('{"a":1}', 'utf16le').swap16()],
  ])('UTF-16, %s', (_name, bytes) => {
    expect(refusal(bytes)).toEqual(['invalid_json', 'the body is UTF-16: write the file as UTF-8'])
  })

  it.each([
    ['ISO-8859-1', Buffer.from('{"a":"caf\u00e9"}', 'latin1'), 'line 1, column 10', '0xE9'],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'line 1, column 2', '0xED'],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), 'line 1, column 2', '0x8B'],
    ['too many bytes for a character', Uint8Array.of(0x5b, 0xc0, 0xaf), 'line 1, column 2', '0xC0'],
    ['a character cut off', Buffer.from('[\n"Gr\u00fc"').subarray(0, -2), 'line 2, column 4', '0xC3'],
    ['a byte behind many', latin1Behind(70_000), 'line 2, column 70003', '0xFC'],
    ['a byte at the end of a piece', latin1Behind(64 * 1024 - 5), 'line 2, column 65534', '0xFC'],
  ])('%s', (_name, bytes, place, byte) => {
    expect(refusal(bytes)).toEqual(['invalid_json', `${place}: expected UTF-8, found the byte ${byte}`])
  })

  /** On the second line, behind characters of two bytes. */
  function latin1Behind(characters: number): Uint8Array {
    return Buffer.concat([
      Buffer.from(`[\n "${'\u00e9'.repeat(characters)}`),
      Uint8Array.of(0xfc),
      Buffer.from('"]'),
    ])
  }

  it('UTF-16 without a mark', () => {
    expect(refusal(Buffer.from('{}', 'utf16le'))[0]).toBe('invalid_json')
  })
})

describe('XML', () => {
  it.each([
    ['sbom', ['xml_unsupported']],
    ['vex', ['invalid_json', 'the body is XML']],
    ['notification', ['invalid_json', 'the body is XML']],
  ] as const)('as %s', (purpose, expected) => {
    expect(refusal('\ufeff <bom/>', purpose)).toEqual(expected)
  })
})

describe('over a budget', () => {
  const deep = '['.repeat(limits.jsonDepth + 1)
  const list = (key: string, entries: number) => `{"${key}":[${'{},'.repeat(entries - 1)}${deep}`
  it.each([
    ['sbom', deep, ['invalid_sbom', 'more than 64 levels of nesting']],
    ['vex', deep, ['invalid_vex', 'more than 64 levels of nesting']],
    ['notification', deep, ['invalid_notification', 'more than 64 levels of nesting']],
    [
      'sbom',
      `[${'{},'.repeat(limits.jsonContainers)}`,
      ['invalid_sbom', 'more than 2000000 objects and arrays'],
    ],
    ['vex', ','.repeat(limits.jsonSeparators + 1), ['invalid_vex', 'more than 8000000 commas and colons']],
    ['sbom', list('components', limits.components), ['invalid_sbom', 'more than 64 levels of nesting']],
    ['sbom', list('components', limits.components + 1), ['too_many_components']],
    ['sbom', list('packages', limits.components + 1), ['too_many_components']],
    [
      'sbom',
      list('vulnerabilities', limits.components + 1),
      ['invalid_sbom', 'more than 64 levels of nesting'],
    ],
    ['vex', list('vulnerabilities', limits.statements + 1), ['too_many_statements']],
    ['vex', list('statements', limits.statements + 1), ['too_many_statements']],
  ] as const)('%s %#', (purpose, body, expected) => {
    expect(refusal(body, purpose)).toEqual(expected)
  })

  it('is judged before the encoding and the syntax', () => {
    expect(refusal(Buffer.concat([Buffer.from(deep), Uint8Array.of(0xff)]))[0]).toBe('invalid_sbom')
  })

  it('an exhausted engine says the same; other errors stay what they are', () => {
    expect(asRefusal(new RangeError('Maximum call stack size exceeded'), 'vex')).toMatchObject({
      code: 'invalid_vex',
    })
    const defect = new TypeError('defect')
    expect(asRefusal(defect, 'vex')).toBe(defect)
  })
})
