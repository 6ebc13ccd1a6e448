import type { DataBehind, Finding, Matches, Result } from '../answers.ts'
import { describeAge, effectOf, outdatedIn } from '../data-age.ts'
import { isUnchecked } from '../policy.ts'
import {
  amongChecked,
  classOf,
  componentOf,
  counted,
  describeChecked,
  describeStale,
  gapsOf,
  isSilent,
  remedyOf,
  termName,
} from '../summary.ts'
import type { Judged, Report } from './report.ts'

const shownFindings = 10

/** A job summary in GitHub Markdown: the gate, the worst findings, what was checked and what was not. */
export function markdownReport({ sbom, result: { matches, data, worst }, judged }: Report): string {
  const rows = (worst ?? []).slice(0, shownFindings)
  const more = matches.total - rows.length
  return [
    `### [SBOM${sbom.version === null ? '' : ` of version ${escaped(sbom.version)}`}](${sbom.url})`,
    '',
    ...(judged === null ? [] : [verdict(judged, { matches, data }), '']),
    `${foundIn(matches)} ${counted(matches.notAffected, 'finding')} not affected or fixed.`,
    '',
    ...(rows.length === 0
      ? []
      : [
          '| Severity | Vulnerability | Component | Fix |',
          '| --- | --- | --- | --- |',
          ...rows.map(rowOf),
          '',
          ...(more > 0 ? [`and ${more} more.`, ''] : []),
        ]),
    `Checked ${describeChecked(sbom, matches)}.`,
    ...gapsOf(matches).map(({ count, why }) => `- ${counted(count, 'component')} not checked: ${why}`),
    '',
    ...outdated(data, matches),
  ].join('\n')
}

/** Sources that may lack recently published data. */
function outdated(data: DataBehind | null, matches: Matches): string[] {
  const sources = outdatedIn(data)
  if (data === null || sources.length === 0) return []
  return [
    `⚠️ **Out of date**: ${describeStale(data, matches)}.`,
    ...sources.map((source) => `- ${escaped(source.label)}: ${describeAge(source)}; ${effectOf(source)}`),
    '',
  ]
}

/** The number of findings, and how much of the SBOM could be checked. */
function foundIn(matches: Matches): string {
  if (isSilent(matches)) return '**Findings are not known**: no component could be checked.'
  return `**${counted(matches.total, 'finding')}**${amongChecked(matches)}${details(matches)}.`
}

function details({ malware, exploited, bySeverity }: Matches): string {
  const parts = [
    ...(malware > 0 ? [`malware ${malware}`] : []),
    ...(exploited > 0 ? [`exploited ${exploited}`] : []),
    ...Object.entries(bySeverity)
      .filter(([, count]) => count > 0)
      .map(([severity, count]) => `${severity} ${count}`),
  ]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function verdict(
  { policy, hits, isUnjudged, tooOld }: Judged,
  { matches, data }: Pick<Result, 'matches' | 'data'>,
): string {
  if (hits.length > 0) {
    const met = hits.map(({ term, count }) => `${termName(term)} (${counted(count, 'finding')})`)
    return `❌ The policy stops on ${met.join(', ')}.`
  }
  if (tooOld !== null) return `❌ The policy judged nothing: ${escaped(tooOld)}.`
  if (isUnjudged) return '❌ The policy could judge nothing: no component could be checked.'
  if (isUnchecked(matches))
    return '⚠️ The policy judged nothing: no component could be checked, which is allowed.'
  const found = `The policy \`${policy.failOn.join(', ')}\` found nothing${amongChecked(matches)}`
  return outdatedIn(data).length > 0 ? `⚠️ ${found}, by data that are out of date.` : `✅ ${found}.`
}

function rowOf(finding: Finding): string {
  const link = `[${escaped(finding.id)}](${finding.url})`
  return `| ${[classOf(finding), link, escaped(componentOf(finding)), escaped(remedyOf(finding))].join(' | ')} |`
}

/** Names come from documents: they must not become a link, an image, a mention or a table row. */
function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&:@-]/g, (mark) => `&#${mark.codePointAt(0)};`)
}
