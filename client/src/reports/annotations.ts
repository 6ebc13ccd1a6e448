import { describeAge, outdatedIn } from '../data-age.ts'
import { classOf, componentOf, counted, isSilent } from '../summary.ts'
import type { Report } from './report.ts'

const shownFindings = 10

/** The links GitLab shows on a job page (`artifacts:reports:annotations`). */
export function annotationsReport({ sbom, result: { matches, data, worst } }: Report): string {
  const link = (label: string, url: string) => ({ external_link: { label, url } })
  const found = isSilent(matches)
    ? 'findings not known, no component could be checked'
    : counted(matches.total, 'finding')
  const links = [
    link(`SBOM: ${found}`, sbom.url),
    ...outdatedIn(data).map((source) =>
      link(`out of date: ${source.label}, ${describeAge(source)}`, sbom.url),
    ),
    ...(worst ?? [])
      .slice(0, shownFindings)
      .map((finding) => link(`${classOf(finding)}: ${finding.id} ${componentOf(finding)}`, finding.url)),
  ]
  return `${JSON.stringify({ 'SBOM Monitor': links }, null, 2)}\n`
}
