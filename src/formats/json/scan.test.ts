import { describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { maxDistinctNames, scanJson } from './scan.ts'
import type { JsonScan } from './scan.ts'

const scan = (text: string, keys = ['components', 'packages']): JsonScan => scanJson(Buffer.from(text), keys)
const ok = { kind: 'ok' }
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
    ['colons are separators', `{${'"a":1,'.repeat(limits.jsonSeparators / 2)}"b":1}`, over('separators')],
    ['separators inside strings', `"${',:'.repeat(limits.jsonSeparators)}"`, ok],
  ])('%s', (_name, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })
})

describe('different names', () => {
  const list = (count: number, entry: (index: number) => string) =>
    `[${Array.from({ length: count }, (_, index) => entry(index)).join()}]`
  const many = maxDistinctNames * 1.4
  it.each([
    ['many keys', list(many, (index) => `{"${index}":1}`), over('names')],
    ['many long keys', list(many, (index) => `{"a key with more letters ${index}":1}`), over('names')],
    ['many short values', list(many, (index) => `"${index}"`), over('names')],
    ['many long values', list(many, (index) => `"value-${index + 10_000}"`), ok],
    ['as many as any real document has', list(maxDistinctNames / 2, (index) => `"${index}"`), ok],
    ['the same key again and again', list(many, () => '{"name":"value"}'), ok],
  ])('%s', (_name, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })
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
