import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { readParameters, readQuery } from './read-address.ts'

const id = '0190a000-0000-7000-8000-000000000001'
const kinds = {
  search: 'text',
  family: 'id',
  version: 'id_or_none',
  number: 'number',
  sort: ['name', '-name'],
} as const

const asked = (query: object, params: object = {}) => ({ query, params }) as unknown as FastifyRequest

describe('the query', () => {
  it.each([
    [{ search: 'pump' }, { search: 'pump' }],
    [{ search: '' }, {}],
    [{ other: 'x' }, {}],
    [
      { family: id, version: id },
      { family: id, version: id },
    ],
    [{ version: 'none' }, { version: 'none' }],
    [{ number: '12' }, { number: 12 }],
    [{ sort: '-name' }, { sort: '-name' }],
  ])('%j is read as %j', (given, read) => {
    expect(readQuery({ query: kinds }, asked(given))).toEqual(read)
  })

  it.each([
    [{ search: ['a', 'b'] }, { search: 'Expected one value.' }],
    [{ search: 'a\0' }, { search: 'It contains a character that is not text.' }],
    [{ family: 'none' }, { family: 'Expected an id.' }],
    [{ version: 'x' }, { version: 'Expected an id.' }],
    [{ number: '0' }, { number: 'Expected a whole number from 1.' }],
    [{ number: '1e3' }, { number: 'Expected a whole number from 1.' }],
    [{ sort: 'size' }, { sort: 'Expected one of name, -name.' }],
  ])('%j is refused: %j', (given, fields) => {
    expect(() => readQuery({ query: kinds }, asked(given))).toThrow(
      expect.objectContaining({ code: 'invalid_request', fields }),
    )
  })
})

describe('the parameters', () => {
  it('are ids unless the operation says otherwise', () => {
    const params = { slug: 'acme', vulnerability: 'CVE-2024-1', family: id }
    expect(readParameters({ textParameters: ['vulnerability'] }, asked({}, params))).toEqual(params)
  })

  it('that are not ids name nothing', () => {
    const params = { slug: 'acme', family: 'x' }
    expect(() => readParameters({ textParameters: [] }, asked({}, params))).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
  })
})
