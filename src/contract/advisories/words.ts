/** What readers of documents need of this subject, without the schemas, whose library they would load for nothing. */

/** What users of affected products can do, from the best remedy to none (CSAF 2.0, 3.2.3.12.1). */
export const remediationCategories = [
  'vendor_fix',
  'mitigation',
  'workaround',
  'no_fix_planned',
  'none_available',
] as const
export type RemediationCategory = (typeof remediationCategories)[number]
