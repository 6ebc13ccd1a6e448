import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EvidenceRange, FindingRecord } from '#contract/findings/shapes.ts'
import { formatCount } from '../../kit/text/format.ts'
import styles from './AffectedRanges.module.css'
import { markPlace, rangeEnd, rangeStart } from './record-words.ts'

const shownRanges = 6

/** The affected ranges of a record, one bar each; the version is marked on the range that contains it. */
export function AffectedRanges({ record, version }: { record: FindingRecord; version: string }): ReactNode {
  const containing = record.ranges.filter(({ containsVersion }) => containsVersion)
  const others = record.ranges.filter(({ containsVersion }) => !containsVersion)
  const shown = [...containing, ...others].slice(0, shownRanges)
  const hidden = record.rangesTotal - shown.length
  return (
    <div className={styles['ranges']}>
      {shown.map((range, at) => (
        <Range key={at} range={range} version={version} />
      ))}
      {hidden > 0 ? (
        <Text c="dimmed" size="xs">
          and {formatCount(hidden)} more in the record
        </Text>
      ) : null}
    </div>
  )
}

function Range({ range, version }: { range: EvidenceRange; version: string }): ReactNode {
  if (range.kind === 'listed') {
    return (
      <p className={styles['listed']}>
        {range.containsVersion ? (
          <strong>
            <Foreign>{range.introduced}</Foreign>
          </strong>
        ) : (
          <Foreign>{range.introduced}</Foreign>
        )}{' '}
        <span className="dimmed">is in the record’s list of affected versions</span>
      </p>
    )
  }
  const words = `${rangeStart(range)} … ${rangeEnd(range)}`
  return (
    <div
      className={styles['range']}
      role="img"
      aria-label={visibleText(
        range.containsVersion ? `${version} is in ${words}` : `Also affected: ${words}`,
      )}
      title="Not to scale"
      data-from-first={range.introduced === '0'}
      data-open={rangeEnd(range) === 'no end'}
    >
      <span className={styles['start']}>
        <Foreign>{rangeStart(range)}</Foreign>
      </span>
      <span className={styles['line']}>
        <span className={styles['affected']} data-contains={range.containsVersion}>
          {range.containsVersion ? (
            <span className={styles['mark']} data-place={markPlace(range, version)}>
              <span className={styles['version']}>
                <Foreign>{version}</Foreign>
              </span>
            </span>
          ) : null}
        </span>
      </span>
      <span className={styles['end']}>
        <Foreign>{rangeEnd(range)}</Foreign>
      </span>
    </div>
  )
}
