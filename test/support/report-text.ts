import type { ReportText } from '../../src/contract/disclosure/shapes.ts'

const nothing: ReportText = {
  title: '',
  description: '',
  impact: '',
  type: '',
  cve: '',
  version: '',
  product: '',
  toldOthers: '',
  creditName: '',
  creditOrganisation: '',
  creditLink: '',
  contactName: '',
  contactEmail: '',
}

/** What a reporter wrote: these fields alone. */
export function reportText(given: Partial<ReportText>): ReportText {
  return { ...nothing, ...given }
}
