import { describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { maxDistinctNames, maxUnusualKeys, scanJson, type JsonScan } from './scan.ts'
import { usualKeys, usualShapes } from './unusual-keys.ts'

const scan = (text: string, keys = ['components', 'packages']): JsonScan => scanJson(Buffer.from(text), keys)
const ok = { kind: 'ok', span: null }
const over = (budget: string, listEntries = 0) => ({ kind: 'over_budget', budget, listEntries })
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('the scan before JSON.parse', () => {
  it.each([
    ['nothing', '', ok],
    ['an object', '{"a": [1, {"b": null}]}', ok],
    ['64 levels', nested(limits.jsonDepth), ok],
    ['65 levels', nested(limits.jsonDepth + 1), over('depth')],
    ['objects count as levels', '{"a":'.repeat(limits.jsonDepth + 1), over('depth')],
    ['siblings are no levels', `[${'[[]],'.repeat(100)}1]`, ok],
    ['brackets inside strings', `"${'['.repeat(100)}"`, ok],
    ['a quote after a backslash does not end the string', `"\\"${'['.repeat(100)}"`, ok],
    [
      'a backslash after a backslash does not hide the end of the string',
      `["\\\\",${'['.repeat(100)}`,
      over('depth'),
    ],
    ['a string without end', `"${'['.repeat(100)}`, ok],
    ['a backslash at the end', '"\\', ok],
    ['the containers allowed', `[${'{},'.repeat(limits.jsonContainers - 1)}1]`, ok],
    ['one container more', `[${'{},'.repeat(limits.jsonContainers)}1]`, over('containers')],
    ['the separators allowed', `[${'1,'.repeat(limits.jsonSeparators)}1]`, ok],
    ['one separator more', `[${'1,'.repeat(limits.jsonSeparators + 1)}1]`, over('separators')],
    [
      'colons are separators',
      `[${'{"a":1},'.repeat(limits.jsonContainers - 10)}${'1,'.repeat(limits.jsonSeparators / 2)}${'1,'.repeat(100)}1]`,
      over('separators'),
    ],
    ['separators inside strings', `"${',:'.repeat(limits.jsonSeparators)}"`, ok],
  ])('%s', (_name, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })
})

describe('where a long list lies', () => {
  const filler = 'x'.repeat(25_000)
  const entries = (count: number) =>
    Array.from({ length: count }, (_, at) => `{"n":${at},"t":"[,]${filler}"}`)
  const long = entries(48).join()
  const spanIn = (text: string) => {
    const found = scan(text)
    return found.kind === 'ok' ? found.span : found
  }

  it('is cut between entries, in parts that are long enough to be worth a call', () => {
    const text = `{"a":[1,2],"components":[${long}],"b":{"c":[3]}}`
    const span = spanIn(text)
    if (span === null || 'kind' in span) throw new Error('no span')
    expect(text.slice(0, span.start)).toMatch(/"components":\[$/)
    expect(text.slice(span.start, span.end)).toBe(long)
    expect(span.key).toBe('components')
    const starts = [span.start, ...span.cuts.map(({ at }) => at + 1)]
    const parts = starts.map((start, at) => text.slice(start, span.cuts[at]?.at ?? span.end))
    expect(parts.join()).toBe(long)
    const counts = parts.map((part) => (JSON.parse(`[${part}]`) as unknown[]).length)
    expect(counts).toEqual([...span.cuts.map((cut) => cut.entries), span.lastEntries])
    expect(counts).toEqual(Array.from({ length: 24 }, () => 2))
  })

  it.each([
    ['a short one', `{"components":[${entries(9).join()}]}`],
    ['none', `{"services":[${long}]}`],
    ['one twice', `{"components":[${long}],"components":[]}`],
    ['two of them', `{"packages":[],"components":[${long}]}`],
    ['one in another object', `{"Document":{"packages":[${long}]}}`],
    ['one without an end', `{"components":[${long}`],
    ['no list', `{"components":"${filler.repeat(48)}"}`],
  ])('is not told of %s', (_name, text) => {
    expect(spanIn(text)).toBeNull()
  })
})

describe('different names', () => {
  const list = (count: number, entry: (index: number) => string) =>
    `[${Array.from({ length: count }, (_, index) => entry(index)).join()}]`
  const many = maxDistinctNames * 1.4
  it.each([
    ['many keys', list(many, (index) => `{"k${index}":1}`), over('unusualKeys')],
    ['many short values', list(many, (index) => `"${index}"`), over('names')],
    ['many long values', list(many, (index) => `"value-${index + 10_000}"`), ok],
    ['as many as any real document has', list(maxDistinctNames / 2, (index) => `"${index}"`), ok],
    ['the same key again and again', list(many, () => '{"name":"value"}'), ok],
  ])('%s', (_name, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })
})

describe('objects that are unlike each other', () => {
  const list = (count: number, entry: (index: number) => string) =>
    `[${Array.from({ length: count }, (_, index) => entry(index)).join()}]`
  const table = (keys: number, of = 'k') =>
    list(keys, (index) => `"${of}${index}":{"a":1}`).replace(/^\[|\]$/g, '')
  const many = maxUnusualKeys * 1.1
  it.each([
    ['of a thousand kinds', list(many * 2, (index) => `{"k${index % usualShapes}":1}`), ok],
    ['of five thousand', list(many * 2, (index) => `{"k${index % 5_000}":1}`), over('unusualKeys')],
    [
      'of many kinds, but few objects',
      list(maxUnusualKeys / 4, (index) => `{"a":1,"k${index % 5_000}":1}`),
      ok,
    ],
    ['by the order of their keys', list(many, (index) => orderedBy(index)), over('unusualKeys')],
    ['with numbers as keys', list(many, () => '{"499":1}'), over('unusualKeys')],
    ['a table', `{${table(maxUnusualKeys - 10)}}`, ok],
    ['a larger one', `{${table(many)}}`, over('unusualKeys')],
    ['tables of equal shape', list(2_500, () => `{${table(usualKeys + 1)}}`), over('unusualKeys')],
    ['large objects of equal shape', list(5_000, () => `{${table(usualKeys)}}`), ok],
    ['more closed than opened', `${'}'.repeat(100)}{"a":1}`, ok],
  ])('%s', (_name, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })

  /** One of 5 040 orders of seven keys. */
  function orderedBy(index: number): string {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    let rest = index % 5_040
    const members: string[] = []
    for (let left = keys.length; left > 0; left -= 1) {
      const [key] = keys.splice(rest % left, 1)
      rest = Math.floor(rest / left)
      members.push(`"${key ?? ''}":1`)
    }
    return `{${members.join()}}`
  }
})

describe('entries of a list with a limit of its own', () => {
  const deep = nested(limits.jsonDepth)
  it.each([
    ['of the root object', `{"components":[1,2,3,${deep}`, 4],
    ['with other lists in front and inside', `{"tools":[1,2],"components":[{"a":[1,2],"b":1},2,${deep}`, 3],
    ['of the object inside the root', `{"Document":{"packages":[1,2,${deep}`, 3],
    ['not further below', `{"a":{"b":{"components":[1,2,3,${deep}`, 0],
    ['not under another key', `{"Components":[1,2,3,${deep}`, 0],
    ['an object under the key is no list', `{"components":{"a":1,"b":2,"c":${deep}`, 0],
    ['counted before the list is closed, and kept', `{"components":[1,2],"x":${deep}`, 2],
    ['no list', `[1,2,${deep}`, 0],
  ])('%s', (_name, text, entries) => {
    expect(scan(text)).toEqual(over('depth', entries))
  })
})

describe('XML', () => {
  it.each(['<bom/>', ' \r\n\t<bom/>', '  \ufeff <bom/>', '\ufeff<?xml version="1.0"?>', '<'])(
    '%j',
    (text) => {
      expect(scan(text)).toEqual({ kind: 'xml' })
    },
  )
  it.each(['"<bom/>"', '{"a":"<"}', '\u00a0<bom/>'])('not %j', (text) => {
    expect(scan(text)).toEqual(ok)
  })
})
