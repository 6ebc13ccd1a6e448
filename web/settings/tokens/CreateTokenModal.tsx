import { useState, type ReactNode } from 'react'
import type { FamilyName } from '#contract/products/shapes.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NewSecret } from '../../kit/form/NewSecret.tsx'
import { CreateTokenForm } from './CreateTokenForm.tsx'

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
        <NewSecret
          secret={secret}
          what="token"
          words="It is shown only once and cannot be displayed again. Save it as a secret of the pipeline; a lost token must be replaced."
          onDone={close}
        />
      )}
    </FormModal>
  )
}
