import type { Verdict, VexFormat } from '../../contract/vex/shapes.ts'

/**
 * The words of each format for a verdict (OpenVEX 0.2.0 "Status Labels"; CSAF 2.0, 3.2.3.9 "product status"; CycloneDX
 * `analysis.state`). The first is the one that is written.
 */
const words: Record<VexFormat, Record<Verdict, readonly [string, ...string[]]>> = {
  openvex: {
    affected: ['affected'],
    under_investigation: ['under_investigation'],
    fixed: ['fixed'],
    not_affected: ['not_affected'],
  },
  csaf: {
    affected: ['known_affected', 'first_affected', 'last_affected'],
    under_investigation: ['under_investigation'],
    fixed: ['fixed', 'first_fixed'],
    not_affected: ['known_not_affected'],
  },
  cyclonedx: {
    affected: ['exploitable'],
    under_investigation: ['in_triage'],
    fixed: ['resolved', 'resolved_with_pedigree'],
    not_affected: ['not_affected', 'false_positive'],
  },
}

const verdictsByWord = {
  openvex: byWord(words.openvex),
  csaf: byWord(words.csaf),
  cyclonedx: byWord(words.cyclonedx),
}

/** The verdict that a word of the format means; undefined for a word that is none. */
export function verdictOf(format: VexFormat, word: string): Verdict | undefined {
  return verdictsByWord[format].get(word)
}

/** The word that stands for the verdict in a document we write. */
export function verdictWord(format: VexFormat, verdict: Verdict): string {
  return words[format][verdict][0]
}

/** Every word of the format for a verdict, as a refusal names them. */
export function verdictWords(format: VexFormat): string[] {
  return [...verdictsByWord[format].keys()]
}

function byWord(table: Record<Verdict, readonly string[]>): Map<string, Verdict> {
  const verdicts = Object.entries(table) as [Verdict, readonly string[]][]
  return new Map(verdicts.flatMap(([verdict, spellings]) => spellings.map((word) => [word, verdict])))
}
