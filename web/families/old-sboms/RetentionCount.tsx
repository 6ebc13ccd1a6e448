import { Text } from '@mantine/core'
import { type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SbomRetentionCount } from '#contract/sbom/retention.ts'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { formatBytes, formatCount, formatNoun } from '../../kit/text/format.ts'
import { stayWords } from './words.ts'
import styles from './RetentionCount.module.css'

type Props = { query: UseQueryResult<SbomRetentionCount>; isAsked: boolean }

/** What the setting would remove now, and what stays and why. */
export function RetentionCount({ query, isAsked }: Props): ReactNode {
  return (
    <section aria-label="What would be removed now" aria-live="polite" className={styles['box']}>
      {isAsked ? (
        <Loaded query={query} waiting={<Text c="dimmed">Counting…</Text>}>
          {(count) => <Counted count={count} />}
        </Loaded>
      ) : (
        <Text c="dimmed">Enter a number to see what would be removed.</Text>
      )}
    </section>
  )
}

function Counted({ count }: { count: SbomRetentionCount }): ReactNode {
  const { replaced, goes, stays, supportEndsOn } = count
  const lacksSupport = supportEndsOn === null && stays.some(({ why }) => why === 'cra')
  if (replaced.sboms === 0) return <Text>No SBOM of this family has been replaced yet.</Text>
  return (
    <>
      <Text fw={600}>
        {goes.sboms === 0
          ? `None of ${formatNoun(replaced.sboms, 'replaced SBOM')} would be removed now.`
          : `${formatNoun(goes.sboms, 'SBOM')} of ${formatCount(replaced.sboms)} would be removed now: ${formatBytes(goes.sizeBytes)}.`}
      </Text>
      {stays.length === 0 ? null : (
        <ul className={styles['stays']}>
          {stays.map(({ why, sboms, sizeBytes }) => (
            <li key={why}>
              {sboms === 1 ? '1 stays' : `${formatCount(sboms)} stay`} ({formatBytes(sizeBytes)}):{' '}
              {stayWords[why]}
            </li>
          ))}
        </ul>
      )}
      {lacksSupport ? (
        <Text c="dimmed" fz="sm">
          The product facts do not say when support ends. Until they do, Art. 13(13) covers every SBOM.
        </Text>
      ) : null}
      {goes.sboms === 0 ? null : (
        <Text c="dimmed" fz="sm">
          They are removed within a few hours, for good. Their hash, times and counts stay, and so do findings
          and verdicts.
        </Text>
      )}
    </>
  )
}
