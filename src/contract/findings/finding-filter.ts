import { catalogues, grades } from './shapes.ts'
import { severities } from '../severities.ts'
import { verdictFilters } from './verdict.ts'

/** How lists of findings and of vulnerabilities are filtered; `any`: listed in whichever catalogue. `verdict` is `open` by default. */
export const findingFilter = {
  search: 'text',
  severity: severities,
  exploited: [...catalogues, 'any'],
  grade: grades,
  recordClass: ['malware'],
  verdict: verdictFilters,
} as const
