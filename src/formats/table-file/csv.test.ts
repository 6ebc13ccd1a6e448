import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { csvLine, type Cell } from './csv.ts'

/** RFC 4180, section 2, as a program reads it that knows nothing of ours: lines of cells, quotes taken off. */
function read(text: string): string[][] {
  const lines: string[][] = [[]]
  let [cell, isQuoted] = ['', false]
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at)
      else isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === ',') [cell] = ['', lines.at(-1)?.push(cell)]
    else if (text.startsWith('\r\n', at)) {
      lines.at(-1)?.push(cell)
      lines.push([])
      ;[cell, at] = ['', at + 1]
    } else cell += character
  }
  return lines.slice(0, -1)
}

const signs = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

describe('a line of CSV', () => {
  it.each<[string, Cell[], string]>([
    ['texts are quoted', ['a', 'b c'], '"a","b c"\r\n'],
    ['quotes are doubled', ['say "hi"'], '"say ""hi"""\r\n'],
    ['commas and line ends stay inside', ['a,b', 'c\r\nd'], '"a,b","c\r\nd"\r\n'],
    ['nothing is an empty cell, an empty text too', [null, ''], ',""\r\n'],
    ['numbers and truths are no texts', [-1.5, 0, true], '-1.5,0,true\r\n'],
    ['a formula', ['=1+1'], `"'=1+1"\r\n`],
    ['a command', ["+cmd|' /C calc'!A0"], `"'+cmd|' /C calc'!A0"\r\n`],
    ['a minus', ['-2+3'], `"'-2+3"\r\n`],
    ['an at sign', ['@SUM(A1)'], `"'@SUM(A1)"\r\n`],
    ['a purl in a scope has none at its beginning', ['pkg:npm/@acme/pump'], '"pkg:npm/@acme/pump"\r\n'],
    ['spaces before the sign', ['  =1'], `"'  =1"\r\n`],
    ['what is not seen before the sign', ['\u200b\u202e=1'], `"'\u200b\u202e=1"\r\n`],
    ['a tab', ['\tx'], `"'\tx"\r\n`],
    ['a carriage return', ['\rx'], `"'\rx"\r\n`],
    ['the wide sign', ['＝1'], `"'＝1"\r\n`],
    ['a cell of a file that is cut at semicolons', ['a;=1'], `"a;'=1"\r\n`],
    ['a line of a file whose quotes are not understood', ['a\n=1'], `"a\n'=1"\r\n`],
  ])('%s', (_rule, cells, line) => {
    expect(csvLine(cells)).toBe(line)
  })

  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...signs, '"', ',', ';', ' ', 'a', "'", '\0', '\u202e') }),
  )

  it('reads back as the texts it was made of, but for the apostrophes', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
        const lines = read(csvLine(texts))
        expect(lines).toHaveLength(1)
        expect(lines[0]).toHaveLength(texts.length)
        const bare = (given: string) => given.replaceAll("'", '')
        expect(lines[0]?.map(bare)).toEqual(texts.map(bare))
      }),
      { numRuns: 2_000 },
    )
  })

  it('begins no cell with what a spreadsheet would calculate, whatever separator it takes', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
        const line = csvLine(texts)
        for (const cell of read(line)[0] ?? []) expect(signs).not.toContain(cell.trimStart().charAt(0) || 'a')
        for (const part of line.split(/[;\t\r\n]/)) {
          expect(signs).not.toContain(part.replace(/^ {0,8}/, '').charAt(0) || 'a')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
