import { isHit } from '../policy.ts'
import type { Finding } from '../answers.ts'
import { describeAge, effectOf, outdatedIn } from '../data-age.ts'
import {
  classOf,
  componentOf,
  counted,
  describeChecked,
  gapsOf,
  remedyOf,
  termName,
  visible,
} from '../summary.ts'
import type { Report } from './report.ts'

type Case = { suite: string; name: string; failure: string | null; output: string }

/**
 * JUnit as CI systems read it: a test case for the policy, one for what could be checked, one for the age of the data, and one for each
 * listed finding, which fails if the policy stops on it.
 */
export function junitReport(report: Report): string {
  const { sbom } = report
  const cases = [policyCase(report), coverageCase(report), ...dataCases(report), ...findingCases(report)]
  const failures = cases.filter(({ failure }) => failure !== null).length
  const counts = `tests="${cases.length}" failures="${failures}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="SBOM Monitor" ${counts}>`,
    // the schema of Jenkins' xUnit plugin requires errors of a suite
    `  <testsuite name=${quoted(sbom.version === null ? 'SBOM' : `SBOM ${sbom.version}`)} ${counts} errors="0">`,
    ...cases.flatMap(linesOf),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function policyCase({ sbom, judged }: Report): Case {
  const met = (judged?.hits ?? []).map(({ term, count }) => `${termName(term)}: ${counted(count, 'finding')}`)
  return {
    suite: 'SBOM Monitor',
    name: judged === null ? 'no policy' : `policy ${judged.policy.failOn.join(', ')}`,
    failure: met.length === 0 ? null : met.join('; '),
    output: sbom.url,
  }
}

function coverageCase({ sbom, result: { matches }, judged }: Report): Case {
  return {
    suite: 'SBOM Monitor',
    name: 'components checked',
    failure: judged?.isUnjudged === true ? 'no component could be checked' : null,
    output: [
      `Checked ${describeChecked(sbom, matches)}`,
      ...gapsOf(matches).map(({ count, why }) => `${count} not checked: ${why}`),
    ].join('\n'),
  }
}

/** None where an earlier version of the service sends no data ages and no limit is set. */
function dataCases({ result: { data }, judged }: Report): Case[] {
  const failure = judged?.tooOld ?? null
  if (data === null && failure === null) return []
  const lines = outdatedIn(data).map(
    (source) => `${source.label}: ${describeAge(source)}; ${effectOf(source)}`,
  )
  const output = lines.length > 0 ? lines : [data === null ? 'not known' : 'all current']
  return [{ suite: 'SBOM Monitor', name: 'data up to date', failure, output: output.join('\n') }]
}

/** GitLab keeps one case of each class and name: components that share name and version are told apart by their package URLs. */
function findingCases({ judged, result: { worst } }: Report): Case[] {
  const keyOf = (finding: Finding) => JSON.stringify([finding.id, componentOf(finding)])
  const found = new Set<string>()
  const repeated = new Set<string>()
  for (const key of (worst ?? []).map(keyOf)) (found.has(key) ? repeated : found).add(key)
  return (worst ?? []).map((finding) => {
    const { purl } = finding.component
    const words = `${classOf(finding)}, ${remedyOf(finding)}`
    const place = repeated.has(keyOf(finding)) && purl !== null ? ` (${visible(purl)})` : ''
    return {
      suite: `${componentOf(finding)}${place}`,
      name: finding.id,
      failure: judged !== null && isHit(judged.policy, finding) ? words : null,
      output: `${words}\n${finding.url}`,
    }
  })
}

function linesOf({ suite, name, failure, output }: Case): string[] {
  return [
    `    <testcase classname=${quoted(suite)} name=${quoted(name)}>`,
    ...(failure === null ? [] : [failureElement(failure, output)]),
    `      <system-out>${escaped(output)}</system-out>`,
    '    </testcase>',
  ]
}

/** Jenkins shows the message, GitLab the text alone: without one, the message as JSON. */
function failureElement(failure: string, output: string): string {
  const text = output.startsWith(failure) ? output : `${failure}\n${output}`
  return `      <failure message=${quoted(failure)}>${escaped(text)}</failure>`
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('\n', ' ')}"`
}

/** XML 1.0 allows neither most control characters nor lone surrogates. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\n]|[\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
