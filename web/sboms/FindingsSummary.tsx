import { Text } from '@mantine/core'
import { IconBiohazard, IconFlame } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { severities, coverageTotal } from '#contract/sbom/shapes.ts'
import { isMatching } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Card } from '../kit/page/Card.tsx'
import { formatCount, formatNoun, formatShare } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { severityLooks } from '../findings/severity.ts'
import { verdictLooks } from '../findings/verdict.ts'
import styles from './FindingsSummary.module.css'

/** What was found, as links that filter the table below. */
export function FindingsSummary({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { findings, coverage } = sbom
  const components = coverageTotal(coverage)
  const isSilent = findings.total === 0 && coverage.covered === 0
  return (
    <Card
      title="Findings"
      aside={
        <Text c="dimmed">
          {isSilent
            ? ''
            : `${formatCount(findings.total)} open · ${formatNoun(findings.vulnerabilities, 'vulnerability', 'vulnerabilities')} · `}
          {formatShare(coverage.covered, components)} of {formatNoun(components, 'component')} covered
        </Text>
      }
    >
      {isSilent ? <Text>Not known: none of the components could be checked.</Text> : <Counts sbom={sbom} />}
      <Settled sbom={sbom} />
      <Text c="dimmed" mt={8}>
        {standing(sbom)}
      </Text>
    </Card>
  )
}

function Counts({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { findings } = sbom
  return (
    <ul className={styles['counts']}>
      {findings.malware === 0 ? null : (
        <li>
          <TextLink
            {...pages.sbom(slug, sbom.id, { recordClass: 'malware' })}
            className={styles['exploited']}
            resetScroll={false}
          >
            <IconBiohazard size={14} aria-hidden /> {formatCount(findings.malware)} malware
          </TextLink>
        </li>
      )}
      <li>
        <TextLink
          {...pages.sbom(slug, sbom.id, { exploited: true })}
          className={findings.exploited === 0 ? styles['count'] : styles['exploited']}
          resetScroll={false}
        >
          <IconFlame size={14} aria-hidden /> {formatCount(findings.exploited)} exploited
        </TextLink>
      </li>
      {severities
        .filter((severity) => findings.bySeverity[severity] > 0)
        .map((severity) => {
          const { word, sign, Icon } = severityLooks[severity]
          return (
            <li key={severity}>
              <TextLink
                {...pages.sbom(slug, sbom.id, { severity })}
                className={styles['count']}
                resetScroll={false}
              >
                <Icon size={14} aria-hidden style={{ color: sign }} />{' '}
                {formatCount(findings.bySeverity[severity])} {word.toLowerCase()}
              </TextLink>
            </li>
          )
        })}
    </ul>
  )
}

/** Findings declared not affected or fixed, which are counted nowhere else. */
function Settled({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const settled = (['not_affected', 'fixed'] as const)
    .map((verdict) => ({
      verdict,
      count: verdict === 'fixed' ? sbom.findings.fixed : sbom.findings.notAffected,
    }))
    .filter(({ count }) => count > 0)
  if (settled.length === 0) return null
  return (
    <ul className={styles['counts']} style={{ marginTop: 8 }}>
      {settled.map(({ verdict, count }) => {
        const { Icon, word } = verdictLooks[verdict]
        return (
          <li key={verdict}>
            <TextLink
              {...pages.sbom(slug, sbom.id, { verdict })}
              className={styles['count']}
              resetScroll={false}
            >
              <Icon size={14} aria-hidden style={{ color: 'var(--good)' }} /> {formatCount(count)}{' '}
              {word.toLowerCase()}
            </TextLink>
          </li>
        )
      })}
    </ul>
  )
}

/** How reliable the counts are now. */
function standing(sbom: SbomDetail): string {
  if (isMatching(sbom)) return 'Matching is running; the counts grow until it is finished.'
  if (sbom.status === 'failed') return 'Matching failed; the counts may be out of date or missing.'
  const { exact, possible } = sbom.grades
  const sure = `${formatCount(exact)} exact · ${formatNoun(possible, 'possible match', 'possible matches')}`
  if (exact + possible === 0 && sbom.coverage.covered === 0) return ''
  return sbom.active ? sure : `${sure} · shared with the SBOM that is active now`
}
