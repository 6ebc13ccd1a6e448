import { describe, expect, test } from 'vitest'
import { doraFactIds } from '../../contract/incidents/dora-facts.ts'
import { regimes, type Regime, type ReportStage } from '../../contract/alerts/events.ts'
import type { DraftInput, DraftStageField } from '../../contract/incidents/report-drafts.ts'
import type { IncidentKind } from '../../contract/incidents/words.ts'
import { clockRules } from '../clocks/rules.ts'
import { fieldsOf, formOf } from '../../report-forms/forms.ts'

const stages = ['early_warning', 'notification', 'final_report'] as const
const letterOf = {
  required: 'R',
  optional: 'O',
  copied: 'C',
  if_known: 'A',
  if_late: 'L',
} as const satisfies Record<DraftStageField['requirement'], string>

type Row = [number: string, needs: string, kind: DraftInput['kind'], maxCharacters: number | null]

/** ENISA's glossary of the Single Reporting Platform, 25 September 2026: early warning, 72 h, final report. */
const common: Row[] = [
  ['1', 'R C C', 'choice', null],
  ['2', 'R C C', 'text', 255],
  ['3', 'R C C', 'text', 4000],
  ['4', 'R C C', 'text', null],
  ['5', 'R C C', 'list', null],
  ['6', 'R C C', 'text', 255],
  ['7', 'R C C', 'text', 255],
  ['8', 'O C C', 'choice', null],
  ['9', 'O C C', 'choice', null],
  ['10', 'O C C', 'text', null],
  ['11', 'O C C', 'yes_no', null],
  ['12', 'O C C', 'text', 255],
  ['13', 'O C C', 'yes_no', null],
  ['14', 'O C C', 'text', 4000],
  ['15', 'O O C', 'text', 255],
  ['16', 'O O R', 'text', 2000],
  ['17', 'O O R', 'text', 4000],
  ['18', '– O O', 'text', 255],
]
const vulnerability: Row[] = [
  ['v19', 'O C C', 'text', 255],
  ['v20', 'O C C', 'text', 255],
  ['v21', 'O R C', 'text', 4000],
  ['v22', 'O O R', 'date_time', null],
  ['v23', 'O O R', 'text', 2000],
  ['v24', 'O O R', 'text', 4000],
  ['v25', 'O O R', 'text', 4000],
  ['v26', 'R C C', 'date_time', null],
  ['v26a', 'O R C', 'date_time', null],
  ['v27', 'O O A', 'text', 100],
  ['v28', '– O –', 'yes_no', null],
  ['v29', '– O –', 'choice', null],
  ['v30', 'O O C', 'text', 800],
]
const incident: Row[] = [
  ['i31', 'R C C', 'choice', null],
  ['i32', 'O R C', 'text', 4000],
  ['i33', 'O O R', 'text', 4000],
  ['i34', 'O O R', 'text', 4000],
  ['i35', 'O O R', 'text', 4000],
  ['i36', 'O O R', 'text', 255],
  ['i37', 'R R C', 'date_time', null],
  ['i38', 'O R O', 'date_time', null],
  ['i39', 'O R C', 'text', 4000],
]

/** The forms of all stages, read as the glossary writes them. */
function rowsOf(kind: IncidentKind, regime: Regime = 'cra', of: readonly ReportStage[] = stages): Row[] {
  const forms = of.map((stage) => fieldsOf({ regime, kind, stage }))
  const fields = new Map(forms.flat().map((field) => [field.id, field]))
  return [...fields.values()].map(({ id, input }) => {
    const needs = forms.map((form) => form.find((field) => field.id === id)?.requirement)
    const row = needs.map((need) => (need === undefined ? '–' : letterOf[need])).join(' ')
    return [id, row, input.kind, input.kind === 'text' ? input.maxCharacters : null]
  })
}

const byNumber = (rows: Row[]) => rows.toSorted(([one], [other]) => one.localeCompare(other))

