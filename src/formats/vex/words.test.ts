import { describe, expect, it } from 'vitest'
import {
  justifications,
  verdicts,
  vexFormats,
  type Justification,
  type Verdict,
  type VexFormat,
} from '../../contract/vex/shapes.ts'
import { justificationOf, justificationWord } from './justification-words.ts'
import { verdictOf, verdictWord, verdictWords } from './verdict-words.ts'

describe('a word of a format is a verdict', () => {
  const table: [VexFormat, string, Verdict][] = [
    ['openvex', 'affected', 'affected'],
    ['openvex', 'not_affected', 'not_affected'],
    ['openvex', 'fixed', 'fixed'],
    ['openvex', 'under_investigation', 'under_investigation'],
    ['csaf', 'known_affected', 'affected'],
    ['csaf', 'first_affected', 'affected'],
    ['csaf', 'last_affected', 'affected'],
    ['csaf', 'known_not_affected', 'not_affected'],
    ['csaf', 'fixed', 'fixed'],
    ['csaf', 'first_fixed', 'fixed'],
    ['csaf', 'under_investigation', 'under_investigation'],
    ['cyclonedx', 'exploitable', 'affected'],
    ['cyclonedx', 'not_affected', 'not_affected'],
    ['cyclonedx', 'false_positive', 'not_affected'],
    ['cyclonedx', 'resolved', 'fixed'],
    ['cyclonedx', 'resolved_with_pedigree', 'fixed'],
    ['cyclonedx', 'in_triage', 'under_investigation'],
  ]

  it.each(table)('%s: %s is %s', (format, word, verdict) => {
    expect(verdictOf(format, word)).toBe(verdict)
  })

  it.each(vexFormats)('%s knows no other words', (format) => {
    const known = table.filter(([of]) => of === format).map(([, word]) => word)
    expect(verdictWords(format).sort()).toEqual(known.sort())
  })

  it.each<[VexFormat, string]>([
    ['csaf', 'recommended'],
    ['cyclonedx', 'affected'],
    ['openvex', 'Affected'],
    ['openvex', '__proto__'],
  ])('%s: %s is not one', (format, word) => {
    expect(verdictOf(format, word)).toBeUndefined()
  })
})

describe('a verdict is written as', () => {
  it.each<[Verdict, Record<VexFormat, string>]>([
    ['affected', { openvex: 'affected', csaf: 'known_affected', cyclonedx: 'exploitable' }],
    ['not_affected', { openvex: 'not_affected', csaf: 'known_not_affected', cyclonedx: 'not_affected' }],
    ['fixed', { openvex: 'fixed', csaf: 'fixed', cyclonedx: 'resolved' }],
    [
      'under_investigation',
      { openvex: 'under_investigation', csaf: 'under_investigation', cyclonedx: 'in_triage' },
    ],
  ])('%s', (verdict, words) => {
    expect(Object.fromEntries(vexFormats.map((format) => [format, verdictWord(format, verdict)]))).toEqual(
      words,
    )
  })

  it.each(verdicts)('%s, which is read as the same', (verdict) => {
    for (const format of vexFormats) expect(verdictOf(format, verdictWord(format, verdict))).toBe(verdict)
  })
})

describe('a justification of CycloneDX is the label', () => {
  it.each<[string, Justification | undefined]>([
    ['code_not_present', 'vulnerable_code_not_present'],
    ['code_not_reachable', 'vulnerable_code_not_in_execute_path'],
    ['requires_configuration', 'vulnerable_code_cannot_be_controlled_by_adversary'],
    ['requires_dependency', 'vulnerable_code_cannot_be_controlled_by_adversary'],
    ['requires_environment', 'vulnerable_code_cannot_be_controlled_by_adversary'],
    ['protected_by_compiler', 'inline_mitigations_already_exist'],
    ['protected_at_runtime', 'inline_mitigations_already_exist'],
    ['protected_at_perimeter', 'inline_mitigations_already_exist'],
    ['protected_by_mitigating_control', 'inline_mitigations_already_exist'],
    ['component_not_present', undefined],
    ['constructor', undefined],
  ])('%s: %s', (word, label) => {
    expect(justificationOf('cyclonedx', word)).toBe(label)
  })
})

describe('a label is written to CycloneDX as', () => {
  it.each<[Justification, string]>([
    ['component_not_present', 'code_not_present'],
    ['vulnerable_code_not_present', 'code_not_present'],
    ['vulnerable_code_not_in_execute_path', 'code_not_reachable'],
    ['vulnerable_code_cannot_be_controlled_by_adversary', 'requires_configuration'],
    ['inline_mitigations_already_exist', 'protected_by_mitigating_control'],
  ])('%s: %s', (label, word) => {
    expect(justificationWord('cyclonedx', label)).toBe(word)
  })
})

it.each(justifications)('OpenVEX and CSAF use the label %s itself', (label) => {
  for (const format of ['openvex', 'csaf'] as const) {
    expect(justificationWord(format, label)).toBe(label)
    expect(justificationOf(format, label)).toBe(label)
  }
})
