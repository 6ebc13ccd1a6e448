import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'

type Props = { opened: boolean; onStay: () => void; onDiscard: () => void }

/** Above page dialogs and the sign-in dialog, below messages. */
const zIndex = 310

/** Escape closes only this question, not the dialogs beneath. */
const keepsEscape = { 'data-mantine-stop-propagation': true }

/** Asks before leaving with unsent text. The safe button has the focus. */
export function DiscardQuestion({ opened, onStay, onDiscard }: Props): ReactNode {
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onStay()
  }
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      title="Discard what you typed?"
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={zIndex}
    >
      <Stack gap="md" onKeyDown={onKeyDown}>
        <Text>It is not saved and cannot be recovered.</Text>
        <Group justify="flex-end" gap="xs">
          <Button {...keepsEscape} variant="default" onClick={onStay} data-autofocus>
            Keep typing
          </Button>
          <Button {...keepsEscape} color="red.9" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