describe('the form of the Single Reporting Platform', () => {
  test('has 40 fields', () => {
    expect(common.length + vulnerability.length + incident.length).toBe(40)
  })

  const table: [IncidentKind, Row][] = [
    ...common.map((row): [IncidentKind, Row] => ['vulnerability', row]),
    ...common.map((row): [IncidentKind, Row] => ['severe_incident', row]),
    ...vulnerability.map((row): [IncidentKind, Row] => ['vulnerability', row]),
    ...incident.map((row): [IncidentKind, Row] => ['severe_incident', row]),
  ]
  test.each(table)('%s %j', (kind, row) => {
    expect(rowsOf(kind).find(([id]) => id === row[0])).toEqual(row)
  })

  test.each<[IncidentKind, Row[]]>([
    ['vulnerability', [...common, ...vulnerability]],
    ['severe_incident', [...common, ...incident]],
  ])('has no other field for a %s', (kind, rows) => {
    expect(byNumber(rowsOf(kind))).toEqual(byNumber(rows))
  })

  test('lists the fields of a stage in the order of the glossary, under its numbers', () => {
    const order = [...common, ...vulnerability].filter(([, needs]) => needs.split(' ')[1] !== '–')
    const fields = fieldsOf({ regime: 'cra', kind: 'vulnerability', stage: 'notification' })
    expect(fields.map(({ id }) => id)).toEqual(order.map(([id]) => id))
    expect(fields.map(({ number }) => number)).toEqual(order.map(([id]) => id))
  })

  test('a copied field is required where it was required at an earlier stage', () => {
    const required = (stage: ReportStage) =>
      fieldsOf({ regime: 'cra', kind: 'vulnerability', stage })
        .filter(({ isRequired }) => isRequired)
        .map(({ id }) => id)
    const first = ['1', '2', '3', '4', '5', '6', '7']
    expect(required('early_warning')).toEqual([...first, 'v26'])
    expect(required('notification')).toEqual([...first, 'v21', 'v26', 'v26a'])
    expect(required('final_report')).toEqual([
      ...[...first, '16', '17'],
      ...['v21', 'v22', 'v23', 'v24', 'v25', 'v26', 'v26a'],
    ])
  })

  test('the reason for a delay is one of the three of Art. 16(2)', () => {
    const fields = fieldsOf({ regime: 'cra', kind: 'vulnerability', stage: 'notification' })
    const input = fields.find(({ id }) => id === 'v29')?.input
    expect(input?.kind === 'choice' ? input.choices.map(({ value }) => value) : input).toEqual([
      'one_member_state',
      'essential_interests',
      'imminent_high_risk',
    ])
  })
})

