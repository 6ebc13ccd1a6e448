import { createHash } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { describeAge, effectOf, outdatedIn } from '../data-age.ts'
import { isHit } from '../policy.ts'
import type { DataBehind, Finding, Severity } from '../answers.ts'
import { classOf, componentOf, describeChecked, gapsOf, isSilent, remedyOf, visible } from '../summary.ts'
import type { Report } from './report.ts'

/** GitHub's ranking of security alerts ("security-severity" of a rule). */
const ranks: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  none: '0.0',
  unknown: '5.0',
}

/** SARIF 2.1.0: a rule for each vulnerability, a result for each listed finding. The location of a finding is the SBOM. */
export function sarifReport({ file, sbom, result, judged }: Report): string {
  const { matches, data, worst } = result
  const findings = worst ?? []
  const rules = worstOfEach(findings)
  const places = new Map(rules.map(({ id }, place) => [id, place]))
  const left = matches.total - findings.length
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'SBOM Monitor', rules: rules.map(ruleOf) } },
        ...(data === null ? {} : { invocations: [invocationOf(data)] }),
        results: findings.map((finding) => ({
          ruleId: finding.id,
          ruleIndex: places.get(finding.id),
          level: levelOf(finding, judged !== null && isHit(judged.policy, finding)),
          message: { text: `${componentOf(finding)}: ${remedyOf(finding)}. ${finding.url}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: artifactUri(file, process.cwd()) },
                region: { startLine: 1 },
              },
            },
          ],
          partialFingerprints: fingerprintsOf(finding),
        })),
        properties: {
          sbom: sbom.url,
          // finding nothing where nothing could be checked is not zero
          findings: isSilent(matches) ? null : matches.total,
          listed: findings.length,
          notListed: left,
          checked: describeChecked(sbom, matches),
          notChecked: gapsOf(matches),
          ...(data === null ? {} : { outOfDate: data.stale }),
        },
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

/** Relative to the folder of the run, which services take for their checkout (SARIF 3.4.3); where the file is elsewhere, as it was given. */
export function artifactUri(file: string, folder: string): string {
  const fromHere = relative(folder, resolve(folder, file))
  const isElsewhere = isAbsolute(fromHere) || fromHere.split(sep)[0] === '..'
  return (isElsewhere ? file : fromHere).split(sep).map(encodeURIComponent).join('/')
}

/** What the data may lack, as SARIF tells of an analysis that could not see everything (3.20.21). */
function invocationOf(data: DataBehind) {
  return {
    executionSuccessful: true,
    toolExecutionNotifications: outdatedIn(data).map((source) => ({
      level: 'warning',
      message: { text: `${source.label}: ${describeAge(source)}; ${effectOf(source)}.` },
    })),
  }
}

/** The first finding of each vulnerability: components may differ in how severe one is, and the worst come first. */
function worstOfEach(findings: readonly Finding[]): Finding[] {
  const firsts = new Map<string, Finding>()
  for (const finding of findings) if (!firsts.has(finding.id)) firsts.set(finding.id, finding)
  return [...firsts.values()]
}

/**
 * What makes a finding the same from run to run. GitHub tells the alerts of a rule in one file apart by `primaryLocationLineHash` alone, and
 * where that is missing, it hashes the first line of the SBOM: the same for all components, and another one with each serial number.
 */
function fingerprintsOf(finding: Finding) {
  const { purl } = finding.component
  const identity = `${finding.id} ${purl === null ? componentOf(finding) : visible(purl)}`
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 32)
  return { 'vulnerabilityAndComponent/v1': identity, primaryLocationLineHash: `${digest}:1` }
}

/** With what SARIF leaves open and GitHub requires of a rule: a full description and help. */
function ruleOf(finding: Finding) {
  const help = 'The finding, its evidence and what fixes it'
  return {
    id: finding.id,
    name: finding.malware ? 'Malware' : 'VulnerableComponent',
    shortDescription: { text: finding.malware ? `Malware: ${finding.id}` : finding.id },
    fullDescription: {
      text: finding.malware
        ? `Malware among the components: ${finding.id}.`
        : `A vulnerability of a component: ${finding.id} (${classOf(finding)}).`,
    },
    help: { text: `${help}: ${finding.url}`, markdown: `[${help}](${finding.url})` },
    helpUri: finding.url,
    properties: {
      tags: ['security', finding.malware ? 'malware' : 'vulnerability'],
      'security-severity': finding.malware ? '10.0' : ranks[finding.severity],
    },
  }
}

/** Findings the policy stops on are errors, and malware always is. */
function levelOf({ malware, severity }: Finding, isStopped: boolean): 'error' | 'warning' | 'note' {
  if (malware || isStopped) return 'error'
  if (severity === 'none' || severity === 'low') return 'note'
  return severity === 'critical' || severity === 'high' ? 'error' : 'warning'
}
