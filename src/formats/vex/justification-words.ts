import type { VexFormat } from '../../contract/vex/shapes.ts'
import { justifications, type Justification } from '../../contract/vex/words.ts'

/**
 * What CycloneDX calls a justification (`analysis.justification`), the word that is written first. There is no official
 * crosswalk, and public tools disagree on `requires_dependency`, `requires_environment`, `protected_at_perimeter` and
 * `protected_by_compiler`: readers keep the raw word beside the label.
 */
const cyclonedxWords: Record<Justification, { read: readonly string[]; written: string }> = {
  component_not_present: { read: [], written: 'code_not_present' },
  vulnerable_code_not_present: { read: ['code_not_present'], written: 'code_not_present' },
  vulnerable_code_not_in_execute_path: { read: ['code_not_reachable'], written: 'code_not_reachable' },
  vulnerable_code_cannot_be_controlled_by_adversary: {
    read: ['requires_configuration', 'requires_dependency', 'requires_environment'],
    written: 'requires_configuration',
  },
  inline_mitigations_already_exist: {
    read: [
      'protected_by_compiler',
      'protected_at_runtime',
      'protected_at_perimeter',
      'protected_by_mitigating_control',
    ],
    written: 'protected_by_mitigating_control',
  },
}

/** Those that tools read differently: nothing is published under their label before a person has chosen it. */
export const disputedWords: ReadonlySet<string> = new Set([
  'requires_dependency',
  'requires_environment',
  'protected_at_perimeter',
  'protected_by_compiler',
])

/** OpenVEX and CSAF flags use the labels themselves. */
const labels = new Map<string, Justification>(justifications.map((label) => [label, label]))
const fromCyclonedx = new Map<string, Justification>(
  justifications.flatMap((label) => cyclonedxWords[label].read.map((word) => [word, label])),
)

/** The label that a word of the format means; undefined for a word that is none. */
export function justificationOf(format: VexFormat, word: string): Justification | undefined {
  return (format === 'cyclonedx' ? fromCyclonedx : labels).get(word)
}

/** The word that stands for the label in a document we write. */
export function justificationWord(format: VexFormat, label: Justification): string {
  return format === 'cyclonedx' ? cyclonedxWords[label].written : label
}
