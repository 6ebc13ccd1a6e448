import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { doraFactIds } from '../../contract/incidents/dora-facts.ts'
import { catalogues } from '../../contract/findings/shapes.ts'
import { memberStates } from '../../contract/incidents/member-states.ts'
import type { DraftValues } from '../../contract/incidents/report-drafts.ts'
import { severities } from '../../contract/severities.ts'
import { clockRules } from '../clocks/rules.ts'
import { acceptDraft } from './accept-draft.ts'
import { checkDraft } from './check-draft.ts'
import type { DraftFacts } from './draft-facts.ts'
import { fieldsOf, type DraftStage } from '../../report-forms/forms.ts'
import { productsInReport } from './kept/products-in-report.ts'
import { prefillDraft } from './prefill-draft.ts'

const at = (text: string) => new Date(text)

const facts: DraftFacts = {
  reference: 'INC-2026-0001',
  title: 'CVE-2021-44228 in log4j-core',
  description: null,
  manufacturer: 'Acme AS',
  contact: 'security@acme.example',
  products: [
    { name: 'Pump', versions: ['1.0', '1.1'] },
    { name: 'Valve', versions: ['2.3'] },
  ],
  components: [{ name: 'log4j-core', version: '2.14.1', fixedIn: '2.17.1' }],
  cveIds: ['CVE-2021-44228'],
  euvdIds: ['EUVD-2021-1234'],
  vulnerability: {
    summary: 'Remote code execution through log messages.',
    severity: 'critical',
    score: 10,
    vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
  },
  exploited: [{ catalogue: 'kev', id: 'CVE-2021-44228', listedOn: '2021-12-10' }],
  measures: 'Version 1.2 was released.',
  userMeasures: null,
  fixedProducts: [{ name: 'Pump', version: '1.2' }],
  memberStates: ['DE', 'NO'],
  kept: productsInReport([], '2026-11-02'),
  company: {},
  awareAt: at('2026-11-02T08:00:00.987Z'),
  classifiedAt: at('2026-11-02T09:00:00Z'),
  occurredAt: at('2026-10-30T00:00:00Z'),
  measureAvailableAt: at('2026-11-05T10:00:00Z'),
}

const exploited = { regime: 'cra', kind: 'vulnerability' } as const
const severe = { regime: 'cra', kind: 'severe_incident' } as const

