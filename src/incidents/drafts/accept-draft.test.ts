import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import { draftLimits } from '../../contract/incidents/report-drafts.ts'
import { acceptDraft } from './accept-draft.ts'
import type { DraftStage } from '../../report-forms/forms.ts'

const draft: DraftStage = { regime: 'cra', kind: 'vulnerability', stage: 'early_warning' }

function fieldsRefused(values: unknown): Record<string, string> | undefined {
  try {
    acceptDraft(values, draft)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.fields
    throw error
  }
  return undefined
}

const tooMany = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field ${at}`, 'x']))
const hugeList = Array.from({ length: draftLimits.listItems + 1 }, () => 'DE')

describe('what can be saved', () => {
  test('is kept without blank ends, empty values, and line ends of other systems', () => {
    const sent = {
      '2': ' A title ',
      '3': 'one\r\ntwo\rthree\vfour\ffive\u0085six',
      '5': ['DE', ' DE ', '', 'NO'],
      '6': ' ',
      '7': null,
    }
    expect(acceptDraft(sent, draft)).toEqual({
      '2': 'A title',
      '3': 'one\ntwo\nthree\nfour\nfive\nsix',
      '5': ['DE', 'NO'],
    })
  })

  test('may be what the authority would not take', () => {
    const sent = { '2': 'x'.repeat(300), '5': ['XX'], v26: 'yesterday', '1': 'threat' }
    expect(acceptDraft(sent, draft)).toEqual(sent)
  })

  test('may be as long as the limit in code points', () => {
    const longest = '😀'.repeat(draftLimits.textCharacters)
    expect(acceptDraft({ '3': longest }, draft)).toEqual({ '3': longest })
  })
})

describe('what is refused', () => {
  const table: [name: string, values: unknown, field: string, words: RegExp][] = [
    ['nothing', undefined, 'values', /object/],
    ['a list', [], 'values', /object/],
    ['a text', 'x', 'values', /object/],
    ['more fields than there are', tooMany, 'values', /28 fields/],
    ['an unknown field', { v99: 'x' }, 'v99', /no such field/],
    ['a field of another stage', { '18': 'x' }, '18', /no such field/],
    ['a field of another kind', { i31: 'yes' }, 'i31', /no such field/],
    ['a name of every object', { constructor: 'x' }, 'constructor', /no such field/],
    ['the prototype', JSON.parse('{"__proto__": "x"}'), '__proto__', /no such field/],
    ['a number', { '2': 1 }, '2', /text is required/],
    ['an object', { '2': { length: 0 } }, '2', /text is required/],
    ['a list in a text', { '2': ['x'] }, '2', /text is required/],
    ['a text in a list', { '5': 'DE' }, '5', /list is required/],
    ['a number in a list', { '5': [1] }, '5', /text/],
    ['too long a text', { '3': 'x'.repeat(draftLimits.textCharacters + 1) }, '3', /At most 20000/],
    ['too long an item', { '5': ['x'.repeat(101)] }, '5', /At most 100/],
    ['too many items', { '5': hugeList }, '5', /At most 60/],
    ['NUL', { '2': 'a\0b' }, '2', /not text/],
    ['a control character', { '2': 'a\u0007b' }, '2', /not text/],
    ['a control character of the upper half', { '2': 'a\u009bb' }, '2', /not text/],
    ['half of a surrogate pair', { '2': 'a\ud83d' }, '2', /not text/],
    ['half of a surrogate pair in a list', { '5': ['\udc00'] }, '5', /not text/],
  ]
  test.each(table)('%s', (_name, values, field, words) => {
    const fields = fieldsRefused(values) ?? {}
    expect(Object.keys(fields)).toEqual([field])
    expect(Object.getOwnPropertyDescriptor(fields, field)?.value).toMatch(words)
  })

  test('every field at once', () => {
    expect(Object.keys(fieldsRefused({ '2': 1, v99: 'x', '5': 'DE' }) ?? {}).sort()).toEqual([
      '2',
      '5',
      'v99',
    ])
  })
})
