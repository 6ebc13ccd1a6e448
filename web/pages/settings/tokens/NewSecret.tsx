import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './NewSecret.module.css'

type Props = { secret: string; onDone: () => void }

/** The only time a token is seen. */
export function NewSecret({ secret, onDone }: Props): ReactNode {
  return (
    <Stack gap="md">
      <Text>
        It is shown only once and cannot be displayed again. Save it as a secret of the pipeline; a lost token
        must be replaced.
      </Text>
      <code className={styles['secret']}>{secret}</code>
      <Group justify="space-between" gap="xs">
        <CopyButton value={secret} timeout={3000}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
              data-autofocus
            >
              {copied ? 'Copied' : 'Copy token'}
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
