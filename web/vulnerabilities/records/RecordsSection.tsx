import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { VulnerabilityDetail, VulnerabilityRecord } from '#contract/vulnerabilities/shapes.ts'
import { Section } from '../../kit/page/Section.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { formatCount, formatNoun } from '../../kit/text/format.ts'
import { inOneLine, oneOfEachSource, sortedIds, tellersOf, textsOf, type Told } from './compare-records.ts'
import { RecordCard } from './RecordCard.tsx'
import { RecordTable } from './RecordTable.tsx'
import styles from './records.module.css'

/** Further texts are folded. */
const shownTexts = 2
const shownRecords = 8
const shownIds = 4
/** With this few, reading is quicker than comparing. */
const fewRecords = 2

/** The sources' records: each text once, differences in a table, and every record folded. */
export function RecordsSection({ vulnerability }: { vulnerability: VulnerabilityDetail }): ReactNode {
  const { records, recordsTotal } = vulnerability
  if (records.length === 0) return null
  const isFew = records.length <= fewRecords
  return (
    <Section title="What the sources say">
      <div className={styles['parts']}>
        <OtherIds vulnerability={vulnerability} />
        {isFew ? <RecordCards records={records} /> : <Comparison vulnerability={vulnerability} />}
        {recordsTotal > records.length ? (
          <Text c="dimmed">
            The first {formatCount(records.length)} of {formatCount(recordsTotal)} records are shown.
          </Text>
        ) : null}
      </div>
    </Section>
  )
}

function Comparison({
  vulnerability: { records, summary },
}: {
  vulnerability: VulnerabilityDetail
}): ReactNode {
  const texts = textsOf(records)
  const compared = oneOfEachSource(records)
  return (
    <>
      <Texts texts={texts.slice(0, shownTexts)} heading={summary} />
      {texts.length > shownTexts ? (
        <Fold words={`Show ${formatNoun(texts.length - shownTexts, 'further text')}`}>
          <Texts texts={texts.slice(shownTexts)} heading={summary} />
        </Fold>
      ) : null}
      <RecordTable label="Records compared" records={compared.slice(0, shownRecords)} />
      {records.length > shownRecords ? (
        <Fold words={`Compare ${formatNoun(records.length - shownRecords, 'further record')}`}>
          <RecordTable label="Further records compared" records={compared.slice(shownRecords)} />
        </Fold>
      ) : null}
      <Fold words={`Show all ${formatCount(records.length)} records`}>
        <RecordCards records={records} isToldElsewhere />
      </Fold>
    </>
  )
}

/** The text under the page title is not repeated, only its sources. */
function Texts({ texts, heading }: { texts: Told[]; heading: string }): ReactNode {
  const isHeading = (text: string) => text === inOneLine(heading)
  return texts.map(({ text, records }) => (
    <figure key={text} className={styles['told']}>
      {isHeading(text) ? null : (
        <blockquote>
          <Foreign>{text}</Foreign>
        </blockquote>
      )}
      <figcaption>
        {isHeading(text) ? 'The text under the title is from ' : ''}
        <Foreign>{tellersOf(records)}</Foreign>
      </figcaption>
    </figure>
  ))
}

type CardsProps = { records: VulnerabilityRecord[]; isToldElsewhere?: boolean }

function RecordCards({ records, isToldElsewhere = false }: CardsProps): ReactNode {
  return (
    <div className={styles['cards']}>
      {records.map((record) => (
        <RecordCard key={record.recordId} record={record} isToldElsewhere={isToldElsewhere} />
      ))}
    </div>
  )
}

function Fold({ words, children }: { words: string; children: ReactNode }): ReactNode {
  return (
    <details className={styles['fold']}>
      <summary>{words}</summary>
      {children}
    </details>
  )
}

function OtherIds({ vulnerability: { id, aliases } }: { vulnerability: VulnerabilityDetail }): ReactNode {
  const ids = sortedIds(id, aliases)
  if (ids.length === 0) return null
  const more = ids.slice(shownIds)
  return (
    <Text c="dimmed" component="div">
      Also known as <Foreign>{ids.slice(0, shownIds).join(', ')}</Foreign>
      {more.length === 0 ? null : (
        <details className={styles['fold']}>
          <summary>{formatNoun(more.length, 'further id')}</summary>
          <Foreign>{more.join(', ')}</Foreign>
        </details>
      )}
    </Text>
  )
}
