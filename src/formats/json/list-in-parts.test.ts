import { describe, expect, it } from 'vitest'
import {
  longDocument,
  longEntries,
  outcomeInParts,
  outcomeWhole,
  readInParts,
} from '../../../test/support/long-list.ts'
import { ServiceError } from '../../contract/errors.ts'
import { parseJson, readJson } from './parse.ts'

describe('a body with a long list', () => {
  it.each([
    ['as most are', longDocument()],
    ['with a byte-order mark', `\ufeff${longDocument()}`],
    ['with white space around the list', longDocument().replace('[{', '[ \n{').replace('}]', '}\t]')],
    ['at its end', longDocument(undefined, '}')],
  ])('%s is read in parts, with the same value', (_name, body) => {
    expect(readInParts(body)).toEqual({ value: parseJson(Buffer.from(body), 'sbom'), parts: [true] })
  })

  it.each([
    [
      'a key that is spelled otherwise replaces it',
      longDocument(undefined, String.raw`,"component\u0073":[1]}`),
    ],
    ['it is not in the root object', `{"Document":${longDocument()}}`],
  ])('is read whole where %s', (_name, body) => {
    const { value, parts } = readInParts(body)
    expect(value).toEqual(parseJson(Buffer.from(body), 'sbom'))
    expect(parts.at(-1)).toBe(false)
  })

  it('is read whole where it is refused, since a mistake behind that goes before it', () => {
    const read = (body: string) =>
      readJson(Buffer.from(body), 'sbom', () => {
        throw new ServiceError('invalid_sbom')
      })
    expect(() => read(longDocument())).toThrow(expect.objectContaining({ code: 'invalid_sbom' }))
    expect(() => read(longDocument(undefined, ''))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })

  it.each([
    ['a comma too many', longDocument(`${longEntries.join()},`)],
    ['no entry between two commas', longDocument(longEntries.join(',,'))],
    ['an entry that is none', longDocument(longEntries.join().replace('"n7"', 'n7'))],
    ['a list that is closed and opened again', longDocument(longEntries.join(']],[['))],
    ['a byte-order mark before an entry', longDocument(longEntries.join(',\ufeff'))],
    ['a brace where the bracket should be', longDocument().replace('}],"v', '}},"v')],
    ['more behind its end', `${longDocument()}{}`],
    ['no end', longDocument(undefined, '')],
  ])('is refused for %s as a short one is', (_name, body) => {
    const whole = outcomeWhole(body)
    expect(whole).toMatchObject({ refused: 'invalid_json' })
    expect(outcomeInParts(body)).toEqual(whole)
  })
})
