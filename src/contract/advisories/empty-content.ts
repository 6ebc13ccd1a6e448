import type { AdvisoryContent } from './shapes.ts'

/** A draft in which nothing is written yet. */
export const emptyContent: AdvisoryContent = {
  title: '',
  summary: '',
  tlp: 'WHITE',
  products: [],
  vulnerabilities: [],
  references: [],
  acknowledgments: [],
}
