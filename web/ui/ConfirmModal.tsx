import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from './Foreign.tsx'
import { Problem } from './Problem.tsx'

type Props = {
  opened: boolean
  onClose: () => void
  /** The question, naming the thing: "Revoke the token ci-main?" */
  title: string
  /** What stops, and whether it can be undone. */
  consequence: ReactNode
  /** The verb of the button. */
  verb: string
  isRunning: boolean
  error: unknown
  onConfirm: () => void
  /** Red for what cannot be undone. */
  final?: boolean
}

/** Asks before an act that stops something. The safe button has the focus. */
export function ConfirmModal(props: Props): ReactNode {
  const { opened, onClose, title, consequence, verb, isRunning, error, onConfirm, final = false } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<Foreign>{title}</Foreign>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text>{typeof consequence === 'string' ? <Foreign>{consequence}</Foreign> : consequence}</Text>
        {error === null ? null : <Problem error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            {...(final ? { color: 'red.9' } : {})}
            loading={isRunning}
            onClick={() => {
              // It fades out when it closes, and can still be clicked then.
              if (opened) onConfirm()
            }}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
