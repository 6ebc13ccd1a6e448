import { Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VulnerabilityRecord } from '../../../src/contract/vulnerability.ts'
import { Card } from '../../ui/Card.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { CopyIcon, CopyText } from '../../ui/CopyText.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { FactList, type Fact } from '../../ui/Facts.tsx'
import { References } from '../../ui/References.tsx'
import { SeverityMark } from '../../ui/Severity.tsx'
import { Moment } from '../../ui/Time.tsx'
import { recordAddress, sourceWords } from '../findings/record-words.ts'

/** What one source says about the vulnerability. */
export function RecordCard({ record }: { record: VulnerabilityRecord }): ReactNode {
  return (
    <Card
      title={record.recordId}
      aside={
        <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
          <CopyIcon text={record.recordId} what={record.recordId} />
          <ExternalLink href={recordAddress(record)}>{sourceWords(record.source)}</ExternalLink>
        </span>
      }
    >
      {record.summary === '' ? null : <Text mb="sm">{record.summary}</Text>}
      <FactList facts={factsOf(record)} />
      <References references={record.references} />
    </Card>
  )
}

function factsOf(record: VulnerabilityRecord): Fact[] {
  const facts: Fact[] = [
    { name: 'Severity', value: <SeverityMark severity={record.severity} score={record.score} /> },
  ]
  if (record.withdrawnAt !== null) {
    facts.push({
      name: 'Withdrawn',
      value: (
        <Chip tone="neutral" Icon={IconArchive} title="It affects nothing any more">
          <Moment at={record.withdrawnAt} />
        </Chip>
      ),
    })
  }
  if (record.class !== 'vulnerability') facts.push({ name: 'Class', value: record.class })
  if (record.vector !== null)
    facts.push({ name: 'Vector', value: <CopyText text={record.vector} what="vector" /> })
  if (record.aliases.length > 0) facts.push({ name: 'Aliases', value: record.aliases.join(', ') })
  if (record.upstream.length > 0) facts.push({ name: 'Upstream', value: record.upstream.join(', ') })
  if (record.publishedAt !== null)
    facts.push({ name: 'Published', value: <Moment at={record.publishedAt} /> })
  facts.push({ name: 'Changed', value: <Moment at={record.modifiedAt} /> })
  return facts
}
