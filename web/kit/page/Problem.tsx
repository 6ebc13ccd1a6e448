import { Foreign } from '../text/Foreign.tsx'
import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isFailure } from '../api/request.ts'
import { errorWords } from '../api/error-words.ts'
import styles from './Problem.module.css'

type Props = {
  /** null: none. */
  error: unknown
  /** Problems by field, where no field shows them. */
  fields?: Record<string, string>
  onRetry?: () => void
  /** What to do next, where it differs from the usual. */
  next?: string | undefined
}

/** What happened, why, and what to do; the technical detail folds out. */
export function Problem({ error, fields = {}, onRetry, next }: Props): ReactNode {
  if (error === null) return null
  const { what, next: usual, detail } = errorWords(error)
  return (
    <div role="alert" className={styles['problem']}>
      <IconAlertTriangle size={18} aria-hidden className={styles['icon']} />
      <div className={styles['words']}>
        <Text fw={600}>
          <Foreign>{what}</Foreign>
        </Text>
        <Text c="dimmed">{next ?? usual}</Text>
        {Object.entries(fields).map(([field, words]) => (
          <Text key={field} c="dimmed">
            <code>{field}</code>: <Foreign>{words}</Foreign>
          </Text>
        ))}
        {detail === null || detail === '' ? null : (
          <details className={styles['detail']}>
            <summary>Technical detail</summary>
            <code>
              <Foreign>{detail}</Foreign>
            </code>
          </details>
        )}
        {onRetry === undefined || isFailure(error, 'not_found') ? null : (
          <Group mt="sm">
            <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
      </div>
    </div>
  )
}
