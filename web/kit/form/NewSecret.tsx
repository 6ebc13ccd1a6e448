import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { Copying } from '../text/Copying.tsx'
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
        <Copying text={secret} timeoutMs={3000}>
          {({ isCopied, copy }) => (
            <Button
              leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
              data-autofocus
              aria-describedby={wordsId}
            >
              {isCopied ? 'Copied' : `Copy ${what}`}
            </Button>
          )}
        </Copying>
        <Button variant="default" onClick={onDone}>
          I have saved it
        </Button>
      </Group>
    </Stack>
  )
}
