import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { saveText } from '../kit/api/save-file.ts'
import { Copying } from '../kit/text/Copying.tsx'
import styles from './RecoveryCodes.module.css'

/** Shows recovery codes; they are never shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }): ReactNode {
  const wordsId = useId()
  const text = codes.join('\n')
  return (
    <Stack gap="md">
      <Text id={wordsId}>
        Keep these codes away from your phone. Each one lets you in once, after your password. They are shown
        only this once.
      </Text>
      <ul className={styles['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Copying text={text} timeoutMs={3000}>
            {({ isCopied, copy }) => (
              <Button
                leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
                data-autofocus
                aria-describedby={wordsId}
              >
                {isCopied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </Copying>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => {
              saveText('recovery-codes.txt', `${text}\n`)
            }}
          >
            Download
          </Button>
        </Group>
        <Button variant="default" onClick={onDone}>
          I have saved them
        </Button>
      </Group>
    </Stack>
  )
}