describe('what a draft begins with', () => {
  test('nothing that nobody sees', () => {
    const { '2': title } = prefillDraft(
      { ...facts, title: '\u200b\u{E0000}' },
      { ...exploited, stage: 'early_warning' },
    )
    expect(title).toBeUndefined()
  })

  test('the early warning of an exploited vulnerability', () => {
    const listed =
      'CVE-2021-44228 is listed as exploited in the catalogue of known exploited vulnerabilities of CISA (KEV) since 2021-12-10.'
    expect(prefillDraft(facts, { ...exploited, stage: 'early_warning' })).toEqual({
      '1': 'vulnerability',
      '2': 'CVE-2021-44228 in log4j-core',
      '3': [
        'CVE-2021-44228, EUVD-2021-1234 affects log4j-core 2.14.1 in Pump (1.0, 1.1), Valve (2.3).',
        listed,
        'Remote code execution through log messages.',
      ].join('\n'),
      '4': 'Acme AS',
      '5': ['DE', 'NO'],
      '6': 'Pump, Valve',
      '7': 'Pump 1.0, Pump 1.1, Valve 2.3',
      '12': 'log4j-core 2.14.1',
      '14': 'Update to Pump 1.2.',
      '16': 'Version 1.2 was released.',
      '17': 'Update to Pump 1.2.',
      v19: 'CVE-2021-44228',
      v20: 'EUVD-2021-1234',
      v21: ['Remote code execution through log messages.', listed, 'Fixed in log4j-core 2.17.1.'].join('\n'),
      v22: '2026-11-05T10:00:00Z',
      v23: 'Version 1.2 was released.',
      v24: 'Critical. CVSS score 10. CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
      v26: '2026-11-02T08:00:00Z',
      v26a: '2026-10-30T00:00:00Z',
    })
  })

  test('the attack vector from the second stage on', () => {
    const values = prefillDraft(facts, { ...exploited, stage: 'notification' })
    expect(values['18']).toBe('Network (CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H)')
  })

  test('the versions alone where there is one product', () => {
    const one = { ...facts, products: [{ name: 'Pump', versions: ['1.0', '1.1'] }] }
    expect(prefillDraft(one, { ...exploited, stage: 'early_warning' })['7']).toBe('1.0, 1.1')
  })

  test('a severe incident', () => {
    const signed = { ...facts, description: 'The signing key was stolen.', cveIds: [], euvdIds: [] }
    const bare = { ...signed, products: [], components: [], exploited: [], vulnerability: null }
    const values = prefillDraft(bare, { ...severe, stage: 'notification' })
    expect(values).toMatchObject({
      '1': 'incident',
      '3': 'The signing key was stolen.',
      i32: 'The signing key was stolen.',
      i33: 'Version 1.2 was released.',
      i37: '2026-11-02T08:00:00Z',
      i38: '2026-10-30T00:00:00Z',
    })
    expect(Object.keys(values).filter((id) => id.startsWith('v'))).toEqual([])
  })

  test('DORA: both times of the template at every stage', () => {
    for (const stage of ['initial_notification', 'intermediate_report', 'final_report'] as const)
      expect(prefillDraft(facts, { regime: 'dora', kind: 'severe_incident', stage })).toMatchObject({
        aware_at: '2026-11-02T08:00:00Z',
        classified_at: '2026-11-02T09:00:00Z',
        reference: 'INC-2026-0001',
      })
  })

  test('GDPR and the Norwegian Act: contact and measures', () => {
    for (const regime of ['gdpr', 'digitalsikkerhetsloven'] as const)
      expect(prefillDraft(facts, { regime, kind: 'severe_incident', stage: 'notification' })).toMatchObject({
        contact: 'security@acme.example',
        measures: 'Version 1.2 was released.',
      })
  })

  test('nothing is said that is not known', () => {
    const unknown: DraftFacts = {
      ...facts,
      description: ' ',
      contact: null,
      products: [],
      components: [],
      cveIds: [],
      euvdIds: [],
      vulnerability: null,
      exploited: [],
      measures: null,
      userMeasures: ' ',
      fixedProducts: [],
      memberStates: ['XX'],
      classifiedAt: null,
      occurredAt: null,
      measureAvailableAt: null,
    }
    expect(prefillDraft(unknown, { ...exploited, stage: 'final_report' })).toEqual({
      '1': 'vulnerability',
      '2': facts.title,
      '4': 'Acme AS',
      v26: '2026-11-02T08:00:00Z',
    })
  })
})

describe('what was written at the previous stage', () => {
  const previous: DraftValues = {
    '2': 'A title of our own',
    '5': ['SE'],
    '16': 'Older measures',
    v25: 'Full impact',
    v26: '2026-11-01T08:00:00Z',
  }
  const values = prefillDraft(facts, { ...exploited, stage: 'final_report' }, previous)

  test('is kept in a field that is copied', () => {
    expect(values).toMatchObject({ '2': 'A title of our own', '5': ['SE'], v26: '2026-11-01T08:00:00Z' })
  })

  test('gives way to newer facts in any other field', () => {
    expect(values['16']).toBe('Version 1.2 was released.')
  })

  test('is kept in any other field where nothing newer is known', () => {
    expect(values['v25']).toBe('Full impact')
    const unknown = prefillDraft(
      { ...facts, measures: null },
      { ...exploited, stage: 'final_report' },
      previous,
    )
    expect(unknown['16']).toBe('Older measures')
  })

  test('is left out where the stage has no such field, or it is of another kind', () => {
    const strange: DraftValues = { '5': 'DE', '2': ['a'], v28: 'yes' }
    const final = prefillDraft(facts, { ...exploited, stage: 'final_report' }, strange)
    expect([final['5'], final['2'], final['v28']]).toEqual([['DE', 'NO'], facts.title, undefined])
  })
})

const drafts: DraftStage[] = clockRules.flatMap(({ regime, kinds, report: stage }) =>
  kinds.map((kind) => ({ regime, kind, stage })),
)

