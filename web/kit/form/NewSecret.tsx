import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import styles from './NewSecret.module.css'

type Props = {
  secret: string
  /** Kind of secret: "token". */
  what: string
  /** What it is for, and what losing it means. */
  words: string
  onDone: () => void
  /** What can be done with it now. */
  children?: ReactNode
}

/** Shows a secret; it is never shown again. */
export function NewSecret({ secret, what, words, onDone, children }: Props): ReactNode {
  const wordsId = useId()
  return (
    <Stack gap="md">
      <Text id={wordsId}>{words}</Text>
      <code className={styles['secret']}>{secret}</code>
      {children}
      <Group justify="space-between" gap="xs">
        <CopyButton value={secret} timeout={3000}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
              data-autofocus
              aria-describedby={wordsId}
            >
              {copied ? 'Copied' : `Copy ${what}`}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          I have saved it
        </Button>
      </Group>
    </Stack>
  )
}
