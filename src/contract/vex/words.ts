/** What readers of documents need of this subject, without the schemas, whose library they would load for nothing. */

/** What a statement says of a product; ordered from the most to the least cautious (the rule of contradictions). */
export const verdicts = ['affected', 'under_investigation', 'fixed', 'not_affected'] as const
export type Verdict = (typeof verdicts)[number]

/** Why a product is not affected: the CISA labels, which OpenVEX and CSAF share. */
export const justifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const
export type Justification = (typeof justifications)[number]

/** What a document says of versions that it lists (CycloneDX, `affects[].versions[].status`). */
export const vexVersionStatuses = ['affected', 'unaffected', 'unknown'] as const
export type VexVersionStatus = (typeof vexVersionStatuses)[number]
