import { Modal } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { FamilyName } from '../../../src/contract/app.ts'
import { CreateTokenForm } from './CreateTokenForm.tsx'
import { NewSecret } from './NewSecret.tsx'

type Props = {
  opened: boolean
  onClose: () => void
  /** The family chosen before the dialog opened. */
  familyId: string | undefined
  families: FamilyName[]
}

/** Asks what the token is for, then shows its secret once. */
export function CreateTokenModal({ opened, onClose, familyId, families }: Props): ReactNode {
  const [secret, setSecret] = useState<string | undefined>(undefined)

  function close(): void {
    setSecret(undefined)
    onClose()
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      size={520}
      title={secret === undefined ? 'Create a token' : 'Copy the token now'}
      closeOnClickOutside={secret === undefined}
      closeOnEscape={secret === undefined}
      withCloseButton={secret === undefined}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {secret === undefined ? (
        <CreateTokenForm familyId={familyId} families={families} onCreated={setSecret} onCancel={close} />
      ) : (
        <NewSecret secret={secret} onDone={close} />
      )}
    </Modal>
  )
}