describe('the forms of the other regimes', () => {
  test('GDPR: what Art. 33(3) asks for, and the reasons when late', () => {
    expect(rowsOf('severe_incident', 'gdpr', ['notification'])).toEqual([
      ['nature', 'R', 'text', null],
      ['person_categories', 'A', 'text', null],
      ['person_count', 'A', 'text', null],
      ['record_categories', 'A', 'text', null],
      ['record_count', 'A', 'text', null],
      ['contact', 'R', 'text', null],
      ['consequences', 'R', 'text', null],
      ['measures', 'R', 'text', null],
      ['aware_at', 'O', 'date_time', null],
      ['delay_reasons', 'L', 'text', null],
      ['to_follow', 'O', 'text', null],
    ])
  })

  test('digitalsikkerhetsloven: the content of § 17', () => {
    expect(rowsOf('severe_incident', 'digitalsikkerhetsloven')).toEqual([
      ['service', 'R C C', 'text', null],
      ['users', 'A A R', 'text', null],
      ['duration', 'A A R', 'text', null],
      ['spread', 'A A R', 'text', null],
      ['cause', 'A A R', 'text', null],
      ['consequences', 'A A R', 'text', null],
      ['measures', 'A A R', 'text', null],
      ['cross_border', 'A A R', 'text', null],
      ['contact', 'R C C', 'text', null],
    ])
  })

  const isGeneral = (id: string) => id === 'report_type' || doraFactIds.some((fact) => fact === id)
  const doraStages = ['initial_notification', 'intermediate_report', 'final_report'] as const

  test('DORA: the content of Art. 1 to 4 of Delegated Regulation (EU) 2025/301', () => {
    const ids = (stage: ReportStage) =>
      fieldsOf({ regime: 'dora', kind: 'severe_incident', stage }).map(({ id }) => id)
    const general = ['report_type', ...doraFactIds]
    const initial = [
      ...general,
      ...['reference', 'aware_at', 'classified_at', 'description', 'criteria', 'member_states', 'discovery'],
      ...['origin', 'continuity_plan', 'reclassification', 'other'],
    ]
    const intermediate = [
      ...['authority_reference', 'occurred_at', 'recovered_at', 'criteria_figures', 'type', 'threats'],
      ...['functions', 'infrastructure', 'client_impact', 'other_authorities', 'temporary_measures'],
      'indicators',
    ]
    const final = [
      ...['root_causes', 'resolved_at', 'causes_addressed_at', 'resolution', 'resolution_authorities'],
      ...['costs', 'recoveries', 'recurring'],
    ]
    expect(ids('initial_notification')).toEqual(initial)
    expect(ids('intermediate_report')).toEqual([...initial, ...intermediate])
    expect(ids('final_report')).toEqual([...initial, ...intermediate, ...final])
  })

  test.each(doraStages)(
    'DORA: what is general is required at every stage, but for what not everybody has: %s',
    (stage) => {
      const fields = fieldsOf({ regime: 'dora', kind: 'severe_incident', stage })
      const optional = fields.filter(({ id, isRequired }) => isGeneral(id) && !isRequired).map(({ id }) => id)
      expect(optional).toEqual([
        ...['submitter_name', 'submitter_code', 'covered_entities', 'parent_name', 'parent_lei'],
      ])
    },
  )

  test('DORA: a draft of the form before has none of it', () => {
    const before = {
      regime: 'dora',
      kind: 'severe_incident',
      stage: 'final_report',
      version: '2025-03-12',
    } as const
    expect(fieldsOf(before).filter(({ id }) => isGeneral(id))).toEqual([])
  })

  test.each(doraStages)('DORA: 2.2 and 2.3 are compulsory times at the %s', (stage) => {
    const fields = fieldsOf({ regime: 'dora', kind: 'severe_incident', stage })
    const numbered = fields.filter(({ number }) => number !== null)
    expect(numbered.map(({ number, requirement, input }) => [number, requirement, input.kind])).toEqual([
      ['2.2', 'required', 'date_time'],
      ['2.3', 'required', 'date_time'],
    ])
  })
})

describe('every form', () => {
  const drafts = clockRules.flatMap(({ regime, kinds, report: stage }) =>
    kinds.map((kind) => ({ regime, kind, stage })),
  )

  test.each(drafts)('$regime $kind $stage has fields with words and ids of their own', (draft) => {
    const { fields, version, validFrom, source } = formOf(draft)
    expect(fields.length).toBeGreaterThan(7)
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    for (const { label, help } of fields) {
      expect(label).toMatch(/^[A-Z][^.]*$/)
      expect(help).toMatch(/\.$/)
    }
    expect([version, validFrom]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), version])
    expect(source).not.toBe('')
    expect(formOf({ ...draft, version })).toEqual(formOf(draft))
  })

  test('is there for every regime', () => {
    expect(new Set(drafts.map(({ regime }) => regime))).toEqual(new Set(regimes))
  })

  test('is empty for a stage that the regime does not have', () => {
    expect(fieldsOf({ regime: 'gdpr', kind: 'severe_incident', stage: 'final_report' })).toEqual([])
  })

  test('is never another version than the one asked for', () => {
    expect(() =>
      formOf({ regime: 'cra', kind: 'vulnerability', stage: 'notification', version: '2020-01-01' }),
    ).toThrow('2020-01-01')
  })
})
