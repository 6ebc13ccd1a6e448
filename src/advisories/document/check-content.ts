import type { AdvisoryContent, AdvisoryProblem } from '../../contract/advisories/shapes.ts'
import { checkAcknowledgments, checkReferences, isBlank, type Report } from './check-fields.ts'
import { checkProducts } from './check-products.ts'
import { checkVulnerability } from './check-vulnerability.ts'

/** What a draft lacks before it can be published, in words for whoever writes it. The tests of the standard come after it. */
export function checkContent(content: AdvisoryContent): AdvisoryProblem[] {
  const problems: AdvisoryProblem[] = []
  const report: Report = (field, message) => problems.push({ field, message, test: null, pointer: null })
  if (isBlank(content.title)) report('title', 'A title is required.')
  if (content.vulnerabilities.length === 0)
    report('vulnerabilities', 'At least one vulnerability is required.')
  checkProducts(content, report)
  for (const [index, vulnerability] of content.vulnerabilities.entries()) {
    checkVulnerability(vulnerability, {
      field: `vulnerabilities.${index}`,
      products: content.products,
      report,
    })
  }
  checkSameCves(content, report)
  checkReferences(content.references, 'references', report)
  checkAcknowledgments(content.acknowledgments, 'acknowledgments', report)
  return problems
}

/** A CVE is in a document once (CSAF 2.0, 6.1.23). */
function checkSameCves({ vulnerabilities }: AdvisoryContent, report: Report): void {
  const seen = new Set<string>()
  for (const [index, { cve }] of vulnerabilities.entries()) {
    const name = cve.trim()
    if (name !== '' && seen.has(name)) report(`vulnerabilities.${index}.cve`, `${name} is listed twice.`)
    seen.add(name)
  }
}
