import { describe, expect, test } from 'vitest'
import type { DraftProblemKind, DraftValue, DraftValues } from '../../contract/incidents/report-drafts.ts'
import { checkDraft } from './check-draft.ts'
import { fieldsOf, type DraftStage } from '../../report-forms/forms.ts'
import { textLike } from '../../../test/support/expected.ts'

const early: DraftStage = { regime: 'cra', kind: 'vulnerability', stage: 'early_warning' }
const final: DraftStage = { regime: 'cra', kind: 'vulnerability', stage: 'final_report' }
const inTime = { isLate: false }

/** Something in every field. */
function filled(draft: DraftStage): Record<string, DraftValue> {
  const entries = fieldsOf(draft).map(({ id, input }): [string, DraftValue] => {
    switch (input.kind) {
      case 'text':
        return [id, 'x'.repeat(input.maxCharacters ?? 1)]
      case 'list':
        return [id, ['DE']]
      case 'date_time':
        return [id, '2026-11-02T08:00:00Z']
      case 'yes_no':
        return [id, 'yes']
      case 'choice':
        return [id, input.choices[0]?.value ?? '']
    }
  })
  return Object.fromEntries(entries)
}

type Case = [name: string, draft: DraftStage, field: string, value: DraftValue, problem: DraftProblemKind]

describe('a draft', () => {
  test.each([early, final])('that is filled in has no problem: $stage', (draft) => {
    expect(checkDraft(filled(draft), draft, inTime)).toEqual([])
  })

  test('that is empty misses what the stage requires, in the order of the form', () => {
    const missing = checkDraft({}, early, inTime)
    expect(missing.map(({ field }) => field)).toEqual(['1', '2', '3', '4', '5', '6', '7', 'v26'])
    expect(new Set(missing.map(({ problem }) => problem))).toEqual(new Set(['missing']))
  })

  test('that is empty misses what is required if known', () => {
    const found = checkDraft({}, final, inTime).find(({ field }) => field === 'v27')
    expect(found).toEqual({
      field: 'v27',
      problem: 'missing_if_known',
      message: 'The authority requires this field if you know it.',
    })
  })

  const smile = '😀'
  const cases: Case[] = [
    ['is too long by one', early, '2', 'x'.repeat(256), 'too_long'],
    ['is too long in code points', early, '2', smile.repeat(256), 'too_long'],
    ['is blank', early, '2', ' \n', 'missing'],
    ['is no time', early, 'v26', 'yesterday', 'not_a_time'],
    ['is a day', early, 'v26', '2026-11-02', 'not_a_time'],
    ['is a day that does not exist', early, 'v26', '2026-02-30T08:00:00Z', 'not_a_time'],
    ['is a time that does not exist', early, 'v26', '2026-11-02T25:00:00Z', 'not_a_time'],
    ['is a time without its zone', early, 'v26', '2026-11-02T08:00:00', 'not_a_time'],
    ['is a time in another zone', early, 'v26', '2026-11-02T08:00:00+01:00', 'not_a_time'],
    ['is no choice', early, '1', 'threat', 'not_a_choice'],
    ['is a choice by its label', early, '1', 'Vulnerability', 'not_a_choice'],
    ['is neither yes nor no', early, '11', 'perhaps', 'not_a_choice'],
    ['is no country', early, '5', ['DE', 'XX'], 'unknown_country'],
    ['is a country in small letters', early, '5', ['de'], 'unknown_country'],
    ['is a name of every object', early, '5', ['constructor'], 'unknown_country'],
    ['is an empty list', early, '5', [], 'missing'],
    ['is a text where a list is asked for', early, '5', 'DE', 'wrong_kind'],
    ['is a list where a text is asked for', early, '2', ['x'], 'wrong_kind'],
    ['is a list where a time is asked for', early, 'v26', ['2026-11-02T08:00:00Z'], 'wrong_kind'],
  ]
  test.each(cases)('that %s', (_name, draft, field, value, problem) => {
    const found = checkDraft({ ...filled(draft), [field]: value }, draft, inTime)
    expect(found).toEqual([{ field, problem, message: textLike(/\.$/) }])
  })

  test.each([
    '2026-11-02T08:00Z',
    '2026-11-02T08:00:00Z',
    '2026-11-02T08:00:00.123Z',
    '2028-02-29T23:59:59+00:00',
  ])('takes the time %s', (time) => {
    expect(checkDraft({ ...filled(early), v26: time }, early, inTime)).toEqual([])
  })

  test('counts an emoji as one character', () => {
    expect(checkDraft({ ...filled(early), '2': smile.repeat(255) }, early, inTime)).toEqual([])
  })

  test('says how long a text is, and how long it may be', () => {
    expect(checkDraft({ ...filled(early), '2': 'x'.repeat(300) }, early, inTime)).toEqual([
      { field: '2', problem: 'too_long', message: 'The text has 300 characters; the field takes 255.' },
    ])
  })
})

describe('reasons for the delay of a GDPR notification', () => {
  const draft: DraftStage = { regime: 'gdpr', kind: 'severe_incident', stage: 'notification' }
  const { delay_reasons: reasons, ...others } = filled(draft)
  const check = (values: DraftValues, isLate: boolean) =>
    checkDraft(values, draft, { isLate }).map(({ field }) => field)

  test('are compulsory when it is late', () => {
    expect(check(others, false)).toEqual([])
    expect(check(others, true)).toEqual(['delay_reasons'])
    expect(check({ ...others, delay_reasons: reasons ?? '' }, true)).toEqual([])
  })
})
