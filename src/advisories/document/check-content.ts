import type { AdvisoryContent, AdvisoryProblem } from '../../contract/advisories.ts'
import { addressExpected, checkReferences, isBlank, type Report } from './check-fields.ts'
import { checkVulnerability } from './check-vulnerability.ts'
import { documentUrl } from '../../platform/html/document-url.ts'
import { versionNameProblem } from './product-tree.ts'

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
  checkAcknowledgments(content, report)
  return problems
}

function checkProducts({ products, vulnerabilities }: AdvisoryContent, report: Report): void {
  const used = new Set(vulnerabilities.flatMap(({ statuses }) => statuses.map(({ versionId }) => versionId)))
  const seen = new Set<string>()
  for (const [index, { versionId, version, family }] of products.entries()) {
    if (seen.has(versionId)) report(`products.${index}`, `${family} ${version} is listed twice.`)
    seen.add(versionId)
    const problem = versionNameProblem(version)
    if (problem !== undefined && used.has(versionId)) report(`products.${index}`, problem)
  }
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

function checkAcknowledgments({ acknowledgments }: AdvisoryContent, report: Report): void {
  for (const [index, { names, organization, summary, urls }] of acknowledgments.entries()) {
    const field = `acknowledgments.${index}`
    if ([...names, organization, summary].every(isBlank))
      report(field, 'A name or an organisation is required.')
    for (const [place, url] of urls.entries()) {
      if (!isBlank(url) && documentUrl(url.trim()) === undefined)
        report(`${field}.urls.${place}`, addressExpected)
    }
  }
}
