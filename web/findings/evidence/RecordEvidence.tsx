import { Foreign } from '../../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FindingRecord } from '#contract/findings/shapes.ts'
import { publicId } from '#contract/public/public-id.ts'
import { Card } from '../../kit/page/Card.tsx'
import { CopyIcon, CopyText } from '../../kit/text/CopyText.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { GradeMark } from '../GradeMark.tsx'
import { References } from './References.tsx'
import { SeverityMark } from '../Severity.tsx'
import { Moment, StatedTime } from '../../kit/time/Time.tsx'
import { AffectedRanges } from './AffectedRanges.tsx'
import { recordAddress, sourceWords } from './record-words.ts'
import styles from './RecordEvidence.module.css'

/** What one vulnerability record says about this version. */
export function RecordEvidence({ record, version }: { record: FindingRecord; version: string }): ReactNode {
  return (
    <Card
      title={publicId(record.recordId)}
      aside={
        <span className={styles['aside']}>
          <CopyIcon text={publicId(record.recordId)} what={publicId(record.recordId)} />
          <ExternalLink href={recordAddress(record)}>{sourceWords(record.source)}</ExternalLink>
        </span>
      }
    >
      {record.summary === '' ? null : (
        <Text mb="sm">
          <Foreign>{record.summary}</Foreign>
        </Text>
      )}
      <AffectedRanges record={record} version={version} />
      <FactList facts={factsOf(record)} />
      <References references={record.references} />
    </Card>
  )
}

function factsOf(record: FindingRecord): Fact[] {
  const facts: Fact[] = [
    { name: 'Severity', value: <SeverityMark severity={record.severity} score={record.score} /> },
    {
      name: 'Match',
      value: (
        <>
          <GradeMark grade={record.grade} />
          {record.gradeReason === null ? null : (
            <div className="dimmed">
              <Foreign>{record.gradeReason}</Foreign>
            </div>
          )}
        </>
      ),
    },
  ]
  if (record.vector !== null)
    facts.push({ name: 'Vector', value: <CopyText text={record.vector} what="vector" /> })
  if (record.aliases.length > 0) facts.push({ name: 'Aliases', value: record.aliases.join(', ') })
  if (record.upstream.length > 0) facts.push({ name: 'Upstream', value: record.upstream.join(', ') })
  if (record.publishedAt !== null)
    facts.push({ name: 'Published', value: <Moment at={record.publishedAt} /> })
  facts.push({ name: 'Changed', value: <StatedTime at={record.modifiedAt} /> })
  return facts
}
