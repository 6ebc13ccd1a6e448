import { expect, test } from 'vitest'
import { draftCharacters, draftFieldText, draftText } from './report-draft-text.ts'
import type { DraftField, DraftInput, DraftValue } from './report-drafts.ts'

const choice: DraftInput = { kind: 'choice', choices: [{ value: 'incident', label: 'Incident' }] }

test.each<[DraftInput, DraftValue, string]>([
  [{ kind: 'text', maxCharacters: 255 }, 'one\ntwo', 'one\ntwo'],
  [{ kind: 'list' }, ['DE', 'NO', 'XX'], 'Germany (DE), Norway (NO), XX'],
  [{ kind: 'date_time' }, '2026-11-02T08:00:00Z', '2026-11-02T08:00:00Z'],
  [{ kind: 'yes_no' }, 'yes', 'Yes'],
  [{ kind: 'yes_no' }, 'perhaps', 'perhaps'],
  [choice, 'incident', 'Incident'],
  [choice, 'other', 'other'],
])('a field %j with %j is copied as %j', (input, value, text) => {
  expect(draftFieldText(input, value)).toBe(text)
})

const fields: DraftField[] = [
  { id: '2', number: '2', label: 'Title', help: '', input: { kind: 'text', maxCharacters: 255 } },
  { id: '3', number: '3', label: 'Summary', help: '', input: { kind: 'text', maxCharacters: 4000 } },
  { id: '5', number: '5', label: 'Member States', help: '', input: { kind: 'list' } },
  { id: 'contact', number: null, label: 'Contact', help: '', input: { kind: 'text', maxCharacters: null } },
]

test('a draft is copied as its labels and values, in the order of the form, without empty fields', () => {
  const values = { contact: 'security@acme.example', '5': [], '3': 'one\n\ntwo', '2': 'A title' }
  expect(draftText(fields, values)).toBe(
    ['2 Title: A title', '3 Summary:', '  one', '', '  two', 'Contact: security@acme.example'].join('\n'),
  )
})

test('characters are code points', () => {
  expect(draftCharacters('a😀')).toBe(2)
})
