import { useState, type ReactNode } from 'react'
import type { FamilyName } from '../../../../src/contract/app.ts'
import { FormModal } from '../../../ui/form/FormModal.tsx'
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
    <FormModal
      opened={opened}
      onClose={close}
      size={520}
      title={secret === undefined ? 'Create a token' : 'Copy the token now'}
      locked={secret !== undefined}
    >
      {secret === undefined ? (
        <CreateTokenForm familyId={familyId} families={families} onCreated={setSecret} onCancel={close} />
      ) : (
        <NewSecret secret={secret} onDone={close} />
      )}
    </FormModal>
  )
}