describe('of any facts', () => {
  const anyText = fc.string({ unit: anyCharacter, maxLength: 300 })
  const longText = fc
    .tuple(anyText, fc.integer({ min: 1, max: 100 }))
    .map(([text, times]) => text.repeat(times))
  const optional = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
  const time = fc.date({ min: at('2000-01-01'), max: at('2100-01-01'), noInvalidDate: true })
  const few = <T>(some: fc.Arbitrary<T>) => fc.array(some, { maxLength: 40 })
  const anyFacts: fc.Arbitrary<DraftFacts> = fc.record({
    reference: anyText,
    title: longText,
    description: optional(longText),
    manufacturer: anyText,
    contact: optional(anyText),
    products: few(fc.record({ name: anyText, versions: few(anyText) })),
    components: few(fc.record({ name: anyText, version: optional(anyText), fixedIn: optional(anyText) })),
    cveIds: few(anyText),
    euvdIds: few(anyText),
    vulnerability: optional(
      fc.record({
        summary: longText,
        severity: fc.constantFrom(...severities),
        score: optional(fc.constantFrom(0, 7.5, 10)),
        vector: optional(fc.oneof(anyText, fc.constant('AV:L/AC:L/Au:N/C:P/I:P/A:P'))),
      }),
    ),
    exploited: few(
      fc.record({ catalogue: fc.constantFrom(...catalogues), id: anyText, listedOn: optional(anyText) }),
    ),
    measures: optional(longText),
    userMeasures: optional(longText),
    fixedProducts: few(fc.record({ name: anyText, version: anyText })),
    memberStates: few(fc.oneof(anyText, fc.constantFrom(...Object.keys(memberStates)))),
    kept: fc.record({
      memberStates: few(anyText),
      productType: optional(fc.constantFrom('default', 'critical')),
      productClass: optional(fc.constantFrom('class_1')),
      category: optional(longText),
      supportEnded: optional(fc.constantFrom('yes' as const, 'no' as const)),
      userContact: optional(longText),
    }),
    company: fc.dictionary(fc.constantFrom(...doraFactIds), longText),
    awareAt: time,
    classifiedAt: optional(time),
    occurredAt: optional(time),
    measureAvailableAt: optional(time),
  })
  const anyPrevious: fc.Arbitrary<DraftValues> = fc.dictionary(
    fc.constantFrom('2', '5', '7', '15', 'v21', 'v26', 'measures', 'description', 'constructor'),
    fc.oneof(longText, few(anyText)),
  )

  test.each(drafts)(
    'a draft ($regime $kind $stage) keeps limits, can be saved, and lacks what is empty',
    (draft) => {
      fc.assert(
        fc.property(anyFacts, anyPrevious, (known, previous) => {
          const values = prefillDraft(known, draft, previous)
          expect(prefillDraft(known, draft, previous)).toEqual(values)
          expect(prefillDraft(known, draft, values)).toEqual(values)
          for (const { id, input } of fieldsOf(draft)) {
            const value = values[id]
            if (typeof value !== 'string') continue
            expect(value.isWellFormed()).toBe(true)
            if (input.kind === 'text' && input.maxCharacters !== null)
              expect([...value].length).toBeLessThanOrEqual(input.maxCharacters)
          }
          expect(acceptDraft(values, draft)).toEqual(values)

          const empty = fieldsOf(draft).filter(({ id }) => values[id] === undefined)
          const wanted = empty.filter(
            ({ isRequired, requirement }) => isRequired || requirement === 'if_known',
          )
          const wrong = previousTimes(values, draft)
          const named = checkDraft(values, draft, { isLate: false }).map(({ field }) => field)
          expect(named.filter((field) => !wrong.has(field))).toEqual(wanted.map(({ id }) => id))
        }),
        { numRuns: 40 },
      )
    },
  )
})

/** Fields for times in which a member wrote something else at the previous stage: it is kept, and the check names it. */
function previousTimes(values: DraftValues, draft: DraftStage): ReadonlySet<string> {
  const times = fieldsOf(draft).filter(({ input }) => input.kind === 'date_time')
  return new Set(times.map(({ id }) => id).filter((id) => values[id] !== undefined))
}
