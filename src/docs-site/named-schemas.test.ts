import { describe, expect, it } from 'vitest'
import { nameSchemas } from './named-schemas.ts'

const receipt = { title: 'Receipt', type: 'object', properties: { title: { type: 'string' } } }

describe('nameSchemas', () => {
  it('moves what has a title to the components, once, and leaves the description with the answer', () => {
    const document = {
      info: { title: 'API' },
      paths: {
        '/a': { 200: { description: 'stored', schema: { ...receipt, description: 'stored' } } },
        '/b': { 200: { schema: { anyOf: [receipt, { type: 'null' }] } } },
      },
    }
    expect(nameSchemas(document)).toEqual({
      info: { title: 'API' },
      paths: {
        '/a': { 200: { description: 'stored', schema: { $ref: '#/components/schemas/Receipt' } } },
        '/b': { 200: { schema: { anyOf: [{ $ref: '#/components/schemas/Receipt' }, { type: 'null' }] } } },
      },
      components: { schemas: { Receipt: receipt } },
    })
  })

  it('names what lies inside of a named schema, and says the type of choices', () => {
    const inner = { title: 'Inner', enum: ['a', 'b'] }
    const document = { paths: { '/a': { title: 'Outer', properties: { inner } } } }
    expect(nameSchemas(document).components).toEqual({
      schemas: {
        Inner: { title: 'Inner', enum: ['a', 'b'], type: 'string' },
        Outer: { title: 'Outer', properties: { inner: { $ref: '#/components/schemas/Inner' } } },
      },
    })
  })

  it('refuses one name for two shapes', () => {
    const document = { paths: { '/a': receipt, '/b': { ...receipt, type: 'string' } } }
    expect(() => nameSchemas(document)).toThrow('Receipt')
  })
})
