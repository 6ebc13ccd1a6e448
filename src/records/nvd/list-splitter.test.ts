import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RefusedData } from '../../source-files/refused-data.ts'
import { objectIn } from '../../../test/support/read-as.ts'
import { ListSplitter } from './list-splitter.ts'

/** Entries and surroundings of a document given in pieces that end at these places. */
function split(
  text: string | Buffer,
  ends: readonly number[] = [],
): { entries: unknown[]; envelope: unknown } {
  const bytes = Buffer.from(text)
  const splitter = new ListSplitter('vulnerabilities')
  const entries: unknown[] = []
  let start = 0
  for (const end of [...[...ends].sort((a, b) => a - b), bytes.length]) {
    // a piece of its own, so that nothing is read outside of it
    const piece = Buffer.from(bytes.subarray(start, end))
    for (const entry of splitter.push(piece)) entries.push(JSON.parse(entry.toString('utf8')))
    start = Math.max(start, Math.min(end, bytes.length))
  }
  return { entries, envelope: splitter.finish() }
}

const nasty = '{"a":"}],\\"{[\\\\","b":[[{"c":"]}"}]],"vulnerabilities":[{"x":1}]}'
const feed = ` {"n" : 2, "vulnerabilities" : [ ${nasty} , {} ], "after":{"list":[1,[2]]} }\n`

describe('ListSplitter', () => {
  it('cuts out entries, whatever is in their strings, and leaves the rest', () => {
    expect(split(feed)).toEqual({
      entries: [JSON.parse(nasty), {}],
      envelope: { n: 2, vulnerabilities: [], after: { list: [1, [2]] } },
    })
  })

  it('gives the same for pieces of one byte, and past a byte-order mark', () => {
    const bytes = Buffer.from(`\ufeff${feed}`)
    expect(
      split(
        bytes,
        Array.from(bytes, (_, index) => index),
      ),
    ).toEqual(split(feed))
  })

  it('finds what JSON.parse finds, however the document is laid out and cut', () => {
    const entries = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 }), {
      maxLength: 6,
    })
    const layout = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(
        entries,
        fc.jsonValue({ maxDepth: 3 }),
        layout,
        fc.array(fc.nat(3_000)),
        (list, more, space, ends) => {
          const text = JSON.stringify({ before: more, vulnerabilities: list, after: more }, null, space)
          const expected = objectIn(text)
          expect(split(text, ends)).toEqual({
            entries: expected['vulnerabilities'],
            envelope: { ...expected, vulnerabilities: [] },
          })
        },
      ),
      { numRuns: 300 },
    )
  })

  it('refuses a document cut off anywhere', () => {
    for (let end = 0; end < feed.trimEnd().length; end += 1) {
      expect(() => split(feed.slice(0, end)), feed.slice(0, end)).toThrow(RefusedData)
    }
  })

  it.each<[what: string, text: string, message: string]>([
    ['nothing', '', 'found nothing'],
    ['a page', '<!DOCTYPE html><p>"vulnerabilities": [</p>', 'found an HTML page'],
    ['a large page', `<html>${'x'.repeat(100_000)}`, 'found an HTML page'],
    ['no list of that name', '{"other":[{}]}', 'found content beginning "{"other"'],
    ['a list further inside', '{"data":{"vulnerabilities":[{}]}}', 'found content beginning'],
    ['a list at the root', '[{"vulnerabilities":[{}]}]', 'found content beginning'],
    ['two lists', '{"vulnerabilities":[{}],"vulnerabilities":[{}]}', 'found two'],
    ['no comma between entries', '{"vulnerabilities":[{}{}]}', 'another sign'],
    ['two commas between entries', '{"vulnerabilities":[{},,{}]}', 'another sign'],
    ['a comma at the end', '{"vulnerabilities":[{},]}', 'another sign'],
    ['a comma at the beginning', '{"vulnerabilities":[,{}]}', 'another sign'],
    ['an entry that is no object', '{"vulnerabilities":[{},1]}', 'another sign'],
    ['text after the end', '{"vulnerabilities":[{}]} {}', 'a mistake outside its entries'],
    ['a mistake around the list', '{"vulnerabilities":[{}],}', 'a mistake outside its entries'],
    ['deep nesting', `{"vulnerabilities":[{"a":${'['.repeat(100)}`, 'deeper than 64'],
    ['deep nesting outside', '{"a":'.repeat(100), 'deeper than 64'],
  ])('refuses %s', (_what, text, message) => {
    expect(() => split(text)).toThrow(message)
    expect(() => split(text)).toThrow(RefusedData)
  })

  it('refuses an entry that never ends, before it is held whole', () => {
    const splitter = new ListSplitter('vulnerabilities')
    splitter.push(Buffer.from('{"vulnerabilities":[{"a":"'))
    const megabyte = Buffer.alloc(1024 ** 2, 'x')
    const fill = () => {
      for (let count = 0; count < 17; count += 1) splitter.push(megabyte)
    }
    expect(fill).toThrow('an NVD entry is larger than 16777216 bytes')
  })

  it('stays quick where a list begins again and again', () => {
    const many = `{${'"a":[],'.repeat(9_000)}"vulnerabilities":[]}`
    expect(split(many).entries).toEqual([])
    expect(() => split(`{${'"a":[],'.repeat(1_000_000)}`)).toThrow(RefusedData)
  })
})
