import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import { JsonObject, kindOf, pointerOf } from './object.ts'

function object(value: unknown): JsonObject {
  const read = JsonObject.root(value, 'invalid_sbom')
  if (!read) throw new Error('not an object')
  return read
}

function detail(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_sbom') return error.detail
    throw error
  }
  throw new Error('nothing was refused')
}

const sample = object({
  text: 'a',
  blank: '',
  nothing: null,
  number: 1,
  list: ['a', 1],
  components: [{ name: 'a' }, { name: 2 }, 'b'],
  inner: { 'a/b~c': 3 },
})

describe('refusals name the place, what was expected and what was found', () => {
  it.each([
    [() => sample.string('number'), '/number: expected a string, found a number'],
    [() => sample.string('missing'), '/missing: expected a string, found nothing'],
    [() => sample.string('nothing'), '/nothing: expected a string, found null'],
    [() => sample.optionalString('list'), '/list: expected a string, found an array'],
    [() => sample.optionalObject('text'), '/text: expected an object, found a string'],
    [() => sample.optionalObject('list'), '/list: expected an object, found an array'],
    [() => sample.optionalArray('inner'), '/inner: expected an array, found an object'],
    [() => sample.optionalStrings('list'), '/list/1: expected a string, found a number'],
    [() => [...sample.objects('components')], '/components/2: expected an object, found a string'],
    [
      () => [...sample.objects('components')].map((entry) => entry.string('name')),
      '/components/2: expected an object, found a string',
    ],
    [
      () => sample.optionalObject('inner')?.string('a/b~c'),
      '/inner/a~1b~0c: expected a string, found a number',
    ],
    [() => sample.refuse('blank', 'a reference'), '/blank: expected a reference, found an empty string'],
  ])('%#', (run, expected) => {
    expect(detail(run)).toBe(expected)
  })

  it('in the order of the document', () => {
    const names = () => {
      for (const component of sample.objects('components')) component.string('name')
    }
    expect(detail(names)).toBe('/components/1/name: expected a string, found a number')
  })
})

describe('absent and null', () => {
  it.each(['missing', 'nothing'])('%s', (key) => {
    expect(sample.optionalString(key)).toBeNull()
    expect(sample.optionalObject(key)).toBeNull()
    expect(sample.optionalArray(key)).toEqual([])
    expect(sample.optionalStrings(key)).toEqual([])
    expect([...sample.objects(key)]).toEqual([])
  })
})

describe('lenient reading takes the wrong kind as absent', () => {
  it('strings, objects and lists', () => {
    expect(sample.lenientString('text')).toBe('a')
    expect(sample.lenientString('number')).toBeNull()
    expect(sample.lenientObject('inner')?.get('a/b~c')).toBe(3)
    expect(sample.lenientObject('list')).toBeNull()
    expect([...sample.lenientObjects('components')].map(({ place }) => pointerOf(place))).toEqual([
      '/components/0',
      '/components/1',
    ])
    expect([...sample.lenientObjects('text')]).toEqual([])
  })
})

describe('hostile keys', () => {
  it('sees own keys only', () => {
    const hostile = object(JSON.parse('{"__proto__":{"name":"inherited"},"constructor":"x"}'))
    expect(hostile.get('name')).toBeUndefined()
    expect(hostile.get('toString')).toBeUndefined()
    expect(hostile.string('constructor')).toBe('x')
    expect(hostile.keys()).toEqual(['__proto__', 'constructor'])
  })
})

it.each([null, 'text', 1, [], undefined])('%j is no object', (value) => {
  expect(JsonObject.root(value, 'invalid_sbom')).toBeUndefined()
})

it.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['', 'an empty string'],
  ['a', 'a string'],
  [1, 'a number'],
  [true, 'a boolean'],
  [[], 'an array'],
  [{}, 'an object'],
])('%j is %s', (value, words) => {
  expect(kindOf(value)).toBe(words)
})
