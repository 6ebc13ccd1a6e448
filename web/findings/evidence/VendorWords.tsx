import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { VendorStatement } from '#contract/vulnerabilities/vendor-words.ts'
import { Card } from '../../kit/page/Card.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { StatedTime } from '../../kit/time/Time.tsx'
import { advisoryAddress, statusWords } from './vendor-words.ts'
import styles from './VendorWords.module.css'

/** The vendor's statements on CVEs of its package, shown beside the verdict, which they never change. Renders nothing without any. */
export function VendorWords({ statements }: { statements: readonly VendorStatement[] }): ReactNode {
  const [first] = statements
  if (first === undefined) return null
  const cves = new Set(statements.map(({ cve }) => cve))
  return (
    <Card title={`${visibleText(first.vendor)} says`}>
      <ul className={styles['statements']}>
        {statements.map((statement) => (
          <Said key={JSON.stringify(statement)} statement={statement} isOneOfSeveral={cves.size > 1} />
        ))}
      </ul>
      <Text c="dimmed" mt="xs">
        For information only: it changes no verdict. Record your own where you rely on it.
      </Text>
    </Card>
  )
}

type Props = { statement: VendorStatement; isOneOfSeveral: boolean }

function Said({ statement, isOneOfSeveral }: Props): ReactNode {
  const { cve, packageName, product, impact, advisory, statedAt, vendor, address } = statement
  return (
    <li>
      <div className={styles['status']}>
        <Foreign>{statusWords(statement)}</Foreign>
      </div>
      <div>
        <Foreign>{`${packageName} in ${product}${isOneOfSeveral ? `, ${cve}` : ''}`}</Foreign>
      </div>
      <div className={styles['facts']}>
        {impact === null ? null : (
          <span>
            impact <Foreign>{impact.toLowerCase()}</Foreign>
          </span>
        )}
        <span>
          stated <StatedTime at={statedAt} />
        </span>
        {advisory === null ? null : (
          <ExternalLink href={advisoryAddress(advisory)}>{visibleText(advisory)}</ExternalLink>
        )}
        <ExternalLink href={address}>{`${visibleText(cve)} at ${visibleText(vendor)}`}</ExternalLink>
      </div>
    </li>
  )
}
